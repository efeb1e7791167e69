"""The proof of a sharpened theorem: over Q, read by somebody else, and rejected when it is altered."""

import copy
import itertools
import math
import random
import re
from dataclasses import replace
from fractions import Fraction

import pytest
from certificate_reading import excess, signs_are_right
from test_sharpen import ALIKE, short
from turns import every

from boundcheck.worst import certificates, sharpen
from boundcheck.worst.gram.exact import ExactNumber, approximate_fraction, exact_oracle
from boundcheck.worst.gram.oracle import GramOracle
from boundcheck.worst.gram.rationals import combination, squares
from boundcheck.worst.gram.units import units
from boundcheck.worst.theorems.proof import balance_values, proof_from_numbers
from boundcheck.worst.theorems.theorem import rounded_up

CASES = list(itertools.product(ALIKE, ({}, {"sigma": 1.0})))


@pytest.mark.parametrize(("name", "constants"), every(5, CASES))
def test_certificates_add_up(name, constants):
    """At random vectors of three clients the terms are the difference of the sides, and have the right signs."""
    for certificate in certificates(sharpen(short(name), K=2, T=10, N=3, **constants)):
        assert signs_are_right(certificate)
        assert max(excess(certificate, seed) for seed in range(3)) <= 1e-11


@pytest.mark.parametrize(("name", "constants"), every(3, CASES, first=2))
def test_certificates_are_accepted(name, constants):
    """By the checker that multiplies out over Q."""
    from boundcheck.proofs.kernel import certificates as verify

    for certificate in certificates(sharpen(short(name), K=2, T=10, **constants)):
        assert verify.check(certificate, {})


def test_an_altered_certificate_does_not_add_up():
    """Each multiplier in turn, greater by one."""
    for certificate in certificates(sharpen(short("scaffold-m"), K=2, T=10)):
        for k in range(len(certificate["by"])):
            altered = copy.deepcopy(certificate)
            altered["by"][k][0] = str(Fraction(altered["by"][k][0]) + 1)
            assert max(excess(altered, seed) for seed in range(3)) > 1e-6


def test_an_altered_multiplier_is_rejected():
    """A multiplier below 0, a potential that is too small, and values that do not cancel are no proof."""
    theorem = sharpen(short("fedavg"), K=2, T=10, zeta=1.0)
    asked, unknowns = theorem.conditions, theorem.proof.unknowns
    assert proof_from_numbers(asked, unknowns) is not None
    spread = ("round", "heterogeneity", 0)
    assert proof_from_numbers(asked, unknowns | {spread: Fraction(-1)}) is None
    # A multiplier of nothing changes no form, so that its sign alone is wrong.
    assert proof_from_numbers(asked, unknowns | {("round", "nothing"): Fraction(-1)}) is None
    smaller = balance_values(asked, unknowns | {("p",): unknowns["p",] * Fraction(99, 100)})
    assert proof_from_numbers(asked, smaller) is None
    assert proof_from_numbers(asked, unknowns | {("p",): unknowns["p",] * 2}) is None


def test_squares_are_those_of_the_matrix():
    """An indefinite matrix has none, a singular one has fewer."""
    one = Fraction(1)
    assert squares([[one, 2 * one], [2 * one, one]]) is None
    assert squares([[0 * one, one], [one, 0 * one]]) is None
    found = squares([[4 * one, 2 * one], [2 * one, one]])
    assert found == [(4, [1, Fraction(1, 2)])]


def test_combinations():
    """Found where there are any, with no more rows than needed."""
    rows = [[Fraction(v) for v in row] for row in ([1, 0, 1], [2, 0, 2], [0, 1, 1])]
    assert combination(rows, [Fraction(v) for v in (3, 2, 5)]) == [3, 0, 2]
    assert combination(rows, [Fraction(v) for v in (1, 0, 0)]) is None


