"""Exponents derived from the terms: against hand-derived values, and against log-log slopes of the bound itself."""

import math
from dataclasses import replace

import pytest
import sympy as sp
from bound_values import GENERIC, generic
from together import together
from turns import in_turn

from boundcheck.bounds import BOUNDS
from boundcheck.bounds.orders import decay, exponents, leading, order, substitute_parameters
from boundcheck.errors import BoundcheckError
from boundcheck.notation import symbols

N, K, T, L, sigma = symbols("N K T L sigma")
HALF = sp.Rational(1, 2)

SPEED_UP = {"T": -HALF, "N": -HALF, "K": -HALF, "S": 0, "rounds": 4, "samples": 4}
SAMPLED = {"T": -HALF, "N": 0, "K": -HALF, "S": -HALF, "rounds": 4, "samples": 4}
REDUCED = dict.fromkeys("TNK", -sp.Rational(2, 3)) | {"S": 0, "rounds": 3, "samples": 3}
REDUCED_SAMPLED = {"T": -sp.Rational(2, 3), "N": 0, "K": -sp.Rational(1, 3), "S": -sp.Rational(2, 3)}
REDUCED_SAMPLED |= {"rounds": 3, "samples": 3}
WEIGHTED = {"T": 0, "rounds": None, "samples": None}
THIRD = sp.Rational(1, 3)
STORM = {"T": -2 * THIRD, "N": 0, "K": 2 * THIRD, "S": -THIRD, "rounds": 3, "samples": 3}
LOCAL = {"T": -HALF, "N": 0, "K": 0, "S": -HALF, "rounds": 4, "samples": 4}
FORMS = ("", "S", "S-alt", "-rate", "-printed", "-alt", "-alt-rate", "-alt-printed")
TABLE = {
    # sqrt(L Delta sigma^2/(N K T)): audit 4.1, complexity eps^-4 rounds at fixed K.
    "momentum-fl.theorem11": SPEED_UP,
    "momentum-fl.theorem11S": SPEED_UP,
    "momentum-fl.theorem11-rate": SPEED_UP,
    "momentum-fl.theorem11-printed": SPEED_UP,
    # sqrt(L Delta sigma^2/(S K T)): audit 4.3.
    "momentum-fl.theorem19": SAMPLED,
    "momentum-fl.theorem19S": SAMPLED,
    "momentum-fl.theorem19-rate": SAMPLED,
    "momentum-fl.theorem19-printed": SAMPLED,
    "momentum-fl.theorem19-proof": SAMPLED,
    # (L Delta sigma/(N K T))^(2/3) and (L Delta sigma/(S sqrt(K) T))^(2/3): audit 4.2 and 4.4.
    **{f"momentum-fl.theorem15{form}": REDUCED for form in FORMS},
    **{f"momentum-fl.theorem22{form}": REDUCED_SAMPLED for form in (*FORMS, "-proof")},
    # 1/sqrt(N K T): Corollary 1 and Remark 3.
    "fedlalr.theorem1": SPEED_UP,
    "fedlalr.theorem1-proof": SPEED_UP,
    "fedlalr.theorem1R": SPEED_UP,
    "fedlalr.corollary1": SPEED_UP,
    # Corollaries 2 and 3 claim the same order; with restart 1/(eta T W), eta = sqrt(N/(K T)), W ~ K.
    **{f"fedlalr.corollary{form}": SPEED_UP for form in ("2", "2R", "3", "3R")},
    # Theorem 2: 1/sqrt(N sum K_t), and sum K_t ~ K T up to the logarithm of the schedule.
    **{f"fedlalr.theorem2{form}": SPEED_UP for form in ("", "-rate", "R")},
    # (bracket/T^2)^(1/3), the bracket ~ K^2/S for S < N and any alpha of order 1: audit, Theorem 1.
    **{f"fedglomo.theorem1{form}": STORM for form in ("", "-proof", "R", "S")},
    # rho_0 ~ T^(1/3) (bracket)^(1/3)/(N K^2) times that.
    "fedglomo.theorem1R-quantised": {
        "T": -THIRD, "N": -1, "K": -2 * THIRD, "S": -2 * THIRD, "rounds": 6, "samples": 6,
    },
    # max(...) ~ S^(-1/2) rounds at eps^(-3/2) in the squared norm; Remark 1 counts K T in place of T.
    "fedglomo.corollary1": STORM | {"K": 0},
    "fedglomo.remark1": STORM | {"K": -2 * THIRD},
    # sqrt(B/T) with B ~ 1/S; at S = N and q = 0 the drift (4/K)/N + alpha/N is left, with alpha of order 1.
    **{f"fedglomo.theorem2{form}": LOCAL for form in ("", "R", "S")},
    "fedglomo.theorem2-full": STORM | {"N": -THIRD, "K": 0, "S": 0},
    # sqrt(c/T) and sigma^2/sqrt(c T)/S with c ~ 1/S.
    **{f"fedglomo.theorem3{form}": LOCAL for form in ("", "A", "R")},
    **{f"fedglomo.lemma13{form}": WEIGHTED for form in ("", "A", "R")},
    # gamma ~ 1/(L sqrt(T/S)) and 2 Delta/(gamma T).
    "fedglomo.appendix-c": LOCAL,
    # sqrt(L Delta zeta^2/(S T)): audit 4.3; a measured correction stays.
    **{f"gradma.lemma6{form}{who}": LOCAL for form in ("", "S") for who in ("-fedavgm", "-fedproxm", "-fedavg")},
    **{f"gradma.lemma6{form}-w": WEIGHTED for form in ("", "S")},
    # eps_g^2/eta^2 with eta ~ T^(-1/2) grows: audit E6.
    **{f"gradma.lemma6{form}{who}": WEIGHTED | {"T": 1} for form in ("", "S") for who in ("", "-s")},
    "gradma.lemma2": WEIGHTED,
    "gradma.lemma2-printed": WEIGHTED,
    # A weighted sum is not a rate: the gap stays as T grows.
    "fmgda.theorem1": WEIGHTED,
    "fmgda.theorem1-proof": WEIGHTED,
    "fmgda.theorem1R": WEIGHTED,
    # Remark 1: (N K T)^(-2/3) with K = sqrt(T)/N is 1/T; eps^-2 rounds, eps^-3 samples.
    "fmgda.corollary1": {"T": -1, "N": 0, "K": 0, "S": 0, "rounds": 2, "samples": 3},
    "fmgda.remark1": {"T": -1, "N": 0, "K": 0, "S": 0, "rounds": 2, "samples": 3},
    # rho ~ K: heterogeneity ~ rho/(K N)^2 = 1/(K N^2) = T^(-1/2)/N at the paper's K; samples (4) * (3/2).
    "fmgda.corollary1R": {"T": -HALF, "N": -1, "K": 0, "S": 0, "rounds": 4, "samples": 6},
    # (N K T)^(-2/3) with K = (T/N^2)^(2/7): K T = T^(9/7) N^(-4/7); audit 4.4 (b), rounds eps^(-7/3).
    "fmgda.corollary1R-rate": {
        "T": -sp.Rational(6, 7), "N": -sp.Rational(2, 7), "K": 0, "S": 0, "rounds": sp.Rational(7, 3), "samples": 3,
    },
}  # fmt: skip


