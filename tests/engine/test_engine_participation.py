"""Few of many clients, drawn one after the other: uniform, in no more words than clients take part."""

from collections import Counter

import numpy as np
import pytest

from boundcheck import load_problem
from boundcheck.engine import simulate
from boundcheck.engine.backends import has_jax
from boundcheck.engine.participation import draw_clients, draw_in_turn, drawn_in_turn
from boundcheck.engine.streams import PARTICIPATION, LaneStreams
from boundcheck.methods import METHODS


def test_every_subset_is_equally_likely():
    """Over all remainders of three words each of the ten subsets of five comes up equally often."""
    words = np.stack(np.meshgrid(*[np.arange(60, dtype=np.uint64)] * 3), axis=-1).reshape(-1, 3)
    chosen = np.sort(np.stack(draw_in_turn(np, words, 5), axis=1), axis=1)
    counts = Counter(map(tuple, chosen.tolist()))
    assert len(counts) == 10
    assert set(counts.values()) == {60**3 // 10}


@pytest.mark.parametrize(("N", "S", "words"), [(1024, 32, 32), (1024, 33, 1024), (1023, 2, 1023), (5000, 1, 1)])
def test_few_of_many_take_a_word_each(N, S, words):
    """From 1024 clients on, where S^2 <= N; else a word a client, as ever."""
    stream = LaneStreams(3, PARTICIPATION, [(0,), (1,)])
    found = draw_clients(stream, N, S)
    assert stream.words_taken == words == (S if drawn_in_turn(N, S) else N)
    assert found.shape == (2, S)
    assert all(len(set(row)) == S and row == sorted(row) and row[0] >= 0 and row[-1] < N for row in found.tolist())


def test_a_lane_has_the_clients_that_it_has_alone():
    """Whatever lanes run beside it."""
    together = draw_clients(LaneStreams(3, PARTICIPATION, [(0,), (1,)]), 2000, 7)
    alone = draw_clients(LaneStreams(3, PARTICIPATION, [(1,)]), 2000, 7)
    assert together[1].tolist() == alone[0].tolist()


@pytest.mark.skipif(not has_jax(), reason="needs JAX")
def test_compiled_runs_draw_the_same_clients():
    """Both backends agree to rounding."""
    problem, method = load_problem("ridge-ratio", N=1024, d=2), METHODS["fedavg"](eta=0.05)
    runs = [simulate(problem, method, K=1, T=6, S=4, lanes=2, seed=3, backend=name) for name in ("numpy", "jax")]
    for name, curve in runs[0].curves.items():
        np.testing.assert_allclose(curve, runs[1].curves[name], rtol=1e-9)