def test_fractions_stay_exact_beside_floats():
    """0.1 is the double that it is; K divides exactly."""
    third = 1.0 / ExactNumber(3)
    assert third == Fraction(1, 3)
    assert 1.0 - third == Fraction(2, 3)
    assert third - 0.5 == Fraction(-1, 6)
    assert third / 2.0 == Fraction(1, 6)
    assert -third == Fraction(-1, 3)
    assert list(range(ExactNumber(2))) == [0, 1]
    with pytest.raises(TypeError, match="1/3 is not an integer"):
        range(third)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.25, "1/4"),
        (1 / 3, "1/3"),
        (0.0, "0"),
        (1.9999, "19999/10000"),
        (3.14159265e-7, "314159265/1e15"),
        (math.pi, "1571/500"),
    ],
)
def test_numbers_become_fractions(value, expected):
    """Short fractions and decimals that somebody wrote as they are, others with four digits."""
    top, _, bottom = expected.partition("/")
    assert approximate_fraction(value) == Fraction(top) / Fraction(bottom or "1")


@pytest.mark.parametrize("name", ALIKE)
def test_a_run_over_Q_is_the_run_in_floats(name):
    """The same coefficients, to rounding, with fractions in the place of floats."""
    made = short(name)
    exact = replace(made, **{k: approximate_fraction(v) for k, v in vars(made).items() if isinstance(v, float)})
    ends = []
    for oracle, one in ((GramOracle(N=2, K=3), made), (exact_oracle(N=2, K=3), exact)):
        state = one.init(oracle, oracle.server("x_0"))
        for _ in range(2):
            state = one.round(oracle, state)
        ends.append(state.x.pad_to(len(oracle.basis)))
    assert abs(ends[0] - ends[1].astype(float)).max() <= 1e-12


def test_factors_are_rounded_up():
    """To nine digits, never down."""
    for value in (Fraction(1, 3), Fraction(200, 7), Fraction(1, 70000), Fraction(10**12, 7)):
        up = rounded_up(value)
        assert value <= up <= value * (1 + Fraction(1, 10**7))
    assert rounded_up(Fraction(0)) == 0


def test_units_are_read_off_the_run():
    """Steps are 1/L, proximal weights L, weights of averages numbers."""
    assert units(short("fedprox")) == {"eta": (-1, 2), "rho": (1, -2)}
    assert units(short("fedavg")) == {"eta": (-1, 2), "gamma": (0, 0)}
    assert units(short("scaffold-m")) == {"eta": (-1, 2), "gamma": (-1, 2), "beta": (0, 0)}


NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")


def places(part, at=()):
    """Yield where the texts of a certificate are that prove or state something."""
    for key, value in part.items() if isinstance(part, dict) else enumerate(part):
        if isinstance(value, (dict, list)):
            yield from places(value, (*at, key))
        elif isinstance(value, str) and (at or key == "shows"):
            yield (*at, key)


def forged(certificate, chance):
    """Return a certificate with a number changed, or two of its texts in each other's place."""
    made = copy.deepcopy(certificate)
    first, second = chance.sample([at for at in places(made) if at[0] in ("given", "by", "shows")], 2)

    def holder(at):
        inside = made
        for key in at[:-1]:
            inside = inside[key]
        return inside

    if first[0] == "by" and first[:-1] == second[:-1]:  # a product in another order is the same
        return forged(certificate, chance)
    text, other = holder(first)[first[-1]], holder(second)[second[-1]]
    found = list(NUMBER.finditer(text))
    if chance.random() < 0.5 and found:
        one = chance.choice(found)
        holder(first)[first[-1]] = f"{text[: one.start()]}{int(one[0]) + chance.choice((1, -1, 3))}{text[one.end() :]}"
    else:
        holder(first)[first[-1]], holder(second)[second[-1]] = other, text
    return made


@pytest.mark.parametrize("count", [60, pytest.param(1000, marks=pytest.mark.slow)])
def test_forged_certificates_prove_nothing_that_another_reader_does_not_see(count):
    """What the kernel accepts after all is a sum of the same signs for the reader that shares nothing with it."""
    from boundcheck.proofs.kernel.certificates import ERRORS, require_proved

    chance, refused = random.Random(27), 0
    parts = [one for name in ALIKE[:2] for one in certificates(sharpen(short(name), K=2, T=10))]
    for _ in range(count):
        one = forged(chance.choice(parts), chance)
        try:
            require_proved(one)
        except ERRORS:
            refused += 1
        else:
            assert signs_are_right(one)
            assert excess(one, 1) <= 1e-11
    assert refused > count / 2
