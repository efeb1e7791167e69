"""Minibatches that are made ahead are those that are made one at a time."""

import numpy as np
import pytest

from boundcheck.engine.minibatches import Minibatches
from boundcheck.engine.streams import NOISE, LaneStreams
from boundcheck.problems import load_problem

KEYS = [(4, 4, 3, 9, 1, lane) for lane in range(3)]
PROBLEMS = (
    "ridge-ratio",
    "ridge-ratio-phases",
    "ridge-dropout",
    "finite-sum",
    "logistic-wine",
    "ncsc-p1",
    "ridge-ratio[sigma=0]",
)


def arrays(token):
    """Return the arrays of a minibatch."""
    return [part for part in (token if isinstance(token, tuple) else [token]) if part is not None]


def same(token, expected):
    """Return whether two minibatches are equal bit for bit."""
    pairs = zip(arrays(token), arrays(expected), strict=True)
    return type(token) is type(expected) and all(np.array_equal(a, b) and a.dtype == b.dtype for a, b in pairs)


@pytest.mark.parametrize("name", PROBLEMS)
def test_rows_of_any_length_are_what_single_draws_are(name):
    """Whatever sizes come after one another, every minibatch is the problem's own sample of the next words."""
    problem = load_problem(name, N=4)
    ahead, plain = (LaneStreams(5, NOISE, KEYS) for _ in range(2))
    minibatches = Minibatches(problem, ahead)
    for b in [1] * 9 + [2] + [1] * 3 + [3] * 5 + [1, 2] * 3 + [1] * 20:
        assert same(minibatches.draw(None, b), problem.sample(plain, None, b)), b


@pytest.mark.parametrize("name", ["ridge-ratio", "logistic-wine"])
def test_each_round_has_the_minibatches_of_its_own_clients(name):
    """Rows end where other clients take part, even if the numbers of clients are equal."""
    problem, rng = load_problem(name, N=6), np.random.default_rng(0)
    ahead, plain = (LaneStreams(5, NOISE, KEYS) for _ in range(2))
    minibatches = Minibatches(problem, ahead)
    for steps in (4, 4, 7, 2, 4):
        clients = np.sort(rng.permuted(np.tile(np.arange(6), (3, 1)), axis=1)[:, :2])
        for _ in range(steps):
            assert same(minibatches.draw(clients, 1), problem.sample(plain, clients, 1))


def test_words_that_others_take_are_theirs():
    """What is made ahead is made anew after somebody else has taken words of the same stream."""
    problem = load_problem("finite-sum", N=4)
    ahead, plain = (LaneStreams(5, NOISE, KEYS) for _ in range(2))
    minibatches = Minibatches(problem, ahead)
    for step in range(12):
        assert same(minibatches.draw(None, 1), problem.sample(plain, None, 1))
        if step in {5, 6}:
            np.testing.assert_array_equal(ahead.raw(3), plain.raw(3))


def test_lanes_that_are_left_keep_what_was_made_for_them():
    """After a lane has dropped out the others go on with their own minibatches."""
    problem, stay = load_problem("logistic-wine", N=4), np.array([True, False, True])
    ahead, plain = (LaneStreams(5, NOISE, KEYS) for _ in range(2))
    minibatches = Minibatches(problem, ahead)
    for _ in range(5):
        assert same(minibatches.draw(None, 1), problem.sample(plain, None, 1))
    for part in (ahead, minibatches, plain):
        part.keep(stay)
    for _ in range(9):
        assert same(minibatches.draw(None, 1), problem.sample(plain, None, 1))


def test_few_calls_make_many_minibatches():
    """The first of a row is made alone, then twice as many each time."""
    problem, asked = load_problem("finite-sum", N=4), []
    sample = problem.sample
    problem.sample = lambda stream, clients, b: asked.append(stream.lanes) or sample(stream, clients, b)
    minibatches = Minibatches(problem, LaneStreams(5, NOISE, KEYS))
    for _ in range(64):
        minibatches.draw(None, 1)
    assert asked == [3, 3, 6, 12, 24, 48, 96]


@pytest.mark.parametrize("token", ["a word", np.zeros((1, 4, 2))])
def test_minibatches_of_other_kinds_are_made_one_at_a_time(token):
    """Whatever a problem of the user's takes for a minibatch is asked for whenever it is wanted."""
    problem, asked = load_problem("finite-sum", N=4), []
    problem.sample = lambda stream, clients, b: asked.append(stream.raw(2).shape) or token
    stream = LaneStreams(5, NOISE, KEYS[: 1 if isinstance(token, np.ndarray) else 3])
    minibatches = Minibatches(problem, stream)
    for step in range(8):
        assert minibatches.draw(None, 1) is token
        assert stream.words_taken == 2 * (step + 1)
