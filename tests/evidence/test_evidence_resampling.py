"""Measurements along a grid: what is refused by name, and the bootstrap against numpy's own choice."""

import numpy as np
import pytest

from boundcheck.errors import InputError
from boundcheck.evidence.checks.exponents import fit_exponent
from boundcheck.evidence.checks.time_to_epsilon import time_to_epsilon
from boundcheck.evidence.statistics.resampling import bootstrap_means
from boundcheck.evidence.statistics.shape import judge_shape

GRID = [4.0, 16.0, 64.0]
SAMPLES = [np.array([4.0, 5.0]), np.array([2.0, 3.0]), np.array([1.0, 1.5])]
USES = {
    "fit": lambda x, samples: fit_exponent("T", x, samples, [0.5]),
    "shape": lambda x, samples: judge_shape("T", x, samples, [1.0] * len(x)),
    "times": lambda x, samples: time_to_epsilon(x, samples, [1.0]),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize(
    ("x", "samples", "message"),
    [
        ([0.0, 2.0, 3.0], SAMPLES, r"T = \[0.0, 2.0, 3.0\] is not legal: at least t.* increasing values > 0"),
        ([1.0, np.nan, 3.0], SAMPLES, "T = .* increasing values > 0"),
        ([1.0, 2.0, np.inf], SAMPLES, "T = .* increasing values > 0"),
        (GRID, SAMPLES[:2], "samples along T = 2 is not legal: one a value, 3"),
        (GRID, [*SAMPLES[:2], np.array([])], r"samples at T = 64 = \[\] is not legal: a list of one or more numbers"),
        (GRID, [1.0, 2.0, 3.0], "samples at T = 4 = 1.0 is not legal: a list of one or more numbers"),
        (GRID, [SAMPLES[0], np.array([1.0, np.nan]), SAMPLES[2]], r"samples at T = 16 = \[1.0, nan\] is not legal"),
    ],
)
def test_grids_and_samples_that_do_not_go_together_are_named(use, x, samples, message):
    """Whatever is fitted along a grid names the letter, the point and the value that is not legal."""
    with pytest.raises(InputError, match=message):
        use(x, samples)


def test_fits_need_positive_finite_samples_and_an_exponent():
    """A logarithm is fitted: 0, a diverged run and an empty list of exponents are refused."""
    for bad in (0.0, np.inf):
        with pytest.raises(InputError, match=r"samples at T = 64 = .* is not legal: finite numbers > 0"):
            fit_exponent("T", GRID, [*SAMPLES[:2], np.array([1.0, bad])], [0.5])
    with pytest.raises(InputError, match=r"exponents = \[\] is not legal: one or more numbers"):
        fit_exponent("T", GRID, SAMPLES, [])


@pytest.mark.parametrize("shapes", [[1.0, 2.0], [1.0, 1.0, 0.0], [1.0, 1.0, np.nan]])
def test_shapes_must_be_positive_and_one_a_point(shapes):
    """Without a positive right-hand side there is no ratio."""
    with pytest.raises(InputError, match=r"shapes = .* is not legal: 3 numbers > 0, one a value of T"):
        judge_shape("T", GRID, SAMPLES, shapes)


@pytest.mark.parametrize("epsilons", [[], [0.0], [1.0, np.nan], [np.inf]])
def test_accuracies_must_be_positive_numbers(epsilons):
    """Neither nan nor infinity is an accuracy."""
    with pytest.raises(InputError, match=r"epsilons = .* is not legal: one or more numbers > 0"):
        time_to_epsilon(GRID, SAMPLES, epsilons)


@pytest.mark.parametrize("counts", [(1, 1), (4, 4, 4), (16, 32, 7, 1)])
def test_bootstrap_draws_what_choice_draws(counts):
    """The means are, bit for bit, those of numpy's `Generator.choice` called draw by draw and point by point."""
    samples = [np.random.default_rng(n).lognormal(size=n) for n in counts]
    rng = np.random.default_rng(3)
    expected = [[rng.choice(y, len(y)).mean() for y in samples] for _ in range(50)]
    assert bootstrap_means(samples, 50, np.random.default_rng(3)).tolist() == np.array(expected).tolist()
