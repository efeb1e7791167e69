"""Answers that follow from a question and from boundcheck's source alone: asked again, they are read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boundcheck.files.kept import load_or_make
from boundcheck.files.sources import versions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_SHIPPED = re.compile(r"[\w.-]+(\[[\w.,=+-]*\])?")
"""A name that no file of the user's can have a part in."""
_SOLVERS = ("clarabel",)
"""Libraries that answers depend on where they are installed, beside those of every kept answer."""


def answer_of(command: str, names: Sequence[str], settings: object, make: Callable[[], Any]) -> Any:
    """Return what `make` returns, plain data, from an earlier call with the same question where there was one.

    Parameters
    ----------
    command : str
        What is asked.
    names : sequence of str
        What it is asked about: where one may be a file of the user's, nothing is kept.
    settings : object
        All else that decides the answer; its text is part of the question.
    make : callable
        Finds the answer.
    """
    if not all(_SHIPPED.fullmatch(name) and not Path(name).exists() for name in names):
        return make()
    return load_or_make(f"{command} {' '.join(names)} {settings!r} {versions(_SOLVERS)}", make)
