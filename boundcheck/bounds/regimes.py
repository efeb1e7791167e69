"""Which regime a run is in: what each term contributes, what more of a setting buys, and which steps are allowed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boundcheck.bounds.analysis import Crossover, crossovers, move_letter
from boundcheck.bounds.best import steps_of
from boundcheck.errors import BoundcheckError
from boundcheck.files.display import shows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.bounds.bound import Bound, Evaluation, Values

SETTINGS = ("N", "S", "K", "T", "b")
"""What can be bought more of."""
_RANGE = 1000.0
"""How far, up and down, the change of the largest term is looked for."""
_HALVINGS = 60
"""Halvings of a bracket of steps, in the logarithm."""
_LARGEST = 1e12
"""A step that is allowed to grow by this factor has no limit."""


@dataclass(frozen=True)
class Purchase:
    """What twice as much of a setting buys, the constants of the problem being the same."""

    letter: str
    rhs: float
    """The right-hand side then."""
    terms: dict[str, float]
    """Its terms."""
    ratio: float
    """It over the right-hand side now: 1/2 is a linear speed-up, 1 buys nothing."""


@dataclass(frozen=True)
class AllowedStep:
    """A step that the theorem leaves open."""

    name: str
    prescribed: float
    largest: float
    """The largest at which every condition holds, all other steps as prescribed; inf if none limits it."""
    limited_by: str
    """The condition that fails beyond it."""


@shows("bound", "dominating", "rhs", "trivial", "terms")
@dataclass(frozen=True)
class Regime:
    """Where a bound is at given values."""

    bound: str
    rhs: float
    terms: dict[str, float]
    """The terms, the largest first."""
    trivial: float
    """What the left-hand side does not exceed for a trivial reason."""
    unmet: tuple[str, ...]
    """Conditions that fail."""
    purchases: tuple[Purchase, ...]
    changes: tuple[Crossover, ...]
    """The nearest values of a setting, up and down, at which another term becomes the largest."""
    steps: tuple[AllowedStep, ...]

    @property
    def shares(self) -> dict[str, float]:
        """Return the share of every term in the right-hand side."""
        return {name: value / self.rhs if self.rhs else 0.0 for name, value in self.terms.items()}

    @property
    def dominating(self) -> str:
        """Return the largest term."""
        return next(iter(self.terms))

    @property
    def best_purchase(self) -> Purchase | None:
        """Return what lowers the right-hand side most, None if nothing does."""
        helpful = [one for one in self.purchases if one.ratio < 1.0 - 1e-6]
        return min(helpful, key=lambda one: one.ratio, default=None)


def regime_at(bound: Bound, values: Values, overrides: Values | None = None) -> Regime:
    """Return the regime of a bound at the constants of a problem and a setting.

    Parameters
    ----------
    bound : Bound
    values : mapping
        Constants, and the settings N, S, K, T, b, d.
    overrides : mapping, optional
        Steps in place of the prescribed ones.

    Raises
    ------
    NotApplicableError
        If a constant is missing.
    """
    now = bound.evaluate(bound.resolve(values, overrides), strict=False)
    terms = dict(sorted(now.terms.items(), key=lambda item: -item[1]))
    return Regime(
        bound.id,
        now.rhs,
        terms,
        now.trivial,
        tuple(f"{one.label}: {one.relation}" for one in now.unmet),
        tuple(one for letter in SETTINGS if (one := _purchase(bound, values, overrides, letter, now)) is not None),
        tuple(_nearest_changes(bound, values, overrides)),
        tuple(_find_allowed_steps(bound, values, dict(overrides or {}), now)),
    )


def _purchase(bound: Bound, values: Values, overrides: Values | None, letter: str, now: Evaluation) -> Purchase | None:
    if letter not in values or (letter == "S" and values["S"] == values["N"]):
        return None
    moved = move_letter(values, letter, 2.0 * values[letter])
    if moved.get("S", 0.0) > moved.get("N", 0.0):
        return None
    try:
        then = bound.evaluate(bound.resolve(moved, overrides), strict=False)
    except BoundcheckError:
        return None  # a setting that the theorem does not speak of
    return Purchase(letter, then.rhs, then.terms, then.rhs / now.rhs if now.rhs else 1.0)


def _nearest_changes(bound: Bound, values: Values, overrides: Values | None) -> list[Crossover]:
    """Return, for every setting, the nearest value above and below at which another term becomes the largest."""
    found: list[Crossover] = []
    for letter in ("N", "K", "T"):
        if letter not in values:
            continue
        at = float(values[letter])
        try:
            every = crossovers(bound, values, letter, max(1.0, at / _RANGE), at * _RANGE, overrides)
        except BoundcheckError:
            continue
        found += [one for one in every if one.at <= at][-1:] + [one for one in every if one.at > at][:1]
    return found


def _find_allowed_steps(
    bound: Bound, values: Values, overrides: dict[str, float], now: Evaluation
) -> list[AllowedStep]:
    if now.unmet:
        return []
    found = []
    for name in steps_of(bound):
        prescribed = now.values[name]
        if prescribed > 0.0:
            largest, limit = _largest(bound, values, overrides, name, prescribed)
            found.append(AllowedStep(name, prescribed, largest, limit))
    return found


def _largest(
    bound: Bound, values: Values, overrides: Mapping[str, float], name: str, prescribed: float
) -> tuple[float, str]:
    """Return the largest value of a step at which every condition holds, and the one that fails beyond it."""
    others = {**_open_steps(bound, values, overrides), **overrides}

    def fails(value: float) -> str:
        try:
            found = bound.evaluate(bound.resolve(values, {**others, name: value}), strict=False)
        except BoundcheckError as error:
            return str(error)
        return found.unmet[0].label if found.unmet else ""

    low, high = prescribed, prescribed
    while not fails(high):
        low, high = high, 2.0 * high
        if high > _LARGEST * prescribed:
            return float("inf"), ""
    for _ in range(_HALVINGS):
        middle = (low * high) ** 0.5
        low, high = (low, middle) if fails(middle) else (middle, high)
    return low, fails(high)


def _open_steps(bound: Bound, values: Values, overrides: Mapping[str, float]) -> dict[str, float]:
    """Return the open steps at their prescribed values, so that one can be moved alone."""
    resolved = bound.resolve(values, overrides)
    return {name: resolved[name] for name in steps_of(bound) if resolved[name] > 0.0}
