"""Certificates about functions: true ones pass, false neighbours do not, enclosures hold what they should."""

import json
import random
import subprocess
import sys
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import pytest
import sympy as sp

from boundcheck.proofs import CLAIMS, prove_claim
from boundcheck.proofs.certificates.functions import box_certificate, tail_certificate, tail_statement
from boundcheck.proofs.goals import goal_of
from boundcheck.proofs.kernel import certificates as verify
from boundcheck.proofs.kernel import functions as verify_functions
from boundcheck.proofs.ledger.certify import belongs, names, parts, shipped_certificates
from boundcheck.proofs.provers import AllFrom, OnBox

ALONE = Path(verify_functions.__file__).parent
LIMIT = [{"times": "1/x", "at": "end"}]
TAILS = {
    "(1 + 1/x)^x <= euler": ("1", LIMIT),
    "(1 + 27/(25*x))^x <= exp(27/25)": ("1", LIMIT),
    "1/(x + 1) <= log(x + 1) - log(x)": ("1", [{"times": "1", "at": "end"}]),
    "1 <= log(x) + 1": ("1", [{"times": "1", "at": "start"}]),
    "1 <= x^2": ("1", []),
    "2^(1/2) <= 3/2 + log(x)": ("1", [{"times": "1", "at": "start"}]),
}
FALSE = [
    ("(1 + 1/x)^x <= 27/10", "1", LIMIT, "the limit is e"),
    ("(1 + 1/x)^(x + 1) <= euler", "1", LIMIT, "one factor more"),
    ("(1 + 1/x)^(x + 1) <= euler", "1", [{"times": "1/(x + 1)", "at": "end"}], "the same with its own factor"),
    ("(1 + 27/(25*x))^x <= exp(26/25)", "1", LIMIT, "a smaller exponent"),
    ("1/x <= log(x + 1) - log(x)", "1", [{"times": "1", "at": "end"}], "the other neighbour of the logarithm"),
    ("1 <= log(x) + 1", "1/2", [{"times": "1", "at": "start"}], "an earlier start"),
    ("1 <= log(x)", "1", [{"times": "1", "at": "start"}], "as printed"),
    ("1 <= x^2", "9/10", [], "an earlier start"),
    ("2^(1/2) <= 7/5 + log(x)", "1", [{"times": "1", "at": "start"}], "a smaller number than the root"),
]
BROKEN = [
    ("(1 + 1/x)^x <= euler", "1", [{"times": "-1/x", "at": "end"}], "not positive"),
    ("(1 + 1/x)^x <= euler", "1", [{"times": "1/(x - 1)", "at": "end"}], "divisor"),
    ("(1 + 1/x)^x <= euler", "1", [{"times": "1", "at": "end"}], "without a limit|grows"),
    ("(1 + 1/x)^x <= euler", "1", [{"times": "1/x", "at": "start"}], "negative|>= 0"),
    ("(1 + 1/x)^x <= euler", "1", [], "logarithms are left"),
    ("(x - 2)^x <= euler", "1", LIMIT, "positive"),
    ("log(x - 1) <= x", "1", [{"times": "1", "at": "start"}], "positive"),
    ("1/(x - 1) <= x", "1", [], "divisor"),
    ("1 <= x^100", "1", [], "exponents"),
    ("1 < x + 1", "1", [], "from one start"),
    ("y <= x", "1", [], "not declared"),
]


def tail(shows, start, levels):
    return {
        "id": "x",
        "kind": "tail",
        "letters": {"x": ""},
        "given": [f"x >= {start}"],
        "shows": shows,
        "levels": levels,
    }


def box(shows, given=(), cells=None, **letters):
    return {
        "id": "x",
        "kind": "box",
        "letters": letters,
        "given": list(given),
        "shows": shows,
        "cells": cells or {},
    }


@pytest.mark.parametrize("shows", TAILS)
def test_what_is_true_passes(shows):
    lines = verify.check(tail(shows, *TAILS[shows]), {})
    assert lines[0] == '"x"'
    assert f"  shows {shows}" in lines


@pytest.mark.parametrize(("shows", "start", "levels", "why"), FALSE)
def test_false_neighbours_are_refused(shows, start, levels, why):
    assert why
    with pytest.raises(verify.ERRORS):
        verify.check(tail(shows, start, levels), {})


@pytest.mark.parametrize(
    ("shows", "start"),
    [
        pytest.param(shows, start, marks=[] if shows.startswith(("1 <=", "2^")) else [pytest.mark.slow])
        for shows, start in dict.fromkeys((shows, start) for shows, start, *_ in FALSE)
    ],
)
def test_no_search_finds_a_proof_of_what_is_false(shows, start):
    made = tail(shows, start, [])
    assert tail_certificate({key: made[key] for key in ("kind", "letters", "given", "shows")}) is None


@pytest.mark.parametrize(("shows", "start", "levels", "why"), BROKEN)
def test_broken_proofs_are_refused_with_a_reason(shows, start, levels, why):
    with pytest.raises(ValueError, match=why):
        verify.check(tail(shows, start, levels), {})


