"""What is known of a left-hand side without the theorem: a ceiling of every run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Problem


def ceiling(problem: Problem, metric: Metric) -> float | None:
    """Return a number that no run's left-hand side exceeds, the smallest that is proved; None if none is known."""
    found = [_of_problem(problem, metric), _of_coordinates(problem, metric)]
    return min((value for value in found if value is not None), default=None)


def _of_problem(problem: Problem, metric: Metric) -> float | None:
    """Return the supremum that the problem itself proves."""
    constant = problem.ceiling(metric)
    return None if constant is None or constant.vouched else float(constant.value)


def _of_coordinates(problem: Problem, metric: Metric) -> float | None:
    """Return d G_inf^2, which |grad f|^2 cannot exceed; G_inf must be proved on all of R^d, where a run may go."""
    constant = problem.constants.get("G_inf")
    if not metric.is_squared_gradient or constant is None or problem.radius is not None:
        return None
    proved = constant.kind in {"exact", "upper"} and not is_vouched(problem, "G_inf")
    return problem.d * constant.value**2 if proved else None


def is_vouched(problem: Problem, letter: str) -> bool:
    """Return whether a constant rests on the word of whoever wrote the functions alone."""
    return problem.letters[letter].vouched