def test_table_covers_every_bound():
    """Adding a bound means deriving its exponents by hand once."""
    assert set(TABLE) == set(BOUNDS)


@together(BOUNDS)
def test_exponents_equal_hand_derived_values(name):
    """The exponents computed from the terms are those derived by hand."""
    found = exponents(BOUNDS[name])
    assert {k: getattr(found, k) for k in TABLE[name]} == TABLE[name]


def value(bound, T, **settings):
    """Return the right-hand side itself in floats, at prescribed parameters, with the regime of the bound."""
    v = GENERIC | {"N": 1e3, "S": 1e3, "K": 50.0} | settings | {"T": T}
    if generic(bound)["S"] < GENERIC["N"] and "S" not in settings:
        v["S"] = 100.0
    for letter, expression in bound.regime.items():
        v[letter] = float(expression.subs({s: v[s.name] for s in expression.free_symbols}))
    quantised = {"q_omega": 1.0} if "q_omega" in bound.parameters else {}
    return bound.evaluate(bound.resolve(v, quantised), strict=False).rhs


@pytest.mark.parametrize(("name", "letter"), in_turn([n for n in BOUNDS if TABLE.get(n) is not WEIGHTED], *"TNKS"))
def test_exponents_equal_slopes_of_the_bound(name, letter):
    """log-log slopes of the evaluated bound at huge T are the exponents (logarithms cost less than 0.02)."""
    bound = BOUNDS[name]
    if letter == "T":
        low, high = value(bound, 1e80), value(bound, 1e84)
        slope = math.log(high / low) / math.log(1e4)
    elif letter in bound.regime:
        slope = 0.0
    else:
        at = {"N": 1e7, "S": 1e3, "K": 1e3}[letter]
        low, high = (value(bound, 1e110, **{"N": 1e7, letter: at * factor}) for factor in (1, 1e3))
        slope = math.log(high / low) / math.log(1e3)
    assert slope == pytest.approx(float(getattr(exponents(bound), letter)), abs=0.02)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (3 * L, 0),
        (T, 1),
        (2 * N / T**2, -2),
        (1 / T + 1 / sp.sqrt(T), -HALF),
        (sp.Min(1 / T, 1 / sp.sqrt(T)), -1),
        (sp.Max(1 / T, 1 / sp.sqrt(T)), -HALF),
        (sp.Min(L, T), 0),
        (sp.Max(L, T), 1),
        (sp.ceiling(N / T), 0),
        (sp.ceiling(sp.sqrt(T) * N), HALF),
        (sp.log(T + 1) / T, -1),
        (sp.Piecewise((0, K < 2), (T**2, True)), 2),
        ((1 / T + 1 / T**2) ** 2, -2),
        (1 / (T + T**3), -3),
        (sp.sqrt(sp.Min(N, T) / T), -HALF),
        ((1 + L) ** (-2 * T), -sp.oo),
        (N * 2 ** (-T), -sp.oo),
    ],
)
def test_rules_of_the_order(expression, expected):
    """Each rule on an expression whose order is read off by hand."""
    assert order(expression, T) == expected


