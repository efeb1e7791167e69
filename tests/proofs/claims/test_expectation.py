"""Expectations: the symbolic laws against exact enumeration, and one-step statements on random states."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy as sp

from boundcheck.errors import InputError
from boundcheck.proofs.provers import (
    Expected,
    GramBound,
    Identity,
    clients,
    deviation,
    expect,
    independent,
    inner,
    mean,
    noise,
    positive,
    sampled_mean,
    signs,
    square,
    subsets,
    taken,
    vectors,
    with_replacement,
    without_replacement,
)
from boundcheck.proofs.provers.hilbert import INNER

N, S, K, b, p, sigma = positive("N S K b p sigma")
v, w = clients("v w")
(x,) = vectors("x")
CLIENTS, DRAWN = 4, 2


def rationals(seed, *shape):
    rng = np.random.default_rng(seed)
    return np.vectorize(lambda k: Fraction(int(k), 3), otypes=[object])(rng.integers(-9, 10, shape))


FAMILIES = {"v": rationals(0, CLIENTS, 2), "w": rationals(1, CLIENTS, 2), "x": np.tile(rationals(2, 2), (CLIENTS, 1))}


def gram_value(expression, families):
    """Evaluate Gram symbols of means and deviations straight from the clients' vectors."""
    known = {}
    for name, rows in families.items():
        average = np.tile(rows.sum(0) / len(rows), (len(rows), 1))
        known |= {name: rows, f"{name}_mean": average, f"{name}_dev": rows - average}
    values = {
        g: sp.Rational(str((known[g.args[0].name] * known[g.args[1].name]).sum() / CLIENTS))
        for g in expression.atoms(INNER)
    }
    return expression.xreplace(values)


def weights(law):
    """Return (probability, weights c_i) for every outcome of a law with 4 clients, 2 draws or p = 1/3."""
    if law == "without":
        sets = list(subsets(CLIENTS, DRAWN))
        return [(Fraction(1, len(sets)), [Fraction(int(i in s), DRAWN) for i in range(CLIENTS)]) for s in sets]
    if law == "with":
        draws = list(product(range(CLIENTS), repeat=DRAWN))
        return [(Fraction(1, len(draws)), [Fraction(d.count(i), DRAWN) for i in range(CLIENTS)]) for d in draws]
    third = Fraction(1, 3)
    return [
        (third ** sum(on) * (1 - third) ** (CLIENTS - sum(on)), [Fraction(k) / (third * CLIENTS) for k in on])
        for on in product((0, 1), repeat=CLIENTS)
    ]


LAWS = {"without": without_replacement(N, S), "with": with_replacement(N, S), "independent": independent(N, p)}
AT = {N: CLIENTS, S: DRAWN, p: sp.Rational(1, 3)}


@pytest.mark.parametrize("law", LAWS)
def test_second_moments_of_sampled_means_agree_with_enumeration(law):
    """E <sum c_i v_i, sum c_i w_i - x> by the law equals the sum over all outcomes."""
    draw = LAWS[law]
    symbolic = expect(inner(sampled_mean(v, draw), sampled_mean(w, draw) - x), draw).subs(AT)
    total = Fraction(0)
    for probability, c in weights(law):
        a, e = (sum(c[i] * FAMILIES[name][i] for i in range(CLIENTS)) for name in "vw")
        total += probability * (a @ (e - FAMILIES["x"][0]))
    assert gram_value(symbolic, FAMILIES) == sp.Rational(str(total))


@pytest.mark.parametrize("law", ["without", "independent"])
def test_taking_part_agrees_with_enumeration(law):
    """The family that is w_i for those who take part and v_i for the rest: mean square, and square of its mean."""
    draw = LAWS[law]
    kept = v + taken(w - v, draw)
    share = Fraction(1, 2) if law == "without" else Fraction(1, 3)
    squares = squared_mean = Fraction(0)
    for probability, c in weights(law):
        rows = np.array([FAMILIES["w" if c[i] else "v"][i] for i in range(CLIENTS)])
        squares += probability * (rows * rows).sum() / CLIENTS
        average = rows.sum(0) / CLIENTS
        squared_mean += probability * (average @ average)
    assert {round(float(c * share * CLIENTS)) for _, cs in weights(law) for c in cs} == {0, 1}
    assert gram_value(expect(square(kept), draw).subs(AT), FAMILIES) == sp.Rational(str(squares))
    assert gram_value(expect(square(mean(kept)), draw).subs(AT), FAMILIES) == sp.Rational(str(squared_mean))


def test_noise_of_clients_agrees_with_enumeration():
    """Signs of size 3 on four clients: E |mean (v_i + e_i)|^2 and E mean |v_i + e_i|^2."""
    law = noise("e", N, sp.Integer(9))
    (e,) = law.vectors
    rows = FAMILIES["v"][:, :1]
    outcomes = [rows + 3 * s for s in signs(CLIENTS, 1)]
    of_mean = sum((o.sum() / CLIENTS) ** 2 for o in outcomes) / len(outcomes)
    of_squares = sum((o * o).sum() / CLIENTS for o in outcomes) / len(outcomes)
    families = {"v": rows}
    assert gram_value(expect(square(mean(v + e)), law).subs(AT), families) == sp.Rational(str(of_mean))
    assert gram_value(expect(square(v + e), law).subs(AT), families) == sp.Rational(str(of_squares))


