"""The shipped proof objects, and the pages that are made for them."""

import functools
import tempfile
from pathlib import Path

from boundcheck.proofs.chain.whole.proof import PROOFS
from boundcheck.proofs.language.files import HERE
from boundcheck.proofs.search.accepted import OBJECTS, write_page

LIBRARY = (HERE,)
NAMES = {file.removesuffix(".toml"): proof for proof, file in PROOFS.items()}


def pages():
    """Return the names of the proofs that are shipped with an object."""
    return sorted(path.stem for path in OBJECTS.glob("*.json"))


@functools.cache
def _folder():
    # Removed when the last reference goes, at the end of the process.
    return tempfile.TemporaryDirectory()


@functools.cache
def written_page(name):
    """Return the page of a shipped proof, written once a process, with its object beside it."""
    return write_page(NAMES[name], Path(_folder().name))
