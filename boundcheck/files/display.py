"""How objects show themselves: on a line in a terminal, as a small table in a notebook."""

from __future__ import annotations

import contextlib
import html
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Self

C = TypeVar("C", bound=type)
K = TypeVar("K", bound=str)
V = TypeVar("V")
LONGEST = 240
"""Most characters of a repr."""
_FEW = 4
"""Names that a registry shows."""
_ENTRIES = 6
"""Most entries of a vector that are printed; there are more in the JSON."""
_ROWS = 20
"""Most rows of a table in a notebook."""
_STYLE = "text-align:left;vertical-align:top"


def printable(text: str, *, lines: bool = True) -> str:
    """Return text in which characters that a terminal would obey are spelled.

    Parameters
    ----------
    text : str
    lines : bool
        Whether it may go over several lines; a name does not.
    """
    return text.translate(_SPELLED if lines else _SPELLED_ON_ONE_LINE)


_LONG_WORD, _LONG_LINE = 400, 1400
"""Characters of a word, and of a line, of a message: more would hide what it says."""
_COMMANDS = (*range(32), *range(127, 160))
UNSEEN = (0xAD, 0x61C, *range(0x200B, 0x2010), *range(0x2028, 0x202F), *range(0x2060, 0x2070), 0xFEFF)
"""Separators of lines, marks that turn the direction of writing, and what has no width: a line reads as another."""
_SPELLED_ON_ONE_LINE = {code: f"\\x{code:02x}" for code in _COMMANDS} | {code: f"\\u{code:04x}" for code in UNSEEN}
_SPELLED = {code: word for code, word in _SPELLED_ON_ONE_LINE.items() if chr(code) not in "\n\t"}


def one_line(message: str) -> str:
    """Return a message on one line, words of more than `_LONG_WORD` characters and what is endless cut short."""
    words = [_cut(word, _LONG_WORD) for word in message.split()]
    return printable(_cut(" ".join(words), _LONG_LINE))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most // 2]}... ({len(text)} characters)"


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
        return printable(value)
    if isinstance(value, (list, tuple)):
        return ", ".join(map(text_of, value))
    if isinstance(value, dict):
        return ", ".join(f"{key} = {text_of(one)}" for key, one in value.items())
    return "" if value is None else str(value)


def list_values(values: Mapping[str, Any], form: str = "") -> str:
    """Return ``a = 1, b = 2``, each value in a format such as ``.3g``; of a long vector the first and last entries."""
    return ", ".join(f"{name} = {_in_short(value):{form}}" for name, value in values.items())


def _in_short(value: Any) -> Any:
    if not isinstance(value, tuple | list) or len(value) <= _ENTRIES:
        return value
    entries = [*map(str, value[: _ENTRIES - 2]), "...", str(value[-1])]
    return f"({', '.join(entries)}; {len(value)} entries)"


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


def shows(*names: str) -> Callable[[C], C]:
    """Return a decorator that gives a record a short repr and a small table in notebooks.

    Parameters
    ----------
    *names : str
        Attributes, with dots into inner ones; the first says which record it is and stands without its name.
    """
    read = [(name.rpartition(".")[2], attrgetter(name)) for name in names]

    def decorate(cls: C) -> C:
        def short(self: object) -> str:
            return brief(type(self).__name__, {"" if i == 0 else name: of(self) for i, (name, of) in enumerate(read)})

        def table(self: object) -> str:
            (_, title), *rest = read
            return html_card(f"{type(self).__name__} {text_of(title(self))}", {name: of(self) for name, of in rest})

        cls.__repr__ = short  # type: ignore[assignment]
        cls._repr_html_ = table  # type: ignore[attr-defined]
        return cls

    return decorate


class Catalogue(dict[K, V]):
    """A dictionary of what is registered by name, which shows how many there are rather than all of them.

    Parameters
    ----------
    kind : str
        What the members are, in the plural.
    members : mapping or iterable of pairs
    """

    def __init__(self, kind: str, members: Mapping[K, V] | Iterable[tuple[K, V]]) -> None:
        super().__init__(members)
        self.kind = kind

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel between processes by what it was made from."""
        return type(self), (self.kind, dict(self))

    def __repr__(self) -> str:
        return f"{len(self)} {self.kind}: {some(self)}"

    def _repr_html_(self) -> str:
        return html_table(
            f"{len(self)} {self.kind}", ("name", "title"), ((name, title_of(one)) for name, one in self.items())
        )


class Listed(tuple[V, ...]):
    """A tuple that shows how many there are rather than all of them.

    Attributes
    ----------
    kind : str
        What the members are, in the plural.
    """

    kind: str

    def __new__(cls, kind: str, members: Iterable[V]) -> Self:
        """Make it of its members."""
        made = super().__new__(cls, members)
        made.kind = kind
        return made

    def __getnewargs__(self) -> tuple[str, tuple[V, ...]]:
        """Travel between processes by what it was made from."""
        return self.kind, tuple(self)

    def __repr__(self) -> str:
        return f"{len(self)} {self.kind}"


def some(names: Iterable[str]) -> str:
    """Return the first names of many."""
    listed = list(names)
    return ", ".join(listed[:_FEW]) + (", ..." if len(listed) > _FEW else "")


def title_of(member: object) -> str:
    """Return what a member says of itself in a line: its title, meaning or statement."""
    for name in ("title", "meaning", "statement", "card.title", "words"):
        with contextlib.suppress(AttributeError):
            return text_of(attrgetter(name)(member))
    return text_of(member)[:LONGEST]
