"""PEPit as a referee: every client's own Gram matrix, methods written out by hand."""

import pytest
from worst_methods import method

from boundcheck.worst import worst

pytestmark = pytest.mark.slow

ETA, GAMMA, BETA, L = 0.3, 0.7, 0.6, 1.0


def fedavg(x, clients, mean, K, T):
    """Yield the server iterates of FedAvg."""
    for _ in range(T):
        yield x
        ends = []
        for f in clients:
            y = x
            for _ in range(K):
                y = y - ETA * f.gradient(y)
            ends.append(y)
        x = x + GAMMA * (mean(ends) - x)


def fedavg_m(x, clients, mean, K, T):
    """Yield the server iterates of FedAvg-M."""
    g = 0.0 * x
    for _ in range(T):
        yield x
        ends = []
        for f in clients:
            y = x
            for _ in range(K):
                y = y - ETA * (BETA * f.gradient(y) + (1 - BETA) * g)
            ends.append(y)
        g = (x - mean(ends)) * (1 / (ETA * K))
        x = x - GAMMA * g


def scaffold(x, clients, mean, K, T):
    """Yield the server iterates of SCAFFOLD with option II, from exact control variates."""
    c_i = [f.gradient(x) for f in clients]
    for _ in range(T):
        yield x
        c = mean(c_i)
        ends = []
        for i, f in enumerate(clients):
            y = x
            for _ in range(K):
                y = y - ETA * (f.gradient(y) - c_i[i] + c)
            ends.append(y)
        c_i = [own - c + (x - y) * (1 / (K * ETA)) for own, y in zip(c_i, ends, strict=True)]
        x = x + GAMMA * (mean(ends) - x)


def by_pepit(run, *, N, K, T, zeta=None, G_0=None):
    """Return the worst average of |grad F(x_t)|^2 that PEPit finds."""
    from PEPit import PEP
    from PEPit.functions import SmoothFunction

    problem = PEP()
    clients = [problem.declare_function(SmoothFunction, L=L, reuse_gradient=True) for _ in range(N)]

    def mean(points):
        return sum(points[1:], points[0]) * (1 / N)

    x0 = problem.set_initial_point()
    squares = []
    for x in run(x0, clients, mean, K, T):
        gradients = [f.gradient(x) for f in clients]
        g, value = mean(gradients), mean([f(x) for f in clients])
        problem.add_constraint(g**2 / (2 * L) <= value)
        if zeta is not None:
            problem.add_constraint(mean([(own - g) ** 2 for own in gradients]) <= zeta**2)
        if not squares:
            problem.set_initial_condition(value <= 1)
            if G_0 is not None:
                problem.set_initial_condition(mean([own**2 for own in gradients]) <= G_0)
        squares.append(g**2)
    problem.set_performance_metric(sum(squares[1:], squares[0]) * (1 / T))
    return problem.solve(wrapper="cvxpy", solver="CLARABEL", verbose=0)


RUNS = {
    "fedavg": (fedavg, {"eta": ETA, "gamma": GAMMA}),
    "fedavg-m": (fedavg_m, {"eta": ETA, "gamma": GAMMA, "beta": BETA}),
    "scaffold": (scaffold, {"eta": ETA, "gamma": GAMMA}),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize(
    ("N", "K", "T", "constants"),
    [(2, 1, 2, {"zeta": 1.0}), (2, 2, 2, {"zeta": 1.0}), (3, 2, 1, {"zeta": 1.0}), (2, 2, 2, {"G_0": 3.0})],
)
def test_pepit_agrees(name, N, K, T, constants):
    """Both programmes have the same value, to 1e-5."""
    run, hyper = RUNS[name]
    ours = worst(method(name, **hyper), K=K, T=T, N=N, **constants)
    assert ours.upper == pytest.approx(by_pepit(run, N=N, K=K, T=T, **constants), rel=1e-5)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("N", [2, 3])
def test_pepit_agrees_on_the_noise_of_local_steps(N):
    """Noise is orthogonal to what does not depend on it: older points, and other clients until they are averaged."""
    K, sigma = 2, 0.8
    ours = worst(method("fedavg", eta=ETA, gamma=1.0), K=K, T=2, N=N, zeta=1.0, sigma=sigma)
    assert ours.upper == pytest.approx(_noisy_pepit(N, K, sigma), rel=1e-5)


def _noisy_pepit(N, K, sigma):
    """Return the worst average of |grad F|^2 at x_0 and x_1 for one round of FedAvg with noise."""
    from PEPit import PEP, Point
    from PEPit.functions import SmoothFunction

    problem = PEP()
    clients = [problem.declare_function(SmoothFunction, L=L, reuse_gradient=True) for _ in range(N)]
    x0 = problem.set_initial_point()
    problem.set_initial_condition(sum(f(x0) for f in clients) * (1 / N) <= 1)
    ends, noises, rows = [], [], []
    for i, f in enumerate(clients):
        y = x0
        for k in range(K):
            g, n = f.gradient(y), Point()
            rows.append((i, k, g))
            noises.append((i, k, n))
            problem.add_constraint(n**2 <= sigma**2)
            y = y - ETA * (g + n)
        ends.append(y)
    for i, k, n in noises:
        older = [g for j, l, g in rows if j != i or l <= k] + [m for j, l, m in noises if (j, l) < (i, k)]
        for v in older:
            problem.add_constraint(n * v == 0)
    squares = []
    # The second round's points have no noise of their own in them yet.
    for x in (x0, sum(ends[1:], ends[0]) * (1 / N)):
        gradients = [f.gradient(x) for f in clients]
        g = sum(gradients[1:], gradients[0]) * (1 / N)
        problem.add_constraint(g**2 / (2 * L) <= sum(f(x) for f in clients) * (1 / N))
        problem.add_constraint(sum((own - g) ** 2 for own in gradients) * (1 / N) <= 1)
        squares.append(g**2)
    problem.set_performance_metric((squares[0] + squares[1]) * 0.5)
    return problem.solve(wrapper="cvxpy", solver="CLARABEL", verbose=0)
