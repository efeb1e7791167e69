"""Each prover on statements whose truth is known from elsewhere: true ones are proved, false ones are not."""

import numpy as np
import pytest
import sympy as sp
from turns import case_of, in_turn

from boundcheck.errors import InputError
from boundcheck.proofs.provers import (
    AllFrom,
    AllOf,
    Feasible,
    GramBound,
    Identity,
    Infeasible,
    OnBox,
    Real,
    frac,
    inner,
    nonnegative,
    positive,
    square,
    unit_mean,
    vectors,
)
from boundcheck.proofs.provers.gram import form_matrix, negative_direction

x, y, k = positive("x y k")
a, b, c, one = vectors("a b c one")
TIMEOUT = 10.0

TRUE = {
    "parallelogram": Identity(square(a + b) + square(a - b), 2 * (square(a) + square(b))),
    "partial fractions": Identity(1 / (x * (x + 1)), 1 / x - 1 / (x + 1)),
    "variance": Identity(square(a - inner(a, one) * one), square(a) - inner(a, one) ** 2, unit_mean(), mean=True),
    "Young": GramBound(2 * inner(a, b), x * square(a) + square(b) / x),
    "three squares": GramBound(square(a + b + c), 3 * (square(a) + square(b) + square(c))),
    "singular form": GramBound(2 * inner(a, b), square(a) + square(b)),
    "with a known sign": GramBound(-2 * inner(a, b), square(a), given=((sp.Integer(2), inner(a, b)),)),
    "arithmetic and geometric mean": Real(sp.sqrt(x * y), (x + y) / 2),
    "quotient": Real(1 / (1 + x), 1 - x / (1 + x) ** 2),
    "triangle": Real(sp.Abs(x - y), sp.Max(x, y)),
    "Euler's number": Real(sp.E, frac(27183, 10000)),
    "no root": Infeasible((sp.Eq(x**2 + x + 1, 0),)),
    "root": Feasible((sp.Eq(x**2, 2),)),
    "Bernoulli limit": AllFrom((1 + 1 / k) ** k, sp.E, k, sp.S.One),
    "logarithm": AllFrom(sp.log(k), k - 1, k, sp.Integer(2)),
    "exponential": OnBox(sp.exp(frac(27, 25)), sp.Integer(3), {}),
    "box": OnBox(sp.exp(x), 1 + x + x**2, {x: (frac(1, 10), sp.S.One)}),
}

