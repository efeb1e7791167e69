"""The command line over experiments: sweeps of hyperparameters, verdicts, tables."""

import json

import pytest
from cli_calls import called, parsed

from boundcheck.engine import simulate
from boundcheck.methods import METHODS
from boundcheck.problems import load_problem

RUN = ("run", "ridge-coercive", "fedavg", "--N", 2, "--K", 2, "--T", 5, "--lanes", 3)
SMALL = """
title = "small"
seed = 7
replicates = 4
points = 8

[[experiment]]
id = "ridges"
title = "ridges"
problems = ["ridge-coercive"]
N = [4]
K = [3]
T = [24]
tuning = 2
widen = 0

[[experiment.entrant]]
method = "fedavg"
hyper = { eta = [0.05, 0.1] }

[[experiment.entrant]]
method = "scaffold"
hyper = { eta = [0.05, 0.1] }
"""
ASKED = """
[[assertion]]
id = "one"
paper = "momentum-fl"
lines = "1"
title = "control beats none"
says = "control is better."
ask = [{ kind = "better", experiment = "ridges", of = ["scaffold"], than = ["fedavg"] }]
"""


def test_values_with_commas_are_run_one_after_the_other(capsys):
    """Each run is that of its own value; a schedule and a decay reach the engine."""
    problem = load_problem("ridge-coercive", N=2)
    out = parsed(capsys, *RUN, "--set", "eta=0.05,0.1", "--schedule", "eta=0.9^t", "--weight-decay", 0.1)
    assert [run["set"] for run in out["runs"]] == [{"eta": 0.05}, {"eta": 0.1}]
    for run in out["runs"]:
        method = METHODS["fedavg"](eta=run["set"]["eta"])
        own = simulate(problem, method, K=2, T=5, lanes=3, schedule={"eta": "0.9^t"}, weight_decay=0.1)
        assert run["metrics"][0]["mean"] == pytest.approx(own.average("server_gradient").mean(), rel=1e-12)
    code, text, _ = called(capsys, *RUN, "--set", "eta=0.05,0.1", "--set", "gamma=1,2")
    assert code == 0
    assert text.count("server_gradient") == 4


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--set", "eta=0.1,", "name=v1,v2"),
        ("--set", "eta=0.1,0.1", "every value once"),
        ("--schedule", "eta", "name=law"),
        ("--schedule", "eta=cosine", "0.99^t"),
        ("--schedule", "beta=0.9^t", "one of eta, gamma"),
        ("--weight-decay", "-1", "a number >= 0"),
    ],
)
def test_a_mistake_is_one_line(capsys, option, value, words):
    """The option, the value and what is legal."""
    given = (option, value) if option == "--set" else ("--set", "eta=0.1", f"{option}={value}")
    code, _, err = called(capsys, *RUN, *given)
    assert code == 2
    assert words in err
    assert err.count("\n") == 1


def test_a_sweep_of_experiments_prints_scores_or_verdicts(capsys, tmp_path):
    """Without assertions the scores of entrants, with them the verdicts; tables and the summary are written."""
    (tmp_path / "a.toml").write_text(SMALL)
    (tmp_path / "b.toml").write_text(SMALL + ASKED)
    common = ("--store", tmp_path / "store", "--workers", 1)
    code, text, err = called(capsys, "sweep", tmp_path / "a.toml", *common)
    assert code == 0, err
    assert "scaffold" in text
    assert "eta = 0." in text
    files = {name: tmp_path / name for name in ("answers.csv", "scores.csv", "summary.json")}
    code, text, err = called(
        capsys,
        "sweep",
        tmp_path / "b.toml",
        *common,
        "--answers",
        files["answers.csv"],
        "--scores",
        files["scores.csv"],
        "--summary",
        files["summary.json"],
    )
    assert code == 0, err
    assert "control beats none" in text
    assert set(json.loads(files["summary.json"].read_text())["one"]) == {
        "paper",
        "lines",
        "title",
        "verdict",
        "yes",
        "open",
        "no",
        "controls",
        "failed",
        "needed",
        "edges",
        "same",
        "where",
    }
    assert files["answers.csv"].read_text().startswith("assertion,readout,share,kind")
    assert len(files["scores.csv"].read_text().splitlines()) == 1 + 2 * 3
    assert "short form" not in text
    code, text, _ = called(capsys, "sweep", tmp_path / "a.toml", *common, "--quick", "--set", "eta=0.1")
    assert code == 0
    assert "0.05" not in text.split("tuned values")[1]
    assert "This is the short form" in text


def test_a_dry_run_counts_the_cells_of_tuning(capsys, tmp_path):
    """Two entrants with two values each: four cells, and those that decide are named after tuning."""
    (tmp_path / "a.toml").write_text(SMALL)
    out = parsed(capsys, "sweep", tmp_path / "a.toml", "--store", tmp_path / "store", "--dry-run")
    assert out["missing"] == 4
