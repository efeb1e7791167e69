"""Certificates are found for true statements and for none of their false neighbours."""

import pytest
import sympy as sp

from boundcheck.proofs.certificates import gram, real
from boundcheck.proofs.kernel.certificates import check

x, y, N, S, beta = sp.symbols("x y N S beta", positive=True)
z, w = sp.symbols("z w", real=True)
inner = sp.Function("inner")
a, b, c = sp.symbols("a b c")
aa, ab, bb = inner(a, a), inner(a, b), inner(b, b)
mean, spread = inner(sp.Symbol("v_mean"), sp.Symbol("v_mean")), inner(sp.Symbol("v_dev"), sp.Symbol("v_dev"))
HALF = sp.Rational(1, 2)

REAL = {
    "a product": ((), 2 * x * y, x**2 + y**2),
    "a hypothesis": ((x <= 1,), x**3, x),
    "a shifted letter": ((N >= 1, S >= 1, S <= N), (N - S) / N, 1 - 1 / N + 0 * S),
    "a denominator with a lemma": ((beta < 1,), x, x / (1 - beta)),
    "a denominator without a sign": ((), 1 / (1 + (z / w) ** 2), sp.S.One),
    "an equation": ((sp.Eq(z, x + y),), x**2 + y**2, z**2),
    "a root": ((), sp.sqrt(x * y), (x + y) / 2),
    "a cube root": ((x >= 1,), sp.cbrt(x), x),
    "cube roots of three": ((), sp.cbrt(x) * sp.cbrt(y) * sp.cbrt(N), (x + y + N) / 3),
    "a cube root of three": ((), sp.cbrt(x * y * N), (x + y + N) / 3),
    "a maximum": ((), sp.Max(x, y), x + y),
    "a triangle": ((), sp.Abs(z + w), sp.Abs(z) + sp.Abs(w)),
    "Euler's number": ((), 2 * x, sp.E * x),
    "alternatives": ((sp.Or(sp.Le(z, 0), sp.Ge(z, 1)),), z, z**2),
}
FALSE_REAL = {
    "a product": ((), 3 * x * y, x**2 + y**2),
    "a hypothesis": ((x <= 2,), x**3, x),
    "a shifted letter": ((S >= 1, S <= 2 * N), (N - S) / N, HALF - 1 / N),
    "a denominator": ((beta < 2,), x, x / (1 - beta)),
    "an equation": ((sp.Eq(z, x - y),), x**2 + y**2, z**2),
    "a root": ((), (x + y) / 2, sp.sqrt(x * y)),
    "cube roots of three": ((), sp.cbrt(x) * sp.cbrt(y) * sp.cbrt(N), (x + y + N) / 4),
    "a maximum": ((), x + y, sp.Max(x, y)),
    "Euler's number": ((), sp.Rational(28, 10) * x, sp.E * x),
    "alternatives": ((sp.Or(sp.Le(z, 0), sp.Ge(z, HALF)),), z, z**2),
}


@pytest.mark.parametrize("name", REAL)
def test_true_inequalities_have_certificates(name):
    """Textbook inequalities, one for each way in which a certificate is found."""
    given, lhs, rhs = REAL[name]
    certificate = real(given, sp.Le(lhs, rhs, evaluate=False))
    assert certificate is not None
    check({"id": name, **certificate}, {})


@pytest.mark.parametrize("name", FALSE_REAL)
def test_false_inequalities_have_none(name):
    """Each fails at a point: 3 > 2 at x = y = 1; 2^3 > 2; beta = 3/2; z = 1/2; and so on."""
    given, lhs, rhs = FALSE_REAL[name]
    assert real(given, sp.Le(lhs, rhs, evaluate=False)) is None


GRAM = {
    "Young": (2 * ab, x * aa + bb / x, (), ()),
    "a mean": (mean, mean + spread, (), ()),
    "a pivot that vanishes": (2 * z * ab, z**2 * aa + bb, (), ()),
    "a premise": (-2 * ab, aa, (), ((sp.Integer(2), ab),)),
    "a term without vectors": (2 * ab, aa + bb + x, (), ()),
    "a domain": (beta * aa, aa, (beta <= 1,), ()),
}
FALSE_GRAM = {
    "Young": (2 * ab, x * aa + bb / (2 * x), (), ()),
    "a mean": (spread, mean, (), ()),
    "a zero pivot": (ab, aa, (), ()),
    "a premise": (-2 * ab, aa, (), ((sp.Integer(1), ab),)),
    "a term without vectors": (2 * ab + x, aa + bb, (), ()),
    "a domain": (beta * aa, aa, (beta <= 2,), ()),
}


@pytest.mark.parametrize("name", GRAM)
def test_true_forms_have_certificates(name):
    """Quadratic inequalities between vectors, with letters in the pivots."""
    certificate = gram(*GRAM[name])
    assert certificate is not None
    check({"id": name, **certificate}, {})


@pytest.mark.parametrize("name", FALSE_GRAM)
def test_false_forms_have_none(name):
    """Each fails for some vectors of the line."""
    assert gram(*FALSE_GRAM[name]) is None


def test_identities_have_certificates_and_false_ones_none():
    """Polarisation, and the same with a wrong factor."""
    right = (aa + bb - (aa - 2 * ab + bb)) / 2
    certificate = real((), sp.Eq(ab, right, evaluate=False))
    assert certificate is not None
    check({"id": "polarisation", **certificate}, {})
    assert real((), sp.Eq(2 * ab, right, evaluate=False)) is None
