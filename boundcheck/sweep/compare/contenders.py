"""Who takes part in a comparison of guarantees: methods, the theorem of each, and a small grid of its steps."""

from __future__ import annotations

import dataclasses
import math
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from boundcheck.bounds import BOUNDS
from boundcheck.bounds.field import FIELD
from boundcheck.errors import BoundcheckError
from boundcheck.evidence.trials.examples import initial_values
from boundcheck.evidence.trials.trial import Trial
from boundcheck.methods import METHODS
from boundcheck.methods.kinds import kind_of, variances
from boundcheck.metrics import METRICS
from boundcheck.notation import FACTOR, PROBABILITY, STEP_SIZE, WEIGHT
from boundcheck.sweep.experiments.reading import load_recipe
from boundcheck.sweep.recipes.experiment import grid_size
from boundcheck.verdicts.status import of_bound

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boundcheck.engine.setting import Setting
    from boundcheck.problems.base import Problem
    from boundcheck.sweep.recipes.fields import Number

GRIDS = "leaderboard"
"""The shipped recipe whose grids methods are tuned on."""
MOST = 9
"""Most points of a grid before its steps are widened."""
_STEP: list[Number] = [0.03, 0.1, 0.3]
_WEIGHT: list[Number] = [0.1, 0.3]
_DEFAULT = {STEP_SIZE: _STEP, FACTOR: _STEP, WEIGHT: _WEIGHT, PROBABILITY: _WEIGHT}
"""Kind to the values that are tried where no recipe has a grid and, but for steps, the method no default."""
_VARIANCES = tuple(2.0**-power for power in range(11))
"""Relative variances of messages, tried where the conditions fail at 0: steps are smaller then, and they may hold."""


class Contender(NamedTuple):
    """A method that takes part, with the theorem that speaks of it here."""

    method: str
    bound: str
    """Name of the theorem; empty where none speaks."""
    why: str
    """Why none does, or not at the usual values of its letters."""
    letters: Mapping[str, float] = MappingProxyType({})
    """Free letters of the theorem that were chosen, as it does not speak at their usual values."""


def contenders(problem: Problem, setting: Setting, *, everyone: bool = False) -> list[Contender]:
    """Return the methods of a problem's kind with their theorems.

    Parameters
    ----------
    problem : Problem
    setting : Setting
    everyone : bool
        Also those of which no theorem speaks; else only those with an explicit bound on the squared gradient. Methods
        that are not listed take part where a theorem of the field speaks of them.
    """
    names = dict.fromkeys([*METHODS, *(BOUNDS[name].method for name in FIELD)])
    listed = set(METHODS)
    bounds = explicit_bounds()
    mine = (name for name in names if METHODS[name].card.kind == problem.kind)
    found = [_contender(name, bounds.get(name, []), problem, setting) for name in mine]
    return [one for one in found if one.bound or (one.method in listed and (everyone or one.why))]


def _contender(method: str, names: Sequence[str], problem: Problem, setting: Setting) -> Contender:
    speaking, why = _speaking(names, problem, setting, {})
    if speaking:
        return Contender(method, min(speaking)[-1], "")
    found = []
    for letter in variances(METHODS[method]):
        free = [name for name in names if letter in BOUNDS[name].free]
        for variance in _VARIANCES:
            speaking, _ = _speaking(free, problem, setting, {letter: variance})
            found += [(one, letter, variance) for one in speaking]
    if not found:
        return Contender(method, "", why)
    best, letter, variance = min(found)
    return Contender(method, best[-1], why, {letter: variance})


def _speaking(
    names: Sequence[str], problem: Problem, setting: Setting, letters: Mapping[str, float]
) -> tuple[list[tuple[bool, float, str]], str]:
    """Return which bounds speak: whether false as printed, right-hand side, name; and why the last one does not."""
    found, why = [], ""
    for name in names:
        try:
            overrides = {**initial_values(BOUNDS[name], setting.N), **letters}
            doubt = of_bound(name).status == "false as printed"
            found.append((doubt, Trial.of(BOUNDS[name], problem, setting, overrides).evaluation.rhs, name))
        except BoundcheckError as error:
            why = str(error)
    return found, why


def explicit_bounds() -> dict[str, list[str]]:
    """Return, by method, the bounds on its averaged squared gradient that have no hidden constant."""
    found: dict[str, list[str]] = {}
    for name in [*BOUNDS, *FIELD]:
        bound = BOUNDS[name]
        if bound.kind == "explicit" and METRICS[bound.metric].averages_gradients:
            found.setdefault(bound.method, []).append(name)
    return found


@cache
def _grids() -> dict[str, dict[str, list[Number]]]:
    return {entrant.method: entrant.grid for e in load_recipe(GRIDS).experiment for entrant in e.entrant}


def grid_of(contender: Contender, problem: Problem, setting: Setting) -> dict[str, list[Number]]:
    """Return the points at which a method is tuned; what has neither grid nor default is as the theorem has it."""
    grid = small_grid(contender.method, _curvature(problem))
    needed = [f.name for f in dataclasses.fields(METHODS[contender.method]) if f.default is dataclasses.MISSING]  # type: ignore[arg-type]
    if contender.bound and not set(needed) <= set(grid):
        overrides = {**initial_values(BOUNDS[contender.bound], setting.N), **contender.letters}
        method = Trial.of(BOUNDS[contender.bound], problem, setting, overrides).method
        grid |= {name: [getattr(method, name)] for name in needed if name not in grid}
    return grid


def _curvature(problem: Problem) -> float:
    """Return L; of a problem whose curvature grows with the gradient that where |grad f|^2 = L_0 Delta."""
    constants = problem.constants
    if "L" in constants or "L_1" not in constants:
        return problem.constant("L")
    return problem.constant("L_0") + problem.constant("L_1") * math.sqrt(
        problem.constant("L_0") * problem.constant("Delta")
    )


def small_grid(method: str, unit: float) -> dict[str, list[Number]]:
    """Return at most `MOST` points at which a method is tuned: those of the shipped leaderboard, thinned.

    Parameters
    ----------
    method : str
    unit : float
        Smoothness L of the problem: local steps are in units of 1/L.
    """
    grid = {name: list(values) for name, values in _grids().get(method, _plain(method)).items()}
    for name in reversed(list(grid)):
        if grid_size(grid) > MOST:
            grid[name] = [grid[name][len(grid[name]) // 2]]
    return {name: [_scale_step(name, v, unit) for v in values] for name, values in grid.items()}


def _plain(method: str) -> dict[str, list[Number]]:
    """Return a grid for a method that the recipe has not: its steps, and factors and weights that have no default."""
    kinds = {f.name: (kind_of(f), f.default is not dataclasses.MISSING) for f in dataclasses.fields(METHODS[method])}  # type: ignore[arg-type]
    return {
        name: _DEFAULT[kind]
        for name, (kind, has_default) in kinds.items()
        if kind in _DEFAULT and (kind is STEP_SIZE or not has_default)
    }


def _scale_step(name: str, value: Number, unit: float) -> Number:
    local = name in {"eta", "eta_x", "eta_y"} and isinstance(value, float)
    # A problem without curvature has no unit of steps.
    return value / unit if local and isinstance(value, float) and unit > 0 else value
