"""Typeset formulas within the width of a terminal: plain data, so that what ships is laid out without sympy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundcheck.cli.terminal.columns import wrap_lines

if TYPE_CHECKING:
    from collections.abc import Mapping

Drawing = dict[str, Any]
"""A formula: ``=`` as Python writes it (of a whole one), ``drawn`` typeset where that differs, ``line`` in one-line
form where that does, and ``parts``, what stands on lines of its own where there is no room: each with the sign before
it, and with a third entry where it is a sum among factors."""
LEAST = 24
"""Columns below which a formula is not taken apart further."""


def is_formula(value: object) -> bool:
    """Return whether a value of a card's data is a formula."""
    return isinstance(value, dict) and "=" in value


def within(drawing: Mapping[str, Any], width: int | None) -> str:
    """Return a formula as lines of text.

    Parameters
    ----------
    drawing : mapping
        As in `Drawing`.
    width : int or None
        Columns that there are: a sum that is wider stands term by term, a product factor by factor, and what is wider
        even so on lines of its own in one-line form.
    """
    typeset: str = drawing.get("drawn") or drawing["="]
    if width is None or wide(typeset) <= width:
        return typeset
    parts = drawing.get("parts")
    if parts and width > LEAST:
        return "\n".join(
            _put_sign_before(sign, _part(part, width - len(sign) - 1, *summed)) for sign, part, *summed in parts
        )
    return "\n".join(wrap_lines(drawing.get("line", typeset), width, hanging=2))


def wide(typeset: str) -> int:
    """Return the columns that lines take."""
    return max(map(len, typeset.splitlines()))


def _part(part: Drawing, width: int, summed: bool = False) -> str:  # noqa: FBT001, FBT002
    """Return a term, factor or side; a sum among factors in parentheses."""
    if not summed:
        return within(part, width)
    lines = within(part, width - 4).splitlines()
    long = max(map(len, lines))
    if len(lines) == 1:
        return f"({lines[0]})"
    ends = ["⎛⎞", *["⎜⎟"] * (len(lines) - 2), "⎝⎠"]
    return "\n".join(f"{end[0]} {line:<{long}} {end[1]}" for end, line in zip(ends, lines, strict=True))


def _put_sign_before(sign: str, block: str) -> str:
    """Return a block behind the sign before it, which stands at the height of a fraction's bar."""
    lines = block.splitlines()
    bar = next((i for i, line in enumerate(lines) if line.strip() and set(line.strip()) == {"─"}), len(lines) // 2)
    return "\n".join(f"{sign if i == bar else ' ' * len(sign)} {line}" for i, line in enumerate(lines))
