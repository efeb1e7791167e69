"""From a recipe to cells: everything that decides one cell's numbers, and a name made from it."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from boundcheck.bounds import BOUNDS
from boundcheck.engine.quantities import QUANTITIES
from boundcheck.engine.setting import Setting
from boundcheck.errors import BoundcheckError, InputError, NotApplicableError, require
from boundcheck.evidence.trials.coins import tosses_coins
from boundcheck.evidence.trials.examples import initial_values
from boundcheck.evidence.trials.trial import Trial
from boundcheck.limits import require_run
from boundcheck.methods import METHODS
from boundcheck.methods.kinds import declared_kind
from boundcheck.notation import CHOICE, REAL
from boundcheck.problems import instance, load_problem
from boundcheck.problems.catalog import parse_name
from boundcheck.sweep.recipes.recipe import settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from boundcheck.bounds.bound import Bound
    from boundcheck.methods.base import Method
    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Problem
    from boundcheck.sweep.recipes.fields import Number
    from boundcheck.sweep.recipes.recipe import ComparedMethod, Recipe, Study

SCHEMA = 1
"""Raised when a change makes old result files mean something else."""


@dataclass(frozen=True)
class Cell:
    """One setting of one method on one problem, run for all replicates."""

    problem: str
    parameters: tuple[tuple[str, Number], ...]
    setting: Setting
    method: str
    hyper: tuple[tuple[str, Number], ...]
    metrics: tuple[Metric, ...]
    seed: int
    replicates: int
    points: int
    quantities: tuple[str, ...] = ()
    """What belongs to the run and is measured along it."""
    schedule: tuple[tuple[str, str], ...] = ()
    """Laws of the steps by round, see `boundcheck.methods.schedule`."""
    weight_decay: float = 0.0
    after: int = dataclasses.field(default=0, compare=False)
    """The first replicates, which a store has as a cell of their own: they are read, not run again."""

    @property
    def lanes(self) -> range:
        """Return the replicates that are to be run."""
        return range(self.after, self.replicates)

    @property
    def earlier(self) -> Cell:
        """Return the cell of the replicates that are not."""
        return dataclasses.replace(self, replicates=self.after, after=0)

    @cached_property
    def id(self) -> str:
        """Return the name of the cell: a hash of everything that decides its numbers."""
        # What the problem is counts, not what its file is called.
        content = self.content | {"schema": SCHEMA, "problem": _instance(self.problem)}
        for name in ("quantities", "schedule", "weight_decay"):
            # What a cell does not use is no part of its name, which stays when a further choice is added.
            if not content[name]:
                content.pop(name)
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:20]

    @property
    def content(self) -> dict[str, Any]:
        """Return everything that decides the cell's numbers as plain data, the letters of its setting side by side."""
        plain = {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.name not in ("setting", "after")}
        return dataclasses.asdict(self.setting) | plain | {"metrics": [metric.label for metric in self.metrics]}

    def make_problem(self) -> Problem:
        """Return the problem of this cell."""
        return make_problem(self.problem, self.parameters, self.setting.N)

    def make_method(self) -> Method:
        """Return the method of this cell."""
        cls: Any = METHODS[self.method]
        return build_method(cls, self.hyper)


@cache
def make_problem(name: str, parameters: tuple[tuple[str, Number], ...], N: int) -> Problem:
    """Return a problem, made once a process."""
    return load_problem(name, N=N, **dict(parameters))


@cache
def _instance(name: str) -> dict[str, Any]:
    base, chosen = parse_name(name)
    found = instance(base)
    return {"family": found.family, "parameters": {**found.parameters, **chosen}}


def build_method(cls: type[Method], hyper: tuple[tuple[str, Number], ...]) -> Method:
    """Return the method with these hyperparameters.

    Raises
    ------
    NotApplicableError
        If the method has no hyperparameter of a name.
    InputError
        If a value is not legal, or a hyperparameter without a default is missing.
    """
    legal = {f.name: f for f in dataclasses.fields(cls)}  # type: ignore[arg-type]
    for name, value in hyper:
        if name not in legal:
            msg = f"method {cls.card.id} has no hyperparameter {name!r}; it has {', '.join(legal)}"
            raise NotApplicableError(msg)
        if value != legal[name].default:
            fits, words = _legal(legal[name])
            require(fits(value), f"{cls.card.id}: {name}", value, words)
    given = dict(hyper)
    missing = [name for name, f in legal.items() if f.default is dataclasses.MISSING and name not in given]
    if missing:
        msg = f"method {cls.card.id} needs {', '.join(missing)}; it has {', '.join(legal)}"
        raise InputError(msg)
    return cls(**given)


