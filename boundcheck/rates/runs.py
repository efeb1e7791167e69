"""Long runs of every point of a grid, side by side where they have the same clients and local steps."""

from __future__ import annotations

import contextlib
import dataclasses
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.engine import simulate
from boundcheck.engine.backends import has_jax
from boundcheck.errors import NotCompilableError
from boundcheck.metrics import metric_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.engine import Run
    from boundcheck.methods.base import Method
    from boundcheck.problems.base import Array, Indices
    from boundcheck.rates.plan import PlannedPoint


class Readings(NamedTuple):
    """The left-hand side at every point of a grid, two ways to read a run."""

    average: Array
    """The theorem's: over the whole run, (points, lanes)."""
    late: Array
    """Over its second half, (points, lanes); the same as the other where the left-hand side is no average."""


def read_grid(
    plans: Sequence[PlannedPoint], methods: Sequence[Method], metric: str, *, lanes: int = 1, seed: int = 0
) -> Readings:
    """Run every point and return both readings.

    Parameters
    ----------
    plans, methods : sequences
        Settings and problems of the points, and what runs there.
    metric : str
        What is averaged.
    lanes : int
        Runs of every point.
    seed : int
        Root seed.
    """
    measured = metric_of(metric)
    halves = measured.over == "mean" and not measured.weighted
    average, late = np.empty((len(plans), lanes)), np.empty((len(plans), lanes))
    places = sorted(range(len(plans)), key=lambda i: _shape(plans[i]))
    for _, group in groupby(places, key=lambda i: _shape(plans[i])):
        rows = list(group)
        whole, half = _halves([plans[i] for i in rows], [methods[i] for i in rows], metric, lanes, seed)
        average[rows], late[rows] = whole, 2 * whole - half if halves else whole
    return Readings(average, late)


def _shape(plan: PlannedPoint) -> tuple[int, int, int]:
    return plan.setting.N, plan.setting.S, plan.setting.K


def _halves(
    plans: Sequence[PlannedPoint], methods: Sequence[Method], metric: str, lanes: int, seed: int
) -> tuple[Array, Array]:
    """Return averages over whole runs and over their first halves, (points, lanes).

    A lane reads its own half at a checkpoint; as every horizon is one, a lane that ends there makes it so.
    """
    ends = np.array([p.setting.T for p in plans])
    halves = sorted({int(T) // 2 for T in ends} - set(ends.tolist()))
    T = np.concatenate([np.repeat(ends, lanes), np.array(halves, dtype=int)])
    numbers = np.concatenate([np.tile(np.arange(lanes), len(plans)), np.zeros(len(halves), dtype=int)])
    order = [*np.repeat(np.arange(len(plans)), lanes), *[0] * len(halves)]
    run = _simulate(plans[0], _in_lanes([methods[i] for i in order]), metric, T=T, lanes=numbers, seed=seed)
    rows, kept = np.arange(len(plans) * lanes), run.curves[metric]
    at_half = kept[rows, np.searchsorted(run.checkpoints, np.repeat(ends // 2, lanes))]
    whole = run.average(metric)[rows]
    return whole.reshape(-1, lanes), at_half.reshape(-1, lanes)


def _simulate(plan: PlannedPoint, method: Method, metric: str, *, T: Indices, lanes: Indices, seed: int) -> Run:
    """Simulate with compiled rounds where there are, else with numpy's."""

    def run(backend: str) -> Run:
        return simulate(
            plan.problem,
            method,
            K=plan.setting.K,
            S=plan.setting.S,
            T=T,
            lanes=lanes,
            seed=seed,
            metrics=[metric],
            points=1,
            block=len(T),
            backend=backend,
        )

    if has_jax():
        with contextlib.suppress(NotCompilableError):
            return run("jax")
    return run("numpy")


def _in_lanes(methods: Sequence[Method]) -> Method:
    """Return one method with the numbers of all of them, one a lane; what is no number is the first's."""
    first = methods[0]
    changed = {}
    for f in dataclasses.fields(first):  # type: ignore[arg-type]
        values = [getattr(m, f.name) for m in methods]
        if any(v != values[0] for v in values):
            changed[f.name] = np.array(values, dtype=float)
    return dataclasses.replace(first, **changed)  # type: ignore[type-var]
