"""What a method may ask beyond gradients: samples in turn, values, curvature, one client, the proximal map."""

from collections import Counter
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
import pytest

from boundcheck.engine import simulate
from boundcheck.engine.exact.paths import average_on_paths
from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.setting import Setting
from boundcheck.errors import InputError, NotApplicableError
from boundcheck.methods import METHODS
from boundcheck.metrics import METRICS
from boundcheck.problems import load_problem


class Numbers(NamedTuple):
    """What was drawn in turn along a run."""

    run: Any
    seen: np.ndarray
    """Numbers of samples (steps, lanes, clients)."""


def in_turn(problem, *, order, K, T, lanes=3, b=1):
    """Run the method on recorded numbers."""
    seen, numbered = [], problem.numbered
    problem.numbered = lambda numbers: (seen.append(numbers.copy()), numbered(numbers))[1]
    run = simulate(problem, METHODS["reshuffled-sgd"](eta=0.3, order=order), K=K, T=T, lanes=lanes, b=b, block=lanes)
    return Numbers(run, np.stack(seen)[..., 0] if b == 1 else np.concatenate([np.moveaxis(s, -1, 0) for s in seen]))


def oracle_on(problem, lanes=2, S=None, **options):
    """Return an oracle in its first round, and the server point."""
    setting = Setting.of(problem, K=1, T=1, S=S)
    keys = [setting.key(lane) for lane in range(lanes)]
    oracle = LaneOracle(problem, setting, seed=0, keys=keys, observers=[], **options)
    x = np.tile(problem.start, (lanes, 1, 1)) + np.arange(lanes)[:, None, None]
    oracle.begin_round(x)
    return oracle, x


@pytest.mark.parametrize("order", ["reshuffled", "shuffled", "listed"])
def test_every_pass_takes_every_sample_once_and_steps_are_those_of_the_paper(order):
    """Of arXiv 2006.05988, Algorithms 1 and 2, and the incremental gradient method, sample by sample."""
    problem = load_problem("parabolas[d=3,m=4]", N=2)
    run, seen = in_turn(problem, order=order, K=4, T=3)
    passes = seen.reshape(3, 4, 3, 2)
    assert (np.sort(passes, axis=1) == np.arange(4)[None, :, None, None]).all()
    same = (passes == passes[:1]).all()
    assert same == (order != "reshuffled")
    assert (passes == np.arange(4)[None, :, None, None]).all() == (order == "listed")
    for lane in range(3):
        x = problem.start
        for numbers in seen[:, lane]:
            each = [problem.curvatures[i, j] * (x - problem.centres[i, j]) for i, j in enumerate(numbers)]
            x = x - 0.3 * sum(each) / 2
        np.testing.assert_allclose(run.final[lane], x, rtol=1e-13)


def test_rounds_need_not_end_with_a_pass():
    """Three steps a round, four samples: the order goes on, and is renewed when all were taken."""
    seen = in_turn(load_problem("parabolas[m=4]", N=1), order="reshuffled", K=3, T=4).seen
    assert (np.sort(seen.reshape(3, 4, 3), axis=1) == np.arange(4)[None, :, None]).all()
    pairs = in_turn(load_problem("parabolas[m=4]", N=1), order="listed", K=2, T=2, b=2).seen
    assert pairs[:, 0, 0].tolist() == [0, 1, 2, 3] * 2


def test_orders_are_uniform_and_do_not_depend_on_the_lanes_beside():
    """Chi-square over the six orders of three samples; a lane alone has the order that it has among others."""
    problem = load_problem("parabolas[m=3]", N=1)
    seen = in_turn(problem, order="reshuffled", K=3, T=1, lanes=3000).seen[:, :, 0].T
    counts = Counter(map(tuple, seen.tolist()))
    assert set(counts) == set(permutations(range(3)))
    assert sum((n - 500) ** 2 / 500 for n in counts.values()) < 20.5  # five degrees of freedom: 0.001
    method = METHODS["reshuffled-sgd"](eta=0.3)
    alone = simulate(load_problem("parabolas[m=3]", N=1), method, K=3, T=2, lanes=[2])
    among = simulate(load_problem("parabolas[m=3]", N=1), method, K=3, T=2, lanes=[0, 1, 2])
    assert (alone.final[0] == among.final[2]).all()


