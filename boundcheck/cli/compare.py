"""The command `compare`: guarantees, measurements and tuned runs of every method that fits, side by side."""

from __future__ import annotations

import csv
import io
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from boundcheck.cli.options import Json, Whole
from boundcheck.cli.output import mark, number, print_json, print_table, say

if TYPE_CHECKING:
    from boundcheck.sweep.contend import Compared

Table = Annotated[Path | None, Parameter(name="--csv", negative="")]
_COLUMNS = (
    "method",
    "guaranteed",
    "worst case",
    "at theorem's steps",
    "tuned",
    "rounds to eps",
    "tuned rounds",
    "floats",
    "status",
    "theorem",
)
_FIRST = ("guaranteed", "at theorem's steps", "tuned", "status")


def compare(
    problem: str,
    /,
    *,
    N: Whole,
    K: Whole,
    T: Whole,
    S: Whole | None = None,
    b: Whole = 1,
    eps: float | None = None,
    every: bool = False,
    seed: Whole = 0,
    replicates: Whole = 8,
    workers: Whole | None = None,
    csv: Table = None,
    json: Json = False,
) -> None:
    """Put the guarantees of all methods that fit beside what they do: at the theorem's steps, and tuned.

    The theorem of a method is the one that promises most among those that are not false as printed. The worst case is
    over all problems with the same constants: exact for the shortest runs, else proved from above (marked <=); it needs
    the extra `worst`. Steps are tuned on seeds of their own and a tenth of the rounds, on a small grid.

    Parameters
    ----------
    problem
        Name of a problem, or a path to a .toml file; all minimisation theorems take part on: common.
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
    eps
        Gradient norm to reach; a tenth of that at the start when left out.
    every
        Also methods of which no theorem speaks here.
    seed
        Root seed.
    replicates
        Replicates, where a run is random.
    workers
        Processes; by default one a core.
    csv
        Also write the rows to this .csv file.
    """
    from dataclasses import asdict

    from boundcheck.cli.named import problem_named
    from boundcheck.cli.progress import work
    from boundcheck.cli.running import require_output
    from boundcheck.errors import require
    from boundcheck.limits import require_run
    from boundcheck.problems import load_problem
    from boundcheck.sweep import Store
    from boundcheck.sweep.contend import Question, compared

    require(eps is None or 0 < eps < float("inf"), "eps", eps, "a number > 0")
    require_output(csv, "--csv", ".csv")
    name = problem_named(problem)
    require_run(N=N, d=load_problem(name, N=N).d, S=S, b=b, T=T, replicates=replicates)
    question = Question(name, N, K, T, S, b, eps, seed, replicates, every)
    with tempfile.TemporaryDirectory() as folder, work("compare") as progress:
        rows, accuracy = compared(question, Store(folder), workers=workers, progress=progress)
    data = [asdict(row) | {"looseness": row.looseness} for row in rows]
    if csv is not None:
        _write(csv, data)
    if json:
        print_json({"problem": name, "N": N, "S": S or N, "K": K, "T": T, "b": b, "eps": accuracy, "methods": data})
        return
    title = f"{name}, N = {N}, K = {K}, T = {T}; averages of the squared gradient; eps = {number(accuracy)}"
    print_table(title, _COLUMNS, [_row(row) for row in sorted(rows, key=_order)], first=_FIRST)
    for row in rows:
        if not row.bound:
            say(f"{row.method}: {row.why or 'no theorem'}")


def _order(row: Compared) -> tuple[bool, float]:
    return not row.bound, row.guaranteed if row.guaranteed is not None else float("inf")


def _row(row: Compared) -> list[str]:
    ceiling = "-" if row.ceiling is None else f"{'' if row.ceiling_exact else '<= '}{_told(row.ceiling)}"
    return [
        row.method,
        _told(row.guaranteed),
        ceiling,
        _told(row.measured),
        _told(row.tuned),
        _rounds(row.rounds),
        _rounds(row.tuned_rounds),
        _told(row.floats),
        mark(row.status) if row.status else "-",
        row.bound or "-",
    ]


def _told(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}"


def _rounds(value: float | None) -> str:
    return "-" if value is None else "never" if value == float("inf") else f"{value:,.0f}"


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    from boundcheck.atomic import write_whole

    text = io.StringIO()
    plain = [
        {k: " ".join(f"{a}={b}" for a, b in v.items()) if isinstance(v, dict) else v for k, v in row.items()}
        for row in rows
    ]
    writer = csv.DictWriter(text, list(plain[0]) if plain else ["method"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(plain)
    write_whole(path, text.getvalue())
