"""From stored measurements to verdicts, fits and shapes: what tables and reports show."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from boundcheck.bounds import BOUNDS
from boundcheck.errors import BoundcheckError
from boundcheck.evidence.checks.exponents import Fit, fit_exponent
from boundcheck.evidence.checks.grid import GridVerdict, summarise
from boundcheck.evidence.statistics.shape import Shape, judge_shape
from boundcheck.evidence.statistics.verdict import Verdict, not_applicable
from boundcheck.files.display import shows
from boundcheck.notation import symbol
from boundcheck.sweep.cells.points import study_settings
from boundcheck.sweep.results.stages import judge_point
from boundcheck.sweep.results.times import Timed, promised_powers, times_of_study
from boundcheck.verdicts.words import MARGIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from boundcheck.bounds.bound import Bound
    from boundcheck.problems.base import Array
    from boundcheck.sweep.cells.cells import Cell
    from boundcheck.sweep.cells.points import StudySetting
    from boundcheck.sweep.cells.store import CellResult, Store
    from boundcheck.sweep.recipes.fields import Number
    from boundcheck.sweep.recipes.recipe import Recipe, Study

Slice = tuple[tuple[str, "Number"], ...]
"""The fixed letters of a slice of the grid and their values."""


@dataclass(frozen=True)
class StudyPoint:
    """One grid point of a study with what was measured there."""

    planned: StudySetting
    measured: CellResult | None
    verdicts: dict[str, Verdict]
    """Bound name to verdict."""
    compared: dict[str, CellResult]
    """Label of a compared method to its measurements."""

    @property
    def setting(self) -> Mapping[str, Number]:
        """Return the names of the axes of the grid with their values here."""
        return self.planned.setting


@shows("study.id", "study.problem", "study.bounds")
@dataclass(frozen=True)
class StudyResult:
    """Everything that a study says."""

    study: Study
    points: list[StudyPoint]
    grids: dict[str, GridVerdict]
    """Bound name to the verdict on the whole grid (explicit bounds)."""
    fits: list[tuple[Slice, Fit]]
    """Exponents of the measured left-hand side, a slice each."""
    shapes: dict[str, list[tuple[Slice, Shape]]]
    """Bound name to the growth of its ratio (bounds of order only), a slice each."""
    times: list[Timed] = field(default_factory=list)
    """Times to the study's epsilons, a method and slice each."""

    def verdict(self, bound: str) -> str:
        """Return the verdict on one bound over the whole study."""
        if bound in self.grids:
            return self.grids[bound].verdict
        applies = any(p.verdicts[bound].verdict == "order only" for p in self.points)
        return "order only" if applies else "not applicable"

    def is_elsewhere(self, bound: str) -> bool:
        """Return whether every run that violates a bound is at other parameters than the prescribed ones."""
        violating = [p.verdicts[bound] for p in self.points if p.verdicts[bound].verdict == "violated"]
        return bool(violating) and all(verdict.moved for verdict in violating)

    def constant_at_least(self, bound: str) -> float | None:
        """Return the lower limit of a hidden constant over the whole study, None for an explicit bound."""
        limits = [limit for p in self.points if (limit := p.verdicts[bound].constant_at_least) is not None]
        return max(limits, default=None)


def collect(recipe: Recipe, store: Store) -> list[StudyResult]:
    """Read the store and judge every study of the recipe.

    Raises
    ------
    InputError
        If a result is missing or cannot be read.
    """
    return StudyJudge(recipe, store).results()


class StudyJudge:
    """Judges the studies of a recipe as `collect` does, as far as that can be done while its cells run.

    Parameters
    ----------
    recipe, store
        What runs, and where its results go.
    points : sequence of StudySetting, optional
        The grid points of its studies, if they are planned already.
    """

    def __init__(self, recipe: Recipe, store: Store, points: Sequence[StudySetting] | None = None) -> None:
        self._recipe, self._store = recipe, store
        self._promises = iter([(study, letter) for study in recipe.study for letter in study.fit])
        self._found: dict[int, StudyResult] = {}
        planned = study_settings(recipe) if points is None else points
        self._points = [[point for point in planned if point.study is study] for study in recipe.study]

    @cached_property
    def _missing(self) -> dict[int, set[Cell]]:
        """Return the cells that studies wait for, by the study's place; none that may get more replicates later."""
        if (self._recipe.budget or 0) > self._recipe.replicates:
            return {}
        return {
            i: {cell for point in points for cell in point.cells() if not self._store.has(cell)}
            for i, points in enumerate(self._points)
        }

    def go_on(self, finished: Iterable[Cell]) -> None:
        """Work out the next promise that fits are compared with; then judge a study of which all cells are finished."""
        for waiting in self._missing.values():
            waiting.difference_update(finished)
        if (promise := next(self._promises, None)) is not None:
            _powers(*promise)
        elif (ready := next((i for i, waiting in self._missing.items() if not waiting), None)) is not None:
            del self._missing[ready]
            # What is wrong is said by `results`, when no cell is running that could be lost.
            with contextlib.suppress(Exception):
                self._found[ready] = self._judge_study(ready)

    def results(self) -> list[StudyResult]:
        """Return what every study says, as `collect` does."""
        return [self._found.get(i) or self._judge_study(i) for i in range(len(self._recipe.study))]

    def _judge_study(self, place: int) -> StudyResult:
        return _result(self._recipe, self._recipe.study[place], self._points[place], self._store)


