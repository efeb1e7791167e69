from __future__ import annotations

import numpy as np
import pytest
from problem_cases import Words, points
from scipy.integrate import quad

from boundcheck.errors import InputError, NotApplicableError
from boundcheck.problems import load_problem
from boundcheck.problems.noise.base import every_choice
from boundcheck.problems.noise.heavy import ParetoNoise
from boundcheck.problems.noise.models import NOISES, make_noise
from boundcheck.problems.noise.saddle import SaddleNoise, SaddleSigns
from boundcheck.problems.noise.zero_chain import SmoothZeroChainNoise, ZeroChainNoise
from boundcheck.problems.synthetic.random_curvature import CurvatureNoise
from boundcheck.problems.synthetic.ridge import Ridge

FINITE = ("signs", "sparse", "spikes", "finite-phases", "common-signs", "common-sparse", "common-finite-phases")


def drawn(noise, lanes, clients=1, b=1):
    return noise.token(Words(range(lanes)).raw(noise.words(clients, b)), clients, b)


@pytest.mark.parametrize("kind", ["sparse", "spikes", "finite-phases", "common-phases"])
def test_enumerated_noise_has_the_moments(kind):
    """The outcomes around a gradient have mean 0, variance sigma^2 and the sup norm claimed as a bound."""
    noise = make_noise(kind, 0.7, 5, 2.0)
    outcomes = noise.around(np.zeros((1, 5)), points(1, 1, 5)[0, 0])
    np.testing.assert_allclose(outcomes.mean(axis=0), 0, atol=1e-13)
    assert (outcomes**2).sum(axis=1).mean() == pytest.approx(0.49, rel=1e-12)
    assert np.abs(outcomes).max() <= noise.sup * (1 + 1e-12)


@pytest.mark.parametrize(("kind", "size", "share"), [("sparse", 0.7, 1.0), ("spikes", 2.8, 1 / 16)])
def test_spikes_are_rare_and_hit_one_coordinate(kind, size, share):
    """A sparse draw has one coordinate +-sigma sqrt(rarity) in one draw of `rarity`, and covariance sigma^2/d I."""
    noise = make_noise(kind, 0.7, 3)
    draws = drawn(noise, 8000)[:, 0]
    hit = np.abs(draws) > 0
    assert hit.sum(axis=1).max() == 1
    assert np.abs(draws[hit]) == pytest.approx(size)
    assert hit.any(axis=1).mean() == pytest.approx(share, rel=0.1)
    support = noise.support(np.zeros(3))
    np.testing.assert_allclose(support.T @ support / len(support), 0.49 / 3 * np.eye(3), atol=1e-15)


def test_the_four_phases_average_to_the_exact_gradient():
    """Over all phases the sample gradients average to grad f_i at every point, coordinates sharing the phase."""
    problem = load_problem("ridge-waves", N=2)
    x = points(1, 2, problem.d)
    token, number = problem.enumerate()
    assert number == 16
    g = problem.gradient(np.broadcast_to(x, (16, 2, problem.d)), None, token)
    np.testing.assert_allclose(g.mean(axis=0), problem.exact_gradient(x)[0], atol=1e-14)


def test_common_noise_is_the_same_for_every_client():
    """All clients of a lane get one draw, lanes differ, and averaging over clients leaves the variance."""
    problem = load_problem("fedlalr-a7", N=100)
    x = np.zeros((400, 100, 1))
    g = problem.gradient(x, None, problem.sample(Words(range(400))))
    np.testing.assert_array_equal(g, np.broadcast_to(g[:, :1], g.shape))
    assert set(np.unique(g)) == {-0.5, 0.5}
    assert g.mean(axis=1).var() == pytest.approx(0.25, rel=0.05)
    apart = load_problem("fedlalr-a7[noise=signs]", N=100)
    g = apart.gradient(x, None, apart.sample(Words(range(400))))
    assert g.mean(axis=1).var() == pytest.approx(0.25 / 100, rel=0.3)


def test_dropout_keeps_one_gradient_in_odds():
    """A dropout sample is odds times the gradient or 0, unbiased, with relative variance odds - 1."""
    problem = load_problem("ridge-dropout", N=2)
    x = points(1, 1, problem.d)[0, 0]
    g = problem.exact_gradient(x[None, None], np.array([[1]]))[0, 0]
    outcomes = problem.outcomes(x, 1)
    np.testing.assert_allclose(outcomes, [4 * g, 0 * g, 0 * g, 0 * g])
    assert outcomes.var(axis=0).sum() == pytest.approx(3 * g @ g)


def test_dropout_has_a_sigma_only_where_gradients_are_bounded():
    """Sigma is sqrt(odds - 1) times the largest gradient on ridges, and does not exist on a quadratic."""
    ridge = Ridge(N=1, d=4, link="log", noise="dropout", odds=5)
    assert ridge.constant("sigma") == pytest.approx(2 * np.sqrt(4))
    assert "sigma" not in load_problem("quadratic[noise=dropout,sigma=0]", N=2).constants


