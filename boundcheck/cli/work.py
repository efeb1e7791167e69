"""Commands that compute: run, check, sweep, report."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boundcheck.cli.options import DEFAULT_STORE, Assign, FailOn, Horizons, Json, Metrics, Output, Vary, Whole
from boundcheck.cli.output import mark, number, print_card, print_json, print_table

if TYPE_CHECKING:
    from boundcheck.evidence import Shape, Verdict
    from boundcheck.sweep import StudyResult


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
    """
    from boundcheck.cli.settings import assignments
    from boundcheck.engine import simulate
    from boundcheck.errors import require_count
    from boundcheck.evidence.intervals import t_interval
    from boundcheck.methods import METHODS
    from boundcheck.problems import load_problem
    from boundcheck.sweep.cells import build_method

    require_count(seed, "seed", 0)
    loaded = load_problem(problem, N=N)
    built = build_method(METHODS[method], tuple(assignments(set_).items()))
    metrics = metric or ["server_gradient" if loaded.blocks is None else "envelope_gradient"]
    result = simulate(loaded, built, K=K, T=T, S=S, b=b, lanes=lanes, seed=seed, metrics=metrics, workers=workers)
    rows: list[dict[str, Any]] = []
    for name in metrics:
        y = result.average(name)
        low, high = t_interval(y)
        # One lane has no spread to make an interval of.
        ends = {"low": low, "high": high} if len(y) > 1 else {"low": None, "high": None}
        rows.append({"metric": name, "mean": y.mean(), **ends, "replicates": len(y)})
    if json:
        data = {"problem": loaded.name, "method": method, "N": N, "K": K, "T": T, "S": S or N, "b": b}
        print_json({**data, "gradients": result.gradients, "metrics": rows})
        return
    print_table(
        f"{built.card.title} on {loaded.name}, {result.gradients} client gradients a lane",
        ("metric", "mean", "95 % interval", "replicates"),
        [[r["metric"], number(r["mean"]), _between(r["low"], r["high"]), str(r["replicates"])] for r in rows],
    )


def _between(low: float | None, high: float | None) -> str:
    return "-" if low is None or high is None else f"{low:.4g} .. {high:.4g}"


def check(
    bound: str,
    problem: str,
    /,
    *,
    N: Whole,
    K: Whole,
    T: Horizons,
    S: Whole | None = None,
    b: Whole = 1,
    set_: Assign = None,
    vary: Vary = None,
    alpha: float = 0.05,
    replicates: Whole = 16,
    budget: Whole = 256,
    seed: Whole = 0,
    paths: Whole = 4096,
    fail_on: FailOn = None,
    json: Json = False,
) -> int:
    """Check a bound on a problem: measured against the right-hand side, with an error rate.

    A bound of order only is judged by the growth of its ratio along T: give at least three values of T.

    Parameters
    ----------
    bound
        Name of a bound.
    problem
        Name of a problem, or a path to a .toml file; may carry parameters: ridge-ratio[zeta=2].
    N
        Clients.
    K
        Local steps a round.
    T
        Rounds: one number or several.
    S
        Active clients a round; all when left out.
    b
        Minibatch: samples averaged in one gradient.
    set_
        A parameter of the bound to use in place of the prescribed one, name=value; may be repeated.
    vary
        A problem parameter that runs along with T: name=v1,v2,... with one value for each T.
    alpha
        Error rate.
    replicates
        Replicates of the first stage.
    budget
        Replicates at most.
    seed
        Root seed.
    paths
        Paths of a run up to which it is enumerated for an exact verdict; 0 never.
    fail_on
        Exit with 1 on this verdict; may be repeated.
    """
    from boundcheck.cli.settings import assignments, varied
    from boundcheck.evidence.series import check_series

    runs = varied(vary, len(T))
    verdicts, shape = check_series(
        bound,
        problem,
        N=N,
        K=K,
        T=T,
        S=S,
        b=b,
        varied=runs,
        overrides=assignments(set_),
        alpha=alpha,
        replicates=replicates,
        budget=budget,
        seed=seed,
        paths=paths,
    )
    if json:
        print_json(verdicts[0].data() if len(verdicts) == 1 else [v.data() for v in verdicts])
    else:
        _print_checked(bound, verdicts, shape)
    return 1 if any(v.verdict in (fail_on or ()) for v in verdicts) else 0


