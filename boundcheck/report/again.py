"""A report that was written before: the same recipe, results, source and libraries give the same bytes.

What is kept is the last file of each shipped recipe, in the user's cache folder, with a hash of all that it follows
from (`boundcheck.files.memo`); a recipe of the user's own may name files that change, and is written anew.
"""

from __future__ import annotations

import base64
import contextlib
from typing import TYPE_CHECKING, Any

from boundcheck.files.memo import Key, checksum, read, write
from boundcheck.files.own import anything_installed
from boundcheck.files.resources import folder, names
from boundcheck.files.sources import hash_of_files, package_hash, versions

if TYPE_CHECKING:
    from pathlib import Path

_ROOM = "reports"
_LIBRARIES = (
    "numpy",
    "scipy",
    "sympy",
    "z3-solver",
    "mpmath",
    "matplotlib",
    "typst",
)


def request_hash(recipe: str, store: Path, *, claims: bool, quick: bool) -> str | None:
    """Return a hash of everything that the report of a recipe follows from; None where that is not known.

    Parameters
    ----------
    recipe : str
        Its name; a path is the user's own.
    store : Path
        Folder of the results; all that lie there count.
    claims, quick : bool
        Whether claims are decided, and whether the recipe is the smaller one.
    """
    if recipe not in names("reports") or anything_installed():
        return None
    files = {path.name: path for path in store.glob("*.npz")}
    try:
        content = hash_of_files(files | {"glossary": folder("docs") / "glossary.md"})
    except OSError:
        return None
    said = [recipe, claims, quick, content, package_hash(), versions(_LIBRARIES)]
    return checksum(said)


def written_before(recipe: str, ending: str, key: str | None) -> bytes | None:
    """Return the file that was kept for this key, or None where there is none or it is not what was kept."""
    content = None if key is None else read(Key(_ROOM, f"{recipe}{ending}", key), _is_file)
    return None if content is None else base64.b64decode(content, validate=True)


def keep(recipe: str, ending: str, key: str | None, file: Path) -> None:
    """Keep a file that was just written for a key, in place of the one that was kept before."""
    if key is None:
        return
    with contextlib.suppress(OSError):
        content = base64.b64encode(file.read_bytes()).decode()
        write(Key(_ROOM, f"{recipe}{ending}", key), content, alone=True)


def _is_file(content: Any) -> bool:
    return isinstance(base64.b64decode(content, validate=True), bytes)
