"""Plain data that follows from boundcheck's own source alone, made once for each state of it.

What `list` and `show` print, a report's claims and its comparison tables are the same until the source, a shipped file
or a library changes, while making them builds every theorem.  How they are kept, and what is believed, says
`boundcheck.files.memo`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundcheck.files.memo import Key, memo, read, write
from boundcheck.files.own import anything_installed

if TYPE_CHECKING:
    from collections.abc import Callable

_LIBRARIES = ("numpy", "scipy", "sympy", "z3-solver", "mpmath", "matplotlib")


def load_or_make(what: str, make: Callable[[], Any], *, lasts: Callable[[Any], bool] = lambda data: True) -> Any:
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
    return make() if anything_installed() else memo(_key(what), make, lasts=lasts)


def load_kept(what: str) -> Any:
    """Return data that an earlier call kept, None where there are none."""
    return None if anything_installed() else read(_key(what))


def keep(what: str, data: Any) -> None:
    """Keep plain data that follow from the source alone, unless other packages have a say or there is no place."""
    if not anything_installed():
        write(_key(what), data)


def _key(what: str) -> Key:
    """Return all that data follow from: their name, boundcheck's source and the libraries."""
    from boundcheck.files.sources import package_hash, versions

    return Key("listings", what, [package_hash(), versions(_LIBRARIES)])
