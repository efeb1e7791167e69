"""Facts about exp, log and powers: each holds at random numbers, each condition is needed, and none is used without."""

import math
import random
import re

import pytest
from turns import case_of

from boundcheck.proofs.goals import goal_of
from boundcheck.proofs.kernel.certificates import ERRORS, check
from boundcheck.proofs.kernel.elementary import FACTS
from boundcheck.proofs.language.stated import text_statement
from boundcheck.proofs.ledger.certify import fresh_certificate, parts

NUMBERS = (0.0, 0.01, 0.1, 0.3, 0.5, 0.9, 0.99, 1.0, 1.01, 1.1, 1.5, 2.0, 3.0, 7.0)
SIGNED = (*NUMBERS, *(-x for x in NUMBERS))


def draw(kinds, conditions, rng):
    """Return letters of a fact with the values that they give; None where a value is not defined."""
    names = {}
    for n, kind in enumerate(kinds, start=1):
        letters = {"exp": "x", "log": "y", "power": "bk"}[kind]
        names |= {f"{letter}{n}": rng.choice(SIGNED) for letter in letters}
    for equal in (c for c in conditions if " = " in c):  # else they would hardly ever hold
        left, right = equal.split(" = ")
        names[left] = eval(right, {}, names)
    try:
        for n, kind in enumerate(kinds, start=1):
            if kind == "exp":
                names[f"v{n}"] = math.exp(names[f"x{n}"])
            elif kind == "log":
                names[f"v{n}"] = math.log(names[f"y{n}"])
            elif names[f"b{n}"] < 0:
                return None
            else:
                names[f"v{n}"] = names[f"b{n}"] ** names[f"k{n}"]
    except (ValueError, ZeroDivisionError):
        return None
    return names


def holds(relation, names, slack=0.0):
    left, op, right = re.split(r" (<=|>=|<|>|=) ", relation.replace("^", "**"))
    gap = eval(left, {}, names) - eval(right, {}, names)
    return {"<=": gap <= slack, ">=": gap >= -slack, "<": gap < 0, ">": gap > 0, "=": abs(gap) <= slack}[op]


@pytest.mark.parametrize("name", FACTS)
def test_a_fact_holds_under_its_conditions_and_needs_each(name):
    kinds, conditions, shows = FACTS[name]
    rng = random.Random(name)
    points = [p for p in (draw(kinds, conditions, rng) for _ in range(4_000)) if p is not None]
    met = [p for p in points if all(holds(c, p) for c in conditions)]
    assert len(met) > 20
    assert all(holds(shows, p, 1e-9 * (1 + max(map(abs, p.values())))) for p in met)
    for one in conditions:
        if " = " in one or one in ("b1 >= 0", "y1 > 0", "y2 > 0") or (name, one) == ("power-falls", "k1 >= 0"):
            continue  # else there is no value
        rest = [p for p in points if all(holds(c, p) for c in conditions if c != one)]
        assert not all(holds(shows, p, 1e-9) for p in rest), one


def certificate(**changes):
    """Bernoulli's inequality for 1 + q, k >= 1."""
    found = {
        "id": "bernoulli",
        "kind": "real",
        "letters": {"q": ">=0", "k": ">0", "value0": ""},
        "values": {"value0": "(1 + q)^(k)"},
        "given": ["k >= 1"],
        "shows": "1 + k*q <= value0",
        "steps": [{"fact": "bernoulli", "of": ["value0"]}],
        "by": [["1", 1]],
    }
    return found | changes


def test_a_fact_is_used_where_its_conditions_are_shown():
    said = check(certificate(), {})
    assert "  where value0 = (1 + q)^(k)" in said


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"given": ["k >= 1/2"]}, "k1 >= 1"),
        ({"letters": {"q": "", "k": ">0", "value0": ""}}, "b1 >= 0"),
        ({"letters": {"q": ">=0", "k": ">0", "value0": ">0"}}, "no real letter"),
        ({"values": {"value0": "(1 + value0)^(k)"}}, "made from itself"),
        ({"values": {"value0": "exp(q)"}}, "says nothing of"),
        ({"values": {"value0": "1 + q"}}, "no value of"),
        ({"values": {}}, "value0"),
        ({"shows": "2 + k*q <= value0"}, "add up"),
        ({"point": {"q": "0", "k": "1", "value0": "5"}}, "a point says nothing of values"),
    ],
)
def test_what_is_not_shown_is_refused(changes, why):
    with pytest.raises(ERRORS, match=why):
        check(certificate(**changes), {})


def test_values_cannot_be_replaced():
    """Else what holds of (1 + q)^k would hold of any number."""
    past = {}
    check(certificate(), past)
    other = {"id": "other", "kind": "real", "letters": {"z": ""}, "shows": "2 <= z", "by": [["1", 0]]}
    use = {"use": "bernoulli", "with": {"q": "1", "k": "1", "value0": "z"}}
    with pytest.raises(ERRORS, match="these alone"):
        check(other | {"steps": [use]}, past)


def is_certified(line, letters, given=()):
    goal = goal_of(text_statement(line, letters=letters, given=given))
    return all(fresh_certificate(part) is not None for part in parts(goal))


LETTERS = ("a, eta, mu, T, n > 0", "p, q >= 0", "vectors u, v, g", "r, s real")


@pytest.mark.parametrize(
    ("line", "given"),
    [
        ("(1 - eta*mu)^T <= exp(-eta*mu*T)", ("eta*mu <= 1", "T >= 1")),
        ("q^T <= q^n", ("q <= 1", "n <= T")),
        ("log(1 + a) <= a", ()),
        ("|u + v| <= |u| + |v|", ()),
        ("<u, v>^2 <= |u|^2*|v|^2", ()),
        ("<u, v> <= a", ("|u|^2 <= 0",)),
        ("mu*|u| <= |g|", ("<g, u> >= mu*|u|^2",)),
        ("sqrt(p + q) <= sqrt(p) + sqrt(q)", ()),
    ],
)
def test_a_statement_gets_a_certificate(line, given):
    assert is_certified(line, LETTERS, given)


@pytest.mark.parametrize(
    ("line", "given"),
    [
        case_of(("exp(-eta*mu*T) <= (1 - eta*mu)^T", ("eta*mu <= 1", "T >= 1")), slow=True),
        ("q^T <= q^n", ("n <= T",)),
        ("log(1 + a) <= a/2", ()),
        ("|u| + |v| <= |u + v|", ()),
        ("<u, v> <= 0", ("|u|^2 <= a",)),
        ("2*mu*|u| <= |g|", ("<g, u> >= mu*|u|^2",)),
        ("a/r <= s/r", ("a <= s",)),
    ],
)
def test_a_false_neighbour_gets_none(line, given):
    assert not is_certified(line, LETTERS, given)
