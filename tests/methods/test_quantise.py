"""Quantisers: unbiased, with the stated variance, by enumeration of every outcome; and their names."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest

from boundcheck.errors import InputError
from boundcheck.methods.quantise import QSGD, Dropout, Flip, NoCompression, quantiser_named

VECTORS = [
    np.array([0.3, -1.2, 0.05]),
    np.array([2.0, 2.0, -2.0, 2.0]),
    np.array([0.0, -0.7]),
    np.array([-3.0]),
    np.linspace(-1.0, 1.5, 6),
]


def on_coins(quantiser, z, coins):
    """Quantise one vector with given uniforms."""
    oracle = SimpleNamespace(xp=np, uniform=lambda *shape: np.broadcast_to(coins, (1, *shape)))
    return quantiser(oracle, z[None, None])[0, 0]


def qsgd_outcomes(levels, z):
    """Return every rounding of z with its probability: a coin below the fraction rounds up."""
    a = levels * np.abs(z) / np.linalg.norm(z)
    up = a - np.floor(a)
    for pattern in itertools.product([True, False], repeat=len(z)):
        probability = np.prod(np.where(pattern, up, 1 - up))
        if probability > 0:
            coins = np.where(pattern, up / 2, (1 + up) / 2)
            yield probability, on_coins(QSGD(levels), z, coins)


@pytest.mark.parametrize("levels", [1, 2, 3, 8])
@pytest.mark.parametrize("z", VECTORS, ids=len)
def test_qsgd_is_unbiased_with_the_stated_variance(levels, z):
    """Mean z; variance |z|^2 sum p (1-p) / s^2 exactly, at most q |z|^2; q at most min(d/s^2, sqrt d/s)."""
    outcomes = list(qsgd_outcomes(levels, z))
    norm = np.linalg.norm(z)
    np.testing.assert_allclose(sum(p for p, _ in outcomes), 1.0, rtol=1e-14)
    np.testing.assert_allclose(sum(p * v for p, v in outcomes), z, atol=1e-14 * norm)
    variance = sum(p * ((v - z) ** 2).sum() for p, v in outcomes)
    a = levels * np.abs(z) / norm
    up = a - np.floor(a)
    np.testing.assert_allclose(variance, norm**2 * (up * (1 - up)).sum() / levels**2, atol=1e-14 * norm**2)
    d, q = len(z), QSGD(levels).q(len(z))
    assert variance <= q * norm**2 * (1 + 1e-14)
    assert q <= min(d / levels**2, np.sqrt(d) / levels)
    for _, v in outcomes:
        grid = levels * np.abs(v) / norm
        np.testing.assert_allclose(grid, np.round(grid), atol=1e-12)
        assert (v * z >= 0).all()


def test_qsgd_constant_is_reached():
    """Four equal coordinates at one level have p = 1/2 each: the variance is q |z|^2 with q = d / (4 s^2) = 1."""
    z = np.full(4, 3.0)
    assert sum(p * ((v - z) ** 2).sum() for p, v in qsgd_outcomes(1, z)) == QSGD(1).q(4) * 36.0 == 36.0


def test_qsgd_corner_cases():
    """Zero stays zero, a lone coordinate is exact, and with the same coins Q(c z) = c Q(z) for any c."""
    almost, zero = 1 - 2**-53, np.zeros(3)
    for coin in (0.0, almost):
        np.testing.assert_array_equal(on_coins(QSGD(3), zero, coin), zero)
        for lone in (0.1, -7.3, 1e-150):
            z = np.array([0.0, lone, 0.0])
            np.testing.assert_allclose(on_coins(QSGD(3), z, coin), z, rtol=1e-15)
    z, coins = VECTORS[0], np.array([0.2, 0.6, 0.9])
    for c in (-1.0, 4.0, -0.5):
        np.testing.assert_array_equal(on_coins(QSGD(2), c * z, coins), c * on_coins(QSGD(2), z, coins))


@pytest.mark.parametrize("p", [0.25, 0.6, 1.0])
@pytest.mark.parametrize("z", VECTORS, ids=len)
def test_dropout_has_exactly_the_stated_variance(p, z):
    """Mean z and variance (1/p - 1) |z|^2 at every z."""
    sent, lost = on_coins(Dropout(p), z, 0.0), on_coins(Dropout(p), z, p)
    np.testing.assert_allclose(p * sent + (1 - p) * lost, z, rtol=1e-15)
    variance = p * ((sent - z) ** 2).sum() + (1 - p) * ((lost - z) ** 2).sum()
    np.testing.assert_allclose(variance, Dropout(p).q(len(z)) * (z * z).sum(), rtol=1e-14)
    assert not lost.any()


@pytest.mark.parametrize("q", [0.0, 1.0, 100.0])
@pytest.mark.parametrize("z", VECTORS, ids=len)
def test_flip_has_exactly_the_stated_variance(q, z):
    """Mean z and variance q |z|^2 at every z, from two equally likely outcomes."""
    up, down = on_coins(Flip(q), z, 0.0), on_coins(Flip(q), z, 0.5)
    np.testing.assert_allclose((up + down) / 2, z, rtol=1e-14)
    variance = (((up - z) ** 2).sum() + ((down - z) ** 2).sum()) / 2
    np.testing.assert_allclose(variance, Flip(q).q(len(z)) * (z * z).sum(), rtol=1e-14)


def test_exact_changes_nothing():
    """No compression flips no coin."""
    z = VECTORS[0][None, None]
    assert NoCompression()(None, z) is z
    assert NoCompression().q(5) == 0.0


def test_rows_are_quantised_independently():
    """Every client of every lane has its own coins: equal rows come out different."""
    rng = np.random.default_rng(0)
    oracle = SimpleNamespace(xp=np, uniform=lambda *shape: rng.random((2, *shape)))
    for quantiser in (QSGD(1), Dropout(0.5), Flip(2.0)):
        found = quantiser(oracle, np.broadcast_to(np.linspace(-1, 1, 5), (2, 40, 5)))
        assert len(np.unique(found.reshape(80, 5), axis=0)) > 1
        for lane in found:
            assert len(np.unique(lane, axis=0)) > 1


def test_quantisers_have_names():
    """Recipes write quantisers as words; anything else is refused with what is legal."""
    assert quantiser_named("none") == NoCompression()
    assert quantiser_named("qsgd-4") == QSGD(4)
    assert quantiser_named("flip-2.5") == Flip(2.5)
    for variance in (0.1, 1.0, 1e-7, 3e12):
        assert quantiser_named(str(Flip(variance))) == Flip(variance)
    assert quantiser_named("dropout-0.25") == quantiser_named("dropout-.25") == Dropout(0.25)
    for name in ("", "qsgd", "qsgd--1", "qsgd-2.5", "dropout-x", "topk-3"):
        with pytest.raises(InputError, match=r"none, qsgd-<levels>\[-elias\], dropout-<probability> or flip"):
            quantiser_named(name)
    for name, legal in (("qsgd-0", ">= 1"), ("dropout-0", r"\(0, 1\]"), ("dropout-1.5", r"\(0, 1\]")):
        with pytest.raises(InputError, match=legal):
            quantiser_named(name)
