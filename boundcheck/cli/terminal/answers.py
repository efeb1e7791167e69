"""Answers that follow from a question and from boundcheck's source alone: asked again, they are read."""

from __future__ import annotations

import inspect
import json
import re
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

import msgspec

from boundcheck.cli.terminal.transcript import print_again, transcribing
from boundcheck.files.kept import keep, load_kept, load_or_make
from boundcheck.files.sources import versions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from boundcheck.sweep import Recipe

_P = ParamSpec("_P")
_Code = TypeVar("_Code")

_SHIPPED = re.compile(r"[\w.-]+(\[[\w.,=+-]*\])?")
"""A name that no file of the user's can have a part in."""
_WORDS = re.compile(r"[^\[\]=,;\s]+")
"""What may be a name or a file within a text such as ridge[graph=w.csv]."""
_QUOTED = re.compile(r'[^"\[\]=,;\s]+')
"""What may be a file within plain data, such as a graph of a problem."""
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


def answer_once(command: Callable[_P, _Code]) -> Callable[_P, _Code]:
    """Make a command one that prints again what it printed when it was asked the same.

    Nothing is kept where a file may have a part in the question or takes the answer, where the user wants nothing kept
    (``cache`` is False), where it ended with an error, and where `transcript.ask_anew` was called.
    """
    signature = inspect.signature(command)

    @wraps(command)
    def ask(*values: _P.args, **options: _P.kwargs) -> _Code:
        given = signature.bind(*values, **options)
        given.apply_defaults()
        if not _follows_from_source(given.arguments):
            return command(*values, **options)
        question = f"answer of {command.__name__} {given.arguments!r} {versions(_SOLVERS)}"
        kept = load_kept(question)
        if kept is not None:
            print_again(kept["lines"])
            code: _Code = kept["code"]
            return code
        with transcribing() as transcript:
            code = command(*values, **options)
        if transcript.lasts:
            keep(question, {"lines": transcript.lines, "code": code})
        return code

    return ask


class StoredResults(NamedTuple):
    """What an answer is read off: a recipe that runs no code of a file, and results that lie in a folder."""

    recipe: Recipe
    folder: Path

    def question(self, settings: object) -> str | None:
        """Return the question of an answer, with the state of the results; None where nothing is to be kept."""
        from boundcheck.sweep.cells.index import state

        content = json.dumps(msgspec.to_builtins(self.recipe), sort_keys=True)
        if not self.folder.is_dir() or any(Path(word).is_file() for word in {*_QUOTED.findall(content)}):
            return None
        return f"answer of a recipe {content} {settings!r} {state(self.folder)} {versions(_SOLVERS)}"


def print_kept(question: str | None) -> bool:
    """Print again what was printed at the same question, and return whether there was anything."""
    lines = None if question is None else load_kept(question)
    if lines is not None:
        print_again(lines)
    return lines is not None


def print_and_keep(question: str | None, results: StoredResults, settings: object, print_: Callable[[], None]) -> None:
    """Print an answer that is read off results, and keep it for as long as no result is written again.

    The question is the one before they were read: where a result was written since, also by another process, nothing
    is kept.
    """
    with transcribing() as transcript:
        print_()
    if transcript.lasts and question is not None and results.question(settings) == question:
        keep(question, transcript.lines)


def _follows_from_source(arguments: Mapping[str, Any]) -> bool:
    """Return whether no file has a part in a question, nor takes the answer."""
    return arguments.get("cache", True) and all(
        not isinstance(value, Path) and not (isinstance(value, str) and _may_be_code_or_file(value))
        for value in _single_values(arguments.values())
    )


def _single_values(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from _single_values(value)
        else:
            yield value


def _may_be_code_or_file(text: str) -> bool:
    """Return whether a text, or a word in it, is that of a file that is there or of code."""
    return ":" in text or any(Path(word).exists() for word in {text, *_WORDS.findall(text)})
