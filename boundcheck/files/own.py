"""Objects of the user's own: ``file.py:NAME`` and ``module:NAME`` wherever a registered name is legal."""

from __future__ import annotations

import ast
import contextlib
import importlib
import importlib.util
import re
import sys
import traceback
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING

from boundcheck.errors import BoundcheckError, InputError, require
from boundcheck.files.plain import FILE_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from importlib.machinery import ModuleSpec
    from types import FrameType

_PREFIX = "boundcheck_file_"
_FOLDERS = re.compile(r"[^\s\"'(\[]*[\\/](?=[^\\/\s]+\.py:[A-Za-z_])")
HINT = "or file.py:NAME"
"""What else is legal where a registered name is."""
TRUSTING = "registered names; a file chooses, it runs code only with --trust-code (in Python: trust_code=True)"
"""What is legal in a recipe and in a claim file."""


@dataclass(frozen=True)
class DataFile:
    """A file that chooses and runs nothing: a recipe, a claim file, a problem file."""

    name: str
    """What errors call it."""
    data: object = field(default=None, repr=False)
    """What it says, as plain data, in which errors find the key that names code."""
    legal: str = TRUSTING
    """What errors call legal."""


_READ: ContextVar[DataFile | None] = ContextVar("boundcheck_data_file", default=None)
"""The file whose names are followed now, where it may not run code."""


_FOLLOWED: ContextVar[dict[str, None] | None] = ContextVar("boundcheck_followed", default=None)
"""References that were followed since `noting_names`, in their order."""
_VOUCHED: set[str] = set()
"""References that installed packages make to objects of their own."""


class CodeRefusedError(InputError):
    """A data file names code, and nobody said that it may; names file, key and value."""


@contextlib.contextmanager
def following(file: DataFile, *, trusted: bool = False) -> Iterator[None]:
    """Refuse, within, to run the code that a file names, whatever key it stands in.

    Parameters
    ----------
    file : DataFile
    trusted : bool
        Whether the caller said that this file may run code.  A file that others trust within one that they do not
        runs none.

    Raises
    ------
    CodeRefusedError
        From within, where a name of code is followed.
    """
    token = _READ.set(_READ.get() if trusted else file)
    try:
        yield
    finally:
        _READ.reset(token)


@contextlib.contextmanager
def following_installed() -> Iterator[None]:
    """Run code within, whoever names it: what the user installed is the user's own word."""
    token = _READ.set(None)
    try:
        yield
    finally:
        _READ.reset(token)


def vouch_for(name: str) -> str:
    """Return a reference that an installed package makes, which may be followed whatever is read."""
    _VOUCHED.add(name)
    return name


def untrusted_file() -> DataFile | None:
    """Return the file that may not run code now, None where names are the caller's own word."""
    return _READ.get()


@contextlib.contextmanager
def noting_names() -> Iterator[None]:
    """Note, within, which references are followed."""
    token = _FOLLOWED.set({})
    try:
        yield
    finally:
        _FOLLOWED.reset(token)


def followed_names() -> list[str]:
    """Return the references that were followed since `noting_names`, each once."""
    return list(_FOLLOWED.get() or ())


def follow(file: DataFile | None) -> None:
    """Refuse code from now on as the process does that started this one."""
    _READ.set(file)


def is_reference(name: str) -> bool:
    """Return whether `name` names code: ``file.py:NAME`` or ``package.module:NAME``."""
    where, _, attribute = name.rpartition(":")
    dotted = all(part.isidentifier() for part in where.split("."))
    return attribute.isidentifier() and (where.endswith(".py") or (bool(where) and dotted))


def absolute(name: str) -> str:
    """Return a reference that means the same in every folder; any other name as it is."""
    where, _, attribute = name.rpartition(":")
    return f"{Path(where).resolve()}:{attribute}" if is_reference(name) and where.endswith(".py") else name


def module_named(name: str) -> str:
    """Return the dotted name of the module that a reference names; nothing is run."""
    where = name.rpartition(":")[0]
    return _PREFIX + str(Path(where).resolve()).encode().hex() if where.endswith(".py") else where


def short(text: str) -> str:
    """Return a text in which references to files stand without their folders."""
    return _FOLDERS.sub("", text)


def load_reference(kind: str, name: str, accepts: Callable[[object], bool]) -> tuple[object, ModuleType]:
    """Return the object that a reference names, and the module that holds it.

    All code of the user's is run from here, and none while a data file is `following`.  A file is run once a process,
    whatever it is asked for.

    Parameters
    ----------
    kind : str
        What is asked for, in the singular; used in error messages.
    name : str
        ``file.py:NAME`` or ``module:NAME``.
    accepts : callable
        Whether an object is of that kind.

    Raises
    ------
    InputError
        If there is no such file or module, if running it fails, or if it has no such object of that kind; as
        `CodeRefusedError` if a data file that nobody trusts names it.
    """
    require_followed(kind, name)
    if (names := _FOLLOWED.get()) is not None:
        names.setdefault(name)
    where, _, attribute = name.rpartition(":")
    module = _module(kind, name, where)
    found = getattr(module, attribute, None)
    if found is None or not accepts(found):
        suits = [key for key, value in vars(module).items() if accepts(value) and _made_in(module, key, value)]
        legal = f"a {kind.lstrip('-')} {attribute} in {where}; it has {', '.join(suits) or 'none'}"
        require(False, kind, name, legal)  # noqa: FBT003
    return found, module


