"""The share of a sweep's work that is done, when bundles take a fixed time and a rate of their method."""

import dataclasses
import math
import re
import sys
import types

import pytest
from sweep_recipes import written

from boundcheck.cli.terminal.progress import Clock
from boundcheck.engine.setting import Setting
from boundcheck.errors import InputError
from boundcheck.methods import METHODS
from boundcheck.metrics import metric_of
from boundcheck.sweep import Store, load_recipe, run_sweep
from boundcheck.sweep.cells.bundles import cost, run_bundle
from boundcheck.sweep.cells.cells import Cell
from boundcheck.sweep.run import memory
from boundcheck.sweep.run.estimate import estimate_if_long
from boundcheck.sweep.run.forecast import Forecast, in_order
from boundcheck.sweep.run.pricing import _FILE, Price, _measure_rounds, price_bundles

MIXED = """
title = "mixed"
seed = 3
replicates = 4
points = 4

[[study]]
id = "ridge"
title = "FedAvg-M, FedAvg"
problem = "ridge-ratio"
parameters = { d = 4, sigma = [0.5, 1.0] }
bounds = ["momentum-fl.theorem11"]
N = [2, 4]
K = [1, 4]
T = [8, 32, 128]
compare = [{ method = "fedavg", hyper = { eta = 0.05 } }]

[[study]]
id = "moments"
title = "FedLALR"
problem = "ridge-log"
parameters = { d = 4, sigma = [1.0, 4.0] }
bounds = ["fedlalr.theorem1R"]
N = [2, 4]
K = [2]
T = [32, 128]
compare = [{ method = "gradma", hyper = { eta = 0.05, beta = 0.5, beta_mem = 0.5 } }]

[[study]]
id = "saddle"
title = "FMGDA"
problem = "ncsc-p1"
bounds = ["fmgda.theorem1R"]
N = [2, 4]
K = [2, 4]
T = [8, 32, 64]
"""
"""Kinds whose units of `cost` take very different numbers of calls, on arrays so small that calls are what counts."""


def bundle(method, T):
    """Return a bundle of one cell."""
    setting = Setting(N=4, S=4, K=2, T=T)
    return [Cell("ridge-ratio", (), setting, method, (("eta", 0.1),), (metric_of("server_gradient"),), 0, 8, 4)]


@pytest.mark.parametrize("fixed", [{"fedavg": 0.1, "scaffold": 0.1}, {"fedavg": 0.001, "scaffold": 0.15}], ids=str)
def test_a_share_is_that_of_the_seconds_once_every_method_was_seen(fixed):
    """Two methods with rates a factor 30 apart, and a time a bundle: after one of each, shares are the clock's."""
    rates = {"fedavg": 1e-8, "scaffold": 3e-7}
    bundles = in_order(bundle(method, T) for T in (2000, 500, *[1] * 20) for method in rates)
    took = [fixed[b[0].method] + rates[b[0].method] * cost(b) for b in bundles]
    forecast, spent = Forecast.of(bundles), 0.0
    for count, (one, seconds) in enumerate(zip(bundles, took, strict=True), 1):
        share = forecast.learn(one, seconds)
        spent += seconds
        if count >= 4:
            assert share == pytest.approx(spent / sum(took), rel=0.1)
    assert share == 1.0


def test_the_least_bundle_of_every_kind_runs_first():
    """Then the largest ones come first, and each runs once."""
    bundles = [bundle(method, T) for T in (4, 2000, 500) for method in ("fedavg", "scaffold")]
    ordered = [(b[0].method, b[0].setting.T) for b in in_order(bundles)]
    assert sorted(ordered[:2]) == [("fedavg", 4), ("scaffold", 4)]
    assert [T for _, T in ordered[2:]] == [2000, 2000, 500, 500]


