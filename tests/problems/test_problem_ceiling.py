"""Sure ceilings: proved suprema of what a metric measures."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest
from problem_cases import SHIPPED, points
from turns import every, in_turn

from boundcheck.problems import load_problem
from boundcheck.problems.certification.search import climb
from boundcheck.problems.links import link_named
from boundcheck.problems.synthetic.chain_links import _EDGES, cell_slopes, end_slope, onward_slope, reach
from boundcheck.problems.synthetic.constant import ConstantClients
from boundcheck.problems.synthetic.ridge_directions import DirectionRidge
from boundcheck.problems.synthetic.ridge_shift import ShiftRidge
from boundcheck.problems.synthetic.ridge_table import TableRidge
from boundcheck.problems.synthetic.steepness import largest_sum, proved_peak

SCALES = np.geomspace(1e-3, 1e6, 19)
FAR = np.concatenate([np.geomspace(60, 1e9, 2001), np.linspace(1e4, 1e4 + 10, 20_001)])
WIDE = np.concatenate([np.linspace(-60, 60, 240_001), FAR, -FAR])


@cache
def bounded():
    """Return the shipped problems that have a ceiling."""
    return [name for name in SHIPPED if load_problem(name, N=4).ceiling("server_gradient") is not None]


def squares(problem, x):
    """|grad f|^2 at the points (n, d), from the mean over the client gradients."""
    gradients = problem.exact_gradient(problem.everyone_at(x[:, None, :]))
    return (gradients.mean(axis=1) ** 2).sum(axis=1)


def test_there_are_ceilings_at_all():
    """The ridge families of bounded slope have one, a bowl has none, and what is no gradient has none."""
    assert {"ridge-ratio", "ridge-shift", "ridge-table", "ridge-waves", "finite-sum", "fedlalr-a1"} <= set(bounded())
    assert "quadratic" not in bounded()
    problem = load_problem("ridge-ratio", N=4)
    assert problem.ceiling("drift") is None
    assert problem.ceiling("envelope_gradient") is None
    for metric in ("output_gradient", "output_gradient(0.25)", "local_gradient"):
        assert problem.ceiling(metric).value == problem.ceiling("server_gradient").value


def require_ceiling(name, N):
    """Random points at 19 scales stay below the ceiling; where it is exact, its point reaches it to 1e-6."""
    problem = load_problem(name, N=N)
    ceiling = problem.ceiling("server_gradient")
    drawn = 40 if hasattr(problem, "sizes") else 200
    x = np.concatenate([scale * points(drawn, 1, problem.d, seed=k)[:, 0] for k, scale in enumerate(SCALES)])
    scale = (problem.exact_gradient(problem.everyone_at(problem.start[None, None])) ** 2).max() + 1
    assert squares(problem, x).max() <= ceiling.value * (1 + 1e-9) + 1e-12 * scale, name
    if ceiling.kind == "exact":
        reached = squares(problem, ceiling.at[None])[0]
        assert reached == pytest.approx(ceiling.value, rel=1e-6, abs=1e-12 * scale), name


@pytest.mark.parametrize("turn", every(8, range(8)))
def test_no_point_is_steeper_and_exact_ones_are_reached(turn):
    """With two clients and with five, in turn, every fourth problem at once."""
    for place, name in enumerate(bounded()[turn % 4 :: 4]):
        require_ceiling(name, (2, 5)[(place + turn // 4) % 2])


LINKS = ("ratio", "log", "cosine", "huber", "log-cosh", "pseudo-huber", "coercive")
SHIFTED = list(itertools.product(LINKS, (0.0, 0.4, 3.0)))


@pytest.mark.parametrize(("shifted", "N"), in_turn(SHIFTED, 2, 3))
def test_a_grid_finds_the_ceiling_of_shifted_ridges(shifted, N):
    """In one dimension a dense grid is an independent maximisation: never above, and at it where it is exact."""
    link, shift = shifted
    problem = ShiftRidge(N=N, d=1, link=link, shift=shift, scale=0.7, weight=1.3)
    ceiling = problem.ceiling("server_gradient")
    found = squares(problem, WIDE[:, None]).max()
    assert found <= ceiling.value * (1 + 1e-9)
    if ceiling.kind == "exact":
        assert found == pytest.approx(ceiling.value, rel=1e-6)
    else:
        assert link == "coercive"


def test_the_ceiling_is_that_of_the_average_not_of_the_clients():
    """Clients that are shifted far apart are never steep together: (a/2)^2 and a little, not a^2."""
    steep = link_named("ratio").sup_slope
    ceiling = ShiftRidge(N=2, d=1, link="ratio", shift=50.0).ceiling("server_gradient")
    assert (steep / 2) ** 2 < ceiling.value < 1.001 * (steep / 2) ** 2


def test_tables_add_up_over_coordinates():
    """A table's ceiling is the sum of grid maxima of its coordinates, each with the others elsewhere."""
    problem = TableRidge(N=3, d=3, link="log", spread=0.8, shift=2.0, stretch=3.0, zeta=0.4)
    total = 0.0
    for c in range(3):
        x = np.zeros((len(WIDE), 3))
        x[:, c] = WIDE
        g = problem.exact_gradient(problem.everyone_at(x[:, None, :])).mean(axis=1)
        total += (g[:, c] ** 2).max()
    assert problem.ceiling("server_gradient").value == pytest.approx(total, rel=1e-6)


