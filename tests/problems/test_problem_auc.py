from __future__ import annotations

import itertools

import numpy as np
import pytest
from problem_cases import points

from boundcheck.engine import simulate
from boundcheck.engine.observers import metric_named
from boundcheck.errors import InputError, NotApplicableError
from boundcheck.methods import METHODS
from boundcheck.problems import load_problem
from boundcheck.problems.data.auc import Auc
from boundcheck.problems.data.auc_data import gauss_classes
from boundcheck.problems.data.ball import ball_maximum


def scores(problem, m):
    """Score every kept row, and say whether it is positive, by the formula and row by row."""
    found = []
    for rows, labels, size in zip(problem.rows, problem.positive, problem.sizes, strict=True):
        for row, label in zip(rows[:size], labels[:size], strict=True):
            if problem.k == len(row):
                h = m @ row
            else:
                width = problem.k // (len(row) + 1)
                U, v = m[: width * len(row)].reshape(width, -1), m[width * len(row) :]
                act = np.tanh(U @ row) if problem.scorer.activation == "tanh" else 1 / (1 + np.exp(-U @ row))
                h = v @ act
            found.append((h, label > 0))
    return found


CASES = [
    {"data": "two-point", "scorer": "hidden", "width": 1, "activation": "sigmoid"},
    {"data": "gauss", "skew": 1.0},
    {"data": "wine", "keep_negatives": 0.5, "skew": 0.5},
    {"data": "wine", "scorer": "hidden", "width": 3, "keep_negatives": 0.5},
]


@pytest.mark.parametrize("case", CASES)
def test_minimum_over_a_and_b_is_the_pairwise_square_loss(case):
    """The minimum of Phi over (a, b) is p(1-p)(P - 1), P = mean of (1 - h(x+) + h(x-))^2 over all pairs."""
    problem = Auc(N=2, **case)
    z = points(1, 1, problem.d)
    found = scores(problem, z[0, 0, : problem.k])
    up, down = [h for h, label in found if label], [h for h, label in found if not label]
    pairs = np.mean([(1 - first + second) ** 2 for first, second in itertools.product(up, down)])
    p = len(up) / len(found)
    assert problem.p == pytest.approx(p)
    z[0, 0, problem.k : problem.k + 2] = np.mean(up), np.mean(down)
    assert problem.envelope(z)[0] == pytest.approx(p * (1 - p) * (pairs - 1), rel=1e-11)
    assert problem.best_response(z)[0, 0, 0] == pytest.approx(np.mean(down) - np.mean(up), rel=1e-11)


@pytest.mark.parametrize("case", CASES)
def test_the_objective_row_by_row(case):
    """F is the mean of the printed row objective, equation (4) of the paper, over all rows."""
    problem = Auc(N=2, **case)
    z = points(1, 1, problem.d)
    a, b, w = z[0, 0, problem.k :]
    p, total = problem.p, []
    for h, label in scores(problem, z[0, 0, : problem.k]):
        fit = (1 - p) * (h - a) ** 2 if label else p * (h - b) ** 2
        total.append(fit + 2 * (1 + w) * (-(1 - p) * h if label else p * h) - p * (1 - p) * w**2)
    assert problem.value(z)[0] == pytest.approx(np.mean(total), rel=1e-11)


def toy_hessian(problem, at, h=1e-4):
    """Difference quotients of grad Phi."""
    columns = []
    for e in np.eye(4):
        ends = [problem.envelope_gradient(np.append(at + k * h * e, 0.0)[None, None])[0, 0] for k in (1, -1)]
        columns.append((ends[0] - ends[1]) / (2 * h))
    return np.array(columns)


def test_the_saddle_of_figure_1():
    """At 0 the gradient vanishes, Phi = 0 > inf Phi = -1/4, and the Hessian has the eigenvalues of the closed form."""
    problem = load_problem("auc-two-point", N=2)
    origin = np.zeros((1, 1, 5))
    assert np.abs(problem.envelope_gradient(origin)).max() == 0
    assert problem.envelope(origin)[0] == 0
    assert problem.constant("Phi_star") == -0.25
    eigenvalues = np.linalg.eigvalsh(toy_hessian(problem, np.zeros(4)))
    np.testing.assert_allclose(eigenvalues, [-0.2152, 0.1865, 0.5, 0.7787], atol=5e-5)


def test_the_minimum_of_figure_1():
    """Phi = -1/4 at m2 = 2, m1 = 1/tanh(1), a = h(1), b = h(-1)."""
    problem = load_problem("auc-two-point", N=1)
    m1, m2 = 1 / np.tanh(1), 2.0
    a, b = m1 / (1 + np.exp(-m2)), m1 / (1 + np.exp(m2))
    z = np.array([[[m2, m1, a, b, 0.0]]])
    assert problem.envelope(z)[0] == pytest.approx(-0.25, abs=1e-15)
    assert np.abs(problem.envelope_gradient(z)).max() <= 1e-15


def test_the_reduced_function_of_figure_1():
    """The minimum over (a, b) of Phi is delta/2 + delta^2/4 with delta = -m1 tanh(m2/2); its Hessian at 0 is +-1/4."""
    import sympy as sp

    m1, m2 = sp.symbols("m1 m2")
    delta = -m1 * sp.tanh(m2 / 2)
    reduced = delta / 2 + delta**2 / 4
    hessian = sp.hessian(reduced, (m1, m2)).subs({m1: 0, m2: 0})
    assert set(hessian.eigenvals()) == {sp.Rational(1, 4), sp.Rational(-1, 4)}
    problem = load_problem("auc-two-point", N=1)
    for u, v in ((0.7, -1.3), (2.0, 0.4)):
        h = [u / (1 + np.exp(-v)), u / (1 + np.exp(v))]
        z = np.array([[[v, u, h[0], h[1], 0.0]]])
        assert problem.envelope(z)[0] == pytest.approx(float(reduced.subs({m1: u, m2: v})), rel=1e-12)


