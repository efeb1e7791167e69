"""Whose slip an unexpected error is: where it passed through a file of the user's, or speaks of an object in one."""

from __future__ import annotations

import ast
import os
import re
import sys
import sysconfig
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from boundcheck.files.own import followed_names, is_reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_OURS = Path(__file__).parents[1]
_REMOTE = re.compile(r'^ *File "(.+)", line (\d+), in (.+)$', re.MULTILINE)
"""A frame in the text that a worker's error brings along."""


class SourceLine(NamedTuple):
    """A line of a user's file."""

    file: str
    line: int
    name: str
    """Function, or object, that it is in."""

    def __str__(self) -> str:
        """Return it as editors read it, with the name behind."""
        path = Path(self.file)
        near = path.relative_to(Path.cwd()) if path.is_relative_to(_folder()) else path
        return f"{near}:{self.line}{'' if self.name.startswith('<') else f', in {self.name}'}"


def place_of(error: BaseException, names: Iterable[str]) -> SourceLine | None:
    """Return the innermost line of a user's file that an error, or what caused it, passed through.

    Parameters
    ----------
    error : BaseException
    names : iterable of str
        References; files beside theirs are the user's, too.
    """
    folders = [folder for name in names if (folder := _home(name)) is not None]
    found = [place for one in _chain(error) for place in _frames(one) if _is_users(place.file, folders)]
    return found[-1] if found else None


def references_in(arguments: Sequence[str] | None) -> list[str]:
    """Return the references of a command: those in its words, in the order in which they stand, and those followed."""
    words = (word.partition("[")[0].strip() for word in (sys.argv[1:] if arguments is None else arguments))
    return list(dict.fromkeys([*filter(is_reference, words), *followed_names()]))


def locate_names(names: Iterable[str]) -> str:
    """Return references, each with the line on which the object is made, where that can be seen."""
    return ", ".join(f"{name}{'' if (line := _line(name)) is None else f' (line {line})'}" for name in names)


def _folder() -> Path:
    try:
        return Path.cwd()
    except OSError:
        # It was deleted; no file lies below it.
        return Path(os.devnull)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield what caused an error before the error, the first cause first."""
    below = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if below is not None:
        yield from _chain(below)
    yield error


def _frames(error: BaseException) -> Iterator[SourceLine]:
    for frame, line in traceback.walk_tb(error.__traceback__):
        yield SourceLine(frame.f_code.co_filename, line, frame.f_code.co_qualname.replace("<locals>.", ""))
    # What an executor makes of a worker's traceback.
    if isinstance(remote := getattr(error, "tb", None), str):
        yield from (SourceLine(file, int(line), name) for file, line, name in _REMOTE.findall(remote))


def _home(name: str) -> Path | None:
    """Return the folder of the file or of the package that a reference names."""
    where = name.rpartition(":")[0]
    if where.endswith(".py"):
        try:
            return Path(where).resolve().parent
        except OSError:
            # In a current folder that was deleted.
            return None
    module = sys.modules.get(where.partition(".")[0])
    file = getattr(module, "__file__", None)
    return Path(file).resolve().parent if file else None


def _is_users(file: str, folders: Iterable[Path]) -> bool:
    """Return whether a file lies in one of the user's folders, and is neither ours nor one that is installed."""
    if file.startswith("<"):
        return False
    path = Path(file)
    if not any(path.is_relative_to(folder) for folder in folders):
        return False
    return not any(path.is_relative_to(folder) for folder in (_OURS, *_INSTALLED))


_INSTALLED = tuple(
    {Path(sysconfig.get_path(name)).absolute() for name in ("stdlib", "platstdlib", "purelib", "platlib")}
)


def _line(name: str) -> int | None:
    """Return the line of the file on which a reference's name is bound."""
    where, _, attribute = name.rpartition(":")
    try:
        tree = ast.parse(Path(where).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None
    for node in tree.body:
        bound = {getattr(node, "name", "")} if not isinstance(node, ast.Assign) else set(map(ast.unparse, node.targets))
        if isinstance(node, ast.AnnAssign):
            bound = {ast.unparse(node.target)}
        if attribute in bound:
            return node.lineno
    return None
