"""What every bound promises: names, letters, refusals, units."""

import ast
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

import pytest
import sympy as sp
from bound_values import GENERIC, generic
from together import together

import boundcheck.bounds
from boundcheck.bounds import BOUNDS, Bound
from boundcheck.engine import METRICS
from boundcheck.errors import InputError, NotApplicableError, UnknownNameError
from boundcheck.methods import METHODS
from boundcheck.notation import LETTERS, PAPERS, symbol, symbols

METRIC_UNIT = {"envelope_gradient_sum": (1, 0), "suboptimality": (1, 0), "drift": (0, 2)}
"""Units of (chat eta/2) |grad Phi|^2, of f and of |x|^2; all other metrics are squared gradients, (2, -2)."""


def evaluated(name, overrides=None, **changes):
    bound = BOUNDS[name]
    return bound.evaluate(bound.resolve(generic(bound) | changes, overrides), strict=False)


def test_numbers_that_are_not_compared_are_all_needed():
    """`least` leaves out sympy's comparison, which would change none of the theorems' expressions."""
    found = {
        written: name
        for name, bound in BOUNDS.items()
        for expression in (*bound.parameters.values(), *bound.terms.values())
        for written in sp.sympify(expression).atoms(sp.Min)
    }
    assert len(found) > 30
    assert [name for written, name in found.items() if sp.Min(*written.args) != written] == []


@together(BOUNDS)
def test_names_and_references_of_a_bound(name):
    """A bound is called by its paper, is about a known method and metric, and says where it is printed."""
    bound = BOUNDS[name]
    assert bound.id == name
    assert name.partition(".")[0] == bound.paper
    # A paper that is not under audit needs no row there, but its name is no slip of one that has.
    assert bound.paper in PAPERS or not get_close_matches(bound.paper, PAPERS)
    assert bound.method in METHODS
    assert bound.metric in METRICS
    assert bound.title
    assert bound.where
    assert set(bound.free) <= set(bound.parameters)
    assert set(bound.regime) <= {"K", "N", "S", *bound.definitions}


@together(BOUNDS)
def test_expressions_use_registered_letters_only(name):
    """Needs, parameters, terms and conditions are in the letters of the notation, with its positive symbols."""
    bound = BOUNDS[name]
    named = {*bound.needs, *bound.parameters, *bound.derived, *bound.measured}
    expressions = [*bound.terms.values(), *bound.parameters.values(), bound.trivial, *bound.regime.values()]
    expressions += [side for c in bound.conditions for side in (c.relation.lhs, c.relation.rhs)]
    used = {s for e in expressions for s in sp.sympify(e).free_symbols}
    assert named | {s.name for s in used} <= set(LETTERS)
    assert all(s == symbol(s.name) for s in used)
    assert {s.name for s in used} <= named | {"N", "S", "K", "T", "b", "d"}


@together(BOUNDS)
def test_a_bound_evaluates_to_the_sum_of_its_terms(name):
    """At generic values the right-hand side is finite, positive, the sum of its terms and of `total`."""
    found = evaluated(name)
    assert 0 < found.rhs < float("inf")
    assert found.rhs == pytest.approx(sum(found.terms.values()))
    total = BOUNDS[name].total
    assert float(total.subs({s: found.values[s.name] for s in total.free_symbols})) == pytest.approx(found.rhs)
    assert found.trivial > 0


@together(BOUNDS)
def test_a_missing_constant_is_named(name):
    """Leaving out any needed constant is refused with its letter and the bound's name."""
    for letter in BOUNDS[name].needs:
        rest = {k: v for k, v in GENERIC.items() if k != letter}
        with pytest.raises(NotApplicableError, match=rf"bound {name} needs {letter}, which the problem"):
            BOUNDS[name].resolve(rest)


def test_a_condition_that_fails_is_named_with_both_sides():
    """Refusal outside the conditions names the condition, its relation and the two numbers."""
    bound = BOUNDS["momentum-fl.theorem11"]
    resolved = bound.resolve(GENERIC, {"gamma": 0.5})
    with pytest.raises(NotApplicableError) as caught:
        bound.evaluate(resolved)
    text = str(caught.value)
    assert text.startswith("bound momentum-fl.theorem11: condition 'descent (Lemma 5)' fails: L*gamma <= 1/24")
    assert "left side 0.65, right side 0.0416667" in text
    lenient = bound.evaluate(resolved, strict=False)
    assert {c.label for c in lenient.unmet} >= {"descent (Lemma 5)", "server step (Lemma 8)"}


SAMPLED = {"scaffold-m", "scaffold-m-vr", "fedavg-server-m", "fedprox-m", "fedlomo", "fedavg", "fedglomo", "pp-marina"}
SAMPLED |= {"gradma", "gradma-s", "gradma-w"}


@pytest.mark.parametrize("name", [n for n in BOUNDS if BOUNDS[n].method not in SAMPLED])
def test_partial_participation_is_refused_where_the_theorem_has_none(name):
    """Every theorem but those of sampled methods asks for N <= S."""
    labels = [c.label for c in evaluated(name, S=5.0).unmet]
    assert "full participation" in labels


@pytest.mark.parametrize(
    ("operator", "left", "right", "holds"),
    [
        ("Le", 1.0 + 1e-12, 1.0, True),
        ("Le", 1.0 + 1e-6, 1.0, False),
        ("Lt", 1.0, 1.0, False),
        ("Ge", 1.0 - 1e-12, 1.0, True),
        ("Ge", 1.0 - 1e-6, 1.0, False),
        ("Gt", 1.0, 1.0, False),
        ("Gt", 1.1, 1.0, True),
        ("Lt", 0.9, 1.0, True),
    ],
)
def test_non_strict_conditions_have_slack_and_strict_ones_none(operator, left, right, holds):
    """Prescription at equality passes a non-strict condition despite rounding, and never a strict one."""
    L, mu = symbols("L mu")
    condition = boundcheck.bounds.Condition("test", getattr(sp, operator)(L, mu))
    bound = replace(BOUNDS["momentum-fl.theorem11"], conditions=(condition,))
    assert bound.check({"L": left, "mu": right})[0].holds is holds