def test_dependent_directions_give_a_bound_only():
    """Six directions in four dimensions: their slopes are not free, so the ceiling is upper; three are exact."""
    made = [DirectionRidge(N=2, d=4, ridges=m, directions="general") for m in (3, 6)]
    assert [problem.ceiling("server_gradient").kind for problem in made] == ["exact", "upper"]


def test_constant_clients_are_steepest_where_the_bowl_agrees():
    """|grad f| tends to |mean g| + weight in every coordinate."""
    problem = ConstantClients(N=4, d=3, majority=-1.0, minority=1.0, weight=0.5)
    assert problem.ceiling("local_gradient").value == pytest.approx(3 * (0.5 + 0.5) ** 2)


@pytest.mark.parametrize("M", [1, 3, 5, 16])
def test_signs_are_as_large_as_any_weights(M):
    """Among random weights in [-1, 1] none gives a longer sum than the best signs, which give the value."""
    rng = np.random.default_rng(M)
    vectors = rng.standard_normal((M, 4))
    longest, signs = largest_sum(vectors)
    assert np.linalg.norm(signs @ vectors) == pytest.approx(longest, rel=1e-12)
    weights = np.sign(rng.standard_normal((4000, M)))
    assert np.linalg.norm(weights @ vectors, axis=1).max() <= longest * (1 + 1e-12)


@pytest.mark.parametrize(("links", "least"), [(1, 1 - 1e-9), (2, 0.98), (4, 0.9)])
def test_the_bound_of_the_chain_is_close(links, least):
    """A climb from the best of many lattice points comes close to the bound of the cells, and not above."""
    problem = load_problem(f"chain[d={links}]", N=2)
    lattice = np.random.default_rng(links).choice(
        [-1e4, -2, -0.9, -0.5, 0, 0.3, 0.5, 0.8, 0.9, 2, 1e4], (20_000, links)
    )
    start = lattice[squares(problem, lattice).argmax()]
    _, found = climb(lambda x: squares(problem, x), start, 50)
    assert least <= found / problem.ceiling("server_gradient").value <= 1 + 1e-9


def over(cells, function, samples=401):
    """Largest value of a function on a fine grid of every cell, a cell a row."""
    edges = np.nan_to_num(cells, neginf=-1e4, posinf=1e4)
    return function(np.linspace(edges[:-1], edges[1:], samples, axis=1))


def test_every_cell_of_the_chain_has_its_supremum():
    """A fine grid of every cell meets the bound of each of the three slopes to 1e-5, and nowhere exceeds it."""
    scaled, ends, onward = cell_slopes()
    exact = {"rel": 1e-5, "abs": 1e-12}
    assert scaled == pytest.approx(over(_EDGES, reach).max(axis=1), **exact)
    assert ends == pytest.approx(over(_EDGES, lambda z: np.abs(end_slope(z))).max(axis=1), **exact)
    z = over(_EDGES, lambda z: z)
    after = over(_EDGES, lambda z: z, samples=3)
    found = np.abs(onward_slope(z[:, None, :, None], after[None, :, None, :])).max(axis=(2, 3))
    assert onward == pytest.approx(found, **exact)
    assert (onward >= found * (1 - 1e-12)).all()


def test_data_problems_stay_below_where_every_row_is_wrong():
    """Far along the direction in which a logistic model is wrong on most rows, the bound is met to more than half."""
    problem = load_problem("logistic-wine", N=2)
    directions = -problem.rows.reshape(-1, problem.d)
    found = max(squares(problem, scale * directions).max() for scale in (0.3, 1.0, 10.0, 1e3))
    assert 0.5 < found / problem.ceiling("server_gradient").value <= 1


def test_a_ceiling_is_computed_once():
    """Asking again gives the same object: a verdict asks for every cell."""
    problem = load_problem("ridge-table", N=3)
    assert problem.ceiling("local_gradient") is problem.ceiling("output_gradient(0.5)")


def test_many_vectors_get_a_bound():
    """Beyond 16 vectors the singular value bounds the sum: for orthogonal vectors it is attained."""
    longest, signs = largest_sum(2.0 * np.eye(20))
    assert signs is None
    assert longest == pytest.approx(2.0 * np.sqrt(20))


def test_a_narrow_peak_is_not_missed():
    """A spike of width 1e-3 between grid points is found, because the Lipschitz constant leaves room for it."""
    bound, at = proved_peak(lambda z: np.maximum(0.0, 1.0 - np.abs(z - 0.12345) / 1e-3), 1e3, -10.0, 10.0, 1e-6)
    assert 1.0 <= bound <= 1.0 + 1e-6
    assert at == pytest.approx(0.12345, abs=1e-8)
