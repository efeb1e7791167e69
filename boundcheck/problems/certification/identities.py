"""What must hold whatever the constants: gradients against difference quotients, samples without bias, Phi."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.problems.certification.search import STEP, client_gradients, inner_maximum, server_point, shorter

if TYPE_CHECKING:
    from boundcheck.problems.base import Problem
    from boundcheck.problems.certification.search import Multistart
    from boundcheck.problems.types import Array


def _relative(found: Array, claimed: Array) -> float:
    return float(np.abs(found - claimed).max() / (1.0 + np.abs(claimed).max()))


def gradient_error(search: Multistart) -> float:
    """Compare grad f with difference quotients of f, and with the mean of the client gradients."""
    problem, worst = search.problem, 0.0
    for x in search.starts:
        claimed = problem.mean_gradient(server_point(x))[0, 0]
        missed = _relative(_five_points(problem, x, STEP), claimed)
        if missed > STEP**2:
            missed = min(missed, _relative(_five_points(problem, x, STEP**2), claimed))
        mean = problem.over_clients(client_gradients(problem, x[None]))[0]
        worst = max(worst, missed - _quotient_rounding(problem, x, claimed), _relative(mean, claimed))
    return worst


def _quotient_rounding(problem: Problem, x: Array, slope: Array) -> float:
    """Return what rounding of the steps and of the values may do to a quotient of values, as a relative error."""
    of_values = 8 * float(np.finfo(float).eps) * abs(float(problem.value(server_point(x))[0])) / STEP
    return 4 * float(1.0 - shorter(x)) + of_values / (1.0 + float(np.abs(slope).max()))


def _five_points(problem: Problem, x: Array, step: float) -> Array:
    """Return difference quotients of f at `x`; where the curvature jumps, only a short step agrees with grad f."""
    wide = [problem.value(x + k * step * np.eye(problem.d)[:, None, :]) for k in (-2, -1, 1, 2)]
    return (wide[0] - 8 * wide[1] + 8 * wide[2] - wide[3]) / (12 * step)


def bias(search: Multistart) -> float:
    """Compare the enumerated mean of the samples with grad f_i."""
    problem, worst = search.problem, 0.0
    for x in search.starts:
        g = client_gradients(problem, x[None])[0]
        for client in range(problem.N):
            worst = max(worst, _relative(problem.outcomes(x, client).mean(axis=0), g[client]))
    return worst


def envelope_error(search: Multistart) -> float:
    """Compare Phi, y_star and grad Phi with a numerical inner maximisation (grad Phi by Danskin's theorem)."""
    problem, worst = search.problem, 0.0
    d1 = search.d1
    for x in search.starts:
        y, top = inner_maximum(problem, x, search.rng)
        claimed = problem.best_response(server_point(x))[0, 0]
        if problem.box_y is not None:
            # Where f is linear in y, several are best: the one that is claimed must be as high.
            at = server_point(np.concatenate([x[:d1], claimed]))
            worst = max(worst, _relative(np.array([top]), problem.value(at)))
            y = claimed
        slope = problem.mean_gradient(server_point(np.concatenate([x[:d1], y])))[0, 0, :d1]
        worst = max(
            worst,
            _relative(np.array([top]), problem.envelope(server_point(x))),
            _relative(y, claimed),
            _relative(slope, problem.envelope_gradient(server_point(x))[0, 0]),
        )
    return worst
