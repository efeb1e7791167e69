from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from boundcheck.problems import load_problem


def slope_of(problem):
    """Return the gradient of f as a function of one number."""
    return lambda x: float(problem.mean_gradient(np.full((1, 1, 1), x))[0, 0, 0])


def descend(problem, step, rounds):
    """Return the mean squared gradient over the iterates x_0..x_(rounds-1) of gradient descent, in one dimension."""
    slope, x, total = slope_of(problem), float(problem.start[0]), 0.0
    for _ in range(rounds):
        g = slope(x)
        total += g * g
        x -= step * g
    return total / rounds


def test_fedlalr_a2_starts_at_the_minimum_of_f():
    """The far client pulls with -1/2, so x* = -0.95 artanh(10/19) = -0.475 log(29/9); L and G_inf are the audit's."""
    problem = load_problem("fedlalr-a2", N=2)
    assert problem.x_star[0] == pytest.approx(-0.475 * math.log(29 / 9), rel=1e-14)
    assert problem.constant("L") == 1e5
    assert problem.constant("G_inf") == pytest.approx(0.95e5)
    assert problem.constant("Delta") == 0


def test_fedlalr_a2_drifts_by_the_amount_of_the_audit():
    """FedAvg with K = 2, alpha = 0.15 (height 1) settles where |grad f|^2 at the averaged iterates is 1.946e-4."""
    problem = load_problem("fedlalr-a2[height=1]", N=2)
    x = problem.start[None, None, :]
    for _ in range(4000):
        y, seen = np.broadcast_to(x, (1, 2, 1)), []
        for _ in range(2):
            seen.append(float(problem.mean_gradient(y.mean(axis=1, keepdims=True))[0, 0, 0]) ** 2)
            y = y - 0.15 * problem.exact_gradient(y)
        x = y.mean(axis=1, keepdims=True)
    assert np.mean(seen) == pytest.approx(1.946e-4, rel=1e-3)


def test_fedlalr_a3_is_still_on_the_slope():
    """With alpha/eps = 0.15 and T = 6333 the mean squared gradient is 0.99998, against a printed bound of 0.7258."""
    assert descend(load_problem("fedlalr-a3", N=1), 0.15, 6333) == pytest.approx(0.99998, abs=1e-5)


def test_fedlalr_a4_and_a8_have_the_gradients_of_the_audit():
    """19 clients pull with +1 and one with -1.02; two clients pull with 1 and 0; both at every point."""
    for name, N, gradients in (("fedlalr-a4", 20, [1.0] * 19 + [-1.02]), ("fedlalr-a8", 2, [1.0, 0.0])):
        problem = load_problem(name, N=N)
        for x in (-3.0, 50.0):
            np.testing.assert_array_equal(problem.exact_gradient(np.full((1, N, 1), x))[0, :, 0], gradients)
        assert "f_star" not in problem.constants


def test_fedlalr_a4_is_bounded_below_with_a_bowl():
    """With weight w > |mean| the minimum of g x + w (sqrt(1+x^2) - 1) is sqrt(w^2 - g^2) - w."""
    g = (19 - 1.02) / 20
    problem = load_problem("fedlalr-a4[weight=1.0]", N=20)
    assert problem.constant("f_star") == pytest.approx(np.sqrt(1 - g * g) - 1)
    assert "f_star" not in load_problem("fedlalr-a4[weight=0.5]", N=20).constants


def test_fedlalr_a12_has_a_flat_mean_and_steep_samples():
    """The gradient of f is 0 at x = 7 while the samples' are +-7; there is no sigma and no G_inf."""
    problem = load_problem("fedlalr-a12", N=1)
    assert problem.mean_gradient(np.full((1, 1, 1), 7.0)) == 0
    assert sorted(problem.outcomes(np.array([7.0]), 0)[:, 0]) == [-7, 7]
    assert not {"sigma", "G_inf"} & set(problem.constants)


@pytest.mark.parametrize(("R", "ratio"), [(1_000, 208), (10_000, 709)])
def test_momentum_e3_descends_too_slowly(R, ratio):
    """Gradient descent with gamma = 1/sqrt(54 R) keeps gradient 1; its left side is 208 and 709 times L Delta/R."""
    problem = load_problem(f"stress-huber[start={1 + math.sqrt(R / 54)}]", N=1)
    mean = descend(problem, 1 / np.sqrt(54 * R), R)
    assert mean == pytest.approx(1.0)
    assert mean / (problem.constant("Delta") / R) == pytest.approx(ratio, rel=2e-3)


def test_the_shipped_huber_start_is_that_of_a_thousand_rounds():
    """The page's start is 1 + sqrt(1000/54)."""
    assert load_problem("stress-huber", N=1).start[0] == pytest.approx(1 + np.sqrt(1000 / 54), rel=1e-15)


def test_momentum_e2_is_the_one_sided_huber_function():
    """Slope -1 left of centre - 2, (x - centre)^2/4 to the right, clients +- x^2/4: L = 1 and G_0 = 1."""
    problem = load_problem("stress-travelling", N=2)
    D = 1000 / 24 / 2
    slope = slope_of(problem)
    assert [slope(x) for x in (-5.0, D - 2.5, D - 1, D + 6)] == pytest.approx([-1, -1, -0.5, 3])
    values = problem.value(np.array([D - 3, D - 1, D, D + 2])[:, None, None])
    np.testing.assert_allclose(values, [2.0, 0.25, 0, 1], atol=1e-14)
    gap = problem.exact_gradient(np.full((1, 2, 1), 3.0))[0, :, 0] - slope(3.0)
    np.testing.assert_allclose(gap, [1.5, -1.5])
    assert problem.constant("L") == 1
    assert problem.constant("G_0") == 1
    assert "zeta" not in problem.constants


