"""Units of a method's hyperparameters, read off its run: what becomes of them when f is measured in other units."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import NotApplicableError, require
from boundcheck.methods.kinds import kinds, reals
from boundcheck.notation import CURVATURE, LETTERS, NUMBER, STEP
from boundcheck.worst.gram.exact import DIGITS, approximate_fraction, fraction_as_written
from boundcheck.worst.gram.trace import trace_method

if TYPE_CHECKING:
    from boundcheck.methods.base import Method
    from boundcheck.notation import Unit
    from boundcheck.worst.gram.rows import Array

_POWERS = {NUMBER: 0, STEP: -1, CURVATURE: 1}
"""Power of the unit of f by which a hyperparameter is multiplied."""
PRECISE = 12
"""Digits of a hyperparameter beside a theorem's right-hand side: conditions of theorems have a slack of 1e-9."""
_OTHER = 3.0
"""The other unit of f."""


def hyperparameters(method: Method) -> dict[str, Fraction | float]:
    """Return the hyperparameters that are real numbers: those that count or choose something are left out."""
    return {name: v for name in reals(method) if (v := getattr(method, name)) is not None}


def with_fractions(method: Method, digits: int = DIGITS) -> Method:
    """Return a method whose hyperparameters are fractions, which are kept where they are fractions already.

    Raises
    ------
    InputError
        If a hyperparameter is not finite.
    """
    changed = {}
    for name, value in hyperparameters(method).items():
        require(math.isfinite(value), f"{method.card.id}: {name}", value, "a finite number")
        changed[name] = approximate_fraction(value, digits)
    return dataclasses.replace(method, **changed)  # type: ignore[type-var]


def as_asked(method: Method) -> Method:
    """Return a method whose hyperparameters are the fractions that were asked for, every digit of them.

    Raises
    ------
    InputError
        If a hyperparameter is not finite.
    """
    values = hyperparameters(method)
    for name, value in values.items():
        require(math.isfinite(value), f"{method.card.id}: {name}", value, "a finite number")
    return dataclasses.replace(method, **{name: fraction_as_written(v) for name, v in values.items()})  # type: ignore[type-var]


def with_floats(method: Method) -> Method:
    """Return a method without fractions: what solvers and functions compute with."""
    changed = {name: float(v) for name, v in hyperparameters(method).items() if isinstance(v, Fraction)}
    return dataclasses.replace(method, **changed) if changed else method  # type: ignore[type-var]


def units(method: Method) -> dict[str, Unit]:
    """Return the unit of every hyperparameter: a number, a step or a curvature.

    Where several would do, as where only the product of two counts, those of the notation's letters are preferred.

    Raises
    ------
    NotApplicableError
        If no units make all points scale alike.
    """
    numbers = {name: float(v) for name, v in hyperparameters(method).items()}
    plain = _points(dataclasses.replace(method, **numbers))  # type: ignore[type-var]
    known = kinds(method)
    choices = [_order_units(name, known[name].unit) for name in numbers]
    for found in product(*choices):
        scaled = {name: v * _OTHER ** _POWERS[unit] for (name, v), unit in zip(numbers.items(), found, strict=True)}
        other = _points(dataclasses.replace(method, **scaled))  # type: ignore[type-var]
        if other.shape == plain.shape and np.allclose(other * _OTHER, plain, rtol=1e-9, atol=1e-12):
            return dict(zip(numbers, found, strict=True))
    msg = f"method {method.card.id}: its hyperparameters have no units in which points scale with f"
    raise NotApplicableError(msg)


def for_share(method: Method, unit: float | Fraction) -> Method:
    """Return the method that makes the same points of f / unit as `method` makes of f: steps are longer by `unit`.

    A unit that is a fraction makes fractions of the hyperparameters that were asked for.
    """
    if unit == 1:
        return method
    values, found = hyperparameters(method), units(method)
    number = fraction_as_written if isinstance(unit, Fraction) else float
    changed = {name: number(value) * unit ** -_POWERS[found[name]] for name, value in values.items()}
    return dataclasses.replace(method, **changed)  # type: ignore[type-var]


def _order_units(name: str, declared: Unit | None) -> list[Unit]:
    first = declared or (LETTERS[name].unit if name in LETTERS else NUMBER)
    return sorted(_POWERS, key=lambda unit: unit != first)


def _points(method: Method) -> Array:
    """Return what all points of a short run are, over gradients and noises."""
    pairs = method.card.kind == "minimax"
    trace = trace_method(method, N=2, K=2, T=2, noisy=not pairs, pairs=pairs)
    size = len(trace.oracle.basis)
    points = (*trace.iterates, *(point.at for point in trace.oracle.points))
    return np.array([np.delete(x.pad_to(size), trace.oracle.origins, axis=1) for x in points])
