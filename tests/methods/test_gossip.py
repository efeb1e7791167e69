"""Networks of clients: mixing matrices, their spectral gaps, what they send, and decentralised SGD on them."""

import numpy as np
import pytest
from method_problems import PlainRidge

from boundcheck import check, load_problem
from boundcheck.bounds import BOUNDS
from boundcheck.engine import simulate
from boundcheck.engine.setting import Setting
from boundcheck.errors import InputError
from boundcheck.evidence.trials.costs import cost
from boundcheck.methods import METHODS
from boundcheck.methods.field.graphs import eigenvalues, gap, joint_gap, matrices, mixing, neighbours, sides

SIZES = {
    "complete": range(1, 12),
    "ring": range(1, 24),
    "star": range(1, 12),
    "torus": (9, 12, 15, 16, 20, 25, 36, 42),
    "mix-0.3": (1, 2, 7),
    "even": range(1, 9),
    "odd": range(1, 9),
}


@pytest.mark.parametrize("graph", SIZES)
def test_the_gap_is_that_of_the_eigenvalues(graph):
    """1 - the largest |eigenvalue| on vectors that add up to 0, by LAPACK; rows add up to 1, no weight is negative."""
    for N in SIZES[graph]:
        W = mixing(graph, N)
        np.testing.assert_allclose(W, W.T)
        np.testing.assert_allclose(W.sum(axis=1), 1, rtol=1e-15)
        assert (W >= 0).all()
        assert gap(graph, N) == pytest.approx(1 - np.abs(np.linalg.eigvalsh(W - 1 / N)).max(), abs=1e-13)


@pytest.mark.parametrize(
    ("graph", "N", "value"),
    # Circulants by hand: a ring of 4 has eigenvalues 1, 1/3, 1/3, -1/3; a torus of 4 x 4 has 3/5 next to 1.
    [("ring", 4, 2 / 3), ("ring", 6, 1 / 3), ("star", 8, 1 / 8), ("complete", 5, 1.0), ("torus", 16, 0.4)],
)
def test_some_gaps_by_hand(graph, N, value):
    """Closed forms at sizes where the cosines are rational."""
    assert gap(graph, N) == pytest.approx(value, rel=1e-14)


def test_a_disagreement_shrinks_by_the_gap():
    """|W x - mean| <= (1 - gap) |x - mean|, reached along the slowest wave of the ring."""
    N = 10
    wave = np.cos(2 * np.pi * np.arange(N) / N)
    np.testing.assert_allclose(mixing("ring", N) @ wave, (1 - gap("ring", N)) * wave, atol=1e-15)


@pytest.mark.parametrize("N", range(2, 14))
def test_pairs_join_all_in_turn(N):
    """Apart the gap is 0; a product of the two projections has the norm cos(2 pi/N) on a ring, cos(pi/N) on a path."""
    norm = np.cos(np.pi / N) if N % 2 else abs(np.cos(2 * np.pi / N)) if N > 2 else 0.0
    assert joint_gap("even+odd", N) == pytest.approx(1 - norm, abs=1e-12)
    assert N == 2 or gap("even", N) == gap("odd", N) == 0.0
    assert joint_gap("ring", N) == pytest.approx(gap("ring", N), abs=1e-12)
    assert joint_gap("ring+even+odd", N) >= joint_gap("even+odd", N) - 1e-12


def test_products_of_changing_matrices_contract():
    """Over any two rounds in a row; a disagreement is halved where it can be."""
    W, x = matrices("even+odd", 6), np.array([1.0, -1.0, 2.0, 0.0, -2.0, 0.0])
    for first in (0, 1):
        moved = W[1 - first] @ W[first] @ x
        assert np.linalg.norm(moved) <= (1 - joint_gap("even+odd", 6)) * np.linalg.norm(x) + 1e-12
    assert matrices("even+odd", 6)[0][0].tolist() == [0.5, 0.5, 0, 0, 0, 0]


def test_a_matrix_that_drives_clients_apart_has_no_joint_gap(tmp_path):
    """An eigenvalue below -1."""
    path = tmp_path / "far.py"
    path.write_text("import numpy as np\nFAR = np.array([[-1.0, 2.0], [2.0, -1.0]])\n")
    with pytest.raises(InputError, match="norm of W"):
        joint_gap(f"even+{path}:FAR", 2)


def test_the_torus_is_as_square_as_it_can_be():
    """12 = 3 x 4, 36 = 6 x 6; everybody has four neighbours; 2 x 5 is none."""
    assert (sides(12), sides(36)) == ((3, 4), (6, 6))
    assert (neighbours("torus", 12).sum(axis=1) == 4).all()
    with pytest.raises(InputError, match="product of two numbers >= 3"):
        gap("torus", 10)


