"""Which modules of boundcheck a computation depends on: what its modules import, read from their source."""

from __future__ import annotations

import ast
import importlib.util
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_PACKAGE = "boundcheck"


def closure(modules: Iterable[str]) -> set[str]:
    """Return these modules and every module of boundcheck that they import, inside functions too, but not for types."""
    found: set[str] = set()
    todo = list(modules)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += _imports(name)
    return found


@cache
def _imports(module: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_imported(ast.parse(_text(module)))))


def _imported(node: ast.AST) -> Iterator[str]:
    """Yield the modules of boundcheck that a piece of source imports at run time."""
    if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
        for other in node.orelse:
            yield from _imported(other)
        return
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if _ours(alias.name))
    if isinstance(node, ast.ImportFrom) and node.module and _ours(node.module):
        for alias in node.names:
            part = f"{node.module}.{alias.name}"
            yield part if _path(part) else node.module
    for child in ast.iter_child_nodes(node):
        yield from _imported(child)


def _ours(module: str) -> bool:
    return module.partition(".")[0] == _PACKAGE


@cache
def _path(module: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(module)
    except ModuleNotFoundError:
        return None
    return Path(spec.origin) if spec is not None and spec.origin else None


@cache
def _text(module: str) -> bytes:
    path = _path(module)
    return path.read_bytes() if path is not None else b""
