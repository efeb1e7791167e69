"""A hyperparameter that is another number, or another choice, than the one that was passed: read off and confirmed."""

from __future__ import annotations

import dataclasses
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from boundcheck.conform.reading.words import EXACT, text
from boundcheck.errors import BoundcheckError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from boundcheck.conform.explaining import Explainer
    from boundcheck.conform.runs.battery import BatterySetting
    from boundcheck.conform.runs.replay import RecordedRun
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
_Rule: TypeAlias = "Callable[[Any, int], Any]"
_STEPS = 12
"""Most steps of the secant method."""
_NEARER = 0.9
"""What a step may leave of the difference."""
_FACTORS = (0.5, 2.0, 0.1, 10.0)
"""Where it starts, times the right number, besides at 1e-3 and 1."""


class OtherNumber(NamedTuple):
    """A hyperparameter at another number or choice than the one that was passed."""

    words: str
    name: str
    rules: tuple[_Rule, ...]
    """What it may be, of a method and of K: that value, or one that follows from other hyperparameters."""

    def holds(self, explainer: Explainer) -> bool:
        """Return whether one of the rules has the iterates of an implementation."""
        return any(_has_number(explainer, self.name, rule) for rule in self.rules)


def other_number(explainer: Explainer, held_out: Explainer | None = None, *, quick: bool = False) -> OtherNumber | None:
    """Return the other hyperparameter with which the method has an implementation's iterates.

    A number is sought by the secant method on one run, and confirmed by all.  Which formula it is, of those that have
    this value, the runs say that are held out; without any, all are listed.  `quick` seeks numbers from few starts.
    """
    made: Any = explainer.made
    for name, value in _candidates(explainer, quick=quick):
        try:
            other = dataclasses.replace(made, **{name: value})
        except (BoundcheckError, ValueError, TypeError):
            continue
        if explainer.has_iterates_of(explainer.with_beside(other)):
            rules: dict[str, _Rule] = {
                "": lambda m, K, value=value: value,  # type: ignore[misc]
                **_formulas(explainer, name, value),
            }
            if held_out is not None:
                rules = {words: rule for words, rule in rules.items() if _has_number(held_out, name, rule)}
                rules = rules or _find_share(made, name, value)
            return OtherNumber(_words(explainer, name, value, rules), name, tuple(rules.values()))
    return None


def _get_number(other: str, m: Any, K: int) -> float:
    """Return another hyperparameter, or the number of local steps."""
    return float(K if other == "K" else getattr(m, other))


_OF_TWO: dict[str, Callable[[str, str, Any, int], float]] = {
    "{1}": lambda name, other, m, K: _get_number(other, m, K),
    "1-{1}": lambda name, other, m, K: 1.0 - _get_number(other, m, K),
    "{0} {1}": lambda name, other, m, K: float(getattr(m, name) * _get_number(other, m, K)),
    "{0} (1-{1})": lambda name, other, m, K: float(getattr(m, name) * (1.0 - _get_number(other, m, K))),
    "{0}/{1}": lambda name, other, m, K: float(getattr(m, name) / _get_number(other, m, K)),
    "{0}/(1-{1})": lambda name, other, m, K: float(getattr(m, name) / (1.0 - _get_number(other, m, K))),
}
"""Formulas of two hyperparameters."""


def _find_share(made: Any, name: str, value: Any) -> dict[str, _Rule]:
    """Return that a hyperparameter is so many times the one that was passed."""
    right = getattr(made, name)
    if not isinstance(right, float) or not right:
        return {}
    share = value / right
    return {f"{text(share)} {name}": lambda m, K: share * getattr(m, name)}


def _has_number(explainer: Explainer, name: str, rule: _Rule) -> bool:
    """Return whether a hyperparameter by a rule has an implementation's iterates."""

    def change_number(run: RecordedRun) -> Method:
        changed: Method = dataclasses.replace(explainer.made, **{name: rule(explainer.made, run.setting.K)})  # type: ignore[type-var]
        return explainer.with_beside(changed)

    try:
        return explainer.has_iterates_by(change_number)
    except (BoundcheckError, ArithmeticError):
        return False


