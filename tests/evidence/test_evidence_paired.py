"""Paired answers against intervals by hand."""

import numpy as np
import pytest

from boundcheck.evidence.statistics.paired import below, gaps, within

T_3 = 3.182446305284263
"""Quantile 0.975 of Student's t with three degrees of freedom."""


def test_the_interval_is_wider_than_students():
    """Four values: mean -1, deviation sqrt(2/3); at all numbers of runs at once, so wider than t sqrt(2/3) / 2."""
    y = np.array([-2.0, 0.0, -1.0, -1.0])
    half = T_3 * np.sqrt(2 / 3) / 2
    centre, low, high = below(y, 0.0, level=0.95)[:3]
    assert centre == -1.0
    assert -1.0 - 3 * half < low < -1.0 - half
    assert -1.0 + half < high < -1.0 + 3 * half
    assert low + high == pytest.approx(-2.0)
    assert below(y, 0.0, level=0.95).answer == "open"
    assert below(y - 3.0, 0.0, level=0.95).answer == "yes"
    assert below(y - 3.0, 3.0, level=0.95).answer == "open"
    assert below(-y + 3.0, 0.0, level=0.95).answer == "no"


def test_within_asks_for_the_whole_interval():
    """Inside, outside, or across a line."""
    y = np.array([0.01, -0.01, 0.02, 0.0])
    assert within(y, 0.1, level=0.95).answer == "yes"
    assert within(y + 1.0, 0.1, level=0.95).answer == "no"
    assert within(y + 0.1, 0.1, level=0.95).answer == "open"


def test_gaps_of_runs_that_diverged():
    """A lost run is worse than any other, two lost ones are equal, and equal scores differ by 0 even at 0."""
    a, b = np.array([np.inf, np.inf, 0.0, 2.0]), np.array([1.0, np.inf, 0.0, 1.0])
    found = gaps(a, b, relative=True)
    assert found[0] > 600
    assert found[1:3].tolist() == [0.0, 0.0]
    assert found[3] == pytest.approx(np.log(2.0))
    assert gaps(-np.array([0.9]), -np.array([0.8]), relative=False)[0] == pytest.approx(-0.1)
