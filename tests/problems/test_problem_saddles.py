from __future__ import annotations

import numpy as np
import pytest
from problem_cases import Words, points

from boundcheck.errors import InputError, NotApplicableError
from boundcheck.problems import load_problem
from boundcheck.problems.synthetic.ncsc_newton import NewtonSaddle, _root
from boundcheck.problems.synthetic.ncsc_ridge import RidgeSaddle


def test_additive_noise_cancels_in_a_difference():
    """On ncsc-additive two evaluations of one sample differ by the exact gradients alone; on ncsc-p1 they do not."""
    for name, cancels in (("ncsc-additive", True), ("ncsc-p1", False)):
        problem = load_problem(name, N=3)
        x, y = points(2, 3, problem.d), points(2, 3, problem.d, seed=1)
        token = problem.sample(Words(range(2)), None, 1)
        drawn = problem.gradient(x, None, token) - problem.gradient(y, None, token)
        exact = problem.exact_gradient(x) - problem.exact_gradient(y)
        assert np.allclose(drawn, exact, atol=1e-13) is cancels


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_saddle_signs_split_the_variance(share):
    """The norm of one sample is sigma surely, and its square in y is the dual share of sigma^2."""
    problem = RidgeSaddle(N=2, sigma=0.6, noise="signs", noise_dual_share=share)
    token = problem.sample(Words(range(4)), None, 1)
    np.testing.assert_allclose((token**2).sum(axis=-1), 0.36)
    np.testing.assert_allclose((token[..., problem.d1 :] ** 2).sum(axis=-1), 0.36 * share)


@pytest.mark.parametrize(("link", "peak"), [("ratio", 2.0), ("log", 2.0), ("cosine", 1.0), ("quadratic", 1.0)])
def test_the_link_sets_the_curvature(link, peak):
    """L_Phi = s phi''(0) + |B|^2/mu, with phi''(0) from the formula of each link by second differences."""
    phi = {
        "ratio": lambda z: z * z / (1 + z * z),
        "log": lambda z: np.log1p(z * z),
        "cosine": lambda z: 1 - np.cos(z),
        "quadratic": lambda z: z * z / 2,
    }[link]
    h = 1e-4
    assert 2 * phi(h) / h**2 == pytest.approx(peak, rel=1e-6)
    problem = RidgeSaddle(N=1, link=link, s=1.5, B=0.6, mu=0.9)
    assert problem.constant("L_Phi") == pytest.approx(1.5 * peak + 0.4)
    x = points(3, 1, problem.d)
    image = problem.best_response(x) * 0.9
    expected = 1.5 * phi(x[..., :8]).sum(axis=(1, 2)) + (image**2).sum(axis=(1, 2)) / 1.8
    np.testing.assert_allclose(problem.envelope(x), expected)


def test_sign_clients_stand_still_on_average():
    """On ncsc-sign-clients with N = 4 the mean gradient at the start is 0, and clients are half of zeta_pair away."""
    problem = load_problem("ncsc-sign-clients", N=4)
    x = np.broadcast_to(problem.start, (1, 4, problem.d))
    g = problem.exact_gradient(x)[0]
    np.testing.assert_allclose(g.mean(axis=0), 0, atol=1e-15)
    np.testing.assert_allclose((g**2).sum(axis=1), 0.25)
    np.testing.assert_array_equal(g[0], -g[1])
    np.testing.assert_array_equal(load_problem("ncsc-sign-clients", N=5).tilts[-1], 0)


def test_lemma_1_is_tight():
    """On ncsc-tight y_star is kappa-Lipschitz and grad Phi L_block (1 + kappa)-Lipschitz, both with equality."""
    problem = load_problem("ncsc-tight", N=1)
    L, kappa = problem.constant("L_block"), problem.constant("kappa")
    x = points(2, 1, 2)
    moved = abs(x[0, 0, 0] - x[1, 0, 0])
    assert (L, kappa) == (2.0, 2.0)
    assert abs(np.diff(problem.best_response(x)[:, 0, 0])[0]) == pytest.approx(kappa * moved)
    assert abs(np.diff(problem.envelope_gradient(x)[:, 0, 0])[0]) == pytest.approx(L * (1 + kappa) * moved)
    assert problem.constant("L_Phi") == pytest.approx(L * (1 + kappa))


def test_dual_noise_leaves_the_gradient_of_x_exact():
    """On ncsc-dual-noise, started where grad Phi = 0, samples move y alone with variance sigma^2 = 1."""
    problem = load_problem("ncsc-dual-noise", N=1)
    cloud = problem.outcomes(problem.start, 0)
    np.testing.assert_array_equal(cloud[:, :2], 0)
    assert (cloud**2).sum(axis=1).mean() == pytest.approx(1.0)
    assert np.abs(problem.envelope_gradient(problem.start[None, None])).max() == 0
    assert (problem.constant("L_block"), problem.constant("mu")) == (10.0, 5.0)


@pytest.mark.parametrize(
    ("name", "feasible"),
    [
        ("ncsc-additive", True),
        ("ncsc-log", True),
        ("ncsc-cosine", False),
        ("ncsc-sign-clients", True),
        ("ncsc-tight", True),
        ("ncsc-newton", False),
    ],
)
def test_pages_say_where_the_printed_conditions_are_feasible(name, feasible):
    """For mu <= 1 FMGDA's proof needs L_block >= 1 and 1/L_block + 1/mu < 360/211."""
    problem = load_problem(name, N=4)
    L, mu = problem.constant("L_block"), problem.constant("mu")
    assert mu <= 1 <= L
    assert (1 / L + 1 / mu < 360 / 211) is feasible


