"""The command `compare`: guarantees, measurements and tuned runs of every method that fits, side by side."""

from __future__ import annotations

import csv
import io
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from boundcheck.cli.shared.arena import RunSettings
from boundcheck.cli.terminal.answers import answer_of
from boundcheck.cli.terminal.options import Json, ProblemName
from boundcheck.cli.terminal.output import number, print_json, print_table, say
from boundcheck.files.display import list_values

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.sweep.run.estimate import Estimate

Row = dict[str, Any]
"""A `MethodComparison` as plain data."""
Table = Annotated[Path | None, Parameter(name="--csv", negative="")]
_COLUMNS = ("method", "bound", "worst case", "at its steps", "tuned", "rounds", "tuned rounds", "floats", "theorem")
_FIRST = _COLUMNS[1:]
_FIELD = "of the field, not audited"


def compare(
    problem: ProblemName,
    /,
    *,
    at: RunSettings,
    eps: float | None = None,
    every: bool = False,
    csv: Table = None,
    json: Json = False,
) -> None:
    """Put the guarantees of all methods that fit beside what they do: at the theorem's steps, and tuned.

    The theorem of a method is the one that promises most among those that are not false as printed. The worst case is
    over all problems with the same constants: exact for the shortest runs, else proved from above (marked <=).
    Steps are tuned on seeds of their own and a tenth of the rounds, on a small grid, for what
    is shown: the value by the readout, and apart from it the rounds. Rounds are those to a gradient norm of eps, at the
    theorem's steps and at tuned ones; floats what an active client sends and receives in the latter. Where a theorem
    speaks only if messages are compressed, the variance of the compressor that makes it promise most is taken.

    Parameters
    ----------
    problem
        Name of a problem, or a path to a .toml file; all minimisation theorems take part on: common.
    eps
        Gradient norm to reach; a tenth of that at the start when left out.
    every
        Also methods of which no theorem speaks here.
    csv
        Also write the rows to this .csv file.
    """
    from boundcheck.cli.shared.running import require_output
    from boundcheck.cli.terminal.named import problem_named
    from boundcheck.errors import require

    require(eps is None or 0 < eps < float("inf"), "eps", eps, "a number > 0")
    require_output(csv, "--csv", ".csv")
    name = problem_named(problem)
    answer = answer_of(
        "compare", [name], (tuple(at.numbers().values()), eps, every), partial(_compare, name, at, eps, every=every)
    )
    accuracy, data = answer["eps"], answer["methods"]
    if csv is not None:
        _write(csv, data)
    if json:
        setting = {"N": at.N, "S": at.S or at.N, "K": at.K, "T": at.T, "b": at.b}
        print_json({"problem": name, **setting, "eps": accuracy, "methods": data})
        return
    read = "" if at.read in {"average", "time"} else f", tuned for and read by {at.read}"
    what = f"averages of the squared gradient{read}"
    title = f"{name}, N = {at.N}, K = {at.K}, T = {at.T}; {what}; eps = {number(accuracy)}"
    print_compared(title, data, answer["words"])


def _compare(name: str, at: RunSettings, eps: float | None, *, every: bool) -> dict[str, Any]:
    """Run what is compared and return it as plain data."""
    from dataclasses import asdict

    from boundcheck.api.methods import compare as compare_methods
    from boundcheck.cli.terminal.beforehand import say_beforehand
    from boundcheck.cli.terminal.progress import work
    from boundcheck.evidence.slack.class_ceiling import WORDS

    def beforehand(what: str, taken: Estimate) -> None:
        say_beforehand("compare", taken.seconds, what=what, megabytes=taken.megabytes)

    asked: dict[str, Any] = {"workers": at.workers, "eps": eps, "every": every}
    with work("compare") as progress:
        found = compare_methods(name, **at.numbers(), **asked, progress=progress, beforehand=beforehand)
    data = [asdict(row) | {"looseness": row.looseness} for row in found]
    return {"eps": found.eps, "methods": data, "words": WORDS}


def print_compared(title: str, rows: list[Row], meanings: Mapping[str, str]) -> None:
    """Print the methods of a comparison, those that promise most first, and what their words mean."""
    print_table(title, _COLUMNS, [_row(row) for row in sorted(rows, key=_order)], first=_FIRST)
    for line in _notes(rows, meanings):
        say(line)


def _notes(rows: list[Row], meanings: Mapping[str, str]) -> list[str]:
    """Return what stands below the table: statuses, words in the place of numbers, and what speaks of nothing."""
    groups: dict[str, list[str]] = {}
    for row in rows:
        if row["bound"]:
            unaudited = row["status"] == "open" and row["bound"].startswith("field.")
            groups.setdefault(_FIELD if unaudited else row["status"], []).append(row["method"])
    words = dict.fromkeys(row["ceiling_word"] for row in rows if row["ceiling_word"])
    chosen = [row for row in rows if row["letters"]]
    return [
        *(f"{status}: {', '.join(names)}" for status, names in groups.items()),
        *(f"{word}: {meanings[word]}" for word in words),
        *(f"{row['method']}: {list_values(row['letters'], '.3g')}, as else {row['why']}" for row in chosen),
        *(f"{row['method']}: {row['why'] or 'no theorem'}" for row in rows if not row["bound"]),
        *(
            f"{row['method']}: not there in T rounds at any of the {row['tried']} points that were tried"
            for row in rows
            if row["tuned_rounds"] == float("inf")
        ),
        *(
            f"{row['method']}: the optimum lies on the edge of the grid: {', '.join(row['edges'])}"
            for row in rows
            if row["edges"]
        ),
    ]


def _order(row: Row) -> tuple[bool, float]:
    return not row["bound"], row["guaranteed"] if row["guaranteed"] is not None else float("inf")


def _row(row: Row) -> list[str]:
    above = "" if row["ceiling_exact"] else "<="
    ceiling = row["ceiling_word"] or "-" if row["ceiling"] is None else f"{above}{_short_number(row['ceiling'])}"
    return [
        row["method"],
        _short_number(row["guaranteed"]),
        ceiling,
        _short_number(row["measured"]),
        _short_number(row["tuned"]),
        _rounds(row["rounds"]),
        _rounds(row["tuned_rounds"]),
        _short_number(row["floats"]),
        row["bound"] or "-",
    ]


def _short_number(value: float | None) -> str:
    """Return three digits in at most seven signs."""
    return "-" if value is None else f"{value:.3g}".replace("e-0", "e-").replace("e+0", "e")


def _rounds(value: float | None) -> str:
    return "-" if value is None else "> T" if value == float("inf") else f"{value:,.0f}"


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    from boundcheck.files.atomic import write_whole
    from boundcheck.sweep.results.table import quote_formula

    text = io.StringIO()
    plain = [
        {k: " ".join(f"{a}={b}" for a, b in v.items()) if isinstance(v, dict) else v for k, v in row.items()}
        for row in rows
    ]
    writer = csv.DictWriter(text, list(plain[0]) if plain else ["method"], lineterminator="\n")
    writer.writeheader()
    writer.writerows({k: quote_formula(v) for k, v in row.items()} for row in plain)
    write_whole(path, text.getvalue())
