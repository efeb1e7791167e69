"""Letters that belong to a run: measured along it and put into the bound."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import NotApplicableError
from boundcheck.evidence.trials.examples import initial_values
from boundcheck.evidence.trials.trial import Trial

if TYPE_CHECKING:
    from boundcheck.bounds.bound import Bound, Values
    from boundcheck.engine.setting import Setting
    from boundcheck.evidence.statistics.verdict import Verdict
    from boundcheck.problems.base import Array, Problem

ROOM = 1.01
"""A letter that decides the steps is put this much above what was measured at the steps before."""
TRIES = 4
"""Runs after which such a letter goes back to the value that always serves."""
_SLACK = 1e-9


def pair_measured(
    bound: Bound, problem: Problem, setting: Setting, overrides: Values | None, *, seed: int, count: int
) -> tuple[Trial, dict[str, float]]:
    """Return the trial of the bound on the problem at measured letters, and what was measured.

    A letter of the user's is only compared with the run.  A letter that decides no parameter is put in as measured.
    One that does (a step that depends on alpha) has to be fixed before the run: it starts at the value that always
    serves and follows the measurements until the run stays below it.

    Raises
    ------
    NotApplicableError
        If the run exceeds a letter of the user's, or as `Trial.of`.
    """
    given = dict(overrides or {})
    free = [letter for letter in bound.measured if letter not in given]
    start = initial_values(bound, problem.N)
    sure = {letter: start[letter] for letter in free}
    guess, found = sure, sure
    for attempt in range(TRIES + 1):
        guess = sure if attempt == TRIES else guess
        found = Trial.of(bound, problem, setting, given | guess).measure_along(seed, 0, count)[1]
        _verify({letter: found[letter] for letter in bound.measured if letter in given}, given)
        stays = all(found[letter] <= guess[letter] for letter in free if letter in bound.steered_by)
        if stays and (attempt > 0 or not bound.steered_by & set(free)):
            break
        guess = {x: min(ROOM * found[x], sure[x]) if x in bound.steered_by else sure[x] for x in free}
    used = {x: guess[x] if x in bound.steered_by else found[x] for x in free}
    return Trial.of(bound, problem, setting, given | used), found


def _verify(found: dict[str, float], given: Values) -> None:
    for letter, value in found.items():
        if value > given[letter] * (1 + _SLACK):
            msg = f"the run needs {letter} = {value:.6g}, above the {given[letter]:.6g} that was given"
            raise NotApplicableError(msg)


def at_needed(
    trial: Trial, verdict: Verdict, y: Array, needed: dict[str, float], overrides: Values | None, alpha: float
) -> Verdict:
    """Return the verdict with what the judged runs needed of the letters, beyond what was fixed before them.

    A bound is violated only if it is so at the largest letter that any run needed: at a smaller one its assumption
    fails.  The evidence is that against the letter that was fixed, or weaker, so that its error rate stands.

    Raises
    ------
    NotApplicableError
        If a run exceeds a letter of the user's, or a condition fails at what was needed.
    """
    bound, used = trial.bound, trial.evaluation.values
    _verify({letter: needed[letter] for letter in bound.measured if letter in (overrides or {})}, overrides or {})
    beyond = {x: value for x, value in needed.items() if value > used[x] * (1 + _SLACK)}
    words = measured_words(needed, used)
    if verdict.verdict == "violated" and beyond:
        if not bound.steered_by & set(beyond):
            larger = dict(overrides or {}) | {x: max(value, used[x]) for x, value in needed.items()}
            verdict = Trial.of(bound, trial.problem, trial.setting, larger).judge(y, alpha=alpha)
        if verdict.verdict != "violated" or bound.steered_by & set(beyond):
            reason = f"contradicted at the letters that were fixed, but the judged runs needed more; {words}"
            settle = "more replicates in the first stage, on whose first half the letters are fixed"
            return replace(verdict, verdict="undecided", how="", reason=reason, settle=settle)
    return replace(verdict, reason=f"{verdict.reason}; {words}")


def measured_words(found: dict[str, float], used: Values) -> str:
    """Return which letters were measured, and what stands in the bound where that is another number."""
    parts = [
        f"{x} = {value:.4g}" + ("" if np.isclose(value, used[x]) else f" (bound: {used[x]:.4g})")
        for x, value in found.items()
    ]
    return "measured along the run: " + ", ".join(parts)