def _result(recipe: Recipe, study: Study, planned: list[StudySetting], store: Store) -> StudyResult:
    points = [_point(p, store) for p in planned]
    explicit = [name for name in study.bounds if BOUNDS[name].kind == "explicit"]
    grids = {name: summarise([p.verdicts[name] for p in points], recipe.alpha) for name in explicit}
    shapes = {name: list(_shapes(recipe, study, points, name)) for name in study.bounds if BOUNDS[name].kind == "order"}
    return StudyResult(study, points, grids, list(_fits(study, points)), shapes, _times(study, points))


def _shapes(recipe: Recipe, study: Study, points: list[StudyPoint], name: str) -> Iterator[tuple[Slice, Shape]]:
    """Describe a bound of order along the first letter, at the points where it applies and its shape is not 0."""
    speaks = [p for p in points if p.verdicts[name].rhs]
    for letter in study.fit[:1]:
        for fixed, x, samples, cut in _slices(study, speaks, letter, BOUNDS[name].metric, least=3):
            there = [p.verdicts[name] for p in cut]
            yield (
                fixed,
                judge_shape(
                    letter,
                    x,
                    samples,
                    [v.rhs for v in there if v.rhs is not None],
                    limits=[v.constant_at_least for v in there],
                    alpha=recipe.alpha if any(v.how == "betting" for v in there) else None,
                    refuted_by=BOUNDS[name].refuted_by,
                ),
            )


def _times(study: Study, points: list[StudyPoint]) -> list[Timed]:
    if not study.epsilons:
        return []
    metric, measured = BOUNDS[study.bounds[0]].metric, {}
    for point in points:
        if point.planned.cell is not None and point.measured is not None:
            measured[point.planned.cell] = point.measured.final(metric)
            measured |= {cell: point.compared[c.name].final(metric) for c, cell in point.planned.compared}
    return times_of_study([point.planned for point in points], measured)


def _point(planned: StudySetting, store: Store) -> StudyPoint:
    if planned.cell is None:
        study = planned.study
        verdicts = {name: not_applicable(name, study.problem, planned.reason) for name in study.bounds}
        return StudyPoint(planned, None, verdicts, {})
    measured, verdicts = judge_point(planned, store)
    return StudyPoint(planned, measured, verdicts, {c.name: store.read(cell) for c, cell in planned.compared})


def _fits(study: Study, points: list[StudyPoint]) -> Iterator[tuple[Slice, Fit]]:
    bound = BOUNDS[study.bounds[0]]
    for letter in study.fit:
        powers = _powers(study, letter)
        if min(powers) <= 0 or bound.kind == "order":
            continue
        for fixed, x, samples, cut in _slices(study, points, letter, bound.metric, least=3):
            if all(_are_fitted(y) for y in samples):
                known = _right(bound, cut, letter) | {
                    "control": _control(study, cut, letter, bound.metric, min(powers))
                }
                yield fixed, fit_exponent(letter, x, samples, powers, **known)


def _are_fitted(y: Array) -> bool:
    return bool(y.min() > 0 and y.max() < float("inf"))


def _control(
    study: Study, cut: Sequence[StudyPoint], letter: str, metric: str, promised: float
) -> tuple[float, float] | None:
    """Return the interval of the exponent of a compared method whose source promises a slower rate in T, if one ran."""
    slower = [c for c in study.compare if c.decays and 0 < min(c.decays) < promised - MARGIN]
    for one in slower if letter == "T" else []:
        samples = [p.compared[one.name].final(metric) for p in cut if one.name in p.compared]
        if len(samples) == len(cut) and all(map(_are_fitted, samples)):
            fit = fit_exponent(letter, [float(p.setting[letter]) for p in cut], samples, one.decays)
            return fit.low, fit.high
    return None


def _powers(study: Study, letter: str) -> list[float]:
    """Return the powers that a study's first bound promises along a letter, 0 where it promises none."""
    if letter not in {"N", "K", "S", "T"}:
        return [0.0]
    try:
        return promised_powers(study.bounds[0], letter, regime=study.zip)
    except BoundcheckError:
        return [0.0]


def _right(bound: Bound, cut: Sequence[StudyPoint], letter: str) -> dict[str, Any]:
    """Return what a fit is told of the bound at its points: values and, for a speed-up, the share of the noise terms.

    Prescribed steps fall with N too; only a term that names sigma can show that noise averages out.
    """
    verdicts = [p.verdicts[bound.id] for p in cut]
    values = [v.rhs or 0.0 for v in verdicts]
    if not all(0 < value < float("inf") for value in values):
        return {}
    noise = [name for name, e in bound.terms.items() if symbol("sigma") in e.free_symbols]
    shares = [sum(v.terms[name] for name in noise) / value for v, value in zip(verdicts, values, strict=True)]
    return {"bound_values": values, "share": max(shares) if noise and letter != "T" else None}


def _slices(
    study: Study, points: Sequence[StudyPoint], letter: str, metric: str, *, least: int
) -> list[tuple[Slice, list[float], list[Array], list[StudyPoint]]]:
    """Cut the grid along one letter: the other letters fixed (in a zipped grid they run along)."""
    groups: dict[Slice, list[StudyPoint]] = defaultdict(list)
    for point in points:
        if point.measured is not None:
            fixed = () if study.zip else tuple((k, v) for k, v in point.setting.items() if k != letter)
            groups[fixed].append(point)
    out = []
    for fixed, cut in groups.items():
        ordered = sorted(cut, key=lambda p: float(p.setting[letter]))
        if len(ordered) >= least:
            samples = [p.measured.final(metric) for p in ordered if p.measured is not None]
            out.append((fixed, [float(p.setting[letter]) for p in ordered], samples, ordered))
    return out
