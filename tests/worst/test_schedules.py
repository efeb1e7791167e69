"""Steps with the least worst case: published optima of gradient descent, and schedules as methods."""

import numpy as np
import pytest

from boundcheck import METHODS, load_problem, simulate
from boundcheck.errors import InputError, NotApplicableError
from boundcheck.methods.schedule import factor
from boundcheck.methods.scheduled import with_laws
from boundcheck.worst import best_schedule, worst

CONVEX = {"N": 1, "mu": 0.0, "Delta": None, "distance": 1.0, "measure": "value", "prove": False}


@pytest.mark.parametrize(
    ("steps", "value"),
    [
        pytest.param((1.5,), 1 / 8, id="one"),
        pytest.param((np.sqrt(2), 1.876768), 0.065946, id="two", marks=pytest.mark.slow),
        pytest.param((np.sqrt(2), 1 + np.sqrt(2), 1.5), 0.0428932, id="three", marks=pytest.mark.slow),
    ],
)
def test_published_optima_of_convex_gradient_descent_are_found(steps, value):
    """Das Gupta, Van Parys, Ryu, Mathematical Programming 204 (2024): steps, and f(x_T) - f_star over L R^2."""
    found = best_schedule(METHODS["sgd"](eta=1.0), "eta", K=1, T=len(steps), **CONVEX)
    assert found.case.upper == pytest.approx(value, rel=1e-4)
    assert found.steps == pytest.approx(steps, rel=2e-3)
    assert found.constant.upper == pytest.approx(1 / (4 * len(steps) + 2), rel=1e-6)


def test_a_schedule_is_a_method_of_its_own():
    """GD with steps 1/2 and 1 on a parabola of curvature 1: x_1 = x_0/2, x_2 = 0; and the last factor stays."""
    method = with_laws(METHODS["sgd"](eta=0.5), {"eta": "1,2"})
    at_start = worst(method, K=1, T=2, N=1, mu=1.0, distance=1.0, Delta=None, measure="distance").upper
    assert at_start == pytest.approx(0, abs=1e-9)
    assert [factor("1,2,0.5", t) for t in range(5)] == [1, 2, 0.5, 0.5, 0.5]
    problem = load_problem("quadratic-tilt", N=2, sigma=0.0)
    follows, plain = (simulate(problem, m, K=1, T=2) for m in (method, METHODS["sgd"](eta=0.5)))
    assert not np.allclose(follows.final, plain.final)


def test_names_and_lists_that_are_not_legal_are_refused():
    """No hyperparameter of that name, one that is 0, and lists with a hole."""
    with pytest.raises(InputError, match="eta"):
        best_schedule(METHODS["sgd"](eta=0.0), "eta", K=1, T=1, **CONVEX)
    with pytest.raises(InputError, match="beta"):
        best_schedule(METHODS["sgd"](eta=1.0), "beta", K=1, T=1, **CONVEX)
    with pytest.raises(NotApplicableError, match="no worst case is finite"):
        best_schedule(METHODS["fedavg"](eta=0.5), "eta", K=2, T=2)
    for law in ("1,,2", "1,-2", "1,"):
        with pytest.raises(InputError, match="factors of the first rounds"):
            factor(law, 0)
