"""The points of grids: of a study, whose bound prescribes the run; of an experiment, whose methods are tuned."""

from __future__ import annotations

import contextlib
import dataclasses
import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from boundcheck.bounds import BOUNDS
from boundcheck.engine.quantities import QUANTITIES
from boundcheck.engine.setting import Setting
from boundcheck.errors import BoundcheckError, InputError, NotApplicableError, require
from boundcheck.evidence.statistics.stages import stages
from boundcheck.evidence.trials.coins import tosses_coins
from boundcheck.evidence.trials.examples import initial_values
from boundcheck.evidence.trials.trial import Trial
from boundcheck.files.own import untrusted_file
from boundcheck.limits import require_run
from boundcheck.sweep.cells.cells import Cell, make_problem
from boundcheck.sweep.recipes.recipe import Study, settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from boundcheck.bounds.bound import Bound
    from boundcheck.evidence.statistics.verdict import Verdict
    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Problem
    from boundcheck.sweep.cells.store import Store
    from boundcheck.sweep.recipes.experiment import Experiment
    from boundcheck.sweep.recipes.fields import Number
    from boundcheck.sweep.recipes.recipe import ComparedMethod, Recipe

_LETTERS = {"problem", "N", "K", "S", "T"}
"""Axes of a grid that are no parameters of the problem."""


@dataclass(frozen=True, eq=False)
class GridPoint:
    """One point of the grid of a study or an experiment, and what all its cells have in common."""

    recipe: Recipe
    grid: Study | Experiment
    setting: Mapping[str, Number]
    """Axis name to value."""

    @property
    def problem_name(self) -> str:
        """Return the name of the problem; an experiment has an axis of them."""
        return self.grid.problem if isinstance(self.grid, Study) else str(self.setting["problem"])

    def problem(self) -> Problem:
        """Return the problem here."""
        return make_problem(self.problem_name, self._parameters, int(self.setting["N"]))

    def run(self, K: int | None = None) -> Setting:
        """Return clients, local steps (those of the grid when left out), rounds and minibatch."""
        return dataclasses.replace(self._run, K=K) if K else self._run

    @cached_property
    def _run(self) -> Setting:
        at = self.setting
        N = int(at["N"])
        return Setting(N=N, S=int(at.get("S", N)), K=int(at["K"]), T=int(at["T"]), b=self.grid.b)

    def make_cell(
        self,
        method: str,
        hyper: tuple[tuple[str, Number], ...],
        metrics: Iterable[Metric],
        *,
        replicates: int,
        K: int | None = None,
        seed: int | None = None,
        **further: Any,
    ) -> Cell:
        """Return the cell of a method here, with `further` fields; the seed is that of the recipe when left out."""
        what = (self.problem_name, self._parameters, self.run(K), method, hyper, tuple(dict.fromkeys(metrics)))
        seed = self.recipe.seed if seed is None else seed
        return Cell(*what, seed, replicates, self.recipe.points, **further)

    @property
    def _parameters(self) -> tuple[tuple[str, Number], ...]:
        return tuple((name, value) for name, value in self.setting.items() if name not in _LETTERS)

    @property
    def budget(self) -> int:
        """Return the replicates up to which what is undecided here is run again."""
        return self.recipe.budget or 0

    def stages(self, cell: Cell) -> list[Cell]:
        """Return a cell that decides with the replicates of every stage, the fewest first."""
        budget = max(self.budget, cell.replicates)
        # The cell itself where its replicates do: its name is a hash that it has once.
        counts = [stage.replicates for stage in stages(cell.replicates, budget)]
        return [cell, *(dataclasses.replace(cell, replicates=count) for count in counts[1:])]

    def last_stage(self, cell: Cell, store: Store) -> tuple[int, Cell]:
        """Return the number of the last stage that has a result with its cell; the first where none has."""
        numbered = list(enumerate(self.stages(cell), 1))
        return next((one for one in reversed(numbered) if store.has(one[1])), numbered[0])


