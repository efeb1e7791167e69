"""Metrics of whole rounds and of clients' points against closed forms and loops."""

import numpy as np
import pytest
from engine_probes import Bowls, Pair, Scripted, ScriptedPair

from boundcheck.engine import simulate
from boundcheck.errors import NotApplicableError
from boundcheck.methods import METHODS
from boundcheck.problems import load_problem
from boundcheck.problems.base import Problem


class Gap(Pair):
    """`Pair` with Phi."""

    def envelope(self, x):
        """Return |x|^2/2 + (x_1 + x_2)^2/4."""
        a = x[:, 0, :2]
        return 0.5 * (a * a).sum(axis=1) + 0.25 * a.sum(axis=1) ** 2


def f_i(problem, i, x):
    return 0.5 * (x - problem.b[i]) @ problem.A[i] @ (x - problem.b[i])


def g_i(problem, i, x):
    return problem.A[i] @ (x - problem.b[i])


def test_forgetting_is_the_sum_of_the_clients_rises():
    """Quadratics: what the clients lose from x to 0.9 x is known in closed form."""
    problem = Bowls(N=3)
    problem.start = problem.b[0]
    run = simulate(problem, Scripted(), K=2, T=3, lanes=1, metrics=["forgetting", "value"], points=20)
    points = [problem.start * 0.9**t for t in range(4)]
    rises = [
        sum(max(0.0, f_i(problem, i, points[t + 1]) - f_i(problem, i, points[t])) for i in range(3)) for t in range(3)
    ]
    assert min(rises) >= 0 < max(rises)
    assert run.instant["forgetting"][0, -1] == pytest.approx(rises[-1], rel=1e-12)
    assert run.average("forgetting")[0] == pytest.approx(np.mean(rises), rel=1e-12)
    values = [np.mean([f_i(problem, i, x) for i in range(3)]) for x in points[:3]]
    assert run.average("value")[0] == pytest.approx(np.mean(values), rel=1e-12)


@pytest.mark.parametrize("name", ["mlp-digits[data=digits-pooled,width=3]", "softmax-digits"])
def test_forgetting_of_networks_is_of_their_values(name, monkeypatch):
    """A client's values by a loop over its rows, and integrals of its gradients along the step, say the same."""
    problem = load_problem(name, N=4)
    rng = np.random.default_rng(0)
    x = problem.start + rng.normal(size=(2, 1, problem.d))
    values = problem.client_values(problem.everyone_at(x))
    for i in range(4):
        m = problem.sizes[i]
        out = problem.outputs(problem.everyone_at(x))[-1][:, i, :m]
        right = np.take_along_axis(out, problem.labels[i, :m].argmax(axis=1)[None, :, None], axis=2)[..., 0]
        assert values[:, i] == pytest.approx((np.logaddexp.reduce(out, axis=2) - right).mean(axis=1), rel=1e-12)
    assert values.mean(axis=1) == pytest.approx(problem.value(x), rel=1e-12)

    def forgotten():
        run = simulate(problem, METHODS["fedavg"](eta=0.2), K=5, T=6, S=1, lanes=2, metrics=["forgetting"])
        return run.average("forgetting")

    known = forgotten()
    monkeypatch.setattr(type(problem), "client_values", Problem.client_values)
    assert known.min() > 0
    assert known == pytest.approx(forgotten(), rel=1e-3)


def test_estimator_error_of_a_noiseless_step():
    """FedAvg-M with K = 1 and no noise: g - grad f(x) = (1 - beta)(g_old - grad f(x)), g_old = 0 at first."""
    problem, beta = Bowls(N=2), 0.3
    method = METHODS["fedavg-m"](eta=0.1, gamma=0.1, beta=beta)
    run = simulate(problem, method, K=1, T=1, lanes=1, metrics=["estimator_error"])
    g = np.mean([g_i(problem, i, problem.start) for i in range(2)], axis=0)
    assert run.average("estimator_error")[0] == pytest.approx((1 - beta) ** 2 * g @ g, rel=1e-12)


