"""Sentences without a qualifier, attacked on random points of the range they claim, and beside it, where they fail."""

import re

import numpy as np
import pytest

import boundcheck as bc

POINTS = 48
SMOOTHNESS = 2.2
"""L of the ridges."""


def _ridge(rng):
    sigma = 10 ** rng.uniform(-2, 0.6) if rng.random() < 0.8 else 0.0
    zeta, start = 10 ** rng.uniform(-1, 1.2), rng.uniform(0.5, 5)
    return f"ridge-coercive[sigma={sigma:.4g},zeta={zeta:.4g},start={start:.4g}]"


def _mean(metric, problem, method, steps, **setting):
    run = bc.simulate(problem, method, set_=steps, metric=metric, **setting)
    return float(run.average(metric).mean())


@pytest.mark.slow
def test_momentum_keeps_clients_together():
    """At one common step a smaller weight of the fresh gradient makes their spread smaller; at 0 nothing is left."""
    rng = np.random.default_rng(11)
    for _ in range(POINTS):
        problem, steps = _ridge(rng), {"eta": 10 ** rng.uniform(-2.5, -0.5), "gamma": rng.uniform(0.1, 1.5)}
        setting = {"N": int(rng.choice([2, 5, 10, 20])), "K": int(rng.integers(2, 17)), "T": int(rng.choice([20, 60]))}
        spread = [
            _mean("client_spread", problem, "fedavg-m", steps | {"beta": beta}, lanes=4, **setting)
            for beta in (1.0, 0.3, 0.0)
        ]
        assert spread[1] < 0.5 * spread[0]
        assert spread[2] < 1e-20


@pytest.mark.slow
def test_the_worker_projection_brakes_from_three_local_steps_on():
    """Up to eta L = 0.66 it does at three and more local steps; with two it mostly moves farther: the control."""
    rng = np.random.default_rng(12)

    def moved(K):
        problem, steps = _ridge(rng), {"eta": 10 ** rng.uniform(-2.5, np.log10(0.3))}
        setting = {"N": int(rng.choice([2, 5, 10, 20])), "K": K, "T": int(rng.choice([5, 20, 60])), "lanes": 4}
        return np.divide(*(_mean("drift", problem, method, steps, **setting) for method in ("gradma-w", "fedavg")))

    assert max(moved(int(K)) for K in rng.integers(3, 17, POINTS)) < 1
    assert sum(moved(2) > 1 for _ in range(POINTS)) > POINTS / 3


@pytest.mark.slow
def test_opposed_clients_hold_the_projected_momentum():
    """Without noise GradMA-S stays where |grad f|^2 = 1/4, whatever its steps; FedAvg with momentum leaves."""
    rng, left = np.random.default_rng(13), 0
    for _ in range(POINTS):
        steps = {"eta": 10 ** rng.uniform(-3, 0), "beta": rng.uniform(0, 0.95)}
        setting = {"N": 2, "K": int(rng.integers(1, 9)), "T": int(rng.choice([20, 200])), "lanes": 1}
        problem = "gradma-e3[noise=signs,sigma=0.0]"
        held = _mean("server_gradient", problem, "gradma-s", steps | {"beta_mem": rng.uniform(0.05, 0.95)}, **setting)
        assert held == pytest.approx(0.25, abs=1e-12)
        left += _mean("server_gradient", problem, "fedavg-server-m", steps, **setting) < 0.24
    assert left > POINTS / 2


@pytest.mark.slow
def test_the_lemma_of_gradma_says_nothing_from_two_local_steps_on():
    """Within its condition 8 eps_l^2 alone exceeds the average of |grad f|^2; the control, K = 1, has eps_l = 0."""
    rng = np.random.default_rng(14)
    for K in rng.integers(2, 9, POINTS):
        N = int(rng.choice([2, 4, 8, 16]))
        asked = {"N": N, "S": int(rng.integers(1, N + 1)), "T": int(rng.choice([10, 40])), "lanes": 4}
        asked |= {"set_": {"eta": 10 ** rng.uniform(-2, 0) / (np.sqrt(320) * K * SMOOTHNESS), "gamma": 1.0}}
        asked |= {"metric": "server_gradient", "quantities": ["worker_correction"]}
        ridge = re.sub("sigma=[^,]*", "sigma=0.0", _ridge(rng))
        more, one = (bc.simulate(ridge, "gradma-w", K=local, **asked) for local in (int(K), 1))
        assert (8 * more.worst["worker_correction"] ** 2 > more.average("server_gradient")).all()
        assert (8 * one.worst["worker_correction"] ** 2 < 1e-9 * one.average("server_gradient")).all()


def _saved(sigma, rng):
    """Return FMGDA's average with ten local steps over that with one, h tuned for both."""
    zeta, start = 10 ** rng.uniform(-1, 1.5), rng.uniform(0.5, 4)
    problem = f"ncsc-p1[sigma={sigma:.4g},zeta_pair={zeta:.4g},start={start:.4g}]"
    fixed = {"chat": 0.3, "c_dual": 1.0, "c1": 0.3, "t_flat": 8.0, "B": 16}
    setting = {"N": int(rng.choice([2, 4, 8])), "T": int(rng.choice([30, 60, 100])), "lanes": 8}

    def best(K):
        steps = [fixed | {"h": h} for h in (0.03, 0.1, 0.3, 0.6, 1.2)]
        return np.nanmin([_mean("envelope_gradient", problem, "fmgda", one, K=K, **setting) for one in steps])

    return best(10) / best(1)


@pytest.mark.slow
def test_ten_local_steps_save_rounds_up_to_a_noise():
    """They do up to sigma = 2.5; from sigma = 4 on mostly less is saved, and nothing in some."""
    rng = np.random.default_rng(15)
    saved = [_saved(10 ** rng.uniform(-1, np.log10(2.5)), rng) for _ in range(POINTS)]
    assert max(saved) < 1
    loud = [_saved(rng.uniform(4, 5), rng) for _ in range(8)]
    assert max(loud) > 1 > 0.5 > np.median(saved)


@pytest.mark.slow
def test_momentum_loses_nowhere_to_the_method_that_it_contains():
    """FedAvg-M, tuned at FedAvg's points too (beta = 1, gamma K eta for gamma); the control, other points, loses."""
    rng, setting, lost = np.random.default_rng(21), {"N": 5, "K": 4, "T": 40}, {True: [], False: []}
    plain = [{"eta": eta, "gamma": gamma} for eta in (0.02, 0.06, 0.2) for gamma in (0.5, 1.0, 2.0)]
    for point in range(POINTS):
        ridge = _ridge(rng)

        def tuned(method, grid, ridge=ridge, seed=point):
            scores = [_mean("server_gradient", ridge, method, one, lanes=8, seed=999, **setting) for one in grid]
            return _mean("server_gradient", ridge, method, grid[np.argmin(scores)], lanes=16, seed=seed, **setting)

        least = tuned("fedavg", plain)
        for shared, points in lost.items():
            unit = [setting["K"] * one["eta"] if shared else 1.0 for one in plain]
            same = [one | {"gamma": one["gamma"] * by} for one, by in zip(plain, unit, strict=True)]
            grid = [one | {"beta": beta} for one in same for beta in (0.3, 0.6, 1.0)]
            points.append(tuned("fedavg-m", grid) / least)
    assert max(lost[True]) < 1.01
    assert max(lost[False]) > 1.05
