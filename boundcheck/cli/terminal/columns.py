"""Which columns of a table fit into a terminal, and how wide each is: fewer columns, never a broken word."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

GAP = 2
"""Blanks between two columns."""
_COMFORT = 18
"""A column of longer texts has at least this width, or that of its longest word."""


class Layout(NamedTuple):
    """The columns that are shown, in their order, and their widths; none where not even two fit."""

    kept: tuple[int, ...]
    widths: tuple[int, ...]


def laid_out(
    columns: Sequence[str], rows: Sequence[Sequence[str]], width: int | None, first: Sequence[str] = ()
) -> Layout:
    """Return the columns that fit with all their words whole.

    Parameters
    ----------
    columns : sequence of str
        Their heads.
    rows : sequence of sequences of str
        Cells as plain text; the first of a row is a name and is never wrapped.
    width : int or None
        Of the terminal; None where there is none: everything is shown on long lines.
    first : sequence of str
        Columns that stay before the others, the most important first; then the order of `columns` counts.
    """
    cells = [[head, *(row[i] for row in rows)] for i, head in enumerate(columns)]
    natural = [max(len(line) for text in column for line in text.splitlines() or [""]) for column in cells]
    if width is None:
        return Layout(tuple(range(len(columns))), tuple(natural))
    least = [natural[0], *(max(map(_longest_word, column)) for column in cells[1:])]
    ranked = [0, *(columns.index(name) for name in first)]
    ranked += [i for i in range(len(columns)) if i not in ranked]
    # A head of several words may always stand on several lines.
    bodies = [max((len(line) for text in column[1:] for line in text.splitlines()), default=0) for column in cells]
    comfortable = [max(small, min(wished, _COMFORT)) for small, wished in zip(least, bodies, strict=True)]
    kept = _fitting(ranked, comfortable, width) or _fitting(ranked, least, width)
    return Layout(kept, _widen_columns(kept, least, comfortable, natural, width))


def _longest_word(text: str) -> int:
    return max(map(len, text.split()), default=0)


def _fitting(ranked: Sequence[int], widths: Sequence[int], width: int) -> tuple[int, ...]:
    """Return the columns taken by rank while there is room; none unless the two foremost fit."""
    kept: list[int] = []
    for i in ranked:
        if sum(widths[j] + GAP for j in kept) + widths[i] <= width:
            kept.append(i)
        elif len(kept) < 2:
            return () if len(ranked) > 1 or not kept else tuple(kept)
    return tuple(sorted(kept))


def _widen_columns(
    kept: Sequence[int], least: Sequence[int], comfortable: Sequence[int], natural: Sequence[int], width: int
) -> tuple[int, ...]:
    """Return the widths after the room that is left has gone to the columns that want it."""
    fits = sum(comfortable[i] + GAP for i in kept) - GAP <= width
    widths = {i: comfortable[i] if fits else least[i] for i in kept}
    left = width - sum(widths.values()) - GAP * (len(kept) - 1)
    while left > 0 and (hungry := [i for i in kept if widths[i] < natural[i]]):
        widths[min(hungry, key=widths.__getitem__)] += 1
        left -= 1
    return tuple(widths[i] for i in kept)


def wrap_lines(text: str, width: int | None, hanging: int = 0) -> list[str]:
    """Return the lines of a text broken at blanks only; what a line begins with is kept before its continuation.

    Parameters
    ----------
    text : str
        Lines that fit stay as they are.
    width : int or None
        None breaks nothing.
    hanging : int
        Blanks before a continuation, beyond those of its line.
    """
    lines: list[str] = []
    for line in text.splitlines() or [""]:
        if width is None or len(line) <= width or not line.strip():
            lines.append(line)
            continue
        lines += _break_line(line, width, min(len(line) - len(line.lstrip()), width // 2), hanging)
    return lines


def _break_line(line: str, width: int, indent: int, hanging: int) -> list[str]:
    first, *words = line.split()
    lines, current = [], _indent_word(first, indent, width)
    for word in words:
        if len(current) + 1 + len(word) <= width:
            current += f" {word}"
            continue
        lines.append(current)
        current = _indent_word(word, indent + hanging, width)
    return [*lines, current]


def _indent_word(word: str, indent: int, width: int) -> str:
    """Return a word behind its indent; a long one stands further to the left rather than broken."""
    return " " * max(0, min(indent, width - len(word))) + word
