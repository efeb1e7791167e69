"""Plain data that follows from boundcheck's own source alone, made once for each state of it.

What `list` and `show` print, a report's claims and its comparison tables are the same until the source, a shipped file
or a library changes, while making them builds every theorem.  A file is named by a hash of all that and carries a
checksum of its content; one that is not whole is made again.  Like the answers of claims it lies in a folder of the
user's, who trusts it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError
from boundcheck.own import anything_installed

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
        return _read(_place(what))
    except (InputError, OSError):
        return None


def keep(what: str, data: Any) -> None:
    """Keep plain data that follow from the source alone, unless other packages have a say or there is no place."""
    if not anything_installed():
        with contextlib.suppress(InputError, OSError):
            _write(_place(what), data)


def _place(what: str) -> Path:
    from boundcheck.resources import cache_folder
    from boundcheck.sources import package_hash, versions

    name = json.dumps([what, package_hash(), versions(_LIBRARIES)])
    return cache_folder("listings") / f"{hashlib.sha256(name.encode()).hexdigest()}.json"


def _read(path: Path) -> Any:
    """Return the data of a file, or None where there is none or it is not what was written."""
    try:
        entry = json.loads(path.read_bytes())
        return entry["data"] if entry["checksum"] == _checksum(entry["data"]) else None
    except (FileNotFoundError, ValueError, TypeError, KeyError, RecursionError):
        return None


def _write(path: Path, data: Any) -> None:
    from boundcheck.atomic import write_whole

    # A full disk only costs the keeping; what is no plain data is not kept.
    with contextlib.suppress(InputError, OSError, TypeError, ValueError):
        write_whole(path, json.dumps({"data": data, "checksum": _checksum(data)}))


def _checksum(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
