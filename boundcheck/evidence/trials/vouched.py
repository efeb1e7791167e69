"""Constants for which there is somebody's word alone: they are attacked before anything is called violated."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from boundcheck.evidence.statistics.verdict import not_applicable
from boundcheck.evidence.trials.contradictions import contradiction
from boundcheck.evidence.trials.known import is_vouched

if TYPE_CHECKING:
    from boundcheck.bounds.bound import Bound
    from boundcheck.evidence.statistics.verdict import Verdict
    from boundcheck.problems.base import Problem

_ROUNDING = 1e-6
"""How far above 1 attained / claimed must lie for a constant to fall."""


def vouched_for(bound: Bound, problem: Problem) -> tuple[str, ...]:
    """Return what a bound needs that a problem's author vouches for and nobody proved: constants, and 'convex'."""
    letters = tuple(x for x in bound.needs if x in problem.letters and is_vouched(problem, x))
    return (*letters, "convex") if bound.convex and problem.convex_is_vouched else letters


def with_vouched(verdict: Verdict, bound: Bound, problem: Problem) -> Verdict:
    """Return the verdict with the constants that are only vouched for.

    Before a bound is called violated they are attacked; if one falls, the instance is outside the theorem.  So it is
    where constants contradict each other, which is asked of all that somebody vouches for, and before every violation.
    """
    letters = vouched_for(bound, problem)
    violated = verdict.verdict == "violated"
    fallen = _find_refuted(problem, letters) if violated and letters else ""
    if not fallen and (violated or any(constant.vouched for constant in problem.constants.values())):
        fallen = contradiction(problem)
    if fallen:
        return replace(not_applicable(bound.id, problem.name, fallen), vouched=letters)
    if not letters:
        return verdict
    words = "attacked without success" if violated else "not attacked"
    reason = f"{verdict.reason}; vouched for, not proved ({words}): {', '.join(letters)}"
    return replace(verdict, reason=reason, vouched=letters)


def _find_refuted(problem: Problem, letters: tuple[str, ...]) -> str:
    """Return which constant does not stand and what refutes it; empty if all of them do."""
    # An attack is rare and its room is large.
    from boundcheck.problems.certification.certify import certify

    for found in certify(problem):
        if found.constant in letters and found.ratio > 1 + _ROUNDING:
            at = getattr(found, "at", None)
            if found.constant == "convex":
                return "the clients are not convex, as is said of them (certify)"
            where = "" if at is None else f" at {at}"
            claimed = f"constant {found.constant} = {found.claimed:.6g} does not stand"
            return f"{claimed}: {found.attained:.6g} is attained{where} (certify)"
    return ""
