"""Printing: plain data as JSON, or a table for people."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.text import Text

WIDE = 240
"""Columns of a table that goes to a file or another program."""

MARKS = {
    "holds": ("✓", "green"),
    "proved": ("✓", "green"),
    "violated": ("✗", "red"),
    "refuted": ("✗", "red"),
    "consistent": ("≈", "green"),
    "vacuous": ("○", "yellow"),
    "order only": ("≲", "cyan"),
    "undecided": ("?", "yellow"),
    "supported": ("~", "cyan"),
    "not applicable": ("–", "bright_black"),
    "stands": ("✓", "green"),
    "not reached": ("?", "yellow"),
    "exceeded": ("✗", "red"),
    "yes": ("✓", "green"),
    "fit": ("✓", "green"),
    "no": ("✗", "red"),
    "NO": ("✗", "red"),
    "reproduced": ("✓", "green"),
    "not reproduced": ("✗", "red"),
    "mixed": ("≈", "yellow"),
    "cannot be tested here": ("–", "bright_black"),
    "never": ("✗", "red"),
    "unknown": ("?", "yellow"),
    "false as printed": ("✗", "red"),
    "not contradicted": ("≈", "cyan"),
    "open": ("?", "yellow"),
}
"""Verdict or answer to symbol and colour; colour never stands alone."""


def plain(value: Any) -> Any:
    """Return `value` as JSON data: dataclasses and arrays opened, numbers that are not finite as strings."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if isinstance(value, (str, int, float, bool)) or value is None else str(value)


def printable(text: str) -> str:
    """Return text in which control characters, which a terminal would obey, are spelled."""
    return text.translate(_SPELLED)


_SPELLED = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}


def print_json(data: Any) -> None:
    """Print `data` as JSON, in escapes where the output cannot carry every character."""
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    text = json.dumps(plain(data), indent=2, ensure_ascii=not unicode)
    # JSON leaves these as they are; to a terminal they are commands.
    sys.stdout.write(text.translate({code: f"\\u{code:04x}" for code in range(127, 160)}) + "\n")


def say(text: str) -> None:
    """Print a line of text to standard output."""
    print(printable(text))


def number(value: float | None) -> str:
    """Return a number with four significant digits."""
    return "" if value is None else f"{value:.4g}"


class Marked(str):
    """Text with rich's markup, our own; any other text is printed as it stands."""

    __slots__ = ()


def mark(verdict: str) -> Marked:
    """Return a verdict or an answer with its symbol, coloured."""
    symbol, colour = MARKS[verdict]
    return Marked(f"[{colour}]{symbol} {verdict}[/]")


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table as wide as the terminal; where there is none, or no COLUMNS, rows are long rather than broken."""
    from rich.console import Console
    from rich.table import Table

    table = Table(header_style="bold", box=None, pad_edge=False)
    for i, column in enumerate(columns):
        # Names stay whole, to be copied; the other columns give way.
        table.add_column(column, overflow="fold", no_wrap=i == 0)
    for row in rows:
        table.add_row(*map(_cell, row))
    piped = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    console = Console(soft_wrap=False, width=WIDE if piped else None)
    # A title inside the table would be broken at the width of the table.
    console.print(printable(title), style="italic", markup=False, highlight=False, soft_wrap=True)
    console.print(table)


def _cell(text: str) -> Text:
    from rich.text import Text

    return Text.from_markup(text) if isinstance(text, Marked) else Text(printable(text))


def print_card(title: str, entries: Mapping[str, str]) -> None:
    """Print a titled list of entries."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    console.print(Text(printable(title), style="bold"))
    width = max((len(k) for k in entries), default=0)
    for key, text in entries.items():
        lines = printable(text).splitlines() or [""]
        for i, line in enumerate(lines):
            label = printable(key) if i == 0 else ""
            console.print(f"  {label:<{width}}  {line}", soft_wrap=True, markup=False)
    console.print()
