"""One theorem on the reader's desk: everything that the other commands know of it, on one screen and on a page.

Read in this order: `inquiry` asks the questions one after the other; `places` chooses problems and settings within the
conditions; `questions` has a function for each question; `answers` is what comes back; `words` says it in sentences,
which the command prints and `page` typesets.  A theorem goes in, a `Review` comes out.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boundcheck.reviews.answers import Review
    from boundcheck.reviews.inquiry import review
    from boundcheck.reviews.page import write_review

_HOMES = {"Review": "answers", "review": "inquiry", "write_review": "page"}

__all__ = ["Review", "review", "write_review"]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(importlib.import_module(f"boundcheck.reviews.{_HOMES[name]}"), name)
    msg = f"module 'boundcheck.reviews' has no attribute {name!r}"
    raise AttributeError(msg)
