"""The command `bounds`: what every theorem promises, and whether it can keep it, without running anything."""

from __future__ import annotations

from typing import Any

from boundcheck.cli.terminal.answers import answer_once
from boundcheck.cli.terminal.options import Assign, BoundName, FailOn, Json, Whole
from boundcheck.cli.terminal.output import MarkupText, mark, print_json, print_table, say
from boundcheck.cli.terminal.transcript import ask_anew
from boundcheck.verdicts.codes import code_of

_COLUMNS = (
    "bound", "form", "status", "feasible", "units", "rate", "rounds, steps", "says something from T", "audit",
)  # fmt: skip
_FIRST = ("status", "says something from T", "rate")
"""Columns that stay longest on a narrow terminal."""


@answer_once
def bounds(
    *names: BoundName,
    problem: str | None = None,
    N: Whole = 8,
    K: Whole = 4,
    set_: Assign = None,
    fail_on: FailOn = None,
    json: Json = False,
) -> int:
    """Print for every bound: form, whether its conditions can be met, its units, exponents, and when it says anything.

    Parameters
    ----------
    names
        Names of bounds, or file.py:NAME; all when left out.
    problem
        Where to look for the horizon from which a bound beats the trivial one; by default one a paper.
    N
        Clients there.
    K
        Local steps a round there.
    set_
        A letter to fix while asking whether the conditions can be met, such as mu=0.25; may be repeated.
    fail_on
        Exit with 1 where a bound has this status, or this verdict in the shipped audit; may be repeated.
    """
    from dataclasses import asdict

    from boundcheck.api.theorems import require_letters
    from boundcheck.bounds import BOUNDS
    from boundcheck.cli.terminal.named import bound_named
    from boundcheck.cli.terminal.settings import assignments
    from boundcheck.evidence.checks.survey import survey
    from boundcheck.sweep import shipped_summary
    from boundcheck.verdicts.status import of_bound

    at, audited = assignments(set_), shipped_summary()
    chosen = tuple(map(bound_named, names)) or tuple(BOUNDS)
    require_letters(at, chosen)
    rows = [
        asdict(survey(BOUNDS[name], problem, N=N, K=K, at=at)) | asdict(of_bound(name)) | {"audit": audited.get(name)}
        for name in chosen
    ]
    said = {row["status"] for row in rows} | {row["audit"]["verdict"] for row in rows if row["audit"]}
    code = code_of(said, fail_on)
    # What a solver left open in its seconds, it may find the next time.
    if any(row["feasible"] is None for row in rows):
        ask_anew()
    if json:
        print_json(rows)
        return code
    title = f"{len(rows)} bounds; horizons at N = {N}, K = {K}"
    print_table(title, _COLUMNS, [_row_cells(row, (N, K)) for row in rows], first=_FIRST)
    for row in rows:
        if problem is not None and row["informative_note"]:
            say(row["informative_note"])
    return code


def _row_cells(row: dict[str, Any], asked: tuple[int, int]) -> list[str]:
    rate = " ".join(f"{k}^({p})" for k, p in row["exponents"].items() if p != "0") or "-"
    cost = f"eps^-({row['rounds']}), eps^-({row['local_steps']})" if row["rounds"] else "-"
    feasible = {True: mark("yes"), False: mark("never"), None: "? open"}[row["feasible"]]
    units = MarkupText(f"[red]✗ {len(row['units'])} mixed[/]") if row["units"] else mark("fit")
    form, status, horizon = f"{row['form']}, {row['kind']}", row["status"], _horizon_cell(row, asked)
    return [row["id"], form, mark(status), feasible, units, rate, cost, horizon, _audit_cell(row["audit"], status)]


def _horizon_cell(row: dict[str, Any], asked: tuple[int, int]) -> str:
    """Return from which T on a bound says something: at least so many where letters of a run are taken to be 0."""
    from boundcheck.evidence.trials.examples import SettingSize

    if row["informative_note"]:
        return "-"
    if row["feasible"] is False:
        return "never"
    start = row["informative_from"]
    horizon = f"{'≥ ' if row['at_zero'] else ''}{start:,}" if start else f"none to {row['looked_to']:g}"
    size = SettingSize(row["N"], row["S"], row["K"])
    return horizon if size == SettingSize(asked[0], *asked) else f"{horizon} ({size})"


def _audit_cell(found: dict[str, Any] | None, status: str) -> str:
    """Return the verdict of the shipped audit with the number of cells that are not vacuous.

    The verdict on a grid has no colour beside a counterexample elsewhere, and "vacuous" is said of theorems alone.
    """
    if found is None:
        return "-"
    said = found["cells"] - found["vacuous"] - found["not_applicable"]
    if found["verdict"] == "vacuous":
        # Of this grid and its problem; from which T on a theorem is not vacuous is another column.
        return MarkupText(f"says nothing in its {found['cells']} cells")
    verdict = found["verdict"] if status == "false as printed" else mark(found["verdict"])
    return MarkupText(f"{verdict}, {said} of {found['cells']} cells say something")
