from __future__ import annotations

import itertools

import numpy as np
import pytest
from problem_cases import points
from turns import case_of

from boundcheck.errors import InputError
from boundcheck.problems import FAMILIES, certify, load_problem
from boundcheck.problems.synthetic.chain import Chain
from boundcheck.problems.synthetic.finite_sum import FiniteSum
from boundcheck.problems.synthetic.heterogeneity import mixtures, sign_pattern, sign_tilts
from boundcheck.problems.synthetic.onedim import peak, span
from boundcheck.problems.synthetic.ridge_bend import BendRidge
from boundcheck.problems.synthetic.ridge_directions import DirectionRidge
from boundcheck.problems.synthetic.ridge_mixture import MixtureRidge
from boundcheck.problems.synthetic.ridge_shift import ShiftRidge
from boundcheck.problems.synthetic.ridge_split import SplitRidge
from boundcheck.problems.synthetic.ridge_waves import WaveRidge

GRID = np.linspace(-30, 30, 60_001)


def on_grid(problem, grid=GRID):
    """Client gradients at points with all coordinates equal, one coordinate of them, shape (n, N, d)."""
    return problem.exact_gradient(np.broadcast_to(grid[:, None, None], (len(grid), problem.N, problem.d)))


def separable_zeta(problem):
    """Sum over coordinates of the largest variance between clients on a grid."""
    return np.sqrt(on_grid(problem).var(axis=1).max(axis=0).sum())


def steepest(problem):
    """Largest slope of the client gradients between neighbours on a grid."""
    return np.abs(np.diff(on_grid(problem), axis=0)).max() / (GRID[1] - GRID[0])


CASES = [
    SplitRidge(N=4, d=3, split=0.5, zeta=1.0),
    SplitRidge(N=5, d=2, split=2.5, zeta=0.3, link="log", scale=2.0),
    MixtureRidge(N=4, d=6, components=3, dirichlet_omega=0.3),
    ShiftRidge(N=2, d=3, shift=0.7),
    ShiftRidge(N=5, d=1, shift=2.0, link="log-cosh", scale=0.5, weight=2.0),
    WaveRidge(N=6, d=2, groups="spread", zeta=1.0, frequency=2.0, theta=0.3),
    WaveRidge(N=4, d=2, groups="two", zeta=1.0, frequency=2.0, theta=0.3),
    WaveRidge(N=5, d=2, groups="two", zeta=1.0, link="pseudo-huber"),
]


@pytest.mark.parametrize("problem", CASES, ids=lambda p: f"{p.family}-{p.N}")
def test_separable_constants_by_a_fine_grid(problem):
    """L, zeta and G_inf agree with maxima on a grid (limits: to 1 %), and grid values never exceed them."""
    limit = problem.phi.slope_is_limit
    for found, letter in ((steepest(problem), "L"), (separable_zeta(problem), "zeta")):
        assert problem.constant(letter) * (1 - 1e-3) <= found <= problem.constant(letter) * (1 + 1e-9)
    largest = np.abs(on_grid(problem)).max()
    assert problem.constant("G_inf") * (1 - (1e-2 if limit else 1e-3)) <= largest
    assert largest <= problem.constant("G_inf") * (1 + 1e-12)


@pytest.mark.parametrize("problem", CASES, ids=lambda p: f"{p.family}-{p.N}")
def test_pairs_by_a_fine_grid(problem):
    """The largest distance of two client gradients, coordinate by coordinate on a grid, is zeta_pair."""
    g = on_grid(problem)[::5]
    pairs = itertools.combinations(range(problem.N), 2)
    widest = max(((g[:, i] - g[:, j]) ** 2).max(axis=0).sum() for i, j in pairs)
    assert np.sqrt(widest) == pytest.approx(problem.constant("zeta_pair"), rel=1e-3)


@pytest.mark.parametrize("problem", CASES, ids=lambda p: f"{p.family}-{p.N}")
def test_floors_by_a_fine_grid(problem):
    """The minimum of f is d times the smallest value in one coordinate on a grid."""
    lowest = problem.value(np.broadcast_to(GRID[:, None, None], (len(GRID), 1, problem.d))).min()
    assert lowest == pytest.approx(problem.constant("f_star"), abs=1e-5)


