"""The comparison tables of the papers: printed, amounting to, at common constants, who wins where."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from boundcheck.bounds import BOUNDS, RATES
from boundcheck.bounds.comparison import (
    cost_of,
    dial,
    guaranteed_rounds,
    powers_of,
    ranking,
    table_named,
    takeovers,
    winners_map,
)
from boundcheck.files.kept import load_or_make
from boundcheck.findings.places import place_words
from boundcheck.report.pages.figure import pictures, save_image
from boundcheck.report.pages.papers import cite_paper
from boundcheck.report.pages.tables import captioned_table
from boundcheck.report.plots.maps import winners_figure
from boundcheck.report.typst.markup import code, epsilon, escape, letter, number, prose, setting
from boundcheck.report.typst.typeset import typeset

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.bounds.comparison import Table
    from boundcheck.bounds.rate import Rate

_TIE = 1e-3
"""Costs that differ by less are the same."""
_LINES = re.compile(r",? (?:\[[\d-]+\]|L[\d-]+)$")
"""The lines of a table in a paper's text, which say nothing to a reader."""
GUIDE = (
    "Costs of |grad f| <= eps_acc. Hidden constants are taken as 1 on every row alike, so that the numbers rank orders "
    "and promise nothing; the rounds that a theorem of the package guarantees with its constants are in the last "
    "column. Rows that cost the same tie. A mended row stands below the printed one that it replaces. What tuned runs "
    "need is in the report leaderboard, for its own problems and accuracies."
)


def comparison(names: Sequence[str], folder: Path, *, keep: bool = False) -> str:
    """Return the section: a page a table, which follows from the source alone and may be kept for it."""
    pages = []
    for name in names:
        made = partial(_make_page, name)
        page = load_or_make(f"table {name} of a report", made) if keep else made()
        for file, text in page["files"].items():
            (folder / file).write_text(text, encoding="utf-8", newline="")
        pages.append(page["source"])
    return "= Comparison tables\n\n" + prose(GUIDE) + "\n\n" + "\n".join(pages)


def _make_page(name: str) -> dict[str, Any]:
    """Return a page as Typst source, and the files that it shows by their names."""
    # Kept for pages in print and in a browser alike.
    with TemporaryDirectory() as place:
        folder = Path(place)
        with pictures(drawn=True):
            source = _page(table_named(name), folder)
        files = {path.name: path.read_bytes().decode() for path in sorted(folder.iterdir())}
    return {"source": source, "files": files}


def _page(table: Table, folder: Path) -> str:
    x, y = table.dials
    board = winners_map(table, x, y, dial(table, x), dial(table, y))
    caption = f"The row with fewest rounds over ${letter(x)}$ and ${letter(y)}$, the other constants as in the table."
    name = "who-wins-" + table.id.replace(".", "-")
    image = save_image(winners_figure(board), name, folder, alt="Who wins where")
    place = place_words(table.paper, _LINES.sub("", table.where))
    heading = f"== {escape(table.title)} ({escape(place)})\n\n"
    shown = {k: v for k, v in table.constants.items() if k in _letters(table)}
    where = f"#lead-in[{cite_paper(table.paper)}. At {setting(shown)}.]\n\n"
    words = f"#set par(justify: false)\n#set text(hyphenate: false)\n{caption}\n\n{_changes(table)}"
    return f"{heading}{where}{_table(table)}#story[{image}][{words}\n]\n"


def _letters(table: Table) -> set[str]:
    """Return the letters that any row of a table depends on, and those that costs are counted with."""
    rows = [*table.rows(), *table.rows("ours")]
    found = {s.name for row in rows for e in (*row.terms.values(), *row.complexity.values()) for s in e.free_symbols}
    return (found - {"T"}) | {"N", "K", "eps_acc"}


def _table(table: Table) -> str:
    mended = {row.row: row for row in table.rows("ours") if row.row}
    rows = []
    for row in table.rows():
        rows.append(_row(table, row))
        if row.id in mended:
            rows.append(_row(table, mended[row.id]))
    head = ["Row", "As printed", "Rounds, here", "Samples, here", "Guaranteed"]
    order = ranking(table)
    best = [row.title for row, cost in order if cost.rounds <= order[0][1].rounds * (1 + _TIE)]
    fewest = escape(best[0]) if len(best) == 1 else f"{len(best)} rows tie ({escape(', '.join(best))})"
    caption = f"Costs at common constants; fewest rounds: {fewest}."
    return captioned_table(head, rows, "(1.5fr, 2.3fr, auto, auto, auto)", caption)


def _row(table: Table, row: Rate) -> list[str]:
    cost, powers = cost_of(row, table.constants), powers_of(row)
    promised = guaranteed_rounds(row, table.constants)
    title = escape(row.title) + (f" #linebreak() #text(8pt)[{row.form}]" if row.row else "")
    return [
        title,
        f"#printed-sum[{_cost_markup(row)}]",
        f"{_power(powers.get('rounds', powers.get('steps', '--')))}, {number(cost.rounds)}",
        f"{_power(powers.get('samples', powers.get('steps', '--')))}, {number(cost.samples)}",
        number(promised) if isinstance(promised, int) else "--",
    ]


def _cost_markup(row: Rate) -> str:
    """Return the cost or the rate as the table prints it."""
    if row.complexity:
        return " #linebreak() ".join(f"$O({typeset(cost)})$ {name}" for name, cost in row.complexity.items())
    return " ".join(f"${'+' if i else ''} {typeset(term)}$" for i, term in enumerate(row.terms.values()))


def _power(text: str) -> str:
    from sympy import Rational

    return epsilon(Rational(text.removeprefix("eps^(-").rstrip(")"))) if text.startswith("eps") else text


def _titles(rows: str) -> str:
    """Return the rows of a comma-separated list of ids, by their titles."""
    return escape(", ".join(RATES[name].title for name in rows.split(", ")))


def _changes(table: Table) -> str:
    """Return where the winner changes along each dial, and which bounds guarantee what."""
    lines = []
    for dialled in table.dials:
        values = dial(table, dialled)
        found = takeovers(table, dialled, min(values), max(values))
        says = [f"from ${letter(dialled)} = {number(c.at)[1:-1]}$ {_titles(c.after)}" for c in found]
        others = {name: table.constants[name] for name in table.dials if name != dialled}
        told = "; ".join(says) or "the winner does not change"
        lines.append(f"- Along ${letter(dialled)}$ at {setting(others)}: {told}.")
    used = [name for row in table.rows() for name in row.bounds if BOUNDS[name].form != "printed"]
    if used:
        lines.append("- Guarantees: " + ", ".join(code(name) for name in used) + ".")
    return "\n".join(lines) + "\n"
