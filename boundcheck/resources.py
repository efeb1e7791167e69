"""Find the named problems and recipes that ship with the package, or the user's own file."""

from __future__ import annotations

from pathlib import Path

from boundcheck.errors import InputError, UnknownNameError

_PACKAGE = Path(__file__).parent


def folder(kind: str) -> Path:
    """Return the folder of ``problems`` or ``reports`` files: in the wheel's data, or in a source checkout."""
    shipped = _PACKAGE / "data" / kind
    return shipped if shipped.is_dir() else _PACKAGE.parent / kind


def names(kind: str) -> list[str]:
    """Return the names of the shipped files of one kind, sorted."""
    return sorted(path.stem for path in folder(kind).glob("*.toml"))


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
