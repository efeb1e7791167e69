"""Step schedules with the least worst case over a given number of rounds, found by search."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.errors import NotApplicableError, require, require_count
from boundcheck.files.display import shows
from boundcheck.methods.kinds import reals
from boundcheck.methods.scheduled import with_laws
from boundcheck.worst.cases.worst_case import worst

if TYPE_CHECKING:
    from boundcheck.methods.base import Method
    from boundcheck.worst.cases.case import WorstCase
    from boundcheck.worst.gram.rows import Array

_GRID = 2.0**-14
"""Steps are whole multiples of this share of the method's: short fractions, of which a proof can be."""
_TRIES = 60
"""Most worst cases for each round in one search."""
_REACH = 0.1
"""Size of a simplex, in logarithms of steps."""
_SEARCHES, _IDLE = 20, 3
"""Most searches, and searches in a row without a gain that end them."""
_GAIN = 1e-5
"""Relative gain that counts."""


@shows("method", "name", "steps", "case.upper", "case.verdict")
@dataclass(frozen=True)
class BestSchedule:
    """Steps of T rounds, and their worst case.

    Attributes
    ----------
    name : str
        The hyperparameter that changes from round to round.
    factors : tuple of float
        What it is multiplied by in each round.
    method : Method
        It follows the schedule (`boundcheck.methods.scheduled.with_laws`).
    case : WorstCase
        Of the schedule; a local optimum of the search.
    constant : WorstCase
        Of the method as it was given.
    """

    name: str
    factors: tuple[float, ...]
    method: Method
    case: WorstCase
    constant: WorstCase

    start: float
    """The value of the hyperparameter that the factors multiply."""

    @property
    def steps(self) -> tuple[float, ...]:
        """Return the values of the hyperparameter, round by round."""
        return tuple(factor * self.start for factor in self.factors)


def best_schedule(method: Method, name: str, *, K: int, T: int, **asked: Any) -> BestSchedule:
    """Return the steps of T rounds whose worst case is least, as far as a simplex search finds them.

    Parameters
    ----------
    method : Method
        Its constant steps are where the search starts.
    name : str
        The hyperparameter that may change from round to round.
    K, T, **asked
        As for `boundcheck.worst.worst`.

    Raises
    ------
    InputError
        If the method has no number > 0 of this name.
    NotApplicableError
        If the worst case is not finite where the search begins.

    Examples
    --------
    One step of gradient descent on convex functions has f(x_1) - f_star <= L R^2/8, with 3/2 in the place of 1/L:

    >>> from boundcheck import METHODS
    >>> given = {"N": 1, "mu": 0.0, "Delta": None, "distance": 1.0, "measure": "value"}
    >>> found = best_schedule(METHODS["sgd"](eta=1.0), "eta", K=1, T=1, **given)
    >>> round(found.steps[0], 3), round(found.case.upper, 6)
    (1.5, 0.125)
    """
    from scipy.optimize import minimize

    require_count(T, "T")
    numbers = reals(method)
    require(name in numbers, "schedule", name, f"a number of {method.card.id}: {', '.join(numbers)}")
    first = getattr(method, name)
    require(first is not None and first > 0, f"{method.card.id}: {name}", first, "a number > 0, to choose better ones")
    constant = worst(method, K=K, T=T, **asked)
    if not math.isfinite(constant.upper):
        msg = f"method {method.card.id}: no worst case is finite at {name} = {float(first):g}, where the search begins"
        raise NotApplicableError(msg)
    quick = {**asked, "prove": False}

    def value(logs: Array) -> float:
        case = worst(_follow(method, name, logs), K=K, T=T, **quick)
        # What the solver is off by, which `upper` has on top, jumps from step to step.
        return case.dual if math.isfinite(case.upper) else math.inf

    logs, least, idle = np.zeros(T), constant.upper, 0
    turns = np.random.default_rng(0)
    for search in range(_SEARCHES):
        # Where two worst functions meet the value has a kink, and a simplex gets stuck; others look elsewhere.
        directions = np.linalg.qr(turns.normal(size=(T, T)))[0] if search else 2 * np.eye(T)
        simplex = np.vstack([logs, logs + _REACH * directions])
        options: Any = {
            "maxfev": _TRIES * T,
            "xatol": 1e-5,
            "fatol": 1e-9,
            "initial_simplex": simplex,
            "adaptive": True,
        }
        found = minimize(value, logs, method="Nelder-Mead", options=options)
        idle = idle + 1 if least - found.fun <= _GAIN * least else 0
        if found.fun < least:
            least, logs = float(found.fun), found.x
        if idle == _IDLE:
            break
    chosen = _follow(method, name, logs)
    return BestSchedule(name, _factors(logs), chosen, worst(chosen, K=K, T=T, **asked), constant, float(first))


def _follow(method: Method, name: str, logs: Array) -> Method:
    """Return the method with the factors of a point of the search."""
    factors = _factors(logs)
    if len(factors) == 1:
        return dataclasses.replace(method, **{name: factors[0] * getattr(method, name)})  # type: ignore[type-var]
    return with_laws(method, {name: ",".join(f"{factor!r}" for factor in factors)})


def _factors(logs: Array) -> tuple[float, ...]:
    """Return factors on the grid, at least one of its steps."""
    return tuple(float(max(round(math.exp(log) / _GRID), 1) * _GRID) for log in logs)
