"""A figure on a page: the picture's file and the Typst code that shows it."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING

from boundcheck.errors import LostWorkerError
from boundcheck.report.plots import figures
from boundcheck.report.typst.markup import literal
from boundcheck.workers.processes import retry_once

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from matplotlib.figure import Figure

    from boundcheck.sweep import StudyResult
    from boundcheck.sweep.run.crew import Crew, QueuedCalls


_DRAWN: ContextVar[bool] = ContextVar("drawn", default=True)
_CREW: ContextVar[Crew | None] = ContextVar("crew", default=None)
_HANDED: ContextVar[list[QueuedCalls[None]] | None] = ContextVar("handed", default=None)


@contextmanager
def drawn_by(crew: Crew) -> Iterator[None]:
    """Have the processes of a crew, where it has any by then, draw the `pictures` within."""
    token = _CREW.set(crew)
    try:
        yield
    finally:
        _CREW.reset(token)


@contextmanager
def pictures(*, drawn: bool) -> Iterator[None]:
    """Say whether figures with lines are drawn within: a page in a browser does so itself, from their numbers.

    All that were handed to other processes are there at its end.
    """
    handed: list[QueuedCalls[None]] = []
    tokens = _DRAWN.set(drawn), _HANDED.set(handed)
    try:
        yield
        for following in handed:
            retry_once(partial(_drain_answers, following))
    finally:
        _DRAWN.reset(tokens[0])
        _HANDED.reset(tokens[1])


def stem(result: StudyResult) -> str:
    """Return the start of the names of a study's figure files."""
    return "".join(c if c.isalnum() else "-" for c in result.study.id)


def save_image(figure: Figure, file: str, folder: Path, *, alt: str) -> str:
    """Write a figure as ``file.svg`` to `folder`, its numbers beside it, and return the image as Typst code.

    Where `pictures` are not drawn, one with numbers is left to the page's script.
    """
    from boundcheck.report.plots.numbers import write_numbers

    name = f"{file}.svg"
    has_numbers = write_numbers(figure, folder / f"{file}.json")
    if _DRAWN.get() or not has_numbers:
        _save(figure, folder / name)
    return f"#picture({literal(name)}, alt: {literal(alt)})"


def place_figure(figure: Figure, file: str, folder: Path, *, caption: str, alt: str) -> str:
    """Return what places a figure where it stands, see `saved`; `caption` is markup."""
    image = save_image(figure, file, folder, alt=alt).removeprefix("#")
    return f"#figure({image}, placement: none, caption: [{caption}])\n"


def _save(figure: Figure, path: Path) -> None:
    """Draw a figure in another process while this one goes on, or here."""
    crew, handed = _CREW.get(), _HANDED.get()
    if crew is None or handed is None or not crew.has_processes:
        figures.save(figure, path)
        return
    handed.append(crew.follow(figures.save, [(figure, path)]))
    # A lost process is replaced when the figure is asked for.
    with suppress(LostWorkerError):
        handed[-1].begin()


def _drain_answers(following: QueuedCalls[None]) -> None:
    for _ in following.answers():
        pass
