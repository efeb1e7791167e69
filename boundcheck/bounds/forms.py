"""Which bounds are forms of one statement, told by their names: no theorem is built for it."""

from __future__ import annotations

import re

from boundcheck.bounds import BOUNDS
from boundcheck.notation import PAPERS

_KEY = re.compile(r"(?P<stem>(?:theorem|lemma|corollary|remark)\d+)S?(?P<second>-alt)?|appendix-c")
"""What the forms of one statement have in common in their names: but for the S of a sharpened form."""


def forms_of(bound: str) -> list[str]:
    """Return the registered forms of the statement that a bound of a paper is a form of."""
    paper = bound.partition(".")[0]
    return [name for name in BOUNDS if name.partition(".")[0] == paper and statement_key(name) == statement_key(bound)]


def statement_key(name: str) -> str:
    """Return what the names of the forms of one statement of a paper have in common; any other name as it is."""
    paper, _, tail = name.partition(".")
    found = _KEY.match(tail) if paper in PAPERS else None
    if found is None:
        return name
    return found["stem"] + (found["second"] or "") if found["stem"] else found[0]
