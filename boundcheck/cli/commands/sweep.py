"""The command `sweep`: run a recipe and print the verdicts."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from boundcheck.cli.shared.contests import print_contests
from boundcheck.cli.shared.outputs import NONE, Outputs
from boundcheck.cli.shared.running import RunPlan, predict, recipe_of, sweep_recipe
from boundcheck.cli.terminal.answers import StoredResults, print_and_keep, print_kept
from boundcheck.cli.terminal.options import (
    DEFAULT_STORE,
    Assign,
    DryRun,
    Json,
    Quick,
    RecipeName,
    TrustCode,
    Whole,
    Yes,
)
from boundcheck.cli.terminal.output import mark, number, print_json, print_table, say
from boundcheck.errors import require
from boundcheck.files.own import following, short

if TYPE_CHECKING:
    from boundcheck.sweep import Contests, StudyResult

Asked = Annotated[list[str] | None, Parameter(consume_multiple=True, negative="")]
Files = Annotated[Outputs, Parameter(name="*")]


def sweep(
    recipe: RecipeName,
    /,
    *,
    store: Path = DEFAULT_STORE,
    workers: Whole | None = None,
    dask: str | None = None,
    backend: Literal["auto", "numpy", "jax"] = "auto",
    dry_run: DryRun = False,
    yes: Yes = False,
    trust_code: TrustCode = False,
    outputs: Files = NONE,
    set_: Assign = None,
    ask: Asked = None,
    seed: int | None = None,
    quick: Quick = False,
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
    backend
        What computes: jax compiles all that can be, auto what is long enough for that to pay, if JAX is installed.
    set_
        Values of a hyperparameter in place of those of every entrant that has it: eta=0.05,0.1; may be repeated.
    ask
        Ids of the assertions that are asked, all when left out; only their experiments run.
    seed
        Root seed in place of the recipe's: methods are tuned anew, and all runs are new ones.
    """
    from boundcheck.sweep import Store, contests
    from boundcheck.sweep.experiments.reading import data_file
    from boundcheck.sweep.recipes.quick import SHORT_FORM, is_short_form

    outputs.require()
    loaded = recipe_of(recipe, quick=quick, trust_code=trust_code, values=set_, asked=ask, seed=seed)
    some = bool(loaded.study or loaded.experiment)
    require(some, "recipe", recipe, "a recipe with studies to run; this one is for report")
    plan = RunPlan(store=store, workers=workers, dask=dask, yes=yes, backend=backend)
    stored, settings = StoredResults(loaded, store.absolute()), (recipe, yes, json)
    # Where code or a file has a part in it, it is asked anew.
    lasting = outputs == NONE and not (trust_code or dry_run)
    question = stored.question(settings) if lasting else None
    if print_kept(question):
        return
    with following(data_file(loaded, recipe), trusted=trust_code):
        if dry_run:
            predict(loaded, recipe, plan, json=json)
            return
        results = sweep_recipe(loaded, recipe, plan)
        held = contests(loaded, Store(store))
        outputs.write(loaded, results, held)

    def print_answer() -> None:
        _print(recipe, results, held, json=json)
        if is_short_form(loaded) and not json:
            say(SHORT_FORM)

    print_and_keep(question, stored, settings, print_answer)


def _print(recipe: str, results: list[StudyResult], held: Contests, *, json: bool) -> None:
    from boundcheck.sweep import verdicts

    rows = [
        {"study": r.study.id, "problem": r.study.problem, "bound": name, "verdict": r.verdict(name), **_grid(r, name)}
        for r in results
        for name in r.study.bounds
    ]
    if json:
        print_json([*rows, *({"assertion": name, **row} for name, row in verdicts(held).items())])
        return
    print_contests(held, recipe)
    if not rows:
        return
    columns = ("study", "bound", "verdict", "cells", "largest measured / rhs", "constant at least")
    print_table(f"verdicts of {recipe}", columns, [_row_cells(row) for row in rows], first=("verdict", "bound"))
    _print_reasons(results)
    _print_times(results)


def _row_cells(row: dict[str, Any]) -> list[str]:
    return [
        row["study"],
        short(row["bound"]),
        mark(row["verdict"]),
        ", ".join(f"{n} {what}" for what, n in sorted(row["cells"].items())),
        number(row["ratio"]),
        number(row["constant_at_least"]),
    ]


def _print_reasons(results: list[StudyResult]) -> None:
    """Say why a bound does not apply: the first reason, and how many more there are."""
    for result in results:
        for name in result.study.bounds:
            found = [v for point in result.points if (v := point.verdicts.get(name)) is not None]
            reasons = list(dict.fromkeys(v.reason for v in found if v.verdict == "not applicable"))
            if reasons:
                more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
                say(f"{result.study.id}, not applicable: {reasons[0]}{more}")


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
                say(fit.note)


def _interval(low: float, high: float) -> str:
    """Return an interval whose open ends are left blank."""
    ends = (f"{low:.4g}" if 0 < low < float("inf") else "", f"{high:.4g}" if 0 < high < float("inf") else "")
    return " .. ".join(ends).strip() if any(ends) else "-"


def _grid(result: StudyResult, name: str) -> dict[str, Any]:
    if name in result.grids:
        grid = result.grids[name]
        return {
            "cells": grid.counts,
            "ratio": grid.worst_ratio,
            "e_value": grid.e_value,
            "growth": [],
            "constant_at_least": None,
        }
    shapes = result.shapes.get(name, [])
    worst = max((max(shape.ratios) for _, shape in shapes), default=None)
    at_least = result.constant_at_least(name)
    growth = [{"at": dict(fixed), **asdict(shape)} for fixed, shape in shapes]
    counts = Counter(str(point.verdicts[name].verdict) for point in result.points)
    return {
        "cells": dict(counts),
        "ratio": worst,
        "e_value": None,
        "growth": growth,
        "constant_at_least": at_least,
    }
