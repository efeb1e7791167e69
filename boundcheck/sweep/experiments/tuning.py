"""Tuning: every method on a grid of its own, on seeds that serve for nothing else, by one rule for all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import BoundcheckError, require
from boundcheck.methods import METHODS
from boundcheck.methods.kinds import kinds
from boundcheck.metrics import metric_of
from boundcheck.sweep.cells.points import mistakes_in
from boundcheck.sweep.experiments.nested import image_of, innermost_first
from boundcheck.sweep.experiments.readouts import level_to_reach, score, time_to
from boundcheck.sweep.experiments.spending import last_within_budget, spending
from boundcheck.sweep.recipes.experiment import grid_points

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from boundcheck.notation import Kind
    from boundcheck.problems.base import Array
    from boundcheck.sweep.cells.cells import Cell
    from boundcheck.sweep.cells.store import CellResult, Store
    from boundcheck.sweep.experiments.setting import Budgeted, ExperimentSetting
    from boundcheck.sweep.recipes.experiment import Entrant, Experiment, Readout
    from boundcheck.sweep.recipes.fields import Number

    Grid = dict[str, list[Number]]

_CHANCE = 2.0
"""Standard errors by which an own point must be ahead of that of a contained method."""


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


def experiment_cells(place: ExperimentSetting, store: Store) -> dict[Cell, None]:
    """Return the cells of tuning, and behind them those that decide, as far as methods are tuned.

    Raises
    ------
    InputError
        If an entrant's hyperparameters are not legal; the message names the experiment.
    """
    needed: dict[Cell, None] = {}
    with mistakes_in(f"experiment {place.grid.id}"):
        for _, entrant, _, tuned in tune_entrants(place, store, needed):
            if tuned is not None:
                needed[place.cell(entrant, tuned.hyper, tuning=False)] = None
    return needed


def tune_entrants(
    place: ExperimentSetting, store: Store, needed: dict[Cell, None]
) -> Iterator[tuple[Budgeted, Entrant, bool, TunedPoint | None]]:
    """Yield for every question and entrant, and for every copy of one (True), the tuned point; see `tune`."""
    for what in place.questions():
        points = tune_all(place, what, store, needed)
        for entrant in place.runners:
            yield what, entrant, False, points[entrant.name]
        for entrant in place.copied_entrant(what):
            images = images_in(place, entrant, points)
            yield what, entrant, True, tune(place, entrant, what, store, needed, images=images, copy=True)


def tune_all(
    place: ExperimentSetting, what: Budgeted, store: Store, needed: dict[Cell, None]
) -> dict[str, TunedPoint | None]:
    """Return the tuned point of every entrant, None where cells must run before; `needed` gets all cells that count.

    An entrant that contains others also runs where it is one of them, tuned: those are tuned first.  It leaves their
    points only for one of its own that is clearly ahead.
    """
    found: dict[str, TunedPoint | None] = {}
    for entrant in innermost_first(place.runners):
        found[entrant.name] = tune(place, entrant, what, store, needed, images=images_in(place, entrant, found))
    return {entrant.name: found[entrant.name] for entrant in place.runners}


def images_in(
    place: ExperimentSetting, entrant: Entrant, found: Mapping[str, TunedPoint | None]
) -> list[dict[str, Number]]:
    """Return the points at which an entrant is one of those that are tuned."""
    return [
        image
        for inner in place.runners
        if (known := found.get(inner.name)) is not None
        and (image := image_of(inner, entrant, known.hyper, place.run(entrant.K).K)) is not None
    ]


def tune(
    place: ExperimentSetting,
    entrant: Entrant,
    what: Budgeted,
    store: Store,
    needed: dict[Cell, None],
    *,
    images: Sequence[Mapping[str, Number]] = (),
    copy: bool = False,
) -> TunedPoint | None:
    """Return the tuned point for one budget and readout, None where cells must run before.

    Parameters
    ----------
    place, entrant, what, store
        What is tuned, for what, and where results are.
    needed : dict
        Gets every cell whose result counts, as a key.
    images : sequence of mappings, optional
        Further points, at which the entrant is another method.
    copy : bool
        Whether to tune on the seeds of copies.
    """
    grid = entrant.grid
    if all(len(values) == 1 for values in grid.values()):
        return TunedPoint(next(grid_points(grid)), float("nan"), (), 1)
    for left in range(place.grid.widen, -1, -1):
        points = list(grid_points(grid))
        # What another method has found widens no grid: the own search goes as far as it would without.
        cells = [place.cell(entrant, hyper, tuning=True, copy=copy) for hyper in (*points, *images)]
        needed.update(dict.fromkeys(cells))
        if not all(map(store.has, cells)):
            return None
        runs = [_scores(place, cell, what, store) for cell in cells]
        scores = [float(one.mean()) for one in runs]
        best = int(np.argmin(scores[: len(points)]))
        known = kinds(METHODS[entrant.method])
        edges = tuple(name for name in grid if _on_edge(known[name], grid[name], points[best][name]))
        wider = _wider(place, entrant, grid, points[best], edges)
        if not wider or not left or not np.isfinite(scores[best]):
            tried = len(points) + sum(image not in points for image in images)
            other = len(points) + int(np.argmin(scores[len(points) :])) if images else best
            if other == best or _is_ahead(runs[best], runs[other]):
                return TunedPoint(points[best], scores[best], edges, tried)
            return TunedPoint(images[other - len(points)], scores[other], (), tried)
        grid = grid | wider
    raise AssertionError


def _is_ahead(own: Array, other: Array) -> bool:
    """Return whether scores are smaller than those at another method's point by more than chance.

    On few tuning runs some point of a grid is ahead of the contained method's by luck, and behind it afterwards.
    """
    if not (np.isfinite(own).all() and np.isfinite(other).all()):
        return bool(own.mean() < other.mean())
    gap = own - other
    spread = float(gap.std(ddof=1)) / len(gap) ** 0.5 if len(gap) > 1 else 0.0
    return bool(gap.mean() < -_CHANCE * spread)


def _scores(place: ExperimentSetting, cell: Cell, what: Budgeted, store: Store) -> Array:
    spent = spending(cell)
    at = last_within_budget(spent, what.axis, what.budget)
    if at is None:
        return np.full(cell.replicates, np.inf)
    return read_score(place.grid, cell, store.read(cell), at, what.reading.readout, spent[what.axis])


def read_score(about: Experiment, cell: Cell, measured: CellResult, at: int, readout: Readout, spent: Array) -> Array:
    """Return what the metric of an experiment says of every run by a readout, small numbers being good."""
    metric = metric_of(about.metric)
    if readout != "time":
        return score(measured, metric, at, readout)
    level = level_to_reach(about, metric, cell.make_problem())
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
    # Of 0 and one other number there is no ratio to go on with.
    if inner <= 0:
        return edge
    # By ratios 0.9, 0.99 would go on to 1.089, which is no weight; by odds the next one is 0.999.
    if kind.spread == "odds" and high < 1:
        odds = (edge / (1 - edge)) ** 2 / (inner / (1 - inner))
        return odds / (1 + odds)
    beyond = kind.nearest(edge * edge / inner)
    return int(beyond) if kind.whole else beyond