@pytest.mark.parametrize("expression", [sp.sin(T), 2**T, sp.exp(T)])
def test_no_rule_is_an_error(expression):
    """An expression outside the rules is refused, not guessed."""
    with pytest.raises(BoundcheckError, match="no rule for the order of"):
        order(expression, T)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (1 / T + N / sp.sqrt(T), N / sp.sqrt(T)),
        (sp.Min(L, T), L),
        (sp.Max(L, N * T), N * T),
        (sp.ceiling(N / T), 1),
        (sp.ceiling(N * T), N * T),
        (sp.Piecewise((0, K < 2), (T + 1, True)), T),
        ((T + L) * (1 / T + sigma), T * sigma),
        (sp.Min(N * T, K * T), sp.Min(N * T, K * T)),
    ],
)
def test_leading_part(expression, expected):
    """The dominating part keeps what is left as T grows, other letters included."""
    assert sp.simplify(leading(expression, T) - expected) == 0


def test_prescribed_expression_has_constants_and_settings_only():
    """Parameters are substituted through each other; free ones stay."""
    bound = BOUNDS["momentum-fl.theorem11"]
    letters = {s.name for s in substitute_parameters(bound, bound.total).free_symbols}
    assert letters == {"N", "K", "T", "b", "L", "sigma", "Delta", "G_0", "c", "a"}


@pytest.mark.parametrize(
    ("name", "letter", "powers"),
    [
        ("momentum-fl.theorem11", "T", [0.5, 1.0]),
        ("momentum-fl.theorem11", "N", [0.5]),
        ("momentum-fl.theorem19", "S", [0.5]),
        ("momentum-fl.theorem19", "T", [0.5, 1.5]),
        ("fedlalr.theorem1R", "T", [0.5, 1.0, 1.5]),
        ("fedlalr.theorem1R", "N", [0.5]),
    ],
)
def test_powers_for_fits(name, letter, powers):
    """Fits use each term's own power: sqrt, 1/T, and eta/T for FedLALR; T^(-3/2) for SCAFFOLD-M's control variates."""
    assert decay(BOUNDS[name], letter) == powers


def test_a_power_of_a_base_below_one_dies_out():
    """Heavy ball's beta^T had no rule; a base above 1, or on either side of it, still has none."""
    L, mu, T = symbols("L mu T")
    beta = ((sp.sqrt(L) - sp.sqrt(mu)) / (sp.sqrt(L) + sp.sqrt(mu))) ** 2
    assert order(4 * (2 * T + 1) ** 2 * beta**T, T) == -sp.oo
    for base in (1 / beta, 2 * mu / L):
        with pytest.raises(BoundcheckError, match="no rule"):
            order(base**T, T)


def test_a_hyperparameter_that_is_no_letter_stands_in_no_formula():
    """A theorem may prescribe it; the powers are those of the terms."""
    bound = replace(BOUNDS["field.gd-convex"], parameters={**BOUNDS["field.gd-convex"].parameters, "share": 1})
    assert decay(bound, "T") == decay(BOUNDS["field.gd-convex"], "T") == [1.0]
