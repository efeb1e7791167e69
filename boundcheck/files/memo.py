"""What was made once for a question, kept in the user's cache folder: one header, one layout, one rule of belief.

A file lies at ``ROOM/NN/NAME-QUESTION.json`` (both hashes) and carries a header: the version of this format, the
question in full, and a checksum of question and data.  A file that is not whole, of another version or of another
question is set aside under a name made of its content, and the data are made again.  This catches damage, edits and
files that changed places, not somebody who recomputes the checksum: the folder belongs to the user who trusts it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError
from boundcheck.files.plain import bytes_of_kept_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MOST_BYTES = 200_000_000
"""Largest file that is believed."""
VERSION = 1
"""Version of the format; files of another one are not believed."""


@dataclass(frozen=True)
class Key:
    """A question: what is wanted, and all that the answer follows from."""

    room: str
    """Folder of this kind of data."""
    name: str
    """What is wanted."""
    follows: Any
    """All else that decides the data, as JSON has it: hashes of the source, versions, options."""

    @property
    def question(self) -> list[Any]:
        """The question in full, as a file says it."""
        plain: list[Any] = json.loads(json.dumps([self.room, self.name, self.follows]))
        return plain


def place(key: Key) -> Path:
    """Return the file of a question.

    Raises
    ------
    InputError
        If there is no home folder.
    """
    from boundcheck.files.resources import cache_folder

    name = checksum(key.name)
    return cache_folder(key.room) / name[:2] / f"{name[:16]}-{checksum(key.question)[:32]}.json"


def memo(
    key: Key, make: Callable[[], Any], *, lasts: Callable[[Any], bool] = lambda data: True, alone: bool = False
) -> Any:
    """Return what `make` returns, plain data, from an earlier call where there was one.

    Parameters
    ----------
    key : Key
        The question that the data answer.
    make : callable
        Makes them.
    lasts : callable, optional
        Whether data are worth keeping, and kept ones worth believing; by default all are.
    alone : bool
        As `write`.
    """
    found = read(key, lasts)
    if found is None:
        found = make()
        if lasts(found):
            write(key, found, alone=alone)
    return found


def read(key: Key, lasts: Callable[[Any], bool] = lambda data: True) -> Any:
    """Return the data kept for a question; None where there are none, or the file is not what was written for it."""
    try:
        path = place(key)
        content = bytes_of_kept_file(path, MOST_BYTES)
    except (InputError, OSError):
        return None
    try:
        entry = json.loads(content)
        header, data = entry["header"], entry["data"]
        if header == _header(key, data) and lasts(data):
            return data
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        pass
    set_aside(path, content)
    return None


def write(key: Key, data: Any, *, alone: bool = False) -> None:
    """Keep plain data for a question, unless there is no place for them or another file stands there.

    Parameters
    ----------
    key : Key
        The question.
    data : object
        What JSON can hold; anything else is not kept.
    alone : bool
        Whether answers to the same name that followed from something else are of no more use, and go.
    """
    from boundcheck.files.atomic import write_whole

    # A full disk only costs the keeping; what could not be set aside stays as it is.
    with contextlib.suppress(InputError, OSError, TypeError, ValueError):
        path = place(key)
        if path.exists():
            return
        write_whole(path, json.dumps({"header": _header(key, data), "data": data}))
        before = path.parent.glob(f"{path.name.partition('-')[0]}-*.json") if alone else ()
        for other in before:
            if other != path:
                other.unlink(missing_ok=True)


def set_aside(path: Path, content: bytes) -> None:
    """Move a file that is not believed to a name made of its content, where nothing overwrites it."""
    with contextlib.suppress(OSError):
        path.rename(path.with_name(f"{path.stem}.{hashlib.sha256(content).hexdigest()[:16]}.aside"))


def checksum(data: Any) -> str:
    """Return a hash of plain data."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def _header(key: Key, data: Any) -> dict[str, Any]:
    return {"version": VERSION, "question": key.question, "checksum": checksum([VERSION, key.question, data])}