def require_followed(kind: str, name: str) -> None:
    """Raise CodeRefusedError if a reference may not be followed now; for one that is followed later."""
    if (file := _READ.get()) is not None and name not in _VOUCHED:
        # The folder of a file may have been put before its name since it was read.
        key = next(_keys(file.data, name.rpartition("/")[2]), kind)
        msg = f"{file.name}: {key} = {name!r} is not legal: {file.legal}"
        raise CodeRefusedError(msg)


def _keys(data: object, name: str, above: str = "") -> Iterator[str]:
    """Yield the keys of plain data whose value, a parameter in brackets apart, or whose own name ends with `name`."""
    if isinstance(data, dict):
        for key, value in data.items():
            here = f"{above}.{key}".lstrip(".")
            if str(key).endswith(name):
                yield here
            yield from _keys(value, name, here)
    elif isinstance(data, (list, tuple)):
        for i, value in enumerate(data):
            yield from _keys(value, name, f"{above}[{i}]")
    elif isinstance(data, str) and data.partition("[")[0].strip().endswith(name):
        yield above


def _made_in(module: ModuleType, key: str, value: object) -> bool:
    """Return whether a name is one that a file makes, not what it imports to make it."""
    where = getattr(value, "__module__", "") or ""
    ours = where.startswith("boundcheck.") and not isinstance(value, (type, FunctionType, ModuleType))
    return not key.startswith("_") and (where == module.__name__ or ours or isinstance(value, (list, tuple)))


@cache
def entry_points_of(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of ``boundcheck.<group>`` that installed packages declare, by name."""
    return {point.name: point for point in entry_points(group=f"boundcheck.{group}")}


def anything_installed() -> bool:
    """Return whether an installed package declares an object of any kind: what is listed then rests on its code too."""
    return any(map(entry_points_of, ("bounds", "rates", "methods", "families")))


def _module(kind: str, name: str, where: str) -> ModuleType:
    try:
        return _of_file(kind, name, Path(where)) if where.endswith(".py") else importlib.import_module(where)
    except BoundcheckError:
        raise
    # A file that ends the program, as scripts do, is no module.
    except (Exception, SystemExit) as error:
        lines = [line for frame, line in traceback.walk_tb(error.__traceback__) if _is_in(frame, where)]
        line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
        at = where if line is None else f"{where}, line {line},"
        msg = f"{kind} = {name!r}: running {at} failed: {type(error).__name__}: {error}"
        raise InputError(msg) from error


def _is_in(frame: FrameType, where: str) -> bool:
    """Return whether a frame is in the code of a file, or of a module of a dotted name."""
    if where.endswith(".py"):
        return frame.f_code.co_filename == str(Path(where).resolve())
    return frame.f_globals.get("__name__") == where


def _of_file(kind: str, name: str, path: Path) -> ModuleType:
    require(path.is_file(), kind, name, "a file that exists, a colon and a name in it")
    require((size := path.stat().st_size) <= FILE_BYTES, f"{path}: size", size, f"at most {FILE_BYTES} bytes")
    return importlib.import_module(module_named(name))


_BESIDE: dict[str, Path] = {}
"""Modules that files of the user's import from their own folder, by name."""


def stands_beside(module: str) -> bool:
    """Return whether a module lies beside a file of the user's that was run, and that file imports it."""
    return module.partition(".")[0] in _BESIDE


class _Files(MetaPathFinder):
    """Finds the module of a user's file by a name that tells where the file is, so that objects reach workers.

    Last of all finders it finds what such a file imports from its own folder, and nothing else there.
    """

    @staticmethod
    def find_spec(
        fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how the file is run; None for every other module."""
        if fullname in _BESIDE:
            return importlib.util.spec_from_file_location(fullname, _BESIDE[fullname])
        if not fullname.startswith(_PREFIX):
            return None
        file = Path(bytes.fromhex(fullname.removeprefix(_PREFIX)).decode())
        _note_beside(file)
        return importlib.util.spec_from_file_location(fullname, file)


def _note_beside(file: Path) -> None:
    """Note what a file imports from its folder, and what that imports from there.

    Raises
    ------
    InputError
        If a file that was run before has another module of that name beside it.
    """
    for name in _imported_names(file):
        places = (file.parent / f"{name}.py", file.parent / name / "__init__.py")
        found = next((place for place in places if place.is_file() and place != file), None)
        if found is None or _BESIDE.get(name) == found:
            continue
        known = _BESIDE.setdefault(name, found)
        require(known == found, f"{file}: import {name}", str(found), f"one module of that name a run; {known} is used")
        _note_beside(found)


def _imported_names(file: Path) -> list[str]:
    """Return the modules that a file imports, by the first part of their names; a file that does not parse says why."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return []
    nodes = list(ast.walk(tree))
    plain = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    plain += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level]
    return list(dict.fromkeys(name.partition(".")[0] for name in plain))


sys.meta_path.append(_Files())
