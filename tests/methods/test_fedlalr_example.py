"""FedLALR (arXiv 2309.09719): a trajectory worked out by hand-written scalar code, and the facts P1 to P4.

The numbers are those of a two-client, two-step, two-round run of the paper's Algorithms 1 to 3 on
f_1 = log(1 + (x-1)^2)/2, f_2 = log(1 + (x+1)^2)/2 from x_0 = 2 with step .1, both weights .5, eps .1, computed
independently of the package to twelve digits.
"""

from itertools import pairwise

import numpy as np
import pytest
import straightline
from method_harness import Record, drive, last
from method_problems import PlainRidge, Shifted

from boundcheck.engine import simulate
from boundcheck.methods.fedavg import FedAvg
from boundcheck.methods.fedlalr import FedLALR

STEP = {"eta": 0.1, "beta1": 0.5, "beta2": 0.5, "eps": 0.1}
VARIANTS = {"average": {}, "restart": {"restart": True}, "max": {"sync": "max"}}
FIRST = [
    [(2.0, 2.0), (0.25, 0.15), (0.13, 0.05)],
    [(1.930662475472, 1.932917960675), (0.374355928379, 0.227724202726), (0.189356758035, 0.071649364197)],
]
SECOND = {
    "average": [
        [(1.846238169944,) * 2, (0.397075822347, 0.306888329692), (0.186831045300, 0.130503061116)],
        [(1.754373414721, 1.761286870946), (0.438925200496, 0.313524237854), (0.208987620386, 0.130503061116)],
    ],
    "restart": [
        [(1.846238169944,) * 2, (0.246555789571, 0.156368296916), (0.186831045300, 0.130503061116)],
        [(1.789196703345, 1.802953076769), (0.366432139139, 0.236426034878), (0.211663495744, 0.130503061116)],
    ],
    "max": [
        [(1.846238169944,) * 2, (0.397075822347, 0.306888329692), (0.216257893760, 0.189356758035)],
        [(1.760852014519, 1.775713677589), (0.439482253512, 0.312883886831), (0.224237299089, 0.189356758035)],
    ],
}
END = {
    "average": (1.666429512151, 0.161202162154),
    "restart": (1.723528145551, 0.161454802943),
    "max": (1.685927481257, 0.161283799725),
}


class Watched(Shifted):
    """Keeps every point at which the engine asks for gradients."""

    def __init__(self):
        super().__init__()
        self.points = []

    def gradient(self, x, clients=None, sample=None):
        """Record and pass on."""
        self.points.append(np.array(x[0, :, 0]))
        return super().gradient(x, clients, sample)


@pytest.mark.parametrize("variant", VARIANTS)
def test_worked_example_of_the_package(variant):
    """Points, moments after each round, x_2 and the left-hand side of the theorem are the tabulated digits."""
    problem, rows = Watched(), FIRST + SECOND[variant]
    states = [after for _, after in drive(problem, FedLALR(**STEP, **VARIANTS[variant]), K=2, rounds=2, lanes=1)]
    np.testing.assert_allclose(problem.points, [x for x, _, _ in rows], rtol=0, atol=6e-13)
    combine = max if variant == "max" else np.mean
    for state, (_, m, vh) in zip(states, rows[1::2], strict=True):
        assert state.m.item() == pytest.approx(np.mean(m), abs=1e-12)
        assert state.vh.item() == pytest.approx(combine(vh), abs=1e-12)
    run = simulate(Shifted(), FedLALR(**STEP, **VARIANTS[variant]), K=2, T=2, lanes=1, metrics=("local_gradient",))
    assert run.final.item() == pytest.approx(END[variant][0], abs=6e-13)
    assert run.average("local_gradient").item() == pytest.approx(END[variant][1], abs=6e-13)


@pytest.mark.parametrize("variant", VARIANTS)
def test_worked_example_of_the_straight_line_code(variant):
    """The reference used for the other settings reproduces all 24 tabulated points and moments of each variant."""
    problem = Shifted()
    numbers = {"alpha": 0.1, "beta1": 0.5, "beta2": 0.5, "eps": 0.1}
    path, seen = straightline.fedlalr(
        problem.start,
        lambda r, k, i: lambda x: problem.client(i, x),
        K=2,
        active=[[0, 1], [0, 1]],
        **numbers,
        **VARIANTS[variant],
    )
    steps = [step for log in seen["log"] for step in log["steps"]]
    for step, row in zip(steps, FIRST + SECOND[variant], strict=True):
        for name, pair in zip(("x", "m", "vh"), row, strict=True):
            np.testing.assert_allclose([client[name].item() for client in step], pair, rtol=0, atol=6e-13)
    assert path[-1].item() == pytest.approx(END[variant][0], abs=6e-13)


def ridge(**changed):
    return PlainRidge(**{"N": 4, "d": 3, "zeta": 0.6, "sigma": 0.5, "noise": "signs", **changed})


