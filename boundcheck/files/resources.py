"""Find the named problems and recipes that ship with the package, or the user's own file."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from boundcheck.errors import InputError, UnknownNameError, require

if TYPE_CHECKING:
    import msgspec

T = TypeVar("T", bound="msgspec.Struct")
_MOST_BYTES = 10**6
"""Largest TOML file that is read."""

_PACKAGE = Path(__file__).parents[1]


def folder(kind: str) -> Path:
    """Return the folder of ``problems``, ``reports`` or ``docs``: in the wheel's data, or in a source checkout."""
    shipped = _PACKAGE / "data" / kind
    return shipped if shipped.is_dir() else _PACKAGE.parent / kind


def names(kind: str) -> list[str]:
    """Return the names of the shipped files of one kind, sorted."""
    where = folder(kind)
    return list(_list_names(where, where.stat().st_mtime_ns))


@lru_cache(maxsize=4)
def _list_names(where: Path, changed: int) -> tuple[str, ...]:
    """Return the names in a folder, which is read again when it has changed."""
    return tuple(sorted(path.stem for path in where.glob("*.toml")))


def find(kind: str, name: str) -> Path:
    """Return the file for a name, or for a path to the user's own file.

    Raises
    ------
    InputError
        If a path ending in ``.toml`` does not exist, or (as `UnknownNameError`) the name is not shipped.
    """
    if name.endswith(".toml"):
        path = Path(name)
        if not path.is_file():
            msg = f"no file {name!r}; give a path to a .toml file or a name from 'boundcheck list'"
            raise InputError(msg)
        return path
    known = names(kind)
    if name not in known:
        raise UnknownNameError({"problems": "problem", "reports": "recipe"}[kind], name, known)
    return folder(kind) / f"{name}.toml"


def decode_toml(path: Path, kind: type[T]) -> T:
    """Return a TOML file as a struct.

    Parameters
    ----------
    path : Path
    kind : type
        A msgspec struct.

    Raises
    ------
    InputError
        If the file is too large, no TOML, or a key or value is not legal; the message names file, key and value.
    """
    import msgspec

    with path.open("rb") as file:
        content = file.read(_MOST_BYTES + 1)
    require(len(content) <= _MOST_BYTES, f"{path.name}: size", f"> {_MOST_BYTES}", f"at most {_MOST_BYTES} bytes")
    try:
        return msgspec.toml.decode(content, type=kind, strict=True)
    except RecursionError:
        msg = f"{path.name}: nested too deeply"
    except msgspec.ValidationError as error:
        from boundcheck.files.toml_slips import slip

        msg = f"{path.name}: {slip(msgspec.toml.decode(content), kind, str(error))}"
    # Numbers of thousands of digits and bytes that are no text are plain ValueErrors.
    except (msgspec.DecodeError, ValueError) as error:
        msg = f"{path.name}: {' '.join(str(error).split())}"
    raise InputError(msg)


def cache_folder(kind: str) -> Path:
    """Return the user's folder of what is kept of one kind: ``$XDG_CACHE_HOME/boundcheck``, by default ``~/.cache``.

    Raises
    ------
    InputError
        If there is no home folder.
    """
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        home = Path(base) if base else Path.home() / ".cache"
    except RuntimeError:
        msg = "no home folder to keep answers in: set XDG_CACHE_HOME, or give --no-cache"
        raise InputError(msg) from None
    return home / "boundcheck" / kind
