"""Run a method on a problem over many lanes at once."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.engine.backends import block_numbers, block_runner, describe_backend
from boundcheck.engine.block import BlockJob, BlockResult, run_block
from boundcheck.engine.hyper import for_lanes
from boundcheck.engine.mixed import Mix, mix_of, require_mixed
from boundcheck.engine.observers import metrics_named
from boundcheck.engine.quantities import quantity_named
from boundcheck.engine.run import Run, checkpoints
from boundcheck.engine.setting import Setting
from boundcheck.errors import NotApplicableError, require, require_count
from boundcheck.methods.kinds import largest_count
from boundcheck.methods.outside import is_own, require_repeated
from boundcheck.methods.schedule import Schedule
from boundcheck.problems.layered import Layered
from boundcheck.workers.processes import pool

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boundcheck.methods.base import Method
    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Array, Indices, Problem


_SAMPLED = 2**24
"""Most numbers of the samples of a block."""
_ROUNDS = 16
"""Rounds that a method of the user's own makes twice."""
_REPEATED: set[type] = set()
"""Methods of the user's own that made them twice, once a process."""


def simulate(
    problem: Problem,
    method: Method,
    *,
    K: int,
    T: int | Sequence[int] | Indices,
    S: int | Sequence[int] | Indices | None = None,
    b: int = 1,
    lanes: int | Sequence[int] | Indices = 16,
    seed: int = 0,
    metrics: Sequence[str | Metric] = ("server_gradient",),
    quantities: Sequence[str] = (),
    points: int = 8,
    block: int | None = None,
    workers: int = 1,
    schedule: Mapping[str, str] | None = None,
    weight_decay: float = 0.0,
    backend: str = "numpy",
    dtype: str = "float64",
) -> Run:
    """Simulate `method` on `problem` and measure along the way.

    A lane's numbers depend on the seed, on its replicate number and on (N, S, K, T, b), and on nothing else: not on
    the method (runs are paired), the lanes beside it, the block size or the number of workers.

    Parameters
    ----------
    problem : Problem
        What to minimise, with N clients, or a mixed one (`boundcheck.problems.mixed`) with N of its own for every lane.
    method : Method
        Hyperparameters are numbers, or arrays with one entry a lane.
    K, T, S, b : int
        Local steps a round, rounds (one number or one a lane), active clients (default all; one number a lane of a
        mixed problem), minibatch.
    lanes : int or sequence of int
        Number of lanes, or their replicate numbers.
    seed : int
        Root seed.
    metrics : sequence of str or Metric
        Names from `boundcheck.engine.METRICS`, ``output_gradient(0.25)`` (weights of growth 0.25), or records of
        `boundcheck.metrics`.
    quantities : sequence of str
        Names from `boundcheck.engine.quantities.QUANTITIES`: what belongs to the run.  Doubles the cost.
    points : int
        Checkpoints a decade of rounds.
    block : int, optional
        Lanes simulated together; by default as many as stay in cache.
    workers : int
        Processes.
    schedule : mapping, optional
        Hyperparameter to the law of its factor by round: ``{"eta": "0.99^t"}`` or ``{"eta": "(t+1)^-0.5"}``.
    weight_decay : float
        Weight of |x|^2/2 added to every client's function; what is measured stays without it.
    backend : {'numpy', 'jax'}
        What computes.  JAX (extra ``jax``) compiles the same source, reads the same random words and agrees to
        rounding; compilation takes seconds, so that it pays in long runs.
    dtype : {'float64', 'float32'}
        Type of real numbers; float32 with JAX only.

    Returns
    -------
    Run

    Raises
    ------
    InputError
        If K, T, S, b or a shape is not legal; the message names it.
    NotApplicableError
        If method, metric and problem do not go together.
    NotCompilableError
        If JAX is asked for and they have no compiled form.
    """
    _check_kinds(problem, method, metrics, quantities)
    _check_numbers(seed, points, block, workers, weight_decay)
    replicates = np.arange(lanes) if isinstance(lanes, (int, np.integer)) else np.asarray(lanes, dtype=np.intp)
    require(len(replicates) >= 1, "lanes", lanes, "at least one lane")
    horizons = _horizons(T, len(replicates))
    runner = block_runner(backend, dtype)
    mix = mix_of(problem, S, len(replicates))
    setting = _setting(problem, method, mix, S, K=K, T=int(horizons.max()), b=b)
    method = _shape_hyperparameters(method, len(replicates))
    laws = Schedule.of(schedule or {}, method)
    chosen = metrics_named(metrics, problem)
    for name in quantities:
        quantity_named(name)
    require_mixed(mix, method, chosen.values(), quantities, backend)
    marks = checkpoints(horizons, points)

    def job(rows: Indices) -> BlockJob:
        made, own, keys = problem.for_lanes(rows), for_lanes(method, rows), replicates[rows]
        shared = tuple(quantities), laws, float(weight_decay), None if mix is None else mix.keep(rows)
        return BlockJob(made, own, setting, seed, chosen, marks, horizons[rows], keys, *shared)

    most, sampled = block_numbers(backend, problem) // problem.d, setting.N * problem.d * max(b, largest_count(method))
    blocks = _blocks(horizons, block, most, setting.S if mix is None else mix, max(1, _SAMPLED // sampled))
    # Who watches a method counts its rounds, and runs what ran before.
    if is_own(method) and type(method) not in _REPEATED and "watched" not in vars(type(method)):
        _require_repeated(job(blocks[0][:1]))
        _REPEATED.add(type(method))
    run = _join_blocks(
        _run_all([job(rows) for rows in blocks], runner, workers), np.concatenate(blocks), horizons, marks
    )
    return dataclasses.replace(run, backend=describe_backend(backend, dtype))


def _require_repeated(job: BlockJob) -> None:
    """Make the first rounds of a lane twice, and refuse a method for which they differ."""
    rounds = np.minimum(job.horizons, _ROUNDS)
    short = dataclasses.replace(job, checkpoints=rounds, horizons=rounds)
    one, other = run_block(short), run_block(short)
    require_repeated(job.method, same=np.array_equal(one.final, other.final, equal_nan=True))


def _setting(problem: Problem, method: Method, mix: Mix | None, S: Any, *, K: int, T: int, b: int) -> Setting:
    """Return the setting of a run, that of most clients on a mixed problem; refuse what no run can be made of."""
    if mix is None:
        settings = [Setting.of(problem, K=K, T=T, S=S, b=b)]
    else:
        pairs = sorted(set(zip(mix.N.tolist(), mix.S.tolist(), strict=True)), reverse=True)
        settings = [Setting(N=N, S=S, K=K, T=T, b=b) for N, S in pairs]
    for setting in settings:
        check_setting(problem, method, setting)
    return settings[0]


def _blocks(horizons: Indices, block: int | None, most: int, clients: int | Mix, most_lanes: int) -> list[Indices]:
    """Return the lanes of every block, longest horizons first, then those of one number of clients side by side.

    Parameters
    ----------
    horizons, block
        Rounds of every lane; lanes of a block where they are given.
    most : int
        Clients of a block in all its lanes.
    clients : int or Mix
        Active clients of every lane.
    most_lanes : int
        Lanes of a block at most, whose samples are in memory together.
    """
    order, mix = np.argsort(-horizons, kind="stable"), clients if isinstance(clients, Mix) else None
    each = -(-int(clients.S.sum()) // clients.lanes) if isinstance(clients, Mix) else clients
    size = _block_size(len(horizons), min(max(1, most // each), most_lanes)) if block is None else block
    blocks = [order[i : i + size] for i in range(0, len(order), size)]
    return blocks if mix is None else [rows[np.lexsort((mix.S[rows], mix.N[rows]))] for rows in blocks]


def _check_numbers(seed: int, points: int, block: int | None, workers: int, weight_decay: float) -> None:
    """Refuse numbers that are not legal."""
    require_count(seed, "seed", 0)
    for name, count in {"points": points, "block": 1 if block is None else block, "workers": workers}.items():
        require_count(count, name)
    legal = math.isfinite(weight_decay) and weight_decay >= 0
    require(legal, "weight_decay", weight_decay, "a number >= 0")


def _horizons(T: int | Sequence[int] | Indices, lanes: int) -> Indices:
    rounds = _per_lane("T", T, lanes)
    horizons = rounds.astype(np.intp)
    require(bool(((horizons >= 1) & (horizons == rounds)).all()), "T", np.asarray(T).tolist(), "integers >= 1")
    return horizons


def _run_all(jobs: list[BlockJob], runner: Callable[[BlockJob], BlockResult], workers: int) -> list[BlockResult]:
    if workers == 1 or len(jobs) == 1:
        return [runner(job) for job in jobs]
    with pool(workers) as executor:
        return list(executor.map(runner, jobs))


def _check_kinds(problem: object, method: object, metrics: object, quantities: object) -> None:
    """Refuse a name where the object is meant, and one name where a list of them is."""
    require_problem(problem)
    require(not isinstance(method, (str, type)), "method", method, "a method with its steps, such as FedAvg(eta=0.1)")
    for name, given in (("metrics", metrics), ("quantities", quantities)):
        require(not isinstance(given, str), name, given, f"a list of names, [{given!r}]")


def require_problem(problem: object) -> None:
    """Refuse the name of a problem where the problem is meant.

    Raises
    ------
    InputError
        If `problem` is text.
    """
    require(not isinstance(problem, str), "problem", problem, f"a problem: load_problem({problem!r}, N=...)")


def check_setting(problem: Problem, method: Method, setting: Setting) -> None:
    """Refuse what no run can be made of.

    Raises
    ------
    NotApplicableError
        If the problem is not of the kind that the method is for, or S < N where all clients must take part.
    """
    card = method.card
    if card.kind != problem.kind:
        msg = f"method {card.id} is for {card.kind} problems, but {problem.name} is a {problem.kind} problem"
        raise NotApplicableError(msg)
    if "layers" in card.needs and not isinstance(problem, Layered):
        msg = f"method {card.id} needs a problem with layers (a network), but {problem.name} has none"
        raise NotApplicableError(msg)
    if setting.N > setting.S and not card.partial:
        msg = f"method {card.id} is defined for full participation only, but S = {setting.S} < N = {setting.N}"
        raise NotApplicableError(msg)


def _block_size(lanes: int, most: int) -> int:
    """Return how many lanes to simulate together: blocks of nearly equal size."""
    blocks = -(-lanes // most)
    return -(-lanes // blocks)


def _per_lane(name: str, value: Any, lanes: int) -> Array:
    array = np.asarray(value, dtype=float)
    fits = array.ndim == 0 or array.shape == (lanes,)
    require(fits, name, array.tolist(), f"one number, or {lanes} numbers (one a lane)")
    return np.broadcast_to(array, (lanes,))


def _shape_hyperparameters(method: Method, lanes: int) -> Method:
    """Give every per-lane hyperparameter the shape (lanes, 1, 1)."""
    arrays = {
        f.name: _per_lane(f"{method.card.id}: {f.name}", value, lanes).reshape(-1, 1, 1)
        for f in dataclasses.fields(method)  # type: ignore[arg-type]
        if isinstance(value := getattr(method, f.name), (np.ndarray, list, tuple))
    }
    return dataclasses.replace(method, **arrays)  # type: ignore[type-var]


def _join_blocks(parts: list[BlockResult], order: Indices, horizons: Indices, marks: Indices) -> Run:
    """Put the blocks together in the order the lanes were asked for."""
    back = np.argsort(order)

    def stack(arrays: list[Array]) -> Array:
        return np.concatenate(arrays)[back]

    names = list(parts[0].curves)
    return Run(
        T=horizons,
        checkpoints=marks,
        curves={name: stack([part.curves[name] for part in parts]) for name in names},
        instant={name: stack([part.instant[name] for part in parts]) for name in names},
        final=stack([part.final for part in parts]),
        gradients=max(part.gradients for part in parts),
        worst={name: stack([part.worst[name] for part in parts]) for name in parts[0].worst},
        costs={name: stack([part.costs[name] for part in parts]) for name in parts[0].costs},
    )