def _formulas(explainer: Explainer, name: str, value: Any) -> dict[str, _Rule]:
    """Return the formulas of other hyperparameters that have a value."""
    made: Any = explainer.made
    if not isinstance(getattr(made, name), float) or value in {0.0, 1.0}:
        return {}
    others = [f.name for f in dataclasses.fields(made) if isinstance(getattr(made, f.name), float) and f.name != name]
    rules: dict[str, _Rule] = {
        f"1-{name}": lambda m, K: 1.0 - getattr(m, name),
        f"{name}/2": lambda m, K: getattr(m, name) / 2,
        f"2 {name}": lambda m, K: 2 * getattr(m, name),
        f"{name}^2": lambda m, K: getattr(m, name) ** 2,
        f"sqrt({name})": lambda m, K: abs(getattr(m, name)) ** 0.5,
        f"1/{name}": lambda m, K: 1.0 / getattr(m, name),
        f"-{name}": lambda m, K: -getattr(m, name),
        f"1/(1-{name})": lambda m, K: 1.0 / (1.0 - getattr(m, name)),
    }
    for other in (*others, "K"):
        rules |= {words.format(name, other): partial(rule, name, other) for words, rule in _OF_TWO.items()}
    # Several steps of another number of steps may agree, and all others are of one number.
    K = explainer.telling[0].setting.K
    found = {}
    for words, rule in rules.items():
        with suppress(ArithmeticError):
            if abs(rule(made, K) - value) <= EXACT * abs(value):
                found[words] = rule
    return found


def _is_reached(explainer: Explainer, name: str, value: float) -> bool:
    """Return whether a number counts: twice of it has other iterates."""
    try:
        twice = dataclasses.replace(explainer.made, **{name: 2.0 * value})  # type: ignore[type-var]
    except (BoundcheckError, ValueError, TypeError):
        return True
    return not explainer.has_iterates_of(explainer.with_beside(twice))


def _candidates(explainer: Explainer, *, quick: bool) -> Iterator[tuple[str, Any]]:
    made: Any = explainer.made
    run, path, rounds = explainer.telling
    for field in dataclasses.fields(made):
        value = getattr(made, field.name)
        if isinstance(value, bool):
            yield field.name, not value
        elif field.name in _CHOICES:
            yield from ((field.name, one) for one in _CHOICES[field.name] if one != value)
        elif isinstance(value, int):
            yield from ((field.name, value + more) for more in (1, -1, 2))
        elif isinstance(value, float):
            yield from ((field.name, bound) for bound in _BOUNDS.get(field.name, ()) if bound != value)
            starts = (value * 0.9 if value else 0.1, *(() if quick else (*(value * f for f in _FACTORS), 1e-3)), 1.0)
            found = _sought(explainer, field.name, run, path, rounds, starts, patient=not quick)
            if found is not None and abs(found - value) > EXACT * max(1.0, abs(value)):
                yield field.name, found


def _sought(
    explainer: Explainer,
    name: str,
    run: RecordedRun,
    path: Array,
    rounds: int,
    starts: Sequence[float],
    *,
    patient: bool,
) -> float | None:
    """Return the number at which the first rounds of a run agree, None if there is none.

    Who is not patient gives a start up where a step leads no nearer.
    """
    made: Any = explainer.made
    value = getattr(made, name)
    rounds = min(rounds + 1, run.setting.T)
    if not np.isfinite(path[: rounds + 1]).all():
        return None
    scale = float(np.abs(path[: rounds + 1]).max())

    def gap(number: float) -> Array | None:
        try:
            other = dataclasses.replace(made, **{name: float(number)})
            found = run.path_of(explainer.with_beside(other), rounds=rounds)
        except (BoundcheckError, ValueError, TypeError, AttributeError):
            return None
        return (found - path[: rounds + 1]).ravel() if np.isfinite(found).all() else None

    unchanged = gap(value)
    for start in starts:
        a, b = value, start
        at_a, at_b = unchanged, gap(b)
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
            if not patient and at_b is not None and not np.abs(at_b).max() <= _NEARER * np.abs(at_a).max():
                break
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


def _words(explainer: Explainer, name: str, value: Any, formulas: Iterable[str]) -> str:
    made: Any = explainer.made
    right = getattr(made, name)
    if not isinstance(right, float):
        return f"{name} = {value} and not {right}"
    if value and not _is_reached(explainer, name, value):
        far = "small" if abs(value) < abs(right) or value < 0 else "large"
        has = f"where the method has {text(right)}"
        return f"{name} does nothing: it is left out, or so {far} that no run reaches it, {has}"
    named = [formula for formula in formulas if formula]
    as_formula = f" ({' or '.join(named[:3])})" if named else ""
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
