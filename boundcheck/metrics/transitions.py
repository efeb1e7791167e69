"""What is measured on a whole round: functions of the states before and after it, and of what the clients sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.errors import NotApplicableError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


class RoundTransition(NamedTuple):
    """One round of a run."""

    problem: Any
    method: Any
    before: Any
    """State at its start."""
    after: Any
    """State at its end."""
    sent: list[Array]
    """What the active clients sent to be averaged, (lanes, S, d) each, in the order of the method's calls."""


_NODES, _WEIGHTS = (v / 2 for v in np.polynomial.legendre.leggauss(3))


def forgetting(seen: RoundTransition) -> Array:
    """Return sum_i max(0, f_i(x+) - f_i(x)) over all N clients, (lanes,)."""
    total: Array = np.maximum(_client_changes(seen), 0.0).sum(axis=1)
    return total


def _client_changes(seen: RoundTransition) -> Array:
    """Return f_i(x+) - f_i(x), (lanes, N).

    Where the problem does not know the values of single clients, they are integrals of <grad f_i, x+ - x> along the
    step by three Gauss points: exact for polynomials of degree 6.
    """
    problem, x, step = seen.problem, seen.before.x, seen.after.x - seen.before.x
    change: Array
    try:
        change = problem.client_values(problem.everyone_at(x + step)) - problem.client_values(problem.everyone_at(x))
    except NotApplicableError:
        change = np.zeros((len(x), problem.N))
        for node, weight in zip(_NODES, _WEIGHTS, strict=True):
            g = problem.exact_gradient(problem.everyone_at(x + (0.5 + node) * step))
            change += weight * np.vecdot(g, step)
    return change


def rise(seen: RoundTransition) -> Array:
    """Return max(0, f(x+) - f(x)): what a round makes worse, (lanes,)."""
    up: Array = np.maximum(seen.problem.value(seen.after.x) - seen.problem.value(seen.before.x), 0.0)
    return up


def estimator_error(seen: RoundTransition) -> Array:
    """Return |g - grad f(x)|^2 of the direction g that the round leaves at the server, (lanes,)."""
    g = _part(seen, "g", "estimator_error", "a server direction g")
    return _square(g - seen.problem.mean_gradient(seen.before.x))


def control_error(seen: RoundTransition) -> Array:
    """Return mean_i |c_i - grad f_i(x)|^2 of the control variates that the round starts from, (lanes,)."""
    _part(seen, "c_i", "control_error", "control variates c_i")
    g = seen.problem.exact_gradient(seen.problem.everyone_at(seen.before.x))
    error: Array = _square(seen.before.c_i - g) / seen.problem.N
    return error


def second_moment_spread(seen: RoundTransition) -> Array:
    """Return how far the clients' second moments are from their mean: rms over clients / mean, averaged, (lanes,)."""
    own = _second_moments(seen, "second_moment_spread")
    mean = own.mean(axis=1)
    ratios: Array = (own.std(axis=1) / np.maximum(mean, 1e-300)).mean(axis=1)
    return ratios


def second_moment_change(seen: RoundTransition) -> Array:
    """Return |vh+ - vh| / |vh| of the second moment that the server keeps, (lanes,)."""
    after = _part(seen, "vh", "second_moment_change", "a second moment vh")
    change: Array = np.sqrt(_square(after - seen.before.vh) / _square(seen.before.vh))
    return change


def _second_moments(seen: RoundTransition, metric: str) -> Array:
    _part(seen, "vh", metric, "a second moment vh")
    # The average of what one of the messages held is the state's second moment: that message is the clients'.
    for rows in seen.sent:
        if np.array_equal(rows.mean(axis=1, keepdims=True), seen.after.vh, equal_nan=True) or np.allclose(
            rows.mean(axis=1, keepdims=True), seen.after.vh, rtol=1e-12, atol=0.0, equal_nan=True
        ):
            return rows
    msg = f"metric {metric} needs clients that send second moments to be averaged; {seen.method.card.id} has none"
    raise NotApplicableError(msg)


def _part(seen: RoundTransition, name: str, metric: str, words: str) -> Array:
    if not hasattr(seen.after, name):
        msg = f"metric {metric} needs a method with {words} in its state; {seen.method.card.id} has none"
        raise NotApplicableError(msg)
    found: Array = getattr(seen.after, name)
    return found


def _square(v: Array) -> Array:
    squares: Array = np.vecdot(v, v).sum(axis=1)
    return squares
