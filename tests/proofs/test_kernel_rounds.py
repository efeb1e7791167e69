"""Rounds with one noise each: a sample is drawn after it, at the end of the round, and before the next."""

import random
from fractions import Fraction
from itertools import product

import pytest
from kernel_worlds import World

from boundcheck.proofs.kernel import File, Kernel, Proof, births

SETTING = """
indices = "i = 1 .. N, t = 0 .. T - 1"

[letters]
"> 0" = "N, T, S, eta"

[vectors]
"x[t]" = "server, t = 0 .. T"
"xi[t]" = "noise"
"n[t]" = "deviation"
"g[t]" = "client"
"A[t]" = "sample of S"

[equations]
local = "g[t] = grad(x[t]) + xi[t]"
server = "x[t + 1] = x[t] - eta N/S mean(i) taken(A[t], g[t]) + mean(i) n[t]"
"""
TRUE = [
    'shows = "<x[t], xi[t]> = 0 for t"',
    'shows = "<x[t], n[t]> = 0 for t"',
    'shows = "|taken(A[t], g[t])|^2 = S/N |g[t]|^2 for t"',
    'shows = "<mean(i) taken(A[t], g[t]), x[t]> = S/N <mean(i) g[t], x[t]> for t"',
    'shows = "<mean(i) taken(A[t], g[t]), n[t]> = S/N <mean(i) g[t], n[t]> for t"',
    'shows = "<mean(i) taken(A[t], xi[t]), x[t]> = 0 for t"',
    (
        'steps = "sample(u -> taken(A[t], g[t]))"\nshows = "|N/S mean(i) taken(A[t], g[t])|^2'
        ' <= (1 - 1/S) |mean(i) g[t]|^2 + 1/S |g[t]|^2 for t"'
    ),
]
FALSE = [
    'shows = "<x[t + 1], xi[t]> = 0 for t"',
    'shows = "<g[t], n[t]> = 0 for t"',
    'shows = "<x[t + 1], n[t]> = 0 for t"',
    'shows = "|taken(A[t], g[t + 1])|^2 = S/N |g[t + 1]|^2 for t = 0 .. T - 2"',
    'shows = "<taken(A[t], g[t]), x[t + 1]> = S/N <g[t], x[t + 1]> for t"',
    'shows = "<taken(A[t], xi[t + 1]), g[t + 1]> = 0 for t = 0 .. T - 2"',
]
SHAPES = [(N, T, S) for N, T in ((1, 1), (2, 1), (1, 2), (2, 2)) for S in range(1, N + 1)]


def kernel(tmp_path, body, claimed):
    page = tmp_path / "claims.toml"
    page.write_text(f"{SETTING}\n[claim.it]\n{body}\n", encoding="utf-8")
    file = File()
    file.read(page)
    return Kernel(file, Proof({"births": claimed, "late": [], "claims": {}}))


CLAIMED = {"x": 0, "g": "end"}


def failures(file):
    """Return at how many worlds the claim fails."""
    chance, failed = random.Random(3), 0
    for (N, T, S), _ in product(SHAPES, range(2)):
        letters = {"N": N, "T": T, "S": S, "eta": Fraction(chance.randint(1, 4), 2)}
        world = World(file, letters, chance.random())
        failed += world.fails(file.claims["it"].statement) is not None
    return failed


@pytest.mark.parametrize("body", TRUE)
def test_what_is_true_is_proved_and_holds(body, tmp_path):
    made = kernel(tmp_path, body, CLAIMED)
    verdict = made.check()["it"]
    assert verdict.proved, verdict.why
    assert failures(made.file) == 0


@pytest.mark.parametrize("body", FALSE)
def test_a_false_neighbour_fails_and_is_refused(body, tmp_path):
    made = kernel(tmp_path, body, CLAIMED)
    assert not made.check()["it"].proved
    assert failures(made.file) > 0


@pytest.mark.parametrize("claimed", [{"x": 0, "g": 0}, {"x": -1, "g": "end"}, {"x": "end", "g": 0}])
def test_births_that_are_too_old_are_refused(claimed, tmp_path):
    with pytest.raises(births.Refused, match="may be younger than the birth claimed"):
        kernel(tmp_path, TRUE[0], claimed)


def test_with_samples_that_are_drawn_before_the_noise_a_false_neighbour_is_proved(tmp_path, monkeypatch):
    """The order of time is what refuses it: without it the check above is broken."""
    monkeypatch.setattr(births.Births, "_before", lambda *_: True)
    assert kernel(tmp_path, FALSE[3], CLAIMED).check()["it"].proved
