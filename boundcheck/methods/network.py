"""Local losses that look into a network: MOON (contrast of representations) and FedMLB (branches)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.methods.base import Card, Hyper, Oracle, Penalty, Vector
from boundcheck.methods.composed import Composed, ServerMomentum
from boundcheck.methods.local import mean_model

Outputs = Any
"""Outputs of a level of the network, (lanes, clients, rows, units): one axis more than a hyperparameter has."""


class ModelsState(NamedTuple):
    """Server iterate and velocity, and the last model of every client."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    v: Vector
    """Velocity (lanes, 1, d); MOON leaves it at rest."""
    own: Vector
    """Where a client's last local steps ended (lanes, N, d)."""
    seen: Vector
    """1 for the clients that have such a model, else 0 (lanes, N, 1)."""


def cosine(xp: Any, a: Outputs, b: Outputs) -> tuple[Outputs, Outputs]:
    """Return cos(a, b) of every row, (..., 1), and its gradient in a."""
    lengths = [xp.sqrt((z * z).sum(axis=-1, keepdims=True)) for z in (a, b)]
    value = (a * b).sum(axis=-1, keepdims=True) / (lengths[0] * lengths[1])
    return value, b / (lengths[0] * lengths[1]) - value * a / (lengths[0] * lengths[0])


def contrast_slope(xp: Any, r: Outputs, shared: Outputs, previous: Outputs, tau: Any) -> Outputs:
    """Return the gradient in r of -log(e^p / (e^p + e^q)), p = cos(r, shared) / tau and q = cos(r, previous) / tau."""
    (near, towards), (far, away) = cosine(xp, r, shared), cosine(xp, r, previous)
    return (away - towards) / (tau * (1.0 + xp.exp((near - far) / tau)))


def _log_softmax(xp: Any, logits: Outputs) -> Outputs:
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - xp.log(xp.exp(shifted).sum(axis=-1, keepdims=True))


def divergence_slopes(xp: Any, first: Outputs, second: Outputs, tau: Any) -> tuple[Outputs, Outputs]:
    """Return the gradients in both logits of KL(p || q), p and q the softmax of `first` and `second` over tau."""
    log_p, log_q = _log_softmax(xp, first / tau), _log_softmax(xp, second / tau)
    p, gap = xp.exp(log_p), log_p - log_q
    return p * (gap - (p * gap).sum(axis=-1, keepdims=True)) / tau, (xp.exp(log_q) - p) / tau


@dataclass(frozen=True, kw_only=True)
class MOON(Composed):
    """Model-contrastive federated learning.

    Problem: minimise f = mean_i f_i, f_i the loss of a network; r(z; y) is its last hidden layer on a row z.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta (g_i(y_i) + mu grad c_i(y_i))`` with, on the same
    minibatch, ``c_i(y) = mean_z -log(e^p / (e^p + e^q))``, ``p = cos(r(z; y), r(z; x)) / tau`` and
    ``q = cos(r(z; y), r(z; w_i)) / tau``; then ``w_i <- y_i`` and ``x <- mean_i y_i``.  w_i is the end of the
    client's last local steps; c_i = 0 as long as there is none.  x and w_i are frozen.  There is no projection head,
    and the local steps are plain (the authors' code has momentum).  A cosine needs |r| > 0.

    References: [1] Li, He, Song, arXiv:2103.16257.  [2] compared in GradMA, arXiv:2302.14307.

    Attributes
    ----------
    mu : Hyper
        Weight of the contrast; 0 is FedAvg.
    tau : Hyper
        Temperature.
    """

    mu: Penalty
    tau: Hyper = 0.5

    card = Card(
        "moon",
        "MOON",
        "gradma",
        "baseline of the experiments, rule from the cited work (Li et al. 2021)",
        rule="confirmed",
        needs=("layers", "same sample"),
        note="d floats of memory a client",
        distinguishes=("mu", "K > 1", "T > 1"),
        cost=1.9,
        client="d + 1",
    )

    def init(self, oracle: Oracle, x0: Vector) -> ModelsState:
        """Start at x0 at rest, no client having a model of its own."""
        own = oracle.to_all(x0)
        return ModelsState(x0, 0.0 * x0, own, 0.0 * own[:, :, :1])

    def local(self, oracle: Oracle, state: ModelsState, start: Vector) -> Vector:
        """K contrastive steps."""
        xp, seen, level = oracle.xp, oracle.active(state.seen), oracle.levels - 2
        previous = xp.where(seen > 0, oracle.active(state.own), start)
        weight, tau = xp.asarray(self.mu * seen)[..., None], xp.asarray(self.tau)[..., None]

        def step(_: Any, y: Vector) -> Vector:
            oracle.observe(y)
            batch = oracle.draw()
            r, shared, before = (oracle.outputs(point, batch)[level] for point in (y, start, previous))
            slope = weight * contrast_slope(xp, r, shared, before, tau)
            return y - self.eta * oracle.composite(y, batch, 1.0, {level: slope})

        return oracle.fori(step, start)

    def round(self, oracle: Oracle, state: ModelsState) -> ModelsState:
        """Take the local rule, the average and the server rule; every active client keeps where it ended."""
        y = self.local(oracle, state, oracle.to_clients(state.x))
        own, seen = oracle.remember(state.own, y), oracle.remember(state.seen, 0.0 * y[:, :, :1] + 1.0)
        after: ModelsState = self.server(oracle, state, mean_model(oracle, state.x, y))
        return after._replace(own=own, seen=seen)