def test_martingale_differences_are_such_noise():
    """Steps s_k (1 + [s_(k-1) = 1]) are dependent, yet E |sum|^2 is the sum of E |e_k|^2, as the law says."""
    steps = [[s[k] * (1 + (k > 0 and s[k - 1] == 1)) for k in range(4)] for s in signs(4)]
    moments = [Fraction(sum(e[k] ** 2 for e in steps), len(steps)) for k in range(4)]
    law = noise("e", K)
    (e,) = law.vectors
    symbolic = expect(square(K * mean(e)), law)
    average = sum(moments) / 4
    value = symbolic.xreplace({g: sp.Rational(str(average)) for g in symbolic.atoms(INNER)}).subs(K, 4)
    assert value == sp.Rational(str(Fraction(sum(sum(e) ** 2 for e in steps), len(steps))))


RHO = (N - S) / (S * (N - 1))
DRAW, NOISE = without_replacement(N, S), noise("e", N, sigma**2)
(E,) = NOISE.vectors
PAIR = noise("n n_old", N)
NEW, OLD = PAIR.vectors
BATCH = noise("g", b, sigma**2)
TRUE = {
    "sampling": Identity(expect(square(sampled_mean(v, DRAW)), DRAW), square(mean(v)) + RHO * square(deviation(v))),
    "sampled noise": Identity(
        expect(square(sampled_mean(v + E, DRAW)), DRAW, NOISE),
        square(mean(v)) + RHO * square(deviation(v)) + sigma**2 / S,
    ),
    "minibatch": Identity(expect(square(x + mean(BATCH.vectors[0])), BATCH), square(x) + sigma**2 / b),
    "recursive estimator": GramBound(
        expect(square(mean(NEW) - (1 - p) * mean(OLD)), PAIR),
        expect(2 * (1 - p) ** 2 * square(NEW - OLD) + 2 * p**2 * square(NEW), PAIR) / N,
        (p <= 1,),
    ),
    "two draws": Identity(
        expect(
            inner(sampled_mean(v, DRAW), sampled_mean(w, without_replacement(N, S, "second"))),
            DRAW,
            without_replacement(N, S, "second"),
        ),
        inner(mean(v), mean(w)),
    ),
}


@pytest.mark.parametrize("name", TRUE)
def test_moments_are_proved_for_all_counts(name):
    """Textbook second moments, for symbolic N, S and b."""
    assert TRUE[name].decide(10).verdict == "proved"


@pytest.mark.parametrize(
    "goal",
    [
        Identity(TRUE["sampling"].lhs, square(mean(v)) + (N - S) / (S * N) * square(deviation(v))),
        Identity(TRUE["sampled noise"].lhs, TRUE["sampling"].rhs + sigma**2 / N),
        GramBound(TRUE["recursive estimator"].lhs, TRUE["recursive estimator"].rhs / 2, (p <= 1,)),
    ],
)
def test_wrong_moments_are_refuted(goal):
    """Replacement in place of no replacement, noise over N in place of S, and half of a sharp bound."""
    outcome = goal.decide(10)
    assert outcome.verdict == "refuted"
    exec(outcome.replay, {})


def _state(draw):
    return {"x": draw.array(3, 2), "eta": draw.part()}


def _chance(**_):
    return product(subsets(3, 2), signs(2))


def _second_moment(outcome, x, eta, spare=0):
    """Return both sides of E |mean_S x - eta s|^2 = |mean x|^2 + spread/8 + 2 eta^2 - spare."""
    chosen, s = outcome
    centre = x.sum(0) / 3
    spread = ((x - centre) ** 2).sum() / 3
    step = x[chosen].sum(0) / 2 - eta * s
    return step @ step, centre @ centre + spread / 4 + 2 * eta**2 - spare


def _less(outcome, x, eta):
    return _second_moment(outcome, x, eta, Fraction(1, 100))


def test_enumeration_supports_an_identity_and_refutes_its_neighbour():
    """(N - S)/(S (N - 1)) = 1/4 at N = 3, S = 2; a hundredth less on the right is refuted and replays."""
    true = Expected(_state, _chance, _second_moment, equal=True).decide(10)
    assert (true.verdict, true.slack, true.tries) == ("supported", 1.0, 60)
    wrong = Expected(_state, _chance, _less).decide(10)
    assert wrong.verdict == "refuted"
    exec(wrong.replay, {})


def test_what_cannot_be_averaged_is_refused():
    """Squares of random inner products, vectors, draws without their law, and reserved endings of names."""
    e = NOISE.vectors[0]
    with pytest.raises(InputError, match=r"a vector.* is not legal: a number"):
        expect(e, NOISE)
    with pytest.raises(InputError, match="linear in the inner products"):
        expect(inner(e, v) ** 2, NOISE)
    with pytest.raises(InputError, match="every draw"):
        expect(square(sampled_mean(v, DRAW)), NOISE)
    with pytest.raises(InputError, match="v_dev"):
        vectors("v_dev")
    with pytest.raises(InputError, match="takes part once"):
        taken(v, with_replacement(N, S))
