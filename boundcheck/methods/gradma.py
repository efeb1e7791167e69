"""GradMA: steps are projected so that they do not climb, to first order, what a memory holds.

A client projects every local step with three rows, the server its momentum with one row a remembered client.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from boundcheck.methods.base import Card, Hyper, Method, Oracle, Vector
from boundcheck.methods.gradma_updates import (
    ServerMemoryState,
    WorkerState,
    check_worker,
    server_start,
    server_update,
    worker_start,
    worker_update,
)
from boundcheck.methods.local import local_sgd


class GradMAState(NamedTuple):
    """Everything that the clients and the server keep, as in `WorkerState` and `ServerMemoryState`."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    own: Vector
    """Last local model of every client (lanes, N, d)."""
    seen: Vector
    """1 for a client that has taken part, else 0 (lanes, N, 1)."""
    m: Vector
    """Projected momentum (lanes, 1, d)."""
    D: Vector
    """Memory row of every client, zero if there is none (lanes, N, d)."""
    uses: Vector
    """Rounds a client took part since its row was made, 0 without a row (lanes, N, 1)."""
    entered: Vector
    """Round in which the row was made (lanes, N, 1)."""
    t: int
    """Rounds so far."""


@dataclass(frozen=True, kw_only=True)
class GradMAW(Method):
    """GradMA on the worker side: every local gradient is projected.

    Problem: minimise f = mean_i f_i; S of N clients a round.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta v`` with ``v = argmin |v - g_i(y_i)|^2`` subject to
    ``<g_i(y_i^-), v> >= 0``, ``<g_i(x), v> >= 0`` and ``<y_i - x, v> >= 0``; y_i^- is the previous point, at the first
    step the client's last local model.  Then ``x <- x - gamma mean_i (x - y_i)``.

    **Guarantee**: GradMA appendix Lemma .6 with beta_1 = eps_g = 0 and exact local gradients.

    References: [1] Luo, Li, Lan, Gao, arXiv:2302.14307, Algorithm 7.

    Attributes
    ----------
    eta, gamma : Hyper
        Local step, server step on the mean displacement.
    previous : {'stored', 'current'}
        y_i^- at the first step: the client's last local model as the appendix says, or x (no projection there).
    unseen : {'start', 'current'}
        The last local model of a client that has not taken part yet: x0, or x.
    """

    eta: Hyper
    gamma: Hyper = 1.0
    previous: str = "stored"
    unseen: str = "start"

    card = Card(
        "gradma-w",
        "GradMA-W",
        "gradma",
        "Algorithm 7",
        gradients="3K",
        needs=("same sample",),
        note="K samples, each at three points; where two points agree the gradient is counted all the same",
        cost=9.8,
    )

    def __post_init__(self) -> None:
        """Check the two choices that are not numbers."""
        check_worker("gradma-w", self.previous, self.unseen)

    def init(self, oracle: Oracle, x0: Vector) -> WorkerState:
        """Start everyone at x0."""
        return worker_start(oracle, x0)

    def round(self, oracle: Oracle, state: WorkerState) -> WorkerState:
        """K projected local steps on every active client, then the server step."""
        moved, own, seen = worker_update(oracle, state, self.eta, previous=self.previous, unseen=self.unseen)
        return WorkerState(state.x - self.gamma * oracle.mean(moved), own, seen)


