"""The setting of a run: how many clients, local steps and rounds, and how large a minibatch."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boundcheck.errors import require, require_count

if TYPE_CHECKING:
    from boundcheck.problems.base import Problem


@dataclass(frozen=True, kw_only=True)
class Setting:
    """N clients of which S take part in a round, K local steps a round, T rounds, minibatches of b samples.

    Raises
    ------
    InputError
        If one of them is not an integer >= 1, or S > N.
    """

    N: int
    S: int
    K: int
    T: int
    b: int = 1

    def __post_init__(self) -> None:
        """Refuse settings that do not exist."""
        for name in ("K", "T", "b", "S"):
            require_count(getattr(self, name), name)
        require(self.S <= self.N, "S", self.S, f"at most N = {self.N}")

    @classmethod
    def of(cls, problem: Problem, *, K: int, T: int, S: int | None = None, b: int = 1) -> Setting:
        """Return the setting with the clients of a problem; all take part unless S is given."""
        return cls(N=problem.N, S=problem.N if S is None else S, K=K, T=T, b=b)

    def at(self, T: int) -> Setting:
        """Return the same setting with another horizon."""
        return dataclasses.replace(self, T=T)

    def key(self, replicate: int) -> tuple[int, ...]:
        """Return what decides a lane's random numbers, with the seed: the setting and the replicate."""
        return (self.N, self.S, self.K, self.T, self.b, replicate)

    @property
    def letters(self) -> dict[str, int]:
        """Return the letters by name, as bounds read them."""
        return {"N": self.N, "S": self.S, "K": self.K, "T": self.T, "b": self.b}
