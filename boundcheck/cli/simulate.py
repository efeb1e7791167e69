"""The command `run`: simulate, and print the averaged metrics."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from boundcheck.cli.options import Assign, Json, Metrics, Whole
from boundcheck.cli.output import number, print_json, print_table


def run(
    problem: str,
    method: str,
    /,
    *,
    N: Whole,
    K: Whole,
    T: Whole,
    S: Whole | None = None,
    b: Whole = 1,
    set_: Assign = None,
    lanes: Whole = 16,
    seed: Whole = 0,
    metric: Metrics = None,
    workers: Whole = 1,
    backend: Literal["numpy", "jax"] = "numpy",
    dtype: Literal["float64", "float32"] = "float64",
    json: Json = False,
) -> None:
    """Simulate a method on a problem and print the averaged metrics with 95 % intervals.

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
        A hyperparameter of the method, name=value; may be repeated.
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
    from boundcheck.cli.settings import assignments
    from boundcheck.engine import simulate
    from boundcheck.errors import require_count
    from boundcheck.evidence.intervals import t_interval
    from boundcheck.limits import require_run
    from boundcheck.methods import METHODS
    from boundcheck.problems import load_problem
    from boundcheck.processes import retried
    from boundcheck.sweep.cells import build_method

    require_count(seed, "seed", 0)
    loaded = load_problem(problem, N=N)
    built = build_method(METHODS[method], tuple(assignments(set_).items()))
    metrics = metric or ["server_gradient" if loaded.blocks is None else "envelope_gradient"]
    require_run(N=N, d=loaded.d, S=S, b=b, T=T, replicates=lanes)
    run_all = partial(simulate, loaded, built, K=K, T=T, S=S, b=b, lanes=lanes, seed=seed, metrics=metrics)
    run_all = partial(run_all, backend=backend, dtype=dtype)
    result = retried(lambda: run_all(workers=workers))
    rows: list[dict[str, Any]] = []
    for name in metrics:
        y = result.average(name)
        low, high = t_interval(y)
        # One lane has no spread to make an interval of.
        ends = {"low": low, "high": high} if len(y) > 1 else {"low": None, "high": None}
        rows.append({"metric": name, "mean": y.mean(), **ends, "replicates": len(y)})
    if json:
        data = {"problem": loaded.name, "method": method, "N": N, "K": K, "T": T, "S": S or N, "b": b}
        print_json({**data, "gradients": result.gradients, "backend": result.backend, "metrics": rows})
        return
    print_table(
        f"{built.card.title} on {loaded.name}, {result.gradients} client gradients a lane",
        ("metric", "mean", "95 % interval", "replicates"),
        [[r["metric"], number(r["mean"]), _between(r["low"], r["high"]), str(r["replicates"])] for r in rows],
    )


def _between(low: float | None, high: float | None) -> str:
    return "-" if low is None or high is None else f"{low:.4g} .. {high:.4g}"
