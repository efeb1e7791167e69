"""Methods for averages over lists of samples: SVRG, with loops and with a coin, and SGD that takes them in turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, get_args

from boundcheck.errors import require
from boundcheck.methods.base import Card, Method, Oracle, Order, Probability, ServerState, Step, Vector
from boundcheck.methods.central import mean_grad, show_at_clients

OUTPUTS = ("random", "average", "last")


@dataclass(frozen=True, kw_only=True)
class SVRG(Method[ServerState]):
    """Stochastic variance-reduced gradient.

    Problem: minimise f, a finite sum.

    **Update**, a round is one outer loop from the snapshot x: ``y = x``, K times ``y <- y - eta (G(y) - G(x) + grad
    f(x))`` on one fresh minibatch; then ``x <- y``, y one of the K points before these steps, drawn uniformly (option
    II), or their average, or the last y (option I).

    **Guarantee**: `field.svrg` for strongly convex clients, the first two outputs.

    References: [1] Johnson, Zhang, "Accelerating Stochastic Gradient Descent using Predictive Variance Reduction",
    NeurIPS 2013, figure 1.

    Attributes
    ----------
    eta : Hyper
        Step.
    output : {'random', 'average', 'last'}
        The next snapshot.
    """

    eta: Step
    output: str = "random"

    card = Card(
        "svrg",
        "SVRG on one machine",
        "field",
        "figure 1 of Johnson, Zhang 2013",
        rule="cited",
        gradients="2K + 1 full",
        up="0",
        down="0",
        partial=False,
        needs=("exact gradients", "same sample"),
        distinguishes=("K > 1", "noise"),
    )

    def __post_init__(self) -> None:
        """Check the choice."""
        require(self.output in OUTPUTS, "svrg: output", self.output, f"one of {', '.join(OUTPUTS)}")

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        """One outer loop."""
        xp, snapshot = oracle.xp, state.x
        full = oracle.mean(oracle.full(oracle.to_clients(snapshot)))
        chosen = xp.floor(oracle.uniform(1) * oracle.K)[:, :, None] if self.output == "random" else -1.0

        def step(k: Any, carry: tuple[Vector, ...]) -> tuple[Vector, ...]:
            x, total, kept = carry
            y, batch = show_at_clients(oracle, x), oracle.draw()
            v = oracle.mean(oracle.grad(y, batch)) - mean_grad(oracle, snapshot, batch) + full
            return x - self.eta * v, total + x, xp.where(chosen == k, x, kept)

        x, total, kept = oracle.fori(step, (snapshot, 0.0 * snapshot, snapshot))
        return ServerState({"random": kept, "average": total / oracle.K, "last": x}[self.output])


class SnapshotState(NamedTuple):
    """Server iterate, and the point of the last exact gradient."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    snapshot: Vector
    """w (lanes, 1, d)."""
    full: Vector
    """grad f(w) (lanes, 1, d)."""


@dataclass(frozen=True, kw_only=True)
class LooplessSVRG(Method[SnapshotState]):
    """SVRG whose snapshots are taken when a coin says so.

    Problem: minimise f, a finite sum.

    **Update**, a round is one step: ``x+ = x - eta (G(x) - G(w) + grad f(w))`` on one fresh minibatch; then ``w <- x``,
    the point before the step, with probability p.  w starts as x_0.

    **Guarantee**: `field.l-svrg`.

    References: [1] Kovalev, Horvath, Richtarik, arXiv:1901.08689, Algorithm 1.

    Attributes
    ----------
    eta : Hyper
        Step.
    p : Hyper
        Probability of a new snapshot.
    """

    eta: Step
    p: Probability

    card = Card(
        "l-svrg",
        "Loopless SVRG on one machine",
        "field",
        "Algorithm 1 of arXiv:1901.08689",
        rule="cited",
        gradients="2 (1 full with probability p)",
        up="0",
        down="0",
        partial=False,
        needs=("exact gradients", "same sample"),
        server="2 d",
        note="no local steps, so K does not matter",
        distinguishes=("p", "T > 1", "noise"),
    )

    def init(self, oracle: Oracle, x0: Vector) -> SnapshotState:
        """Start at x0 with its exact gradient."""
        return SnapshotState(x0, x0, oracle.mean_all(oracle.full_all(x0)))

    def round(self, oracle: Oracle, state: SnapshotState) -> SnapshotState:
        """One step, then the coin decides about the snapshot."""
        xp, batch = oracle.xp, oracle.draw()
        y = show_at_clients(oracle, state.x)
        change = oracle.mean(oracle.grad(y, batch)) - mean_grad(oracle, state.snapshot, batch)
        anew = oracle.uniform(1, 1) < self.p
        snapshot = xp.where(anew, state.x, state.snapshot)
        full = xp.where(anew, oracle.mean(oracle.full(y)), state.full)
        return SnapshotState(state.x - self.eta * (change + state.full), snapshot, full)


@dataclass(frozen=True, kw_only=True)
class InTurn(Method[ServerState]):
    """SGD that takes every client's samples in turn: random reshuffling, shuffle-once, or incremental gradient.

    Problem: minimise f, where clients average over lists of samples of one length.

    **Update**, K times a round: ``x <- x - eta mean_i g_i(x)``, g_i on the next b samples of client i's list.  A round
    is a pass where K b is the length of the list.

    **Guarantee**: `field.reshuffled` for strongly convex samples, order reshuffled or shuffled.

    References: [1] Mishchenko, Khaled, Richtarik, arXiv:2006.05988, Algorithms 1 and 2.

    Attributes
    ----------
    eta : Hyper
        Step.
    order : {'reshuffled', 'shuffled', 'listed'}
        A fresh random order in every pass, one random order for all passes, or that of the list.
    """

    eta: Step
    order: str = "reshuffled"

    card = Card(
        "reshuffled-sgd",
        "SGD with reshuffling",
        "field",
        "Algorithm 1 of arXiv:2006.05988",
        rule="cited",
        up="0",
        down="0",
        partial=False,
        needs=("samples in turn",),
        distinguishes=("noise",),
    )

    def __post_init__(self) -> None:
        """Check the choice."""
        legal = get_args(Order)
        require(self.order in legal, "reshuffled-sgd: order", self.order, f"one of {', '.join(legal)}")

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        """Take K steps."""

        def step(_: Any, x: Vector) -> Vector:
            batch = oracle.draw_in_turn(order=self.order)  # type: ignore[arg-type]
            return x - self.eta * oracle.mean(oracle.grad(show_at_clients(oracle, x), batch))

        return ServerState(oracle.fori(step, state.x))