@dataclass(frozen=True, kw_only=True)
class MOONM(ServerMomentum, MOON):
    """MOON with server momentum.

    Problem: minimise f = mean_i f_i, f_i the loss of a network.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta (g_i(y_i) + mu grad c_i(y_i))``, c_i the contrast of MOON
    with x and w_i; then ``w_i <- y_i``, ``v <- beta v - (mean_i y_i - x)`` and ``x <- x - gamma v``.

    References: [1] GradMA, arXiv:2302.14307, the server step of Algorithm 5.  [2] Li, He, Song, arXiv:2103.16257.

    Attributes
    ----------
    mu : Hyper
        Weight of the contrast; 0 is FedAvg with server momentum.
    beta : Hyper
        Weight of the old velocity; 0 with gamma = 1 is MOON.
    """

    card = Card(
        "moonm",
        "MOONM",
        "gradma",
        "baseline of the experiments: MOON (Li et al. 2021) with the server step of Algorithm 5",
        rule="confirmed",
        needs=("layers", "same sample"),
        note="d floats of memory a client",
        distinguishes=("mu", "beta", "gamma", "K > 1", "T > 1"),
        cost=2.0,
        client="d + 1",
        server="d",
    )


@dataclass(frozen=True, kw_only=True)
class FedMLB(Composed):
    """Multi-level branched regularisation: local layers below the server's, frozen.

    Problem: minimise f = mean_i f_i, f_i the loss of a network with M hidden layers.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta grad l_i(y_i)`` on minibatches; then ``x <- mean_i y_i``.
    With o(y) the logits and o_m those of the network that has the hidden layers 1..m of y and all others of x,
    ``l_i(y) = mean_z lam1 CE(o) + (1/M) sum_m (lam2 CE(o_m) + lam3 KL(p_m || p))``, p and p_m the softmax of o / tau
    and o_m / tau.  Nothing but x is frozen: the divergence is differentiated in both arguments.

    References: [1] Kim, Kim, Han, arXiv:2207.06936.  [2] compared in GradMA, arXiv:2302.14307.

    Attributes
    ----------
    lam1, lam2, lam3 : Hyper
        Weights of the local loss, the hybrid losses and the divergences; 1, 0, 0 is FedAvg.
    tau : Hyper
        Temperature of the divergences.
    """

    lam1: Penalty = 1.0
    lam2: Penalty = 1.0
    lam3: Penalty = 1.0
    tau: Hyper = 1.0

    card = Card(
        "fedmlb",
        "FedMLB",
        "gradma",
        "baseline of the experiments, rule from the cited work (Kim et al. 2022)",
        rule="confirmed",
        gradients="(M+1)K (2K with one hidden layer)",
        needs=("layers", "same sample"),
        note="one gradient a branch and step",
        distinguishes=("lam2", "lam3", "K > 1"),
        cost=1.2,
    )

    def local(self, oracle: Oracle, state: Any, start: Vector) -> Vector:
        """K steps on the branched loss."""
        xp, last = oracle.xp, oracle.levels - 1
        close, tau = xp.asarray(self.lam3)[..., None], xp.asarray(self.tau)[..., None]

        def step(_: Any, y: Vector) -> Vector:
            oracle.observe(y)
            batch = oracle.draw()
            logits = oracle.outputs(y, batch)[last]
            g, drawn = 0.0 * y, 0.0 * logits
            for level in range(last):
                mask = oracle.upstream_mask(level)
                hybrid = xp.where(mask > 0, y, start)
                theirs, ours = divergence_slopes(xp, oracle.outputs(hybrid, batch)[last], logits, tau)
                drawn = drawn + ours
                g = g + mask * oracle.composite(hybrid, batch, self.lam2, {last: close * theirs})
            own = oracle.composite(y, batch, self.lam1, {last: close * drawn * (1.0 / last)})
            return y - self.eta * (own + g * (1.0 / last))

        return oracle.fori(step, start)


@dataclass(frozen=True, kw_only=True)
class FedMLBM(FedMLB, ServerMomentum):
    """FedMLB with server momentum.

    Problem: minimise f = mean_i f_i, f_i the loss of a network with M hidden layers.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta grad l_i(y_i)``, l_i the branched loss of FedMLB; then
    ``v <- beta v - (mean_i y_i - x)`` and ``x <- x - gamma v``.

    References: [1] GradMA, arXiv:2302.14307, the server step of Algorithm 5.  [2] Kim, Kim, Han, arXiv:2207.06936.

    Attributes
    ----------
    beta : Hyper
        Weight of the old velocity; 0 with gamma = 1 is FedMLB.
    lam1, lam2, lam3 : Hyper
        As in FedMLB; 1, 0, 0 is FedAvg with server momentum.
    """

    card = Card(
        "fedmlbm",
        "FedMLBM",
        "gradma",
        "baseline of the experiments: FedMLB (Kim et al. 2022) with the server step of Algorithm 5",
        rule="confirmed",
        gradients="(M+1)K (2K with one hidden layer)",
        needs=("layers", "same sample"),
        note="one gradient a branch and step",
        distinguishes=("lam2", "lam3", "beta", "gamma", "K > 1", "T > 1"),
        cost=1.2,
        server="d",
    )
