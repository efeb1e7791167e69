"""Experiments from start to end: which cells are to run next, and what the finished ones say."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from boundcheck.errors import BoundcheckError, InputError
from boundcheck.evidence.statistics.stages import stages
from boundcheck.metrics import metric_of
from boundcheck.sweep.experiments.readouts import are_read, level_to_reach, score
from boundcheck.sweep.experiments.spending import budgets, last_within_budget, spending
from boundcheck.sweep.experiments.tuning import (
    Budgeted,
    ExperimentSetting,
    TunedPoint,
    entrants,
    images_in,
    read_score,
    tune,
    tune_all,
)
from boundcheck.sweep.recipes.experiment import AXES
from boundcheck.sweep.recipes.recipe import settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from boundcheck.problems.base import Array
    from boundcheck.sweep.cells.cells import Cell
    from boundcheck.sweep.cells.store import CellResult, Store
    from boundcheck.sweep.experiments.spending import Spending
    from boundcheck.sweep.recipes.experiment import Axis, Entrant, Experiment, Reading
    from boundcheck.sweep.recipes.fields import Number
    from boundcheck.sweep.recipes.recipe import Recipe


@dataclass(frozen=True)
class ContestEntry:
    """One entrant at one setting, tuned for one axis and readout."""

    tuned: TunedPoint
    cell: Cell
    measured: CellResult
    spent: Spending
    at: int | None
    """Index of the last checkpoint within the budget, None where a round costs more than the budget."""
    about: Experiment
    reading: Reading
    """How one number is read off its curves."""
    axis: Axis

    def score(self, metric: str) -> Array:
        """Return what a metric of every run says at the budget, small numbers being good, (replicates,).

        By the readout ``time`` what is said of the metric that decides is what was spent; of others their average.
        """
        readout = self.reading.readout
        if metric == self.about.metric:
            return read_score(self.about, self.measured, self.last, readout, self.spent[self.axis])
        return score(self.measured, metric_of(metric), self.last, "average" if readout == "time" else readout)

    @property
    def reached(self) -> float:
        """Return the share of runs that were at the level of the readout `time` within the budget; 0 without one."""
        metric = metric_of(self.about.metric)
        level = level_to_reach(self.about, metric, self.measured)
        if level is None:
            return 0.0
        values = self.measured.instant[metric.name][:, : self.last + 1]
        return float((values >= level if metric.higher else values <= level).any(axis=1).mean())

    @property
    def last(self) -> int:
        """Return the index of the checkpoint that is read: the first where none is within the budget."""
        return self.at or 0


@dataclass(frozen=True)
class SettingResult:
    """Every entrant at one setting of an experiment's grid."""

    place: ExperimentSetting
    budgets: Mapping[Axis, float]
    readings: Mapping[Reading, Mapping[str, Mapping[Axis, ContestEntry]]]
    """Reading to label of an entrant to its entries, an axis each."""
    refused: Mapping[str, str]
    """Label of an entrant that cannot run here to the reason."""

    copies: Mapping[str, Mapping[Axis, ContestEntry]]
    """Label of an entrant to its entries when it is tuned again, on other seeds, for what is shown."""

    @property
    def setting(self) -> Mapping[str, Number]:
        """Return the names of the axes of the grid with their values here."""
        return self.place.setting

    @property
    def entries(self) -> Mapping[str, Mapping[Axis, ContestEntry]]:
        """Return the entries of every label for the reading that is shown."""
        return self.readings[self.place.experiment.shown]


@dataclass(frozen=True)
class ExperimentResult:
    """Everything that an experiment measured."""

    experiment: Experiment
    settings: list[SettingResult]


def places(recipe: Recipe, experiment: Experiment) -> list[ExperimentSetting]:
    """Return the settings of an experiment's grid."""
    return [ExperimentSetting(recipe, experiment, setting) for setting in settings(experiment)]


def next_cells(recipe: Recipe, store: Store, seen: set[Cell] | None = None) -> list[Cell]:
    """Return the cells that must run next: those of tuning first, then those that decide; none when all is done.

    Parameters
    ----------
    recipe, store
        What to run and where results are.
    seen : set of Cell, optional
        Gets every cell that is needed, those with a result included.

    Raises
    ------
    InputError
        If an entrant's hyperparameters are not legal; the message names the experiment.
    """
    found: dict[Cell, None] = {}
    for experiment in recipe.experiment:
        try:
            for place in places(recipe, experiment):
                found |= dict.fromkeys(_wanted_at(place, store, set() if seen is None else seen))
        except BoundcheckError as error:
            msg = f"experiment {experiment.id}: {error}"
            raise InputError(msg) from None
    return list(found)


