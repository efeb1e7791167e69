"""Answers kept by content: the same goal under the same provers is not decided twice.

An entry says in its header what it answers (goal, limit, code, versions) and carries a checksum.  What does not match
is set aside and decided again.  This catches damage, edits and files of other versions, not somebody who recomputes the
checksum: the folder belongs to the user who trusts it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from dataclasses import asdict, fields, is_dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError
from boundcheck.files.atomic import write_whole
from boundcheck.files.resources import cache_folder
from boundcheck.files.sources import source_hash, versions
from boundcheck.proofs.statements.claim import STRENGTH, Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from boundcheck.proofs.statements.claim import Goal, Witness

PROVERS = ("boundcheck.proofs.statements.claim", "boundcheck.proofs.provers", "boundcheck.notation")
TRUSTED = ("sympy", "z3-solver", "mpmath", "numpy", "scipy")
KEPT = frozenset(STRENGTH) - {"undecided"}
Header = dict[str, Any]


def folder() -> Path:
    """Return the folder of kept answers: ``$XDG_CACHE_HOME/boundcheck/proofs``, by default under ``~/.cache``."""
    return cache_folder("proofs")


def decide(goal: Goal, timeout: float) -> Outcome:
    """Return the kept answer of a goal, or decide it and keep what is decided; ``undecided`` is never kept."""
    header = header_of(goal, timeout)
    if header is None:
        return goal.decide(timeout)
    path = _place(header)
    kept = _read(path, header)
    if kept is not None:
        return kept
    outcome = goal.decide(timeout)
    # What could not be set aside stays as it is.
    if outcome.verdict != "undecided" and not path.exists():
        _write(path, header, outcome)
    return outcome


def header_of(goal: Goal, timeout: float) -> Header | None:
    """Return all that an answer depends on, or None where some of its code is not at hand."""
    try:
        content = content_of(goal)
    except ValueError:
        return None
    return {"goal": _hash(content), "timeout": timeout, "provers": provers_version(), "versions": versions(TRUSTED)}


def key_of(goal: Goal, timeout: float) -> str | None:
    """Return the hash of the header, the name under which the answer is kept; None where there is no header."""
    header = header_of(goal, timeout)
    return None if header is None else _hash(header)


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
        if not type(value).__module__.startswith(("boundcheck.proofs.provers.", "boundcheck.proofs.statements.claim")):
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


def _place(header: Header) -> Path:
    key = _hash(header)
    return folder() / key[:2] / f"{key}.json"


def _write(path: Path, header: Header, outcome: Outcome) -> None:
    said = asdict(outcome)
    # A full disk only costs the keeping.
    with contextlib.suppress(InputError):
        write_whole(path, json.dumps({"header": header, "outcome": said, "checksum": _hash([header, said])}))


def _read(path: Path, header: Header) -> Outcome | None:
    """Return the answer kept in a file; a file that is not whole, ours and about this goal is set aside."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    try:
        return _parsed(json.loads(content), header)
    except (ValueError, TypeError, KeyError, RecursionError):
        set_aside(path, content)
        return None


def _parsed(entry: Any, header: Header) -> Outcome:
    said = entry["outcome"]
    if entry["header"] != header or entry["checksum"] != _hash([header, said]) or said["verdict"] not in KEPT:
        msg = "another goal, other code, or not what was written"
        raise ValueError(msg)
    return Outcome(**said | {"witness": as_witness(said["witness"])})


def as_witness(said: Mapping[str, Any] | None) -> Witness | None:
    """Return a witness from what was written of it: coordinates are tuples."""
    return None if said is None else {name: _tuples(value) for name, value in said.items()}


def set_aside(path: Path, content: bytes) -> None:
    """Move a file that is not believed to a name made of its content, where nothing overwrites it."""
    with contextlib.suppress(OSError):
        path.rename(path.with_name(f"{path.stem}.{hashlib.sha256(content).hexdigest()[:16]}.aside"))


def _hash(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _tuples(value: Any) -> Any:
    return tuple(_tuples(x) for x in value) if isinstance(value, list) else value
