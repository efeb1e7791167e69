"""MIFA and MIFAM: the server averages the last displacement of every client, fresh or stale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from boundcheck.errors import require
from boundcheck.methods.base import Card, Factor, Method, Oracle, Step, Vector, Weight
from boundcheck.methods.local import local_sgd, mean_refreshed


class DisplacementState(NamedTuple):
    """Server iterate, last displacements and their mean."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    G: Vector
    """Last displacement x - y_i of every client (lanes, N, d)."""
    d: Vector
    """Mean of the displacements over all N clients (lanes, 1, d)."""
    m: Vector
    """Direction of the last server step (lanes, 1, d)."""


class Displacements(Method):
    """What MIFA and MIFAM share: a memory that is empty or filled by all clients before the first round.

    Attributes
    ----------
    eta : Hyper
        Local step.
    start : {'zero', 'full'}
        G_i = 0, so that the first steps are short, or a pass of K steps from x0 over all clients.
    B : int
        Minibatch of that pass.
    """

    eta: Step
    start: str
    B: int

    def __post_init__(self) -> None:
        """Check the one choice that is not a number."""
        require(self.start in {"zero", "full"}, f"{self.card.id}: start", self.start, "zero or full")

    def init(self, oracle: Oracle, x0: Vector) -> DisplacementState:
        """Start at x0; with start='full' all clients make K steps on B samples each."""
        at = oracle.to_all(x0)
        if self.start == "zero":
            return DisplacementState(x0, 0.0 * at, 0.0 * x0, 0.0 * x0)
        G = at - oracle.fori(lambda _, y: y - self.eta * oracle.initial(y, self.B), at)
        return DisplacementState(x0, G, oracle.mean_all(G), 0.0 * x0)

    def refresh(self, oracle: Oracle, state: DisplacementState) -> tuple[Vector, Vector]:
        """Return the displacements after this round's local steps, and their mean over all N clients."""
        start = oracle.to_clients(state.x)
        fresh = start - local_sgd(oracle, start, self.eta)
        mean = mean_refreshed(oracle, state.d, fresh - oracle.active(state.G))
        return oracle.remember(state.G, fresh), mean


@dataclass(frozen=True, kw_only=True)
class MIFA(Displacements):
    """Memory-augmented impatient federated averaging.

    Problem: minimise f = mean_i f_i; S of N clients a round.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta g_i(y_i)``; ``G_i <- x - y_i`` on the active clients, the
    others keep theirs; ``x <- x - gamma mean_N G_i`` over all N clients.

    **Guarantee**: none in the papers under audit.  With S = N it is FedAvg.  Displacements and sums of gradients are
    the same memory here, because eta does not change along a run.

    References: [1] Gu, Huang, Zhang, Huang, arXiv:2106.04159 (start='full').
    [2] Luo, Li, Lan, Gao, arXiv:2302.14307, Algorithm 6 with beta_1 = 0 (start='zero').

    Attributes
    ----------
    gamma : Hyper
        Server step on the mean displacement.
    """

    eta: Step
    gamma: Factor = 1.0
    start: str = "zero"
    B: int = 1

    card = Card(
        "mifa",
        "MIFA",
        "gradma",
        "Algorithm 6 with beta_1 = 0",
        note="what goes up is the change of G_i",
        distinguishes=("gamma", "S < N", "T > 1", "different clients"),
        mixes=True,
        cost=1.1,
        client="d",
        server="d",
    )

    def round(self, oracle: Oracle, state: DisplacementState) -> DisplacementState:
        """Refresh the memory of the active clients, then step along its mean."""
        G, d = self.refresh(oracle, state)
        return DisplacementState(state.x - self.gamma * d, G, d, d)


@dataclass(frozen=True, kw_only=True)
class MIFAM(Displacements):
    """MIFA with momentum on the server.

    Problem: minimise f = mean_i f_i; S of N clients a round.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta g_i(y_i)``; ``G_i <- x - y_i`` on the active clients, the
    others keep theirs; ``m <- beta m + mean_N G_i`` over all N clients (not damped) and ``x <- x - gamma m``.

    **Guarantee**: none in the papers under audit.  With beta = 0 it is MIFA.

    References: [1] Luo, Li, Lan, Gao, arXiv:2302.14307, Algorithm 6.

    Attributes
    ----------
    beta : Hyper
        Weight of the old direction (printed beta_1).
    gamma : Hyper
        Server step.
    """

    eta: Step
    beta: Weight
    gamma: Factor = 1.0
    start: str = "zero"
    B: int = 1

    card = Card(
        "mifam",
        "MIFAM",
        "gradma",
        "Algorithm 6",
        cost=1.2,
        client="d",
        server="2 d",
        distinguishes=("beta", "gamma", "S < N", "T > 1", "different clients"),
        mixes=True,
    )

    def round(self, oracle: Oracle, state: DisplacementState) -> DisplacementState:
        """Refresh the memory of the active clients, then step with momentum."""
        G, d = self.refresh(oracle, state)
        m = self.beta * state.m + d
        return DisplacementState(state.x - self.gamma * m, G, d, m)
