"""Tuning: every method on a grid of its own, on seeds that serve for nothing else, by one rule for all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.engine.setting import Setting
from boundcheck.engine.simulate import check_setting
from boundcheck.errors import BoundcheckError, NotApplicableError, require
from boundcheck.methods import METHODS
from boundcheck.methods.kinds import kinds, reals
from boundcheck.methods.storage import memory
from boundcheck.metrics import metric_of
from boundcheck.sweep.cells.cells import Cell
from boundcheck.sweep.experiments.reads import score
from boundcheck.sweep.experiments.spending import last_within_budget, spending
from boundcheck.sweep.recipes.experiment import grid_points

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from boundcheck.notation import Kind
    from boundcheck.sweep.cells.store import Store
    from boundcheck.sweep.recipes.experiment import Axis, Entrant, Experiment
    from boundcheck.sweep.recipes.fields import Number
    from boundcheck.sweep.recipes.recipe import Recipe

    Grid = dict[str, list[Number]]

_APART = 2**62
"""Between the seeds that decide and those that serve for tuning."""


@dataclass(frozen=True)
class TunedPoint:
    """The point of a grid that was taken for one budget."""

    hyper: Mapping[str, Number]
    score: float
    """Its mean score on the tuning seeds: infinite where every point diverged, nan where there was no choice."""
    edges: tuple[str, ...]
    """Hyperparameters whose optimum lies on the edge of the grid, after widening."""
    tried: int
    """Points of the grid, the widened ones included."""


@dataclass(frozen=True)
class ExperimentSetting:
    """One setting of an experiment's grid, with what all its cells have in common."""

    recipe: Recipe
    experiment: Experiment
    setting: Mapping[str, Number]

    def run(self, entrant: Entrant) -> Setting:
        """Return clients, local steps, rounds and minibatch of an entrant."""
        at, about = self.setting, self.experiment
        N = int(at["N"])
        return Setting(N=N, S=int(at.get("S", N)), K=entrant.K or int(at["K"]), T=int(at["T"]), b=about.b)

    @property
    def problem(self) -> str:
        """Return the name of the problem."""
        return str(self.setting["problem"])

    def cell(self, entrant: Entrant, hyper: Mapping[str, Number], *, tuning: bool) -> Cell:
        """Return the cell of an entrant at one point of its grid."""
        about, recipe = self.experiment, self.recipe
        parameters = tuple((k, v) for k, v in self.setting.items() if k not in {"problem", "N", "K", "S", "T"})
        names = [about.metric] if tuning else [about.metric, *about.metrics]
        return Cell(
            self.problem,
            parameters,
            self.run(entrant),
            entrant.method,
            _floats_where_real(entrant.method, hyper),
            tuple(metric_of(name) for name in dict.fromkeys(names)),
            tuning_seed(recipe.seed) if tuning else recipe.seed,
            about.tuning if tuning else about.replicates or recipe.replicates,
            recipe.points,
            schedule=tuple(entrant.schedule.items()),
            weight_decay=entrant.weight_decay,
        )

    def require_fit(self, entrant: Entrant) -> None:
        """Refuse an entrant that cannot run here.

        Raises
        ------
        NotApplicableError
            If method, metrics and problem do not go together.
        """
        for hyper in grid_points(entrant.grid):
            cell = self.cell(entrant, hyper, tuning=False)
            problem = cell.make_problem()
            check_setting(problem, cell.make_method(), cell.setting)
            for metric in cell.metrics:
                metric.require_on(problem)
            self._require_memory(cell)

    def _require_memory(self, cell: Cell) -> None:
        kept, d = memory(cell.make_method(), N=cell.setting.N, d=cell.make_problem().d).client, cell.make_problem().d
        most = self.experiment.memory
        if most is not None and kept > most * d:
            msg = f"method {cell.method} keeps {kept / d:g} d numbers on a client, but memory = {most:g}"
            raise NotApplicableError(msg)