def _legal(field: dataclasses.Field[Any]) -> tuple[Callable[[object], bool], str]:
    """Return what a user may give for a hyperparameter: a test and its words."""
    kind = declared_kind(field) or REAL
    if kind is CHOICE:
        word = isinstance(field.default, str) or "str" in str(field.type)
        return (lambda v: isinstance(v, str), "a word") if word else (lambda v: isinstance(v, bool), "true or false")
    types: tuple[type, ...] = (int,) if kind.whole else (int, float)

    def fits(value: object) -> bool:
        number = isinstance(value, types) and not isinstance(value, bool)
        return number and math.isfinite(value) and kind.fits(value)  # type: ignore[arg-type]

    return fits, kind.legal


def _at_horizon(comparison: ComparedMethod, T: int) -> dict[str, Number]:
    """Return the hyperparameters at horizon T."""
    hyper = dict(comparison.hyper)
    for name, power in comparison.powers.items():
        value = hyper[name]
        require(type(value) in {int, float}, f"{comparison.method}: {name}", value, "a number, as it has a power of T")
        hyper[name] = math.ceil(value * T**power) if isinstance(value, int) else value * T**power
    return hyper


@dataclass(frozen=True)
class PlannedPoint:
    """A grid point of a study: the cell to run for the bounds, and the cells of the compared methods."""

    study: Study
    setting: Mapping[str, Number]
    """Axis name to value."""
    cell: Cell | None
    trial: Trial | None
    reason: str = ""
    """Why there is no cell."""
    compared: tuple[tuple[ComparedMethod, Cell], ...] = ()


def plan(recipe: Recipe) -> list[PlannedPoint]:
    """Expand a recipe; grid points where bound and problem do not go together carry the reason instead of a cell."""
    return [_in_study(recipe, study, setting) for study in recipe.study for setting in settings(study)]


def _in_study(recipe: Recipe, study: Study, setting: dict[str, Number]) -> PlannedPoint:
    """Plan one grid point; a mistake names the study it is in."""
    try:
        return _plan_point(recipe, study, setting)
    except BoundcheckError as error:
        msg = f"study {study.id}: {error}"
        raise InputError(msg) from None


def _plan_point(recipe: Recipe, study: Study, setting: dict[str, Number]) -> PlannedPoint:
    bound = BOUNDS[study.bounds[0]]
    parameters = tuple((k, v) for k, v in setting.items() if k not in {"N", "K", "T", "S"})
    N = int(setting["N"])
    run = Setting(N=N, S=int(setting.get("S", N)), K=int(setting["K"]), T=int(setting["T"]), b=study.b)
    try:
        problem = make_problem(study.problem, parameters, N)
        require_run(N=N, d=problem.d, S=run.S, b=run.b, T=run.T, replicates=recipe.budget or recipe.replicates)
        trial = Trial.of(bound, problem, run, initial_values(bound, N) | study.overrides)
    except NotApplicableError as error:
        return PlannedPoint(study, setting, None, None, str(error))
    metrics = tuple(dict.fromkeys(dataclasses.replace(trial, bound=BOUNDS[name]).metric for name in study.bounds))
    quantities = sorted({BOUNDS[name].measured[x] for name in study.bounds for x in along_the_run(BOUNDS[name])})
    replicates = recipe.replicates if trial.is_random else 1

    def cell(method: str, hyper: tuple[tuple[str, Number], ...]) -> Cell:
        return Cell(study.problem, parameters, run, method, hyper, metrics, recipe.seed, replicates, recipe.points)

    hyper = tuple(
        (f.name, getattr(trial.method, f.name))
        for f in dataclasses.fields(trial.method)  # type: ignore[arg-type]
    )
    compared = tuple((c, cell(c.method, tuple(_at_horizon(c, run.T).items()))) for c in study.compare)
    compared = tuple((c, _replicate_cell(other, recipe.replicates)) for c, other in compared)
    laws = getattr(trial.method, "laws", ())
    measuring = dataclasses.replace(cell(bound.method, hyper), quantities=tuple(quantities), schedule=laws)
    return PlannedPoint(study, setting, measuring, trial, compared=compared)


def _replicate_cell(cell: Cell, replicates: int) -> Cell:
    """Return the cell of a compared method with as many replicates as its own coins ask for."""
    method = cell.make_method()
    if cell.replicates > 1 or not tosses_coins(cell.make_problem(), method, cell.setting):
        return cell
    return dataclasses.replace(cell, replicates=replicates)


def along_the_run(bound: Bound) -> list[str]:
    """Return the letters of a bound that a sweep measures: those without a value that always serves."""
    return [letter for letter, name in bound.measured.items() if QUANTITIES[name].ceiling is None]


def all_cells(recipe: Recipe) -> Iterator[Cell]:
    """Yield every cell of a recipe, those of compared methods included."""
    yield from cells_of(plan(recipe))


def cells_of(planned: Iterable[PlannedPoint]) -> Iterator[Cell]:
    """Yield the cells of planned points."""
    for point in planned:
        if point.cell is not None:
            yield point.cell
        for _, cell in point.compared:
            yield cell
