"""The shipped proof objects."""

from pathlib import Path

import boundcheck

PAPERS = Path(boundcheck.__file__).parent / "proofs" / "papers"
LIBRARY = (Path(boundcheck.__file__).parent / "lemmas" / "chain" / "proofs",)


def pages():
    """Return the names of the proofs that are shipped with an object."""
    return sorted(path.stem for path in PAPERS.glob("*.json"))