def _floats_where_real(method: str, hyper: Mapping[str, Number]) -> tuple[tuple[str, Number], ...]:
    """Return hyperparameters with whole numbers as floats where the method has a number: 1 and 1.0 are one cell."""
    numbers = reals(METHODS[method])
    return tuple((k, float(v) if k in numbers and type(v) is int else v) for k, v in hyper.items())


def tuning_seed(seed: int) -> int:
    """Return the root seed of all tuning runs of a recipe; no recipe has it as its own and as that of its verdicts."""
    return (seed + _APART) % 2**63


def tune(
    place: ExperimentSetting, entrant: Entrant, axis: Axis, budget: float, store: Store, seen: set[Cell] | None = None
) -> TunedPoint | list[Cell]:
    """Return the tuned point for one budget, or the cells that must run before; `seen` gets all that it needs."""
    grid = entrant.grid
    if all(len(values) == 1 for values in grid.values()):
        return TunedPoint(next(grid_points(grid)), float("nan"), (), 1)
    for left in range(place.experiment.widen, -1, -1):
        points = list(grid_points(grid))
        cells = [place.cell(entrant, hyper, tuning=True) for hyper in points]
        if seen is not None:
            seen.update(cells)
        missing = [cell for cell in cells if not store.has(cell)]
        if missing:
            return missing
        scores = [_mean_score(place, cell, axis, budget, store) for cell in cells]
        best = int(np.argmin(scores))
        known = kinds(METHODS[entrant.method])
        edges = tuple(name for name in grid if _on_edge(known[name], grid[name], points[best][name]))
        wider = _wider(place, entrant, grid, points[best], edges)
        if not wider or not left or not np.isfinite(scores[best]):
            return TunedPoint(points[best], scores[best], edges, len(points))
        grid = grid | wider
    raise AssertionError


def _mean_score(place: ExperimentSetting, cell: Cell, axis: Axis, budget: float, store: Store) -> float:
    at = last_within_budget(spending(cell), axis, budget)
    if at is None:
        return float("inf")
    about = place.experiment
    return float(score(store.read(cell), metric_of(about.metric), at, about.read).mean())


def _on_edge(kind: Kind, values: list[Number], value: Number) -> bool:
    """Return whether a number is the largest or smallest of several, and could be larger or smaller."""
    numbers = [v for v in values if isinstance(v, (int, float)) and not isinstance(v, bool)]
    if len(numbers) < 2 or value not in numbers or value in kind.ends:
        return False
    return value in {min(numbers), max(numbers)}


def _wider(
    place: ExperimentSetting, entrant: Entrant, grid: Grid, best: Mapping[str, Number], edges: tuple[str, ...]
) -> Grid:
    """Return the grids that reach beyond the edges on which the optimum lies, where the method allows it."""
    wider: Grid = {}
    known = kinds(METHODS[entrant.method])
    for name in edges:
        beyond = _beyond(known[name], [float(v) for v in grid[name]], float(best[name]))
        if beyond == best[name]:
            continue
        try:
            place.cell(entrant, {**best, name: beyond}, tuning=True).make_method()
        except BoundcheckError:
            continue
        wider[name] = [*grid[name], beyond]
    return wider


def _beyond(kind: Kind, values: list[float], value: float) -> Number:
    """Return the number beyond the edge at `value`: at the ratio of the last two, of a weight at that of v/(1 - v)."""
    low, *_, high = numbers = sorted(values)
    require(low > 0 or bool(kind.ends), "grid of a step", low, "numbers > 0")
    edge, inner = numbers[:2] if value == low else numbers[:-3:-1]
    if inner <= 0:
        return edge
    if kind.spread == "odds" and high < 1:
        odds = (edge / (1 - edge)) ** 2 / (inner / (1 - inner))
        return odds / (1 + odds)
    beyond = kind.nearest(edge * edge / inner)
    return int(beyond) if kind.whole else beyond


def entrants(place: ExperimentSetting) -> Iterator[tuple[Entrant, str]]:
    """Yield every entrant with the reason why it cannot run here, empty where it can."""
    for entrant in place.experiment.entrant:
        try:
            place.require_fit(entrant)
        except NotApplicableError as error:
            yield entrant, str(error)
        else:
            yield entrant, ""
