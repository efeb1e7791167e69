"""A file of named arrays and a header: numpy's `.npz`, with the same bytes for the same content, read within limits."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from functools import lru_cache
from typing import IO, TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.problems.base import Array, Indices

SUFFIX = ".npz"
HEADER = "boundcheck.json"
"""Member of the file that says what it is."""
_ARRAY = ".npy"
_KINDS = "iuf"
_END = 22
"""Bytes of the last record of a file to which nothing was appended."""


class DamagedFileError(ValueError):
    """A file that is not what `write_arrays` wrote."""


def write_arrays(file: IO[bytes], header: Mapping[str, object], arrays: Mapping[str, Array | Indices]) -> None:
    """Write arrays and a header, uncompressed: `numpy.load` opens it.

    Parameters
    ----------
    file : binary file
        Open for writing.
    header : mapping
        What JSON can say; member `HEADER`.
    arrays : mapping
        Name to numbers of any shape.
    """
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        # A plain name has no date: the same content is the same bytes.
        archive.writestr(zipfile.ZipInfo(HEADER), json.dumps(header, sort_keys=True))
        for name, values in arrays.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, np.ascontiguousarray(values), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}{_ARRAY}"), member.getvalue())


def read_arrays(content: bytes) -> tuple[dict[str, Any], Any]:
    """Return the arrays of a file, and its header: None where it has none.

    Parameters
    ----------
    content : bytes
        All of the file.  What it unpacks to takes no more memory than it does.

    Raises
    ------
    DamagedFileError
        If it is no such file, whatever may have happened to it: checksums of members are compared.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            # Nothing that is written here is compressed, so that a small file cannot stand for many numbers.
            if any(m.compress_type != zipfile.ZIP_STORED for m in members):
                raise DamagedFileError
            if sum(m.file_size for m in members) > len(content) or content[-_END:][:4] != b"PK\x05\x06":
                raise DamagedFileError
            parts = {member.filename: archive.read(member) for member in members}
        arrays = {n.removesuffix(_ARRAY): _array(part) for n, part in parts.items() if n.endswith(_ARRAY)}
        return arrays, json.loads(parts[HEADER]) if HEADER in parts else None
    # What zipfile, numpy and json say of damaged lengths, names and types, none of which says more than the word.
    except (
        zipfile.BadZipFile,
        zlib.error,
        struct.error,
        ValueError,
        KeyError,
        TypeError,
        EOFError,
        OSError,
        RuntimeError,
        OverflowError,
        MemoryError,
    ) as error:
        msg = f"no file of arrays: {error}"
        raise DamagedFileError(msg) from None


def _array(member: bytes) -> Array | Indices:
    """Return the numbers of a member, which has as many as it says and not one more."""
    # Version 1.0 of the format, which serves all names that are written here, has the header's length in two bytes.
    end = 10 + int.from_bytes(member[8:10], "little")
    shape, kind = _layout(member[:end])
    return np.frombuffer(member, dtype=kind, offset=end).reshape(shape)


@lru_cache(maxsize=256)
def _layout(head: bytes) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Return shape and type of an array; numpy evaluates the header's text, which is the same for many arrays."""
    file = io.BytesIO(head)
    version = np.lib.format.read_magic(file)
    shape, fortran, kind = np.lib.format.read_array_header_1_0(file)
    if version != (1, 0) or fortran or kind.kind not in _KINDS:
        raise DamagedFileError
    return shape, kind
