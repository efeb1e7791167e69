"""Print and repair side by side: what differs is in colour, what is the same is not."""

import numpy as np
import pytest
from sympy import Max, Min

from boundcheck.bounds import BOUNDS
from boundcheck.notation import symbols
from boundcheck.report.pages.theorems.contrast import contrast, monomials, new_factors, parts, prescription_entries
from boundcheck.report.typst.typeset import typeset

L, Delta, T, sigma, S, K, N, G_0, d, eps = symbols("L Delta T sigma S K N G_0 d eps")


def sides(name, repaired):
    """Return the two columns."""
    left, right = contrast(BOUNDS[name], BOUNDS[repaired]).split("\n][\n")
    return left, right


def test_the_entry_with_the_start_is_what_differs_in_theorem_19():
    """The printed beta has sqrt(L Delta S^2/(G_0 N)), the repaired one has not; the two other entries are shared."""
    left, right = sides("momentum-fl.theorem19-printed", "momentum-fl.theorem19-rate")
    beta = next(line for line in left.splitlines() if "beta =" in line)
    coloured = [piece.partition("#piece")[0] for piece in beta.split("#piece(new: true)")[1:]]
    assert len(coloured) == 1
    assert "G_0" in coloured[0]
    assert "G_0" not in next((line for line in right.splitlines() if "beta =" in line), "")


def test_the_variance_inside_the_bracket_is_what_differs_in_theorem_22():
    """sigma^2/(S K T) multiplies L Delta/T in print; its bracket and the repaired term are in colour."""
    left, right = sides("momentum-fl.theorem22-alt-printed", "momentum-fl.theorem22-alt-rate")
    terms = left.partition("beta =")[0]
    assert terms.count("#piece(part: true)") == 1
    changed = terms.split("#piece(part: true)")[1].partition("#piece")[0]
    assert "sigma^(2)" in changed.partition("newpart(")[2]
    assert "Delta" in changed.replace(changed.partition("newpart(")[2], "")
    assert "#piece(new: true)" in right.partition("beta =")[0]


@pytest.mark.parametrize("name", ["momentum-fl.theorem11", "fedlalr.theorem1R", "gradma.lemma6"])
def test_a_statement_does_not_differ_from_itself(name):
    """Nothing is in colour."""
    page = contrast(BOUNDS[name], BOUNDS[name])
    assert "new: true" not in page
    assert "part: true" not in page


def test_of_terms_of_one_name_only_the_factor_that_differs_is_in_colour():
    """Went wrong: nearly all of Theorem 1 of FedLALR was in colour, though its noise differs by a power alone."""
    left, _ = sides("fedlalr.theorem1", "fedlalr.theorem1R")
    assert "newpart(d)" in left
    assert "#piece(new: true)" not in left.partition("+ frac(4")[0]
    assert new_factors(d * L * sigma**2 / eps**2, L * sigma**2 / eps**2) == {(d, 1)}
    assert new_factors(L * (N + 1), L * (3 * N + 7)) == set()


def test_numbers_alone_are_no_difference():
    """Products are compared without their numbers, sums without the order of their terms."""
    assert monomials(L * Delta / T * (7 + 2 * N / S)) == monomials(3 * L * Delta * N / (S * T) + L * Delta / T)
    assert monomials(sigma**2 / T) != monomials(sigma / T)


def test_numbers_count_where_no_constant_is_hidden():
    """Went wrong: Lemma 13 prints a factor 8 too small, which is its only fault, and nothing of it was in colour."""
    left, right = sides("fedglomo.lemma13", "fedglomo.lemma13A")
    for side, factor in ((left, "6 S max(1, N - 1)"), (right, "3 S max(1, N - 1)")):
        (changed,) = side.split("#piece(part: true)")[1:]
        assert factor in changed.partition("newpart(")[2].partition("#piece")[0]
    assert new_factors(L * (N + 1), L * (3 * N + 7), exact=True) == {(N + 1, 1)}
    assert monomials(2 * L, exact=True) != monomials(3 * L, exact=True)


def test_a_minimum_is_not_a_maximum_of_the_same_entries():
    """The word is a part of its own."""
    assert parts(Min(L, S)) != parts(Max(L, S))
    shown = prescription_entries("beta", Min(L, S), parts(Max(L, S)))
    assert '#piece(new: true)[$ beta =  upright("min") $]' in shown
    assert f"#piece[$ {typeset(L)} $]" in shown


def test_a_bracket_and_a_value_stay_with_what_they_belong_to():
    """No line breaks between a minimum and its bracket, and the value at a cell is in the piece that ends it."""
    shown = prescription_entries("beta", Min(L / S, S), value="approx 0.5")
    assert shown.startswith('#piece[$ beta =  upright("min") $]#sym.wj;#piece[$ lr(\\(, size: #2.4em) $]#sym.wj;#piece')
    assert shown.endswith("#sym.wj;#piece[$ lr(\\), size: #2.4em) approx 0.5 $]")
    assert "size" not in prescription_entries("beta", Min(L, S))
    assert prescription_entries("beta", L, value="approx 0.5") == "#piece[$ beta = L approx 0.5 $]"


@pytest.mark.parametrize(
    ("smallest", "factor"), [(lambda T: np.sqrt(1 / (54 * T)), np.sqrt(54)), (lambda T: T**-0.5, 1.0)]
)
def test_on_a_fixed_parabola_the_second_rates_fail_too(smallest, factor):
    """On x^2/2 the sum of the squared gradients of gradient descent is Delta/gamma: T^(1/2) times what is promised."""
    for horizon in (10**4, 10**6):
        step = 1 / (factor * np.sqrt(horizon))  # beta = 1/T in sqrt(beta/54) of Theorem 15, sqrt(beta) of Theorem 22
        x = (1 - step) ** np.arange(horizon)
        ratio = np.mean(x**2) / (0.5 / horizon)
        assert ratio == pytest.approx(factor * np.sqrt(horizon), rel=0.02)
