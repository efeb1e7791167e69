"""Text files of the user's: plain ones, of a size that is read at once."""

from __future__ import annotations

import errno
import stat
from typing import TYPE_CHECKING

from boundcheck.errors import InputError, require

if TYPE_CHECKING:
    from pathlib import Path

FILE_BYTES = 1_000_000
"""Largest file; the largest that is shipped has 40,000 bytes."""


KEPT_BYTES = 2_000_000_000
"""Largest file of a store or a cache; a cell with curves of all quantities has some megabytes."""


def bytes_of_kept_file(path: Path, most: int = KEPT_BYTES) -> bytes:
    """Return the content of a file that boundcheck wrote; what else may stand there in its place is not opened.

    Raises
    ------
    OSError
        If it cannot be read, is no plain file, such as a pipe that nobody writes to, or is too large.
    """
    found = path.stat()
    if not stat.S_ISREG(found.st_mode) or found.st_size > most:
        msg = f"{path}: no plain file of at most {most} bytes"
        raise OSError(errno.EINVAL, msg)
    return path.read_bytes()


def text_of_file(path: Path, most: int = FILE_BYTES) -> str:
    """Return the text of a file.

    Parameters
    ----------
    path : Path
        A plain file: what is a device or a pipe is not opened.
    most : int
        Most bytes it may have.

    Raises
    ------
    InputError
        If it cannot be read, is no plain file, is too large, or is not UTF-8 text; names it.
    """
    try:
        found = path.stat()
        require(stat.S_ISREG(found.st_mode), "file", str(path), "a plain file")
        require(found.st_size <= most, f"{path}: size", found.st_size, f"at most {most} bytes")
        with path.open("rb") as opened:
            data = opened.read(most + 1)
        require(len(data) <= most, f"{path}: size", len(data), f"at most {most} bytes")
        return data.decode("utf-8")
    except OSError as error:
        msg = f"{path}: {error.strerror or error}"
    except UnicodeDecodeError:
        msg = f"{path}: not UTF-8 text"
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        # A name with a null byte.
        msg = f"{path!s}: {error}"
    raise InputError(msg)