def test_all_orders_are_enumerated_where_they_are_few():
    """Two samples and two clients have four joint orders: their mean is that of the paths."""
    problem = load_problem("parabolas[m=2,d=2]", N=2)
    setting = Setting.of(problem, K=2, T=1)
    found = average_on_paths(problem, METHODS["reshuffled-sgd"](eta=0.3), METRICS["final_distance"], setting)
    ends = []
    for first, second in [(p, q) for p in permutations(range(2)) for q in permutations(range(2))]:
        x = problem.start
        for numbers in zip(first, second, strict=True):
            each = [problem.curvatures[i, j] * (x - problem.centres[i, j]) for i, j in enumerate(numbers)]
            x = x - 0.15 * sum(each)
        ends.append(((x - problem.x_star) ** 2).sum())
    assert sorted(found) == pytest.approx(sorted(ends))


def test_what_has_no_order_is_refused():
    """Noise, clients that sit out, minibatches that do not divide a pass, and unknown orders."""
    with pytest.raises(NotApplicableError, match="no list of one length"):
        oracle_on(load_problem("ridge-ratio", N=2))[0].draw_in_turn()
    with pytest.raises(NotApplicableError, match="1 of 2 take part"):
        oracle_on(load_problem("parabolas", N=2), S=1)[0].draw_in_turn()
    with pytest.raises(InputError, match="a divisor of 6"):
        oracle_on(load_problem("parabolas", N=2))[0].draw_in_turn(4)
    with pytest.raises(InputError, match="reshuffled, shuffled, listed"):
        METHODS["reshuffled-sgd"](eta=0.1, order="sorted")


def test_values_curvature_and_single_clients_of_parabolas():
    """Against the formula of the family; weight decay is part of every client's function."""
    problem = load_problem("parabolas[d=3,m=2,split=1]", N=3)
    oracle, x = oracle_on(problem, weight_decay=0.5)
    y = oracle.to_clients(x)
    own = [
        np.mean([(a * (x[1, 0] - c) ** 2).sum() / 2 for a, c in zip(A, C, strict=True)]) + 0.25 * (x[1, 0] ** 2).sum()
        for A, C in zip(problem.curvatures, problem.centres, strict=True)
    ]
    assert oracle.values(y)[1, :, 0] == pytest.approx(own)
    assert oracle.value(x)[1, 0, 0] == pytest.approx(np.mean(own))
    v = np.linspace(-1.0, 2.0, 18).reshape(2, 3, 3)
    np.testing.assert_allclose(oracle.curvature(y, v), (problem.curvatures.mean(axis=1) + 0.5) * v, rtol=1e-8)
    counted = oracle.counts.full_gradients
    np.testing.assert_allclose(oracle.alone(x, 4), oracle.full(y)[:, 1:2])
    assert oracle.counts.full_gradients == counted + 1 + 3
    with pytest.raises(NotApplicableError, match="values of single clients"):
        oracle_on(load_problem("ridge-ratio", N=2))[0].values(x)


@pytest.mark.parametrize("name", ["lasso", "boxed", "lasso[box=0.2,start=0.1]", "parabolas"])
def test_the_proximal_map_minimises(name):
    """Against a grid, coordinate by coordinate; the identity where h = 0."""
    problem = load_problem(name, N=2)
    oracle, _ = oracle_on(problem)
    grid = np.linspace(-3.0, 3.0, 60001)
    at = np.array([-1.7, -0.3, 0.0, 0.2, 2.4])
    found = oracle.prox(at[None, None, :], 0.6)[0, 0]
    for v, p in zip(at, found, strict=True):
        inside = np.abs(grid) <= problem.h.box
        costs = problem.h.l1 * np.abs(grid) + (grid - v) ** 2 / 1.2
        assert p == pytest.approx(grid[inside][costs[inside].argmin()], abs=2e-4)


def test_a_composite_problem_is_solved_by_proximal_steps():
    """F falls to F_star and no further, and its minimiser is a fixed point."""
    for name in ("lasso", "boxed"):
        problem = load_problem(name, N=3)
        eta = 1 / problem.constant("L")
        for method in ("proximal-sgd", "fista"):
            run = simulate(problem, METHODS[method](eta=eta), K=1, T=400, lanes=1, metrics=["final_composite"])
            assert run.average("final_composite")[0] == pytest.approx(0.0, abs=1e-12)
            np.testing.assert_allclose(run.final[0], problem.x_sum, atol=1e-6)
        assert np.abs(problem.x_sum - problem.lowest).max() > 0.01
