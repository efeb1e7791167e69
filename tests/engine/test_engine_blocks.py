"""How many lanes a block holds."""

import numpy as np
import pytest

from boundcheck.engine import simulate
from boundcheck.engine.backends import CACHED, block_numbers
from boundcheck.methods.fedavg import FedAvg
from boundcheck.problems.stacked import stack_problems
from boundcheck.problems.synthetic.finite_sum import FiniteSum
from boundcheck.problems.synthetic.ridge import Ridge


@pytest.mark.parametrize("backend", CACHED)
def test_large_tables_are_shared_by_more_lanes(backend):
    """A finite sum's 160,000 numbers are read by all lanes; a ridge has N d; a stacked one's are a lane's."""
    ridges = [Ridge(N=32, d=100, zeta=zeta, sigma=1.0) for zeta in (1.0, 2.0)]
    assert block_numbers(backend, ridges[0]) == CACHED[backend]
    assert block_numbers(backend, FiniteSum(N=32, d=100, m=50)) == 2 * CACHED[backend]
    assert block_numbers(backend, stack_problems(ridges, np.arange(40) % 2)) == CACHED[backend]


def test_the_usual_blocks_change_no_number():
    """45 lanes of 3200 numbers are more than one block, of a ridge and of a finite sum."""
    for problem in (Ridge(N=32, d=100, zeta=1.0, sigma=1.0), FiniteSum(N=32, d=100, m=50)):
        usual, alone = (
            simulate(problem, FedAvg(eta=0.1), K=1, T=2, lanes=lanes, points=1) for lanes in (45, [0, 21, 44])
        )
        np.testing.assert_array_equal(usual.average("server_gradient")[[0, 21, 44]], alone.average("server_gradient"))
