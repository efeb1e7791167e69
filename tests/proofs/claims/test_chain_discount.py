"""Means with growing weights and the recursion that bounds them: true and false neighbours, and exact numbers."""

import random
from fractions import Fraction

import pytest

from boundcheck.conform.equations.statements import StatementRun
from boundcheck.errors import InputError
from boundcheck.proofs.chain.whole.assembly import assemble_certificates, count_trusted
from boundcheck.proofs.chain.whole.proof import decide_file
from boundcheck.proofs.kernel.certificates import check
from boundcheck.proofs.language.files import load
from boundcheck.proofs.language.grammar import node_text, read

SETTING = """
indices = "i = 1 .. N, t = 0 .. T - 1, s = 0 .. T - 1"

[letters]
"> 0" = "N, T, a"
">= 0" = "g, h"
"real" = "p, low"

[vectors]
"x[t]" = "server, t = 0 .. T"
"w[t]" = "client"
"v[t]" = "client"
"xi[t]" = "noise"

[equations]
server = "x[t + 1] = x[t] - mean(i) xi[t]"

[definitions]
gap = "gap[t] = f(x[t]) - low for t = 0 .. T"
B = "B[t] = |w[t]|^2"

[leaf.lower]
points = "c server"
says = "low <= f(c)"

[leaf.down]
says = "gap[t + 1] <= (1 + g) gap[t] - B[t] + a for t"

[leaf.down-at-once]
says = "gap[t + 1] <= (1 + g) gap[t] - |mean(i) w[t]|^2 for t"

[leaf.late]
says = "gap[t + 1] <= (1 + g) gap[t] - B[t] + a for t = 1 .. T - 1"

[leaf.shrinking]
says = "gap[t + 1] <= (1 + p) gap[t] - B[t] for t"

[leaf.weighted]
says = "gap[t + 1] <= (1 + g) gap[t] - t B[t] for t"

[claim.positive]
steps = "lower(c -> x[t]); gap"
shows = "0 <= gap[t] for t = 0 .. T"

[claim.conditional]
steps = "lower(c -> x[t]); gap"
shows = "0 <= gap[t] for t = 0 .. T if g <= 1"

[claim.not-last]
steps = "lower(c -> x[t]); gap"
shows = "0 <= gap[t] for t"

[claim.claimed]
steps = "down"
shows = "gap[t + 1] <= (1 + g) gap[t] - B[t] + a for t"

[claim.indexed]
steps = "down"
shows = "gap[t + 1] <= (1 + g) gap[t] - B[t] + a for t if g t <= 1"
"""
STEPS = 'steps = "down [discount t g] : 1; positive"\n'


def verdict(tmp_path, claim):
    """Return the outcome about one claim in the setting."""
    path = tmp_path / "claim.toml"
    path.write_text(f"{SETTING}\n[claim.mine]\n{claim}\n", encoding="utf-8")
    return decide_file(load(path)).found["mine"]


TRUE = {
    "the recursion": f'{STEPS}shows = "discounted(t, g) B[t] <= (g + 1/T) gap[0] + a"',
    "without the constant": 'steps = "down-at-once [discount t g] : 1; positive"\n'
    'shows = "discounted(t, g) |mean(i) w[t]|^2 <= (g + 1/T) gap[0]"',
    "a larger growth does as well": 'steps = "down; more; positive"\n'
    'shows = "gap[t + 1] <= (1 + h) gap[t] - B[t] + a for t if h >= g"'.replace(" more;", ""),
    "an equation under the mean": 'steps = "B [discount t g]"\n'
    'shows = "discounted(t, g) B[t] = discounted(t, g) |w[t]|^2"',
    "a square": 'shows = "discounted(t, g) |mean(i) w[t]|^2 <= discounted(t, g) |w[t]|^2"',
    "a constant": 'shows = "discounted(t, g) (2 a) = 2 a"',
    "a product": 'shows = "2 discounted(t, g) <w[t], v[t]> <= discounted(t, g) (|w[t]|^2 + |v[t]|^2)"',
    "noise against what is older": 'shows = "discounted(t, g) <x[t], xi[t]> = 0"',
    "a sequence of squares": 'shows = "0 <= discounted(t, g) B[t]"',
    "a sign, used": 'steps = "positive"\nshows = "0 <= gap[t] + 2 gap[t + 1] for t"',
}


