"""The shipped proof objects."""

from pathlib import Path

import boundcheck

PAPERS = Path(boundcheck.__file__).parent / "proofs" / "papers" / "objects"
LIBRARY = (Path(boundcheck.__file__).parent / "proofs" / "papers" / "whole",)


def pages():
    """Return the names of the proofs that are shipped with an object."""
    return sorted(path.stem for path in PAPERS.glob("*.json"))
