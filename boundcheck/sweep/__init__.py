"""Recipe to cells to results: resumable, on all cores."""

from __future__ import annotations

from boundcheck.sweep.recipe import Recipe, Study, load_recipe
from boundcheck.sweep.results import StudyResult, collect
from boundcheck.sweep.runner import run_sweep
from boundcheck.sweep.store import Store
from boundcheck.sweep.table import curve_table, verdict_table, write_table

__all__ = [
    "Recipe",
    "Store",
    "Study",
    "StudyResult",
    "collect",
    "curve_table",
    "load_recipe",
    "run_sweep",
    "verdict_table",
    "write_table",
]
