"""Objects of the user's own: ``file.py:NAME`` and ``module:NAME`` wherever a registered name is legal."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING

from boundcheck.errors import BoundcheckError, InputError, require

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec

_PREFIX = "boundcheck_file_"
_FOLDERS = re.compile(r"[^\s\"'(\[]*[\\/](?=[^\\/\s]+\.py:[A-Za-z_])")
HINT = "or file.py:NAME"
"""What else is legal where a registered name is."""


def is_reference(name: str) -> bool:
    """Return whether `name` names code: ``file.py:NAME`` or ``package.module:NAME``."""
    where, _, attribute = name.rpartition(":")
    dotted = all(part.isidentifier() for part in where.split("."))
    return attribute.isidentifier() and (where.endswith(".py") or (bool(where) and dotted))


def absolute(name: str) -> str:
    """Return a reference that means the same in every folder; any other name as it is."""
    where, _, attribute = name.rpartition(":")
    return f"{Path(where).resolve()}:{attribute}" if is_reference(name) and where.endswith(".py") else name


def short(text: str) -> str:
    """Return a text in which references to files stand without their folders."""
    return _FOLDERS.sub("", text)


def loaded(kind: str, name: str, accepts: Callable[[object], bool]) -> tuple[object, ModuleType]:
    """Return the object that a reference names, and the module that holds it.

    The file is run once a process, whatever it is asked for.

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
        If there is no such file or module, if running it fails, or if it has no such object of that kind.
    """
    where, _, attribute = name.rpartition(":")
    module = _module(kind, name, where)
    found = getattr(module, attribute, None)
    if found is None or not accepts(found):
        suits = [key for key, value in vars(module).items() if accepts(value) and _made_in(module, key, value)]
        legal = f"a {kind.lstrip('-')} {attribute} in {where}; it has {', '.join(suits) or 'none'}"
        require(False, kind, name, legal)  # noqa: FBT003
    return found, module


def _made_in(module: ModuleType, key: str, value: object) -> bool:
    """Return whether a name is one that a file makes, not what it imports to make it."""
    where = getattr(value, "__module__", "") or ""
    ours = where.startswith("boundcheck.") and not isinstance(value, (type, FunctionType, ModuleType))
    return not key.startswith("_") and (where == module.__name__ or ours or isinstance(value, (list, tuple)))


@cache
def installed(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of ``boundcheck.<group>`` that installed packages declare, by name."""
    return {point.name: point for point in entry_points(group=f"boundcheck.{group}")}


def anything_installed() -> bool:
    """Return whether an installed package declares an object of any kind: what is listed then rests on its code too."""
    return any(map(installed, ("bounds", "rates", "methods", "families")))


def _module(kind: str, name: str, where: str) -> ModuleType:
    try:
        return _of_file(kind, name, Path(where)) if where.endswith(".py") else importlib.import_module(where)
    except BoundcheckError:
        raise
    except Exception as error:
        msg = f"{kind} = {name!r}: running {where} failed: {type(error).__name__}: {error}"
        raise InputError(msg) from error


def _of_file(kind: str, name: str, path: Path) -> ModuleType:
    require(path.is_file(), kind, name, "a file that exists, a colon and a name in it")
    return importlib.import_module(_PREFIX + str(path.resolve()).encode().hex())


class _Files(MetaPathFinder):
    """Finds the module of a user's file by a name that tells where the file is, so that objects reach workers."""

    @staticmethod
    def find_spec(
        fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how the file is run; None for every other module."""
        if not fullname.startswith(_PREFIX):
            return None
        return importlib.util.spec_from_file_location(fullname, bytes.fromhex(fullname.removeprefix(_PREFIX)).decode())


sys.meta_path.append(_Files())