@pytest.mark.parametrize("variant", VARIANTS)
def test_p1_second_moments_grow_only_where_a_gradient_is_large(variant):
    """P1: Vh grows in a coordinate only if g^2 > Vh there, and never beyond max(Vh, g^2)."""
    problem = ridge()
    record = Record(problem)
    final = simulate(problem, FedLALR(**STEP, **VARIANTS[variant]), K=3, T=5, lanes=1, block=1).final[0]
    numbers = {"alpha": 0.1, "beta1": 0.5, "beta2": 0.5, "eps": 0.1}
    path, seen = straightline.fedlalr(
        problem.start, record.samples(0, 3, 0), K=3, active=record.active(0, 3, 5, 0), **numbers, **VARIANTS[variant]
    )
    np.testing.assert_allclose(final, path[-1], rtol=0, atol=1e-12)
    grown = 0
    for client in (c for log in seen["log"] for step in log["steps"] for c in step):
        square, rose = client["g"] ** 2, client["vh"] > client["vh_before"]
        grown += rose.sum()
        assert (square > client["vh_before"])[rose].all()
        assert (client["vh"] <= np.maximum(client["vh_before"], square) * (1 + 1e-15)).all()
    assert grown > 10


@pytest.mark.parametrize("variant", VARIANTS)
def test_p2_large_eps_freezes_the_second_moment(variant):
    """P2: with eps >= sup |g_j| vh stays eps^2, and with beta1 = 0 the run is FedAvg with local step alpha / eps."""
    problem = ridge()
    eps = problem.constant("G_inf") * 1.001
    method = FedLALR(eta=0.2, beta1=0.0, beta2=0.7, eps=eps, **VARIANTS[variant])
    for _, after in drive(problem, method, K=3, rounds=4):
        np.testing.assert_allclose(after.vh, eps * eps, rtol=1e-15)
    found = last(problem, method, K=3, rounds=4)
    expected = last(problem, FedAvg(eta=0.2 / eps), K=3, rounds=4)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-13)


def test_p2_momentum_version_is_local_momentum_sgd():
    """P2: with frozen vh and beta1 > 0 the run is local EMA-momentum SGD with averaged momentum, step alpha / eps."""
    problem = ridge()
    eps = problem.constant("G_inf") * 1.001
    record = Record(problem)
    run = simulate(problem, FedLALR(eta=0.2, beta1=0.8, beta2=0.7, eps=eps), K=3, T=4, lanes=1, block=1)
    g = record.samples(0, 3, 0)
    x, m = problem.start.copy(), np.zeros(3)
    for r in range(4):
        ends = []
        for i in range(4):
            y, own = x, m
            for k in range(3):
                own = 0.8 * own + 0.2 * g(r, k, i)(y)
                y = y - 0.2 / eps * own
            ends.append((y, own))
        x, m = sum(y for y, _ in ends) / 4, sum(own for _, own in ends) / 4
    np.testing.assert_allclose(run.final[0], x, rtol=0, atol=1e-13)


@pytest.mark.parametrize("sync", ["average", "max"])
def test_p3_one_client_and_one_round_is_amsgrad(sync):
    """P3: N = 1, T = 1 is AMSGrad with v_0 = vh_0 = eps^2; after a synchronisation v restarts from vh."""
    problem = ridge(N=1, zeta=0.0)
    for rounds, resets in ((1, False), (3, True)):
        record = Record(problem := ridge(N=1, zeta=0.0))
        run = simulate(problem, FedLALR(**STEP, sync=sync), K=4, T=rounds, lanes=1, block=1)
        g = record.samples(0, 4, 0)
        x, m, v, top = problem.start, np.zeros(3), np.full(3, 0.01), np.full(3, 0.01)
        for step in range(4 * rounds):
            if resets and step % 4 == 0:
                v = top
            grad = g(step // 4, step % 4, 0)(x)
            m, v = 0.5 * m + 0.5 * grad, 0.5 * v + 0.5 * grad**2
            top = np.maximum(top, v)
            x = x - 0.1 * m / np.sqrt(top)
        np.testing.assert_allclose(run.final[0], x, rtol=0, atol=1e-13)


def test_p4_averaging_may_lower_a_client_but_never_the_mean():
    """P4: vh never decreases from round to round in either synchronisation; only averaging lowers a client's own."""
    for sync in ("average", "max"):
        problem = ridge()
        record = Record(problem)
        run = simulate(problem, FedLALR(**STEP, sync=sync), K=3, T=6, lanes=1, block=1)
        numbers = {"alpha": 0.1, "beta1": 0.5, "beta2": 0.5, "eps": 0.1, "sync": sync}
        g, active = record.samples(0, 3, 0), record.active(0, 3, 6, 0)
        path, seen = straightline.fedlalr(problem.start, g, K=3, active=active, **numbers)
        np.testing.assert_allclose(run.final[0], path[-1], rtol=0, atol=1e-12)
        ends = [np.array([client["vh"] for client in log["steps"][-1]]) for log in seen["log"]]
        synced = [log["vh"] for log in seen["log"]]
        dropped = any((vh < own - 1e-12).any() for vh, own in zip(synced, ends, strict=True))
        assert dropped == (sync == "average")
        states = [after.vh[0, 0] for _, after in drive(ridge(), FedLALR(**STEP, sync=sync), K=3, rounds=6)]
        assert all((b >= a).all() for a, b in pairwise(states))
