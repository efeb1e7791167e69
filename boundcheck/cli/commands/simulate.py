"""The command `run`: simulate, and print the averaged metrics."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from boundcheck.cli.terminal.options import Assign, BoundName, Json, Laws, MethodName, Metrics, ProblemName, Whole
from boundcheck.cli.terminal.output import number, print_json, print_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from boundcheck.engine import Run
    from boundcheck.methods.base import Method
    from boundcheck.problems.base import Problem


def run(
    problem: ProblemName,
    method: MethodName,
    /,
    *,
    N: Whole,
    K: Whole,
    T: Whole,
    S: Whole | None = None,
    b: Whole = 1,
    set_: Assign = None,
    at: BoundName | None = None,
    schedule: Laws = None,
    weight_decay: float = 0.0,
    lanes: Whole = 16,
    seed: Whole = 0,
    metric: Metrics = None,
    workers: Whole = 1,
    backend: Literal["numpy", "jax"] = "numpy",
    dtype: Literal["float64", "float32"] = "float64",
    json: Json = False,
) -> None:
    """Simulate a method on a problem, named in any order, and print the averaged metrics with 95 % intervals.

    Parameters
    ----------
    problem
        Name of a problem, or a path to a .toml file; may carry parameters: ridge-ratio[zeta=2].
    method
        Name of a method; its hyperparameters come from --set.
    N
        Clients.
    K
        Local steps a round.
    T
        Rounds.
    S
        Active clients a round; all when left out.
    b
        Minibatch: samples averaged in one gradient.
    set_
        A hyperparameter of the method, name=value; may be repeated. Values with commas between them are run one after
        the other: eta=0.05,0.1.
    at
        A bound of the method: run at the steps that it prescribes here.
    schedule
        The law of a hyperparameter's factor by round, eta=0.99^t or eta=(t+1)^-0.5; may be repeated.
    weight_decay
        Weight of |x|^2/2 added to every client's function; what is measured stays without it.
    lanes
        Replicates.
    seed
        Root seed.
    metric
        What to measure: server_gradient, local_gradient, suboptimality, drift, envelope_gradient, ...; may be repeated.
        By default the squared gradient of f (of Phi for a minimax problem).
    workers
        Processes.
    backend
        What computes; jax (extra jax) compiles the same source, which pays in long runs.
    dtype
        Type of real numbers; float32 with jax only.
    """
    from boundcheck.cli.terminal.named import beside_problem
    from boundcheck.cli.terminal.settings import grid, laws
    from boundcheck.errors import require_count
    from boundcheck.limits import require_run
    from boundcheck.methods import METHODS
    from boundcheck.problems import load_problem

    require_count(seed, "seed", 0)
    method, problem = beside_problem("method", method, problem, METHODS)
    loaded = load_problem(problem, N=N)
    points = grid(set_)
    size: dict[str, Any] = {"K": K, "T": T, "S": S, "b": b}
    methods = _methods(method, points, at, loaded, size)
    metrics = metric or [loaded.usual_metric]
    require_run(N=N, d=loaded.d, S=S, K=K, b=b, T=T, replicates=lanes)
    options: dict[str, Any] = {"metrics": metrics, "schedule": laws(schedule), "weight_decay": weight_decay}
    options |= {"lanes": lanes, "seed": seed, "workers": workers, "backend": backend, "dtype": dtype}
    runs = [_run_method(loaded, built, **size, **options) for built in methods]
    found = [(point, run, list(_rows(run, metrics))) for point, run in zip(points, runs, strict=True)]
    if json:
        print_json({"problem": loaded.name, "method": method, "N": N, **size, "S": S or N, **_results(found)})
        return
    _print_rows(f"{methods[0].card.title} on {loaded.name}", points, found)


def _methods(
    name: str, points: Sequence[Mapping[str, Any]], at: str | None, problem: Problem, size: Mapping[str, Any]
) -> list[Method]:
    """Return the method at every point of a grid of hyperparameters, or at what a bound prescribes in their place."""
    from boundcheck.api.methods import method_of_bound
    from boundcheck.bounds import BOUNDS
    from boundcheck.cli.terminal.named import bound_named
    from boundcheck.engine.setting import Setting
    from boundcheck.methods import METHODS
    from boundcheck.sweep.cells.cells import build_method

    if at is None:
        return [build_method(METHODS[name], tuple(point.items())) for point in points]
    bound, setting = BOUNDS[bound_named(at)], Setting.of(problem, **size)
    return [method_of_bound(bound, name, problem, setting, point, "--at") for point in points]


def _run_method(problem: Problem, method: Method, **options: Any) -> Run:
    """Return the run of a method, tried again where a worker was lost."""
    from boundcheck.engine import simulate
    from boundcheck.workers.processes import retry_once

    return retry_once(partial(simulate, problem, method, **options))


def _results(found: Sequence[tuple[Any, Run, list[dict[str, Any]]]]) -> dict[str, Any]:
    """Return what was measured as plain data: of one point as it is, of several each with its hyperparameters."""
    each = [{"gradients": run.gradients, "backend": run.backend, "metrics": rows} for _, run, rows in found]
    many = {"runs": [{"set": point, **one} for (point, _, _), one in zip(found, each, strict=True)]}
    return each[0] if len(each) == 1 else many


def _print_rows(
    heading: str, points: Sequence[Mapping[str, Any]], found: Sequence[tuple[Any, Run, list[dict[str, Any]]]]
) -> None:
    """Print a line a metric and point, with the hyperparameters that move."""
    moving = [name for name in points[0] if len({str(point[name]) for point in points}) > 1]
    print_table(
        f"{heading}, {found[0][1].gradients} client gradients a lane",
        (*moving, "metric", "mean", "95 % interval", "replicates"),
        [[*(str(point[name]) for name in moving), *_row_cells(row)] for point, _, rows in found for row in rows],
    )


def _rows(run: Run, metrics: list[str]) -> Iterator[dict[str, Any]]:
    from boundcheck.evidence.statistics.intervals import t_interval

    for name in metrics:
        y = run.average(name)
        low, high = t_interval(y)
        # One lane has no spread to make an interval of.
        ends = {"low": low, "high": high} if len(y) > 1 else {"low": None, "high": None}
        yield {"metric": name, "mean": y.mean(), **ends, "replicates": len(y)}


def _row_cells(row: dict[str, Any]) -> list[str]:
    known = row["low"] is not None and row["high"] is not None
    between = f"{row['low']:.4g} .. {row['high']:.4g}" if known else "-"
    return [row["metric"], number(row["mean"]), between, str(row["replicates"])]