def test_the_time_left_of_a_mixed_sweep_is_right_within_30_percent(tmp_path, monkeypatch):
    """Once every kind was seen; the clock counts calls, which neither machine nor neighbours change."""
    calls, told = [0], []

    def counted(*_):
        calls[0] += 1

    def watched(*given):
        before = sys.getprofile()
        sys.setprofile(counted)
        try:
            return run_bundle(*given)
        finally:
            sys.setprofile(before)

    def said(done, cells, share):
        told.append((calls[0], share))

    # The first time problems and methods are made, for which the least horizons do.
    least = written(tmp_path, re.sub(r"T = \[(\d+),.*\]", r"T = [\1]", MIXED), "least.toml")
    run_sweep(load_recipe(least), Store(tmp_path / "first"), workers=1, backend="numpy")
    recipe = load_recipe(written(tmp_path, MIXED))
    monkeypatch.setattr("boundcheck.sweep.run.runner.run_bundle", watched)
    monkeypatch.setattr("boundcheck.sweep.run.runner.time", types.SimpleNamespace(perf_counter=lambda: 1e-6 * calls[0]))
    run_sweep(recipe, Store(tmp_path / "again"), workers=1, backend="numpy", progress=said)
    whole, kinds = told[-1][0], 5
    left = [(spent * (1 - share) / share, whole - spent) for spent, share in told[kinds:-1]]
    assert len(left) > kinds
    assert all(shown == pytest.approx(true, rel=0.3) for shown, true in left)


def test_lanes_cost_until_they_leave():
    """The price of a bundle is the sum over its rounds of what a round takes and of the numbers that are left then."""
    price = Price(start=0.5, round=3.0, number=0.01)
    cells = [*bundle("fedavg", 3), *bundle("fedavg", 7), *bundle("fedavg", 5)]
    size = 8 * 4 * cells[0].make_problem().d
    rounds = sum(3.0 + 0.01 * size * sum(t < cell.setting.T for cell in cells) for t in range(7))
    files = price.seconds(cells) - rounds - 0.5 * 24
    assert files == pytest.approx(3 * _FILE)


def test_bundles_of_a_kind_are_measured_once(monkeypatch):
    """Horizons, clients and steps share a price; another method has its own."""
    asked = []
    monkeypatch.setattr("boundcheck.sweep.run.pricing._clock_run", lambda *given: 1.0)
    monkeypatch.setattr(
        "boundcheck.sweep.run.pricing._price", lambda alike: asked.append(len(alike)) or Price(0, 1e-3, 0)
    )
    found = price_bundles([bundle("fedavg", 5), bundle("fedavg", 9), bundle("scaffold", 5)])
    assert sorted(asked) == [1, 2]
    assert found == pytest.approx([_FILE + 0.005, _FILE + 0.009, _FILE + 0.005])


def test_kinds_that_take_little_are_run_once(monkeypatch):
    """SCAFFOLD takes a thousandth of FedAvg's seconds: its price is that of its one run, FedAvg's is measured."""
    monkeypatch.setattr("boundcheck.sweep.run.pricing._clock_run", lambda cells, problem, rounds: 1e-3 * rounds)
    monkeypatch.setattr("boundcheck.sweep.run.pricing._price", lambda alike: Price(0, 7.0, 0))
    found = price_bundles([bundle("fedavg", 5000), bundle("scaffold", 5), bundle("fedavg", 9)])
    assert found == pytest.approx([_FILE + 35000.0, _FILE + 0.005, _FILE + 63.0])


def test_large_samples_before_the_first_round_are_no_price_of_a_round(monkeypatch):
    """A second before the first round, 0.01 s in each: all of it is long, and a round stays cheap."""
    monkeypatch.setattr("boundcheck.sweep.run.pricing._clock_run", lambda cells, problem, rounds: 1.0 + 0.01 * rounds)
    assert _measure_rounds(bundle("fedavg", 400)) == pytest.approx((1.0, 0.01))


def test_local_metrics_and_dear_methods_count():
    """A gradient more a step for a metric at local points; the method's own factor from its card."""
    (cell,) = bundle("fedavg", 50)
    local = dataclasses.replace(cell, metrics=(metric_of("local_gradient"),))
    assert cost([local]) == pytest.approx(2 * cost([cell]))
    assert cost(bundle("fedlalr", 50)) == pytest.approx(METHODS["fedlalr"].card.cost * cost([cell]))


