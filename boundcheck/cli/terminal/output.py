"""Printing: plain data as JSON, or a table for people."""

from __future__ import annotations

import json
import os
import re
import sys
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from boundcheck.api.answer import answer, failure
from boundcheck.api.answer import plain as plain
from boundcheck.cli.terminal.columns import GAP, laid_out, wrap_lines
from boundcheck.cli.terminal.transcript import MarkupText as MarkupText
from boundcheck.cli.terminal.transcript import record_calls
from boundcheck.files.display import UNSEEN, printable
from boundcheck.verdicts.words import SIGNS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rich.console import Console
    from rich.text import Text

    from boundcheck.cli.terminal.columns import Layout
    from boundcheck.verdicts.words import Tone

NARROW = 40
"""Least columns that are laid out for."""

COLOURS: dict[Tone, str] = {"good": "green", "bad": "red", "open": "yellow", "note": "cyan", "none": "bright_black"}


@record_calls
def note(text: str) -> None:
    """Print a line beside the answer, to standard error."""
    note_of_run(text)


def note_of_run(text: str) -> None:
    """Print a line to standard error about this run alone: an answer that is printed again goes without it."""
    print(printable(text, lines=False), file=sys.stderr)


_SHAPE = "BOUNDCHECK_JSON"
"""Environment variable: 1 prints the one shape throughout, 0 that of former releases; it goes with the next one."""


class Answering:
    """The command that answers now, and whether it has printed JSON."""

    command = ""
    printed = False


def begin_answer(command: str) -> None:
    """Note which command answers from now on."""
    Answering.command, Answering.printed = command, False


def print_json(data: Any) -> None:
    """Print what a command found as JSON: its schema, and a list of results; of one record its keys beside them.

    What was a bare list in former releases is one for this release too, of records with their schema: programs that
    read it know no other.
    """
    _print_answer(plain(data))


@record_calls
def _print_answer(data: Any) -> None:
    """Print plain data in the shape that is asked for."""
    shape, several = os.environ.get(_SHAPE), isinstance(data, list)
    if shape == "0":
        _print_data(data)
        return
    records = [_named_plainly(one) for one in (data if several else [data])]
    found = answer(Answering.command, records)
    if several and shape != "1":
        _print_data([{"schema": found["schema"], **one} if isinstance(one, dict) else one for one in records])
        return
    # Keys of former releases, which stay for one more.
    old = {} if several else data
    _print_data(found | {key: value for key, value in old.items() if key not in found})


def print_failure(code: int, message: str) -> None:
    """Print an error as JSON, unless the command has answered before."""
    if not Answering.printed:
        _print_data(failure(Answering.command, code, message))


def _named_plainly(record: Any) -> Any:
    """Return a record with keys that have no blanks, and for one more release those that have some."""
    if not isinstance(record, dict):
        return record
    return record | {re.sub(r"\W+", "_", key).strip("_"): value for key, value in record.items() if " " in key}


def _print_data(data: Any) -> None:
    """Print `data` as JSON, in escapes where the output cannot carry every character."""
    Answering.printed = True
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    text = json.dumps(data, indent=2, ensure_ascii=not unicode)
    # JSON leaves these as they are; to a terminal they are commands.
    sys.stdout.write(text.translate({code: f"\\u{code:04x}" for code in (*range(127, 160), *UNSEEN)}) + "\n")


@record_calls
def say(text: str) -> None:
    """Print a line of text to standard output, broken at blanks where the terminal is narrower."""
    for line in wrap_lines(printable(text), terminal_width(), hanging=2):
        print(line)


@record_calls
def print_script(text: str) -> None:
    """Print lines that are to be copied as they are, however narrow the terminal."""
    for line in printable(text).splitlines():
        print(line)


def number(value: float | None) -> str:
    """Return a number with four significant digits."""
    return "" if value is None else f"{value:.4g}"


def mark(verdict: str) -> MarkupText:
    """Return a verdict or an answer with its symbol, coloured."""
    sign, tone = SIGNS[verdict]
    return MarkupText(f"[{COLOURS[tone]}]{sign} {verdict}[/]")


def terminal_width() -> int | None:
    """Return the columns of the terminal, or what COLUMNS says; None for a file or another program."""
    if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
        return None
    from rich.console import Console

    return max(Console().width, NARROW)


