"""Who takes part in a comparison of guarantees: methods, the theorem of each, and a small grid of its steps."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from boundcheck.bounds import BOUNDS
from boundcheck.errors import BoundcheckError
from boundcheck.evidence.along import initial_values
from boundcheck.evidence.status import of_bound
from boundcheck.evidence.trial import Trial
from boundcheck.methods import METHODS
from boundcheck.sweep.experiment import tried
from boundcheck.sweep.reading import load_recipe
from boundcheck.sweep.tuning import STEPS

if TYPE_CHECKING:
    from boundcheck.engine.setting import Setting
    from boundcheck.problems.base import Problem
    from boundcheck.sweep.fields import Number

GRIDS = "leaderboard"
"""The shipped recipe whose grids methods are tuned on."""
MOST = 9
"""Most points of a grid before its steps are widened."""
_DEFAULT = [0.03, 0.1, 0.3]
_SIDES = frozenset(
    {"server_gradient", "local_gradient", "output_gradient", "envelope_gradient", "envelope_gradient_sum"}
)
"""Left-hand sides that are averages of squared gradients."""


class Contender(NamedTuple):
    """A method that takes part, with the theorem that speaks of it here."""

    method: str
    bound: str
    """Name of the theorem; empty where none speaks."""
    why: str
    """Why none does."""


def contenders(problem: Problem, setting: Setting, *, everyone: bool = False) -> list[Contender]:
    """Return the methods of a problem's kind with their theorems.

    Parameters
    ----------
    problem : Problem
    setting : Setting
    everyone : bool
        Also those of which no theorem speaks; else only those with an explicit bound on the squared gradient.
    """
    kind = "minimise" if problem.blocks is None else "minimax"
    found = [_contender(name, problem, setting) for name in METHODS if METHODS[name].card.kind == kind]
    return [one for one in found if everyone or one.bound or one.why]


def _contender(method: str, problem: Problem, setting: Setting) -> Contender:
    speaking: dict[str, float] = {}
    reasons: list[str] = []
    for name in explicit_bounds(method):
        try:
            overrides = initial_values(BOUNDS[name], setting.N)
            speaking[name] = Trial.of(BOUNDS[name], problem, setting, overrides).evaluation.rhs
        except BoundcheckError as error:
            reasons.append(str(error))
    if speaking:
        return Contender(method, min(speaking, key=lambda name: (_doubt(name), speaking[name])), "")
    return Contender(method, "", reasons[-1] if reasons else "")


def _doubt(name: str) -> bool:
    return of_bound(name).status == "false as printed"


def explicit_bounds(method: str) -> list[str]:
    """Return the bounds on a method's averaged squared gradient that have no hidden constant."""
    every = ((name, BOUNDS[name]) for name in BOUNDS)
    return [name for name, b in every if b.method == method and b.kind == "explicit" and b.metric in _SIDES]


@cache
def _grids() -> dict[str, dict[str, list[Number]]]:
    return {entrant.method: entrant.grid for e in load_recipe(GRIDS).experiment for entrant in e.entrant}


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
        if tried(grid) > MOST:
            grid[name] = [grid[name][len(grid[name]) // 2]]
    return {name: [_scaled(name, v, unit) for v in values] for name, values in grid.items()}


def _plain(method: str) -> dict[str, list[Number]]:
    """Return a grid for a method of the user's: its steps, where they have no default."""
    fields = dataclasses.fields(METHODS[method])  # type: ignore[arg-type]
    return {f.name: list(_DEFAULT) for f in fields if f.name in STEPS and f.default is dataclasses.MISSING}


def _scaled(name: str, value: Number, unit: float) -> Number:
    local = name in {"eta", "eta_x", "eta_y"} and isinstance(value, float)
    return value / unit if local and isinstance(value, float) else value
