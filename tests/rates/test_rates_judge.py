"""The words of a measured rate: each from slopes made by hand, and each control that fails."""

import itertools

import numpy as np
import pytest

from boundcheck.rates import HEADLINES, WORDS, Slope, Slopes, fit_slope, judge_slopes
from boundcheck.rates.judge import local_turn


def at(value, reach=0.0):
    return Slope(value, value - reach, value + reach)


def slopes(**changed):
    """Return slopes of a rate -1/2 that is attained, with a control that falls by a third, and changes to them."""
    usual = {
        "printed": -0.5,
        "average": at(-0.46),
        "late": at(-0.51),
        "bound": -0.5,
        "control": at(-0.34),
        "control_known": -1 / 3,
    }
    return Slopes(**(usual | changed))


CASES = {
    "as promised": {},
    "faster than printed": {"late": at(-0.7), "average": at(-0.6)},
    "slower": {"late": at(-0.4), "average": at(-0.38)},
    "transient": {"late": at(-0.9)},
}


@pytest.mark.parametrize("word", CASES)
def test_slopes_make_the_word(word):
    """One change to an attained rate, one other word."""
    assert judge_slopes(slopes(**CASES[word]))[0] == word


def test_a_control_that_falls_as_fast_makes_a_transient():
    """SGD that falls like the faster method on a bowl: nothing about the rate was seen."""
    word, note = judge_slopes(slopes(control=at(-0.52)))
    assert (word, "as fast" in note) == ("transient", True)
    assert judge_slopes(slopes(control=at(-0.9)))[0] == "transient"


def test_a_control_that_misses_its_power_leaves_all_open():
    """Whatever the second half says, and at any distance."""
    for late in (-0.5, -0.9, -0.1):
        word, note = judge_slopes(slopes(late=at(late), control=at(-0.1)))
        assert (word, "could not have told" in note) == ("undecided", True)


def test_a_bound_that_rises_is_said_and_excuses_nothing():
    """A bound that goes another way on the grid stands in the note; a slow measurement beside a slow bound is open."""
    word, note = judge_slopes(slopes(bound=0.68))
    assert (word, "+0.68" in note) == ("as promised", True)
    assert judge_slopes(slopes(late=at(-0.3), average=at(-0.3), bound=-0.3))[0] == "undecided"
    assert judge_slopes(slopes(late=at(-0.3), average=at(-0.3), bound=None))[0] == "slower"


def test_an_interval_across_the_band_is_undecided():
    """Noise that reaches out of the band decides nothing, on either side."""
    for late in (at(-0.53, 0.04), at(-0.47, 0.04), at(-0.5, 0.2)):
        assert judge_slopes(slopes(late=late))[0] == "undecided"
    assert judge_slopes(slopes(late=at(-0.5, 0.04)))[0] == "as promised"


def test_slow_second_halves_beside_a_promised_average_are_open():
    """Only when both readouts are slower is the rate called so."""
    assert judge_slopes(slopes(late=at(-0.4), average=at(-0.5)))[0] == "undecided"


def test_a_second_half_that_still_turns_has_no_power_yet():
    """On a grid that ends before the tail begins: neither as promised nor slower, whichever way it turns."""
    assert judge_slopes(slopes(turns=-0.06))[0] == "undecided"
    assert judge_slopes(slopes(turns=0.06))[0] == "undecided"
    slow = {"late": at(-0.4), "average": at(-0.38)}
    assert judge_slopes(slopes(**slow, turns=-0.04))[0] == "undecided"
    assert judge_slopes(slopes(**slow, turns=-0.01))[0] == "slower"
    # What is steeper than printed already does not become less so by a longer grid.
    assert judge_slopes(slopes(late=at(-0.9), turns=-0.5))[0] == "transient"


def test_turns_are_those_of_the_last_three_points():
    """Powers -1/2 and then -1: a turn of -1/2; a power has none."""
    assert local_turn([1.0, 2.0, 4.0], [[1.0], [2**-0.5], [2**-1.5]]) == pytest.approx(-0.5)
    assert local_turn([9.0, 1.0, 3.0, 9.0], [[7.0], [1.0], [3**-0.5], [9**-0.5]]) == pytest.approx(0.0)


def test_every_word_has_a_meaning():
    """The words of the judge are listed, and no others are used by it but that of a run that could not be made."""
    assert set(WORDS) == {*CASES, "undecided", "not attainable"}


def test_a_slope_is_that_of_its_last_points():
    """A power fitted to three points, the first left out; with lanes, Student's interval of their slopes."""
    x = [1.0, 2.0, 4.0, 8.0]
    found = fit_slope(x, [[100.0], [2**-0.5], [4**-0.5], [8**-0.5]])
    assert (found.value, found.low, found.high) == pytest.approx((-0.5, -0.5, -0.5))
    lanes = fit_slope(x[1:], [[2.0**-p for p in (0.4, 0.5, 0.6)], [4.0**-p for p in (0.4, 0.5, 0.6)],
                              [8.0**-p for p in (0.4, 0.5, 0.6)]])  # fmt: skip
    # Standard error 0.1/sqrt(3), Student's quantile with two degrees of freedom 4.3027.
    assert lanes.value == pytest.approx(-0.5)
    assert lanes.high - lanes.value == pytest.approx(0.1 / np.sqrt(3) * 4.302653, rel=1e-6)


@pytest.mark.parametrize("name", HEADLINES)
def test_headlines_can_come_out_otherwise(name):
    """The control's power differs from the printed one by more than both bands; the grid has room for a slope."""
    headline = HEADLINES[name]
    assert abs(headline.control.power - headline.printed_power()) > 0.11
    assert all(b >= 1.5 * a for a, b in itertools.pairwise(headline.grid))


PRINTED = {
    # Read off the papers' displays: 1/sqrt(N K T), (1/(N K T))^(2/3), sqrt(1/(S K T)), (1/(S sqrt(K) T))^(2/3),
    # bracket^(1/3) T^(-2/3) with 1/S in the bracket, (N T)^(-2/3), 1/T at q = (T/N^2)^(1/3), sqrt(1/(S T)), eps^-3.
    "fedavg-m": {"T": -1 / 2, "N": -1 / 2, "K": -1 / 2, "NK": -1 / 2},
    "fedavg-m-vr": {"T": -2 / 3, "N": -2 / 3, "K": -2 / 3},
    "scaffold-m": {"S": -1 / 2, "T": -1 / 2},
    "scaffold-m-vr": {"T": -2 / 3, "S": -2 / 3, "K": -1 / 3},
    "fedlalr": {"N": -1 / 2, "K": -1 / 2, "NK": -1 / 2, "T": -1 / 2},
    "fedglomo": {"T": -2 / 3, "S": -1 / 3},
    "fmgda": {"T": -2 / 3, "N": -2 / 3, "rounds": -1.0},
    "gradma": {"S": -1 / 2},
    "storm": {"T": -2 / 3},
}


def test_printed_powers_are_those_of_the_papers():
    """Powers computed from the terms against those read off the displays by hand; no headline is missing."""
    wanted = {f"{method}.{letter}": power for method, row in PRINTED.items() for letter, power in row.items()}
    assert {name: one.printed_power() for name, one in HEADLINES.items()} == pytest.approx(wanted)
