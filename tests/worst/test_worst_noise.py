"""Noise: the worst function without it and a parabola along which it lives, measured by the engine path by path."""

import json

import numpy as np
import pytest
from worst_methods import method

from boundcheck.bounds import BOUNDS
from boundcheck.engine.exact import average_on_paths, linear_moments
from boundcheck.engine.setting import Setting
from boundcheck.errors import NotApplicableError
from boundcheck.evidence.search.extreme_candidates import extreme
from boundcheck.evidence.search.extremes import expected_on, tightness
from boundcheck.evidence.slack.waterfall import waterfall
from boundcheck.metrics import METRICS
from boundcheck.problems import certify
from boundcheck.problems.extremal.family import Extremal
from boundcheck.problems.noise.axis import AxisNoise
from boundcheck.problems.synthetic.quadratic import Quadratic
from boundcheck.worst import worst


def on_paths(problem, made, K, T, name="server_gradient"):
    """Return the engine's expectation over all paths of the noise."""
    return average_on_paths(problem, made, METRICS[name], Setting.of(problem, K=K, T=T)).mean()


@pytest.mark.parametrize(("name", "N"), [("fedavg", 2), ("fedavg-m", 2), ("scaffold", 2), ("slowmo", 2), ("storm", 1)])
def test_one_local_step_is_exact(name, N):
    """Both sides agree, and the engine on the function, in expectation over all signs."""
    made = method(name)
    found = worst(made, K=1, T=3, N=N, zeta=1.0, sigma=2.0)
    assert found.exact
    assert on_paths(found.problem, made, 1, 3) == pytest.approx(found.lower, rel=1e-9)
    assert found.problem.constant("sigma") == 2.0
    assert found.problem.constant("Delta") <= 1 + 1e-9


@pytest.mark.parametrize("name", ["fedavg", "scaffold-m", "mime", "fedglomo", "fedavg-m-vr"])
def test_the_engine_measures_the_lower_side(name):
    """Two local steps: the lower side is a run, and the upper side is not below it."""
    made = method(name)
    found = worst(made, K=2, T=2, zeta=1.0, sigma=2.0)
    assert on_paths(found.problem, made, 2, 2) == pytest.approx(found.lower, rel=1e-7)
    assert found.lower <= found.upper
    assert worst(made, K=2, T=2, zeta=1.0).upper <= found.lower * (1 + 1e-6)


def test_drift_and_local_steps_are_measured_too():
    """Deviations of a client's own noise count in the drift, means of all clients in gradients on the way."""
    made = method("fedavg")
    for measure, name in (("drift", "drift"), ("local", "local_gradient")):
        found = worst(made, K=2, T=1, zeta=1.0, sigma=2.0, measure=measure)
        assert on_paths(found.problem, made, 2, 1, name) == pytest.approx(found.lower, rel=1e-9)


@pytest.mark.parametrize(("name", "K", "T"), [("fedavg", 1, 3), ("fedavg-m", 1, 3), ("scaffold-m", 2, 2)])
@pytest.mark.parametrize("sigma", [1.0, 4.0])
def test_the_smallest_gradient_is_measured_too(name, K, T, sigma):
    """The smallest expectation of |grad f(x_t)|^2 over all paths, which is more than without noise."""
    made = method(name)
    found = worst(made, K=K, T=T, zeta=1.0, sigma=sigma, measure="best")
    sums = [t * on_paths(found.problem, made, K, t) for t in range(1, T + 1)]
    assert np.diff([0.0, *sums]).min() == pytest.approx(found.lower, rel=1e-6)
    assert found.lower <= found.upper
    assert worst(made, K=K, T=T, zeta=1.0, measure="best").lower * (1 + 1e-3) < found.lower


def test_noise_along_one_coordinate():
    """All patterns of two clients: mean 0, square sigma^2 along the last coordinate, independent over clients."""
    noise = AxisNoise(3.0, 4)
    every = noise.every(2)
    assert every.shape == (4, 2, 4)
    assert not every[..., :-1].any()
    along = every[..., -1]
    assert along.mean(axis=0) == pytest.approx(0.0)
    assert along.T @ along / 4 == pytest.approx(9.0 * np.eye(2))
    drawn = noise.token(np.array([[6]], dtype=np.uint64), 2, 2)
    assert set(np.abs(drawn[..., -1]).ravel()) <= {0.0, 3.0}


@pytest.mark.slow
def test_a_function_with_noise_is_certified():
    """No constant is exceeded, and exact ones are reached."""
    assert [row.constant for row in certify(Extremal(N=2, which="fedavg", sigma=0.7)) if not row.ok] == []


@pytest.mark.parametrize("sigma", [0.5, 30.0])
def test_the_ladder_measures_what_it_says(sigma):
    """A ratio over the right-hand side is the engine's on the page's problem."""
    bound = BOUNDS["momentum-fl.theorem11"]
    found = extreme(bound, K=1, T=2, N=2, L=3.0, Delta=2.0, sigma=sigma, G_0=4.0)
    assert found.sigma == pytest.approx(sigma * 6**0.5)
    problem = Extremal(N=2, which=json.dumps(found.pieces.table()), sigma=found.sigma)
    assert on_paths(problem, found.at.method, 1, 2) == pytest.approx(found.ratio * found.at.rhs, rel=1e-9)
    assert 0 < found.ratio < 1


def test_the_levels_of_a_noisy_class_are_ordered():
    """Measured, worst case, sharpened, right-hand side at sigma = 1/2; the upper side has a certificate."""
    found = waterfall("momentum-fl.theorem11", K=1, T=3, sigma=0.5, zeta=1.0)
    values = [stage.value for stage in found.stages]
    assert values == sorted(values)
    assert found.stages[1].lower == pytest.approx(values[1], rel=1e-5)
    assert "standard error" in found.stages[0].source


def test_expectations_are_means_of_runs():
    """Within four standard errors of the recursion of means and covariances."""
    problem = Quadratic(N=2, d=2, mu=0.4, L=1.6, spread=1.0, zeta=1.0, noise="signs", sigma=1.0, start=1.3)
    made = method("fedavg")
    mean, error = expected_on(problem, made, K=2, T=4, b=1, measure="average")
    moments = linear_moments(problem, made, K=2, T=5)
    assert abs(mean - moments[:4].mean()) <= 4 * error
    last, error = expected_on(problem, made, K=2, T=4, b=1, measure="last")
    assert abs(last - moments[4]) <= 4 * error
    best, error = expected_on(problem, made, K=2, T=5, b=1, measure="best")
    assert abs(best - moments.min()) <= 4 * error


def test_a_bound_about_exact_gradients_has_no_noise():
    """GradMA's lemma."""
    with pytest.raises(NotApplicableError, match="about exact gradients, not about sigma = 1"):
        tightness("gradma.lemma6-fedavg", K=1, T=2, zeta=1.0, sigma=1.0)
