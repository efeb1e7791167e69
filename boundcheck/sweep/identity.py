"""What a stored result is the result of: the cell, the code that computed it and the versions below that code."""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

import boundcheck
from boundcheck.methods import METHODS
from boundcheck.problems import instance
from boundcheck.problems.catalog import parse_name
from boundcheck.problems.families import FAMILIES
from boundcheck.sources import source_hash
from boundcheck.sweep.cells import SCHEMA

if TYPE_CHECKING:
    from boundcheck.sweep.cells import Cell

_ENGINE = ("boundcheck.engine.simulate", "boundcheck.engine.streams")
_LIBRARIES = ("numpy", "scipy")
_DATA = "scikit-learn"
"""Where the data of `boundcheck.problems.data` comes from."""


def identity(cell: Cell) -> dict[str, object]:
    """Return what must be the same for a stored result to be this cell's: schema, cell, code and versions."""
    modules = modules_of(cell.method, parse_name(cell.problem)[0])
    return {
        "schema": SCHEMA,
        "id": cell.id,
        "code": source_hash(*_ENGINE, *modules),
        "versions": versions(data=".problems.data." in modules[1]),
    }


@cache
def modules_of(method: str, problem: str) -> tuple[str, str]:
    """Return the modules that define a method and a problem's family."""
    return METHODS[method].__module__, FAMILIES[instance(problem).family].__module__


@cache
def versions(*, data: bool = False) -> dict[str, str]:
    """Return the versions of what computes numbers, by name; with that of the data's source where it is used."""
    names = (*_LIBRARIES, _DATA) if data else _LIBRARIES
    python = ".".join(platform.python_version_tuple()[:2])
    return {"boundcheck": boundcheck.__version__, "python": python} | {name: _version(name) for name in names}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"
