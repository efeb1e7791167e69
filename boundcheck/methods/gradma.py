"""GradMA: steps are projected so that they do not climb, to first order, what a memory holds.

A client projects every local step with three rows, the server its momentum with one row a remembered client.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.methods.base import Card, Factor, Method, Oracle, Step, Vector, Weight
from boundcheck.methods.gradma_updates import check_worker, server_start, server_update, worker_start, worker_update
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

    eta: Step
    gamma: Factor = 1.0
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
        distinguishes=("gamma", "K > 1", "T > 1", "different clients"),
        cost=3.0,
        client="d + 1",
    )

    def __post_init__(self) -> None:
        """Check the two choices that are not numbers."""
        check_worker(self.card.id, self.previous, self.unseen)

    def init(self, oracle: Oracle, x0: Vector) -> Any:
        """Start everyone at x0."""
        return worker_start(oracle, x0)

    def worker(self, oracle: Oracle, state: Any) -> tuple[Vector, Any]:
        """Return the displacements after K projected local steps, and the state with what the clients keep."""
        return worker_update(oracle, state, self.eta, previous=self.previous, unseen=self.unseen)

    def clients_round(self, oracle: Oracle, state: Any) -> Any:
        """Return the state with what the clients keep after their steps."""
        return self.worker(oracle, state)[1]

    def round(self, oracle: Oracle, state: Any) -> Any:
        """K projected local steps on every active client, then the server step."""
        moved, state = self.worker(oracle, state)
        return state._replace(x=state.x - self.gamma * oracle.mean(moved))


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

    eta: Step
    beta: Weight
    beta_mem: Weight
    gamma: Factor = 1.0
    memory: int | None = None

    card = Card(
        "gradma-s",
        "GradMA-S",
        "gradma",
        "Algorithm 8",
        cost=1.4,
        server="d + m d + 2 N",
        distinguishes=("beta", "beta_mem", "gamma", "S < N", "T > 1", "different clients"),
    )

    def init(self, oracle: Oracle, x0: Vector) -> Any:
        """Start at x0 at rest with an empty memory."""
        return server_start(oracle, x0, self.memory, self.card.id)

    def server(self, oracle: Oracle, state: Any, moved: Vector) -> Any:
        """Return the state after the projected server step, given the displacements of the active clients."""
        numbers = {"gamma": self.gamma, "beta": self.beta, "beta_mem": self.beta_mem}
        return server_update(oracle, state, moved, memory=self.memory, **numbers)

    def round(self, oracle: Oracle, state: Any) -> Any:
        """K plain local steps on every active client, then the projected server step."""
        start = oracle.to_clients(state.x)
        return self.server(oracle, state, start - local_sgd(oracle, start, self.eta))


@dataclass(frozen=True, kw_only=True)
class GradMA(GradMAW, GradMAS):
    """Gradient-memory-based accelerated federated learning: GradMA-W's clients with GradMA-S's server.

    Problem: minimise f = mean_i f_i; S of N clients a round.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta v`` with ``v = argmin |v - g_i(y_i)|^2`` subject to
    ``<g_i(y_i^-), v> >= 0``, ``<g_i(x), v> >= 0`` and ``<y_i - x, v> >= 0``, y_i^- as in GradMA-W.  Then with
    ``d_i = x - y_i`` on active clients ``D_i <- beta_mem D_i + d_i`` (a new row is d_i), on the other remembered ones
    ``D_i <- beta_mem D_i``; ``m <- argmin |v - (beta m + mean_i d_i)|^2`` subject to ``<D_i, v> >= 0`` for all rows,
    and ``x <- x - gamma m``.

    **Guarantee**: GradMA appendix Lemma .6, exact local gradients.

    References: [1] Luo, Li, Lan, Gao, arXiv:2302.14307, Algorithms 7 and 8.
    """

    card = Card(
        "gradma",
        "GradMA",
        "gradma",
        "Algorithm 7 on the clients, Algorithm 8 at the server",
        gradients="3K",
        needs=("same sample",),
        note="K samples, each at three points",
        distinguishes=("beta", "beta_mem", "gamma", "S < N", "K > 1", "T > 1", "different clients"),
        cost=3.0,
        client="d + 1",
        server="d + m d + 2 N",
    )

    def init(self, oracle: Oracle, x0: Vector) -> Any:
        """Start everyone at x0 at rest, with an empty memory."""
        return GradMAState(*worker_start(oracle, x0), *GradMAS.init(self, oracle, x0)[1:])

    def round(self, oracle: Oracle, state: Any) -> Any:
        """K projected local steps on every active client, then the projected server step."""
        moved, state = self.worker(oracle, state)
        return self.server(oracle, state, moved)