def test_a_new_stage_has_a_clock_of_its_own(monkeypatch):
    """Half after 100 s leaves 100 s; then a stage that is at a tenth after 1 s leaves 9 s, not 909."""
    now = iter([100.0, 200.0, 201.0])
    monkeypatch.setattr("boundcheck.cli.terminal.progress.time.monotonic", lambda: next(now))
    clock = Clock(0.0, 0.0)
    assert clock.seconds_left(1, 3, 0.5) == pytest.approx(100.0)
    assert clock.seconds_left(3, 3, 1.0) == 0.0
    assert clock.seconds_left(4, 9, 0.1) == pytest.approx(9.0)


def test_planning_says_nothing_of_what_is_left(monkeypatch):
    """50 s before any work, then half of it in 10 s: 10 s are left, not 60."""
    now = iter([50.0, 60.0])
    monkeypatch.setattr("boundcheck.cli.terminal.progress.time.monotonic", lambda: next(now))
    clock = Clock(0.0, 0.0)
    assert clock.seconds_left(0, 4, 0.0) == math.inf
    assert clock.seconds_left(1, 4, 0.5) == pytest.approx(10.0)


def test_a_share_that_falls_within_a_stage_leaves_the_clock_alone(monkeypatch):
    """What is left turned out to be dearer: 0.7 after 70 s, then 0.5 after 80 s leaves 80 s, not 10."""
    now = iter([70.0, 80.0, 160.0, 170.0])
    monkeypatch.setattr("boundcheck.cli.terminal.progress.time.monotonic", lambda: next(now))
    clock = Clock(0.0, 0.0)
    said = [clock.seconds_left(*told) for told in ((7, 10, 0.7), (8, 10, 0.5), (10, 10, 1.0), (1, 2, 0.5))]
    assert said == pytest.approx([30.0, 80.0, 0.0, 10.0])


def test_a_long_recipe_is_priced_and_a_short_one_is_not(tmp_path, monkeypatch):
    """By counts alone, without a run: what takes a moment has no estimate, which takes as long."""
    monkeypatch.setattr("boundcheck.sweep.run.pricing._price", lambda alike: Price(0.0, 1e-4, 1e-8))
    monkeypatch.setattr("boundcheck.sweep.run.pricing._price_by_one_run", lambda alike: Price(0.0, 1e-4, 1e-8))
    one = MIXED.partition('[[study]]\nid = "moments"')[0]
    short = load_recipe(written(tmp_path, one, "short.toml"))
    long = load_recipe(written(tmp_path, one.replace("T = [8, 32, 128]", "T = [1000000]"), "long.toml"))
    store = Store(tmp_path / "store")
    assert estimate_if_long(short, store, 1) is None
    found = estimate_if_long(long, store, 1)
    assert (found.missing, found.seconds > 100) == (found.cells, True)
    assert found.seconds / 2 <= estimate_if_long(long, store, 2).seconds < found.seconds


def test_more_memory_than_the_machine_has_is_refused_before_anything_runs(tmp_path, monkeypatch):
    """The line says how much, in how many processes, and what would make it less; what fits runs."""
    recipe, store = load_recipe(str(written(tmp_path))), Store(tmp_path / "store")
    monkeypatch.setattr(memory, "machine_megabytes", lambda: 200.0)
    with pytest.raises(
        InputError, match=r"memory = 'about 0.3 GB in 2 processes' .* 0.2 GB .* fewer workers, or replic"
    ):
        run_sweep(recipe, store, workers=2)
    assert not list(store.folder.glob("*.npz"))
    assert run_sweep(recipe, store, workers=1).ran > 0


def test_megabytes_are_those_of_the_largest_bundles_that_run_at_once():
    """Sixteen lanes of 10^6 replicates and 8 points a decade: a number takes eight bytes."""
    small, large = bundle("fedavg", 10), [dataclasses.replace(bundle("fedavg", 10)[0], replicates=10**6)]
    one, two = memory.megabytes_of([small, large]), memory.megabytes_of([small, large], 2)
    points = large[0].points
    assert one == pytest.approx(150 + 8 * (points + 1) * 2, rel=0.05)
    assert 150 < two - one < 151
