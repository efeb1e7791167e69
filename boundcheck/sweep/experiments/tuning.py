"""Tuning: every method on a grid of its own, on seeds that serve for nothing else, by one rule for all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.engine.setting import Setting
from boundcheck.engine.simulate import check_setting
from boundcheck.errors import BoundcheckError, NotApplicableError, require
from boundcheck.methods import METHODS
from boundcheck.methods.kinds import kinds, reals
from boundcheck.methods.storage import memory
from boundcheck.metrics import metric_of
from boundcheck.sweep.cells.cells import Cell
from boundcheck.sweep.experiments.nested import image_of, innermost_first
from boundcheck.sweep.experiments.readouts import level_to_reach, score, time_to
from boundcheck.sweep.experiments.spending import last_within_budget, spending
from boundcheck.sweep.recipes.experiment import grid_points

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from boundcheck.notation import Kind
    from boundcheck.problems.base import Array
    from boundcheck.sweep.cells.store import CellResult, Store
    from boundcheck.sweep.recipes.experiment import Axis, Entrant, Experiment, Reading, Readout
    from boundcheck.sweep.recipes.fields import Number
    from boundcheck.sweep.recipes.recipe import Recipe

    Grid = dict[str, list[Number]]

_APART = 2**62
"""Between the seeds that decide and those that serve for tuning."""


class Budgeted(NamedTuple):
    """What a method is tuned for, and read by: a readout on an axis of the budget."""

    reading: Reading
    axis: Axis
    budget: float
    """Of the axis, the share of the reading taken."""


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
    made: dict[Any, Cell] = field(default_factory=dict, compare=False, repr=False)
    """Cells that were made already: every readout asks for the same ones."""

    def run(self, entrant: Entrant) -> Setting:
        """Return clients, local steps, rounds and minibatch of an entrant."""
        at, about = self.setting, self.experiment
        N = int(at["N"])
        return Setting(N=N, S=int(at.get("S", N)), K=entrant.K or int(at["K"]), T=int(at["T"]), b=about.b)

    @property
    def problem(self) -> str:
        """Return the name of the problem."""
        return str(self.setting["problem"])

    def cell(self, entrant: Entrant, hyper: Mapping[str, Number], *, tuning: bool, copy: bool = False) -> Cell:
        """Return the cell of an entrant at one point of its grid; a copy is tuned on seeds of its own."""
        key = (entrant.name, *hyper.items(), tuning, copy)
        if key not in self.made:
            self.made[key] = self._make(entrant, hyper, tuning=tuning, copy=copy)
        return self.made[key]

    def _make(self, entrant: Entrant, hyper: Mapping[str, Number], *, tuning: bool, copy: bool) -> Cell:
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
            tuning_seed(recipe.seed, copy=copy) if tuning else recipe.seed,
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


def tuning_seed(seed: int, *, copy: bool = False) -> int:
    """Return the root seed of all tuning runs of a recipe; no recipe has it as its own and as that of its verdicts."""
    return (seed + _APART + (_APART // 2 if copy else 0)) % 2**63


def tune_all(
    place: ExperimentSetting,
    runners: Sequence[Entrant],
    what: Budgeted,
    store: Store,
    seen: set[Cell] | None = None,
) -> dict[str, TunedPoint | list[Cell]]:
    """Return the tuned point of every entrant, or the cells that must run before.

    An entrant that contains others also runs where it is one of them, tuned: those are tuned first.
    """
    found: dict[str, TunedPoint | list[Cell]] = {}
    for entrant in innermost_first(runners):
        images = images_in(place, runners, entrant, found)
        found[entrant.name] = tune(place, entrant, what, store, seen, images=images)
    return {entrant.name: found[entrant.name] for entrant in runners}


def images_in(
    place: ExperimentSetting,
    runners: Sequence[Entrant],
    entrant: Entrant,
    found: Mapping[str, TunedPoint | list[Cell]],
) -> list[dict[str, Number]]:
    """Return the points at which an entrant is one of those that are tuned."""
    return [
        image
        for inner in runners
        if isinstance(known := found.get(inner.name), TunedPoint)
        and (image := image_of(inner, entrant, known.hyper, place.run(entrant).K)) is not None
    ]


def tune(
    place: ExperimentSetting,
    entrant: Entrant,
    what: Budgeted,
    store: Store,
    seen: set[Cell] | None = None,
    *,
    images: Sequence[Mapping[str, Number]] = (),
    copy: bool = False,
) -> TunedPoint | list[Cell]:
    """Return the tuned point for one budget and readout, or the cells that must run before.

    Parameters
    ----------
    place, entrant, what, store
        What is tuned, for what, and where results are.
    seen : set of Cell, optional
        Gets every cell that is needed.
    images : sequence of mappings, optional
        Further points, at which the entrant is another method.
    copy : bool
        Whether to tune on the seeds of copies.
    """
    grid = entrant.grid
    if all(len(values) == 1 for values in grid.values()):
        return TunedPoint(next(grid_points(grid)), float("nan"), (), 1)
    for left in range(place.experiment.widen, -1, -1):
        points = list(grid_points(grid))
        # What another method has found widens no grid: the own search goes as far as it would without.
        cells = [place.cell(entrant, hyper, tuning=True, copy=copy) for hyper in (*points, *images)]
        if seen is not None:
            seen.update(cells)
        missing = [cell for cell in cells if not store.has(cell)]
        if missing:
            return missing
        scores = [_mean_score(place, cell, what, store) for cell in cells]
        best = int(np.argmin(scores[: len(points)]))
        known = kinds(METHODS[entrant.method])
        edges = tuple(name for name in grid if _on_edge(known[name], grid[name], points[best][name]))
        wider = _wider(place, entrant, grid, points[best], edges)
        if not wider or not left or not np.isfinite(scores[best]):
            first = int(np.argmin(scores))
            tried = len(points) + sum(image not in points for image in images)
            if first < len(points):
                return TunedPoint(points[best], scores[best], edges, tried)
            return TunedPoint(images[first - len(points)], scores[first], (), tried)
        grid = grid | wider
    raise AssertionError


def _mean_score(place: ExperimentSetting, cell: Cell, what: Budgeted, store: Store) -> float:
    spent = spending(cell)
    at = last_within_budget(spent, what.axis, what.budget)
    if at is None:
        return float("inf")
    found = read_score(place.experiment, store.read(cell), at, what.reading.readout, spent[what.axis])
    return float(found.mean())


def read_score(about: Experiment, measured: CellResult, at: int, readout: Readout, spent: Array) -> Array:
    """Return what the metric of an experiment says of every run by a readout, small numbers being good."""
    metric = metric_of(about.metric)
    if readout != "time":
        return score(measured, metric, at, readout)
    level = level_to_reach(about, metric, measured)
    return (
        np.zeros(len(measured.average[metric.name])) if level is None else time_to(measured, metric, at, spent, level)
    )


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