@pytest.mark.parametrize("name", TRUE)
def test_a_true_neighbour_is_proved(name, tmp_path):
    outcome = verdict(tmp_path, TRUE[name])
    assert outcome.proved, outcome.why


FALSE = {
    "one factor less": f'{STEPS}shows = "discounted(t, g) B[t] <= 1/T gap[0] + a"',
    "one round more": f'{STEPS}shows = "discounted(t, g) B[t] <= (g + 1/(T + 1)) gap[0] + a"',
    "half a growth": f'{STEPS}shows = "discounted(t, g) B[t] <= (g/2 + 1/T) gap[0] + a"',
    "normalised twice": f'{STEPS}shows = "discounted(t, g) B[t] <= (g + 1/T) gap[0] + a/T"',
    "not normalised": f'{STEPS}shows = "sum(t) B[t] <= (g + 1/T) gap[0] + a"',
    "weights left out": f'{STEPS}shows = "mean(t) B[t] <= (g + 1/T) gap[0] + a"',
    "weights of another growth": f'{STEPS}shows = "discounted(t, h) B[t] <= (g + 1/T) gap[0] + a"',
    "sign left out": 'steps = "down [discount t g] : 1"\nshows = "discounted(t, g) B[t] <= (g + 1/T) gap[0] + a"',
    "two means are not one": 'shows = "discounted(t, g) |w[t]|^2 = mean(t) |w[t]|^2"',
    "an equation under another mean": 'steps = "B [mean t]"\n'
    'shows = "discounted(t, g) B[t] = discounted(t, g) |w[t]|^2"',
    "the last, in a mean": 'shows = "B[T - 1] <= T discounted(t, g) B[t]"',
    "noise against what is younger": 'shows = "discounted(t, g) <x[t + 1], xi[t]> = 0"',
    "noise of another round": 'shows = "discounted(t, g) <x[t], xi[0]> = 0"',
    "a sign, reversed": 'steps = "positive"\nshows = "gap[t] <= 0 for t"',
    "a sign is no equality": 'steps = "positive"\nshows = "gap[t] = 0 for t"',
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_neighbour_is_not_proved(name, tmp_path):
    assert not verdict(tmp_path, FALSE[name]).proved


ILLEGAL = {
    "a part of the rounds": ("late [discount t g]", "may leave the range"),
    "a growth of unknown sign": ("shrinking [discount t p]", "a letter that is > 0 or >= 0"),
    "another growth": ("down [discount t h]", "not of the shape"),
    "a weight that depends on the round": ("weighted [discount t g]", "depends on t; bound it first"),
    "a hypothesis on the bound index": ("indexed [discount t g]", "depends on the bound index t"),
    "a growth that is no letter": ("down [discount t 2]", "a name"),
    "an unknown growth": ("down [discount t q]", "a letter that is > 0 or >= 0"),
    "another index": ("down [discount s g]", "index t of down is free"),
}


@pytest.mark.parametrize("name", ILLEGAL)
def test_an_illegal_use_is_named(name, tmp_path):
    step, message = ILLEGAL[name]
    with pytest.raises(InputError) as raised:
        verdict(tmp_path, f'steps = "{step} : 1; positive"\nshows = "0 <= a"')
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("shows", "message"),
    [
        ("discounted(t, a + g) B[t] >= 0", "a letter that is > 0 or >= 0"),
        ("discounted(t, g) (t B[t]) >= 0", "depends on t"),
        ("discounted(i, g) B[0] >= 0", "the clients have no order; legal are t, s"),
        ("discounted(t) B[t] >= 0", "discounted(t, g) s was expected"),
    ],
)
def test_an_illegal_mean_is_named(shows, message, tmp_path):
    with pytest.raises(InputError) as raised:
        verdict(tmp_path, f'shows = "{shows}"')
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("says", "shows", "proved"),
    [
        ("h g <= a", "h g <= 2 a", True),
        ("h g <= a", "2 h g <= a", False),
        ("h + g = a", "h <= a", True),
    ],
)
def test_a_leaf_about_letters_is_a_hypothesis(says, shows, proved, tmp_path):
    leaf = f'[leaf.letters]\nsays = "{says}"\n[claim.mine]\nsteps = "letters"\nshows = "{shows}"'
    path = tmp_path / "claim.toml"
    path.write_text(f"{SETTING}\n{leaf}\n", encoding="utf-8")
    outcome = decide_file(load(path)).found["mine"]
    assert outcome.proved == proved
    assert not proved or "letters" in outcome.leaves