def test_split_drift_is_the_formula_of_the_audit():
    """Two clients 1 +- delta with tilts +-h settle where grad f is s (K-1)/2 delta h, for a small step s."""
    problem = SplitRidge(N=2, d=1, split=0.4, zeta=0.3, link="pseudo-huber", start=0.0)
    s, K = 1e-3, 5
    x = np.zeros((1, 1, 1))
    for _ in range(4000):
        y = np.broadcast_to(x, (1, 2, 1))
        for _ in range(K):
            y = y - s * problem.exact_gradient(y)
        x = y.mean(axis=1, keepdims=True)
    assert problem.mean_gradient(x)[0, 0, 0] == pytest.approx(s * (K - 1) / 2 * 0.4 * 0.3, rel=0.02)


@pytest.mark.parametrize("omega", [0.05, 0.5, 50.0])
def test_mixtures_are_balanced(omega):
    """Every client's shares add up to 1 and every component's to N/M; small omega concentrates them."""
    shares = mixtures(12, 4, omega, 3)
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-10)
    np.testing.assert_allclose(shares.mean(axis=0), 0.25, atol=1e-14)
    assert (shares.max(axis=1).mean() > 0.8) == (omega < 0.1)
    assert (shares.max(axis=1).mean() < 0.4) == (omega > 1)


def test_mixtures_are_mixtures_of_the_components():
    """Client i's gradient is sum_m p_im grad psi_m, psi_m being M weight times the ridges of c = m mod M."""
    problem = MixtureRidge(N=3, d=5, components=2, weight=1.5)
    shares = mixtures(3, 2, 0.5, 0)
    x = points(1, 1, 5)[0, 0]
    slope = 1.5 * 2 * x / (1 + x * x) ** 2
    for i in range(3):
        expected = sum(shares[i, m] * 2 * slope * (np.arange(5) % 2 == m) for m in range(2))
        np.testing.assert_allclose(problem.exact_gradient(x[None, None], np.array([[i]]))[0, 0], expected)


def test_sign_tilts_alternate_with_the_size_asked_for():
    """Tilts are +a, -a along the diagonal with mean square zeta^2; the last of an odd number is 0."""
    np.testing.assert_array_equal(sign_pattern(5), [1, -1, 1, -1, 0])
    for N in (2, 5):
        a = sign_tilts(N, 3, 1.7)
        np.testing.assert_allclose(a.sum(axis=0), 0, atol=1e-15)
        assert (a**2).sum(axis=1).mean() == pytest.approx(1.7**2)


def test_bends_are_unbounded_and_cancel():
    """Gradients differ from grad f by +-bend x + a_i; L = 2 + bend; zeta exists only without bend."""
    problem = BendRidge(N=2, d=2, bend=0.8, zeta=0.5)
    x = np.array([[[5.0, -3.0]]])
    g = problem.exact_gradient(np.broadcast_to(x, (1, 2, 2)))[0]
    np.testing.assert_allclose(g[0] - g[1] - (problem.tilts[0] - problem.tilts[1]), 1.6 * x[0, 0])
    assert problem.constant("L") == pytest.approx(2.8)
    assert not {"zeta", "zeta_pair", "G_inf"} & set(problem.constants)
    assert BendRidge(N=2, d=2, bend=0.0, zeta=0.5).constant("zeta") == pytest.approx(0.5)


def test_negative_curvature_can_be_the_largest():
    """For cosine ridges of weight 1 with bend 3 both ends are 4; L = max(1 + 3, 1 + 3)."""
    assert BendRidge(N=2, d=1, link="cosine", bend=3.0).constant("L") == 4


@pytest.mark.parametrize("frequency", [0.1, 0.5, 1.0, 2.0, 4.0])
def test_alpha_of_two_phases_by_the_formula_of_the_audit(frequency):
    """Correlation is h^2/(H^2+h^2) with h = A w^2 |sin(w z + theta)|, for A = 0.3 and H = phi''(0.3)/2."""
    zeta = 0.3 * frequency * np.sqrt(1.0)
    problem = WaveRidge(N=6, d=1, weight=0.5, frequency=frequency, theta=np.pi / 4, zeta=zeta, start=0.3)
    assert problem.size == pytest.approx(0.3)
    H = 0.5 * (2 - 6 * 0.09) / 1.09**3
    h = 0.3 * frequency**2 * abs(np.sin(frequency * 0.3 + np.pi / 4))
    assert problem.correlation(problem.start) == pytest.approx(h * h / (H * H + h * h))
    printed = {0.1: 1.5e-5, 0.5: 0.0113, 1.0: 0.181, 2.0: 0.814, 4.0: 0.984}[frequency]
    assert problem.correlation(problem.start) == pytest.approx(printed, rel=0.03)


