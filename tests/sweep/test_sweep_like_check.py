"""A sweep judges a cell like `check` does: it enumerates, stops at what is no number, and sees every coin."""

import numpy as np
import pytest
from sweep_recipes import written

from boundcheck import check, load_problem
from boundcheck.errors import InputError
from boundcheck.problems.synthetic.quadratic import Quadratic
from boundcheck.sweep import Store, collect, load_recipe, run_sweep
from boundcheck.sweep.cells.points import study_settings

TEXT = """
title = "like check"
seed = 3
replicates = 4
paths = {paths}

[[study]]
id = "a"
title = "a"
problem = "{problem}"
bounds = ["momentum-fl.theorem11"]
N = [{N}]
K = [1]
T = [6, 8]
{compare}
"""
NAME = "momentum-fl.theorem11"


def recipe(folder, problem="quadratic-tilt", N=2, paths=4096, method="", hyper=""):
    compare = f'[[study.compare]]\nmethod = "{method}"\nhyper = {{ {hyper} }}' if method else ""
    return load_recipe(written(folder, TEXT.format(problem=problem, N=N, paths=paths, compare=compare)))


def last(chosen, folder):
    """Run a recipe and return its last grid point."""
    run_sweep(chosen, Store(folder / "store"), workers=1)
    return collect(chosen, Store(folder / "store"))[0].points[-1]


@pytest.mark.parametrize(("paths", "runs"), [(4096, 256), (0, 4)])
def test_short_runs_are_enumerated(paths, runs, tmp_path):
    """One client with signs in one dimension has 2^8 paths at T = 8; with `paths = 0` four replicates are judged."""
    found = last(recipe(tmp_path, "momentum-fl-e2", N=1, paths=paths), tmp_path).verdicts[NAME]
    problem, settings = load_problem("momentum-fl-e2", N=1), {"replicates": 4, "budget": 4, "seed": 3, "alpha": 0.025}
    alone = check(NAME, problem, K=1, T=8, paths=paths, **settings)
    assert (found.how, found.verdict, found.reason) == (alone.how, alone.verdict, alone.reason)
    assert (found.measured, found.replicates) == (alone.measured, runs)
    assert (found.how == "enumerated") == (paths > 0)


def test_a_broken_gradient_stops_a_sweep(tmp_path, monkeypatch):
    """A gradient that is no number at a finite point is an error that names client and point, as in `check`."""
    whole = Quadratic.exact_gradient

    def broken(self, x, clients=None):
        return np.where(np.abs(x) < 1.0, np.nan, whole(self, x, clients))

    monkeypatch.setattr(Quadratic, "exact_gradient", broken)
    words = r"gradient of client \d at x = .* is not finite; finite numbers are legal"
    chosen = recipe(tmp_path, method="fedavg", hyper="eta = 0.5")
    with pytest.raises(InputError, match=words):
        run_sweep(chosen, Store(tmp_path / "store"), workers=1)
    with pytest.raises(InputError, match=words):
        check(NAME, load_problem("quadratic-tilt", N=2), K=1, T=8)


def test_divergence_is_no_error(tmp_path):
    """A step far too long runs away through finite points: that is measured."""
    found = last(recipe(tmp_path, method="fedavg", hyper="eta = 1e45"), tmp_path)
    assert np.isinf(found.compared["fedavg"].final("server_gradient")).all()


@pytest.mark.parametrize(
    ("method", "hyper", "runs"),
    [("fedavg", "eta = 0.05", 1), ("fedpd", "eta = 0.05, eta_pd = 1.0, skip = 0.5", 4)],
)
def test_coins_of_a_compared_method_have_their_replicates(method, hyper, runs, tmp_path):
    """Without noise the prescribed method has one run, FedAvg too; FedPD skips rounds by a coin: its runs differ."""
    chosen = recipe(tmp_path, method=method, hyper=hyper)
    assert {p.cell.replicates for p in study_settings(chosen)} == {1}
    found = last(chosen, tmp_path).compared[method].final("server_gradient")
    assert len(found) == runs
    assert len(set(found)) > 1 or runs == 1
