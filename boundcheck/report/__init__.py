"""Figures and the typeset PDF: what a sweep measured, as a document that a referee can read; portraits of problems.

Read `document`: from a store of results to one file.  `pages` has the sections as Typst source, made with `typst`
(markup, formulas, templates; `typed` reads formulas that are typed as text, for the site); `plots` makes numbers of
results and draws them.  `html` makes the same pages one file for a browser, `again` knows a report written before.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from boundcheck.files.pictures import import_matplotlib

if TYPE_CHECKING:
    from boundcheck.report.document import save_figure, write_report
    from boundcheck.report.plots.portrait import save_portrait

_HOMES = {"save_figure": "document", "save_portrait": "plots.portrait", "write_report": "document"}

__all__ = ["save_figure", "save_portrait", "write_report"]


import_matplotlib()


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(importlib.import_module(f"boundcheck.report.{_HOMES[name]}"), name)
    msg = f"module 'boundcheck.report' has no attribute {name!r}"
    raise AttributeError(msg)
