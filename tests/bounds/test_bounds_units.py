"""The units check: rules on hand-written expressions, and the findings that scaling by hand gives."""

from dataclasses import replace

import pytest
import sympy as sp
from bound_values import generic

from boundcheck.bounds import BOUNDS
from boundcheck.bounds.units import MixedUnitsError, findings, unit_of
from boundcheck.metrics import METRICS
from boundcheck.notation import LETTERS, symbols

L, sigma, Delta, eta, K, mu, kappa = symbols("L sigma Delta eta K mu kappa")


@pytest.mark.parametrize(
    ("expression", "unit"),
    [
        (L * Delta, (2, -2)),  # both are squared gradients: Delta ~ s, L ~ s r^-2
        (sigma**2 + 3 * L * Delta, (2, -2)),
        (eta * K * L, (0, 0)),
        (sp.sqrt(L * Delta * sigma**2 / K), (2, -2)),
        (sp.Min(1 / L, eta), (-1, 2)),
        (sp.log(1 + L / mu), (0, 0)),
        (sp.ceiling(K / 3), (0, 0)),
        (sp.Piecewise((0, K < 2), (kappa, True)), (0, 0)),
    ],
)
def test_unit_of_expressions(expression, unit):
    """Units of hand-written expressions are those found by scaling each letter on paper."""
    assert unit_of(expression) == unit


@pytest.mark.parametrize("expression", [L + mu**2, sp.Min(1, 1 / L), sp.log(L), K**L, sp.Max(sigma, Delta)])
def test_mixed_units_are_refused(expression):
    """Adding, comparing or taking a logarithm of what has different units is an error."""
    with pytest.raises(MixedUnitsError):
        unit_of(expression)


REPAIRED = [
    name for name, bound in BOUNDS.items() if bound.form in {"repaired", "sharpened"} and bound.kind == "explicit"
]


@pytest.mark.parametrize("name", REPAIRED)
def test_repaired_bounds_scale_as_squared_gradients(name):
    """Terms of repaired bounds are homogeneous: checked by the rules, and by scaling every number."""
    bound = BOUNDS[name]
    assert not [f for f in findings(bound) if f.place.startswith("term")]
    s, r = 3.0, 0.7
    p, q = METRICS[bound.metric].unit
    values = generic(bound)
    parameters = {k: v for k, v in bound.resolve(values).items() if k in bound.parameters and k not in bound.derived}

    def scaled(v):
        units = {k: bound.units.get(k, LETTERS[k].unit) for k in v if k in LETTERS}
        return {k: x * s ** units[k][0] * r ** units[k][1] if k in units else x for k, x in v.items()}

    before = bound.evaluate(bound.resolve(values, parameters), strict=False).rhs
    after = bound.evaluate(bound.resolve(scaled(values), scaled(parameters)), strict=False).rhs
    assert after == pytest.approx(before * s ** float(p) * r ** float(q), rel=1e-9)


def test_known_findings():
    """The printed forms mix units where the errata say: powers of eps, sigma^2/mu^2, the bracket, step conditions."""
    places = {name: {f.place for f in findings(bound)} for name, bound in BOUNDS.items()}
    assert {"term momentum", "term drift"} <= places["fedlalr.theorem1"]
    assert {"term noise", "condition 'dual step'"} <= places["fmgda.corollary1"]
    assert places["momentum-fl.theorem22-alt-printed"] == {"term descent"}
    assert places["gradma.lemma2-printed"] == {"parameter eta", "condition 'local step (l.183)'"}
    assert not places["momentum-fl.theorem11"]
    assert not places["momentum-fl.theorem19"]


def test_the_trivial_bound_has_the_unit_of_the_left_hand_side():
    """A squared gradient is not below a gap."""
    wrong = replace(BOUNDS["momentum-fl.theorem11"], trivial=Delta)
    assert [(f.place, f.reason) for f in findings(wrong)] == [("the trivial bound", "has unit s^1 instead of s^2 r^-2")]


def test_a_power_may_be_a_float():
    """delta_x^0.5 is a length."""
    (delta_x,) = symbols("delta_x")
    assert unit_of(delta_x**0.5) == unit_of(sp.sqrt(delta_x)) == (0, 1)


def test_a_power_may_be_a_letter_without_a_unit():
    """The p-th root of a p-th moment is a length again; without the root it is none."""
    sigma_p, p_tail, b = symbols("sigma_p p_tail b")
    assert unit_of((2 * sigma_p**p_tail / b ** (p_tail - 1)) ** (1 / p_tail)) == unit_of(sigma_p)
    assert unit_of(sigma_p**p_tail * sigma_p ** (2 - p_tail)) == unit_of(sigma_p**2)
    assert unit_of(sigma_p**p_tail) != unit_of(sigma_p)
    with pytest.raises(MixedUnitsError):
        unit_of(sigma_p**p_tail + sigma_p)