def _wanted_at(place: ExperimentSetting, store: Store, seen: set[Cell]) -> Iterator[Cell]:
    runners = [entrant for entrant, reason in entrants(place) if not reason]
    limits = _budgets(place, runners)
    for what in _asked(place, limits):
        found = tune_all(place, runners, what, store, seen)
        for label, tuned in found.items():
            yield from _missing(place, _entrant(runners, label), tuned, store, seen)
        for entrant in _copied(place, runners, what):
            images = images_in(place, runners, entrant, found)
            copy = tune(place, entrant, what, store, seen, images=images, copy=True)
            yield from _missing(place, entrant, copy, store, seen)


def _missing(
    place: ExperimentSetting, entrant: Entrant, tuned: TunedPoint | list[Cell], store: Store, seen: set[Cell]
) -> Iterator[Cell]:
    """Yield the cells that must run before an entrant is tuned, or the one that decides."""
    if isinstance(tuned, list):
        yield from tuned
        return
    cell = place.cell(entrant, tuned.hyper, tuning=False)
    seen.add(cell)
    if not store.has(cell):
        yield cell


def _entrant(runners: Sequence[Entrant], label: str) -> Entrant:
    return next(entrant for entrant in runners if entrant.name == label)


def _asked(place: ExperimentSetting, limits: Mapping[Axis, float]) -> Iterator[Budgeted]:
    """Yield what methods are tuned for: what is shown, on every axis, and what assertions ask by other readings."""
    about = place.experiment
    asks = [ask for one in place.recipe.assertion for ask in one.every if ask.experiment == about.id]
    wanted = {axis for ask in asks for axis in ask.axes}
    for reading in are_read(about, metric_of(about.metric)):
        for axis in about.axes:
            if reading == about.shown or axis in wanted:
                yield Budgeted(reading, axis, reading.share * limits[axis])


def _copied(place: ExperimentSetting, runners: Sequence[Entrant], what: Budgeted) -> list[Entrant]:
    """Return the entrants of which a copy serves as control: the first that each assertion compares with others."""
    if what.reading != place.experiment.shown or what.axis != place.experiment.axes[0]:
        return []
    labels = {one.copied(place.experiment.id) for one in place.recipe.assertion}
    return [entrant for entrant in runners if entrant.name in labels]


def _budgets(place: ExperimentSetting, runners: list[Entrant]) -> dict[Axis, float]:
    """Return the budgets of a setting: on every axis what the cheapest entrant spends up to the horizon."""
    if not runners:
        return dict.fromkeys(AXES, 0.0)
    first = [place.cell(entrant, {k: v[0] for k, v in entrant.grid.items()}, tuning=False) for entrant in runners]
    return budgets(map(spending, first))


def collect_experiments(recipe: Recipe, store: Store) -> list[ExperimentResult]:
    """Read the store and return what every experiment of the recipe measured.

    Raises
    ------
    InputError
        If a result is missing or cannot be read.
    """
    return [
        ExperimentResult(experiment, [_at(place, store) for place in places(recipe, experiment)])
        for experiment in recipe.experiment
    ]


def _at(place: ExperimentSetting, store: Store) -> SettingResult:
    reasons = {entrant.name: reason for entrant, reason in entrants(place)}
    runners = [entrant for entrant in place.experiment.entrant if not reasons[entrant.name]]
    limits = _budgets(place, runners)
    found: dict[Reading, dict[str, dict[Axis, ContestEntry]]] = {}
    copies: dict[str, dict[Axis, ContestEntry]] = {}
    for what in _asked(place, limits):
        labels = found.setdefault(what.reading, {entrant.name: {} for entrant in runners})
        points = tune_all(place, runners, what, store)
        for label, tuned in points.items():
            labels[label][what.axis] = _entry(place, _entrant(runners, label), tuned, what, store)
        for entrant in _copied(place, runners, what):
            images = images_in(place, runners, entrant, points)
            copy = tune(place, entrant, what, store, images=images, copy=True)
            copies[entrant.name] = {what.axis: _entry(place, entrant, copy, what, store)}
    return SettingResult(place, limits, found, {name: reason for name, reason in reasons.items() if reason}, copies)


def _entry(
    place: ExperimentSetting, entrant: Entrant, tuned: TunedPoint | list[Cell], what: Budgeted, store: Store
) -> ContestEntry:
    if isinstance(tuned, list):
        msg = f"{store.path(tuned[0])}: no result for this cell yet; run the sweep first"
        raise InputError(msg)
    about = place.experiment
    cell = largest(about, place.cell(entrant, tuned.hyper, tuning=False), store)
    spent = spending(cell)
    at = last_within_budget(spent, what.axis, what.budget)
    return ContestEntry(tuned, cell, store.read(cell), spent, at, about, what.reading, what.axis)


def larger(about: Experiment, cell: Cell) -> list[Cell]:
    """Return a cell that decides with as many replicates as it may get, the fewest first."""
    budget = max(about.budget or 0, cell.replicates)
    return [replace(cell, replicates=stage.replicates) for stage in stages(cell.replicates, budget)]


def largest(about: Experiment, cell: Cell, store: Store) -> Cell:
    """Return a cell that decides with the most replicates that there are."""
    return next((one for one in reversed(larger(about, cell)) if store.has(one)), cell)
