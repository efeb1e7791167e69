"""A run on Gram coordinates is the engine's run, and what is not linear is refused by name."""

import numpy as np
import pytest
from worst_methods import LINEAR, method

from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.rounds import initial_state, rounds
from boundcheck.engine.setting import Setting
from boundcheck.errors import InputError, NotApplicableError
from boundcheck.methods import METHODS
from boundcheck.problems.synthetic.quadratic import Quadratic
from boundcheck.worst.gram.oracle import GramOracle
from boundcheck.worst.gram.trace import ORIGIN, trace_method

N, K, T = 3, 3, 3


def clients():
    """Return quadratic clients with curvatures and tilts of their own, without noise."""
    return Quadratic(N=N, d=2, mu=0.4, L=1.6, spread=1.0, zeta=1.0, noise="none", start=1.3)


def realised(trace, problem):
    """Return the iterates (T + 1, d) that a trace stands for on a problem, point by point."""
    basis = np.zeros((N, len(trace.oracle.basis), problem.d))
    basis[:, ORIGIN] = problem.start

    def at(v):
        mean, deviation = v.pad_to(basis.shape[1])
        centre = basis.mean(axis=0)
        return mean @ centre + np.einsum("a,iad->id", deviation, basis - centre)

    for point in trace.oracle.points:
        basis[:, point.gradient] = problem.exact_gradient(at(point.at)[None])[0]
    return np.array([at(x)[0] for x in trace.iterates])


@pytest.mark.parametrize("name", LINEAR)
def test_a_trace_is_the_run_of_the_engine(name):
    """Coefficients times the gradients that a problem has at the points give the iterates of the engine."""
    problem, made = clients(), method(name)
    oracle = LaneOracle(problem, Setting.of(problem, K=K, T=T), seed=0, keys=[(0,)], observers=[])
    run = [step.after.x[0, 0] for step in rounds(made, oracle, initial_state(made, oracle, 1), T)]
    found = realised(trace_method(made, N=N, K=K, T=T), problem)
    assert np.abs(found - [problem.start, *run]).max() <= 1e-12


OTHERS = {
    "fedadam": ({"eta": 0.1, "gamma": 0.1, "tau": 0.1}, "of a vector"),
    "fedpaq": ({"eta": 0.1, "quantiser": "qsgd-2"}, "shape of a vector"),
    "spider": ({"eta": 0.1, "length": 0.1}, "multiply of a vector and a vector"),
    "bvr-l-sgd": ({"eta": 0.1}, "shape of a vector"),
    "storm-adaptive": ({"k": 0.1, "w": 1.0, "c": 1.0}, "multiply of a vector and a vector"),
    "local-sgda": ({"eta_x": 0.1, "eta_y": 0.1}, "minimisation"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_not_linear_is_refused_by_name(name):
    """The message names the method and the operation."""
    steps, operation = OTHERS[name]
    with pytest.raises(NotApplicableError, match=f"method {name}: .*{operation}"):
        trace_method(METHODS[name](**steps), N=2, K=2, T=2)


def test_a_hyperparameter_a_lane_is_refused():
    """A worst case is of one setting."""
    with pytest.raises(InputError, match="fedavg: eta"):
        trace_method(METHODS["fedavg"](eta=np.array([0.1, 0.2])), N=2, K=1, T=1)


@pytest.mark.parametrize("misuse", [lambda v: v * v, lambda v: v + 1.0, lambda v: 1.0 / v, np.abs, lambda v: v.sum()])
def test_only_sums_and_multiples_are_points(misuse):
    """Nothing else can be asked for a gradient, even after sums and multiples."""
    oracle = GramOracle(N=2, K=1)
    x = oracle.server("x_0")
    with pytest.raises(NotApplicableError, match="not "):
        oracle.full(x - 0.5 * misuse(x))


def test_noise_is_known_to_whom_it_belongs():
    """A local step makes a point depend on its client's own noise, the average on everybody's."""
    trace = trace_method(method("fedavg"), N=2, K=2, T=2, noisy=True)
    oracle = trace.oracle
    kinds = [(element.kind, len(element.own), len(element.shared)) for element in oracle.basis]
    assert kinds[:5] == [("server", 0, 0), ("gradient", 0, 0), ("noise", 1, 0), ("gradient", 1, 0), ("noise", 1, 0)]
    assert kinds[5:7] == [("gradient", 0, 2), ("noise", 1, 0)]
    assert kinds[7] == ("gradient", 1, 2)


def test_one_minibatch_has_one_noise():
    """STORM's two gradients on a minibatch share their noise, which cancels in their difference."""
    trace = trace_method(method("storm", a=0.0), N=2, K=2, T=1, noisy=True)
    noises = [k for k, element in enumerate(trace.oracle.basis) if element.kind == "noise"]
    last = trace.iterates[-1].pad_to(len(trace.oracle.basis))
    assert [bool(last[:, k].any()) for k in noises] == [True, False, False]
