"""The setting of a run: what is legal, and what decides a lane's random numbers."""

import dataclasses

import numpy as np
import pytest

from boundcheck import load_problem, simulate
from boundcheck.engine.setting import Setting
from boundcheck.engine.streams import NOISE, LaneStreams
from boundcheck.errors import InputError
from boundcheck.methods import METHODS

LEGAL = {"N": 4, "S": 2, "K": 3, "T": 5, "b": 1}


@pytest.mark.parametrize("letter", ["S", "K", "T", "b"])
@pytest.mark.parametrize("value", [0, -1, 1.5, True, "2", None])
def test_counts_are_integers_from_one(letter, value):
    """Whatever is no count is refused with the letter and the value."""
    with pytest.raises(InputError, match=f"{letter} = {value!r} is not legal: an integer >= 1"):
        Setting(**LEGAL | {letter: value})


def test_no_more_clients_take_part_than_there_are():
    """S > N names both."""
    with pytest.raises(InputError, match="S = 5 is not legal: at most N = 4"):
        Setting(**LEGAL | {"S": 5})


def test_all_clients_of_a_problem_take_part_by_default():
    """N comes from the problem, S too unless it is given."""
    problem = load_problem("ridge-ratio", N=4)
    assert Setting.of(problem, K=3, T=5) == Setting(**LEGAL | {"S": 4})
    assert Setting.of(problem, K=3, T=5, S=2).letters == LEGAL
    assert Setting.of(problem, K=3, T=5, S=2).at(7).T == 7


def test_the_key_has_every_letter():
    """Another value of any letter, or another replicate, gives another key."""
    setting = Setting(**LEGAL)
    others = [
        dataclasses.replace(setting, **{letter: LEGAL[letter] + (letter != "S") - (letter == "S")}) for letter in LEGAL
    ]
    keys = {setting.key(0), setting.key(1), *(other.key(0) for other in others)}
    assert len(keys) == 2 + len(LEGAL)


def test_a_run_draws_from_the_stream_of_the_key():
    """One step of SGD from a known point shows the noise: it is the stream of (N, S, K, T, b, replicate)."""
    problem = load_problem("quadratic[d=3,sigma=1,zeta=0]", N=1)
    setting = Setting.of(problem, K=1, T=1)
    found = simulate(problem, METHODS["fedavg"](eta=1.0), K=1, T=1, lanes=[4], seed=9).final[0]
    words = LaneStreams(9, NOISE, [setting.key(4)])
    token = problem.sample(words, None, 1)
    start = problem.start[None, None, :]
    expected = problem.start - problem.gradient(start, None, token)[0, 0]
    np.testing.assert_array_equal(found, expected)
