"""Answers kept by content: the same goal under the same provers is not decided twice."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from dataclasses import asdict, fields, is_dataclass
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from boundcheck.atomic import write_whole
from boundcheck.errors import InputError
from boundcheck.lemmas.claim import Decision, Outcome

if TYPE_CHECKING:
    from boundcheck.lemmas.claim import Goal

TRUSTED = ("sympy", "z3-solver", "mpmath", "numpy", "scipy")


def folder() -> Path:
    """Return the folder of kept answers: ``$XDG_CACHE_HOME/boundcheck/proofs``, by default under ``~/.cache``."""
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        home = Path(base) if base else Path.home() / ".cache"
    except RuntimeError:
        msg = "no home folder to keep answers in: set XDG_CACHE_HOME, or give --no-cache"
        raise InputError(msg) from None
    return home / "boundcheck" / "proofs"


def decide(goal: Goal, timeout: float) -> Outcome:
    """Return the kept answer of a goal, or decide it and keep what is decided; ``undecided`` is never kept."""
    key = key_of(goal, timeout)
    path = None if key is None else folder() / key[:2] / f"{key}.json"
    if path is not None and (kept := _read(path)) is not None:
        return kept
    outcome = goal.decide(timeout)
    if path is not None and outcome.verdict != "undecided":
        # A full disk only costs the keeping.
        with contextlib.suppress(InputError):
            write_whole(path, json.dumps(asdict(outcome)))
    return outcome


def key_of(goal: Goal, timeout: float) -> str | None:
    """Return the hash of all that an answer depends on, or None where some of its code is not at hand."""
    try:
        content = content_of(goal)
    except ValueError:
        return None
    return hashlib.sha256(json.dumps([content, timeout, provers_version()]).encode()).hexdigest()


def content_of(value: Any) -> Any:
    """Return a goal as nested lists of text: expressions with their assumptions, functions by their source.

    Raises
    ------
    ValueError
        If something in it has no faithful text.
    """
    import numpy as np
    import sympy as sp

    if isinstance(value, sp.Basic):
        return ["expression", sp.srepr(value)]
    if is_dataclass(value) and not isinstance(value, type):
        if not type(value).__module__.startswith(("boundcheck.lemmas.provers.", "boundcheck.lemmas.claim")):
            msg = f"{type(value).__name__} is not part of the provers' hashed code"
            raise ValueError(msg)
        parts = [[f.name, content_of(getattr(value, f.name))] for f in fields(value)]
        return [type(value).__module__, type(value).__qualname__, parts]
    if isinstance(value, dict):
        return ["dict", [[content_of(k), content_of(v)] for k, v in value.items()]]
    if isinstance(value, (tuple, list)):
        return [type(value).__name__, [content_of(x) for x in value]]
    if isinstance(value, np.ndarray):
        return ["array", str(value.dtype), value.shape, repr(value.tolist())]
    if value is None or isinstance(value, (str, int, float, complex, np.generic)):
        return [type(value).__name__, repr(value)]
    return _function(value)


def _function(value: Any) -> Any:
    from boundcheck.lemmas.provers.numeric import source

    if isinstance(value, partial):
        return ["partial", _function(value.func), content_of(value.args), content_of(value.keywords)]
    text = source(value) if callable(value) else None
    defaults = [getattr(value, name, None) for name in ("__defaults__", "__kwdefaults__")]
    if text is None:
        msg = f"{value!r} has no text that says all about it"
        raise ValueError(msg)
    return ["function", text, content_of(defaults)]


@cache
def provers_version() -> str:
    """Return a hash of the provers' own code and of the versions of the libraries they trust."""
    here = Path(__file__).parent
    files = [here / "claim.py", *sorted((here / "provers").glob("*.py"))]
    code = b"".join(path.read_bytes() for path in files)
    return hashlib.sha256(code + repr([version(name) for name in TRUSTED]).encode()).hexdigest()


def _read(path: Path) -> Outcome | None:
    try:
        data = json.loads(path.read_text())
        if data["witness"] is not None:
            data["witness"] = {name: _tuples(value) for name, value in data["witness"].items()}
        return Outcome(**data) if data["verdict"] in get_args(Decision) else None
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _tuples(value: Any) -> Any:
    return tuple(_tuples(x) for x in value) if isinstance(value, list) else value
