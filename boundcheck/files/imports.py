"""Which modules a computation depends on: what its modules import of their packages, read from their source."""

from __future__ import annotations

import ast
import importlib.util
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from boundcheck.files.located import find_module_spec
from boundcheck.files.own import stands_beside

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_PACKAGE = "boundcheck"
_HOLD_IMPORTS = (ast.stmt, ast.excepthandler, ast.match_case)
"""Nodes of a tree in which a statement may be."""


def closure(modules: Iterable[str]) -> set[str]:
    """Return these modules and all that they import of boundcheck, of their own packages, and from their own folder.

    Imports inside functions count, those for types do not.
    """
    found: set[str] = set()
    todo = list(modules)
    packages = frozenset({_PACKAGE, *map(_top, todo)})
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += [other for other in _imports(name) if _top(other) in packages or stands_beside(other)]
    return found


@cache
def _imports(module: str) -> tuple[str, ...]:
    path = _path(module)
    inside = module if path is not None and path.name == "__init__.py" else module.rpartition(".")[0]
    return tuple(dict.fromkeys(_imports_in(ast.parse(_text(module)), inside)))


def _imports_in(node: ast.AST, inside: str) -> Iterator[str]:
    """Yield the modules that a piece of source in the package `inside` imports at run time."""
    if isinstance(node, ast.If) and _for_types(node.test):
        for other in node.orelse:
            yield from _imports_in(other, inside)
        return
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        yield from _parts(node, inside)
    for child in ast.iter_child_nodes(node):
        # No import lies inside an expression, and most of a tree is expressions.
        if isinstance(child, _HOLD_IMPORTS):
            yield from _imports_in(child, inside)


def _for_types(test: ast.expr) -> bool:
    """Return whether a condition is ``TYPE_CHECKING``, plain or of a module."""
    name = test.attr if isinstance(test, ast.Attribute) else test.id if isinstance(test, ast.Name) else ""
    return name == "TYPE_CHECKING"


def _parts(node: ast.ImportFrom, inside: str) -> Iterator[str]:
    """Yield what ``from module import names`` imports: submodules where the names are such."""
    module = importlib.util.resolve_name("." * node.level + (node.module or ""), inside or None)
    for alias in node.names:
        part = f"{module}.{alias.name}"
        # Foreign modules are none of ours: looking a part of one up would import it.
        yield part if _top(module) in {_PACKAGE, _top(inside)} and _path(part) else module


def _top(module: str) -> str:
    return module.partition(".")[0]


@cache
def _path(module: str) -> Path | None:
    spec = find_module_spec(module)
    return Path(spec.origin) if spec is not None and spec.origin else None


@cache
def _text(module: str) -> bytes:
    path = _path(module)
    return path.read_bytes() if path is not None else b""
