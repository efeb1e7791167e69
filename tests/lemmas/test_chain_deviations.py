"""What a round's vectors are off their mean given its start: true and false neighbours, and exact numbers."""

from itertools import product

import numpy as np
import pytest

from boundcheck.bounds import BOUNDS
from boundcheck.errors import InputError, NotApplicableError
from boundcheck.lemmas.chain.files import load
from boundcheck.lemmas.chain.prescribed import pieces
from boundcheck.lemmas.chain.proof import decided

SETTING = """
[letters]
N = "> 0"
K = "> 0"
T = "> 0"
a = "> 0"

[indices]
i = "1 .. N"
t = "0 .. T - 1"
k = "0 .. K - 1"
j = "0 .. K - 1"

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

[[equation]]
id = "begin"
is = "y[t, 0] = x[t]"

[[equation]]
id = "go"
is = "y[t, k + 1] = y[t, k] - a xi[t, k]"

[[equation]]
id = "exact-begin"
is = "s[t, 0] = x[t]"

[[equation]]
id = "exact-go"
is = "s[t, j + 1] = s[t, j] - a grad(s[t, j])"

[[equation]]
id = "expected"
is = "d[t] = some(x[t])"

[[equation]]
id = "drawn"
is = "w[t] = d[t] + n[t]"

[[equation]]
id = "server"
is = "x[t + 1] = x[t] - mean(i) w[t]"
"""


def verdict(tmp_path, claim):
    """Return the outcome about one claim in the setting."""
    path = tmp_path / "claim.toml"
    path.write_text(f'{SETTING}\n[[claim]]\nid = "mine"\n{claim}\n', encoding="utf-8")
    return decided(load(path)).found["mine"]


TRUE = {
    "against the round's start": 'for = "t"\nshows = "<x[t], n[t]> = 0"',
    "against the mean": 'for = "t"\nsteps = ["drawn"]\nshows = "|w[t]|^2 = |d[t]|^2 + |n[t]|^2"',
    "against an older round": 'for = "t = 1 .. T - 1"\nshows = "<w[t - 1], n[t]> = 0"',
    "of the next round": 'for = "t = 0 .. T - 2"\nshows = "<n[t], n[t + 1]> = 0"',
    "against a path that the start determines": 'for = "t, k"\nshows = "<grad(s[t, k]), n[t]> = 0"',
    "independent clients": 'for = "t"\nsteps = ["fresh(u -> n[t]) [mean i]"]\nshows = "|mean(i) n[t]|^2 = |n[t]|^2/N"',
    "two of one round": 'for = "t"\nsteps = ["fresh(u -> n[t] - a o[t]) [mean i]"]\n'
    'shows = "|mean(i) (n[t] - a o[t])|^2 = |n[t] - a o[t]|^2/N"',
    "older than the noise of the next round": 'for = "t = 0 .. T - 2, k"\nshows = "<n[t], xi[t + 1, k]> = 0"',
}


@pytest.mark.parametrize("name", TRUE)
def test_a_true_neighbour_is_proved(name, tmp_path):
    outcome = verdict(tmp_path, TRUE[name])
    assert outcome.proved, outcome.why


FALSE = {
    "against noise of its round": 'for = "t, k"\nshows = "<n[t], xi[t, k]> = 0"',
    "against the last noise of its round": 'for = "t"\nshows = "<n[t], xi[t, K - 1]> = 0"',
    "against a later point of its round": 'for = "t, k"\nshows = "<y[t, k], n[t]> = 0"',
    "against the first noise of its round": 'for = "t"\nshows = "<n[t], xi[t, 0]> = 0"',
    "against what is made of it": 'for = "t"\nshows = "<w[t], n[t]> = 0"',
    "against the next iterate": 'for = "t"\nshows = "<x[t + 1], n[t]> = 0"',
    "against the other of its round": 'for = "t"\nshows = "<n[t], o[t]> = 0"',
    "clients counted twice": 'for = "t"\nsteps = ["fresh(u -> n[t]) [mean i]"]\n'
    'shows = "|mean(i) n[t]|^2 <= |n[t]|^2/(2 N)"',
    "a path of the next round": 'for = "t = 0 .. T - 2, k"\nshows = "<grad(s[t + 1, k]), n[t]> = 0"',
    "one with all indices of the noise has no law": 'for = "t, k"\nshows = "<x[t], own[t, k]> = 0"',
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_neighbour_is_not_proved(name, tmp_path):
    assert not verdict(tmp_path, FALSE[name]).proved


def test_a_deviation_and_noise_are_not_averaged_together(tmp_path):
    with pytest.raises(InputError, match="several at one index"):
        verdict(tmp_path, 'for = "t, k"\nsteps = ["fresh(u -> n[t] + xi[t, k]) [mean i]"]\nshows = "a >= 0"')


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
