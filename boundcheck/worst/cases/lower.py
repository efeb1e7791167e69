"""The lower side: functions to try, those that cost no further programme first.

An even number of clients takes the functions of two in equal shares: their floor is known, and one programme does for
every such number.  A function misses a gradient by the root of what interpolation is violated by, 1e-10 in values being
1e-5: a solution with a margin is better there, and tilts of one function bear points that nearly coincide, as those of
short steps.
"""

from __future__ import annotations

import dataclasses
from functools import cached_property
from typing import TYPE_CHECKING

from boundcheck.errors import NotApplicableError
from boundcheck.worst.cases.case import EXACT
from boundcheck.worst.sides.instance import pieces_of, run_and_scale, tilted_pieces_of
from boundcheck.worst.sides.neighbours import NeighbourConstraints
from boundcheck.worst.sides.posed import objective
from boundcheck.worst.sides.programme import SOLVED, UNBOUNDED
from boundcheck.worst.sides.shared import SharedFunctionConstraints
from boundcheck.worst.sides.unbounded import from_the_minimum
from boundcheck.worst.sides.whole import ClassConstraints

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.problems.extremal.data import Pieces
    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.gram.rows import Array
    from boundcheck.worst.sides.instance import AttainedValue
    from boundcheck.worst.sides.posed import SolvedProgramme
    from boundcheck.worst.sides.programme import Programme, Solution

_UNBOUNDED = "the solver says that no worst case is finite; no function was found that proves it"
_CLOSE = 1e-8
"""Relative gap below which no better function is looked for."""
_SEEN = 1e-7
"""The same where the two values of the solver differ by more, so that nobody sees which of two functions is better."""
LONGEST = 48
"""Points of a run beyond which the infimum of a function through them takes minutes."""
SHORT = 24
"""Points of a run up to which further programmes are solved."""
_MARGINS = (0.0, 1e-9, 1e-8)
"""Margins of interpolation, in units of Delta; the last where the sides are not equal by then."""


def lower_side(posed: SolvedProgramme) -> tuple[AttainedValue | None, str]:
    """Return the best problem that is found and the value on it, or why there is none."""
    whole, status = posed.whole, posed.solution.status
    if isinstance(whole, NeighbourConstraints) and len(whole.points) > LONGEST:
        return None, f"no function is looked for beyond {LONGEST} points of a run"
    if status not in SOLVED:
        return None, _UNBOUNDED if status in UNBOUNDED else f"the solver says {status}"
    why = whole.reason_unattained
    if why and (whole.given.pl is not None or whole.trace.oracle.S < whole.given.N or not has_tilts(whole.given)):
        return None, why
    best = _FunctionSearch(posed).best_found()
    if not any((whole.given.Delta, whole.given.Delta_mean, whole.given.distance)):
        # Functions of a solution do not start at their minimum to the last digit.
        still = from_the_minimum(whole.trace, posed.looked, whole.given)
        best = max((found for found in (best, still) if found), key=lambda found: found.value, default=None)
    return best, "" if best else why or "the infimum of the function through the solution was not found"


def has_tilts(given: ProblemClass) -> bool:
    """Return whether functions h + <c_i, .> whose average h has its floor at all points are of the class."""
    return given.Delta is not None and not given.has_minimiser


class _FunctionSearch:
    """The best function so far, and which to try next."""

    def __init__(self, posed: SolvedProgramme) -> None:
        self._posed, self._whole = posed, posed.whole
        self._best: AttainedValue | None = None
        given = self._whole.given
        of_two = bool(self._whole.reason_unattained)
        # Of two functions that are no tilts of each other the floor is known where mu = -L.
        self._is_tilted = given.everywhere or (of_two and (given.N % 2 == 1 or not given.is_smooth_alone))
        self._is_halved = of_two and not self._is_tilted
        self._given = dataclasses.replace(given, N=2) if self._is_halved else given

    def best_found(self) -> AttainedValue | None:
        """Return the best function, None if none has a known infimum."""
        for pieces in self._functions():
            made = run_and_scale(self._whole.trace, self._posed.looked, self._whole.given, pieces)
            if made is not None and (self._best is None or made.value > self._best.value):
                self._best = made
            apart = self._posed.gap / self._posed.upper if self._posed.upper > 0 else 0.0
            if self._is_within(max(_CLOSE, min(apart, _SEEN))):
                break
        return self._best

    def _is_within(self, close: float) -> bool:
        """Return whether the best function is so close to the upper side."""
        return self._best is not None and self._posed.upper - self._best.value <= close * self._posed.upper

    def _functions(self) -> Iterator[Pieces]:
        """Yield client functions of the solution, then of further programmes."""
        own = (
            ClassConstraints(self._whole.trace, self._given, self._whole.minimiser) if self._is_halved else self._whole
        )
        if not self._is_tilted:
            yield from pieces_of(own, self._posed.solution)
        if len(self._whole.points) > SHORT:
            # Further programmes have all conditions, and take minutes.
            return
        tilts = has_tilts(self._given)
        for margin in _MARGINS:
            if margin == _MARGINS[-1] and self._is_within(EXACT):
                return
            if tilts:
                shared, found = self._of_one(margin)
                # What a margin costs makes tilts no better than other functions that were found.
                tilts = found is not None and (self._best is None or found.primal > self._best.value)
                if tilts and found is not None:
                    yield from tilted_pieces_of(shared, found)
            if not self._is_tilted and (self._is_halved or margin):
                yield from self._through(own, margin)

    def _through(self, whole: ClassConstraints, margin: float) -> Iterator[Pieces]:
        """Yield functions of a solution that meets interpolation with a margin."""
        row = objective(whole, self._posed.looked)
        found = _maximise_or_none(whole.programme.within("interpolation", margin * _scale(self._given)), row)
        if found is not None:
            yield from pieces_of(whole, found)

    @cached_property
    def _tilted_programme(self) -> tuple[SharedFunctionConstraints, Array]:
        """Return the programme of h + <c_i, .> with one h, and the row of the left-hand side."""
        shared = SharedFunctionConstraints(self._whole.trace, self._given, self._whole.minimiser)
        return shared, objective(shared, self._posed.looked)

    def _of_one(self, margin: float) -> tuple[SharedFunctionConstraints, Solution | None]:
        """Return the programme of h + <c_i, .>, and its solution where interpolation keeps a margin."""
        shared, row = self._tilted_programme
        programme = shared.programme
        for kind in ("interpolation", "between clients"):
            programme = programme.within(kind, margin * _scale(self._given))
        return shared, _maximise_or_none(programme, row)


def _maximise_or_none(programme: Programme, row: Array) -> Solution | None:
    """Return a solution to make a function of; None where the solver has none, or panics at a margin."""
    try:
        found = programme.maximise(row, roughly=True)
    except NotApplicableError:
        return None
    return found if found.status in SOLVED else None


def _scale(given: ProblemClass) -> float:
    """Return the unit of values."""
    known = [v for v in (given.Delta, given.Delta_mean) if v is not None]
    return max(known, default=given.L * (given.distance or 0.0) ** 2)
