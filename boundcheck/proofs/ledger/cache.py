"""Answers kept by content: the same goal under the same provers is not decided twice.

The question says all that an answer depends on (goal, limit, code, versions).  How answers are kept, and which are
believed, says `boundcheck.files.memo`.
"""

from __future__ import annotations

from dataclasses import asdict, fields, is_dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from boundcheck.files.memo import Key, checksum, read, write
from boundcheck.files.resources import cache_folder
from boundcheck.files.sources import source_hash, versions
from boundcheck.proofs.language.claim import STRENGTH, Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from boundcheck.proofs.language.claim import Goal, Witness

PROVERS = ("boundcheck.proofs.language.claim", "boundcheck.proofs.provers", "boundcheck.notation")
TRUSTED = ("sympy", "z3-solver", "mpmath", "numpy", "scipy")
KEPT = frozenset(STRENGTH) - {"undecided"}
Header = dict[str, Any]


def folder() -> Path:
    """Return the folder of kept answers: ``$XDG_CACHE_HOME/boundcheck/proofs``, by default under ``~/.cache``."""
    return cache_folder("proofs")


def decide(goal: Goal, timeout: float) -> Outcome:
    """Return the kept answer of a goal, or decide it and keep what is decided; ``undecided`` is never kept."""
    folder()  # where answers cannot be kept is said at once
    header = header_of(goal, timeout)
    if header is None:
        return goal.decide(timeout)
    key = Key("proofs", header["goal"], {name: part for name, part in header.items() if name != "goal"})
    said = read(key, _is_decided)
    if said is not None:
        return Outcome(**said | {"witness": as_witness(said["witness"])})
    outcome = goal.decide(timeout)
    if outcome.verdict != "undecided":
        write(key, asdict(outcome))
    return outcome


def _is_decided(said: Any) -> bool:
    """Return whether this is what a decided goal's outcome was written as."""
    return said["verdict"] in KEPT and said.keys() == {part.name for part in fields(Outcome)}


def header_of(goal: Goal, timeout: float) -> Header | None:
    """Return all that an answer depends on, or None where some of its code is not at hand."""
    try:
        content = content_of(goal)
    except ValueError:
        return None
    return {"goal": checksum(content), "timeout": timeout, "provers": provers_version(), "versions": versions(TRUSTED)}


def key_of(goal: Goal, timeout: float) -> str | None:
    """Return the hash of the header, the name under which the answer is kept; None where there is no header."""
    header = header_of(goal, timeout)
    return None if header is None else checksum(header)


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
        if not type(value).__module__.startswith(("boundcheck.proofs.provers.", "boundcheck.proofs.language.claim")):
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
    from boundcheck.proofs.provers.numeric import source

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
    """Return a hash of the code that answers depend on."""
    return source_hash(PROVERS)


def as_witness(said: Mapping[str, Any] | None) -> Witness | None:
    """Return a witness from what was written of it: coordinates are tuples."""
    return None if said is None else {name: _tuples(value) for name, value in said.items()}


def _tuples(value: Any) -> Any:
    return tuple(_tuples(x) for x in value) if isinstance(value, list) else value
