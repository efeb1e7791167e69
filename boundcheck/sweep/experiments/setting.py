"""One setting of an experiment: who takes part, within which budgets, and the cells that tune and decide."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from boundcheck.engine.simulate import check_setting
from boundcheck.errors import NotApplicableError
from boundcheck.methods import METHODS
from boundcheck.methods.kinds import reals
from boundcheck.methods.storage import memory
from boundcheck.metrics import metric_of
from boundcheck.sweep.cells.points import GridPoint
from boundcheck.sweep.experiments.readouts import are_read
from boundcheck.sweep.experiments.spending import budgets, spending
from boundcheck.sweep.recipes.assertion import CopiedEntrant
from boundcheck.sweep.recipes.experiment import AXES, Experiment, grid_points
from boundcheck.sweep.recipes.recipe import settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from boundcheck.sweep.cells.cells import Cell
    from boundcheck.sweep.recipes.experiment import Axis, Entrant, Reading
    from boundcheck.sweep.recipes.fields import Number
    from boundcheck.sweep.recipes.recipe import Recipe

_APART = 2**62
"""Between the seeds that decide and those that serve for tuning."""


class Budgeted(NamedTuple):
    """What a method is tuned for, and read by: a readout on an axis of the budget."""

    reading: Reading
    axis: Axis
    budget: float
    """Of the axis, the share of the reading taken."""


@dataclass(frozen=True, eq=False)
class ExperimentSetting(GridPoint):
    """A grid point of an experiment: every entrant is tuned on a grid of its own, then run on the seeds that decide."""

    grid: Experiment
    made: dict[Any, Cell] = field(default_factory=dict, repr=False)
    """Cells that were made already: every readout asks for the same ones."""

    @property
    def budget(self) -> int:
        """Return the replicates up to which open questions get more."""
        return self.grid.budget or 0

    def cell(self, entrant: Entrant, hyper: Mapping[str, Number], *, tuning: bool, copy: bool = False) -> Cell:
        """Return the cell of an entrant at one point of its grid; a copy is tuned on seeds of its own."""
        key = (entrant.name, *hyper.items(), tuning, copy)
        if key not in self.made:
            self.made[key] = self._make(entrant, hyper, tuning=tuning, copy=copy)
        return self.made[key]

    def _make(self, entrant: Entrant, hyper: Mapping[str, Number], *, tuning: bool, copy: bool) -> Cell:
        about, recipe = self.grid, self.recipe
        cell = self.make_cell(
            entrant.method,
            _floats_where_real(entrant.method, hyper),
            map(metric_of, [about.metric] if tuning else [about.metric, *about.metrics]),
            replicates=about.tuning if tuning else about.replicates or recipe.replicates,
            K=entrant.K,
            seed=tuning_seed(recipe.seed, copy=copy) if tuning else recipe.seed,
        )
        return replace(cell, schedule=tuple(entrant.schedule.items()), weight_decay=entrant.weight_decay)

    @cached_property
    def refusals(self) -> dict[str, str]:
        """Return the entrants that cannot run here, by label, with the reason."""
        found = {}
        for entrant in self.grid.entrant:
            try:
                self._require_fit(entrant)
            except NotApplicableError as error:
                found[entrant.name] = str(error)
        return found

    @cached_property
    def runners(self) -> list[Entrant]:
        """Return the entrants that can run here."""
        return [entrant for entrant in self.grid.entrant if entrant.name not in self.refusals]

    def _require_fit(self, entrant: Entrant) -> None:
        """Refuse an entrant that cannot run here.

        Raises
        ------
        NotApplicableError
            If method, metrics and problem do not go together.
        """
        for hyper in grid_points(entrant.grid):
            cell = self.cell(entrant, hyper, tuning=False)
            problem, method, most = cell.make_problem(), cell.make_method(), self.grid.memory
            check_setting(problem, method, cell.setting)
            for metric in cell.metrics:
                metric.require_on(problem)
            stored = memory(method, N=cell.setting.N, d=problem.d).client / problem.d
            if most is not None and stored > most:
                msg = f"method {cell.method} keeps {stored:g} d numbers on a client, but memory = {most:g}"
                raise NotApplicableError(msg)

    @cached_property
    def budgets(self) -> dict[Axis, float]:
        """Return on every axis what the cheapest entrant spends up to the horizon."""
        if not self.runners:
            return dict.fromkeys(AXES, 0.0)
        first = [self.cell(one, {k: v[0] for k, v in one.grid.items()}, tuning=False) for one in self.runners]
        return budgets(map(spending, first))

    def questions(self) -> Iterator[Budgeted]:
        """Yield what methods are tuned for: what is shown, on every axis, and what assertions ask by other readings."""
        about = self.grid
        asks = [ask for one in self.recipe.assertion for ask in one.every if ask.experiment == about.id]
        wanted = {axis for ask in asks for axis in ask.axes}
        for reading in are_read(about, metric_of(about.metric)):
            for axis in about.axes:
                if reading == about.shown_reading or axis in wanted:
                    yield Budgeted(reading, axis, reading.share * self.budgets[axis])

    def copied_entrant(self, what: Budgeted) -> list[Entrant]:
        """Return the entrants of which a copy serves as control: the first that each assertion compares with others."""
        copied = [one.copied_entrant(self.grid.id) for one in self.recipe.assertion]
        return [entrant for entrant in self.runners if CopiedEntrant(entrant.name, what.axis) in copied]


def experiment_settings(recipe: Recipe) -> list[ExperimentSetting]:
    """Return the grid points of a recipe's experiments."""
    return [ExperimentSetting(recipe, about, setting) for about in recipe.experiment for setting in settings(about)]


def _floats_where_real(method: str, hyper: Mapping[str, Number]) -> tuple[tuple[str, Number], ...]:
    """Return hyperparameters with whole numbers as floats where the method has a number: 1 and 1.0 are one cell."""
    numbers = reals(METHODS[method])
    return tuple((k, float(v) if k in numbers and type(v) is int else v) for k, v in hyper.items())


def tuning_seed(seed: int, *, copy: bool = False) -> int:
    """Return the root seed of all tuning runs of a recipe; no recipe has it as its own and as that of its verdicts."""
    return (seed + _APART + (_APART // 2 if copy else 0)) % 2**63
