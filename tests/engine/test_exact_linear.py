"""Exact moments read off from the methods themselves."""

from __future__ import annotations

import importlib
import itertools

import numpy as np
import pytest
from turns import in_turn

from boundcheck.engine.exact.law import Law, propagate
from boundcheck.engine.exact.linear import linear_moments
from boundcheck.engine.exact.moments import fedavg_m_moments, fedavg_moments, scaffold_m_moments
from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.rounds import initial_state, rounds
from boundcheck.engine.setting import Setting
from boundcheck.errors import InputError, NotApplicableError
from boundcheck.methods.central import SPIDER, STORM, AdaptiveSTORM
from boundcheck.methods.control_variates import Scaffold
from boundcheck.methods.fedavg import FedAvg, FedAvgM
from boundcheck.methods.glomo import FedGLOMO, FedLOMO
from boundcheck.methods.memory import MIFA
from boundcheck.methods.momentum_vr import FedAvgMVR, ScaffoldMVR
from boundcheck.methods.recursive import BVRLSGD, STEM
from boundcheck.methods.scaffold import ScaffoldM
from boundcheck.methods.server_adaptive import FedAdam
from boundcheck.problems import load_problem
from boundcheck.problems.synthetic.quadratic import Quadratic

ETA, GAMMA, BETA = 0.3, 0.5, 0.4


def clients(N=2):
    """Parabolas of different curvature, with their curvatures and tilts."""
    problem = Quadratic(N=N, d=1, mu=0.4, L=1.5, spread=1.0, zeta=0.6, sigma=0.7)
    problem.A = np.array([1.5, 0.4, 0.9])[:N, None, None]
    problem.mean_A = problem.A.mean(axis=0)
    return problem, problem.A[:, 0, 0], problem.tilts[:, 0]


@pytest.mark.parametrize("b", [1, 3])
def test_the_moments_are_those_put_together_by_hand(b):
    """FedAvg, FedAvg-M and SCAFFOLD-M agree with the matrices of `boundcheck.engine.exact.moments`, to rounding."""
    problem = Quadratic(N=4, d=3, spread=0.7, zeta=0.8, sigma=1.0)
    pairs = [
        (FedAvg(eta=0.2, gamma=0.6), fedavg_moments(problem, 0.2, 0.6, 3, 6, b=b)),
        (FedAvgM(eta=0.2, gamma=0.3, beta=0.4), fedavg_m_moments(problem, 0.2, 0.3, 0.4, 3, 6, b=b)),
        (ScaffoldM(eta=0.2, gamma=0.3, beta=0.4, B=2), scaffold_m_moments(problem, 0.2, 0.3, 0.4, 3, 6, B=2, b=b)),
    ]
    for method, expected in pairs:
        np.testing.assert_allclose(linear_moments(problem, method, K=3, T=6, b=b), expected, rtol=1e-12)


def test_partial_participation_in_closed_form():
    """With one of three clients and K = 1, E x and E x^2 of FedAvg follow a recursion of two numbers."""
    problem, A, a = clients(3)
    c = GAMMA * ETA
    first, second, expected = 1.0, 1.0, []
    for _ in range(6):
        expected.append(A.mean() ** 2 * second)
        keep = 1 - c * A
        second = (keep**2 * second - 2 * c * a * keep * first + c * c * a * a).mean() + c * c * 0.49
        first = (keep * first - c * a).mean()
    method = FedAvg(eta=ETA, gamma=GAMMA)
    np.testing.assert_allclose(linear_moments(problem, method, K=1, T=6, S=1), expected, rtol=1e-12)


def test_variance_reduction_by_enumeration_of_all_signs():
    """FedAvg-M-VR moments equal the mean over all 2^8 sign patterns of a straight-line run (N = K = 2, T = 2)."""
    problem, A, a = clients()
    signs = 0.7 * np.array(list(itertools.product([-1.0, 1.0], repeat=6)))
    start, first = signs[:, :2], signs[:, 2:].reshape(-1, 2, 2)
    x = before = np.ones(len(signs))
    g = sum(A[i] * x + a[i] + start[:, i] for i in range(2)) / 2
    expected = [((A.mean() * x) ** 2).mean()]
    displaced = []
    for i in range(2):
        y = x.copy()
        for k in range(2):
            n = first[:, k, i]
            y = y - ETA * (A[i] * y + a[i] + n + (1 - BETA) * (g - (A[i] * before + a[i] + n)))
        displaced.append(x - y)
    x = x - GAMMA * sum(displaced) / (4 * ETA)
    expected.append(((A.mean() * x) ** 2).mean())
    method = FedAvgMVR(eta=ETA, gamma=GAMMA, beta=BETA)
    np.testing.assert_allclose(linear_moments(problem, method, K=2, T=2), expected, rtol=1e-12)


