"""One-step statements about averages over finite randomness: exact enumeration on random rational states."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.errors import require_count
from boundcheck.proofs.language.claim import Outcome
from boundcheck.proofs.provers.numeric import assignments, call, exceeds, plain, ratio, script, value_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

SEED = 0


class Rationals:
    """Random fractions with small denominators, for states.

    Parameters
    ----------
    seed : int
        Fixes the numbers.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def number(self, low: int = -3, high: int = 3) -> Fraction:
        """Return a fraction in [low, high]."""
        below = self._random.randint(1, 4)
        return Fraction(self._random.randint(low * below, high * below), below)

    def part(self, of: Fraction | int = 1) -> Fraction:
        """Return a fraction in (0, of]."""
        below = self._random.randint(1, 12)
        return Fraction(of) * Fraction(self._random.randint(1, below), below)

    def array(self, *shape: int) -> np.ndarray[Any, Any]:
        """Return an object array of fractions."""
        flat = np.array([self.number() for _ in range(int(np.prod(shape)))], dtype=object)
        return flat.reshape(shape)

    def choose(self, among: Sequence[Any]) -> Any:
        """Return one of the values."""
        return self._random.choice(among)


def signs(*shape: int) -> Iterator[np.ndarray[Any, Any]]:
    """Yield all arrays of signs of a shape: independent noise with mean zero and variance one."""
    for flat in product((-1, 1), repeat=int(np.prod(shape))):
        yield np.array(flat).reshape(shape)


def subsets(N: int, S: int) -> Iterator[list[int]]:
    """Yield all sets of S of N clients, as lists of indices."""
    for chosen in combinations(range(N), S):
        yield list(chosen)


@dataclass(frozen=True)
class Expected:
    """The average of lhs over equally likely outcomes is at most that of rhs, on every state.

    `supported` when it holds on all states tried, by exact arithmetic; `refuted` at the first state where it fails.

    Parameters
    ----------
    state : callable
        Takes a `Rationals` and returns a random state: values by name (fractions, or object arrays of them).
    chance : callable
        Takes the state by keyword and yields equally likely outcomes, as made by `signs`, `subsets` and
        `itertools.product`.
    sides : callable
        Takes an outcome and the state by keyword and returns (lhs, rhs) for that outcome.
    states : int
        How many states to try.
    equal : bool
        Whether the two averages have to be equal.
    """

    state: Callable[[Rationals], dict[str, Any]]
    chance: Callable[..., Any]
    sides: Callable[..., tuple[Any, Any]]
    states: int = 60
    equal: bool = False
    prover = "expectation"

    def __post_init__(self) -> None:
        require_count(self.states, "states")

    def decide(self, timeout: float) -> Outcome:
        """Enumerate every outcome on every state."""
        del timeout  # the number of states bounds the work
        worst = 0.0
        for seed in range(self.states):
            values = self.state(Rationals(SEED + seed))
            lhs, rhs = self.averages(values)
            if exceeds(lhs, rhs) or (self.equal and exceeds(rhs, lhs)):
                return self._refutation(values, lhs, rhs)
            worst = max(worst, ratio(lhs, rhs))
        detail = f"largest lhs/rhs {worst:.6g} on {self.states} random states, every outcome enumerated"
        return Outcome("supported", detail=detail, slack=worst, tries=self.states)

    def averages(self, values: dict[str, Any]) -> tuple[Any, Any]:
        """Return the averages of both sides over all outcomes at one state."""
        pairs = [self.sides(outcome, **values) for outcome in self.chance(**values)]
        lhs, rhs = (sum((value_of(pair[k]) for pair in pairs), Fraction(0)) / len(pairs) for k in (0, 1))
        return lhs, rhs

    def _refutation(self, values: dict[str, Any], lhs: Any, rhs: Any) -> Outcome:
        witness = {name: plain(value) for name, value in values.items()}
        state = "{" + ", ".join(f"'{name}': {name}" for name in values) + "}"
        lines = [
            *assignments(values),
            f"state = {state}",
            f"pairs = [{call(self.sides, 'outcome, **state')} for outcome in {call(self.chance, '**state')}]",
            "lhs, rhs = np.mean([lhs for lhs, _ in pairs]), np.mean([rhs for _, rhs in pairs])",
            f"assert {'not np.isclose(lhs, rhs)' if self.equal else 'lhs > rhs'}, (lhs, rhs)",
        ]
        replay = script(lines, self.sides, self.chance)
        return Outcome("refuted", witness, replay, f"lhs = {float(lhs):.6g}, rhs = {float(rhs):.6g}")