def test_control_error_is_how_stale_the_variates_are():
    """SCAFFOLD with K = 1 and no noise: after a round c_i is grad f_i(x_0), and the server has moved to x_1."""
    problem = Bowls(N=3)
    method = METHODS["scaffold"](eta=0.1)
    end = simulate(problem, method, K=1, T=1, lanes=1).final[0]
    run = simulate(problem, method, K=1, T=2, lanes=1, metrics=["control_error"], points=20)
    stale = [g_i(problem, i, problem.start) - g_i(problem, i, end) for i in range(3)]
    assert run.instant["control_error"][0, -1] == pytest.approx(np.mean([v @ v for v in stale]), rel=1e-10)


def test_second_moments_of_the_clients():
    """FedLALR with beta2 = 0, K = 1: a client's second moment is max(eps^2, g_i^2)."""
    problem, eps = Bowls(N=3), 0.5
    method = METHODS["fedlalr"](eta=0.1, beta2=0.0, eps=eps)
    names = ["second_moment_spread", "second_moment_change"]
    run = simulate(problem, method, K=1, T=1, lanes=1, metrics=names)
    own = np.array([np.maximum(eps**2, g_i(problem, i, problem.start) ** 2) for i in range(3)])
    assert run.average(names[0])[0] == pytest.approx(np.mean(own.std(axis=0) / own.mean(axis=0)), rel=1e-12)
    change = own.mean(axis=0) - eps**2
    assert run.average(names[1])[0] == pytest.approx(np.linalg.norm(change) / (eps**2 * np.sqrt(2)), rel=1e-12)


def test_drift_correlation_by_loops():
    """|sum e_i|^2 / (N sum |e_i|^2) at the scripted points, averaged over two local steps."""
    problem, shift = Bowls(N=3), 0.1
    run = simulate(problem, Scripted(shift=shift), K=2, T=1, lanes=1, metrics=["drift_correlation"])
    shares = []
    for k in range(2):
        ys = [problem.start + (k + 1) * shift * (i + 1) for i in range(3)]
        middle = np.mean(ys, axis=0)
        e = [g_i(problem, i, y) - g_i(problem, i, middle) for i, y in enumerate(ys)]
        shares.append(np.sum(np.sum(e, axis=0) ** 2) / (3 * np.sum(np.square(e))))
    assert run.average("drift_correlation")[0] == pytest.approx(np.mean(shares), rel=1e-12)


def test_dual_gap_in_closed_form():
    """max_y |x|^2/2 + (x_1 + x_2) y - y^2 minus the value at y is (y - (x_1 + x_2)/2)^2."""
    problem = Gap()
    run = simulate(problem, ScriptedPair(), K=1, T=1, lanes=1, metrics=["dual_gap"])
    a, b, y = problem.start
    assert run.average("dual_gap")[0] == pytest.approx((y - (a + b) / 2) ** 2, rel=1e-12)


def test_accuracy_is_the_problems_own():
    """At the start of softmax regression, with all weights 0, the first class is chosen for every row."""
    problem = load_problem("softmax-digits", N=10)
    run = simulate(problem, METHODS["fedavg"](eta=0.1), K=1, T=1, lanes=1, metrics=["accuracy"])
    assert run.average("accuracy")[0] == problem.accuracy(problem.start[None, None])[0]


@pytest.mark.parametrize("name", ["estimator_error", "control_error", "second_moment_spread", "second_moment_change"])
def test_a_metric_names_what_the_method_lacks(name):
    """FedAvg has none of the states that these metrics speak of."""
    with pytest.raises(NotApplicableError, match=f"metric {name} needs .*fedavg has none"):
        simulate(Bowls(), METHODS["fedavg"](eta=0.1), K=1, T=1, lanes=1, metrics=[name])


def test_drift_correlation_needs_everyone_and_accuracy_classes():
    """A part of the clients, or a problem without classes, is refused."""
    with pytest.raises(NotApplicableError, match="1 of 3 take part"):
        simulate(Bowls(), Scripted(), K=1, T=1, S=1, lanes=1, metrics=["drift_correlation"])
    with pytest.raises(NotApplicableError, match="accuracy needs a problem with classes"):
        simulate(Bowls(), Scripted(), K=1, T=1, lanes=1, metrics=["accuracy"])
