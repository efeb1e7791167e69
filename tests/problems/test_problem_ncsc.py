from __future__ import annotations

import numpy as np
import pytest
from problem_cases import points

from boundcheck.errors import InputError
from boundcheck.problems.noise.saddle import SaddleNoise
from boundcheck.problems.synthetic.ncsc_ridge import RidgeSaddle


def coupling(problem):
    """Read the matrix B off the gradient of y, which is B x at y = 0 for a single client."""
    basis = np.concatenate([np.eye(problem.d1), np.zeros((problem.d1, problem.d2))], axis=1)
    return problem.mean_gradient(basis[:, None, :])[:, 0, problem.d1 :].T


@pytest.mark.parametrize(("d1", "d2"), [(8, 4), (3, 5), (1, 1), (4, 4)])
def test_the_coupling_has_the_spectral_norm_and_transposes(d1, d2):
    """|B| = B; grad_x contains B^T y; with d2 < d1 there are d1 - d2 null directions."""
    problem = RidgeSaddle(N=1, d1=d1, d2=d2, B=0.7)
    B = coupling(problem)
    assert np.linalg.norm(B, 2) == pytest.approx(0.7)
    assert np.linalg.matrix_rank(B) == min(d1, d2)
    y = points(1, 1, d2)
    z = np.concatenate([np.zeros((1, 1, d1)), y], axis=2)
    np.testing.assert_allclose(problem.mean_gradient(z)[0, 0, :d1], B.T @ y[0, 0], atol=1e-14)


def test_constants_by_hand():
    """With s = 1, |B| = 1/2, mu = 1/4 and sigma split evenly at omega = 2: L_block, L_Phi and kappa by hand."""
    problem = RidgeSaddle(N=2, mu=0.25, sigma=0.5, omega=2.0, zeta_pair=1.0)
    # tau omega = sqrt(2 * 1/2) * sigma, so that the curvature tau omega^2 is 0.5 * 2.
    assert problem.constant("L_block") == pytest.approx(2 + 1.0)
    assert problem.constant("kappa") == pytest.approx(12.0)
    assert problem.constant("L_Phi") == pytest.approx(2 + 0.25 / 0.25)
    assert problem.constant("mu") == 0.25


def test_phi_dominates_the_function_and_touches_it():
    """F(x, y) = Phi(x) - mu |y - y_star|^2 / 2 at every y."""
    problem = RidgeSaddle(N=3, zeta_pair=1.0, mu=0.6)
    z = points(5, 1, problem.d)
    miss = z[..., problem.d1 :] - problem.best_response(z)
    np.testing.assert_allclose(problem.value(z), problem.envelope(z) - 0.3 * (miss**2).sum(axis=(1, 2)), rtol=1e-12)


def test_initial_constants_by_hand():
    """Delta_Phi and delta_y from the matrix B written out."""
    problem = RidgeSaddle(N=1, start=0.5, start_y=0.25, mu=0.8)
    x, y = np.full(8, 0.5), np.full(4, 0.25)
    image = coupling(problem) @ x
    assert problem.constant("Delta_Phi") == pytest.approx(8 * 0.2 + image @ image / 1.6)
    assert problem.constant("delta_y") == pytest.approx(((y - image / 0.8) ** 2).sum())


@pytest.mark.parametrize("N", [2, 3, 4, 7])
@pytest.mark.parametrize("shares", [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.3, 0.4)])
def test_zeta_pair_is_met_exactly(N, shares):
    """A fine scan of every coordinate of x reaches zeta_pair for the most distant pair and never exceeds it."""
    problem = RidgeSaddle(N=N, d1=3, d2=2, zeta_pair=1.7, dual_share=shares[0], wave_share=shares[1])
    scan = np.linspace(0, 2 * np.pi, 4001)
    z = np.zeros((len(scan), N, problem.d))
    z[..., :3] = scan[:, None, None]
    g = problem.exact_gradient(z)
    worst = 0.0
    for i in range(N):
        for j in range(i):
            # Coordinates are free of each other, so the supremum is taken one by one.
            worst = max(worst, float((np.abs(g[:, i] - g[:, j]).max(axis=0) ** 2).sum()))
    assert np.sqrt(worst) <= 1.7 * (1 + 1e-12)
    assert np.sqrt(worst) == pytest.approx(1.7, rel=1e-5)


@pytest.mark.parametrize("dual_share", [0.0, 0.3, 1.0])
def test_noise_variance_by_quadrature(dual_share):
    """The mean over a grid of both phases has mean 0 and variance sigma^2 at a random point."""
    noise = SaddleNoise(0.8, 3, 2, dual_share=dual_share, omega=1.3)
    x = points(1, 1, 5)
    angles = np.arange(0, 1 << 16, 1 << 11) * 2 * np.pi / (1 << 16)
    grid = np.stack(np.meshgrid(angles, angles), axis=-1).reshape(-1, 1, 1, 2)
    lanes = len(grid)
    drawn = noise.add(np.zeros((lanes, 1, 5)), np.broadcast_to(x, (lanes, 1, 5)), grid)[:, 0]
    np.testing.assert_allclose(drawn.mean(axis=0), 0, atol=1e-14)
    assert (drawn**2).sum(axis=1).mean() == pytest.approx(0.64, rel=1e-12)
    assert np.abs(drawn).max() <= noise.sup * (1 + 1e-12)


def test_noise_is_the_gradient_of_a_function_with_its_curvature():
    """The Jacobian of one sample's noise is symmetric and its norm reaches `curvature` at the right phase."""
    noise = SaddleNoise(0.8, 3, 2, dual_share=0.2, omega=1.3)
    token = np.zeros((1, 1, 1, 2))
    h = 1e-5
    columns = []
    for e in np.eye(5):
        ends = [noise.add(np.zeros((1, 1, 5)), k * h * e[None, None], token)[0, 0] for k in (1, -1)]
        columns.append((ends[0] - ends[1]) / (2 * h))
    jacobian = np.array(columns)
    np.testing.assert_allclose(jacobian, jacobian.T, atol=1e-10)
    assert np.linalg.norm(jacobian, 2) == pytest.approx(noise.curvature, rel=1e-8)


def test_without_noise_nothing_is_drawn():
    """With sigma = 0 the noise spends no random words and has no token."""
    noise = SaddleNoise(0.0, 3, 2)
    assert noise.words(4, 2) == 0
    assert noise.token(np.zeros((2, 0), dtype=np.uint64), 4, 2) is None


@pytest.mark.parametrize(
    ("N", "bad", "message"),
    [
        (1, {"zeta_pair": 1.0}, "zeta_pair = 1.0 is not legal: 0 when N = 1"),
        (2, {"mu": 0.0}, "mu = 0.0 is not legal: a number > 0"),
        (2, {"d2": 0}, "d2 = 0 is not legal"),
        (2, {"dual_share": 0.8, "wave_share": 0.8}, "dual_share \\+ wave_share = 1.6 is not legal"),
        (2, {"noise_dual_share": 2.0}, "noise_dual_share = 2.0 is not legal"),
    ],
)
def test_bad_parameters_are_named(N, bad, message):
    """The message names the parameter and its value."""
    with pytest.raises(InputError, match=message):
        RidgeSaddle(N=N, **bad)
