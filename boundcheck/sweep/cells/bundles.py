"""Cells that run together as lanes of one array."""

from __future__ import annotations

import contextlib
import math
from collections import defaultdict
from dataclasses import fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.engine import simulate
from boundcheck.engine.backends import has_jax
from boundcheck.engine.mixed import mixes
from boundcheck.errors import NotCompilableError
from boundcheck.evidence.trials.divergence import watch_problem, watched_metric
from boundcheck.methods import METHODS
from boundcheck.metrics import METRICS
from boundcheck.problems.mixed import mix_problems
from boundcheck.problems.stacked import stack_problems
from boundcheck.sweep.cells.cells import make_problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from boundcheck.engine import Run
    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Problem
    from boundcheck.sweep.cells.cells import Cell
    from boundcheck.sweep.cells.store import Store

_BUNDLE = 12_288
"""Numbers in one array up to which cells are stacked: beyond it stacking saves nothing."""
_MIXED = 4096
"""Numbers of one cell up to which it runs beside cells with other numbers of clients."""
_ALL_METRICS = 64
"""Numbers of one lane without noise up to which all is measured that a neighbour is: a further run would be dearer."""


BACKENDS = ("auto", "numpy", "jax")
"""What a sweep runs on.

With ``jax`` it compiles all that can be, with ``auto`` what is long enough for that to pay, if JAX is installed.
"""
_LONG = 2e9
"""Work, in units of `cost`, of about 20 seconds on numpy: ten times what compilation takes."""


def bundle_cells(cells: Iterable[Cell]) -> list[list[Cell]]:
    """Group cells that can run as lanes of one array.

    They have K, b, method and choices in common, and problems that are equal but for tables of clients; N and S too,
    unless method, metrics and problem can be mixed, and metrics, unless they are small and without noise.
    """
    groups: dict[Any, list[list[Cell]]] = defaultdict(lambda: [[]])
    # Long runs together: a bundle takes as many steps as its longest run.
    for cell in sorted(cells, key=lambda cell: cell.setting.T, reverse=True):
        keys = _stack_keys(cell)
        bundles = next((groups[key] for key in keys[:-1] if _fits(groups[key][-1], cell)), groups[keys[-1]])
        if bundles[-1] and sum(map(size, bundles[-1])) > _BUNDLE:
            bundles.append([])
        bundles[-1].append(cell)
    return [bundle for bundles in groups.values() for bundle in bundles if bundle]


def size(cell: Cell) -> int:
    """Return how many numbers an array with the lanes of a cell has."""
    return len(cell.lanes) * cell.setting.S * cell.make_problem().d


def _stack_keys(cell: Cell) -> list[Any]:
    """Return what cells have in common that run together, the fewest things first: but for clients, dials, nothing."""
    fixed = tuple((k, v) for k, v in cell.hyper if not isinstance(v, float))
    small = cell.replicates == 1 and size(cell) <= _ALL_METRICS
    measured = () if small and all(METRICS.get(m.name) is m for m in cell.metrics) else cell.metrics
    at = cell.setting
    own = replace(cell, setting=at.at(1), hyper=fixed, metrics=measured, replicates=0, after=0)
    dials = cell.make_problem().dials
    shared = replace(own, parameters=tuple((k, "any" if k in dials else v) for k, v in cell.parameters))
    everybody = (replace(shared, setting=replace(at, N=1, S=1, T=1)), at.S == at.N)
    return [everybody, shared, own] if _mixes(cell) else [shared, own]


def metrics_of(bundle: Iterable[Cell]) -> tuple[Metric, ...]:
    """Return all that is measured in a bundle."""
    return tuple(dict.fromkeys(metric for cell in bundle for metric in cell.metrics))


def _mixes(cell: Cell) -> bool:
    """Return whether a cell can run beside cells with other numbers of clients."""
    if cell.quantities or size(cell) > _MIXED:
        return False
    return all(metric.mixes for metric in cell.metrics) and mixes(cell.make_method())


def _fits(bundle: list[Cell], cell: Cell) -> bool:
    return not bundle or problem_of((bundle[0], cell)) is not None


def problem_of(cells: Sequence[Cell]) -> Problem | None:
    """Return the problem of the lanes of these cells, None if there is none that serves all."""
    distinct = tuple(dict.fromkeys((cell.parameters, cell.setting.N) for cell in cells))
    alike = len({(cell.setting.N, cell.setting.S) for cell in cells}) == 1
    if alike and len(distinct) == 1:
        return cells[0].make_problem()
    owners = [distinct.index((cell.parameters, cell.setting.N)) for cell in cells]
    lanes = np.repeat(owners, [len(cell.lanes) for cell in cells])
    letters = {letter for metric in metrics_of(cells) for letter in metric.reads} - {"x_star"}
    problems = [make_problem(cells[0].problem, *one) for one in distinct]
    return (stack_problems if alike else mix_problems)(problems, lanes, letters)


