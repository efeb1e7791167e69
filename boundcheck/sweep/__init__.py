"""Recipe to cells to results: resumable, on all cores."""

from __future__ import annotations

from boundcheck.sweep.recipe import Recipe, Study, load_recipe
from boundcheck.sweep.results import StudyResult, collect
from boundcheck.sweep.runner import run_sweep
from boundcheck.sweep.store import Store

__all__ = ["Recipe", "Store", "Study", "StudyResult", "collect", "load_recipe", "run_sweep"]
