"""The settings that an implementation is compared at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boundcheck.conform.harness import Steps
from boundcheck.conform.small_problems import network, noisy, saddle
from boundcheck.errors import require, require_count

if TYPE_CHECKING:
    from boundcheck.methods import Card
    from boundcheck.problems.base import Problem


@dataclass(frozen=True)
class BatterySetting:
    """One run of the battery: clients, active clients, local steps, rounds and noise."""

    N: int
    S: int
    K: int
    T: int = 5
    noise: str = "signs"

    def __post_init__(self) -> None:
        """Refuse settings that do not exist."""
        for name in ("N", "S", "K", "T"):
            require_count(getattr(self, name), name)
        require(self.S <= self.N, "S", self.S, f"at most N = {self.N}")

    def __str__(self) -> str:
        return f"N = {self.N}, S = {self.S}, K = {self.K}, T = {self.T}, {self.noise}"

    @property
    def steps(self) -> Steps:
        """Return how a method is stepped."""
        return Steps(K=self.K, S=self.S, T=self.T, lanes=1)

    def problem(self, card: Card) -> Problem:
        """Return clients that differ by tilts; a saddle for a minimax method, a network for one that looks into it."""
        if card.kind == "minimax":
            return saddle(N=self.N)
        if "layers" in card.needs:
            return network(N=self.N)
        return noisy(N=self.N, noise=self.noise)


BATTERY = (
    *(BatterySetting(N, N, K) for N in (1, 2, 5) for K in (1, 3)),
    *(BatterySetting(N, S, K) for N, S in ((2, 1), (5, 2)) for K in (1, 3)),
    BatterySetting(5, 5, 3, noise="phases"),
    BatterySetting(5, 2, 3, noise="phases"),
)
"""Full and partial participation, one step and three, one client and several, noise that does not or does change."""
