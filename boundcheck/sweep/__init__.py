"""Recipe to cells to results: resumable, on all cores.

Read in this order: `recipes` (what a user asks: grids of studies, which have bounds, and of experiments, which have
methods to tune), `cells` (a point of a grid, the cells that it needs, the store of their results), `experiments`
(tuning, readouts, answers), `results` (verdicts of studies, tables), `run` (one loop runs what is missing for all
points, then more replicates of what is undecided), `compare` (guarantees beside what methods do).
"""

from __future__ import annotations

from boundcheck.sweep.cells.store import Store
from boundcheck.sweep.compare.standings import shipped_standings, standings
from boundcheck.sweep.experiments.answers import Contests, contests
from boundcheck.sweep.experiments.reading import load_recipe, named_code
from boundcheck.sweep.recipes.assertion import Assertion
from boundcheck.sweep.recipes.experiment import Entrant, Experiment
from boundcheck.sweep.recipes.overrides import with_assertions, with_seed, with_values
from boundcheck.sweep.recipes.quick import quick
from boundcheck.sweep.recipes.recipe import Recipe, Study
from boundcheck.sweep.results.results import StudyResult, collect
from boundcheck.sweep.results.summary import shipped_summary, summary, write_summary
from boundcheck.sweep.results.table import curve_table, exponent_table, time_table, verdict_table, write_table
from boundcheck.sweep.results.times import Timed
from boundcheck.sweep.results.verdicts import answer_table, score_table, shipped_verdicts, verdicts
from boundcheck.sweep.run.runner import run_and_collect, run_sweep

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
    "with_assertions",
    "with_seed",
    "with_values",
    "write_summary",
    "write_table",
]