def test_stress_participation_has_the_curvatures_of_the_audit():
    """The clients are lam_i x^2/2 with lam_i = 1, 0, and with the other setting 1, -0.9."""
    for spec, low in (("stress-participation", 0.0), ("stress-participation[weight=0.05,split=19]", -0.9)):
        g = load_problem(spec, N=4).exact_gradient(np.full((1, 4, 1), 2.0))[0, :, 0]
        np.testing.assert_allclose(g, [2, 2 * low, 2, 2 * low], atol=1e-15)


def test_momentum_e6_has_the_gap_of_the_audit():
    """Delta = 1/(8 R^2) for the start 1/(2R)."""
    for R in (100, 1000):
        assert load_problem(f"momentum-fl-e6[start={0.5 / R}]", N=2).constant("Delta") == pytest.approx(1 / (8 * R * R))


def test_fedglomo_v2_by_enumeration():
    """Two variance-reduced local steps with eta = 1/10 leave a variance of 1/160000 where Lemma 10 claims 0."""
    problem = load_problem("fedglomo-v2", N=1)
    token, number = problem.enumerate()
    w = np.ones((number, 1, 1))
    first = w - 0.1 * problem.exact_gradient(w)
    v = problem.gradient(first, None, token) - problem.gradient(w, None, token) + problem.exact_gradient(w)
    end = first - 0.1 * v
    assert sorted((w - end).ravel()) == pytest.approx([19 / 200, 1 / 10])
    assert end.var() == pytest.approx(float(Fraction(1, 160000)))


def test_fedglomo_v3_rises_by_one_in_two_hundred():
    """One of two clients takes one step of 1/10 from the middle: f rises by 1/200, not 1/600."""
    problem = load_problem("fedglomo-v3", N=2)
    x = np.zeros((1, 2, 1))
    moved = (x - 0.1 * problem.exact_gradient(x)).reshape(2, 1, 1)
    assert problem.value(moved).mean() == pytest.approx(1 / 200)


def test_fedglomo_v5_by_enumeration():
    """Over all signs of two steps from the top E|g_0 + g_1|^2 = 0.02210, and the printed right side is 0.02020."""
    problem = load_problem("fedglomo-v5", N=1)
    token, number = problem.enumerate()
    x = np.full((number, 1, 1), problem.start[0])
    first = problem.gradient(x, None, token)
    second_at = np.repeat(x - 0.1 * first, number, axis=0)
    again = np.tile(token, (number, 1, 1))
    total = np.repeat(first, number, axis=0) + problem.gradient(second_at, None, again)
    assert (total**2).mean() == pytest.approx(0.02210, abs=5e-6)
    squares = np.repeat(problem.exact_gradient(x), number, axis=0) ** 2 + problem.exact_gradient(second_at) ** 2
    assert 2 * squares.mean() + 2 * 0.1**2 == pytest.approx(0.02020, abs=5e-6)


def test_fmgda_e1_is_a_sine_shown_once_in_a_hundred():
    """The samples are 100 cos x once and 0 else for f = 1 + sin x; sigma^2 = 99, L = 1, L_sample = 100, L_rms = 10."""
    problem = load_problem("fmgda-e1", N=1)
    x = np.array([0.4 + np.pi / 2])
    np.testing.assert_allclose(problem.outcomes(x, 0)[:, 0], [100 * np.cos(0.4)] + [0.0] * 99)
    assert problem.value(x[None, None])[0] == pytest.approx(1 + np.sin(0.4))
    found = {letter: problem.constant(letter) for letter in ("sigma", "L", "L_sample", "L_rms")}
    assert found == pytest.approx({"sigma": np.sqrt(99), "L": 1, "L_sample": 100, "L_rms": 10})
    assert problem.start[0] == pytest.approx(1.5 + np.pi / 2)


def test_gradma_e3_is_the_instance_of_the_audit_moved_and_turned():
    """Client gradients at the start are antiparallel, of sizes 1 and 2, with mean of size 1/2, as at (0, 0) there."""
    problem = load_problem("gradma-e3", N=2)
    g = problem.exact_gradient(np.broadcast_to(problem.start, (1, 2, 2)))[0]
    assert sorted(np.linalg.norm(g, axis=1)) == pytest.approx([1, 2])
    assert g[0] @ g[1] == pytest.approx(-2)
    assert np.linalg.norm(g.mean(axis=0)) == pytest.approx(0.5)
    assert problem.constant("L") == 1
    assert problem.constant("zeta") == 1.5


def test_fedglomo_v17_means_differ_from_the_third_step_on():
    """With four phases the mean stochastic trajectory leaves the full-gradient one after three steps, not before."""
    problem = load_problem("fedglomo-v17[noise=finite-phases]", N=1)
    token, _ = problem.enumerate()
    full, many, gaps = problem.start[None, None, :], problem.start[None, None, :], []
    for _ in range(4):
        every = np.tile(token, (len(many), 1, 1, 1))
        spread = np.repeat(many, 4, axis=0)
        many = spread - 0.2 * problem.gradient(spread, None, every)
        full = full - 0.2 * problem.exact_gradient(full)
        gaps.append(abs(float(many.mean() - full.squeeze())))
    assert gaps[0] < 1e-15
    assert gaps[2] > 1e-5
