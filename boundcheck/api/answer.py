"""Answers of commands and tools as plain data: one shape, with the name of its schema."""

from __future__ import annotations

import dataclasses
import json
import math
from functools import cache
from importlib.resources import files
from typing import Any

VERSION = 1
"""Of the shape; it grows when a key changes its meaning or goes."""


def schema_name(command: str) -> str:
    """Return what answers of a command or tool say under ``schema``."""
    return f"boundcheck/{command or 'command'}/{VERSION}"


def answer(command: str, results: Any, **more: Any) -> dict[str, Any]:
    """Return an answer: which schema it has, and its results as a list.

    Parameters
    ----------
    command : str
        Name of the command or tool.
    results : object
        A record, or a list of them.
    **more
        Further keys.
    """
    listed = list(results) if isinstance(results, (list, tuple)) else [results]
    return {"schema": schema_name(command), "results": plain(listed), **plain(more)}


def failure(command: str, code: int, message: str, **more: Any) -> dict[str, Any]:
    """Return what an error says: the exit code of the command line, and one sentence.

    Parameters
    ----------
    command : str
        Name of the command or tool; empty where there was none.
    code : int
        2 bad input, 3 an internal error, 4 a lost worker.
    message : str
        The thing, its value and what would be legal.
    **more
        Further keys.
    """
    return {"schema": schema_name(command), "error": {"code": code, "message": message, **plain(more)}}


@cache
def schema() -> dict[str, Any]:
    """Return the JSON Schema of answers."""
    found: dict[str, Any] = json.loads((files("boundcheck.api") / "schema.json").read_text(encoding="utf-8"))
    return found


def plain(value: Any) -> Any:
    """Return `value` as JSON data: dataclasses and arrays opened, numbers that are not finite as strings."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if isinstance(value, (str, int, float, bool)) or value is None else str(value)