@dataclass(frozen=True, eq=False)
class StudySetting(GridPoint):
    """A grid point of a study: the cell to run for the bounds, and the cells of the compared methods."""

    grid: Study
    cell: Cell | None = None
    trial: Trial | None = None
    reason: str = ""
    """Why there is no cell."""
    compared: tuple[tuple[ComparedMethod, Cell], ...] = ()
    verdicts: dict[int, dict[str, Verdict]] = field(default_factory=dict, compare=False, repr=False)
    """Verdicts of the stages that are judged already."""

    @property
    def study(self) -> Study:
        """Return the study."""
        return self.grid

    @property
    def budget(self) -> int:
        """Return the replicates of the last stage; a run without noise is run once."""
        return super().budget if self.cell is not None and self.cell.replicates > 1 else 0

    def cells(self) -> list[Cell]:
        """Return the cell of the bounds, with its first replicates, and those of the compared methods."""
        return [] if self.cell is None else [self.cell, *(cell for _, cell in self.compared)]

    def plan(self) -> StudySetting:
        """Return the point with its cells; where bound and problem do not go together, with the reason instead."""
        study, at, bounds = self.grid, self.run(), [BOUNDS[name] for name in self.grid.bounds]
        bound = bounds[0]
        try:
            problem = self.problem()
            replicates = self.recipe.budget or self.recipe.replicates
            require_run(N=at.N, d=problem.d, S=at.S, K=at.K, b=at.b, T=at.T, replicates=replicates)
            trial = Trial.of(bound, problem, at, initial_values(bound, at.N) | study.overrides)
        except NotApplicableError as error:
            return dataclasses.replace(self, reason=str(error))
        metrics = [trial.metric, *(dataclasses.replace(trial, bound=other).metric for other in bounds[1:])]
        quantities = {other.measured[letter] for other in bounds for letter in along_the_run(other)}
        replicates = self.recipe.replicates if trial.is_random else 1
        names = [f.name for f in dataclasses.fields(trial.method)]  # type: ignore[arg-type]
        hyper = tuple((name, getattr(trial.method, name)) for name in names)
        cell = self.make_cell(
            bound.method,
            hyper,
            metrics,
            replicates=replicates,
            quantities=tuple(sorted(quantities)),
            schedule=getattr(trial.method, "laws", ()),
        )
        compared = tuple((other, self._compared_cell(other, metrics, replicates)) for other in study.compare)
        return dataclasses.replace(self, cell=cell, trial=trial, compared=compared)

    def _compared_cell(self, other: ComparedMethod, metrics: Sequence[Metric], replicates: int) -> Cell:
        """Return the cell of a compared method: its own coins may ask for replicates where the bound's has none."""
        hyper = tuple(_at_horizon(other, self.run().T).items())
        cell = self.make_cell(other.method, hyper, metrics, replicates=replicates)
        # Made for one replicate, too: this is where a hyperparameter that is not legal is refused.
        method = cell.make_method()
        if replicates > 1 or not tosses_coins(cell.make_problem(), method, cell.setting):
            return cell
        return dataclasses.replace(cell, replicates=self.recipe.replicates)


def study_settings(recipe: Recipe) -> list[StudySetting]:
    """Return the grid points of a recipe's studies, planned.

    Raises
    ------
    InputError
        If a hyperparameter or setting is not legal; the message names the study.
    """
    planned = []
    for study in recipe.study:
        with mistakes_in(f"study {study.id}"):
            planned += [StudySetting(recipe, study, setting).plan() for setting in settings(study)]
    return planned


@contextlib.contextmanager
def mistakes_in(where: str) -> Iterator[None]:
    """Name a study or an experiment in errors, and the file that is read."""
    file = untrusted_file()
    try:
        yield
    except BoundcheckError as error:
        msg = f"{file.name}: {where}: {error}" if file else f"{where}: {error}"
        raise InputError(msg) from None


def along_the_run(bound: Bound) -> list[str]:
    """Return the letters of a bound that a sweep measures: those without a value that always serves."""
    return [letter for letter, name in bound.measured.items() if QUANTITIES[name].ceiling is None]


def _at_horizon(comparison: ComparedMethod, T: int) -> dict[str, Number]:
    """Return the hyperparameters at horizon T."""
    hyper = dict(comparison.hyper)
    for name, power in comparison.powers.items():
        value = hyper[name]
        require(type(value) in {int, float}, f"{comparison.method}: {name}", value, "a number, as it has a power of T")
        hyper[name] = math.ceil(value * T**power) if isinstance(value, int) else value * T**power
    return hyper
