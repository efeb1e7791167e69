"""The index of a store: which files were sound when somebody last read or wrote them, so that few are read again.

It lies in the store as ``.index.json`` and can be deleted.  An entry counts only as long as the file has the inode,
size and time that it had, and code and versions are those of now.  Numbers are checked against their digest whenever a
result is read.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from boundcheck.errors import InputError
from boundcheck.files.atomic import write_whole
from boundcheck.files.plain import bytes_of_kept_file
from boundcheck.sweep.cells.arrays import SUFFIX
from boundcheck.sweep.cells.identity import background

if TYPE_CHECKING:
    from pathlib import Path

    from boundcheck.sweep.cells.cells import Cell

_FILE = ".index.json"
_WORTH = 64
"""Files that must be new to an index before it is written again."""


class Stamp(NamedTuple):
    """What changes when a file is written again."""

    inode: int
    size: int
    nanoseconds: int


def stamp(path: Path) -> Stamp | None:
    """Return the stamp of a file, None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return Stamp(found.st_ino, found.st_size, found.st_mtime_ns)


def state(folder: Path) -> str:
    """Return a hash of the names and stamps of all results in a folder: another one after any of them was written."""
    found = ((entry.name, entry.inode(), entry.stat()) for entry in os.scandir(folder) if entry.name.endswith(SUFFIX))
    stamps = sorted((name, inode, there.st_size, there.st_mtime_ns) for name, inode, there in found)
    return hashlib.sha256(repr(stamps).encode()).hexdigest()


class Index:
    """The sound files of a store.

    Parameters
    ----------
    folder : Path
        That of the store.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sound: dict[str, Stamp] = {}
        self._new: dict[str, tuple[Stamp, str]] = {}

    def has(self, cell: Cell, found: Stamp) -> bool:
        """Return whether a file with this stamp is known to be the result of a cell."""
        if self._sound.get(cell.id) == found:
            return True
        if self._before.get(cell.id) != [*found, _hash_wanted(cell)]:
            return False
        self._sound[cell.id] = found
        return True

    def add(self, cell: Cell, found: Stamp) -> None:
        """Note that the file with this stamp is the result of a cell."""
        self._sound[cell.id] = found
        self._new[cell.id] = (found, _hash_wanted(cell))

    def save(self) -> None:
        """Write what is new for the next process; a store that cannot be written is read again."""
        if len(self._new) < _WORTH:
            return
        there = {path.stem for path in self._folder.glob(f"*{SUFFIX}")}
        known = self._before | {name: [*found, wanted] for name, (found, wanted) in self._new.items()}
        with contextlib.suppress(InputError):
            write_whole(self._folder / _FILE, json.dumps({name: known[name] for name in known if name in there}))
        self._new.clear()

    @cached_property
    def _before(self) -> dict[str, list[int | str]]:
        """Return what an earlier process noted: cell to stamp, code and versions; nothing where it cannot be read."""
        try:
            found = json.loads(bytes_of_kept_file(self._folder / _FILE))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}


def _hash_wanted(cell: Cell) -> str:
    """Return a hash of what must be the same for a stored result to be the cell's, but for its name."""
    return hashlib.sha256(json.dumps(background(cell), sort_keys=True).encode()).hexdigest()[:16]