def test_gaussian_minimum_in_closed_form():
    """Phi_star belongs to m = (S+ + S- + dm dm^T)^(-1) dm, and sigma points have the classes' moments."""
    problem = load_problem("auc-gauss", N=4)
    (mean, first), (other, second) = gauss_classes()
    dm = mean - other
    m = np.linalg.solve(first + second + np.outer(dm, dm), dm)
    p = 5 / 6
    assert problem.p == pytest.approx(p)
    smallest = p * (1 - p) * (m @ (first + second) @ m + (1 - m @ dm) ** 2 - 1)
    assert problem.constant("Phi_star") == pytest.approx(smallest, rel=1e-10)
    rows = problem.rows.reshape(-1, 4)[problem.positive.ravel() > 0]
    np.testing.assert_allclose(rows.mean(axis=0), mean, atol=1e-13)
    np.testing.assert_allclose(np.cov(rows.T, bias=True), first, atol=1e-13)


def test_gaussian_auroc_by_sampling():
    """The closed-form AUROC is the share of 400 000 random pairs in the right order, to 5 standard errors."""
    problem = load_problem("auc-gauss", N=1)
    rng = np.random.default_rng(0)
    (mean, first), (other, second) = gauss_classes()
    m = np.array([0.5, -0.2, 0.3, 0.1])
    up = rng.multivariate_normal(mean, first, 400_000) @ m
    down = rng.multivariate_normal(other, second, 400_000) @ m
    z = np.zeros((1, 1, problem.d))
    z[0, 0, :4] = m
    assert abs((up > down).mean() - problem.auroc(z)[0]) <= 5 * 0.5 / np.sqrt(400_000)
    assert problem.auroc(np.zeros((1, 1, problem.d)))[0] == 0.5


def test_auroc_is_that_of_scikit_learn():
    """On held-out rows AUROC with ties agrees with scikit-learn's, in every lane."""
    from sklearn.metrics import roc_auc_score

    problem = load_problem("auc-digits", N=2)
    z = np.round(points(3, 1, problem.d))
    labels = np.repeat([1, 0], [len(rows) for rows in problem.test])
    for lane, found in enumerate(problem.auroc(z)):
        h = np.concatenate(problem.test) @ z[lane, 0, : problem.k]
        assert found == pytest.approx(roc_auc_score(labels, h), rel=1e-12)


def test_imbalance_is_that_of_the_paper():
    """With 80 % of the negatives removed p is 5/6 up to rounding, and mu = 2p(1-p) = 0.278."""
    problem = load_problem("auc-digits", N=1)
    assert problem.p == pytest.approx(5 / 6, abs=0.01)
    assert problem.constant("mu") == pytest.approx(0.278, abs=0.015)
    with pytest.raises(InputError, match=r"keep_negatives = 0.0 is not legal"):
        Auc(N=1, keep_negatives=0.0)


def test_the_variance_outside_the_ball_exceeds_sigma():
    """The value of sigma is a constant of the ball: at ten times the radius the enumerated variance is larger."""
    problem = load_problem("auc-gauss", N=2)
    far = 10 * problem.constants["sigma"].at
    assert problem.outcomes(far, 1).var(axis=0).sum() > problem.constant("sigma") ** 2


@pytest.mark.parametrize("seed", range(6))
def test_ball_maximum_beats_every_sample(seed):
    """The maximiser lies on the sphere, has the value returned, and no random point or ascent has a larger one."""
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((3, 4)) * (seed != 5)
    Q, q = A.T @ A, rng.standard_normal(4) * (seed % 3 > 0)
    value, z = ball_maximum(Q, q, 2.0)
    assert np.linalg.norm(z) == pytest.approx(2.0)
    assert z @ Q @ z + 2 * q @ z == pytest.approx(value)
    tried = rng.standard_normal((50_000, 4))
    tried *= 2.0 / np.linalg.norm(tried, axis=1, keepdims=True)
    values = np.einsum("ni,ij,nj->n", tried, Q, tried) + 2 * tried @ q
    assert values.max() <= value * (1 + 1e-12) + 1e-12
    assert values.max() >= value - 0.05 * abs(value) - 1e-9


def test_auroc_rises_along_a_run_and_is_refused_elsewhere():
    """Local SGDA from AUROC 1/2 orders most digits; problems without scores have no AUROC."""
    problem = load_problem("auc-digits[skew=0]", N=2)
    method = METHODS["local-sgda"](eta_x=0.05, eta_y=0.05)
    run = simulate(problem, method, K=2, T=300, lanes=1, metrics=("auroc",))
    assert run.instant["auroc"][0, 0] == 0.5
    assert run.instant["auroc"][0, -1] > 0.7
    with pytest.raises(NotApplicableError, match="quadratic-tilt has no auroc"):
        metric_named("auroc", load_problem("quadratic-tilt", N=2))


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"data": "diabetes"}, "auc: data = 'diabetes' is not legal: one of two-point, gauss, cancer"),
        ({"scorer": "deep"}, "auc: scorer = 'deep' is not legal: linear or hidden"),
        ({"radius": 0.0}, "auc: radius = 0.0 is not legal"),
        ({"activation": "relu"}, "auc: activation = 'relu' is not legal: one of tanh, sigmoid"),
    ],
)
def test_bad_parameters_are_named(bad, message):
    """The message names the parameter and its value."""
    with pytest.raises(InputError, match=message):
        Auc(N=2, **bad)