def test_alpha_is_tuned_at_the_start():
    """The page's alpha_share is the correlation at x_0; spread groups have none."""
    problem = load_problem("ridge-two-phase[alpha_share=0.37]", N=4)
    assert problem.correlation(problem.start) == pytest.approx(0.37)
    spread = load_problem("ridge-waves", N=6)
    assert spread.correlation(spread.start) < 1e-3
    assert spread.constant("zeta") == 1.0


def test_waves_leave_every_client_nonnegative():
    """The client functions, integrated from their gradients, never fall below 0."""
    problem = WaveRidge(N=5, d=1, groups="spread", zeta=2.0, frequency=1.5)
    angles = 2 * np.pi * np.arange(5) / 5
    waves = problem.size * (1 + np.sin(1.5 * GRID[:, None] + angles))
    clients = GRID[:, None] ** 2 / (1 + GRID[:, None] ** 2) + waves
    assert clients.min() >= 0
    np.testing.assert_allclose(np.gradient(clients, GRID, axis=0)[1:-1], on_grid(problem)[1:-1, :, 0], atol=1e-5)
    assert clients.mean(axis=1).min() == pytest.approx(problem.constant("f_star"), abs=1e-6)


def test_directions_scale_with_the_gram_matrix():
    """L is sup phi'' times the largest eigenvalue of sum u u^T; orthonormal directions give sup phi''."""
    general = DirectionRidge(N=2, d=4, ridges=9, directions="general", weight=1.5, scale=2.0)
    gram = sum(np.outer(u, u) for u in general.directions)
    assert general.constant("L") == pytest.approx(2 * 1.5 / 4 * np.linalg.eigvalsh(gram)[-1])
    np.testing.assert_allclose(np.linalg.norm(general.directions, axis=1), 1)
    rotated = DirectionRidge(N=2, d=4, ridges=3)
    np.testing.assert_allclose(rotated.directions @ rotated.directions.T, np.eye(3), atol=1e-14)
    assert rotated.constant("L") == pytest.approx(2.0)


def test_ridges_along_axes_are_the_separable_ridge():
    """With axes as directions the function is that of family ridge."""
    axes = DirectionRidge(N=3, d=4, ridges=4, directions="axes", zeta=1.0)
    plain = FAMILIES["ridge"](N=3, d=4, zeta=1.0)
    x = points(2, 3, 4)
    np.testing.assert_allclose(axes.exact_gradient(x), plain.exact_gradient(x), atol=1e-15)
    for letter in ("L", "zeta", "zeta_pair", "Delta", "G_inf"):
        assert axes.constant(letter) == pytest.approx(plain.constant(letter))


def test_finite_sum_by_brute_force():
    """Value and gradients are plain averages over components; sigma is the variance where all slopes peak."""
    problem = FiniteSum(N=2, d=4, m=3, length=1.5, offset=0.3, zeta=0.5)
    x = points(1, 1, 4)[0, 0]
    z = problem.rows @ x - problem.offsets
    assert problem.value(x[None, None])[0] == pytest.approx((z * z / (1 + z * z)).mean())
    each = (2 * z / (1 + z * z) ** 2)[..., None] * problem.rows + problem.tilts[:, None]
    np.testing.assert_allclose(problem.exact_gradient(np.broadcast_to(x, (1, 2, 4)))[0], each.mean(axis=1))
    for i in range(2):
        np.testing.assert_allclose(problem.outcomes(x, i), each[i])
    steep = 3 * np.sqrt(3) / 8
    signs = itertools.product([-steep, steep], repeat=3)
    worst = max((np.array(s)[:, None] * problem.rows[0]).var(axis=0).sum() for s in signs)
    assert problem.constant("sigma") == pytest.approx(np.sqrt(worst))


def test_interpolating_components_have_no_noise_at_the_minimum():
    """Without offset and tilt every component's gradient vanishes at 0."""
    problem = load_problem("finite-sum-interpolated", N=3)
    assert not problem.outcomes(np.zeros(8), 1).any()


