"""FedGLOMO and FedLOMO: recursive gradients in the local steps, STORM momentum over quantised messages at the server.

The local steps restart from an exact gradient every round, and every minibatch is evaluated at consecutive points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.errors import require
from boundcheck.methods.base import Card, Oracle, Step, Traffic, Vector, Weight
from boundcheck.methods.estimators import Vectors, recursive_paths, starting_gradients
from boundcheck.methods.paq import FedPAQ
from boundcheck.methods.quantise import Quantised


class GlomoState(NamedTuple):
    """Two server iterates, the step between them and the round."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    previous: Vector
    """Server iterate before (lanes, 1, d)."""
    u: Vector
    """Server step of the previous round, the local step size included (lanes, 1, d)."""
    t: int
    """Rounds done."""


@dataclass(frozen=True, kw_only=True)
class FedGLOMO(Quantised):
    """Federated learning with global and local momentum.

    Problem: minimise f = mean_i f_i, f_i >= 0, every sample gradient Lipschitz; S of N clients a round.

    **Update**: two trajectories on the same minibatches, y_i from x and z_i from x_prev: v starts as the exact
    gradient, ``y_i <- y_i - eta v``, then ``v <- g_i(y_i) + damping (v - g_i(y_i_old))`` with a fresh minibatch; z_i
    alike.  With D_i = x - y_i and H_i = x_prev - z_i:
    ``u <- beta mean_i Q(D_i) + (1-beta) (u + mean_i Q(D_i - H_i))``, ``x_prev <- x``, ``x <- x - u``.  The first
    round takes u = mean_i D_i over all N clients with exact gradients and no quantiser, as the proof needs.

    **Guarantee**: FedGLOMO Theorem 1 (message = two or one, damping = 1, batch = 0).

    References: [1] Das et al., arXiv:2012.04061, Algorithms 1 and 2; one message: Appendix B; naive: Remark 3.

    Attributes
    ----------
    eta, beta : Hyper
        Local step; weight of the fresh displacement (1 is FedLOMO).
    damping : Hyper
        Weight of the local correction; the paper's experiments take 0.8, outside the theorem.
    quantiser : str
        Q by name: 'none', 'qsgd-<levels>[-elias]' or 'dropout-<probability>'.
    message : {'two', 'one', 'naive'}
        Q(D) and Q(D - H); one vector Q(D - (1-beta) H), the same thing when Q is exact; or Q(D) and Q(H), the
        compression that the paper rejects, for negative controls.
    batch : int
        Samples of the gradient that starts a round; 0 is exact.
    exact_start : bool
        The exact first round; False is the pseudocode as printed, with u = mean_i Q(D_i) over S clients.
    quantised_start : bool
        Quantise the messages of the exact first round: Theorem 1 as it is stated, against what its proof needs.
    """

    eta: Step
    beta: Weight
    damping: Weight = 1.0
    message: str = "two"
    batch: int = 0
    exact_start: bool = True
    quantised_start: bool = False

    card = Card(
        "fedglomo",
        "FedGLOMO",
        "fedglomo",
        "Algorithms 1 and 2",
        gradients="4(K-1) + 2 full",
        up="2 compressed (1 with message=one)",
        down="2",
        needs=("exact gradients", "same sample"),
        distinguishes=("beta", "damping", "quantiser", "K > 1", "T > 1", "noise"),
        cost=1.0,
        server="2 d",
    )

    def __post_init__(self) -> None:
        """Check the choices that are not numbers."""
        require(self.message in {"two", "one", "naive"}, "fedglomo: message", self.message, "two, one or naive")
        super().__post_init__()

    def init(self, oracle: Oracle, x0: Vector) -> GlomoState:
        """Start at x0 without a step."""
        return GlomoState(x0, x0, 0.0 * x0, 0)

    def round(self, oracle: Oracle, state: GlomoState) -> GlomoState:
        """Both local trajectories, the messages and the server step."""
        x, previous, u, t = state
        u = self.first(oracle, x) if t == 0 else self.later(oracle, x, previous, u)
        return GlomoState(x - u, x, u, t + 1)

    def first(self, oracle: Oracle, x: Vector) -> Vector:
        """Return the step of the first round."""
        if not self.exact_start:
            start = oracle.to_clients(x)
            (y,) = self.ends(oracle, (start,))
            return oracle.mean(self.Q(oracle, start - y))
        start = oracle.to_all(x)

        def step(_: Any, y: Vector) -> Vector:
            oracle.observe(y)
            return y - self.eta * oracle.full_all(y)

        y = oracle.fori(step, start)
        return oracle.mean_all(self.Q(oracle, start - y)) if self.quantised_start else x - oracle.mean_all(y)

    def later(self, oracle: Oracle, x: Vector, previous: Vector, u: Vector) -> Vector:
        """Return the step of any later round, from the step before it."""
        old = 1.0 - self.beta
        starts = oracle.to_clients(x), oracle.to_clients(previous)
        y, z = self.ends(oracle, starts)
        D, H = starts[0] - y, starts[1] - z
        if self.message == "one":
            return old * u + oracle.mean(self.Q(oracle, D - old * H))
        if self.message == "naive":
            return oracle.mean(self.Q(oracle, D)) + old * (u - oracle.mean(self.Q(oracle, H)))
        return self.beta * oracle.mean(self.Q(oracle, D)) + old * (u + oracle.mean(self.Q(oracle, D - H)))

    def ends(self, oracle: Oracle, starts: Vectors) -> Vectors:
        """Return the ends of the trajectories from `starts` on common minibatches."""
        v = starting_gradients(oracle, starts, self.batch)
        return recursive_paths(oracle, starts, v, self.eta, self.damping)

    def traffic(self, d: int) -> Traffic:
        """Return that all clients send a float vector in the exact first round, or a quantised one."""
        traffic = super().traffic(d)
        return traffic._replace(apart=traffic.bits) if self.quantised_start else traffic


@dataclass(frozen=True, kw_only=True)
class FedLOMO(FedPAQ):
    """Federated learning with local momentum only.

    Problem: minimise f = mean_i f_i, f_i >= 0, every sample gradient Lipschitz; S of N clients a round.

    **Update**: v starts as the exact gradient at y_i = x, ``y_i <- y_i - eta v``, then
    ``v <- g_i(y_i) + v - g_i(y_i_old)`` with a fresh minibatch; ``x <- x + mean_i Q(y_i - x)``.

    **Guarantee**: FedGLOMO Theorem 2.

    References: [1] Das et al., arXiv:2012.04061, Algorithms 4 and 5.
    """

    card = Card(
        "fedlomo",
        "FedLOMO",
        "fedglomo",
        "Algorithms 4 and 5",
        gradients="2(K-1) + 1 full",
        up="1 compressed",
        needs=("exact gradients", "same sample"),
        distinguishes=("quantiser", "K > 1", "noise"),
        mixes=True,
        cost=1.0,
    )

    def local(self, oracle: Oracle, state: Any, start: Vector) -> Vector:
        """K recursive local steps from the exact gradient."""
        return recursive_paths(oracle, (start,), (oracle.full(start),), self.eta)[0]
