"""What is known of a left-hand side without the theorem: a ceiling of every run, and what rounding alone makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boundcheck.engine.setting import Setting
    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Problem

_GRADIENTS = {"server_gradient", "output_gradient", "local_gradient", "final_gradient", "best_gradient"}
"""Left-hand sides that average |grad f|^2, or take it at one point."""
_OPERATIONS = 8
"""Roundings that one step and one gradient are taken to commit, each of a relative size of 2^-53."""


def ceiling(problem: Problem, metric: Metric) -> float | None:
    """Return a number that no run's left-hand side exceeds, the smallest that is proved; None if none is known."""
    found = [_of_problem(problem, metric), _of_coordinates(problem, metric)]
    return min((value for value in found if value is not None), default=None)


def _of_problem(problem: Problem, metric: Metric) -> float | None:
    """Return the supremum that the problem itself proves."""
    constant = None if metric.weighted else problem.ceiling(metric.name)
    return None if constant is None or constant.vouched else float(constant.value)


def _of_coordinates(problem: Problem, metric: Metric) -> float | None:
    """Return d G_inf^2, which |grad f|^2 cannot exceed; G_inf must be proved on all of R^d, where a run may go."""
    constant = problem.constants.get("G_inf")
    if metric.name not in _GRADIENTS or constant is None or problem.radius is not None:
        return None
    proved = constant.kind in {"exact", "upper"} and not is_vouched(problem, "G_inf")
    return problem.d * constant.value**2 if proved else None


def is_vouched(problem: Problem, letter: str) -> bool:
    """Return whether a constant rests on the word of whoever wrote the functions alone."""
    return problem.constants[letter].vouched


def rounding(problem: Problem, metric: Metric, setting: Setting, eta: float) -> float:
    """Return how far rounding alone may lift the left-hand side above its value in real arithmetic.

    A gradient is computed up to an error of some eps times g, where g^2 = max(G_0, 2 L Delta, sigma^2, L^2 |x_0|^2) is
    the largest squared gradient that the constants make plausible, and each of the K T steps adds one such error
    (eta L <= 1).  So |grad f|^2 = 0 is computed as at most (8 eps (1 + K T) g)^2; a value f = 0 as 8 eps (1 + K T)
    times the largest of |f(x_0)|, |f_star| and Delta, and as eta times that of a gradient (near a minimum f is at most
    |grad f|^2/(2 L)); |y - x|^2 = 0 as (8 eps (1 + K T))^2 (|x_0|^2 + (eta K g)^2).
    It matters where the right-hand side is 0, to which no relative tolerance applies.
    """
    error = _OPERATIONS * 2.0**-53 * (1 + setting.K * setting.T)
    at = float(problem.start @ problem.start)
    gradient = _plausible_gradient(problem, at)
    if metric.unit == (0, 2):
        return error**2 * (at + (eta * setting.K) ** 2 * gradient)
    if metric.unit == (2, -2):
        return error**2 * gradient
    return error * _value(problem) + error**2 * eta * gradient


def _plausible_gradient(problem: Problem, at: float) -> float:
    """Return the largest squared gradient that the constants make plausible, `at` = |x_0|^2."""
    known = {letter: constant.value for letter, constant in problem.constants.items()}
    smooth = known.get("L", 0.0)
    gap = max(known.get("Delta", 0.0), known.get("Delta_Phi", 0.0))
    return max(known.get("G_0", 0.0), 2 * smooth * gap, known.get("sigma", 0.0) ** 2, smooth**2 * at)


def _value(problem: Problem) -> float:
    """Return the largest value of f that the constants name."""
    known = {letter: constant.value for letter, constant in problem.constants.items()}
    letters = ("Delta", "Delta_Phi", "f_star", "Phi_star")
    return max(abs(problem.initial_value), *(abs(known.get(letter, 0.0)) for letter in letters))