@pytest.mark.parametrize(
    ("graph", "message"), [("wheel", "complete, ring"), ("mix-2", "P of mix-P"), ("mix-x", "ring")]
)
def test_an_unknown_graph_is_named(graph, message):
    """Before any run."""
    with pytest.raises(InputError, match=message):
        METHODS["dsgd"](eta=0.1, graph=graph)


@pytest.mark.parametrize(("graph", "K"), [("ring", 1), ("star", 4), ("mix-0.3", 2)])
def test_of_equal_clients_it_is_fedavg(graph, K):
    """Nobody disagrees, so that no weight matters."""
    problem = PlainRidge(N=4, d=3, zeta=0.0, sigma=0.0)
    found = simulate(problem, METHODS["dsgd"](eta=0.2, graph=graph), K=K, T=5, lanes=1).final
    fedavg = simulate(problem, METHODS["fedavg"](eta=0.2), K=K, T=5, lanes=1).final
    np.testing.assert_allclose(found, fedavg, rtol=1e-12)
    assert np.abs(found - problem.start).max() > 1e-3


@pytest.mark.parametrize(("graph", "down"), [("ring", 2), ("complete", 8), ("torus", 4), ("star", 2 * 8 / 9)])
def test_a_vector_goes_up_once_and_down_to_every_neighbour(graph, down):
    """In floats a client, over d: the degree of a client, on average."""
    problem = PlainRidge(N=9, d=3, zeta=0.8, sigma=0.0)
    spent = cost(problem, METHODS["dsgd"](eta=0.1, graph=graph), K=2, T=10, S=9)
    assert spent.floats == pytest.approx(10 * 3 * (1 + down))
    assert spent.samples == 20


def test_the_theorem_s_matrix_has_its_gap():
    """field.dgd runs on mix-P with the prescribed P; field.dgd-ring on a ring, whose gap its letter is."""
    from boundcheck.evidence.trials.trial import Trial

    problem = load_problem("stress-tilt", N=7)
    at = Setting.of(problem, K=1, T=4)
    assert gap(Trial.of(BOUNDS["field.dgd"], problem, at, {"gap_W": 0.125}).method.graph, 7) == 0.125
    ring = Trial.of(BOUNDS["field.dgd-ring"], problem, at)
    assert ring.method.graph == "ring"
    assert ring.evaluation.values["gap_W"] == pytest.approx(gap("ring", 7), rel=1e-14)


@pytest.mark.parametrize("name", ["field.dgd", "field.dgd-ring"])
def test_the_theorem_holds_and_says_something(name):
    """Where clients differ, over many rounds."""
    assert check(name, load_problem("stress-tilt", N=8), K=1, T=400).verdict == "holds"


OWN = """
import numpy as np

LAZY = np.array([[0.5, 0.5, 0.0], [0.5, 0.25, 0.25], [0.0, 0.25, 0.75]])
SKEW = np.array([[0.5, 0.5], [0.4, 0.6]])


def swap(N):
    return np.eye(N)[::-1]
"""


def test_a_matrix_of_ones_own_has_its_gap_and_least_eigenvalue(tmp_path):
    """A lazy path of three by its characteristic polynomial, and the swap of two, which never agree."""
    path = tmp_path / "mine.py"
    path.write_text(OWN, encoding="utf-8")
    # (1 - z)(z^2 - z/2 - 1/8): the roots of the rest are (1 +- sqrt(3))/4.
    second, least = eigenvalues(f"{path}:LAZY", 3)
    assert (second, least) == pytest.approx(((1 + 3**0.5) / 4, (1 - 3**0.5) / 4))
    assert gap(f"{path}:LAZY", 3) == pytest.approx(1 - second)
    assert gap(f"{path}:swap", 2) == pytest.approx(0.0)
    assert eigenvalues("ring", 4) == pytest.approx((1 / 3, -1 / 3))
    problem = PlainRidge(N=3, d=2, zeta=0.8, sigma=0.0)
    run = simulate(problem, METHODS["dsgd"](eta=0.1, graph=f"{path}:LAZY"), K=1, T=1, lanes=1)
    by_hand = problem.start - 0.1 * np.mean([problem.client(i, problem.start) for i in range(3)], axis=0)
    np.testing.assert_allclose(run.final[0], by_hand)
    with pytest.raises(InputError, match="a symmetric matrix"):
        mixing(f"{path}:SKEW", 2)
    with pytest.raises(InputError, match="a row and a column a client"):
        mixing(f"{path}:LAZY", 4)
