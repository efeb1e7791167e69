"""Theorems more than twice a machine's theorem: factors are quotients of what is found anew, certificates ship."""

import json

import pytest

from boundcheck import BOUNDS, METHODS
from boundcheck.evidence.slack.loose import ALL_STEPS, beside, loose_bounds
from boundcheck.files.resources import folder
from boundcheck.worst import sharpen
from boundcheck.worst.theorems.collection.shipped import shipped_theorem


def test_a_factor_is_that_of_a_theorem_found_anew():
    """GradMA's lemma at K = 2, T = 4 and L = Delta = zeta = 1, at its own steps."""
    pytest.importorskip("clarabel")
    bound = BOUNDS["gradma.lemma6-fedavg"]
    values = {"L": 1.0, "Delta": 1.0, "zeta": 1.0, "sigma": 0.0, "N": 2, "S": 2, "K": 2, "T": 4, "b": 1}
    resolved = bound.resolve(values)
    method = METHODS["fedavg"](eta=float(resolved["eta"]), gamma=float(resolved["gamma"] / (2 * resolved["eta"])))
    best = sharpen(method, K=2, T=4, zeta=1.0).value()
    row = next(one for one in loose_bounds() if one.bound == bound.id)
    assert row.factor == pytest.approx(bound.evaluate(resolved).rhs / best, rel=1e-3)


def test_rows_are_above_two_and_have_their_proofs():
    """Every certificate that is named ships; a larger limit leaves fewer rows, and 0 leaves those that are tight."""
    rows = loose_bounds()
    shipped = {one["id"] for one in json.loads((folder("reports") / "tightness-proofs.json").read_text())}
    for row in rows:
        assert max(row.factor, row.long or 0) > 2
        assert len(row.certificates) == (0 if row.bound.startswith("field.") else 3)
        assert shipped.issuperset(row.certificates)
    assert len(loose_bounds(7.1)) < len(rows) <= len(loose_bounds(0.0))
    assert {row.bound for row in rows} >= set(ALL_STEPS)
    for name in ALL_STEPS.values():
        assert shipped_theorem(name).K is None


def test_the_card_says_it():
    """And why there is none."""
    assert "gradma.lemma6-fedavg" in {row.bound for row in loose_bounds()}
    assert "for all K and steps: fedavg-normalised" in beside("gradma.lemma6-fedavg")
    assert beside("field.gd-best").startswith("none: ")
