"""What a stored result is the result of: the cell, the code that computed it and the versions below that code."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from boundcheck.files.imports import closure
from boundcheck.files.own import is_reference, module_named
from boundcheck.files.sources import source_hash, versions
from boundcheck.methods import METHODS
from boundcheck.problems import instance
from boundcheck.problems.catalog import parse_name
from boundcheck.problems.data.bundled import tables_hash
from boundcheck.problems.families import FAMILIES, reads_data
from boundcheck.sweep.cells.cells import SCHEMA
from boundcheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.metrics import Metric
    from boundcheck.sweep.cells.cells import Cell

ENGINE = ("boundcheck.engine.simulate", "boundcheck.engine.streams")
"""Modules that every cell uses, with all that they import."""
BETWEEN = (
    "boundcheck.files.atomic",
    "boundcheck.files.imports",
    "boundcheck.files.located",
    "boundcheck.files.moved",
    "boundcheck.problems.catalog",
    "boundcheck.problems.families",
    "boundcheck.problems.mixed",
    "boundcheck.problems.stacked",
    "boundcheck.files.plain",
    "boundcheck.files.registry",
    "boundcheck.files.resources",
    "boundcheck.files.sources",
    "boundcheck.sweep.cells.arrays",
    "boundcheck.sweep.cells.bundles",
    "boundcheck.sweep.cells.cells",
    "boundcheck.sweep.cells.identity",
    "boundcheck.sweep.cells.index",
    "boundcheck.sweep.cells.store",
)
"""Modules that decide which lane becomes whose number; what they import beside that decides none."""
_LIBRARIES = ("numpy", "scipy")


def identity(cell: Cell) -> dict[str, object]:
    """Return what must be the same for a stored result to be this cell's: schema, cell, code and versions."""
    return {"id": cell.id, **background(cell)}


def background(cell: Cell) -> dict[str, object]:
    """Return what of that is the same for all cells of a method, a problem and metrics: schema, code and versions."""
    problem = parse_name(cell.problem)[0]
    modules = modules_of(cell.method, problem)
    found = " ".join((code(*modules, *_modules_of_metrics(cell.metrics)), *names_of(cell.method, problem)))
    return {"schema": SCHEMA, "code": found, "versions": libraries(data=_is_on_data(problem))}


@cache
def _modules_of_metrics(metrics: tuple[Metric, ...]) -> list[str]:
    """Return the modules of metrics in the order of their names."""
    return sorted({module for metric in metrics for module in _modules_of_metric(metric)})


@cache
def _is_on_data(problem: str) -> bool:
    return reads_data(instance(problem).family)


@cache
def modules_of(method: str, problem: str) -> tuple[str, str]:
    """Return the modules that define a method and a problem's family."""
    return METHODS[method].__module__, FAMILIES[instance(problem).family].__module__


@cache
def names_of(method: str, problem: str) -> tuple[str, str]:
    """Return what a method's class and a problem's family are called in their modules."""
    return METHODS[method].__qualname__, FAMILIES[instance(problem).family].__qualname__


def _modules_of_metric(metric: Metric) -> Iterator[str]:
    """Yield the modules of a metric's functions, and the one that holds its record if that is the user's own."""
    functions = (metric.measure, metric.transition, metric.state)
    yield from (function.__module__ for function in functions if function is not None)
    if is_reference(metric.name):
        yield module_named(metric.name)


@cache
def code(*modules: str) -> str:
    """Return a hash of all code between a cell's question and its numbers.

    It is the source of the engine, of these modules, those of the method, of the problem's family and of the metrics,
    and of all that they import of boundcheck; and that of `BETWEEN`.
    """
    return source_hash({*closure([*ENGINE, *modules]), *BETWEEN})


@cache
def libraries(*, data: bool = False) -> dict[str, str]:
    """Return the versions of what computes numbers, by name; with a hash of the tables of data where they are used."""
    tables = {"tables": tables_hash()} if data else {}
    return {"boundcheck": __version__} | versions(_LIBRARIES) | tables