def test_dual_noise_page_is_feasible():
    """For mu >= 1 FMGDA's proof needs mu/L_block < 149/211: 1/2 on ncsc-dual-noise."""
    problem = load_problem("ncsc-dual-noise", N=4)
    assert problem.constant("mu") / problem.constant("L_block") == 0.5 < 149 / 211


def test_sign_clients_mirror_each_other_for_ever():
    """Twenty local ascent-descent steps without communication keep the average point at 0 while clients move apart."""
    problem = load_problem("ncsc-sign-clients", N=4)
    x = np.zeros((1, 4, problem.d))
    step = np.where(np.arange(problem.d) < problem.d1, -0.1, 0.1)
    for _ in range(20):
        x = x + step * problem.exact_gradient(x)
    np.testing.assert_allclose(x.mean(axis=1), 0, atol=1e-14)
    assert np.abs(x).max() > 0.1


@pytest.mark.parametrize("nu", [0.0, 0.3, 0.999])
def test_newton_roots_agree_with_bisection(nu):
    """The vectorised roots agree with scipy's brentq, and with each other when evaluated alone."""
    from scipy.optimize import brentq

    rng = np.random.default_rng(0)
    wave, level = nu * rng.uniform(-1, 1, 200), 10 ** rng.uniform(-3, 3, 200) * rng.choice([-1, 1], 200)
    found = _root(1.0, wave, level)
    for a, c, tau in zip(wave, level, found, strict=True):
        residual = lambda z, a=a, c=c: z + a * np.sin(z) - c  # noqa: E731
        assert tau == pytest.approx(brentq(residual, c - 2, c + 2, xtol=1e-15, rtol=1e-15), rel=1e-13, abs=1e-14)
        np.testing.assert_array_equal(_root(1.0, np.array([a]), np.array([c])), tau)


def test_the_newton_response_is_stationary():
    """grad_y F vanishes at y_star to 1e-14, and without the wave y_star is B x / mu."""
    problem = NewtonSaddle(N=1, nu=0.95, t=1.0)
    x = points(50, 1, problem.d)
    at = np.concatenate([x[..., : problem.d1], problem.best_response(x)], axis=-1)
    assert np.abs(problem.mean_gradient(at)[..., problem.d1 :]).max() <= 1e-14
    plain = RidgeSaddle(N=1)
    np.testing.assert_allclose(NewtonSaddle(N=1, nu=0.0).best_response(x), plain.best_response(x), atol=1e-14)


def test_newton_saddle_with_one_coordinate_by_hand():
    """With d1 = d2 = 1 (where B x = -B x_1) Phi is the maximum over a fine grid of y."""
    problem = NewtonSaddle(N=1, d1=1, d2=1, nu=0.8)
    y = np.linspace(-4, 4, 800_001)
    for x in (-2.0, -0.5, 1.0):
        F = x * x / (1 + x * x) - 0.5 * x * y - y * y / 2 + 0.8 * np.sin(x) * np.cos(y)
        assert problem.envelope(np.array([[[x, 0.0]]]))[0] == pytest.approx(F.max(), abs=1e-10)


@pytest.mark.parametrize(
    ("family", "bad", "message"),
    [
        (RidgeSaddle, {"link": "cube"}, "ncsc-ridge: link = 'cube' is not legal: one of ratio, log, cosine, quadratic"),
        (RidgeSaddle, {"pattern": "ring"}, "pattern = 'ring' is not legal: ellipse or signs"),
        (RidgeSaddle, {"noise": "none"}, "noise = 'none' is not legal: phases or signs"),
        (NewtonSaddle, {"nu": 0.5, "t": 2.0}, "nu t\\^2 = 2.0 is not legal: a number below mu = 1"),
    ],
)
def test_bad_parameters_are_named(family, bad, message):
    """The message names the parameter and its value."""
    with pytest.raises(InputError, match=message):
        family(N=2, **bad)


@pytest.mark.parametrize("x", [0.0, 0.2, 0.7, 1.2, 1.5707, 2.0, 2.9, 3.1, -1.0, 7.0, -40.3])
@pytest.mark.parametrize("step", [0.01, 0.25, 0.45])
def test_the_proximal_point_of_a_function_with_kinks(x, step):
    """Of 2 |sin z|, by a grid that is refined ten times; the slope of the envelope is that of its values."""
    problem = load_problem("sine-saddle[height=2]", N=1)

    def lowest(x):
        low, high = x - 2 * step, x + 2 * step
        for _ in range(10):
            z = np.linspace(low, high, 201)
            k = (2 * np.abs(np.sin(z)) + (z - x) ** 2 / (2 * step)).argmin()
            low, high = z[max(k - 1, 0)], z[min(k + 1, 200)]
        z = (low + high) / 2
        return z, 2 * abs(np.sin(z)) + (z - x) ** 2 / (2 * step)

    found = problem.envelope_prox(np.array([[[x, 0.0]]]), step)[0, 0, 0]
    # Heights say where a parabola is lowest to the root of rounding.
    assert found == pytest.approx(lowest(x)[0], abs=2e-8 * (1 + abs(x)))
    slope = (lowest(x + 1e-4)[1] - lowest(x - 1e-4)[1]) / 2e-4
    assert (x - found) / step == pytest.approx(slope, abs=1e-3)


def test_a_long_proximal_step_is_refused():
    """There may be several lowest points."""
    with pytest.raises(NotApplicableError, match="proximal point"):
        load_problem("sine-saddle", N=1).envelope_prox(np.zeros((1, 1, 2)), 2.0)
