"""Left-hand sides at single points: last, least, at the average, and regret; against loops over scripted points."""

from dataclasses import replace

import numpy as np
import pytest
from engine_probes import Bowls, Scripted
from test_engine_metrics import f, grad_f, scripted

from boundcheck.engine import METRICS, simulate
from boundcheck.engine.exact import average_on_paths
from boundcheck.engine.setting import Setting
from boundcheck.errors import NotApplicableError, UnknownNameError
from boundcheck.methods.fedavg import FedAvg
from boundcheck.problems import load_problem

ROUNDS = 7


def lowest(problem):
    return np.linalg.solve(sum(problem.A), sum(a @ b for a, b in zip(problem.A, problem.b, strict=True)))


def expected(name, problem, growth):
    """Return the value of a metric after seven rounds, by loops."""
    servers, locals_ = scripted(problem, 3, 2, ROUNDS, 0.1)
    end, star = 0.9**ROUNDS * problem.start, lowest(problem)
    weights = np.array([(1 + growth) ** (ROUNDS - 1 - t) for t in range(ROUNDS)])
    centre = sum(w * x for w, x in zip(weights, servers, strict=True)) / weights.sum()
    steps = np.mean([np.mean(points, axis=0) for one in locals_ for points in one], axis=0)
    return {
        "final_gradient": lambda: np.sum(grad_f(problem, end) ** 2),
        "best_gradient": lambda: min(np.sum(grad_f(problem, x) ** 2) for x in servers),
        "final_suboptimality": lambda: f(problem, end) - f(problem, star),
        "best_suboptimality": lambda: min(f(problem, x) for x in servers) - f(problem, star),
        "centre_suboptimality": lambda: f(problem, centre) - f(problem, star),
        "local_centre_suboptimality": lambda: f(problem, steps) - f(problem, star),
        "distance": lambda: np.mean([np.sum((x - star) ** 2) for x in servers]),
        "final_distance": lambda: np.sum((end - star) ** 2),
    }[name]()


NAMES = (
    "final_gradient",
    "best_gradient",
    "final_suboptimality",
    "best_suboptimality",
    "centre_suboptimality",
    "local_centre_suboptimality",
    "distance",
    "final_distance",
)


@pytest.mark.parametrize("growth", [0.0, 0.3, -0.4])
@pytest.mark.parametrize("name", NAMES)
def test_a_point_is_measured_where_the_loops_measure_it(name, growth):
    """A growth matters for the centre alone; lanes of other horizons do not matter."""
    problem = Bowls(N=3)
    problem.x_star = lowest(problem)
    metric = replace(METRICS[name], growth=growth if name == "centre_suboptimality" else 0.0)
    run = simulate(problem, Scripted(shift=0.1), K=2, T=[12, ROUNDS], S=3, lanes=2, metrics=[metric], points=6)
    assert run.average(name)[1] == pytest.approx(expected(name, problem, metric.growth), rel=1e-12)


def test_weights_that_grow_with_time_stay_finite():
    """Of z = -0.5 over 5000 rounds the last points carry all the weight: no power overflows."""
    problem = load_problem("quadratic-tilt", N=1, zeta=0.0)
    metric = replace(METRICS["centre_suboptimality"], growth=-0.5)
    run = simulate(problem, FedAvg(eta=1e-3), K=1, T=5000, lanes=1, metrics=[metric])
    x = (1 - 1e-3) ** np.arange(5000)
    centre = float(0.5 ** (4999 - np.arange(5000)) @ x) / 2
    assert run.average(metric.name)[0] == pytest.approx(centre**2 / 2, rel=1e-9)


def test_the_least_of_a_run_that_diverges_is_where_it_has_been():
    """Every round doubles |x|: the least gradient is the first one, the last one is infinite."""
    problem = load_problem("quadratic-tilt", N=1, zeta=0.0)
    names = ("best_gradient", "final_gradient", "centre_suboptimality")
    run = simulate(problem, FedAvg(eta=3.0), K=1, T=5000, lanes=2, metrics=names)
    assert run.average("best_gradient").tolist() == [1.0, 1.0]
    assert run.average("final_gradient").tolist() == [np.inf, np.inf]
    assert run.average("centre_suboptimality").tolist() == [np.inf, np.inf]


def test_paths_measure_the_same_points():
    """The mean over all paths of a noisy run is the mean of the formula, here by the recursion of second moments."""
    problem = load_problem("momentum-fl-e2", N=1)
    sigma, x0 = problem.constant("sigma"), float(problem.start[0])
    y = average_on_paths(problem, FedAvg(eta=0.5), METRICS["final_distance"], Setting.of(problem, K=1, T=4))
    square = x0**2
    for _ in range(4):
        square = 0.25 * square + 0.25 * sigma**2
    assert y.mean() == pytest.approx(square, rel=1e-12)


def test_regret_is_the_sum_of_losses_less_the_best_fixed_point():
    """A method that stands still at 0 pays nothing: its regret is (peak - 2)/3 a round, at whole periods."""
    problem = load_problem("online-cycle", N=2)
    run = simulate(problem, FedAvg(eta=0.0), K=1, T=[3, 30, 31], lanes=3, metrics=["regret"])
    np.testing.assert_allclose(run.average("regret"), [1.0, 10.0, 13.0])


def test_the_loss_of_a_round_is_what_its_gradient_is_of():
    """One plain step a round from 0 with eta = 0.01: 3, -1, -1, 3, ... in this order, at every client."""
    problem = load_problem("online-cycle", N=2)
    run = simulate(problem, FedAvg(eta=0.01), K=1, T=[1, 2, 4], lanes=3, metrics=["regret"])
    np.testing.assert_allclose(run.final[:, 0], [-0.03, -0.02, -0.04])


@pytest.mark.parametrize(("metric", "problem"), [("regret", "ridge-log"), ("distance", "ridge-cosine")])
def test_what_a_problem_does_not_have_is_refused(metric, problem):
    """Losses of a round, and one minimiser."""
    with pytest.raises(NotApplicableError, match=metric):
        simulate(load_problem(problem, N=2), FedAvg(eta=0.1), K=1, T=2, metrics=[metric])


def test_a_metric_that_does_not_exist_is_refused():
    """In the table as by text."""
    with pytest.raises(UnknownNameError, match="unknown metric"):
        METRICS["nothing"]