def chain_by_hand(x):
    """Return the unscaled chain, written out with scalar quadrature for Phi."""
    from scipy.integrate import quad

    def psi(z):
        return np.exp(1 - 1 / (2 * z - 1) ** 2) if z > 0.5 else 0.0

    def phi(z):
        return np.sqrt(np.e) * quad(lambda t: np.exp(-t * t / 2), -12, z, epsabs=1e-13)[0]

    total = -psi(1) * phi(x[0])
    for a, b in itertools.pairwise(x):
        total += psi(-a) * phi(-b) - psi(a) * phi(b)
    return total


def test_the_chain_is_its_definition():
    """The value agrees with the definition at random points, scaled by L scale^2/152."""
    problem = Chain(N=1, d=4, L=3.0, scale=2.0)
    for x in 2 * points(3, 1, 4)[:, 0]:
        assert problem.value(x[None, None])[0] == pytest.approx(3 * 4 / 152 * chain_by_hand(x / 2), rel=1e-9)


def test_the_chain_keeps_the_bounds_of_its_papers():
    """Unscaled: Delta <= 12 d, G_inf of exact gradients <= 23, |grad| >= 1 while the last link is not beyond 1."""
    problem = Chain(N=1, d=6, noise="none")
    assert problem.constant("Delta") <= 12 * 6
    assert problem.constant("G_inf") <= 23
    x = points(200, 1, 6) * 3
    x[..., -1] = np.clip(x[..., -1], -1, 1)
    assert np.linalg.norm(problem.mean_gradient(x), axis=2).min() >= 1


def test_the_chain_hides_the_next_link():
    """At 0 only the first coordinate has a gradient; with x_1 = 1 the second; samples are 0 or odds times it."""
    problem = Chain(N=1, d=4, odds=5)
    for known in range(3):
        x = np.zeros(4)
        x[:known] = 1.0
        g = problem.mean_gradient(x[None, None])[0, 0]
        assert g[known] != 0
        assert not g[known + 1 :].any()
        shown = problem.outcomes(x, 0)
        np.testing.assert_allclose(shown[:, :known], np.broadcast_to(g[:known], (5, known)))
        np.testing.assert_allclose(shown[:, known], [5 * g[known], 0, 0, 0, 0])


def test_the_chain_variance_is_below_that_of_its_paper():
    """Sigma^2 <= 23^2 (1-p)/p, the bound of the oracle's paper, and equals e^3 (odds - 1)."""
    problem = Chain(N=1, d=4, odds=5)
    assert problem.constant("sigma") ** 2 <= 23**2 * 4
    assert problem.constant("sigma") ** 2 == pytest.approx(np.e**3 * 4)
    assert "L_sample" not in problem.constants


def test_peaks_are_found_to_rounding():
    """The zoom finds max of sin(3z) exp(-z/10) on [-10, 10] to rounding, at its stationary point."""
    top, at = peak(lambda z: np.sin(3 * z) * np.exp(-z / 10), span(10.0))
    assert np.tan(3 * at) == pytest.approx(30.0, rel=1e-5)
    assert top == pytest.approx(np.sin(3 * at) * np.exp(-at / 10), rel=1e-15)


@pytest.mark.parametrize("seed", [case_of(seed, slow=seed >= 5) for seed in range(20)])
def test_random_settings_survive_attack(seed):
    """Constants of the new families hold and are reached far from the shipped settings."""
    rng = np.random.default_rng(seed)
    N, d = int(rng.choice([2, 3, 4])), int(rng.integers(1, 4))
    link = str(rng.choice(["ratio", "log", "log-cosh", "pseudo-huber", "quadratic"]))
    weight = float(10 ** rng.uniform(-1, 1))
    noise = str(rng.choice(["signs", "phases", "finite-phases", "sparse", "dropout"]))
    sigma = 0.0 if noise == "dropout" else 0.7
    shared = {"N": N, "d": d, "link": link, "weight": weight, "noise": noise, "sigma": sigma, "omega": 1.7}
    family, own = [
        ("ridge-split", {"split": float(rng.uniform(0, 3)), "zeta": 0.5, "scale": float(rng.uniform(0.5, 2))}),
        ("ridge-shift", {"shift": float(rng.uniform(0, 3)), "scale": float(rng.uniform(0.5, 2))}),
        ("ridge-bend", {"bend": float(rng.uniform(0, 3)), "centre": float(rng.uniform(-2, 2))}),
        ("ridge-waves", {"zeta": 1.0, "frequency": float(rng.uniform(0.5, 3)), "theta": float(rng.uniform(0, 3))}),
        ("ridge-directions", {"ridges": d, "directions": str(rng.choice(["orthonormal", "general"])), "zeta": 0.5}),
    ][seed % 5]
    assert [c for c in certify(FAMILIES[family](**shared, **own)) if not c.ok] == []


