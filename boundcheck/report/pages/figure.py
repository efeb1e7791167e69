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


def placed(figure: Figure, file: str, folder: Path, *, caption: str, alt: str) -> str:
    """Write a figure as ``file.svg`` to `folder` and return what places it where it stands; `caption` is markup."""
    name = f"{file}.svg"
    figures.save(figure, folder / name)
    return f"#figure(image({literal(name)}, alt: {literal(alt)}), placement: none, caption: [{caption}])\n"
