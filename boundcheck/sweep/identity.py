"""What a stored result is the result of: the cell, the code that computed it and the versions below that code."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import boundcheck
from boundcheck.imports import closure
from boundcheck.methods import METHODS
from boundcheck.problems import instance
from boundcheck.problems.catalog import parse_name
from boundcheck.problems.families import FAMILIES
from boundcheck.sources import source_hash, versions
from boundcheck.sweep.cells import SCHEMA

if TYPE_CHECKING:
    from boundcheck.sweep.cells import Cell

ENGINE = ("boundcheck.engine.simulate", "boundcheck.engine.streams")
"""Modules that every cell uses."""
_LIBRARIES = ("numpy", "scipy")
_DATA = "scikit-learn"
"""Where the data of `boundcheck.problems.data` comes from."""


def identity(cell: Cell) -> dict[str, object]:
    """Return what must be the same for a stored result to be this cell's: schema, cell, code and versions."""
    modules = modules_of(cell.method, parse_name(cell.problem)[0])
    data = ".problems.data." in modules[1]
    return {"schema": SCHEMA, "id": cell.id, "code": code(*modules), "versions": libraries(data=data)}


@cache
def modules_of(method: str, problem: str) -> tuple[str, str]:
    """Return the modules that define a method and a problem's family."""
    return METHODS[method].__module__, FAMILIES[instance(problem).family].__module__


@cache
def code(*modules: str) -> str:
    """Return a hash of the source of the engine, of these modules and of all that they import of boundcheck."""
    return source_hash(closure([*ENGINE, *modules]))


@cache
def libraries(*, data: bool = False) -> dict[str, str]:
    """Return the versions of what computes numbers, by name; with that of the data's source where it is used."""
    names = (*_LIBRARIES, _DATA) if data else _LIBRARIES
    return {"boundcheck": boundcheck.__version__} | versions(names)
