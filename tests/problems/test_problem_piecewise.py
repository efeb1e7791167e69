"""Families made for counterexamples: piecewise parabolas, stiff clients, noise-free saddles, skewed noise."""

import numpy as np
import pytest

from boundcheck.engine import simulate
from boundcheck.errors import InputError
from boundcheck.methods import METHODS
from boundcheck.problems import load_problem
from boundcheck.problems.noise.models import make_noise


def server(*numbers):
    return np.array([[[z]] for z in numbers], dtype=float)


def test_slope_and_value_piece_by_piece():
    """By hand: phi' = 25 x, then 25 + (x - 1), then 26 + 25 (x - 2); phi = 12.5, 12.5 + 25 + 1/2 at 1 and 2."""
    problem = load_problem("piecewise", N=2)
    at = server(-1, 0.5, 1, 1.5, 2, 3)
    assert problem.mean_gradient(at).ravel().tolist() == [-25, 12.5, 25, 25.5, 26, 51]
    assert problem.value(at).tolist() == [12.5, 3.125, 12.5, 25.125, 38.0, 76.5]
    assert (problem.constant("mu"), problem.constant("L"), problem.convex) == (1.0, 25.0, True)
    assert problem.constant("delta_x") == pytest.approx(3.3**2)


def test_pieces_that_do_not_begin_at_the_origin_vanish_there():
    """With both breakpoints left of 0 phi and phi' are 0 at 0, where the last piece is."""
    problem = load_problem("piecewise[first=-3,second=-1]", N=1)
    assert problem.mean_gradient(server(0, 2)).ravel().tolist() == [0, 50]
    assert problem.value(server(0, 2)).tolist() == [0, 50]
    assert problem.mean_gradient(server(-1, -3, -4)).ravel().tolist() == [-25, -27, -52]


@pytest.mark.parametrize(("name", "cycles"), [("piecewise", True), ("piecewise[left=1.0,right=1.0]", False)])
def test_the_heavy_ball_cycles_on_pieces_and_not_on_a_parabola(name, cycles):
    """At the step 4/(5 + 1)^2 and the weight (4/6)^2, the best for curvatures from 1 to 25 (Lessard et al. 2016)."""
    method = METHODS["fedavg-server-m"](eta=4 / 36, gamma=1.0, beta=(4 / 6) ** 2)
    ends = [simulate(load_problem(name, N=1), method, K=1, T=T, lanes=1).final[0, 0] for T in (600, 601, 602, 603)]
    assert ends[0] == pytest.approx(ends[3], abs=1e-9)
    assert bool(max(map(abs, ends)) > 0.5) is cycles


def test_a_saddle_between_two_wells():
    """The slope is -x/2 on [-1, 1], then x - 3/2: minima at +-3/2, 3/8 deep; x_1 leaves by 1 + eta/2 a step."""
    problem = load_problem("unstable-saddle", N=1)
    assert problem.constant("f_star") == pytest.approx(-3 / 8)
    assert (problem.convex, problem.constants.get("mu"), problem.x_star) == (False, None, None)
    end = simulate(problem, METHODS["fedavg"](eta=0.5), K=1, T=8, lanes=1).final[0]
    assert end == pytest.approx([1e-3 * 1.25**8, 1e-3 * 0.5**8])


@pytest.mark.parametrize(("name", "value"), [("left", 0), ("right", -1), ("rest", 0), ("first", 2)])
def test_pieces_that_are_not_legal_are_named(name, value):
    """Outer pieces bend up, and breakpoints increase."""
    with pytest.raises(InputError, match=f"piecewise: {name}"):
        load_problem(f"piecewise[{name}={value}]", N=2)


def test_stiff_clients_have_an_exact_dissimilarity():
    """Curvatures 1, 0.1, 0.1, 0.1: mean 0.325, mean square 0.2575; by itself every client gains |a_i|^2/(2 c_i)."""
    problem = load_problem("stiff-clients[zeta=0]", N=4)
    each = problem.exact_gradient(np.full((1, 4, 1), 2.0))
    assert (each**2).mean() / problem.mean_gradient(server(2.0)).item() ** 2 == pytest.approx(0.2575 / 0.325**2)
    assert "zeta" not in problem.constants
    tilted = load_problem("stiff-clients[zeta=0.5]", N=4)
    own = (tilted.tilts[:, 0] ** 2 / (2 * tilted.curvatures[:, 0])).mean()
    assert tilted.constant("Gamma_star") == pytest.approx(own)
    assert load_problem("stiff-clients[mu=1.0]", N=4).constant("zeta") == pytest.approx(0.5)


@pytest.mark.parametrize(("name", "grows"), [("ncsc-unstable", True), ("ncsc-unstable[a=0.5]", False)])
def test_equal_steps_run_away_where_the_curvature_in_x_beats_mu(name, grows):
    """The trace of [[a, -b], [b, -mu]], to which small steps add up, is |a| - mu for a < 0."""
    problem = load_problem(name, N=1)
    z = problem.start.copy()
    for _ in range(2000):
        g = problem.mean_gradient(z[None, None])[0, 0]
        z += 0.01 * np.array([-g[0], g[1]])
    assert bool(np.abs(z).max() > 10) is grows


@pytest.mark.parametrize("odds", [2, 3, 16])
def test_skewed_noise_has_two_atoms_of_the_right_moments(odds):
    """Mean 0, covariance sigma^2/d I, and in one dimension the skewness (odds - 2)/sqrt(odds - 1): 0 for a sign."""
    three = make_noise("skewed", 0.7, 3, odds=odds).support(np.zeros(3))
    np.testing.assert_allclose(three.mean(axis=0), 0, atol=1e-15)
    np.testing.assert_allclose(three.T @ three / len(three), 0.49 / 3 * np.eye(3), atol=1e-15)
    one = make_noise("skewed", 0.7, 1, odds=odds).support(np.zeros(1))[:, 0]
    assert (one**3).mean() / 0.7**3 == pytest.approx((odds - 2) / np.sqrt(odds - 1), abs=1e-12)
    assert len(set(one.tolist())) == 2


def test_odds_of_skewed_noise_are_two_at_least():
    """Once in one sample is no noise."""
    with pytest.raises(InputError, match="odds = 1 is not legal"):
        make_noise("skewed", 1.0, 2, odds=1)