@pytest.mark.parametrize("kind", FINITE)
def test_enumeration_agrees_with_sampling(kind):
    """Exact expectations of a nonlinear statistic agree with many draws to 5 standard errors."""
    problem = Ridge(N=2, d=2, zeta=0.5, sigma=0.8, noise=kind, omega=1.5)
    x = points(1, 2, 2)
    token, number = problem.enumerate()

    def statistic(sample, lanes):
        first = problem.gradient(np.broadcast_to(x, (lanes, 2, 2)), None, sample)
        moved = problem.gradient(x - 0.3 * first, None, sample)
        return (moved.mean(axis=1) ** 2).sum(axis=-1) + first.prod(axis=(1, 2))

    exact = statistic(token, number).mean()
    seen = statistic(problem.sample(Words(range(20_000))), 20_000)
    assert abs(seen.mean() - exact) <= 5 * seen.std() / np.sqrt(len(seen)) + 1e-12


def test_enumerated_lanes_are_all_different_and_counted():
    """Signs for N = 2, d = 3 have 2^6 patterns, sparse noise 6^2, no noise one."""
    for kind, number in (("signs", 64), ("sparse", 36)):
        token, lanes = Ridge(N=2, d=3, sigma=1.0, noise=kind).enumerate()
        assert lanes == number == len(np.unique(token.reshape(lanes, -1), axis=0))
    assert Ridge(N=2, d=3).enumerate()[1] == 1


def test_a_mean_over_finite_sum_components_is_the_full_batch():
    """Enumerating a finite sum gives m^N joint samples whose mean is the exact gradient."""
    problem = load_problem("finite-sum[d=5,m=3]", N=2)
    token, number = problem.enumerate()
    assert number == 9
    x = points(1, 2, 5)
    g = problem.gradient(np.broadcast_to(x, (9, 2, 5)), None, token)
    np.testing.assert_allclose(g.mean(axis=0), problem.exact_gradient(x)[0], atol=1e-14)


@pytest.mark.parametrize(("kind", "message"), [("phases", "phases noise has too many"), ("signs", "too many to enum")])
def test_too_many_samples_are_refused(kind, message):
    """Continuous phases and 2^80 sign patterns are not enumerated."""
    with pytest.raises(NotApplicableError, match=message):
        Ridge(N=5, d=16, sigma=1.0, noise=kind).enumerate()


def test_every_choice_lists_all_tuples_once():
    """Three choices for two units give the nine pairs."""
    assert sorted(map(tuple, every_choice(3, 2))) == [(i, j) for i in range(3) for j in range(3)]


@pytest.mark.parametrize("kind", [kind for kind in NOISES if kind not in {"none", "dropout"}])
def test_sigma_zero_is_the_exact_oracle(kind):
    """Every additive noise with sigma = 0 draws nothing."""
    assert make_noise(kind, 0.0, 3).words(5, 2) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"kind": "dropout", "sigma": 1.0}, "sigma = 1.0 is not legal: 0 when noise = 'dropout'"),
        ({"kind": "dropout", "sigma": 0.0, "odds": 1}, "odds = 1 is not legal: an integer >= 2"),
        ({"kind": "common-dropout", "sigma": 1.0}, "noise = 'common-dropout' is not legal"),
    ],
)
def test_bad_noise_is_named(arguments, message):
    """The message names the parameter and its value."""
    with pytest.raises(InputError, match=message):
        make_noise(d=2, **arguments)


def test_relative_noise_has_no_size_of_its_own():
    """Asking dropout for a sup norm, a curvature or a support is refused."""
    noise = make_noise("dropout", 0.0, 2)
    for ask in (lambda: noise.sup, lambda: noise.curvature, lambda: noise.support(np.zeros(2))):
        with pytest.raises(NotApplicableError, match="relative to the gradient"):
            ask()


def _between_clients(noise, lanes=20_000, clients=3, b=2):
    """Return the largest covariance of two clients' noise at one point, in standard errors."""
    d = noise.d
    x = np.broadcast_to(points(1, 1, d), (lanes, clients, d))
    g = np.full((lanes, clients, d), 0.3)
    added = noise.add(g, x, drawn(noise, lanes, clients, b)) if noise.words(clients, b) else g
    added = added - added.mean(axis=0)
    products = np.einsum("lic,ljc->lij", added, added)
    errors = products.std(axis=0) / np.sqrt(lanes)
    off = ~np.eye(clients, dtype=bool)
    return np.abs(products.mean(axis=0)[off] / np.maximum(errors[off], 1e-12)).max()


MODELS = {kind: make_noise(kind, 0.0 if kind in {"none", "dropout"} else 0.7, 4, 2.0, 3) for kind in NOISES}
MODELS |= {
    "saddle phases": SaddleNoise(0.7, 2, 2),
    "saddle signs": SaddleSigns(0.7, 2, 2),
    "curvature": CurvatureNoise(0.5, 4),
    "zero-chain": ZeroChainNoise(3, 4, 10.0),
    "smooth-zero-chain": SmoothZeroChainNoise(3, 4, 10.0),
}


