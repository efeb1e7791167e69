"""Polynomials of the kernel beside fractions: their values at points, and long sums that are read once."""

import ast
import random
from fractions import Fraction
from math import prod
from pathlib import Path

import pytest

from boundcheck.proofs.kernel import algebra, certificates
from boundcheck.proofs.kernel.boxes import LemmaError, scope_of
from boundcheck.proofs.kernel.certificates import CertificateScope
from boundcheck.proofs.kernel.description import substitute_letter

NAMES = ("e", "h", "t")


def _polynomial(rng, letter=str, least=-2):
    """Return up to six terms of whole numbers and of fractions; a single term with coefficient 1 among them."""
    found = {}
    for _ in range(rng.choice([0, 1, 1, 2, 4, 6])):
        powers = ((letter(name), rng.randint(least, 3)) for name in NAMES)
        whole = rng.randint(-9, 9) or 1
        coefficient = rng.choice([1, whole, Fraction(whole), Fraction(whole, rng.randint(1, 12))])
        found[tuple((name, k) for name, k in powers if k)] = coefficient
    return found


def _value(p, at):
    """Return the value of a polynomial at a point."""
    terms = (c * prod((at[str(getattr(g, "name", g))] ** k for g, k in m), start=Fraction(1)) for m, c in p.items())
    return sum(terms, Fraction(0))


@pytest.mark.parametrize("kind", ["certificates", "claims"])
def test_sums_and_products_have_the_values_of_their_parts(kind):
    rng = random.Random(kind)
    module, letter = (certificates, str) if kind == "certificates" else (algebra, algebra.Letter)
    for _ in range(200):
        p, q = (_polynomial(rng, letter) for _ in range(2))
        at = {name: Fraction(rng.choice([-3, -1, 2, 5]), rng.randint(1, 7)) for name in NAMES}
        total, both = module.add(p, q), module.multiply(p, q)
        assert _value(total, at) == _value(p, at) + _value(q, at)
        assert _value(both, at) == _value(p, at) * _value(q, at)
        assert all(isinstance(c, int | Fraction) and c for c in (*total.values(), *both.values()))


@pytest.mark.parametrize("name", ["algebra", "boxes", "certificates", "chance", "context", "description"])
def test_no_number_is_divided_but_as_a_fraction(name):
    """Coefficients may be whole, and a quotient of two ints would not be exact; folders have a / of their own."""
    path = Path(algebra.__file__).with_name(f"{name}.py")
    quotients = [
        ast.unparse(node)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and not isinstance(node.right, ast.JoinedStr)
    ]
    assert quotients == []


def test_quotients_of_whole_numbers_are_exact():
    """1/3 and 10/5 as coefficients, in both kinds of polynomials."""
    third, two = (algebra.Rational.of(n) * algebra.Rational.of(m).inverse() for n, m in ((1, 3), (10, 5)))
    assert (third.numerator, two.numerator) == ({(): Fraction(1, 3)}, {(): 2})
    scope = CertificateScope.of({"x": ">0"}, [])
    assert scope.read("1/3 + 10/5") == {(): Fraction(7, 3)}
    assert scope.read("1/(3*x)") == {(("x", -1),): Fraction(1, 3)}
    assert scope.zero(scope.read("x/(3*x + 6) + 2/(3*x + 6) - 1/3"))


def test_a_value_in_the_place_of_a_letter_gives_the_value_there():
    rng = random.Random(1)
    for _ in range(100):
        p, t = _polynomial(rng, least=0), _polynomial(rng, least=0)
        at = {name: Fraction(rng.randint(-5, 5), rng.randint(1, 7)) for name in NAMES}
        assert _value(substitute_letter(p, "t", t), at) == _value(p, at | {"t": _value(t, at)})


@pytest.mark.parametrize("p", [{(("t", -1),): Fraction(1)}, {(("[1*h^1 + 1*t^1]", -1),): Fraction(1)}])
def test_no_value_is_put_where_is_divided_by_the_letter(p):
    with pytest.raises(LemmaError, match="a divisor with t"):
        substitute_letter(p, "t", {})


def test_a_long_sum_is_read_once_but_anew_where_a_letter_has_a_value():
    text = "(" + " + ".join(f"{n}/3*h^{n}*e" for n in range(12)) + ")*<x, x>"
    sorts = {"h": ">0", "e": ">0", "x": "vector"}
    kept, plain = scope_of(sorts), CertificateScope.of(sorts, [])
    for value in ("h", "2*e", "h", "1/7"):
        names = {"h": plain.read(value)}
        for _ in range(2):
            assert kept.read(text, kept.names | names) == plain.read(text, plain.names | names)
    assert len(kept.sums) == 1


def test_a_power_that_would_have_too_many_terms_is_refused():
    """A sum of two to the power 99, to the power 99, took minutes; one product to the same powers takes no time."""
    a, b = (algebra.Rational.letter(name) for name in "ab")
    assert len(((a + b) ** 99).numerator) == 100
    assert ((a**99) ** 99).numerator == {((algebra.Letter("a"), 9801),): 1}
    with pytest.raises(algebra.Refused, match="more than 50000 terms"):
        ((a + b) ** 99) ** 99
    with pytest.raises(algebra.Refused, match="more than 50000 terms"):
        a ** (10**9)