def cost(bundle: list[Cell]) -> float:
    """Return the predicted work of a bundle, in arbitrary units: array numbers touched plus a cost a step.

    A method counts as its card says, a metric at local points as a gradient more, a quantity as a run more.
    """
    longest = max(cell.setting.T for cell in bundle)
    first = bundle[0]
    numbers = sum(cell.setting.T * size(cell) for cell in bundle)
    factor = (METHODS[first.method].card.cost or 1.0) + sum(metric.local for metric in metrics_of(bundle))
    factor *= 2.0 if first.quantities else 1.0
    return float(first.setting.K * factor * (numbers + 4000 * longest))


def numbers(bundle: list[Cell]) -> float:
    """Return about how many numbers a bundle keeps in memory: curves, points and one minibatch."""
    first = bundle[0]
    decades = max(1.0, math.log10(max(cell.setting.T for cell in bundle)))
    lanes = sum(len(cell.lanes) for cell in bundle)
    curves = lanes * (decades * first.points + len(bundle)) * (2 * len(metrics_of(bundle)) + len(first.quantities))
    return curves + max(map(size, bundle)) / len(first.lanes) * (10 + first.setting.b)


def run_bundle(bundle: list[Cell], store: Store, backend: str = "numpy") -> list[Cell]:
    """Simulate the cells of a bundle as lanes of one array and write one file each.

    Parameters
    ----------
    bundle, store
        The cells, and where their results go.
    backend : str
        An entry of `BACKENDS`.
    """
    problem = problem_of(bundle)
    compiled = backend == "jax" or (backend == "auto" and cost(bundle) > _LONG and has_jax())
    if problem is None or (compiled and (problem.has_lanes or problem.clients_of_lanes is not None)):
        for alike in _by_problem(bundle):
            run_bundle(alike, store, backend)
        return bundle
    run = _compute_run(simulation(bundle, problem), compiled=compiled)
    stops = np.cumsum([len(cell.lanes) for cell in bundle])
    for cell, stop in zip(bundle, stops, strict=True):
        rows = slice(stop - len(cell.lanes), stop)
        _require_numbers(cell, run, rows)
        store.write(cell, run, rows)
    return bundle


def simulation(bundle: list[Cell], problem: Problem, most: int | None = None) -> Callable[..., Run]:
    """Return the run of the lanes of a bundle, to be called; of at most `most` rounds where that is given."""
    first, counts = bundle[0], [len(cell.lanes) for cell in bundle]
    method, T = first.make_method(), np.repeat([cell.setting.T for cell in bundle], counts)
    values = {
        f.name: [dict(cell.hyper)[f.name] for cell in bundle]
        for f in fields(method)  # type: ignore[arg-type]
        if isinstance(dict(first.hyper).get(f.name), float)
    }
    # A number that all lanes have is dearer as an array of them.
    steps = {name: np.repeat(each, counts) for name, each in values.items() if len({float(v).hex() for v in each}) > 1}
    return partial(
        simulate,
        problem,
        replace(method, **steps),  # type: ignore[type-var]
        K=first.setting.K,
        T=T if most is None else np.minimum(T, most),
        S=first.setting.S if problem.clients_of_lanes is None else np.repeat([c.setting.S for c in bundle], counts),
        b=first.setting.b,
        lanes=np.concatenate([cell.lanes for cell in bundle]),
        seed=first.seed,
        metrics=metrics_of(bundle),
        quantities=first.quantities,
        points=first.points,
        schedule=dict(first.schedule),
        weight_decay=first.weight_decay,
    )


def _by_problem(bundle: list[Cell]) -> list[list[Cell]]:
    groups: dict[Any, list[Cell]] = defaultdict(list)
    for cell in bundle:
        groups[cell.parameters, cell.setting.N, cell.setting.S].append(cell)
    return list(groups.values())


def _compute_run(simulated: Callable[..., Run], *, compiled: bool) -> Run:
    """Return the run, compiled where that is meant to be and can be."""
    if compiled:
        with contextlib.suppress(NotCompilableError):
            return simulated(backend="jax")
    return simulated()


def _require_numbers(cell: Cell, run: Run, rows: slice) -> None:
    """Run the lanes of a cell that did not end in a number again, watched: a broken function is an error.

    Raises
    ------
    InputError
        If a gradient or a metric is no number at a finite point; the message names the point.
    """
    ends = np.array([run.average(metric.name)[rows] for metric in cell.metrics])
    broken = np.flatnonzero(~np.isfinite(ends).all(axis=0))
    if not len(broken):
        return
    at = cell.setting
    simulate(
        watch_problem(cell.make_problem()),
        cell.make_method(),
        K=at.K,
        T=at.T,
        S=at.S,
        b=at.b,
        lanes=cell.after + broken,
        seed=cell.seed,
        metrics=[watched_metric(metric) for metric in cell.metrics],
        points=1,
        schedule=dict(cell.schedule),
        weight_decay=cell.weight_decay,
    )