def test_hypotheses_of_a_sign_are_inherited(tmp_path):
    claim = STEPS.replace("positive", "conditional") + 'shows = "discounted(t, g) B[t] <= (g + 1/T) gap[0] + a"'
    assert [str(node) for node in verdict(tmp_path, claim).inherited] == ["g <= 1"]


def test_a_sign_at_some_indices_is_no_sign_of_the_sequence(tmp_path):
    claim = 'steps = "down [discount t g] : 1; not-last"\nshows = "discounted(t, g) B[t] <= (g + 1/T) gap[0] + a"'
    with pytest.raises(InputError, match="index t of not-last is free"):
        verdict(tmp_path, claim)


def test_text_and_tree_are_one():
    text = "discounted(t, g) (2*B[t])"
    assert node_text(read("discounted(t, g) (2 B[t])")) == text
    assert read(text) == read(node_text(read(text)))


def series(seed):
    """Return growth, constant, values A_0.. of a nonnegative recursion and its b_0..; the last A may be 0."""
    rng = random.Random(seed)
    T, g = rng.randint(1, 6), Fraction(rng.randint(0, 12), 10)
    c, A, b = Fraction(rng.randint(0, 5), 7), [Fraction(rng.randint(0, 9))], []
    for _ in range(T):
        most = (1 + g) * A[-1] + c
        b.append(most * Fraction(rng.randint(0, 4), 4))
        A.append((most - b[-1]) * Fraction(rng.randint(3, 4), 4))
    return g, c, A, b


def average(g, b):
    """Return the mean with weights (1 + g)^(T-1-t), straight from its definition."""
    weights = [(1 + g) ** (len(b) - 1 - t) for t in range(len(b))]
    return sum(w * v for w, v in zip(weights, b, strict=True)) / sum(weights)


def test_the_recursion_holds_on_exact_numbers_and_its_neighbours_do_not():
    """What the rule gives against sums in fractions: no exception; without g, 1/T or the sign there are some."""
    runs = [series(seed) for seed in range(400)]
    assert all(average(g, b) <= (g + Fraction(1, len(b))) * A[0] + c for g, c, A, b in runs)
    assert any(average(g, b) > g * A[0] + c for g, c, A, b in runs)
    assert any(average(g, b) > A[0] / len(b) + c for g, c, A, b in runs)
    assert any(average(g, b) > (g + Fraction(1, len(b) + 1)) * A[0] + c for g, c, A, b in runs)
    assert any(sum(b) / len(b) > (g + Fraction(1, len(b))) * A[0] + c for g, c, A, b in runs)


def test_a_statement_is_evaluated_by_the_definition(tmp_path):
    """On numbers that a run could have: the sequence is computed by its equation, the mean by its weights."""
    import numpy as np

    path = tmp_path / "claim.toml"
    path.write_text(SETTING, encoding="utf-8")
    vectors = {("w", (t,)): np.full((1, 1, 1), Fraction(t + 1), dtype=object) for t in range(3)}
    letters = {"N": 1, "T": 3, "g": Fraction(1)}
    run = StatementRun(load(path).setting, letters, vectors, lambda y: y, lambda _: Fraction(0))
    assert run.number(read("discounted(t, g) B[t]"), {}) == Fraction(4 * 1 + 2 * 4 + 1 * 9, 7)
    assert run.number(read("mean(t) B[t]"), {}) == Fraction(14, 3)


def test_the_checker_takes_the_rule_by_name(tmp_path):
    path = tmp_path / "claim.toml"
    claim = TRUE["the recursion"].replace("down", "claimed")
    path.write_text(f"{SETTING}\n[claim.mine]\n{claim}\n", encoding="utf-8")
    certificates = assemble_certificates(decide_file(load(path)), "mine")
    past = {}
    for one in certificates:
        check(one, past)
    assert count_trusted(certificates)["discount"] == 1
    (rule,) = [one for one in certificates if one.get("rule", "").startswith("discount")]
    assert rule["rule"] == "discount in claimed [discount t g] : 1"
