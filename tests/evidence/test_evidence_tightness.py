"""A theorem's constants beside the worst case of its own class."""

import pytest

from boundcheck.bounds import BOUNDS
from boundcheck.errors import NotApplicableError
from boundcheck.evidence.search.extremes import measured_on, tightness

CLASSES = {
    "momentum-fl.theorem11": {"G_0": 4.0},
    "momentum-fl.theorem11-rate": {"G_0": 4.0},
    "momentum-fl.theorem15": {"G_0": 4.0},
    "momentum-fl.theorem15-alt": {"G_0": 4.0},
    "momentum-fl.theorem19": {"G_0": 4.0},
    "momentum-fl.theorem22": {"G_0": 4.0},
    "fedglomo.theorem3": {},
    "fedglomo.theorem3A": {},
    "fedglomo.theorem2-full": {},
    "gradma.lemma6-fedavg": {"zeta": 1.0},
    "gradma.lemma6-fedavgm": {"zeta": 1.0},
    "gradma.lemma6-fedproxm": {"zeta": 1.0},
    "gradma.lemma6S-fedavg": {"zeta": 1.0},
    "gradma.lemma6S-fedavgm": {"zeta": 1.0},
    "gradma.lemma6S-fedproxm": {"zeta": 1.0},
}
"""Explicit theorems that are not refuted, with the constants that they need beyond L and Delta."""


@pytest.mark.parametrize("name", CLASSES)
def test_no_true_theorem_is_exceeded(name):
    """The worst case stays below the right-hand side, and the engine measures what is attained."""
    found = tightness(name, K=2, T=3, **CLASSES[name])
    assert found.kind == "explicit"
    assert found.conditions == []
    assert found.looseness > 1
    assert found.excess < 1
    case = found.case
    assert measured_on(case.problem, found.method, K=2, T=3, measure=case.measure) == pytest.approx(
        case.lower, rel=1e-6
    )
    assert case.lower == pytest.approx(case.upper, rel=1e-4)


def test_a_bound_below_the_worst_case_is_refuted_by_a_function():
    """Two thirds of a right-hand side that is loose by 1.98 stand; a third is exceeded, and the engine sees it."""
    import dataclasses

    bound = BOUNDS["fedglomo.theorem3"]
    for share, refuted in ((0.67, False), (0.33, True)):
        cut = dataclasses.replace(bound, terms={name: share * term for name, term in bound.terms.items()})
        assert (tightness(cut, K=2, T=3).excess > 1) == refuted


@pytest.mark.parametrize("G_0", [2.0, 100.0])
def test_lemma_13_is_not_false_for_want_of_noise(G_0):
    """The printed lemma is false in its noise term: without noise one round of any two clients stays below it."""
    found = tightness("fedglomo.lemma13", K=4, T=2, G_0=G_0, overrides={"eta": 0.05})
    assert found.conditions == []
    assert found.case.measure == "suboptimality"
    assert found.excess < 1


def test_an_order_bound_has_a_hidden_constant_at_least_as_large():
    """The printed rate of FedAvg-M needs a constant of 5 here; it is the worst case over the rate."""
    found = tightness("momentum-fl.theorem11-printed", K=2, T=3, G_0=4.0)
    assert found.kind == "order"
    assert found.excess == pytest.approx(found.case.lower / found.rhs)
    assert found.excess > 5


def test_the_printed_step_of_scaffold_m_needs_ever_larger_constants():
    """With G_0 large the printed beta is so small that nothing moves: |grad f|^2 stays 2 L Delta for T rounds."""
    needed = [tightness("momentum-fl.theorem19-printed", K=1, T=T, G_0=1e4).excess for T in (2, 4, 8)]
    shape = 1 + 2 ** (2 / 3) / 2
    assert needed == pytest.approx([2 * T / shape for T in (2, 4, 8)], rel=0.02)


@pytest.mark.parametrize(
    ("name", "word"),
    [("fmgda.theorem1", "is about"), ("gradma.lemma6", "belongs to a run")],
)
def test_what_worst_cases_do_not_know_is_refused(name, word):
    """The message names the constant, the left-hand side or the operation."""
    with pytest.raises(NotApplicableError, match=word):
        tightness(name, K=2, T=2, zeta=1.0)


def test_a_constant_that_a_bound_needs_has_to_be_given():
    """Without G_0 FedAvg-M's theorem says nothing."""
    with pytest.raises(NotApplicableError, match="needs G_0"):
        tightness("momentum-fl.theorem11", K=2, T=2)
