"""A counterexample made small: few clients, steps and rounds, one dimension, round numbers."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from boundcheck.errors import BoundcheckError
from boundcheck.evidence.search import effort
from boundcheck.evidence.search.instances import dials_of
from boundcheck.problems.catalog import format_name, instance, parameters, parse_name
from boundcheck.problems.families import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from boundcheck.evidence.search.instances import TrialInstance

_TRIES = 120
"""Instances that are measured at most."""
_WORK = 60_000
"""Work that may be spent on them."""
_PLAIN = ("quadratic-tilt[zeta=0.0,sigma=0.0]", "quadratic-tilt[sigma=0.0]", "piecewise[sigma=0.0]")
"""Problems that are tried in the place of a worst function."""
_DIMENSIONS = ("d", "d1", "d2")
_CLEAR = 1.01
"""The ratio that a small instance keeps, or half of the excess of one that is nearer to 1: no close call is made."""


def shrunk(
    at: TrialInstance,
    ratio: float,
    measure: Callable[[TrialInstance], float | None],
    late: Callable[[], bool] = lambda: False,
) -> TrialInstance:
    """Return a smaller and rounder instance that violates the bound too, the same one where there is none.

    Numbers are tried from the smallest on: letters of the setting, then parameters in place of the prescribed ones,
    then those of the problem.  What is kept is measured, not confirmed.

    Parameters
    ----------
    at : Instance
        One that violates a bound.
    ratio : float
        Its left-hand side over its right-hand side.
    measure : callable
        Returns that ratio of another instance, None where the bound does not speak.
    late : callable
        Whether no other one is to be tried.
    """
    least = min(_CLEAR, 1 + (ratio - 1) / 2)
    tries, work, again = 0, 0, True
    seen = {at}
    while again:
        again = False
        for smaller in _smaller(at):
            if smaller in seen:
                continue
            seen.add(smaller)
            tries, work = tries + 1, work + effort.run(smaller.K, smaller.T)
            if tries > _TRIES or work > _WORK or late():
                return at
            found = measure(smaller)
            if found is not None and found >= least:
                at, again = smaller, True
                break
    return at


def _smaller(at: TrialInstance) -> Iterator[TrialInstance]:
    """Yield smaller instances, the boldest first."""
    base = parse_name(at.problem)[0]
    if instance(base).family == "extremal":
        # A parabola that does as well can be written down.
        yield from (dataclasses.replace(at, problem=plain) for plain in _PLAIN)
    if at.S is not None:
        yield dataclasses.replace(at, S=None)
    for letter in ("N", "K", "T", "b"):
        for value in _counts(getattr(at, letter)):
            smaller: dict[str, Any] = {letter: value}
            if letter == "N" and at.S is not None:
                smaller["S"] = min(at.S, value)
            yield dataclasses.replace(at, **smaller)
    for name, number in at.overrides:
        others = tuple(pair for pair in at.overrides if pair[0] != name)
        yield dataclasses.replace(at, overrides=others)
        for rounder in _rounder(number):
            yield dataclasses.replace(at, overrides=tuple(sorted((*others, (name, rounder)))))
    yield from (dataclasses.replace(at, problem=problem) for problem in _smaller_problems(at.problem))


def _smaller_problems(name: str) -> Iterator[str]:
    base, chosen = parse_name(name)
    try:
        legal = parameters(FAMILIES[instance(base).family])
        dials = dials_of(name)
    except (BoundcheckError, KeyError):
        return
    for dial in chosen:
        yield format_name(base, {key: value for key, value in chosen.items() if key != dial})
    for dial, kind in legal.items():
        # A whole number that nobody chose decides little, but for the dimension.
        value = dials.get(dial) if kind is not int or dial in {*chosen, *_DIMENSIONS} else None
        for other in _values(kind, value):
            yield format_name(base, {**chosen, dial: other})


def _values(kind: type, value: Any) -> list[Any]:
    """Return rounder values of a parameter; words and switches stay."""
    if kind is int and isinstance(value, int):
        return list(_counts(value))
    if kind is float and isinstance(value, (int, float)):
        return _rounder(float(value))
    return []


def _counts(value: int) -> Iterator[int]:
    """Yield 1, 2, and what lies between them and a whole number, by halves, then by one."""
    yield from (small for small in (1, 2) if small < value)
    step = value // 2
    while step >= 1:
        if value - step > 2:
            yield value - step
        step //= 2


def _rounder(value: float) -> list[float]:
    """Return 0, 1, for larger numbers 2 and 10, and the number with fewer digits, where they differ from it."""
    if value in (0.0, 1.0):
        return []
    small = [0.0, 1.0, *(number for number in (2.0, 10.0) if number < value)]
    return [new for new in dict.fromkeys([*small, *(float(f"{value:.{n}g}") for n in (1, 2, 3))]) if new != value]
