"""Lemmas of theorems for all steps as certificates: the checker of single inequalities accepts them; Lean has text."""

import json

import pytest

from boundcheck.errors import NotApplicableError
from boundcheck.proofs.kernel import certificates as checker
from boundcheck.worst.theorems.all_steps.certificates import lean_text, lemma_certificates
from boundcheck.worst.theorems.collection.recipes import RECIPES
from boundcheck.worst.theorems.collection.shipped import FOLDER
from boundcheck.worst.theorems.described.shipped import described_theorem

QUICK = ("fedavg-2", "sgd-1", "mime-2")
REFUSED = {
    "neighbouring local points": ("fedavg-longest", "fedavg-m-longest", "scaffold-longest"),
    "the last local step": ("fedavg-near", "fedavg-m-near", "scaffold-near"),
}
"""What lemmas are said to have, and the theorems that have it."""


def shipped(name):
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def accept(certificates):
    """Return what the checker of single inequalities states."""
    past = {}
    return [line for one in certificates for line in checker.check(one, past)]


@pytest.mark.parametrize("name", QUICK)
def test_another_checker_accepts_the_lemmas(name):
    """Round, start and end, each from smoothness and squares, with a letter h in its range."""
    found = lemma_certificates(shipped(name))
    assert [one["id"].rpartition(", ")[2] for one in found] == ["round", "start", "end"]
    accept(found)
    assert all(any(line.startswith("h <=") for line in one["given"]) for one in found)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*RECIPES} - {*QUICK, *sum(REFUSED.values(), ())}))
def test_all_that_ship_are_accepted(name):
    accept(lemma_certificates(shipped(name)))


@pytest.mark.parametrize("name", ["ef21", "dsgd", "delayed-sgd"])
def test_described_rounds_have_certificates(name):
    """With a hypothesis of their own, and an energy that is at least 0."""
    accept(lemma_certificates(described_theorem(name).proof))


def test_the_lemmas_along_a_round_are_accepted():
    """Every K: the first local step; a later one, at t = e + s (1 - 2 e), is checked in the slow tests."""
    found = lemma_certificates(shipped("fedavg-exact"))
    assert [one["id"].rpartition(", ")[2] for one in found] == ["round", "start", "end", "first", "step"]
    accept(found[:-1])


@pytest.mark.parametrize("which", [0, 1])
def test_spoiled_lemmas_are_refused(which):
    """A smaller constant, or one square less."""
    found = lemma_certificates(shipped("fedavg-2"))
    if which:
        found[0]["by"].pop()
    else:
        found[0]["shows"] = found[0]["shows"].replace(" >= 0", " - (1/1000)*zeta2*h^2 >= 0")
    with pytest.raises(ValueError, match=r"."):
        accept(found[:1])


def test_lean_has_a_theorem_for_each_lemma():
    text = lean_text(shipped("fedavg-2"))
    assert text.count("import Mathlib") == 1
    assert text.count("theorem fedavg__K___2__all_steps__") == 3
    assert "mean_t |grad F(x_t)|^2" in text or "mean_t E|grad F(x_t)|^2" in text
    assert text.count("(") == text.count(")")


@pytest.mark.parametrize(("why", "name"), [(why, name) for why, names in REFUSED.items() for name in names])
def test_others_are_refused_by_name(why, name):
    with pytest.raises(NotApplicableError, match=why):
        lemma_certificates(shipped(name))
