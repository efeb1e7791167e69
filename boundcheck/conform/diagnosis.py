"""What is wrong with an implementation: how it keeps its numbers, known mistakes, or where and when it parts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.conform.calling import ReturnedRun, iterates_at_clients
from boundcheck.conform.comparison import SINGLE, check_setting
from boundcheck.conform.hints import hints
from boundcheck.conform.mistakes import mistakes, with_mistake
from boundcheck.conform.unknown_bound import other_bound
from boundcheck.conform.unknown_start import other_start
from boundcheck.conform.wrong import RIGHT, Mistake

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.conform.comparison import Comparison
    from boundcheck.conform.harness import Make
    from boundcheck.conform.replay import RecordedRun
    from boundcheck.methods import Method
    from boundcheck.problems.base import Array

_BEFORE = 3
"""A mistake in the state shows in the iterates of one of the next rounds."""
_NUDGE = 1e-10
"""Relative error of the gradients that shows how a run that blows up magnifies rounding errors."""


class Mismatch(NamedTuple):
    """Everything that is known of an implementation that differs."""

    made: Method
    runs: list[RecordedRun]
    answers: list[ReturnedRun]
    found: Comparison
    again: Callable[[RecordedRun], ReturnedRun]
    """Calls the implementation once more."""

    @property
    def pairs(self) -> list[tuple[RecordedRun, Array]]:
        """Return our runs with the implementation's iterates, those first that tell most mistakes apart."""
        pairs = [(run, answer.path) for run, answer in zip(self.runs, self.answers, strict=True)]
        return sorted(pairs, key=lambda pair: (-pair[0].setting.K, -pair[0].setting.N, pair[0].setting.S))

    @property
    def first(self) -> int:
        """Return the earliest round after which the iterates differ, 0 for the start."""
        return min(c.parts for c in self.found.checked if c.parts is not None)

    @property
    def tolerance(self) -> float:
        """Return how well its iterates can be those of a mistake."""
        return max(self.found.tolerance, SINGLE) if self.found.single else self.found.tolerance


def diagnose_mismatch(trial: Mismatch) -> tuple[str, ...]:
    """Return sentences on what is wrong, the likeliest first."""
    found = (
        _random(trial)
        or (_diagnose_overwriting(trial) if _is_aliased(trial) else ())
        or _single(trial)
        or _name_mistakes(trial)
    )
    return found or _diagnose_overwriting(trial) or _elsewhere(trial)


def _is_aliased(trial: Mismatch) -> bool:
    return all(answer.aliased for answer in trial.answers)


def _diagnose_overwriting(trial: Mismatch) -> tuple[str, ...]:
    """Say that what was listed has been changed afterwards, and what is wrong with the iterates that clients met."""
    paths = [iterates_at_clients(run, answer) for run, answer in zip(trial.runs, trial.answers, strict=True)]
    met = [path for path in paths if path is not None]
    if len(met) < len(paths) or all(same(a.path, x, trial.tolerance) for a, x in zip(trial.answers, met, strict=True)):
        return ()
    words = "the iterates that you return are not those that your clients start from: changed later, in place, perhaps"
    if _is_aliased(trial):
        words = "the list that you return holds one array for several rounds, updated in place: return copies"
    checked = tuple(check_setting(run, x, trial.found.tolerance) for run, x in zip(trial.runs, met, strict=True))
    if all(c.parts is None for c in checked):
        return (f"{words}; the ones that your clients start from agree",)
    answers = [ReturnedRun(x, aliased=False, single=a.single) for a, x in zip(trial.answers, met, strict=True)]
    rest = trial._replace(answers=answers, found=replace(trial.found, checked=checked))
    found = _single(rest) or _name_mistakes(rest) or (_elsewhere(rest) if _is_aliased(trial) else ())
    return (words, *found) if found else ()


def _single(trial: Mismatch) -> tuple[str, ...]:
    if trial.found.verdict != "single precision":
        return ()
    largest = max(c.deviation for c in trial.found.checked)
    words = (
        f"single precision: the clients compute in float32, and the iterates agree as far as that goes, {largest:.1g}"
    )
    return (f"{words}; compute in float64, or compare with a tolerance of {SINGLE:g}",)


def _random(trial: Mismatch) -> tuple[str, ...]:
    """Say that two calls on the same samples differ."""
    for run, answer, checked in zip(trial.runs, trial.answers, trial.found.checked, strict=True):
        if checked.parts is None:
            continue
        other = trial.again(run)
        if np.array_equal(other.path, answer.path, equal_nan=True):
            return ()
        start = other_start(trial.made, trial.pairs, trial.tolerance)
        words = "two calls on the same samples differ: the implementation draws random numbers of its own"
        return (*start, f"{words} (initial variates, an order, dropout, a sampler)")
    return ()


def _name_mistakes(trial: Mismatch) -> tuple[str, ...]:
    """Name the known mistakes that have exactly these iterates, made from the start or from a later round on."""
    for since in (0, *range(trial.first - 1, max(trial.first - 1 - _BEFORE, 0), -1)):
        if found := _match_mistakes(trial, since):
            return found
    return ()


def _match_mistakes(trial: Mismatch, since: int) -> tuple[str, ...]:
    found = mistakes(trial.made.card.id).values()
    late = (mistake for mistake in found if not since or mistake.start is RIGHT.start)
    return tuple(words for mistake in late if (words := _words(trial, mistake, since)))


def _words(trial: Mismatch, mistake: Mistake, since: int) -> str:
    """Return the sentence that names a mistake if it has the implementation's iterates, and nothing otherwise."""
    late = f"from round {since + 1} on, " if since else ""
    explained = any(_explains(trial, wrong) for wrong in with_mistake(trial.made, mistake, since))
    return f"your iterates equal those of {trial.made.card.title} with a mistake: {late}{mistake.words}" * explained


def _elsewhere(trial: Mismatch) -> tuple[str, ...]:
    """Name what is read off the first steps, or say where the implementation parts."""
    start = other_start(trial.made, trial.pairs, trial.tolerance)
    bounds = (_words(trial, mistake, 0) for mistake in other_bound(trial.pairs))
    found = (*start, *(words for words in bounds if words))
    return found or hints(trial.runs, trial.found.checked, trial.tolerance)


def _explains(trial: Mismatch, wrong: Make) -> bool:
    """Whether a mistake has these iterates; a few runs that blow up need agree as far as rounding errors let them."""
    blown = 0
    for run, path in trial.pairs:
        # Most mistakes are others than this one, and part in the first round.
        begun, nudged = (run.iterates(wrong, nudge=nudge, rounds=1) for nudge in (0.0, _NUDGE))
        if not _is_magnified(path[:2], begun, nudged, trial.tolerance):
            return False
        ours = run.iterates(wrong)
        if same(path, ours, trial.tolerance):
            continue
        blown += 1
        if 3 * blown > len(trial.runs):
            return False
        if not _is_magnified(path, ours, run.iterates(wrong, nudge=_NUDGE), trial.tolerance):
            return False
    return True


def _is_magnified(found: Array, ours: Array, nudged: Array, tolerance: float) -> bool:
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