@dataclass(frozen=True, kw_only=True)
class GradMAS(Method):
    """GradMA on the server side: the momentum is projected by remembered displacements.

    Problem: minimise f = mean_i f_i; S of N clients a round.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta g_i(y_i)``, then ``d_i = x - y_i``; on active clients
    ``D_i <- beta_mem D_i + d_i`` (a new row is d_i), on the other remembered ones ``D_i <- beta_mem D_i``; then
    ``m <- argmin |v - (beta m + mean_i d_i)|^2`` subject to ``<D_i, v> >= 0`` for all rows, and ``x <- x - gamma m``.

    **Guarantee**: GradMA appendix Lemma .6 with eps_l = 0 and exact local gradients.

    References: [1] Luo, Li, Lan, Gao, arXiv:2302.14307, Algorithm 8.

    Attributes
    ----------
    eta, gamma : Hyper
        Local step, server step.
    beta : Hyper
        Weight of the old momentum (printed beta_1).
    beta_mem : Hyper
        Weight of an old memory row (printed beta_2); at 0 the rows of clients that did not take part vanish.
    memory : int, optional
        Rows kept, at least S; all N by default.  The least often used row goes first.
    """

    eta: Hyper
    beta: Hyper
    beta_mem: Hyper
    gamma: Hyper = 1.0
    memory: int | None = None

    card = Card("gradma-s", "GradMA-S", "gradma", "Algorithm 8", cost=2.3)

    def init(self, oracle: Oracle, x0: Vector) -> ServerMemoryState:
        """Start at x0 at rest with an empty memory."""
        return server_start(oracle, x0, self.memory, "gradma-s")

    def round(self, oracle: Oracle, state: ServerMemoryState) -> ServerMemoryState:
        """K plain local steps on every active client, then the projected server step."""
        start = oracle.to_clients(state.x)
        moved = start - local_sgd(oracle, start, self.eta)
        numbers = {"gamma": self.gamma, "beta": self.beta, "beta_mem": self.beta_mem}
        return server_update(oracle, state, moved, memory=self.memory, **numbers)


@dataclass(frozen=True, kw_only=True)
class GradMA(Method):
    """Gradient-memory-based accelerated federated learning: GradMA-W's clients with GradMA-S's server.

    Problem: minimise f = mean_i f_i; S of N clients a round.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta v`` with ``v = argmin |v - g_i(y_i)|^2`` subject to
    ``<g_i(y_i^-), v> >= 0``, ``<g_i(x), v> >= 0`` and ``<y_i - x, v> >= 0``, y_i^- as in GradMA-W.  Then with
    ``d_i = x - y_i`` on active clients ``D_i <- beta_mem D_i + d_i`` (a new row is d_i), on the other remembered ones
    ``D_i <- beta_mem D_i``; ``m <- argmin |v - (beta m + mean_i d_i)|^2`` subject to ``<D_i, v> >= 0`` for all rows,
    and ``x <- x - gamma m``.

    **Guarantee**: GradMA appendix Lemma .6, exact local gradients.

    References: [1] Luo, Li, Lan, Gao, arXiv:2302.14307, Algorithms 7 and 8.

    Attributes
    ----------
    eta, gamma : Hyper
        Local step, server step.
    beta, beta_mem : Hyper
        Weight of the old momentum and of an old memory row (printed beta_1, beta_2).
    memory : int, optional
        Rows kept at the server, at least S; all N by default.
    previous : {'stored', 'current'}
        Previous point at the first local step: the client's last local model, or x.
    unseen : {'start', 'current'}
        The last local model of a client that has not taken part yet: x0, or x.
    """

    eta: Hyper
    beta: Hyper
    beta_mem: Hyper
    gamma: Hyper = 1.0
    memory: int | None = None
    previous: str = "stored"
    unseen: str = "start"

    card = Card(
        "gradma",
        "GradMA",
        "gradma",
        "Algorithm 7 on the clients, Algorithm 8 at the server",
        gradients="3K",
        needs=("same sample",),
        note="K samples, each at three points",
        cost=10.0,
    )

    def __post_init__(self) -> None:
        """Check the two choices that are not numbers."""
        check_worker("gradma", self.previous, self.unseen)

    def init(self, oracle: Oracle, x0: Vector) -> GradMAState:
        """Start everyone at x0 at rest, with an empty memory."""
        return GradMAState(*worker_start(oracle, x0), *server_start(oracle, x0, self.memory, "gradma")[1:])

    def round(self, oracle: Oracle, state: GradMAState) -> GradMAState:
        """K projected local steps on every active client, then the projected server step."""
        x, own, seen, *server = state
        worker = WorkerState(x, own, seen)
        moved, own, seen = worker_update(oracle, worker, self.eta, previous=self.previous, unseen=self.unseen)
        numbers = {"gamma": self.gamma, "beta": self.beta, "beta_mem": self.beta_mem}
        after = server_update(oracle, ServerMemoryState(x, *server), moved, memory=self.memory, **numbers)
        return GradMAState(after.x, own, seen, *after[1:])
