"""Claims of the rates of momentum-fl on runs at the prescribed parameters; roots are fractions of fifty digits."""

from fractions import Fraction
from functools import cache

import mpmath
import pytest
import sympy
from chain_runs import quadratic_run

from boundcheck.bounds import BOUNDS
from boundcheck.proofs.chain.whole.proof import PROOFS, claims_of, load_shipped
from boundcheck.proofs.language.grammar import Node
from boundcheck.proofs.language.steps import letters_of

DIGITS = 50
NEAR = Fraction(1, 10**30)
"""Relative error that is allowed: what is prescribed is prescribed with equality, and rounded."""
RATES = [f"momentum-fl.theorem{form}-rate" for form in ("15", "15-alt", "19", "22", "22-alt")]
FILES = {name: load_shipped(PROOFS[name]) for name in RATES}
CLAIMS = {name: {claim.id: claim for claim in claims_of(FILES[name])} for name in RATES}
CASES = {
    "one client, much noise": {"K": 1, "T": 2, "curvature": (Fraction(1),), "tilt": (Fraction(0),), "sigma": 3},
    "two clients, little noise": {
        "K": 2, "T": 1, "curvature": (Fraction(1), Fraction(-1, 2)), "tilt": (Fraction(1), Fraction(-2)),
        "sigma": Fraction(1, 10),
    },
    "two clients, T = 3": {
        "K": 1, "T": 3, "curvature": (Fraction(1), Fraction(0)), "tilt": (Fraction(3), Fraction(-1)), "sigma": 2,
    },
}  # fmt: skip


def fraction(number):
    """Return a number as a fraction with the digits that it has."""
    with mpmath.workdps(DIGITS + 10):
        return Fraction(mpmath.nstr(mpmath.mpf(str(number)), DIGITS, min_fixed=-mpmath.inf, max_fixed=mpmath.inf))


def rooted(value, power):
    """Return a root as a fraction."""
    with mpmath.workdps(DIGITS + 10):
        return fraction(mpmath.root(mpmath.mpf(value.numerator) / value.denominator, power))


def prescribed(bound, letters):
    """Return the parameters that a bound prescribes, evaluated by mpmath."""
    found = {}
    for name, expression in bound.parameters.items():
        symbols = sorted(sympy.sympify(expression).free_symbols, key=str)
        values = [(letters | found)[symbol.name] for symbol in symbols]
        with mpmath.workdps(DIGITS + 10):
            put = [mpmath.mpf(value.numerator) / value.denominator for value in values]
            found[name] = fraction(sympy.lambdify(symbols, expression, "mpmath")(*put))
    return found


@cache
def run_of(name, case):
    """Return a run of the method at the prescribed parameters, with the letters for roots from their definitions."""
    given, bound, file = CASES[case], BOUNDS[name], FILES[name]
    setting = {key: given[key] for key in ("K", "T", "curvature", "tilt")} | {"noise": Fraction(0)}
    first = quadratic_run(file, **setting, hyper=dict.fromkeys(("beta", "gamma", "eta"), Fraction(1)))
    known = {key: Fraction(value) for key, value in first.letters.items()} | {"sigma": Fraction(given["sigma"])}
    known["L_sample"] = known["L"]
    hyper = prescribed(bound, known)
    B = hyper.pop("B", Fraction(1))
    assert B.denominator == 1
    run = quadratic_run(file, **setting, B=int(B), hyper=hyper | {"sigma": known["sigma"]})
    run.letters |= {key: Fraction(value) for key, value in run.letters.items()}
    last = CLAIMS[name][name]
    run.letters["euler"] = fraction(sympy.N(sympy.E, DIGITS + 5))
    roots = next(end.roots for end in file.theorems if end.bound == name)
    defined = [node for node in last.given if node.name == "=" and node.parts[0].kind in {"power", "neg"}]
    found = {}
    for _ in roots:  # one may be made of others, in any order
        for node in defined:
            side, other = node.parts
            if side.parts[0].name in roots and not letters_of(other) & (set(roots) - set(found)):
                value = run.number(other, {})
                found[side.parts[0].name] = -value if side.kind == "neg" else rooted(value, int(side.name))
                run.letters |= found
    assert set(found) == set(roots)
    return run


def nearly(run, relation, at):
    """Return whether a relation holds up to the rounding of its letters."""
    values = [run.number(part, at) for part in relation.parts]
    tests = {"<=": lambda a, b, e: a <= b + e, ">=": lambda a, b, e: a >= b - e, "=": lambda a, b, e: abs(a - b) <= e}
    pairs = zip(relation.name.split(), values, values[1:], strict=False)
    return all(tests[sign](a, b, NEAR * max(abs(a), abs(b))) for sign, a, b in pairs)


def below(name):
    """Return the claims of a rate that are not those of its explicit form."""
    claims = CLAIMS[name]
    explicit = name.removesuffix("-rate")
    found, left = {}, [name]
    while left:
        one = left.pop()
        if one in claims and one not in found and one != explicit:
            found[one] = claims[one]
            left += [step.id for step in claims[one].steps]
    return [claim for claim in claims.values() if claim.id in found]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", RATES)
def test_no_claim_of_a_rate_is_false_at_the_prescribed_parameters(name, case):
    """What is given holds, and so does what is shown, on the recorded iterates."""
    run = run_of(name, case)
    for claim in below(name):
        assert all(nearly(run, node, {}) for node in claim.given), claim.id
        assert all(nearly(run, claim.shows, at) for at in run.places(claim.over)), claim.id


@pytest.mark.parametrize("name", RATES)
def test_a_false_claim_of_a_rate_is_seen(name):
    """The right side divided by a thousand fails somewhere for every claim that is no definition of a root."""
    for claim in below(name):
        if claim.id != name:
            small = Node("div", parts=(claim.shows.parts[1], Node("number", "1000")))
            false = Node("relation", "<=", (claim.shows.parts[0], small))
            runs = [run_of(name, case) for case in CASES]
            assert not all(nearly(run, false, at) for run in runs for at in run.places(claim.over)), claim.id
