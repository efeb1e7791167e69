"""Experiments from start to end: which cells are to run next, and what the finished ones say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boundcheck.errors import BoundcheckError, InputError
from boundcheck.metrics import metric_of
from boundcheck.sweep.experiments.reads import score
from boundcheck.sweep.experiments.spending import budgets, last_within_budget, spending
from boundcheck.sweep.experiments.tuning import ExperimentSetting, TunedPoint, entrants, tune
from boundcheck.sweep.recipes.experiment import AXES
from boundcheck.sweep.recipes.recipe import settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from boundcheck.problems.base import Array
    from boundcheck.sweep.cells.cells import Cell
    from boundcheck.sweep.cells.store import CellResult, Store
    from boundcheck.sweep.experiments.spending import Spending
    from boundcheck.sweep.recipes.experiment import Axis, Entrant, Experiment
    from boundcheck.sweep.recipes.fields import Number
    from boundcheck.sweep.recipes.recipe import Recipe


@dataclass(frozen=True)
class ContestEntry:
    """One entrant at one setting, tuned for one axis."""

    tuned: TunedPoint
    cell: Cell
    measured: CellResult
    spent: Spending
    at: int | None
    """Index of the last checkpoint within the budget, None where a round costs more than the budget."""
    read: str
    """How one number is read off its curves."""

    def score(self, metric: str) -> Array:
        """Return what a metric of every run says at the budget, small numbers being good, (replicates,)."""
        return score(self.measured, metric_of(metric), self.last, self.read)

    @property
    def last(self) -> int:
        """Return the index of the checkpoint that is read: the first where none is within the budget."""
        return self.at or 0


@dataclass(frozen=True)
class SettingResult:
    """Every entrant at one setting of an experiment's grid."""

    place: ExperimentSetting
    budgets: Mapping[Axis, float]
    entries: Mapping[str, Mapping[Axis, ContestEntry]]
    """Label of an entrant to its entries, an axis each."""
    refused: Mapping[str, str]
    """Label of an entrant that cannot run here to the reason."""

    @property
    def setting(self) -> Mapping[str, Number]:
        """Return the names of the axes of the grid with their values here."""
        return self.place.setting


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
    for entrant in runners:
        for axis in place.experiment.axes:
            tuned = tune(place, entrant, axis, limits[axis], store, seen)
            if isinstance(tuned, list):
                yield from tuned
                continue
            cell = place.cell(entrant, tuned.hyper, tuning=False)
            seen.add(cell)
            if not store.has(cell):
                yield cell


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
    entries = {
        entrant.name: {axis: _entry(place, entrant, axis, limits[axis], store) for axis in place.experiment.axes}
        for entrant in runners
    }
    return SettingResult(place, limits, entries, {name: reason for name, reason in reasons.items() if reason})


def _entry(place: ExperimentSetting, entrant: Entrant, axis: Axis, budget: float, store: Store) -> ContestEntry:
    tuned = tune(place, entrant, axis, budget, store)
    if isinstance(tuned, list):
        msg = f"{store.path(tuned[0])}: no result for this cell yet; run the sweep first"
        raise InputError(msg)
    cell = place.cell(entrant, tuned.hyper, tuning=False)
    spent = spending(cell)
    return ContestEntry(
        tuned, cell, store.read(cell), spent, last_within_budget(spent, axis, budget), place.experiment.read
    )
