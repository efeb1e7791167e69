"""Files written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import functools
import glob
import hashlib
import itertools
import os
import platform
import re
import stat
import time
from typing import IO, TYPE_CHECKING

from boundcheck.errors import InputError, require

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextlib.contextmanager
def whole(path: Path) -> Iterator[IO[bytes]]:
    """Yield a binary file that becomes `path` if the body ends without an error; else nothing of it is left.

    Folders are made as needed.  Readers meet the old file or the new one, even after a power cut.  A device or a pipe
    stays what it is, and is written to as it goes.

    Raises
    ------
    InputError
        If the system refuses (no space, no permission, ...); the message names `path`.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        msg = f"{path.parent}: {error.strerror}"
        raise InputError(msg) from error
    temporary = None
    try:
        if _is_stream(path):
            with path.open("wb") as file:
                yield file
            return
        temporary, descriptor = _created_beside(path)
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(descriptor)
        temporary.replace(path)
    except BaseException as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            msg = f"{path}: cannot be written: {error.strerror or error}"
            raise InputError(msg) from error
        raise


def write_whole(path: Path, content: str | bytes) -> None:
    """Write text (UTF-8) or bytes whole or not at all, as `whole` does."""
    with whole(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def require_writable(path: Path, *, folder: bool = False) -> None:
    """Refuse, before hours of work, a path at which nothing could be written after them; remove what a kill left there.

    Parameters
    ----------
    path : Path
        Where a file, or with `folder` files in a folder, will be written; folders are made as needed.

    Raises
    ------
    InputError
        In the words that the system would use.
    """
    require("\0" not in str(path), "path", str(path), "a path without the character 0")
    remove_leftovers(path if folder else path.parent, "" if folder else path.name)
    wrong = None
    if path.exists():
        wrong = None if path.is_dir() == folder else errno.EEXIST if folder else errno.EISDIR
    if wrong is None and not folder and _is_stream(path):
        require(os.access(path, os.W_OK), "path", str(path), "one that may be written to")
        return
    home = next(p for p in ([path] if folder else []) + [*path.absolute().parents] if p.exists())
    if wrong is None and not home.is_dir():
        wrong = errno.ENOTDIR
    if wrong is None and not os.access(home, os.W_OK | os.X_OK):
        wrong = errno.EACCES
    wrong = wrong or _try_to_write(home / (path.name or "boundcheck"))
    if wrong:
        msg = f"{path}: {os.strerror(wrong)}"
        raise InputError(msg)


def _is_stream(path: Path) -> bool:
    """Whether a path is a device, a pipe or a socket: with a file in its place it would be gone for everybody."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    # Standard output may go to a file, but its name in the folder of devices is the system's.
    name = path.is_symlink() and path.absolute().parts[:2] == (os.sep, "dev")
    return name or not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _try_to_write(path: Path) -> int:
    """Return the number of the error with which the system refuses a file beside a path; 0 where it takes one.

    What permissions say is not all: a folder of the kernel's, or a disk that is read only, takes no file of anybody.
    """
    try:
        temporary, descriptor = _created_beside(path)
        os.close(descriptor)
        temporary.unlink()
    except OSError as error:
        return error.errno or errno.EIO
    return 0


def remove_leftovers(folder: Path, name: str = "") -> None:
    """Remove what processes that were killed while they wrote left in a folder.

    Removed are temporary files of this module whose process has ended, and all that are a day old: of processes of
    other machines nothing else is known.

    Parameters
    ----------
    folder : Path
    name : str
        Only those of the file of this name; by default of all.
    """
    for path in folder.glob(f"{glob.escape(name)}*.tmp"):
        found = _TEMPORARY.fullmatch(path.name)
        if found is None or (name and found["name"] != name):
            continue
        # What is gone by now, or cannot be removed, does not stop this run.
        with contextlib.suppress(OSError):
            ended = found["machine"] == _machine() and not _lives(int(found["process"]))
            if ended or time.time() - path.lstat().st_mtime > _DAY:
                path.unlink()


_TEMPORARY = re.compile(r"(?P<name>.+)\.(?:(?P<machine>[0-9a-f]{8})-)?(?P<process>\d+)-\d+\.tmp")
"""Names that `_created_beside` gives, or an earlier version gave."""
_DAY = 86400.0


@functools.cache
def _machine() -> str:
    """Return a short word for this machine, whose processes have numbers of their own."""
    return hashlib.sha256(platform.node().encode()).hexdigest()[:8]


def _lives(process: int) -> bool:
    """Return whether a process of this machine may still be at work."""
    # On Windows the question would be a signal that ends it.
    if os.name == "posix":
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
        except (OSError, OverflowError):
            return True
    return True


def _created_beside(path: Path) -> tuple[Path, int]:
    """Return a new file of a name that was free, and its descriptor."""
    for attempt in itertools.count():
        temporary = path.with_name(f"{path.name}.{_machine()}-{os.getpid()}-{attempt}.tmp")
        # O_EXCL neither follows a link that somebody put there nor opens the file of another thread.
        with contextlib.suppress(FileExistsError):
            return temporary, os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    raise AssertionError
