"""A hyperparameter that is another number, or another choice, than the one that was passed: read off and confirmed."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.reading.words import EXACT, text
from boundcheck.errors import BoundcheckError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from boundcheck.conform.battery import BatterySetting
    from boundcheck.conform.explaining import Explainer
    from boundcheck.conform.replay import RecordedRun
    from boundcheck.methods import Method
    from boundcheck.problems.base import Array

_CHOICES: dict[str, tuple[Any, ...]] = {
    "option": ("I", "II"),
    "graph": ("complete", "ring", "star"),
    "tracking": ("compressed", "raw"),
    "version": (1, 2),
    "k": (1, 2, 3),
    "B": (0, 1, 2),
    "fewest": (None, 1, 2),
    "start": ("zero", "first"),
    "server": ("client", "server"),
    "sync": ("average", "maximum"),
    "output": ("last", "average", "random"),
}
_BOUNDS: dict[str, tuple[float, ...]] = {"clip": (0.1, 0.5, 1.0, 2.0, 5.0, 10.0)}
"""Bounds that show in some settings alone, where no secant leads to them."""
_STEPS = 12
"""Most steps of the secant method."""
_FACTORS = (0.5, 2.0, 0.1, 10.0)
"""Where it starts, times the right number, besides at 1e-3 and 1."""


def other_number(explainer: Explainer) -> tuple[str, Any] | None:
    """Return the words and the method with one other hyperparameter that has an implementation's iterates.

    A number is sought by the secant method on one run, and confirmed by all.
    """
    made: Any = explainer.made
    for name, value in _candidates(explainer):
        try:
            other = dataclasses.replace(made, **{name: value})
        except (BoundcheckError, ValueError, TypeError):
            continue
        if explainer.has_iterates(lambda K, other=other: other):  # type: ignore[misc]
            return _words(explainer, name, value), other
    return None


def _is_reached(explainer: Explainer, name: str, value: float) -> bool:
    """Return whether a number counts: twice of it has other iterates."""
    try:
        twice = dataclasses.replace(explainer.made, **{name: 2.0 * value})  # type: ignore[type-var]
    except (BoundcheckError, ValueError, TypeError):
        return True
    return not explainer.has_iterates(lambda K: twice)


def _candidates(explainer: Explainer) -> Iterator[tuple[str, Any]]:
    made: Any = explainer.made
    run, path, rounds = explainer.telling
    for field in dataclasses.fields(made):
        value = getattr(made, field.name)
        if isinstance(value, bool):
            yield field.name, not value
        elif field.name in _CHOICES:
            yield from ((field.name, one) for one in _CHOICES[field.name] if one != value)
        elif isinstance(value, float):
            yield from ((field.name, bound) for bound in _BOUNDS.get(field.name, ()) if bound != value)
            found = _sought(made, field.name, run, path, rounds)
            if found is not None and abs(found - value) > EXACT * max(1.0, abs(value)):
                yield field.name, found


def _sought(made: Any, name: str, run: RecordedRun, path: Array, rounds: int) -> float | None:
    """Return the number at which the first rounds of a run agree, None if there is none."""
    value = getattr(made, name)
    rounds = min(rounds + 1, run.setting.T)
    if not np.isfinite(path[: rounds + 1]).all():
        return None
    scale = float(np.abs(path[: rounds + 1]).max())

    def gap(number: float) -> Array | None:
        try:
            other = dataclasses.replace(made, **{name: float(number)})
            found = run.path_of(other, rounds=rounds)
        except (BoundcheckError, ValueError, TypeError, AttributeError):
            return None
        return (found - path[: rounds + 1]).ravel() if np.isfinite(found).all() else None

    for start in (value * 0.9 if value else 0.1, *(value * factor for factor in _FACTORS), 1e-3, 1.0):
        a, b = value, start
        at_a, at_b = gap(a), gap(b)
        for _ in range(_STEPS):
            if at_a is None or at_b is None or a == b:
                break
            if np.abs(at_b).max() <= 1e-12 * scale:
                return _round_number(b)
            slope = (at_b - at_a) / (b - a)
            bottom = float(slope @ slope)
            if bottom == 0.0:
                break
            a, at_a, b = b, at_b, b - float(slope @ at_b) / bottom
            at_b = gap(b)
        if at_b is not None and np.abs(at_b).max() <= 1e-9 * scale:
            return _round_number(b)
    return None


def _round_number(number: float) -> float:
    """Return a number without the error of the search, if it is a short one."""
    if abs(number) < 1e-9:
        return 0.0
    for digits in (2, 4, 6, 8):
        short = float(f"{number:.{digits}g}")
        if abs(short - number) <= 1e-8 * abs(number):
            return short
    return number


def _words(explainer: Explainer, name: str, value: Any) -> str:
    made: Any = explainer.made
    right = getattr(made, name)
    if not isinstance(right, float):
        return f"{name} = {value} and not {right}"
    if value and not _is_reached(explainer, name, value):
        far = "small" if abs(value) < abs(right) or value < 0 else "large"
        has = f"where the method has {text(right)}"
        return f"{name} does nothing: it is left out, or so {far} that no run reaches it, {has}"
    others = {
        f.name: getattr(made, f.name) for f in dataclasses.fields(made) if isinstance(getattr(made, f.name), float)
    }
    # Several steps of another number of steps may agree, and all others are of one number.
    others["K"] = float(explainer.telling[0].setting.K)
    formulas = {
        f"1-{name}": 1.0 - right,
        f"{name}/2": right / 2,
        f"2 {name}": 2 * right,
        f"{name}^2": right**2,
        f"sqrt({name})": right**0.5 if right >= 0 else np.nan,
        f"1/{name}": 1 / right if right else np.nan,
        f"-{name}": -right,
        **{other: number for other, number in others.items() if other != name},
        **{f"{name} {other}": right * number for other, number in others.items() if other != name},
        **{f"{name} (1-{other})": right * (1.0 - number) for other, number in others.items() if other != name},
        **{f"{name}/{other}": right / number for other, number in others.items() if other != name and number},
        **{f"{name}/(1-{other})": right / (1 - number) for other, number in others.items() if number != 1.0},
    }
    same = [formula for formula, number in formulas.items() if abs(number - value) <= EXACT * abs(number)]
    as_formula = f" ({' or '.join(same[:3])})" if same and value not in {0.0, 1.0} else ""
    shown = text(value) if abs(value) > 1e-4 or value == 0.0 else f"{value:g}"
    if value == 0.0 and all((path == path[0]).all() for _, path in explainer.pairs):
        return f"nothing moves: {name} is 0, or what it multiplies is (a term that is left out), and not {text(right)}"
    return f"{name} is {shown}{as_formula} and not {text(right)}"


def by_setting(explainer: Explainer) -> tuple[str, ...]:
    """Return the words of a number that is right up to a factor of K, S and N, such as a division by K that is missing.

    Every run gives a number of its own; they are compared with the right one times powers of K, S and N.
    """
    made: Any = explainer.made
    steps = [one for one in ("gamma", "eta", "rho", "alpha") if isinstance(getattr(made, one, None), float)]
    for name in steps:
        for words, factor in _BY_SETTING.items():
            if explainer.has_iterates_by(lambda run, name=name, factor=factor: _scale_hyper(made, name, factor, run)):  # type: ignore[misc]
                return (f"{name} is multiplied by {words}",)
    return ()


_BY_SETTING: dict[str, Callable[[BatterySetting, float], float]] = {
    "1/K": lambda s, eta: 1.0 / s.K,
    "K": lambda s, eta: float(s.K),
    "S/N": lambda s, eta: s.S / s.N,
    "N/S": lambda s, eta: s.N / s.S,
    "1/S": lambda s, eta: 1.0 / s.S,
    "S/(S+1)": lambda s, eta: s.S / (s.S + 1.0),
    "1/N": lambda s, eta: 1.0 / s.N,
    "S": lambda s, eta: float(s.S),
    "N": lambda s, eta: float(s.N),
    "1/sqrt(S)": lambda s, eta: s.S**-0.5,
    "sqrt(S)": lambda s, eta: s.S**0.5,
    "1/sqrt(K)": lambda s, eta: s.K**-0.5,
    "eta K": lambda s, eta: eta * s.K,
    "1/(eta K)": lambda s, eta: 1.0 / (eta * s.K),
}


def _scale_hyper(made: Any, name: str, factor: Any, run: RecordedRun) -> Method:
    other: Method = dataclasses.replace(
        made, **{name: getattr(made, name) * factor(run.setting, getattr(made, "eta", 1.0))}
    )
    return other
