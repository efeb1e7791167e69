"""Quantities that belong to a run rather than a problem: the smallest value for which an assumption held along it.

Some theorems assume something about the trajectory: how large a correction is, how correlated the clients' drift is.
What the clients do in a round is replayed from its state with all N of them (such assumptions speak of those that are
not drawn too), unless the round is its own replay: all take part, and nothing is random.  The worst value over rounds
and local steps is kept, a lane each.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.engine.recording import RecordingOracle
from boundcheck.errors import NotApplicableError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from boundcheck.engine.setting import Setting
    from boundcheck.methods.base import Method
    from boundcheck.problems.base import Array, Indices, Problem

_ROUNDING = 1e-24
"""Drift errors whose square is below this share of the squared gradients are rounding."""


@dataclass(frozen=True)
class WatchedRound:
    """One round: the run's own, and its replay with all N clients."""

    problem: Problem
    method: Any
    before: Any
    """State at the start of the round."""
    after: Any
    """State after the run's own round."""
    means: list[Array]
    """What the run's own round averaged over its active clients."""
    points: list[Array]
    """Local iterates of all N clients before every step of the replay, (lanes, N, d)."""
    ends: Any
    """State after the clients' part of the replay."""


@dataclass(frozen=True)
class Quantity:
    """One quantity: its value in a round is the least that makes an assumption true there."""

    name: str
    meaning: str
    measure: Callable[[WatchedRound], Array]
    """Returns (lanes,)."""
    ceiling: Callable[[int], float] | None = None
    """A value that always serves, given N; None if there is none."""
    of_clients: bool = True
    """Whether it looks at the replay; else the run's own round says all."""


def _correlation(r: WatchedRound) -> Array:
    worst = np.zeros(len(r.points[0]))
    for y in r.points:
        g = r.problem.exact_gradient(y)
        errors = g - r.problem.exact_gradient(np.broadcast_to(y.mean(axis=1, keepdims=True), y.shape))
        apart = (errors**2).sum(axis=(1, 2))
        together = (errors.sum(axis=1) ** 2).sum(axis=1)
        real = apart > _ROUNDING * (g**2).sum(axis=(1, 2))
        worst = np.maximum(worst, np.where(real, together / np.where(real, apart, 1.0), 0.0))
    return worst


def _worker_correction(r: WatchedRound) -> Array:
    if not hasattr(r.ends, "own"):
        msg = f"quantity worker_correction needs a method that keeps local models; {r.method.card.id} does not"
        raise NotApplicableError(msg)
    path, worst = [*r.points, r.ends.own], np.zeros(len(r.points[0]))
    for y, after in itertools.pairwise(path):
        correction = (y - after) / r.method.eta - r.problem.exact_gradient(y)
        worst = np.maximum(worst, np.sqrt((correction**2).sum(axis=2)).max(axis=1))
    return worst


def _server_correction(r: WatchedRound) -> Array:
    if not hasattr(r.method, "beta_mem"):
        msg = f"quantity server_correction needs a server with a memory; {r.method.card.id} has none"
        raise NotApplicableError(msg)
    raw = r.method.beta * r.before.m + r.means[-1]
    correction = (r.after.m - raw) * np.sqrt(1.0 - r.method.beta_mem)
    lengths: Array = np.sqrt((correction**2).sum(axis=(1, 2)))
    return lengths


QUANTITIES: dict[str, Quantity] = {
    quantity.name: quantity
    for quantity in (
        Quantity(
            "drift_correlation",
            "largest |sum_i e_i|^2 / sum_i |e_i|^2 over rounds and local steps of all N clients, "
            "e_i = grad f_i(y_i) - grad f_i(mean of y)",
            _correlation,
            ceiling=float,
        ),
        Quantity(
            "worker_correction",
            "largest |step_i / eta - grad f_i(y_i)| over rounds, local steps and all N clients",
            _worker_correction,
        ),
        Quantity(
            "server_correction",
            "largest sqrt(1 - beta_mem) |m - (beta m_old + mean displacement)| over rounds",
            _server_correction,
            of_clients=False,
        ),
    )
}
"""Every quantity by name."""


def quantity_named(name: str) -> Quantity:
    """Return a quantity.

    Raises
    ------
    UnknownNameError
        If there is none of that name.
    """
    if name not in QUANTITIES:
        raise UnknownNameError("quantity", name, QUANTITIES)
    return QUANTITIES[name]


class Watch:
    """Keeps the worst value of every quantity for a block of lanes."""

    def __init__(
        self,
        names: Sequence[str],
        problem: Problem,
        setting: Setting,
        seed: int,
        keys: list[tuple[int, ...]],
        weight_decay: float,
    ) -> None:
        self._quantities = [quantity_named(name) for name in names]
        self.worst = {name: np.zeros(len(keys)) for name in names}
        self._of_clients = any(quantity.of_clients for quantity in self._quantities)
        self._certain = setting.S == setting.N and not (problem.is_noisy or problem.online)
        # Streams of their own: the run's numbers do not depend on whether it is watched.
        apart = [(*key, 1) for key in keys]
        self._replay = RecordingOracle(
            problem,
            replace(setting, S=setting.N),
            seed=seed,
            keys=apart,
            observers=[],
            kinds=("points",),
            weight_decay=weight_decay,
        )

    def round(self, method: Method, oracle: RecordingOracle, before: Any, after: Any, alive: Indices) -> None:
        """Replay a round of the run with all clients, and measure it."""
        points, ends = self._replay_round(method, oracle, before, after)
        seen = WatchedRound(self._replay.problem, method, before, after, oracle.record.means, points, ends)
        for quantity in self._quantities:
            worst = self.worst[quantity.name]
            value = quantity.measure(seen)
            worst[alive] = np.maximum(worst[alive], np.where(np.isnan(value), np.inf, value))

    def _replay_round(
        self, method: Method, oracle: RecordingOracle, before: Any, after: Any
    ) -> tuple[list[Array], Any]:
        """Return the local iterates of all clients and the state after them."""
        if not self._of_clients or (self._certain and not oracle.has_tossed):
            return oracle.record.points, after
        self._replay.begin_round(before.x)
        ends = method.clients_round(self._replay, before)
        return self._replay.record.points, ends

    def keep(self, lanes: Array) -> None:
        """Go on with the lanes where the mask is true."""
        self._replay.keep(lanes)
