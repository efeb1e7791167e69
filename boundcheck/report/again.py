"""A report that was written before: the same recipe, results, source and libraries give the same bytes.

What is kept is the last file of each shipped recipe, in the user's cache folder, with a hash of all that it follows
from; a recipe of the user's own may name files that change, and is written anew.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
from typing import TYPE_CHECKING

from boundcheck.errors import InputError
from boundcheck.files.atomic import write_whole
from boundcheck.files.own import anything_installed
from boundcheck.files.resources import cache_folder, folder, names
from boundcheck.files.sources import hash_of_files, package_hash, versions

if TYPE_CHECKING:
    from pathlib import Path

_LIBRARIES = (
    "numpy",
    "scipy",
    "sympy",
    "scikit-learn",
    "z3-solver",
    "mpmath",
    "matplotlib",
    "typst",
    "pyarrow",
    "bokeh",
)


def asked(recipe: str, store: Path, *, claims: bool, quick: bool) -> str | None:
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
    files = {path.name: path for path in store.glob("*.parquet")}
    try:
        content = hash_of_files(files | {"glossary": folder("docs") / "glossary.md"})
    except OSError:
        return None
    said = [recipe, claims, quick, content, package_hash(), versions(_LIBRARIES)]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def written_before(recipe: str, ending: str, key: str | None) -> bytes | None:
    """Return the file that was kept for this key, or None where there is none or it is not what was kept."""
    if key is None:
        return None
    try:
        entry = json.loads(_place(recipe, ending).read_bytes())
        content = base64.b64decode(entry["content"], validate=True)
        return content if (entry["key"], entry["digest"]) == (key, _digest(key, content)) else None
    except (InputError, OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def keep(recipe: str, ending: str, key: str | None, file: Path) -> None:
    """Keep a file that was just written for a key, in place of the one that was kept before."""
    if key is None:
        return
    # A full disk only costs the keeping.
    with contextlib.suppress(InputError, OSError):
        content = file.read_bytes()
        entry = {"key": key, "digest": _digest(key, content), "content": base64.b64encode(content).decode()}
        write_whole(_place(recipe, ending), json.dumps(entry))


def _place(recipe: str, ending: str) -> Path:
    return cache_folder("reports") / f"{recipe}{ending}.json"


def _digest(key: str, content: bytes) -> str:
    return hashlib.sha256(key.encode() + content).hexdigest()
