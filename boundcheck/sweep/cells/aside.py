"""Files of a store that are not results: kept, under a name that says why."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from boundcheck.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


def set_aside(path: Path, reason: str) -> Path:
    """Rename ``name.npz`` to the first free ``name.reason.n.npz``, and return that.

    Raises
    ------
    InputError
        If the system refuses.
    """
    try:
        target = _reserve_name(path, reason)
        try:
            return path.replace(target)
        except FileNotFoundError:
            # Another process was faster.
            target.unlink(missing_ok=True)
            return target
    except OSError as error:
        msg = f"{path}: cannot be set aside ({reason}): {error.strerror or error}"
        raise InputError(msg) from error


def _reserve_name(path: Path, reason: str) -> Path:
    """Return a name that was free, now taken by an empty file."""
    for n in itertools.count(1):
        target = path.with_name(f"{path.stem}.{reason}.{n}{path.suffix}")
        try:
            target.touch(exist_ok=False)
        except FileExistsError:
            continue
        return target
    raise AssertionError
