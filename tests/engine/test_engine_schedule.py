"""Step schedules and weight decay against runs in which the same is written out."""

import numpy as np
import pytest
from engine_probes import Bowls

from boundcheck.engine import simulate
from boundcheck.errors import InputError
from boundcheck.methods import METHODS
from boundcheck.methods.schedule import factor


def descent(problem, steps, decay=0.0):
    """Return gradient descent on f + decay |x|^2/2 with these steps."""
    x = problem.start
    for eta in steps:
        g = np.mean([problem.A[i] @ (x - problem.b[i]) for i in range(problem.N)], axis=0)
        x = x - eta * (g + decay * x)
    return x


@pytest.mark.parametrize(
    ("law", "factors"),
    [("0.9^t", [0.9**t for t in range(7)]), ("(t+1)^-0.5", [(t + 1) ** -0.5 for t in range(7)]), (None, [1.0] * 7)],
)
@pytest.mark.parametrize("decay", [0.0, 0.5])
def test_fedavg_without_noise_is_scheduled_gradient_descent(law, factors, decay):
    """K = 1 and no noise: x <- x - eta_t (grad f(x) + decay x), in blocks that end anywhere."""
    problem = Bowls(N=3)
    given = {"eta": law} if law else None
    method = METHODS["fedavg"](eta=0.3)
    run = simulate(problem, method, K=1, T=[7, 4], lanes=2, schedule=given, weight_decay=decay, points=2)
    for lane, T in enumerate((7, 4)):
        wanted = descent(problem, [0.3 * c for c in factors[:T]], decay)
        np.testing.assert_allclose(run.final[lane], wanted, rtol=1e-12)


def test_weight_decay_is_the_same_for_exact_and_first_gradients():
    """FedGLOMO's exact gradients and SCAFFOLD-M's first ones see the decayed function: one step from a shifted bowl."""
    problem, decay = Bowls(N=2), 0.4
    x = problem.start
    g = np.mean([problem.A[i] @ (x - problem.b[i]) for i in range(2)], axis=0) + decay * x
    for name, numbers in (("fedglomo", {"beta": 0.5}), ("scaffold-m", {"beta": 1.0, "gamma": 0.1})):
        run = simulate(problem, METHODS[name](eta=0.1, **numbers), K=1, T=1, lanes=1, weight_decay=decay)
        np.testing.assert_allclose(run.final[0], x - 0.1 * g, rtol=1e-12)


@pytest.mark.parametrize("law", ["1.5^t", "0^t", "t^-1", "(t+1)^-0", "1-t/0", "1-t/4^2", "cosine", ""])
def test_a_law_that_is_none_is_refused(law):
    """The message says what is legal."""
    with pytest.raises(InputError, match=r"0\.99\^t .* or \(t\+1\)\^-0\.5"):
        factor(law, 3)


def test_a_schedule_names_the_numbers_of_the_method():
    """A name that the method lacks, or one that is no number, is refused, and so is a negative decay."""
    with pytest.raises(InputError, match=r"fedavg: schedule = 'beta' is not legal: .*eta, gamma"):
        simulate(Bowls(), METHODS["fedavg"](eta=0.1), K=1, T=1, schedule={"beta": "0.9^t"})
    with pytest.raises(InputError, match="weight_decay"):
        simulate(Bowls(), METHODS["fedavg"](eta=0.1), K=1, T=1, weight_decay=-1.0)
