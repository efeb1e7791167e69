"""The share of a sweep's work that is done, when bundles take a fixed time and a rate of their method."""

import pytest

from boundcheck.cli.progress import Clock
from boundcheck.engine.setting import Setting
from boundcheck.metrics import metric_of
from boundcheck.sweep.bundles import cost
from boundcheck.sweep.cells import Cell
from boundcheck.sweep.forecast import Forecast


def bundle(method, T):
    """Return a bundle of one cell."""
    setting = Setting(N=4, S=4, K=2, T=T)
    return [Cell("ridge-ratio", (), setting, method, (("eta", 0.1),), (metric_of("server_gradient"),), 0, 8, 4)]


def test_a_share_is_that_of_the_seconds_once_every_method_was_seen():
    """Two methods with rates a factor 30 apart, and 0.1 s a bundle: after one of each, shares are the clock's."""
    rates = {"fedavg": 1e-7, "scaffold": 3e-6}
    bundles = [bundle(method, T) for T in (2000, 500, 4, 4, 4) for method in rates]
    took = [0.1 + rates[b[0].method] * cost(b) for b in bundles]
    short = [i for i, b in enumerate(bundles) if b[0].setting.T == 4]
    forecast, spent = Forecast.of(bundles), 0.0
    order = [short[0], *(i for i in range(len(bundles)) if i != short[0])]
    for count, i in enumerate(order, 1):
        share = forecast.finished(bundles[i], took[i])
        spent += took[i]
        if count >= 3:
            assert share == pytest.approx(spent / sum(took), rel=0.02)
    assert share == 1.0


def test_a_new_stage_has_a_clock_of_its_own(monkeypatch):
    """Half after 100 s leaves 100 s; then a stage that is at a tenth after 1 s leaves 9 s, not 909."""
    now = iter([100.0, 200.0, 201.0])
    monkeypatch.setattr("boundcheck.cli.progress.time.monotonic", lambda: next(now))
    clock = Clock(0.0, 0.0)
    assert clock.left(0.5) == pytest.approx(100.0)
    assert clock.left(1.0) == 0.0
    assert clock.left(0.1) == pytest.approx(9.0)
