"""What a round's vectors are off their mean given its start: true and false neighbours, and exact numbers."""

from itertools import product

import numpy as np
import pytest

from boundcheck.bounds import BOUNDS
from boundcheck.errors import InputError, NotApplicableError
from boundcheck.proofs.chain.whole.prescribed import pieces
from boundcheck.proofs.chain.whole.proof import decide_file
from boundcheck.proofs.language.files import load

SETTING = """
indices = "i = 1 .. N, t = 0 .. T - 1, k = 0 .. K - 1, j = 0 .. K - 1"

[letters]
"> 0" = "N, K, T, a"

[vectors]
"x[t]" = "server, t = 0 .. T"
"y[t, k]" = "client, k = 0 .. K"
"s[t, j]" = "client, j = 0 .. K"
"xi[t, k]" = "noise"
"d[t]" = "client"
"n[t]" = "deviation"
"o[t]" = "deviation"
"w[t]" = "client"
"own[t, k]" = "deviation"

[definitions]
begin = "y[t, 0] = x[t]"
go = "y[t, k + 1] = y[t, k] - a xi[t, k]"
exact-begin = "s[t, 0] = x[t]"
exact-go = "s[t, j + 1] = s[t, j] - a grad(s[t, j])"
expected = "d[t] = some(x[t])"
drawn = "w[t] = d[t] + n[t]"
server = "x[t + 1] = x[t] - mean(i) w[t]"
"""


def verdict(tmp_path, claim):
    """Return the outcome about one claim in the setting."""
    path = tmp_path / "claim.toml"
    path.write_text(f"{SETTING}\n[claim.mine]\n{claim}\n", encoding="utf-8")
    return decide_file(load(path)).found["mine"]


TRUE = {
    "against the round's start": 'shows = "<x[t], n[t]> = 0 for t"',
    "against the mean": 'steps = "drawn"\nshows = "|w[t]|^2 = |d[t]|^2 + |n[t]|^2 for t"',
    "against an older round": 'shows = "<w[t - 1], n[t]> = 0 for t = 1 .. T - 1"',
    "of the next round": 'shows = "<n[t], n[t + 1]> = 0 for t = 0 .. T - 2"',
    "against a path that the start determines": 'shows = "<grad(s[t, k]), n[t]> = 0 for t, k"',
    "independent clients": 'steps = "fresh(u -> n[t]) [mean i]"\nshows = "|mean(i) n[t]|^2 = |n[t]|^2/N for t"',
    "two of one round": 'steps = "fresh(u -> n[t] - a o[t]) [mean i]"\n'
    'shows = "|mean(i) (n[t] - a o[t])|^2 = |n[t] - a o[t]|^2/N for t"',
    "older than the noise of the next round": 'shows = "<n[t], xi[t + 1, k]> = 0 for t = 0 .. T - 2, k"',
}


@pytest.mark.parametrize("name", TRUE)
def test_a_true_neighbour_is_proved(name, tmp_path):
    outcome = verdict(tmp_path, TRUE[name])
    assert outcome.proved, outcome.why


FALSE = {
    "against noise of its round": 'shows = "<n[t], xi[t, k]> = 0 for t, k"',
    "against the last noise of its round": 'shows = "<n[t], xi[t, K - 1]> = 0 for t"',
    "against a later point of its round": 'shows = "<y[t, k], n[t]> = 0 for t, k"',
    "against the first noise of its round": 'shows = "<n[t], xi[t, 0]> = 0 for t"',
    "against what is made of it": 'shows = "<w[t], n[t]> = 0 for t"',
    "against the next iterate": 'shows = "<x[t + 1], n[t]> = 0 for t"',
    "against the other of its round": 'shows = "<n[t], o[t]> = 0 for t"',
    "clients counted twice": 'steps = "fresh(u -> n[t]) [mean i]"\nshows = "|mean(i) n[t]|^2 <= |n[t]|^2/(2 N) for t"',
    "a path of the next round": 'shows = "<grad(s[t + 1, k]), n[t]> = 0 for t = 0 .. T - 2, k"',
    "one with all indices of the noise has no law": 'shows = "<x[t], own[t, k]> = 0 for t, k"',
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_neighbour_is_not_proved(name, tmp_path):
    assert not verdict(tmp_path, FALSE[name]).proved


def test_a_deviation_and_noise_are_not_averaged_together(tmp_path):
    with pytest.raises(InputError, match="several at one index"):
        verdict(tmp_path, 'steps = "fresh(u -> n[t] + xi[t, k]) [mean i]"\nshows = "a >= 0 for t, k"')


def test_the_laws_hold_on_exact_numbers_and_their_neighbours_do_not():
    """A path y' = y (1 - s) with signs s over two steps: what its end is off its mean, against start and signs."""
    ends = {signs: (1 - signs[0] / 2) * (1 - signs[1] / 2 * (1 + signs[0])) for signs in product((1, -1), repeat=2)}
    mean = np.mean(list(ends.values()))
    assert np.mean([end - mean for end in ends.values()]) == 0
    assert np.mean([(end - mean) * signs[0] for signs, end in ends.items()]) != 0
    assert np.mean([(end - mean) * signs[1] for signs, end in ends.items()]) != 0


def test_what_is_defined_piece_by_piece_inside_a_parameter_needs_a_letter():
    inside, plain = (BOUNDS[f"fedglomo.theorem1{form}"].parameters.values() for form in ("R", "-proof"))
    (letter,) = pieces(inside, ("local",)).values()
    assert (str(letter), letter.is_nonnegative) == ("local", True)
    assert pieces(plain, ()) == {}
    with pytest.raises(NotApplicableError, match="more pieces than letters"):
        pieces(inside, ())
