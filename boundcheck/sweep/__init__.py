"""Recipe to cells to results: resumable, on all cores."""

from __future__ import annotations

from boundcheck.sweep.answers import Contests, contests
from boundcheck.sweep.assertion import Assertion
from boundcheck.sweep.experiment import Entrant, Experiment
from boundcheck.sweep.overrides import with_values
from boundcheck.sweep.quick import quick
from boundcheck.sweep.reading import load_recipe, named_code
from boundcheck.sweep.recipe import Recipe, Study
from boundcheck.sweep.results import StudyResult, collect
from boundcheck.sweep.runner import run_and_collect, run_sweep
from boundcheck.sweep.standings import shipped_standings, standings
from boundcheck.sweep.store import Store
from boundcheck.sweep.summary import shipped_summary, summary, write_summary
from boundcheck.sweep.table import curve_table, exponent_table, time_table, verdict_table, write_table
from boundcheck.sweep.times import Timed
from boundcheck.sweep.verdicts import answer_table, score_table, shipped_verdicts, verdicts

__all__ = [
    "Assertion",
    "Contests",
    "Entrant",
    "Experiment",
    "Recipe",
    "Store",
    "Study",
    "StudyResult",
    "Timed",
    "answer_table",
    "collect",
    "contests",
    "curve_table",
    "exponent_table",
    "load_recipe",
    "named_code",
    "quick",
    "run_and_collect",
    "run_sweep",
    "score_table",
    "shipped_standings",
    "shipped_summary",
    "shipped_verdicts",
    "standings",
    "summary",
    "time_table",
    "verdict_table",
    "verdicts",
    "with_values",
    "write_summary",
    "write_table",
]