def test_boxes():
    """A square and its letter: the cells decide; a false one has no cells, and a corner that touches none either."""
    ends = ["q >= 0", "q <= 1"]
    true = box("q*(1 - q) < 26/100", ends, {"q": 64}, q="")
    verify.check(true, {})
    for other in (
        true | {"cells": {"q": 2}},
        true | {"shows": "q*(1 - q) < 1/4"},
        true | {"given": ["q >= 0"]},
        true | {"given": ["q <= 1", "q >= 0"]},
        true | {"shows": "q*(1 - q) <= 26/100"},
        true | {"shows": "log(q) < 26/100"},
        true | {"shows": "1/q < 10^9"},
        true | {"shows": "(q - 1)^(1/2) < 2"},
        true | {"cells": {"q": 10**9}},
    ):
        with pytest.raises(verify.ERRORS):
            verify.check(other, {})
    assert box_certificate({**box("q < q + exp(-50)"), "letters": {"q": ""}, "given": ends}) is None
    verify.check(box("80*sqrt(10)*exp(3)/27 < 80000*exp(2)/3141"), {})
    with pytest.raises(ValueError, match="not seen"):
        verify.check(box("81*sqrt(10)*exp(3)/27 < 80000*exp(2)/3141 - 2"), {})


def test_an_even_power_is_not_negative():
    verify.check(box("-1/100 < q^2", ["q >= -1", "q <= 1"], q=""), {})


def test_enclosures_hold_the_values_of_sixty_digits():
    """Against decimal arithmetic, which shares nothing with the series."""
    rng = random.Random(5)
    with localcontext() as context:
        context.prec = 60
        for _ in range(12):
            value = Fraction(rng.randint(1, 4000), rng.randint(1, 400))
            number = Decimal(value.numerator) / Decimal(value.denominator)
            small = min(value, Fraction(29))
            wanted = {
                verify_functions._log: (value, number.ln()),
                verify_functions._exp: (small, (Decimal(small.numerator) / Decimal(small.denominator)).exp()),
                lambda x, up: verify_functions._root(x, 3, up=up): (value, number ** (Decimal(1) / 3)),
            }
            for take, (at, true) in wanted.items():
                low, high = (take(at, up=up) for up in (False, True))
                between = [Decimal(end.numerator) / Decimal(end.denominator) for end in (low, high)]
                assert between[0] <= true * (1 + Decimal(10) ** -55)
                assert between[1] >= true * (1 - Decimal(10) ** -55)
                assert high - low <= Fraction(1, 10**30) * (1 + abs(high))


def functions_of(claim):
    goals = list(parts(goal_of(claim.goal)))
    return [
        pair for pair in zip(names(claim.id, len(goals)), goals, strict=True) if isinstance(pair[1], (AllFrom, OnBox))
    ]


ABOUT_FUNCTIONS = [name for name in shipped_certificates() if shipped_certificates()[name]["kind"] in ("tail", "box")]


@pytest.mark.parametrize("name", ABOUT_FUNCTIONS)
def test_a_certificate_states_its_own_goal_alone(name):
    claim = CLAIMS[name.partition("/")[0]]
    certificate = shipped_certificates()[name]
    goal = dict(functions_of(claim))[name]
    assert belongs(certificate, goal)
    changes = (
        {"shows": certificate["shows"] + " + 1"},
        {"kind": "other"},
        {"given": [*certificate["given"], "x >= 0"]},
    )
    assert not any(belongs(certificate | change, goal) for change in changes)


def test_a_claim_about_functions_rests_on_certificates():
    """The prover of derivatives is not asked, and no solver."""
    proof = prove_claim(CLAIMS["gradma.drift-sharp"], kept=True)
    assert (proof.verdict, proof.trust) == ("proved", "certificate checked")
    assert prove_claim(CLAIMS["fedglomo.theorem1-range-experiments"], kept=True).trust == "certificate checked"


@pytest.mark.parametrize("name", [one for one in ABOUT_FUNCTIONS if shipped_certificates()[one]["kind"] == "tail"])
def test_what_is_certified_holds_in_numbers(name):
    certificate = shipped_certificates()[name]
    ((x, _),) = certificate["letters"].items()
    start = float(Fraction(certificate["given"][0].partition(" >= ")[2]))
    left, right = (
        sp.lambdify(x, sp.sympify(side.replace("^", "**").replace("euler", "E")), "math")
        for side in certificate["shows"].split(" <= ")
    )
    for k in range(60):
        at = start + 1.3**k - 1
        assert left(at) <= right(at) * (1 + 1e-6) + 1e-6, at


def test_what_was_divided_by_unseen_has_no_certificate():
    x = sp.Symbol("x", positive=True)
    goal = AllFrom(x, x + 1, x, sp.Integer(1), (x - 2,))
    assert not belongs({**tail_statement(goal.lhs, goal.rhs, x, goal.start), "levels": []}, goal)


def test_both_files_stand_alone(tmp_path):
    """The two checkers run from a folder of their own, without site packages."""
    for file in ("certificates.py", "functions.py"):
        (tmp_path / file).write_text((ALONE / file).read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "some.json").write_text(json.dumps([tail("(1 + 1/x)^x <= euler", "1", LIMIT)]), encoding="utf-8")
    command = [sys.executable, "-I", "-S", "certificates.py", "some.json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "1 certificates checked: verified" in done.stdout
