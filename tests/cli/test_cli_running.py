"""Before work: predictions, sizes and paths."""

import contextlib

import pytest
from cli_calls import called, parsed

from boundcheck.cli.shared import running
from boundcheck.engine.backends import has_jax

RECIPE = """
title = "t"
replicates = 4
[[study]]
id = "s"
title = "s"
problem = "ridge-ratio"
parameters = { d = 4 }
bounds = ["momentum-fl.theorem11"]
N = [2, 3]
K = [2]
T = [5, 10]
[[study.compare]]
method = "fedavg"
hyper = { eta = 0.1 }
"""


@pytest.fixture
def recipe(tmp_path, monkeypatch):
    """Write a recipe of eight cells into the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.toml").write_text(RECIPE)
    return tmp_path / "boundcheck-results"


def test_a_dry_run_counts_and_runs_nothing(recipe, capsys):
    """Eight cells, none of which is then in the store; after a sweep none is missing."""
    first = parsed(capsys, "sweep", "r.toml", "--dry-run")
    assert (first["cells"], first["missing"]) == (8, 8)
    assert first["seconds"] > 0
    assert first["megabytes"] >= 150
    assert not recipe.exists()
    assert called(capsys, "sweep", "r.toml", "--workers", 1)[0] == 0
    second = parsed(capsys, "sweep", "r.toml", "--dry-run")
    assert (second["cells"], second["missing"], second["seconds"]) == (8, 0, 0)
    code, out, _ = called(capsys, "report", "r.toml", "--dry-run")
    assert code == 0
    assert "8, of which 0 would run now" in out


def test_many_cells_are_told_of_before_they_run(recipe, capsys, monkeypatch):
    """How many, where they are kept, and that a second run goes on: once, before progress, and of what is missing."""
    monkeypatch.setattr(running, "_MANY", 8)
    _, _, all_of_them = called(capsys, "sweep", "r.toml", "--workers", 1)
    assert all_of_them.startswith("r.toml: 8 cells to run; each is kept in boundcheck-results when it is done")
    assert all_of_them.count("to run") == 1
    next(recipe.glob("*.npz")).unlink()
    _, _, one_missing = called(capsys, "sweep", "r.toml", "--workers", 1)
    assert "to run" not in one_missing


def test_predicted_time_grows_with_the_work(recipe, capsys):
    """A thousand times the rounds take at least ten times the time, whatever the clock says."""
    from pathlib import Path

    short = parsed(capsys, "sweep", "r.toml", "--dry-run")["seconds"]
    Path("long.toml").write_text(RECIPE.replace("[5, 10]", "[5000, 10000]"))
    assert parsed(capsys, "sweep", "long.toml", "--dry-run")["seconds"] > 10 * short


@pytest.mark.parametrize("command", ["sweep", "report"])
def test_a_large_recipe_needs_yes(command, recipe, capsys, monkeypatch):
    """Above the stated size nothing runs unasked, not even a prediction of every cell."""
    monkeypatch.setattr(running, "ASKED", 7)
    code, out, err = called(capsys, command, "r.toml")
    assert (code, out) == (2, "")
    assert "r.toml: cells = 8 is not legal: at most 7 cells without --yes" in err
    assert called(capsys, command, "r.toml", "--yes", "--dry-run")[0] == 0


@pytest.mark.skipif(not has_jax(), reason="the extra jax is not installed")
def test_run_on_either_backend(capsys):
    """The averages agree to rounding, and each answer says what computed it; float32 is JAX's alone."""
    arguments = ("run", "ridge-ratio", "fedavg", "--N", 4, "--K", 2, "--T", 5, "--set", "eta=0.1", "--lanes", 2)
    plain = parsed(capsys, *arguments)
    compiled = parsed(capsys, *arguments, "--backend", "jax")
    assert plain["backend"] == "numpy"
    assert compiled["backend"].startswith("jax ")
    assert plain["metrics"][0]["mean"] == pytest.approx(compiled["metrics"][0]["mean"], rel=1e-12)
    code, _, err = called(capsys, *arguments, "--dtype", "float32")
    assert (code, err) == (2, "boundcheck: dtype = 'float32' is not legal: float64 with backend = 'numpy'\n")


def test_long_work_says_how_long_it_took(tmp_path, monkeypatch, capsys):
    """From a minute on; what is found in the store says nothing."""
    from boundcheck.sweep import load_recipe, with_assertions

    recipe = with_assertions(load_recipe("experiments"), ["gradma-33"])
    now = iter([10.0, 10.0 + 754.2, 800.0, 859.4])
    monkeypatch.setattr("boundcheck.sweep.run_and_collect", lambda *_, **__: [])
    monkeypatch.setattr(running.time, "monotonic", lambda: next(now))
    monkeypatch.setattr("boundcheck.cli.terminal.progress.work", lambda _: contextlib.nullcontext())
    plan = running.RunPlan(store=tmp_path)
    assert running.sweep_recipe(recipe, "experiments", plan) == []
    assert capsys.readouterr().err == "experiments: ran for 12 min 34 s\n"
    assert running.sweep_recipe(recipe, "experiments", plan) == []
    assert capsys.readouterr().err == ""
