"""The step adviser: the hyperparameters at which the sharpened theorem promises most."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.errors import InputError, UnknownNameError
from boundcheck.worst.gram.units import hyperparameters, with_fractions
from boundcheck.worst.theorems.one_round import best_right_hand_side, sharpen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.methods.base import Method
    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.gram.rows import Array
    from boundcheck.worst.theorems.sharpened import Sharpened

_TOLERANCE = 1e-3
"""Relative accuracy of the steps that are advised."""
_EVALUATIONS = 80
"""Most theorems that are tried for each free hyperparameter."""


def advise(
    method: Method,
    *,
    free: Sequence[str],
    K: int,
    T: int,
    S: int | None = None,
    given: ProblemClass | None = None,
    **constants: Any,
) -> Sharpened:
    """Return the sharpened theorem at the best values of some hyperparameters.

    Parameters
    ----------
    method : Method
        Its values are where the search starts; there must be a theorem there.
    free : sequence of str
        Hyperparameters > 0 that are chosen, by a simplex search in their logarithms: a local optimum, to three digits.
    K, T, S, given, **constants
        As for `boundcheck.worst.sharpen`.

    Raises
    ------
    UnknownNameError
        If a name is not a hyperparameter that is a number.
    InputError
        If a value to start from is not > 0.
    NotApplicableError
        If there is no theorem at the start.
    """
    from scipy.optimize import minimize

    first = sharpen(method, K=K, T=T, S=S, given=given, **constants)
    start = np.log([_positive(first.method, name) for name in free])

    def value(logs: Array) -> float:
        return best_right_hand_side(_at(first.method, free, logs), K=K, T=T, S=S, given=first.given)

    simplex = np.vstack([start, start + 0.3 * np.eye(len(free))])
    options: Any = {
        "xatol": _TOLERANCE,
        "fatol": math.inf,
        "maxfev": _EVALUATIONS * len(free),
        "initial_simplex": simplex,
    }
    found = minimize(value, start, method="Nelder-Mead", options=options)
    best = sharpen(_at(first.method, free, found.x), K=K, T=T, S=S, given=first.given)
    best = dataclasses.replace(best, assumed=first.assumed)
    return min(best, first, key=lambda theorem: theorem.value())


advised = advise
"""Its former name, which older code has."""


def _positive(method: Method, name: str) -> float:
    numbers = hyperparameters(method)
    if name not in numbers:
        raise UnknownNameError(f"hyperparameter of {method.card.id}", name, numbers)
    if not numbers[name] > 0:
        msg = f"{method.card.id}: {name} = {float(numbers[name])} is not legal: a number > 0, to choose a better one"
        raise InputError(msg)
    return float(numbers[name])


def _at(method: Method, free: Sequence[str], logs: Array) -> Method:
    chosen = {name: float(v) for name, v in zip(free, np.exp(logs), strict=True)}
    return with_fractions(dataclasses.replace(method, **chosen))  # type: ignore[type-var]