def _print_checked(bound: str, verdicts: list[Verdict], shape: Shape | None) -> None:
    for verdict in verdicts:
        _print_verdict(verdict)
    if shape:
        _print_shape(bound, shape)


def _print_verdict(v: Verdict) -> None:
    entries = {"verdict": f"{v.verdict}: {v.reason}"}
    if v.measured is not None:
        interval = f" (95 % interval {number(v.low)} .. {number(v.high)}, {v.replicates} replicates)"
        interval = interval if v.replicates != 1 else " (one run)"
        entries["measured"] = number(v.measured) + interval
        entries["right-hand side"] = f"{number(v.rhs)} = " + " + ".join(
            f"{number(value)} {name}" for name, value in v.terms.items()
        )
        entries["trivial bound"] = number(v.vacuity)
        entries["conditions"] = "\n".join(f"{'✓' if c.holds else '✗'} {c.label}: {c.relation}" for c in v.conditions)
    setting = v.setting or {}
    at = ", ".join(f"{k} = {setting[k]:g}" for k in ("N", "S", "K", "T", "b") if k in setting)
    print_card(f"{v.bound} on {v.problem} {at}".strip(), entries)


def _print_shape(bound: str, shape: Shape) -> None:
    ratios = ", ".join(f"{shape.letter} = {x:g}: {r:.4g}" for x, r in zip(shape.x, shape.ratios, strict=True))
    print_card(f"{bound} along {shape.letter}", {"verdict": f"{shape.verdict}: {shape.reason}", "ratios": ratios})


def sweep(
    recipe: str,
    /,
    *,
    store: Path = DEFAULT_STORE,
    workers: Whole | None = None,
    dask: str | None = None,
    table: Path | None = None,
    curves: Path | None = None,
    summary: Path | None = None,
    times: Path | None = None,
    exponents: Path | None = None,
    json: Json = False,
) -> None:
    """Run what is missing of a recipe and print the verdicts.

    Parameters
    ----------
    recipe
        Name of a recipe, or a path to a .toml file.
    store
        Folder of the results; a second run does only what is missing.
    workers
        Processes; by default one a core.
    dask
        Address of a Dask scheduler to run on in place of local processes.
    table
        Also write every verdict to this .csv or .parquet file.
    curves
        Also write every measured curve to this .csv or .parquet file.
    summary
        Also write one verdict and the counts of cells for every explicit bound to this JSON file.
    times
        Also write rounds, samples and floats to every accuracy (key epsilons) to this .csv or .parquet file.
    exponents
        Also write every fitted exponent and local order to this .csv or .parquet file.
    """
    from boundcheck.errors import require
    from boundcheck.sweep import (
        curve_table,
        exponent_table,
        load_recipe,
        time_table,
        verdict_table,
        write_summary,
        write_table,
    )
    from boundcheck.sweep import summary as summarised

    tables = {
        "--table": (table, verdict_table),
        "--curves": (curves, curve_table),
        "--times": (times, time_table),
        "--exponents": (exponents, exponent_table),
    }
    for option, (path, _) in tables.items():
        _require_table(path, option)
    require(bool(load_recipe(recipe).study), "recipe", recipe, "a recipe with studies to run; this one is for report")
    results = _swept(recipe, store, workers, dask)
    if summary:
        write_summary(summarised(results, load_recipe(recipe).alpha), summary)
    for path, rows_of in tables.values():
        if path:
            write_table(rows_of(results), path)
    rows = [
        {"study": r.study.id, "problem": r.study.problem, "bound": name, "verdict": r.verdict(name), **_grid(r, name)}
        for r in results
        for name in r.study.bounds
    ]
    if json:
        print_json(rows)
        return
    print_table(
        f"verdicts of {recipe}",
        ("study", "bound", "verdict", "cells", "largest measured / rhs"),
        [[r["study"], r["bound"], mark(r["verdict"]), _counts(r["cells"]), number(r["ratio"])] for r in rows],
    )
    _print_reasons(results)
    _print_times(results)