@pytest.mark.parametrize("kind", MODELS)
def test_noise_says_whether_clients_are_independent(kind):
    """Nothing on a problem said that its clients share their noise, so a bound that averages it away was "violated".

    With 20000 draws the covariance of two clients is below 5 standard errors where noise is declared independent,
    and far above where it is not.
    """
    far = _between_clients(MODELS[kind])
    assert MODELS[kind].independent == (not kind.startswith("common-"))
    assert far < 5 if MODELS[kind].independent else far > 50


@pytest.mark.parametrize("kind", ["signs", "sparse", "finite-phases", "dropout", "common-signs"])
def test_enumerated_clients_are_uncorrelated_exactly_where_they_are_independent(kind):
    """Over all joint samples the mean product of two clients' noises is 0, or the variance when it is common."""
    sigma = 0.0 if kind == "dropout" else 0.7
    problem = Ridge(N=2, d=2, link="log", noise=kind, sigma=sigma)
    token, number = problem.enumerate()
    x = np.broadcast_to(points(1, 1, 2), (number, 2, 2))
    noise = problem.gradient(x, None, token) - problem.exact_gradient(x)
    product = (noise[:, 0] * noise[:, 1]).sum(axis=1).mean()
    assert product == pytest.approx(0.0 if problem.has_independent_noise else 0.49, abs=1e-13)


@pytest.mark.parametrize("name", ["finite-sum", "logistic-wine", "mlp-wine", "auc-two-point", "ncsc-p1"])
def test_clients_draw_their_rows_independently(name):
    """Problems that draw rows or components declare independent samples, and two clients' are uncorrelated."""
    problem = load_problem(name, N=2)
    assert problem.has_independent_noise
    x = np.broadcast_to(points(1, 1, problem.d), (4000, 2, problem.d))
    g = problem.gradient(x, None, problem.sample(Words(range(4000))))
    g = g - problem.exact_gradient(x[:1])
    products = (g[:, 0] * g[:, 1]).sum(axis=1)
    assert abs(products.mean()) < 5 * products.std() / np.sqrt(4000)


@pytest.mark.parametrize("tail", [1.2, 1.5, 1.8])
def test_heavy_tails_have_their_law(tail):
    """P(|n| > z) = (z/scale)^-tail at several sizes, to 5 standard errors; one coordinate, fair signs, the moment."""
    noise = make_noise(f"pareto-{tail:g}", 0.7, 3)
    n = drawn(noise, 20_000)[:, 0]
    hit = np.abs(n) > 0
    assert (hit.sum(axis=1) == 1).all()
    norms = np.abs(n).sum(axis=1)
    order, size = noise.moment
    # E|n|^p is an integral over levels u, of sizes scale u^(-1/tail).
    scale = norms.min()
    integral = quad(lambda u: (scale * u ** (-1 / tail)) ** order, 0, 1)[0]
    assert (order, size) == ((1 + tail) / 2, 0.7)
    assert integral == pytest.approx(0.7**order, rel=2e-3)
    for factor in (1.5, 3.0, 10.0):
        level = factor**-tail
        assert (norms > factor * scale).mean() == pytest.approx(level, abs=5 * np.sqrt(level / 20_000) + 1e-3)
    assert np.sign(n[hit]).mean() == pytest.approx(0.0, abs=5 / np.sqrt(20_000))
    assert hit.mean(axis=0) == pytest.approx([1 / 3] * 3, abs=0.02)


def test_heavy_tails_are_no_list():
    """Neither for exact expectations nor with a sigma; a mean of several samples is their mean."""
    problem = load_problem("heavy-tail", N=2)
    assert {"sigma", "G_rms", "G_inf"}.isdisjoint(problem.constants)
    assert problem.is_noisy
    with pytest.raises(NotApplicableError, match="no list"):
        problem.outcomes(problem.start, 0)
    noise = make_noise("pareto-1.5", 1.0, 1)
    raw = Words(range(5)).raw(noise.words(2, 3))
    apart = [
        noise.token(np.concatenate([raw[:, 2 * k : 2 * k + 2], raw[:, 6 + 2 * k : 8 + 2 * k]], axis=1), 2, 1)
        for k in range(3)
    ]
    np.testing.assert_allclose(noise.token(raw, 2, 3), np.mean(apart, axis=0), rtol=1e-12)
    with pytest.raises(InputError, match="tail"):
        ParetoNoise(1.0, 1, 2.5)


def test_light_tails_by_hand():
    """Signs have one norm; of two norms, 0 in 15 of 16 and 4 in one, exp(16/s^2) = 16 e - 15."""
    assert load_problem("ridge-ratio", N=2).letters["sigma_exp"].value == pytest.approx(1.0)
    spikes = load_problem("ridge-spikes[sigma=1]", N=2).letters["sigma_exp"].value
    assert spikes == pytest.approx((16 / np.log(16 * np.e - 15)) ** 0.5)
