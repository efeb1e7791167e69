"""Text files of the user's: plain ones, of a size that is read at once."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

from boundcheck.errors import InputError, require

if TYPE_CHECKING:
    from pathlib import Path

FILE_BYTES = 1_000_000
"""Largest file; the largest that is shipped has 40,000 bytes."""


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