def test_unknown_override_is_named():
    """A parameter the bound does not have is refused with the ones it has."""
    with pytest.raises(UnknownNameError, match=r"parameter of momentum-fl.theorem11 'betaa'; did you mean beta"):
        BOUNDS["momentum-fl.theorem11"].resolve(GENERIC, {"betaa": 0.1})


@pytest.mark.parametrize(
    ("letter", "value"), [("eta", 0.0), ("eta", -1.0), ("beta", -0.1), ("beta", float("nan")), ("c", "x"), ("c", True)]
)
def test_illegal_override_is_named(letter, value):
    """A step that is not positive, a negative weight and what is no number are refused with the letter."""
    with pytest.raises(InputError, match=rf"momentum-fl.theorem11: {letter} = .* is not legal: a number"):
        BOUNDS["momentum-fl.theorem11"].resolve(GENERIC, {letter: value})


def test_momentum_weight_of_one_is_outside_fedlalr():
    """FedLALR needs beta1 < 1: at 1.5 its terms would be negative and the bound a false accusation."""
    for name in ("fedlalr.theorem1", "fedlalr.theorem1R"):
        assert "weight of the first moment" in [c.label for c in evaluated(name, {"beta1": 1.5}).unmet]


def test_vacuity_compares_with_the_trivial_bound():
    """Row 1 of FedLALR's golden table (10.45 against d G^2 = 10) is vacuous, row 2 (0.46) is not."""
    values = {"L": 1, "sigma": 0.1**0.5, "Delta": 2, "G_inf": 1, "d": 10, "N": 8, "S": 8, "K": 5, "T": 1000, "b": 1}
    bound = BOUNDS["fedlalr.theorem1-proof"]
    rows = [bound.evaluate(bound.resolve(values, {"eta": 0.01, "eps": eps})) for eps in (0.5, 1.0)]
    assert [row.vacuous for row in rows] == [True, False]
    assert [row.trivial for row in rows] == [10, 10]
    trivial = BOUNDS["momentum-fl.theorem11"].evaluate(BOUNDS["momentum-fl.theorem11"].resolve(GENERIC)).trivial
    assert trivial == pytest.approx(2 * 1.3 * 2.1)


HOMOGENEOUS = [n for n in BOUNDS if n.startswith("momentum-fl") and n != "momentum-fl.theorem22-alt-printed"] + [
    "fmgda.theorem1R", "fmgda.corollary1R", "fmgda.corollary1R-rate", "fedlalr.theorem1R",
]  # fmt: skip
HOMOGENEOUS += [n for n in BOUNDS if BOUNDS[n].paper in {"fedglomo", "gradma"} and n != "gradma.lemma2-printed"]


def scaled_ratio(name, s, r, sigma=0.7):
    """Return rhs after f -> s f, x -> r x over rhs before, divided by the unit of the left-hand side."""
    start = generic(BOUNDS[name]) | {"sigma": sigma}
    values = {k: v * s ** LETTERS[k].unit[0] * r ** LETTERS[k].unit[1] for k, v in start.items()}
    adaptive = name.startswith("fedlalr")
    before = evaluated(name, {"eta": 0.02} if adaptive else None, **start)
    after = evaluated(name, {"eta": 0.02 * r} if adaptive else None, **values)
    p, q = METRIC_UNIT.get(BOUNDS[name].metric, (2, -2))
    return after.rhs / before.rhs / (s**p * r**q)


@together(HOMOGENEOUS)
def test_units_of_the_right_hand_side(name):
    """Rescaling f and x changes the bound as its left-hand side does (an adaptive step is a length)."""
    assert scaled_ratio(name, 3.0, 1.0) == pytest.approx(1, rel=1e-9)
    assert scaled_ratio(name, 1.0, 0.4) == pytest.approx(1, rel=1e-9)


INHOMOGENEOUS = (
    "fedlalr.theorem1", "fedlalr.theorem1-proof", "fmgda.theorem1", "fmgda.corollary1",
    "momentum-fl.theorem22-alt-printed", "gradma.lemma2-printed",
)  # fmt: skip


@pytest.mark.parametrize("name", INHOMOGENEOUS)
def test_printed_bounds_that_are_not_homogeneous(name):
    """The specification's errata say that these printed forms change with the unit of f."""
    assert abs(scaled_ratio(name, 3.0, 1.0, sigma=0.7 if name.startswith("fedlalr") else 70.0) - 1) > 0.01


def test_bounds_do_not_import_methods():
    """No module of bounds imports methods, problems or the engine, at run time or for types."""
    for path in Path(boundcheck.bounds.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                assert (node.module or "").split(".")[1:2] not in (["methods"], ["problems"], ["engine"]), path


def test_registry_is_a_mapping_that_names_what_is_unknown():
    """BOUNDS gives bounds by name and refuses others with close names."""
    assert all(isinstance(BOUNDS[name], Bound) for name in BOUNDS)
    assert len(set(BOUNDS)) == len(BOUNDS) == len({BOUNDS[name].title for name in BOUNDS})
    with pytest.raises(UnknownNameError, match=r"unknown bound 'fedlalr.theorem'; did you mean"):
        BOUNDS["fedlalr.theorem"]