def _print_reasons(results: list[StudyResult]) -> None:
    """Say why a bound does not apply: the first reason, and how many more there are."""
    for result in results:
        for name in result.study.bounds:
            found = [v for point in result.points if (v := point.verdicts.get(name))]
            reasons = list(dict.fromkeys(v.reason for v in found if v.verdict == "not applicable"))
            if reasons:
                more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
                print(f"{result.study.id}, not applicable: {reasons[0]}{more}")


def _require_table(path: Path | None, option: str) -> None:
    """Refuse, before hours of work, a file that could not be written after them."""
    from boundcheck.errors import require

    if path is not None:
        require(path.suffix in {".csv", ".parquet"}, option, str(path), "a file ending in .csv or .parquet")


def _print_times(results: list[StudyResult]) -> None:
    for result in results:
        for item in result.times:
            fit = item.times.complexity
            promised = f", promised {fit.promised:.3g}: {fit.promise}" if fit and fit.promised else ""
            power = f"eps^-{fit.exponent:.2f} ({fit.low:.2f} .. {fit.high:.2f}{promised})" if fit else "no exponent"
            at = ", ".join(f"{k} = {v}" for k, v in item.fixed)
            rows = [
                [f"{r.epsilon:g}", str(r), _interval(r.low, r.high), *map(number, item.cost(r))]
                for r in item.times.reached
            ]
            columns = ("eps", "rounds", "95 % interval", "samples", "exact gradients", "floats")
            print_table(f"{result.study.id}, {item.label}, {at}: rounds ~ {power}", columns, rows)
            if fit and fit.note:
                print(fit.note)


def _interval(low: float, high: float) -> str:
    """Return an interval whose open ends are left blank."""
    ends = (f"{low:.4g}" if 0 < low < float("inf") else "", f"{high:.4g}" if 0 < high < float("inf") else "")
    return " .. ".join(ends).strip() if any(ends) else "-"


def _grid(result: StudyResult, name: str) -> dict[str, Any]:
    if name in result.grids:
        grid = result.grids[name]
        return {"cells": grid.counts, "ratio": grid.worst_ratio, "e_value": grid.e_value, "growth": []}
    shapes = result.shapes.get(name, [])
    worst = max((max(shape.ratios) for _, shape in shapes), default=None)
    growth = [{"at": dict(fixed), **asdict(shape)} for fixed, shape in shapes]
    return {"cells": {"order only": len(result.points)}, "ratio": worst, "e_value": None, "growth": growth}


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{n} {what}" for what, n in sorted(counts.items()))


def report(
    recipe: str = "overview",
    /,
    *,
    output: Output = None,
    store: Path = DEFAULT_STORE,
    workers: Whole | None = None,
    claims: bool = True,
) -> None:
    """Run what is missing of a recipe and write the PDF.

    Parameters
    ----------
    recipe
        Name of a recipe, or a path to a .toml file.
    store
        Folder of the results.
    workers
        Processes; by default one a core.
    claims
        Decide the claims too.
    """
    import os
    import sys

    from boundcheck.cli.progress import work
    from boundcheck.lemmas import prove
    from boundcheck.report import write_report
    from boundcheck.sweep import Store, load_recipe

    loaded = load_recipe(recipe)
    results = _swept(recipe, store, workers)
    proofs = None
    if claims:
        with work("claims") as progress:
            cores = workers or os.cpu_count() or 1
            proofs = prove(loaded.claims, workers=cores, kept=True, progress=progress)
    target = output or Path(f"{Path(recipe).stem}.pdf")
    path = write_report(loaded, Store(store), target, claims=proofs, name=recipe, results=results)
    print(f"wrote {path}", file=sys.stderr)


def _swept(recipe: str, store: Path, workers: Whole | None, dask: str | None = None) -> list[StudyResult]:
    import contextlib

    from boundcheck.cli.progress import work
    from boundcheck.sweep import Store, collect, load_recipe, run_sweep
    from boundcheck.sweep.runner import distributed

    loaded, results = load_recipe(recipe), Store(store.absolute())
    with work(recipe) as progress, distributed(dask) if dask else contextlib.nullcontext() as executor:
        run_sweep(loaded, results, workers=workers, executor=executor, progress=progress)
    return collect(loaded, results)
