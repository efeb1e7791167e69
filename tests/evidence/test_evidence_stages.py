"""Interim analyses: replicates double up to the budget."""

import pytest

from boundcheck import check, load_problem
from boundcheck.bounds import BOUNDS
from boundcheck.evidence.statistics.stages import stages


@pytest.mark.parametrize(
    ("replicates", "budget", "expected"),
    [
        (16, 256, [16, 32, 64, 128, 256]),
        (16, 100, [16, 32, 64, 100]),
        (16, 16, [16]),
        (3, 5, [3, 5]),
    ],
)
def test_replicates_double_until_the_budget(replicates, budget, expected):
    """The last stage has the budget; numbers count from 1."""
    found = list(stages(replicates, budget))
    assert [stage.replicates for stage in found] == expected
    assert [stage.number for stage in found] == list(range(1, len(expected) + 1))


def test_a_check_stops_at_a_stage():
    """Whatever the verdict, the replicates behind it are those of one of the stages."""
    problem = load_problem("ridge-ratio[sigma=4]", N=2)
    found = check(BOUNDS["momentum-fl.theorem11"], problem, K=2, T=200, replicates=3, budget=20)
    assert found.replicates in [stage.replicates for stage in stages(3, 20)]
