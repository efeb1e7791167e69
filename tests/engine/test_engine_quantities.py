"""Quantities of a run: which rounds are replayed with all clients, and what a replay does."""

import numpy as np
import pytest

from boundcheck.engine import simulate
from boundcheck.engine.participation import draw_subset
from boundcheck.engine.quantities import Watch
from boundcheck.engine.recording import RecordingOracle
from boundcheck.engine.rounds import initial_state
from boundcheck.engine.setting import Setting
from boundcheck.methods import METHODS
from boundcheck.problems import load_problem

N, K, T = 4, 3, 5
GRADMA = {
    "gradma": METHODS["gradma"](eta=0.05, gamma=1.0, beta=0.5, beta_mem=0.4),
    "gradma-w": METHODS["gradma-w"](eta=0.05),
}
FEDAVG = METHODS["fedavg"](eta=0.05)


def clients(**more):
    """Return clients that differ, without noise unless that is asked for."""
    return load_problem("ridge-two-phase", N=N, d=2, **{"sigma": 0.0, **more})


def opposed():
    """Return clients whose displacements oppose one another, without noise."""
    return load_problem("ridge-ratio[sigma=0,zeta=4.0,start=0.1]", N=N, d=5)


@pytest.fixture
def replays(monkeypatch):
    """Return a list that grows with every round that a recording oracle begins, the run's own among them."""
    begun = []
    begin = RecordingOracle.begin_round

    def counted(self, x):
        begun.append(self)
        begin(self, x)

    monkeypatch.setattr(RecordingOracle, "begin_round", counted)
    return begun


@pytest.mark.parametrize(
    ("method", "names", "more"),
    [
        (GRADMA["gradma"], ["worker_correction", "server_correction"], {}),
        (GRADMA["gradma-w"], ["worker_correction"], {}),
        (FEDAVG, ["drift_correlation"], {"weight_decay": 0.3}),
    ],
    ids=["gradma", "gradma-w", "fedavg"],
)
def test_a_round_without_chance_is_its_own_replay(method, names, more, replays, monkeypatch):
    """It is not made twice, and says bit for bit what its replay says."""
    asked = {"K": K, "T": T, "lanes": 1, "metrics": [], "quantities": names, **more}
    once = simulate(opposed(), method, **asked)
    assert len(replays) == T
    monkeypatch.setattr(Watch, "_certain", property(lambda _: False, lambda *_: None), raising=False)
    twice = simulate(opposed(), method, **asked)
    assert len(replays) == 3 * T
    for name in names:
        np.testing.assert_array_equal(once.worst[name], twice.worst[name])
        assert once.worst[name].min() > 0


@pytest.mark.parametrize(
    ("problem", "S", "method"),
    [
        (clients(sigma=1.0), N, FEDAVG),
        (clients(), N - 1, FEDAVG),
        (clients(), N, METHODS["fedlomo"](eta=0.05, quantiser="flip-1")),
    ],
    ids=["noise", "idle clients", "coins"],
)
def test_chance_is_replayed(problem, S, method, replays):
    """With minibatches and coins of its own, and all clients."""
    simulate(problem, method, K=K, T=T, S=S, lanes=1, metrics=[], quantities=["drift_correlation"])
    # Coins are seen once they were tossed.
    assert len(replays) >= 2 * T - 1


def test_what_the_server_does_needs_no_replay(replays):
    """The run's own rounds say it, with idle clients too; beside a quantity of clients it is the same."""
    problem, method = opposed(), GRADMA["gradma"]
    setting = {"K": K, "T": T, "S": 2, "lanes": 2, "metrics": []}
    alone = simulate(problem, method, quantities=["server_correction"], **setting).worst
    assert len(replays) == T
    beside = simulate(problem, method, quantities=["server_correction", "worker_correction"], **setting).worst
    assert len(replays) == 3 * T
    np.testing.assert_array_equal(alone["server_correction"], beside["server_correction"])
    assert alone["server_correction"].min() > 0


def test_a_replay_has_the_runs_weight_decay():
    """The correlation after one step, by loops; one of the clients is idle, so that there is a replay."""
    problem, eta, decay = clients(), 0.05, 0.7
    x = problem.start[None, None]
    y = np.repeat(x, N, axis=1)
    y = y - eta * (problem.exact_gradient(y) + decay * y)
    centre = np.repeat(y.mean(axis=1, keepdims=True), N, axis=1)
    errors = (problem.exact_gradient(y) - problem.exact_gradient(centre))[0]
    expected = float(errors.sum(axis=0) @ errors.sum(axis=0) / (errors**2).sum())
    setting = {"K": 2, "T": 1, "S": N - 1, "lanes": 1, "metrics": [], "quantities": ["drift_correlation"]}
    run = simulate(problem, FEDAVG, weight_decay=decay, **setting)
    assert run.worst["drift_correlation"] == pytest.approx([expected], rel=1e-9)
    assert simulate(problem, FEDAVG, **setting).worst["drift_correlation"] != pytest.approx([expected], rel=1e-3)


@pytest.mark.parametrize("name", GRADMA)
def test_what_the_clients_do_in_a_round_is_what_they_do_without_the_server(name):
    """The same local iterates, and the same local models afterwards."""
    problem, method = clients(sigma=1.0), GRADMA[name]
    setting = Setting.of(problem, K=K, T=T, S=2)
    seen = []
    for part in (method.round, method.clients_round):
        oracle = RecordingOracle(problem, setting, seed=3, keys=[setting.key(0)], observers=[], kinds=("points",))
        state = initial_state(method, oracle, 1)
        for _ in range(3):
            oracle.begin_round(state.x)
            before, state = state, method.round(oracle, state)
        oracle.begin_round(before.x)
        ends = part(oracle, before)
        seen.append([*oracle.record.points, ends.own, ends.seen])
    assert len(seen[0]) == K + 2
    for whole, alone in zip(*seen, strict=True):
        np.testing.assert_array_equal(whole, alone)


@pytest.mark.parametrize("S", [1, 2, 5])
def test_clients_are_those_of_the_smallest_words(S):
    """In ascending order, whatever is the fastest way to find them."""
    words = np.random.default_rng(S).integers(0, 2**63, size=(40, 6), dtype=np.uint64)
    expected = [sorted(sorted(range(6), key=lambda i, row=row: row[i])[:S]) for row in words.tolist()]
    assert draw_subset(words, S).tolist() == expected
