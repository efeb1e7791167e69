"""What code this is: a hash of sources and the versions of libraries."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from boundcheck.errors import InputError
from boundcheck.files.located import find_module_spec
from boundcheck.files.resources import folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SHIPPED = ("problems", "reports")


def source_hash(modules: Iterable[str]) -> str:
    """Return a hash of the sources of modules, the same in a checkout and an installed package.

    Parameters
    ----------
    modules : iterable of str
        Dotted names, in any order; a package stands for all that lies below it.

    Returns
    -------
    str
        64 hexadecimal digits.

    Raises
    ------
    InputError
        If a module has no source file.
    """
    files: dict[str, Path] = {}
    for name in modules:
        files |= _files(name)
    return hash_of_files(files)


_NO_SOURCE = ("boundcheck/data/", "boundcheck/derived/record.json")


@cache
def package_hash() -> str:
    """Return a hash of boundcheck: its code and the problems and recipes that ship with it, built samples left out.

    So is the record of what derived files were made of: the sample names the source, and is made before its own row.
    """
    files = _files("boundcheck")
    for kind in SHIPPED:
        files |= {f"{kind}/{path.name}": path for path in folder(kind).glob("*") if path.is_file()}
    return hash_of_files({name: path for name, path in files.items() if not name.startswith(_NO_SOURCE)})


def hash_of_files(files: Mapping[str, Path]) -> str:
    """Return a hash of the names and bytes of files, whatever their order."""
    found = hashlib.sha256()
    for name in sorted(files):
        content = files[name].read_bytes()
        # The lengths keep apart what would run together.
        found.update(f"{len(name)} {name} {len(content)}\n".encode() + content)
    return found.hexdigest()


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Return the versions of python and of those packages that are installed."""
    found = {package: installed for package in packages if (installed := _version(package)) is not None}
    return {"python": platform.python_version(), **found}


@cache
def _version(package: str) -> str | None:
    """Return the version of an installed package: in one process it stays what it is."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _files(module: str) -> dict[str, Path]:
    """Return the files of a module or package by their names below the folder of the top package."""
    path, name = _path(module), module.replace(".", "/")
    if path.name != "__init__.py":
        return {f"{name}{path.suffix}": path}
    inside = (p for p in path.parent.rglob("*") if p.is_file() and "__pycache__" not in p.parts)
    return {f"{name}/{p.relative_to(path.parent).as_posix()}": p for p in inside}


def _path(module: str) -> Path:
    spec = find_module_spec(module)
    path = Path(spec.origin) if spec is not None and spec.origin is not None else None
    if path is None or not path.is_file():
        msg = f"modules: {module!r} is not legal: the dotted name of a module with a source file"
        raise InputError(msg)
    return path
