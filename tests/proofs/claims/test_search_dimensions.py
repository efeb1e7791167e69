"""Search in many dimensions: a sequence with a shape is found, and beyond its reach nothing is supported."""

import numpy as np
import pytest

from boundcheck.proofs.provers import Search

TIMEOUT = 5.0
T = 64


def weighted(g):
    """Return sum |g_t|/sqrt(t) and |g|: by Cauchy-Schwarz their ratio is at most sqrt(sum 1/t), at g_t = 1/sqrt(t)."""
    t = np.arange(1, g.shape[1] + 1)
    return (np.abs(g) / np.sqrt(t)).sum(1), np.sqrt((g * g).sum(1))


def aligned(g):
    """Return <g, a> and |g| |a| for numbers a without a pattern: equal where g is parallel to a."""
    a = np.random.default_rng(3).normal(size=g.shape[1])
    return np.abs((g * a).sum(1)), np.sqrt((a * a).sum() * (g * g).sum(1))


SHARP = float(np.sqrt((1 / np.arange(1, T + 1)).sum()))


def search(sides, factor, count, **options):
    return Search(sides, {"g": (-1, 1, count)}, **options).tighten(factor).decide(TIMEOUT)


def test_a_lemma_that_fails_at_one_over_root_t_is_refuted():
    """2 |g| is exceeded at T = 64 (sqrt(1 + 1/2 + .. + 1/64) = 2.178); 2.18 |g| is not."""
    assert 2 < SHARP < 2.18
    broken = search(weighted, 2.0, T)
    assert broken.verdict == "refuted"
    exec(broken.replay, {})
    assert search(weighted, 2.18, T).verdict == "supported"


@pytest.mark.parametrize("count", [40, 100])
def test_a_direction_without_a_pattern_is_found_by_ascent(count):
    """Random points reach about 1/2 of the constant; a hundredth below it is broken, a hundredth above it is not."""
    assert search(aligned, 0.99, count).verdict == "refuted"
    above = search(aligned, 1.01, count)
    assert above.verdict == "supported"
    assert above.slack > 0.98
    assert f"tries in {count} dimensions" in above.detail


def test_nothing_is_supported_beyond_the_reach():
    """With 20000 tries 109 dimensions are searched; more tries reach further, and what is false is refuted anywhere."""
    assert Search(aligned, {"g": (-1, 1, 200)}).reach == 109
    beyond = search(aligned, 1.01, 200)
    assert (beyond.verdict, "109 dimensions at most" in beyond.detail) == ("undecided", True)
    assert search(aligned, 1.01, 110, tries=21000).verdict == "supported"
    assert search(aligned, 0.5, 200).verdict == "refuted"


def test_a_box_that_is_not_symmetric_and_a_number_beside_a_sequence():
    """On [0, 1] and with c > 0 over decades: sum g_t c/sqrt(t) <= 2 c |g| fails in the same way."""

    def sides(g, c):
        lhs, rhs = weighted(g)
        return c * lhs, 2 * c * rhs

    assert Search(sides, {"g": (0, 1, T), "c": (1e-3, 1e3)}).decide(TIMEOUT).verdict == "refuted"
