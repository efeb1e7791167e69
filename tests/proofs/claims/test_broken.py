"""Printed theorems that do not follow: the step that breaks is the one found by hand, and what falls stands on it."""

import re

import pytest

from boundcheck.bounds import BOUNDS
from boundcheck.errors import UnknownNameError
from boundcheck.proofs import CLAIMS, prove
from boundcheck.proofs.chain.whole.pending import PENDING
from boundcheck.proofs.ledger.broken import ENTERS, MENDED, TRUNKS, printed_proof
from boundcheck.proofs.ledger.tree import below, standings_at
from boundcheck.verdicts.status import of_bound, shipped_statuses

VERDICTS = {name: shipped_statuses()["claims"].get(name, {}).get("verdict", "undecided") for name in CLAIMS}
BY_HAND = {
    # Lemma 14 needs eta K L <~ beta and eta K L <~ 1/(gamma L T), of which the statement has neither.
    "momentum-fl.theorem15-printed": ("momentum-fl.theorem15-eta-printed", "momentum-fl.theorem15-bound"),
    "momentum-fl.theorem15-alt-printed": ("momentum-fl.theorem15-eta-printed", "momentum-fl.theorem15-alt"),
    # The condition of Lemma 18 does not follow from those that are printed.
    "momentum-fl.theorem19-printed": ("momentum-fl.theorem19-eta-printed", "momentum-fl.theorem19-bound"),
    # The last contraction of Lemma 21 fails under its hypotheses.
    "momentum-fl.theorem22-printed": ("momentum-fl.lemma21-printed", "momentum-fl.theorem22-bound"),
    "momentum-fl.theorem22-alt-printed": ("momentum-fl.lemma21-printed", "momentum-fl.theorem22-alt"),
    # Lemma 10 leaves out the noise of the batches.
    "fedglomo.theorem1": ("fedglomo.lemma10-printed", "fedglomo.lemma1"),
    "fedglomo.corollary1": ("fedglomo.theorem1-order-printed", "fedglomo.corollary1"),
    "fedglomo.remark1": ("fedglomo.theorem1-order-printed", "fedglomo.remark1"),
    # The noise of one step moves the next.
    "fedglomo.lemma13": ("fedglomo.eq123-printed", "fedglomo.lemma14"),
    "fedglomo.lemma13A": ("fedglomo.eq123-printed", "fedglomo.lemma14"),
    "fedglomo.theorem3A": ("fedglomo.eq123-printed", "fedglomo.theorem3-growth"),
    # What is printed with "=" for the server step, the proof excludes.
    "momentum-fl.theorem19-proof": ("momentum-fl.theorem19-gamma-printed", "momentum-fl.theorem19-rate"),
    "momentum-fl.theorem22-proof": ("momentum-fl.theorem22-gamma-printed", "momentum-fl.theorem22"),
    # The noise of the dual estimator is charged too little.
    "fmgda.theorem1-proof": ("fmgda.theorem1-53-noise-printed", "fmgda.theorem1-assembly"),
    # The root reaches over L K, so that the growth of a step is no longer below 1/(K - 1).
    "gradma.lemma2-printed": ("gradma.drift-ratio-printed", "gradma.drift-geometric"),
    **{
        f"fedlalr.{name}": ("fedlalr.lemma4-printed", "fedlalr.term-24")
        for name in ("theorem1", "theorem1-proof", "corollary2", "corollary3", "theorem2")
    },
    **{f"fmgda.{name}": ("fmgda.a3-printed", "fmgda.lemma5") for name in ("theorem1", "corollary1")},
}
"""Printed bound to the first false line that its proof needs, and to one line that falls with it."""


def of(name, **changed):
    return printed_proof(name, CLAIMS, VERDICTS | changed)


def test_every_false_theorem_has_its_tree():
    false = {name for name in BOUNDS if of_bound(name).status == "false as printed"}
    assert false <= set(TRUNKS) == set(BY_HAND)
    assert set(TRUNKS.values()) | set(ENTERS) | set(ENTERS.values()) <= set(CLAIMS)


@pytest.mark.parametrize("name", MENDED)
def test_what_a_bound_has_mended_is_no_line_of_its_proof(name, monkeypatch):
    """Each is false, and would be a line if it were not mended; the bound itself is not contradicted."""
    mended = set(MENDED[name])
    assert not set(of(name).lines) & mended
    monkeypatch.setitem(MENDED, name, ())
    assert mended <= {line for line in of(name).lines if VERDICTS[line] == "refuted"}
    assert of_bound(name).status in {"not contradicted", "open"}


@pytest.mark.parametrize("name", TRUNKS)
def test_the_first_false_step_is_the_one_found_by_hand(name):
    found = of(name)
    breaks, falls = BY_HAND[name]
    assert found.breaks == breaks
    assert falls in found.falls
    assert found.falls[-1] == name
    assert not set(found.refuted) & set(found.falls[:-1])


@pytest.mark.parametrize("name", TRUNKS)
def test_false_lines_are_refuted_and_stand_where_they_are_used(name):
    """Each line follows its steps; a false one stands before the line that mends it; nothing before the break falls."""
    found = of(name)
    place = {line: n for n, line in enumerate(found.lines)}
    assert len(place) == len(found.lines)
    assert {VERDICTS[line] for line in (*found.refuted, *found.slips)} == {"refuted"}
    for line in found.lines:
        if line not in (*found.refuted, *found.slips):
            assert all(place[step] < place[line] for step in CLAIMS[line].step_ids)
    assert all(place[line] > place[found.breaks] for line in found.falls if line in place and line != found.bound)
    assert all(place[line] >= place[found.breaks] for line in found.refuted)


@pytest.mark.parametrize("name", sorted({breaks for breaks, _ in BY_HAND.values()}))
def test_the_step_that_breaks_is_refuted_now_and_has_a_witness(name):
    (proof,) = prove([name], kept=True)
    assert (proof.verdict, bool(proof.replay)) == ("refuted", True)


def test_what_falls_is_what_stands_on_the_line_in_its_place():
    """The walk of the ledger, from the other end: with the mended line refuted, these no longer stand."""
    name = "momentum-fl.theorem15-printed"
    found = of(name)
    without = standings_at(CLAIMS, VERDICTS | {"momentum-fl.theorem15-eta": "refuted"})
    tree = (*below(CLAIMS, TRUNKS[name]), TRUNKS[name])
    fallen = [line for line in tree if without[line].steps == "refuted" and line != "momentum-fl.theorem15-eta"]
    assert found.falls == (*fallen, name)


def test_a_line_that_is_true_after_all_breaks_nothing():
    """The next false one is then the first."""
    changed = {"momentum-fl.theorem15-eta-printed": "proved"}
    assert of("momentum-fl.theorem15-printed", **changed).breaks == "momentum-fl.theorem15-rate-printed"


@pytest.mark.parametrize("name", PENDING)
def test_a_bound_without_a_proof_names_the_false_claim_at_which_it_breaks(name):
    """The reason that a reader is given is a claim that the ledger refutes, in the tree that is shown beside it."""
    assert re.search(rf"\b{re.escape(of(name).breaks)}\b", PENDING[name])
    named = re.findall(r"[a-z-]+\.[\w-]+", PENDING[name])
    assert all(one in CLAIMS or one in BOUNDS for one in named)


def test_a_theorem_that_follows_has_no_such_tree():
    with pytest.raises(UnknownNameError, match="does not follow"):
        of("momentum-fl.theorem11-printed")
