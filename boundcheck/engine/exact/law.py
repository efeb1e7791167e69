"""The law of one round of a linear method on quadratics, and the recursion of mean and covariance it gives.

The round is an affine map of the method's state plus noise whose law does not depend on the state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.errors import NotApplicableError, require_count
from boundcheck.problems.synthetic.quadratic import Quadratic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.problems.base import Array, Problem


class Law(NamedTuple):
    """One round of a linear method: the state s becomes R s + r + noise of covariance Q; s begins with x."""

    transition: Array
    """R."""
    shift: Array
    """r."""
    covariance: Array
    """Q."""


def propagate(problem: Quadratic, law: Law, mean: Array, spread: Array, T: int) -> Array:
    """Return E|grad f(x_t)|^2 for t = 0..T-1 from mean and covariance of the state before the first round."""
    d = problem.d
    moments = np.empty(T)
    for t in range(T):
        moments[t] = squared_gradient(problem, mean[:d], spread[:d, :d])
        mean, spread = advance_moments([law], mean, spread)
    return moments


def squared_gradient(problem: Quadratic, mean: Array, spread: Array) -> float:
    """Return E|A x|^2 for x of this mean (d,) and covariance (d, d)."""
    matrix = problem.mean_A
    return float(((matrix @ mean) ** 2).sum() + np.trace(matrix @ spread @ matrix))


def advance_moments(laws: Sequence[Law], mean: Array, spread: Array) -> tuple[Array, Array]:
    """Return mean and covariance after one round whose law is one of `laws`, all equally likely."""
    means = [law.transition @ mean + law.shift for law in laws]
    centre = np.mean(means, axis=0)
    total = np.zeros_like(spread)
    for law, at in zip(laws, means, strict=True):
        total += law.transition @ spread @ law.transition.T + law.covariance + np.outer(at - centre, at - centre)
    return centre, total / len(laws)


def linear_problem(problem: Problem, **counts: int) -> Quadratic:
    """Return `problem` if it is quadratic with noise of a fixed covariance, independent across clients.

    Raises
    ------
    NotApplicableError
        If it is not.
    """
    if not isinstance(problem, Quadratic):
        msg = (
            f"closed-form moments need a problem of family quadratic, but {problem.name} is of family {problem.family}"
        )
        raise NotApplicableError(msg)
    if not problem.noise.white:
        needed = "noise of covariance sigma^2/d I that is independent across clients"
        msg = f"closed-form moments need {needed}, but {problem.name} has {problem.noise.kind}"
        raise NotApplicableError(msg)
    for name, value in counts.items():
        require_count(value, name)
    return problem
