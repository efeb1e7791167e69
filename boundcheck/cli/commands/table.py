"""The command `table`: a comparison table of a paper, whole, at common constants, and who wins where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from boundcheck.cli.terminal.answers import answer_once
from boundcheck.cli.terminal.options import Assign, Json, names_of
from boundcheck.cli.terminal.output import number, print_json, print_table, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boundcheck.bounds.comparison import Map, Table

Over = Annotated[str | None, Parameter(name="--over", negative="")]
Along = Annotated[str | None, Parameter(name="--along", negative="")]


@answer_once
def table(
    name: Annotated[str, names_of("tables")],
    /,
    *,
    set_: Assign = None,
    by: Literal["rounds", "samples"] = "rounds",
    form: Literal["printed", "ours"] = "printed",
    over: Over = None,
    along: Along = None,
    json: Json = False,
) -> None:
    """Print a comparison table: cost as printed, powers, value at common constants, and what a theorem guarantees.

    Hidden constants are taken as 1 on every row alike.

    Parameters
    ----------
    name
        Name of a table: boundcheck list tables.
    set_
        A constant, such as sigma=2 or eps_acc=0.01; may be repeated.
    by
        Rank by rounds, or by gradients of all clients that take part.
    form
        The rows as printed, or with mended rows in the place of those that a cited or derived one replaces.
    over
        Two letters, such as sigma,zeta: print who wins where.
    along
        A letter: print where the winner changes along it.
    """
    from boundcheck.api.words import rows_of_table
    from boundcheck.bounds.comparison import replace_constants, table_named
    from boundcheck.cli.terminal.settings import assignments
    from boundcheck.errors import require

    found, changes = table_named(name), assignments(set_)
    for letter, value in changes.items():
        require(isinstance(value, (int, float)), letter, value, "a number")
    at = replace_constants(found, changes)
    rows = rows_of_table(found, changes, by, form)
    data: dict[str, Any] = {"table": name, "constants": at, "by": by, "form": form, "rows": rows}
    if along:
        data["takeovers"] = _takeovers(found, along, changes, by, form)
    board = _board(found, over, changes, by, form) if over else None
    if board is not None:
        data["map"] = vars(board)
    if json:
        print_json(data)
        return
    _print_rows(found, at, rows)
    for change in data.get("takeovers", []):
        say(f"from {change['letter']} = {number(change['at'])}: {change['after']} (before: {change['before']})")
    if along and not data["takeovers"]:
        say(f"{rows[0]['row']}: the cheapest row does not change along {along}")
    if board is not None:
        _print_map(board)


def _takeovers(found: Table, along: str, changes: dict[str, Any], by: Any, form: Any) -> list[dict[str, Any]]:
    """Return where the cheapest row changes along a letter."""
    from boundcheck.bounds.comparison import dial, takeovers
    from boundcheck.errors import require

    require(along in found.constants, "--along", along, f"one of {', '.join(found.constants)}")
    values = dial(found, along)
    return [vars(change) for change in takeovers(found, along, min(values), max(values), changes, by=by, form=form)]


def _board(found: Table, over: str, changes: dict[str, Any], by: Any, form: Any) -> Map:
    """Return who wins where over two letters."""
    from boundcheck.bounds.comparison import dial, winners_map
    from boundcheck.errors import require

    x, comma, y = over.partition(",")
    legal = bool(comma) and x in found.constants and y in found.constants
    require(legal, "--over", over, f"two letters of {', '.join(found.constants)}, as in sigma,zeta")
    return winners_map(found, x, y, dial(found, x, 9), dial(found, y, 9), changes, by=by, form=form)


def _print_rows(found: Table, at: Mapping[str, float], rows: Sequence[dict[str, Any]]) -> None:
    """Print the table itself."""
    print_table(
        f"{found.title} ({found.paper}, {found.where}) at {', '.join(f'{k} = {v:g}' for k, v in at.items())}",
        ("row", "method", "printed", "amounts to", "rounds", "samples", "guaranteed rounds", "tuned, measured"),
        [
            [
                r["row"],
                r["method"],
                r["printed"],
                r["powers"],
                *(_cell(r[key]) for key in ("rounds", "samples", "guaranteed")),
                _rounds_needed(r),
            ]
            for r in rows
        ],
    )
    if any(r["measured"] for r in rows):
        say(
            "tuned, measured: rounds on the leaderboard's problem, not at these constants: boundcheck sweep leaderboard"
        )
    if any((r["measured"] or {}).get("edges") for r in rows):
        say("edge: the best value lies on the edge of its grid, so that a wider one may do better")


def _rounds_needed(row: dict[str, Any]) -> str:
    """Return the rounds that the tuned method needed, to what accuracy on which problem, and edges of its grid."""
    found = row["measured"]
    if found is None:
        return "not run"
    spent = found["rounds"][0]
    where = f"{found['eps_acc']:g} on {found['problem'].partition('[')[0]}"
    edges = f" (edge: {', '.join(found['edges'])})" if found["edges"] else ""
    return f"{spent:g} to {where}{edges}" if spent is not None else f"over {found['T']:,} to {where}{edges}"


def _cell(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:,}" if isinstance(value, int) else number(value)


def _print_map(board: Map) -> None:
    """Print the map with a letter for every set of winners."""
    marks = {party: chr(ord("A") + i) for i, party in enumerate(board.parties)}
    rows = [
        [number(y), *(marks[cell] for cell in cells)]
        for y, cells in reversed(list(zip(board.ys, board.cells, strict=True)))
    ]
    print_table(f"who wins: {board.y} up, {board.x} to the right", ("", *map(number, board.xs)), rows)
    for party, letter in marks.items():
        say(f"{letter}: {', '.join(party)}")