@record_calls
def print_table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], *, first: Sequence[str] = ()
) -> None:
    """Print a table: as many columns as the terminal has room for with their words whole, all of them in a pipe.

    Parameters
    ----------
    title : str
    columns : sequence of str
        Heads; the first column is a name and is never broken.
    rows : sequence of sequences of str
    first : sequence of str
        Columns that stay before the others on a narrow terminal.
    """
    width = terminal_width()
    texts = [[_cell(cell, lines=i > 0) for i, cell in enumerate(row)] for row in rows]
    layout = laid_out(columns, [[text.plain for text in row] for row in texts], width, first)
    console = _console(width)
    for line in wrap_lines(printable(title, lines=False), width):
        console.print(line, style="italic", markup=False, highlight=False, soft_wrap=True)
    if width is None and console.color_system is None:
        print("\n".join(_plain_lines(columns, texts, layout)))
    elif layout.kept:
        _print_columns(console, columns, texts, layout)
    else:
        _print_stacked(console, columns, texts, width)
    left_out = [columns[i] for i in range(len(columns)) if layout.kept and i not in layout.kept]
    if left_out:
        for line in wrap_lines(f"not shown at {width} columns: {', '.join(left_out)}", width):
            console.print(line, style="dim", markup=False, highlight=False, soft_wrap=True)


def _console(width: int | None) -> Console:
    from rich.console import Console

    # To rich `:x:` is a picture, and a name such as `mine.py:x: title` has it.
    return Console(soft_wrap=False, width=width, emoji=False)


def _plain_lines(columns: Sequence[str], texts: list[list[Text]], layout: Layout) -> Iterator[str]:
    """Yield the lines of a table for a file or another program: nothing is broken, and rich takes long for nothing."""
    for row in (columns, *([text.plain for text in row] for row in texts)):
        for line in zip_longest(*(row[i].splitlines() or [""] for i in layout.kept), fillvalue=""):
            yield (" " * GAP).join(map(str.ljust, line, layout.widths))


def _print_columns(console: Console, columns: Sequence[str], texts: list[list[Text]], layout: Layout) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(header_style="bold", box=None, pad_edge=False, padding=(0, GAP, 0, 0))
    for i, width in zip(layout.kept, layout.widths, strict=True):
        table.add_column(Text(columns[i]), width=width)
    for row in texts:
        table.add_row(*(row[i] for i in layout.kept))
    console.width = max(console.width, sum(layout.widths) + GAP * len(layout.widths))
    console.print(table)


def _print_stacked(console: Console, columns: Sequence[str], texts: list[list[Text]], width: int | None) -> None:
    """Print a row as a block of lines: not even two columns fit."""
    for row in texts:
        console.print(row[0], style="bold", soft_wrap=True)
        for head, text in zip(columns[1:], row[1:], strict=True):
            for line in wrap_lines(f"  {head}: {text.plain}", width, hanging=2):
                console.print(line, markup=False, highlight=False, soft_wrap=True)


def _cell(text: str, *, lines: bool) -> Text:
    """Return the text of a cell; a name, which stands first in its row, has one line."""
    from rich.text import Text

    return Text.from_markup(text, emoji=False) if isinstance(text, MarkupText) else Text(printable(text, lines=lines))


def label_width(labels: Iterable[str], width: int | None) -> int:
    """Return how wide the labels of a card stand; a longer one has a line of its own."""
    longest = max(map(len, labels), default=0)
    return longest if width is None else min(longest, max(width // 4, 8))


@record_calls
def print_card(title: str, entries: Mapping[str, str], *, status: str = "") -> None:
    """Print a titled list of entries within the terminal.

    Parameters
    ----------
    title : str
    entries : mapping
        Label to text; lines that are too long are broken at blanks.
    status : str
        A word of `boundcheck.verdicts.words`: the first line of the card.
    """
    width = terminal_width()
    console = _console(width)
    if status:
        console.print(mark(status), highlight=False, soft_wrap=True)
    for line in wrap_lines(printable(title, lines=False), width):
        console.print(line, style="bold", markup=False, highlight=False, soft_wrap=True)
    column = label_width((printable(key, lines=False) for key in entries), width)
    for key, text in entries.items():
        for line in _entry_lines(printable(key, lines=False), printable(text), column, width):
            console.print(line, soft_wrap=True, markup=False, highlight=False)
    console.print()


def _entry_lines(label: str, text: str, column: int, width: int | None) -> list[str]:
    """Return the lines of an entry, beside its label or, where that is long, below it."""
    room = None if width is None else width - column - 4
    lines = wrap_lines(text, room, hanging=2)
    fits = room is None or max(map(len, lines)) <= room
    above = [] if fits and len(label) <= column else [f"  {label}"]
    heads = [label if i == 0 and not above else "" for i in range(len(lines))]
    if width is None or fits:
        return above + [f"  {head:<{column}}  {line}" for head, line in zip(heads, lines, strict=True)]
    return above + [" " * max(0, min(column + 4, width - len(line))) + line for line in lines]