FALSE = {
    "parallelogram": Identity(square(a + b) + square(a - b), 2 * square(a) + square(b)),
    "partial fractions": Identity(1 / (x * (x + 1)), 1 / x + 1 / (x + 1)),
    "variance": Identity(square(a - inner(a, one) * one), square(a), unit_mean(), mean=True),
    "Young": GramBound(2 * inner(a, b), x * square(a) + square(b) / (2 * x)),
    "three squares": GramBound(square(a + b + c), frac(29, 10) * (square(a) + square(b) + square(c))),
    "singular form": GramBound(2 * inner(a, b) + square(c), square(a) + square(b)),
    "zero pivot": GramBound(inner(a, b), square(a)),
    "arithmetic and geometric mean": Real((x + y) / 2, sp.sqrt(x * y)),
    "quotient": Real(1 / (1 + x), 1 - x / (1 + x) ** 3 - frac(1, 100)),
    "triangle": Real(sp.Abs(x - y), sp.Min(x, y)),
    "Euler's number": Real(sp.E, frac(27182, 10000)),
    "no root": Infeasible((sp.Eq(x**2 - x, 0),)),
    "root": Feasible((sp.Eq(x**2, -2),)),
    "Bernoulli limit": AllFrom((1 + 1 / k) ** k, frac(271, 100), k, sp.S.One),
    "logarithm": AllFrom(k - 1, sp.log(k), k, sp.Integer(2)),
    "exponential": OnBox(sp.exp(frac(27, 25)), frac(29, 10), {}),
    "box": OnBox(1 + x + x**2, sp.exp(x), {x: (frac(1, 10), sp.S.One)}),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_proved(name):
    """Textbook facts are proved."""
    assert TRUE[name].decide(TIMEOUT).verdict == "proved"


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_refuted_with_a_witness(name):
    """Perturbed textbook facts are refuted, and the replay shows the failure in numpy."""
    outcome = FALSE[name].decide(TIMEOUT)
    assert outcome.verdict == "refuted"
    if name != "root":
        assert outcome.replay is not None
        exec(outcome.replay, {})


@pytest.mark.parametrize("seed", range(20))
def test_exact_elimination_agrees_with_eigenvalues(seed):
    """A matrix is called semidefinite exactly when numpy's eigenvalues say so; the direction is negative."""
    rng = np.random.default_rng(seed)
    factor = rng.integers(-2, 3, (4, 3))
    matrix = factor @ factor.T - (seed % 3) * np.diag(rng.integers(0, 2, 4))
    direction = negative_direction(sp.Matrix(matrix.tolist()))
    assert (direction is None) == (np.linalg.eigvalsh(matrix)[0] > -1e-9)
    if direction is not None:
        v = np.array(direction, dtype=float)
        assert v @ matrix @ v < 0


def test_form_matrix_is_symmetric_and_reproduces_the_form():
    """Off-diagonal coefficients are shared equally between the two halves."""
    matrix = form_matrix(3 * square(a) - 4 * inner(a, b), ["a", "b"])
    assert matrix == sp.Matrix([[3, -2], [-2, 0]])


def test_a_witness_outside_what_is_given_does_not_refute():
    """Negative directions that break what is given are no witness; the bound is shown with a multiplier of 1."""
    goal = GramBound(inner(a, b), sp.Integer(0) * square(a), given=((sp.Integer(0), -inner(a, b)),))
    outcome = goal.decide(TIMEOUT)
    assert outcome.verdict == "proved"
    assert "with the multipliers 1, not with those given" in outcome.detail


(step, smooth, strong_by) = positive("step smooth strong_by")
COCOERCIVE = smooth * inner(a, b) - square(a)
"""Nonnegative for the gradient a of an L-smooth convex function at b from its minimum."""
STRONG = inner(a, b) - strong_by * square(b)


@pytest.mark.parametrize(
    ("cap", "multiplier"),
    [*in_turn([2], frac(19, 10), frac(1, 3), 2), *in_turn([frac(21, 10)], 2, frac(19, 10), frac(1, 3))],
)
def test_a_step_on_a_smooth_convex_function_is_decided_whatever_the_multiplier(cap, multiplier):
    """|x - eta g| <= |x| for eta <= 2/L, and not for eta = 2.1/L on a parabola of curvature L; 2 eta/L shows it."""
    verdict = "proved" if cap == 2 else "refuted"
    given = ((multiplier * step / smooth, COCOERCIVE),)
    goal = GramBound(square(b - step * a), square(b), (step * smooth <= cap,), given)
    assert goal.decide(TIMEOUT).verdict == verdict


@pytest.mark.parametrize(
    ("multiplier", "verdict"),
    [(2, "proved"), case_of((frac(19, 10), "proved"), slow=True), (frac(21, 10), "proved")],
)
def test_the_only_multiplier_that_serves_is_found(multiplier, verdict):
    """Mu |b| <= |a| from <a, b> >= mu |b|^2: (lambda - 2 mu)^2 <= 0 leaves 2 mu alone."""
    goal = GramBound(strong_by**2 * square(b), square(a), given=((multiplier * strong_by, STRONG),))
    assert goal.decide(TIMEOUT).verdict == verdict


def test_a_bound_that_what_is_given_does_not_imply_is_refuted_within_it():
    """|a|^2 <= 1.9/2 L <a, b> fails where L <a, b> = |a|^2; the witness meets what is given exactly."""
    outcome = GramBound(
        2 * square(a), frac(19, 10) * smooth * inner(a, b), given=((2 * smooth**0, COCOERCIVE),)
    ).decide(TIMEOUT)
    assert outcome.verdict == "refuted"
    v, w = ([sp.Rational(x) for x in outcome.witness[name]] for name in ("a", "b"))
    lipschitz = sp.Rational(outcome.witness["smooth"])
    product, length = sum(map(sp.Mul, v, w)), sum(x * x for x in v)
    assert lipschitz * product >= length
    assert 2 * length > frac(19, 10) * lipschitz * product


def test_several_given_inequalities_are_combined():
    """|a| <= |b| and |b| <= |c| give |a| <= |c| with both multipliers 1, and not with 9/10."""
    (c,) = vectors("c")
    given = ((sp.Integer(3), square(b) - square(a)), (sp.Integer(2), square(c) - square(b)))
    assert GramBound(square(a), square(c), given=given).decide(TIMEOUT).verdict == "proved"
    assert GramBound(square(a), frac(9, 10) * square(c), given=given).decide(TIMEOUT).verdict == "refuted"


def test_a_solver_that_gives_up_is_never_believed():
    """With no time the real prover says undecided, for a statement that is true."""
    u, v, w = nonnegative("u v w")
    hard = Real((u * v * w) ** 2 * (u + v + w) ** 5 * 3**9, (u**3 + v**3 + w**3 + u * v * w) ** 5 * 10**9 / (1 + u), ())
    assert hard.decide(0.001).verdict in {"undecided", "refuted"}


def test_a_pole_is_not_stepped_over():
    """A function that decreases to zero on both sides of a pole is negative before it, and is not proved."""
    gap = 1 / (k - frac(7, 2)) + sp.log(1 + 1 / k) * 0
    assert AllFrom(sp.log(1 + 1 / k) * frac(1, 1000), gap, k, sp.S.One).decide(TIMEOUT).verdict != "proved"


def test_illegal_expressions_name_what_is_legal():
    """Provers refuse what they cannot translate."""
    with pytest.raises(InputError, match="rational powers"):
        Real(sp.sin(x), sp.S.One).decide(TIMEOUT)
    with pytest.raises(InputError, match="linear in inner products"):
        GramBound(inner(a, b) ** 2, square(a)).decide(TIMEOUT)
    with pytest.raises(InputError, match="intervals know"):
        OnBox(sp.sin(x), sp.Integer(2), {x: (sp.S.Zero, sp.S.One)}).decide(TIMEOUT)


def test_a_conjunction_is_as_weak_as_its_weakest_part():
    """Refuted beats undecided beats proved."""
    good, bad = TRUE["Young"], FALSE["Young"]
    assert AllOf((good, good)).decide(TIMEOUT).verdict == "proved"
    assert AllOf((good, bad)).decide(TIMEOUT).verdict == "refuted"
    assert AllOf((TRUE["logarithm"], good)).prover == "monotone+gram"


def test_a_letter_that_cancels_is_in_the_witness():
    """1.001 x/h <= x/h fails by little at every x, h > 0; h cancels from the question but not from the replay."""
    x, h = positive("x h")
    outcome = Real(sp.Rational(1001, 1000) * x / h, x / h).decide(5.0)
    assert outcome.verdict == "refuted"
    assert set(outcome.witness) == {"x", "h"}
    exec(outcome.replay.replace("assert lhs > rhs", "assert lhs - rhs > 0"), {})
