"""Whether a method with a mistake has the iterates of an implementation: decided by running it on the same samples."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.conform.faults.wrong import WrongMethod
from boundcheck.conform.mistakes import with_mistake

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from boundcheck.conform.faults.wrong import Mistake
    from boundcheck.conform.runs.harness import Make
    from boundcheck.conform.runs.replay import RecordedRun
    from boundcheck.methods import Method
    from boundcheck.problems.base import Array

_NUDGE = 1e-10
"""Relative error of the gradients that shows how a run that blows up magnifies rounding errors."""

_MAGNIFIED = 1e-3
"""Relative difference in a few rounds of the battery above which no rounding error can be the reason."""
UNFIT = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What two mistakes raise that do not go together, or a method that does not suit the problem."""


@dataclass(frozen=True)
class Explainer:
    """Our runs with an implementation's iterates."""

    made: Method
    pairs: Sequence[tuple[RecordedRun, Array]]
    tolerance: float
    beside: Mistake | None = None
    """A mistake that is made besides whatever is tried."""

    def with_beside(self, method: Method) -> Method:
        """Return a method with the mistake that is made besides."""
        return method if self.beside is None else WrongMethod(method, self.beside)

    def unchanged_path(self, run: RecordedRun) -> Array:
        """Return the iterates with nothing but the mistake that is made besides."""
        return run.path if self.beside is None else run.path_of(self.with_beside(self.made))

    def rounds_that_agree(self, run: RecordedRun, path: Array) -> int:
        """Return how many rounds of a run have our iterates before the first one that differs."""
        apart = ~(np.abs(path - self.unchanged_path(run)).max(axis=1) <= self.tolerance * np.abs(run.path).max())
        return int(np.flatnonzero(apart)[0]) - 1 if apart.any() else run.setting.T

    @cached_property
    def telling(self) -> tuple[RecordedRun, Array, int]:
        """Return a run that tells most mistakes apart, to look at first, and how many of its rounds do.

        One that differs from ours, early: most mistakes are others than the one sought, or have no effect yet.
        """

        def parts(pair: tuple[RecordedRun, Array]) -> int:
            return self.rounds_that_agree(*pair) + 1

        def rank(pair: tuple[RecordedRun, Array]) -> tuple[float, ...]:
            s = pair[0].setting
            return (-parts(pair), s.K > 1, s.S > 1, s.S < s.N, not s.steep, -s.T)

        run, path = max(self.pairs, key=rank)
        return run, path, max(1, min(parts((run, path)), run.setting.T))

    @cached_property
    def smallest(self) -> tuple[RecordedRun, Array]:
        """Return the run of fewest clients and steps that differs from ours."""

        def size(pair: tuple[RecordedRun, Array]) -> tuple[float, ...]:
            s = pair[0].setting
            return (s.steep, s.N, s.K, s.S, s.T)

        differing = [(run, path) for run, path in self.pairs if not same(run.path, path, self.tolerance)]
        return min(differing or self.pairs, key=size)

    def matching(self, mistakes: Iterable[Mistake], since: int = 0) -> list[Mistake]:
        """Return the mistakes that have the implementation's iterates, made from a round on."""
        return [one for one in mistakes if self.explains(one, since)]

    def explains(self, mistake: Mistake, since: int = 0) -> bool:
        """Return whether a mistake has these iterates."""
        return any(self.has_iterates(wrong) for wrong in with_mistake(self.made, mistake, since))

    def has_iterates(self, wrong: Make) -> bool:
        """Return whether a method has these iterates; a few runs that blow up agree as rounding errors let them."""
        return self.has_iterates_by(lambda run: wrong(run.setting.K))

    def has_iterates_of(self, method: Method) -> bool:
        """Return the same of one method for all runs."""
        return self.has_iterates_by(lambda run: method)

    def has_iterates_by(self, method_of: Callable[[RecordedRun], Method]) -> bool:
        """Return the same of a method of every run."""
        run, path, rounds = self.telling
        try:
            return self._begins(method_of, run, path, rounds) and self._runs(method_of)
        except UNFIT:
            return False

    def _begins(self, method_of: Callable[[RecordedRun], Method], run: RecordedRun, path: Array, rounds: int) -> bool:
        """Whether the first rounds agree: most mistakes are others than this one, and part there."""
        wrong = method_of(run)
        begun = run.path_of(wrong, rounds=rounds)
        if same(path[: rounds + 1], begun, self.tolerance):
            return True
        if is_far(path[: rounds + 1], begun):
            return False
        nudged = run.path_of(wrong, nudge=_NUDGE, rounds=rounds)
        return is_magnified(path[: rounds + 1], begun, nudged, self.tolerance)

    def _runs(self, method_of: Callable[[RecordedRun], Method]) -> bool:
        blown = 0
        for run, path in self.pairs:
            wrong = method_of(run)
            ours = run.path_of(wrong)
            if same(path, ours, self.tolerance):
                continue
            blown += 1
            if 3 * blown > len(self.pairs):
                return False
            nudged = run.path_of(wrong, nudge=_NUDGE)
            first_round = is_magnified(path[:2], ours[:2], nudged[:2], self.tolerance)
            if not first_round or not is_magnified(path, ours, nudged, self.tolerance):
                return False
        return True


def is_far(path: Array, begun: Array) -> bool:
    """Whether the first rounds differ by more than rounding errors can be magnified to in them."""
    finite = np.isfinite(path).all(axis=1) & np.isfinite(begun).all(axis=1)
    return bool(np.abs(path - begun)[finite].max() > _MAGNIFIED * np.abs(path[finite]).max())


def is_magnified(found: Array, ours: Array, nudged: Array, tolerance: float) -> bool:
    """Whether iterates are those of a mistake as far as it magnifies rounding errors, which its nudged run shows."""
    spread = np.maximum.accumulate(np.abs(nudged - ours).max(axis=1))
    return same(found, ours, tolerance, 10.0 * spread)


def same(found: Array, other: Array, tolerance: float, spread: Array | float = 0.0) -> bool:
    """Whether two runs agree as long as they are finite, and stop being so together; `spread` is allowed besides."""
    finite = np.asarray(np.isfinite(found).all(axis=1))
    if not finite[0] or (finite != np.isfinite(other).all(axis=1)).any():
        return False
    scale = np.maximum.accumulate(np.abs(found[finite]).max(axis=1))
    allowed = tolerance * scale + np.broadcast_to(spread, finite.shape)[finite]
    return bool((np.abs(found - other)[finite].max(axis=1) <= allowed).all())
