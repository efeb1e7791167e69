"""The pages of experiments: verdicts, answers, tuned values and boards."""

import pytest

from boundcheck.report import write_report
from boundcheck.report.pages.experiments import experiments, overview
from boundcheck.sweep import Store, contests, load_recipe, run_sweep, verdicts
from boundcheck.sweep.first import first

TEXT = """
title = "small"
seed = 7
replicates = 4
points = 8
claims = []

[[experiment]]
id = "ridges"
title = "ridges"
problems = ["ridge-coercive"]
parameters = { d = 4 }
N = [4]
K = [3]
T = [24]
tuning = 2
widen = 0
epsilons = [2.0, 1.0, 1e-9]

[[experiment.entrant]]
method = "fedavg"
label = "plain"
hyper = { eta = [0.05, 0.1], gamma = 1.0 }

[[experiment.entrant]]
method = "scaffold"
label = "controlled"
hyper = { eta = [0.05, 0.1] }

[[assertion]]
id = "one"
paper = "momentum-fl"
lines = "1"
title = "control beats none"
says = "control is better."
ask = [{ kind = "better", experiment = "ridges", of = ["controlled"], than = ["plain"] }]

[[assertion]]
id = "two"
paper = "momentum-fl"
lines = "2"
title = "out of reach"
says = "nobody knows."
cannot = "it needs a large network"
"""


@pytest.fixture(scope="module")
def held(tmp_path_factory):
    folder = tmp_path_factory.mktemp("experiments")
    (folder / "small.toml").write_text(TEXT)
    recipe, store = load_recipe(str(folder / "small.toml")), Store(folder / "store")
    run_sweep(recipe, store, workers=1)
    return recipe, store, contests(recipe, store)


def test_a_page_says_what_was_asked_tuned_and_found(held, tmp_path):
    """Verdict, question, interval's level, budget's curves, tuned values and the flag of an edge."""
    _, _, found = held
    text = experiments(found.answers, found.experiments, tmp_path)
    for word in ("control beats none", "controlled better plain", "it needs a large network", "0.9500", "eta = 0.1"):
        assert word in text
    assert len(list(tmp_path.glob("one-ridges-*.svg"))) == 1
    assert overview(verdicts(found)) in text


def test_a_board_has_first_times(held, tmp_path):
    """The first checkpoint at which the mean of |grad f|^2 is at most eps^2, its cost, and what was never reached."""
    _, _, found = held
    entry = found.experiments[0].settings[0].entries["plain"]["rounds"]
    values = entry.measured.instant["server_gradient"].mean(axis=0)
    t = int(entry.measured.rounds[int((values <= 1.0).argmax())])
    assert first(entry, "server_gradient", 1.0, "rounds").spent == t
    assert first(entry, "server_gradient", 1.0, "samples").spent == 3 * t
    assert "not reached" in experiments(found.answers, found.experiments, tmp_path)


def test_the_report_is_one_pdf(held, tmp_path):
    """Pages of experiments are part of a report, and the same results give the same bytes."""
    recipe, store, _ = held
    one, two = (write_report(recipe, store, tmp_path / name) for name in ("a.pdf", "b.pdf"))
    assert one.read_bytes()[:5] == b"%PDF-"
    assert one.read_bytes() == two.read_bytes()
