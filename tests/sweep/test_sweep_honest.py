"""Tuning is honest: a method ties with a copy of itself, though the copy is tuned by other runs."""

import math

import pytest
from experiment_recipes import recipe
from msgspec.structs import replace

from boundcheck.evidence.statistics.paired import below, gaps
from boundcheck.metrics import metric_of
from boundcheck.sweep import Store, run_sweep
from boundcheck.sweep.experiments.contest import collect_experiments
from boundcheck.sweep.experiments.readouts import score

COPY = """
title = "copies"
replicates = 8
points = 4

[[experiment]]
id = "copies"
title = "copies"
problems = ["ridge-coercive"]
parameters = { d = 2 }
N = [2]
K = [2]
T = [24]
tuning = 4
widen = 0
axes = ["rounds"]

[[experiment.entrant]]
method = "fedavg"
hyper = { eta = [0.04, 0.08, 0.16, 0.32, 0.64] }
"""
LEVEL, MARGIN = 0.95, 0.05


def tuned(folder, seed):
    """Return the only entry of the experiment with this seed."""
    made, store = replace(recipe(folder, COPY), seed=seed), Store(folder / "store")
    run_sweep(made, store, workers=1)
    return made, store, collect_experiments(made, store)[0].settings[0].entries["fedavg"]["rounds"]


def told(folder, seed):
    """Compare a method with a copy that was tuned on the seeds of another study, on the runs of the first."""
    made, store, entry = tuned(folder, seed)
    other = tuned(folder, seed + 10**6)[2].tuned.hyper
    fixed = [replace(made.experiment[0].entrant[0], hyper=dict(other))]
    copied = replace(made, experiment=[replace(made.experiment[0], entrant=fixed)])
    run_sweep(copied, store, workers=1)
    copy = collect_experiments(copied, store)[0].settings[0].entries["fedavg"]["rounds"]
    a, b = (score(e.measured, metric_of("server_gradient"), e.last, "average") for e in (entry, copy))
    return below(gaps(a, b, relative=True), math.log1p(MARGIN), level=LEVEL).answer


def test_some_copies_tie(tmp_path):
    """Five studies: none in which the copy is called better or worse."""
    assert not {told(tmp_path, seed) for seed in range(5)} & {"yes", "no"}


@pytest.mark.slow
def test_copies_tie_in_95_of_100_studies(tmp_path):
    """200 studies, each with seeds of its own."""
    answers = [told(tmp_path, seed) for seed in range(200)]
    assert answers.count("open") + answers.count("same") >= 190