@pytest.mark.parametrize(
    ("family", "bad", "message"),
    [
        ("ridge-split", {"split": -1.0}, "ridge-split: split = -1.0 is not legal"),
        ("ridge-split", {"link": "sigmoid"}, "ridge-split: link = 'sigmoid' is not legal: an even function"),
        ("ridge-split", {"scale": 0.0}, "ridge-split: scale = 0.0 is not legal"),
        ("ridge-mixture", {"components": 9}, "components = 9 is not legal: at most d = 8"),
        ("ridge-mixture", {"dirichlet_omega": 0.0}, "dirichlet_omega = 0.0 is not legal"),
        ("ridge-shift", {"shift": -1.0}, "ridge-shift: shift = -1.0 is not legal"),
        ("ridge-bend", {"bend": -1.0}, "ridge-bend: bend = -1.0 is not legal"),
        ("ridge-waves", {"groups": "three"}, "groups = 'three' is not legal: two or spread"),
        ("ridge-waves", {"link": "cosine"}, "ridge-waves: link = 'cosine' is not legal"),
        ("ridge-waves", {"alpha_share": 1.0, "theta": 1.0}, r"alpha_share = 1.0 is not legal: a number in \[0, 1\)"),
        ("ridge-waves", {"alpha_share": 0.5, "zeta": 1.0}, "zeta = 1.0 is not legal: 0 when alpha_share is given"),
        ("ridge-directions", {"ridges": 9}, "ridges = 9 is not legal: at most d = 8"),
        ("ridge-directions", {"directions": "random"}, "directions = 'random' is not legal"),
        ("log-cosh", {"h1": 0.0}, "log-cosh: h1 = 0.0 is not legal"),
        ("constant", {"weight": -1.0}, "constant: weight = -1.0 is not legal"),
        ("random-curvature", {"swing": 0.0}, "random-curvature: swing = 0.0 is not legal"),
        ("finite-sum", {"m": 9}, "finite-sum: m = 9 is not legal: at most d = 8"),
        ("chain", {"sigma": 1.0, "scale": 2.0}, "chain: scale = 2.0 is not legal: 1 when sigma is given"),
        ("chain-split", {"block": 0}, "chain-split: block = 0 is not legal"),
        ("ridge-table", {"spread": 1.0}, r"ridge-table: spread = 1.0 is not legal: a number in \[0, 1\)"),
        ("ridge-table", {"link": "sigmoid"}, "ridge-table: link = 'sigmoid' is not legal: an even function"),
        ("ridge-split", {"link": "tail"}, "ridge-split: link = 'tail:0.1' is not legal: an even function, lowest at 0"),
        ("finite-sum", {"link": "tail"}, "finite-sum: link = 'tail' is not legal: an even function, lowest at 0"),
        ("ridge-directions", {"link": "tail:1"}, "link = 'tail:1' is not legal: an even function, lowest at 0"),
        (
            "ncsc-ridge",
            {"link": "tail"},
            "link = 'tail' is not legal: one of ratio, log, cosine, quadratic",
        ),
        ("ncsc-ridge", {"B": -0.1}, "ncsc-ridge: B = -0.1 is not legal: a number >= 0"),
    ],
)
def test_bad_parameters_are_named(family, bad, message):
    """The message names the parameter and its value."""
    with pytest.raises(InputError, match=message):
        FAMILIES[family](N=2, **bad)


@pytest.mark.parametrize("offset", [0.0, 0.7])
def test_the_mean_gradient_of_a_finite_sum_is_that_of_its_clients_lane_by_lane(offset):
    """It is the mean of all components' gradients, and no lane's bits depend on its place or on how many there are."""
    problem = FiniteSum(N=5, d=9, m=4, offset=offset, zeta=1.5)
    x = np.random.default_rng(2).normal(size=(21, 1, 9))
    found = problem.mean_gradient(x)
    each = [[problem.outcomes(at[0], i) for i in range(5)] for at in x]
    np.testing.assert_allclose(found[:, 0], np.mean(each, axis=(1, 2)), rtol=1e-12, atol=1e-14)
    order = np.random.default_rng(0).permutation(21)
    for lanes in (order, order[:13], order[:1]):
        assert np.array_equal(problem.mean_gradient(x[lanes]), found[lanes])
