"""The settings that an implementation is compared at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.conform.runs.harness import StepPlan
from boundcheck.conform.runs.small_problems import far, far_saddle, finite_sums, network, noisy, nonnegative, saddle
from boundcheck.errors import require, require_count
from boundcheck.files.display import Listed
from boundcheck.methods.schedule import CONSTANT, Schedule

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from boundcheck.methods import Card
    from boundcheck.problems.base import Array, Problem

_EQUAL, _MORE = 12, 7
"""Size of a client, and how much larger the next one is where they differ."""


@dataclass(frozen=True)
class BatterySetting:
    """One run of the battery: clients, active clients, local steps, rounds, noise, what the clients are like."""

    N: int
    S: int
    K: int
    T: int = 5
    noise: str = "signs"
    unequal: bool = False
    """Whether the clients have different sizes."""
    steep: bool = False
    """Whether gradients are large: far from the minimum, and clients that differ by much."""
    d: int = 3
    """Dimension, where the problem has one to choose."""
    weighted: bool = False
    """Whether our averages over the active clients weigh them by their sizes, p_i = n_i/n."""
    uneven: bool = False
    """Whether the clients make different numbers of local steps, from 1 to K."""
    spread: bool = False
    """Whether all entries of x_0 differ, so that none are tied."""
    schedule: Schedule = CONSTANT
    """How our hyperparameters change from round to round."""

    def __post_init__(self) -> None:
        """Refuse settings that do not exist."""
        for name in ("N", "S", "K", "T"):
            require_count(getattr(self, name), name)
        require(self.S <= self.N, "S", self.S, f"at most N = {self.N}")

    def __str__(self) -> str:
        words = [f"N = {self.N}, S = {self.S}, K = {self.K}, T = {self.T}", self.noise]
        marks = {"unequal sizes": self.unequal, "large gradients": self.steep, "weights n_i/n": self.weighted}
        marks["K_i from 1 to K"] = self.uneven
        return ", ".join([*words, *(mark for mark, there in marks.items() if there)])

    @property
    def steps(self) -> StepPlan:
        """Return how a method is stepped."""
        return StepPlan(K=self.K, S=self.S, T=self.T, lanes=1, schedule=self.schedule)

    @property
    def sizes(self) -> Array:
        """Return how many data points the clients say that they have, (N,)."""
        return _EQUAL + (_MORE * np.arange(self.N, dtype=float) if self.unequal else np.zeros(self.N))

    @property
    def counts(self) -> NDArray[np.int64]:
        """Return how many local steps each client makes, (N,): K, or evenly spaced from 1 to K."""
        spread = np.arange(self.N) * (self.K - 1) // max(self.N - 1, 1)
        return 1 + spread if self.uneven and self.N > 1 else np.full(self.N, self.K)

    @property
    def uneven_counts(self) -> NDArray[np.int64] | None:
        """Return these numbers where they differ."""
        return self.counts if self.uneven and self.N > 1 and self.K > 1 else None

    def problem(self, card: Card) -> Problem:
        """Return clients that differ by tilts; a saddle for a minimax method, others where a method needs more."""
        if card.kind == "minimax":
            return far_saddle(N=self.N) if self.steep else saddle(N=self.N)
        if "layers" in card.needs:
            return network(N=self.N)
        if "client values" in card.needs:
            return nonnegative(N=self.N, d=self.d, steep=self.steep)
        if {"proximal steps", "samples in turn"} & set(card.needs):
            return finite_sums(N=self.N, d=self.d, steep=self.steep)
        return far(N=self.N, d=self.d) if self.steep else noisy(N=self.N, noise=self.noise, d=self.d)


BATTERY: tuple[BatterySetting, ...] = Listed(
    "settings",
    (
        *(BatterySetting(N, N, K) for N in (1, 2, 5) for K in (1, 3)),
        *(BatterySetting(N, S, K) for N, S in ((2, 1), (5, 2)) for K in (1, 3)),
        *(BatterySetting(5, S, 3, noise="phases") for S in (5, 2)),
        *(BatterySetting(5, S, 3, T=12) for S in (5, 2)),
        *(BatterySetting(5, S, 3, unequal=True) for S in (5, 2)),
        *(BatterySetting(5, S, 3, T=12, steep=True) for S in (5, 2)),
    ),
)
"""Full and partial participation, one step and three, one client and several, noise that does not or does change with
the point, long runs, clients of unequal sizes, large gradients."""

UNEVEN = (
    BatterySetting(2, 2, 3, uneven=True),
    BatterySetting(5, 5, 4, uneven=True),
    BatterySetting(5, 2, 4, T=12, uneven=True),
    BatterySetting(5, 5, 4, uneven=True, unequal=True),
)
"""Runs in which clients make different numbers of local steps, for implementations that take K_i."""

PROBES = (
    BatterySetting(3, 3, 3, d=24),
    BatterySetting(5, 2, 4, d=24),
    BatterySetting(2, 2, 1, d=24),
    BatterySetting(5, 5, 2, T=8, d=24),
    BatterySetting(3, 3, 3, d=24, unequal=True),
    BatterySetting(3, 3, 3, d=24, steep=True),
)
"""Runs in more dimensions than a round has unknown coefficients, from which an implementation that differs is read."""
