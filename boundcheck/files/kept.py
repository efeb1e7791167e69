"""Plain data that follows from boundcheck's own source alone, made once for each state of it.

What `list` and `show` print, a report's claims and its comparison tables are the same until the source, a shipped file
or a library changes, while making them builds every theorem.  A file is named by a hash of all that, its question, and
carries the question and a checksum of both; one that is not whole, or answers another question, is made again.  Like
the answers of claims it lies in a folder of the user's, who trusts it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError
from boundcheck.files.own import anything_installed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_LIBRARIES = ("numpy", "scipy", "sympy", "scikit-learn", "z3-solver", "mpmath", "matplotlib")


def kept(what: str, make: Callable[[], Any], *, lasts: Callable[[Any], bool] = lambda data: True) -> Any:
    """Return what `make` returns, plain data, from an earlier call where there was one.

    Parameters
    ----------
    what : str
        The name of the data, which must follow from it and from boundcheck's source.
    make : callable
        Makes it.
    lasts : callable, optional
        Whether data just made are worth keeping; by default all are.
    """
    found = known(what)
    if found is None:
        found = make()
        if lasts(found):
            keep(what, found)
    return found


def known(what: str) -> Any:
    """Return data that an earlier call kept, None where there are none."""
    if anything_installed():
        return None
    try:
        return _read(_question(what))
    except (InputError, OSError):
        return None


def keep(what: str, data: Any) -> None:
    """Keep plain data that follow from the source alone, unless other packages have a say or there is no place."""
    if not anything_installed():
        with contextlib.suppress(InputError, OSError):
            _write(_question(what), data)


def _question(what: str) -> list[Any]:
    """Return all that data follow from: their name, boundcheck's source and the libraries."""
    from boundcheck.files.sources import package_hash, versions

    return [what, package_hash(), versions(_LIBRARIES)]


def _place(question: list[Any]) -> Path:
    from boundcheck.files.resources import cache_folder

    return cache_folder("listings") / f"{_checksum(question)}.json"


def _read(question: list[Any]) -> Any:
    """Return the data kept for a question, or None where there are none or the file is not what was written for it."""
    try:
        entry = json.loads(_place(question).read_bytes())
        whole = entry["question"] == question and entry["checksum"] == _checksum([question, entry["data"]])
        return entry["data"] if whole else None
    except (FileNotFoundError, ValueError, TypeError, KeyError, RecursionError):
        return None


def _write(question: list[Any], data: Any) -> None:
    from boundcheck.files.atomic import write_whole

    # A full disk only costs the keeping; what is no plain data is not kept.
    with contextlib.suppress(InputError, OSError, TypeError, ValueError):
        entry = {"question": question, "data": data, "checksum": _checksum([question, data])}
        write_whole(_place(question), json.dumps(entry))


def _checksum(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
