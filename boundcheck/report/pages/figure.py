"""A figure on a page: the picture's file and the Typst code that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.report import figures
from boundcheck.report.markup import literal

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

    from boundcheck.sweep import StudyResult


def stem(result: StudyResult) -> str:
    """Return the start of the names of a study's figure files."""
    return "".join(c if c.isalnum() else "-" for c in result.study.id)


def saved(figure: Figure, file: str, folder: Path, *, alt: str) -> str:
    """Write a figure as ``file.svg`` to `folder`, its numbers beside it, and return the image as Typst code."""
    from boundcheck.report.numbers import write_numbers

    name = f"{file}.svg"
    figures.save(figure, folder / name)
    write_numbers(figure, folder / f"{file}.json")
    return f"#picture({literal(name)}, alt: {literal(alt)})"


def placed(figure: Figure, file: str, folder: Path, *, caption: str, alt: str) -> str:
    """Return what places a figure where it stands, see `saved`; `caption` is markup."""
    image = saved(figure, file, folder, alt=alt).removeprefix("#")
    return f"#figure({image}, placement: none, caption: [{caption}])\n"
