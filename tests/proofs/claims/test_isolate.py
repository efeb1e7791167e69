"""Powers of an index beside other summands: the same inequality however it is written."""

import pytest
import sympy as sp

from boundcheck.proofs.provers import AllFrom
from boundcheck.proofs.provers.isolate import isolate_power

r = sp.Symbol("r", positive=True)
POWER = (1 + 3 / (2 * r)) ** r
"""Increases to e^(3/2) = 4.4817."""


def has_power(e):
    return any(p.exp.has(r) for p in e.atoms(sp.Pow))


def test_sides_keep_their_difference():
    """And the power stands alone on the left."""
    lhs, rhs = (POWER - 1) * sp.Rational(2, 3), sp.Rational(7, 3)
    left, right = isolate_power(lhs, rhs, has_power)
    assert sp.simplify((lhs - rhs) - (left - right)) == 0
    assert (left, right) == (sp.Rational(2, 3) * POWER, 3)


@pytest.mark.parametrize(
    ("lhs", "rhs", "verdict"),
    [
        # (e^(3/2) - 1) 2/3 = 2.3211
        ((POWER - 1) * sp.Rational(2, 3), sp.Rational(7, 3), "proved"),
        ((POWER - 1) * sp.Rational(2, 3), sp.Rational(23, 10), "refuted"),
        (POWER + 1 / r, 5 + 1 / r, "proved"),
        (POWER - 3, sp.Rational(3, 2), "proved"),
        (POWER - 3, sp.Rational(7, 5), "refuted"),
        ((1 + 1 / r) ** r - 1, sp.Integer(1), "refuted"),
    ],
)
def test_an_inequality_with_a_power_is_decided_however_it_is_written(lhs, rhs, verdict):
    """The limits are e^(3/2) and e."""
    assert AllFrom(lhs, rhs, r, 1).decide(20).verdict == verdict
