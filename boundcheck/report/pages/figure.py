"""A figure on a page: the picture's file and the Typst code that shows it."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from boundcheck.report import figures
from boundcheck.report.markup import literal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from matplotlib.figure import Figure

    from boundcheck.sweep import StudyResult


_DRAWN: ContextVar[bool] = ContextVar("drawn", default=True)


@contextmanager
def pictures(*, drawn: bool) -> Iterator[None]:
    """Say whether figures with lines are drawn within: a page in a browser does so itself, from their numbers."""
    token = _DRAWN.set(drawn)
    try:
        yield
    finally:
        _DRAWN.reset(token)


def stem(result: StudyResult) -> str:
    """Return the start of the names of a study's figure files."""
    return "".join(c if c.isalnum() else "-" for c in result.study.id)


def saved(figure: Figure, file: str, folder: Path, *, alt: str) -> str:
    """Write a figure as ``file.svg`` to `folder`, its numbers beside it, and return the image as Typst code.

    Where `pictures` are not drawn, one with numbers is left to the page's script.
    """
    from boundcheck.report.numbers import write_numbers

    name = f"{file}.svg"
    has_numbers = write_numbers(figure, folder / f"{file}.json")
    if _DRAWN.get() or not has_numbers:
        figures.save(figure, folder / name)
    return f"#picture({literal(name)}, alt: {literal(alt)})"


def placed(figure: Figure, file: str, folder: Path, *, caption: str, alt: str) -> str:
    """Return what places a figure where it stands, see `saved`; `caption` is markup."""
    image = saved(figure, file, folder, alt=alt).removeprefix("#")
    return f"#figure({image}, placement: none, caption: [{caption}])\n"