METHODS = [
    FedAvg(eta=0.2, gamma=0.6),
    FedAvgM(eta=0.2, gamma=0.3, beta=0.4),
    ScaffoldM(eta=0.2, gamma=0.3, beta=0.4),
    Scaffold(eta=0.2, gamma=0.7),
    FedAvgMVR(eta=0.2, gamma=0.3, beta=0.4, B=2),
    ScaffoldMVR(eta=0.2, gamma=0.3, beta=0.4),
    FedLOMO(eta=0.2),
    FedGLOMO(eta=0.2, beta=0.4, batch=1),
    FedGLOMO(eta=0.2, beta=0.4, exact_start=False),
    MIFA(eta=0.2),
    MIFA(eta=0.2, start="full"),
    STORM(eta=0.2, a=0.3),
    STEM(kappa=0.3, w=2.0, growth=1.0, c=0.5),
]


WHOLE = [method for method in METHODS if not method.card.partial]


@pytest.mark.parametrize(
    ("method", "S"),
    [*in_turn([method for method in METHODS if method.card.partial], 3, 2), *((method, 3) for method in WHOLE)],
    ids=lambda value: value.card.id if hasattr(value, "card") else str(value),
)
def test_simulations_agree_with_the_moments(method, S):
    """4000 runs with b = 2 agree with the exact moments to 5 standard errors at every round."""
    problem = Quadratic(N=3, d=2, spread=0.7, zeta=0.8, sigma=1.0)
    lanes, K, T = 4000, 3, 5
    keys = [(lane,) for lane in range(lanes)]
    oracle = LaneOracle(problem, Setting.of(problem, S=S, K=K, T=T, b=2), seed=2, keys=keys, observers=[])
    steps = rounds(method, oracle, initial_state(method, oracle, lanes), T)
    for step, value in zip(steps, linear_moments(problem, method, K=K, T=T, S=S, b=2), strict=True):
        squares = (problem.mean_gradient(step.before.x) ** 2).sum(axis=(1, 2))
        assert abs(squares.mean() - value) <= 5 * squares.std() / np.sqrt(lanes) + 1e-12


def test_additive_noise_cancels_in_recursive_local_steps():
    """FedLOMO's moments do not depend on sigma when every sample has the client's own curvature."""
    quiet, loud = (Quadratic(N=3, d=2, spread=0.5, zeta=1.0, sigma=sigma) for sigma in (0.0, 5.0))
    moments = [linear_moments(problem, FedLOMO(eta=0.1), K=4, T=5, S=2) for problem in (quiet, loud)]
    np.testing.assert_allclose(*moments, rtol=1e-12)


@pytest.mark.parametrize(
    ("method", "message"),
    [
        (FedAdam(eta=0.1, gamma=0.1, tau=0.1), "not affine in its state"),
        (SPIDER(eta=0.1, length=0.1), "not affine in its state"),
        (AdaptiveSTORM(k=0.1, w=1.0, c=1.0), "not affine in its state"),
        (BVRLSGD(eta=0.1), "asks the oracle for uniform"),
    ],
    ids=lambda value: value.card.id if hasattr(value, "card") else "",
)
def test_methods_that_are_not_linear_are_refused(method, message):
    """Adaptive steps, clipping and coin flips have no such recursion, and the message says which it is."""
    with pytest.raises(NotApplicableError, match=message):
        linear_moments(Quadratic(N=2, d=2, sigma=1.0), method, K=2, T=3)


def test_samples_seen_twice_need_noise_without_curvature():
    """Random phases serve FedAvg, which evaluates a sample once, and not STORM."""
    problem = Quadratic(N=2, d=2, sigma=1.0, noise="phases")
    assert linear_moments(problem, FedAvg(eta=0.1), K=2, T=2)[1] > 0
    with pytest.raises(NotApplicableError, match="noise without curvature, not phases"):
        linear_moments(problem, STORM(eta=0.1, a=0.5), K=2, T=2)


def test_bad_input_is_named():
    """Arrays of steps, too many active clients or sets of them, and problems that are not quadratic are refused."""
    problem = Quadratic(N=16, d=1)
    with pytest.raises(InputError, match=r"eta = array\(.* is not legal: one number"):
        linear_moments(problem, FedAvg(eta=np.array([0.1, 0.2])), K=1, T=2)
    with pytest.raises(InputError, match="S = 17 is not legal: at most N = 16"):
        linear_moments(problem, FedAvg(eta=0.1), K=1, T=1, S=17)
    with pytest.raises(NotApplicableError, match="12870 are too many"):
        linear_moments(problem, FedAvg(eta=0.1), K=1, T=1, S=8)
    with pytest.raises(NotApplicableError, match="family quadratic, but ridge-ratio"):
        linear_moments(load_problem("ridge-ratio", N=2), FedAvg(eta=0.1), K=1, T=1)


def test_documented_paths_lead_here():
    """`boundcheck.problems.linear` and `.moments` hand out the very functions of `boundcheck.engine.exact`."""
    former = (
        importlib.import_module("boundcheck.problems.linear"),
        importlib.import_module("boundcheck.problems.moments"),
    )
    assert former[0].linear_moments is linear_moments
    assert [former[1].fedavg_moments, former[1].propagate, former[1].Law] == [fedavg_moments, propagate, Law]
