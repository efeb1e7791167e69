"""The ways of doing the same work that `make bench` times beside the engine make the same runs."""

import numpy as np
import pytest

from benchmarks import fused, items
from boundcheck.engine import simulate
from boundcheck.problems.synthetic.finite_sum import FiniteSum
from boundcheck.problems.synthetic.ncsc_ridge import RidgeSaddle
from boundcheck.problems.synthetic.ridge import Ridge

WAYS = items.ways()
EACH = [
    # Compilation takes seconds a run.
    pytest.param(way, marks=[pytest.mark.slow] * (way == "Numba" or way.endswith("JAX")))
    for way in WAYS
]
SUM = {"N": 5, "d": 20, "zeta": 0.5, "offset": 0.3}
SADDLE = {"N": 5, "d1": 8, "d2": 4, "zeta_pair": 1.0}
EXACT = {
    "ridge": (items.RIDGE, Ridge(N=5, d=70, zeta=1.0, sigma=0.0)),
    "all components": (items.ALL, FiniteSum(m=7, **SUM)),
    "the only component": (items.ONE, FiniteSum(m=1, **SUM)),
    "saddle": (items.SADDLE, RidgeSaddle(sigma=0.0, **SADDLE)),
}
RANDOM = {
    "signs": (items.RIDGE, Ridge(N=5, d=70, zeta=1.0, sigma=2.0)),
    "one component": (items.ONE, FiniteSum(m=7, **SUM)),
    "phases": (items.SADDLE, RidgeSaddle(sigma=2.0, **SADDLE)),
}


def both(way, item, problem, **setting):
    """Return the averages of |grad f|^2 of the engine's lanes and of another way's."""
    run = simulate(problem, items.RUN[item], points=1, **setting)
    return run.average("server_gradient"), WAYS[way][item](problem, **setting)


@pytest.mark.parametrize("way", EACH)
@pytest.mark.parametrize("case", EXACT)
def test_without_randomness_they_agree_to_rounding(way, case):
    """Five rounds of three steps."""
    engine, other = both(way, *EXACT[case], K=3, T=5, lanes=2)
    np.testing.assert_allclose(other, engine, rtol=1e-12)


@pytest.mark.parametrize("way", EACH[1:])
@pytest.mark.parametrize("case", RANDOM)
def test_their_noise_has_the_same_law(way, case):
    """Means within five standard errors, and spreads within a fifth, over 400 lanes."""
    engine, other = both(way, *RANDOM[case], K=5, T=10, lanes=400)
    error = np.sqrt((engine.var() + other.var()) / 400)
    assert abs(engine.mean() - other.mean()) < 5 * error
    assert other.std() == pytest.approx(engine.std(), rel=0.2)
    assert other.std() > 0


@pytest.mark.skipif(fused.compiler() is None, reason="no C compiler")
def test_loading_them_leaves_the_numbers_of_the_process_alone():
    """The least positive number stays one: a library linked with -ffast-math makes it 0 everywhere."""
    item, problem = EXACT["ridge"]
    WAYS["C"][item](problem, K=1, T=1, lanes=1)
    assert np.nextafter(0.0, 1.0) * np.ones(1) > 0
