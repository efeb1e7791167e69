"""What the cells of experiments measured: an entry for every method, tuned for one axis of the budget and readout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from boundcheck.metrics import metric_of
from boundcheck.sweep.experiments.readouts import level_to_reach, score
from boundcheck.sweep.experiments.setting import experiment_settings
from boundcheck.sweep.experiments.spending import last_within_budget, spending
from boundcheck.sweep.experiments.tuning import read_score, tune_entrants

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.problems.base import Array
    from boundcheck.sweep.cells.cells import Cell
    from boundcheck.sweep.cells.store import CellResult, Store
    from boundcheck.sweep.experiments.setting import Budgeted, ExperimentSetting
    from boundcheck.sweep.experiments.spending import Spending
    from boundcheck.sweep.experiments.tuning import TunedPoint
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
    place: ExperimentSetting
    reading: Reading
    """How one number is read off its curves."""
    axis: Axis

    @property
    def about(self) -> Experiment:
        """Return the experiment."""
        return self.place.grid

    def score(self, metric: str) -> Array:
        """Return what a metric of every run says at the budget, small numbers being good, (replicates,).

        By the readout ``time`` what is said of the metric that decides is what was spent; of others their average.
        """
        readout = self.reading.readout
        if metric == self.about.metric:
            return read_score(self.about, self.cell, self.measured, self.last, readout, self.spent[self.axis])
        return score(self.measured, metric_of(metric), self.last, "average" if readout == "time" else readout)

    @property
    def share_reached(self) -> float:
        """Return the share of runs that were at the level of the readout `time` within the budget; 0 without one."""
        metric = metric_of(self.about.metric)
        level = level_to_reach(self.about, metric, self.cell.make_problem())
        if level is None:
            return 0.0
        values = self.measured.instant[metric.name][:, : self.last + 1]
        return float((values >= level if metric.higher else values <= level).any(axis=1).mean())

    @property
    def last(self) -> int:
        """Return the index of the checkpoint that is read: the first where none is within the budget."""
        return self.at or 0


EntriesByReading: TypeAlias = "Mapping[Reading, Mapping[str, Mapping[Axis, ContestEntry]]]"
"""Reading to label of an entrant to its entries, an axis each."""


@dataclass(frozen=True)
class SettingResult:
    """Every entrant at one setting of an experiment's grid."""

    place: ExperimentSetting
    readings: EntriesByReading
    copies: EntriesByReading
    """What entrants are when they are tuned again, on other seeds."""

    @property
    def setting(self) -> Mapping[str, Number]:
        """Return the names of the axes of the grid with their values here."""
        return self.place.setting

    @property
    def entries(self) -> Mapping[str, Mapping[Axis, ContestEntry]]:
        """Return the entries of every label for the reading that is shown."""
        return self.readings[self.place.grid.shown_reading]

    @property
    def budgets(self) -> Mapping[Axis, float]:
        """Return the budget of every axis."""
        return self.place.budgets

    @property
    def refusals(self) -> Mapping[str, str]:
        """Return the entrants that cannot run here, by label, with the reason."""
        return self.place.refusals


@dataclass(frozen=True)
class ExperimentResult:
    """Everything that an experiment measured."""

    experiment: Experiment
    settings: list[SettingResult]


def collect_experiments(recipe: Recipe, store: Store) -> list[ExperimentResult]:
    """Read the store and return what every experiment of the recipe measured.

    Raises
    ------
    InputError
        If a result is missing or cannot be read.
    """
    places = experiment_settings(recipe)
    return [
        ExperimentResult(experiment, [_setting_result(place, store) for place in places if place.grid is experiment])
        for experiment in recipe.experiment
    ]


def _setting_result(place: ExperimentSetting, store: Store) -> SettingResult:
    readings: dict[Reading, dict[str, dict[Axis, ContestEntry]]] = {what.reading: {} for what in place.questions()}
    copies: dict[Reading, dict[str, dict[Axis, ContestEntry]]] = {reading: {} for reading in readings}
    needed: dict[Cell, None] = {}
    for what, entrant, copy, tuned in tune_entrants(place, store, needed):
        if tuned is None:
            # What is missing is named where it is read.
            store.read(next(cell for cell in needed if not store.has(cell)))
            raise AssertionError
        labels = (copies if copy else readings)[what.reading]
        labels.setdefault(entrant.name, {})[what.axis] = _entry(place, entrant, tuned, what, store)
    return SettingResult(place, readings, copies)


def _entry(place: ExperimentSetting, entrant: Entrant, tuned: TunedPoint, what: Budgeted, store: Store) -> ContestEntry:
    _, cell = place.last_stage(place.cell(entrant, tuned.hyper, tuning=False), store)
    spent = spending(cell)
    at = last_within_budget(spent, what.axis, what.budget)
    return ContestEntry(tuned, cell, store.read(cell), spent, at, place, what.reading, what.axis)
