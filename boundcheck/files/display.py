"""How objects show themselves: on a line in a terminal, as a small table in a notebook."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LONGEST = 240
"""Most characters of a repr."""
_ROWS = 20
"""Most rows of a table in a notebook."""
_STYLE = "text-align:left;vertical-align:top"


def brief(name: str, fields: Mapping[str, object]) -> str:
    """Return ``Name(a, key=b)`` within `LONGEST` characters; a key without letters stands without its name."""
    parts = [
        text_of(value) if not key else f"{key}={text_of(value)}" for key, value in fields.items() if value is not None
    ]
    text = f"{name}({', '.join(parts)})"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 4]}...)"


def text_of(value: object) -> str:
    """Return a value for people: numbers with four digits."""
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        return ", ".join(map(text_of, value))
    if isinstance(value, dict):
        return ", ".join(f"{key} = {text_of(one)}" for key, one in value.items())
    return "" if value is None else str(value)


def html_card(title: str, entries: Mapping[str, object]) -> str:
    """Return a titled list of entries as HTML; empty ones are left out."""
    rows = ((key, value) for key, value in entries.items() if value not in (None, "", {}, [], ()))
    body = "".join(
        f'<tr><th style="{_STYLE}">{_cell(key)}</th><td style="{_STYLE}">{_cell(value)}</td></tr>'
        for key, value in rows
    )
    return f'<table><caption style="text-align:left"><b>{_cell(title)}</b></caption>{body}</table>'


def html_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as HTML, of at most twenty rows."""
    rows = list(rows)
    head = "".join(f'<th style="{_STYLE}">{_cell(one)}</th>' for one in columns)
    body = "".join(
        "<tr>" + "".join(f'<td style="{_STYLE}">{_cell(one)}</td>' for one in row) + "</tr>" for row in rows[:_ROWS]
    )
    more = f"<p>{len(rows) - _ROWS} more</p>" if len(rows) > _ROWS else ""
    caption = f'<caption style="text-align:left"><b>{_cell(title)}</b></caption>'
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _cell(value: object) -> str:
    return html.escape(text_of(value)).replace("\n", "<br>")
