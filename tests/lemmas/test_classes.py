"""What is counted, and as what: every claim has one class, every refuted one a weight, readings are not false lines."""

import re
from pathlib import Path

import pytest
from together import together

from boundcheck.bounds import BOUNDS
from boundcheck.evidence.status import of_claim, shipped
from boundcheck.lemmas import CLAIMS
from boundcheck.lemmas import classes as module
from boundcheck.lemmas.claim import AllOf, AnyOf
from boundcheck.lemmas.classes import CLASSES, READINGS, TAUTOLOGIES, class_of, counted, headline, severity_of
from boundcheck.lemmas.provers import Identity
from boundcheck.lemmas.tree import above

VERDICTS = {name: shipped()["claims"][name]["verdict"] for name in CLAIMS}
REFUTED = [name for name in CLAIMS if VERDICTS[name] == "refuted"]
OF = {name: class_of(claim, CLAIMS) for name, claim in CLAIMS.items()}


@pytest.mark.parametrize("table", ["FACTS", "REMARKS", "READINGS", "TAUTOLOGIES", "STATEMENTS", "USED"])
def test_every_name_in_a_table_is_a_claim(table):
    assert getattr(module, table) <= set(CLAIMS)


def test_a_claim_is_in_one_table_of_classes():
    assert not module.FACTS & module.REMARKS
    assert READINGS <= module.REMARKS
    assert not READINGS & (module.STATEMENTS | module.USED)
    assert set(REFUTED) >= module.STATEMENTS | module.USED | READINGS


def test_a_printed_line_is_one_at_a_line_that_is_named():
    """Every refuted line that counts, and whatever else counts as printed, names a line of the paper's text."""
    for name, kind in OF.items():
        if kind == "printed line":
            assert re.search(r"\bl\.\d", CLAIMS[name].where), name
    assert {OF[name] for name in REFUTED if name not in READINGS} == {"printed line"}


def test_what_mends_a_false_line_is_a_repair_or_a_fact():
    for name in set(REFUTED) - READINGS:
        by = CLAIMS[name].repaired_by
        assert by is None or OF[by] in {"repair", "sharpening", "textbook fact", "remark"}, name


def parts(goal):
    return [part for one in goal.goals for part in parts(one)] if isinstance(goal, AllOf | AnyOf) else [goal]


@pytest.mark.parametrize("name", sorted(TAUTOLOGIES))
def test_a_tautology_has_two_sides_that_are_one_expression(name):
    """Before anything is expanded: sympy's own equality of trees."""
    goals = parts(CLAIMS[name].goal())
    assert all(isinstance(one, Identity) and one.lhs == one.rhs for one in goals)


def test_counts_add_up():
    """By hand: all claims, less the readings and the tautologies."""
    counts = counted(CLAIMS, VERDICTS)
    assert tuple(counts) == CLASSES
    assert sum(map(sum, (c.values() for c in counts.values()))) == len(CLAIMS) - len(READINGS | TAUTOLOGIES)
    assert counts["printed line"]["refuted"] == len(REFUTED) - len(READINGS) == 125
    refuted = sum(found["refuted"] for found in counts.values())
    assert refuted == counts["printed line"]["refuted"]


def test_the_headline_counts_printed_lines_and_weighs_the_false_ones():
    text = headline(CLAIMS, VERDICTS)
    lines, proved, refuted, rest, *weights = map(int, re.findall(r"\d+", text))
    assert lines == proved + refuted + rest
    assert refuted == sum(weights)


def test_a_reading_is_not_false_as_printed():
    assert {of_claim(name).status for name in READINGS} == {"open"}
    assert {severity_of(name, CLAIMS) for name in READINGS} == {"reading"}


@together(sorted(set(REFUTED) - READINGS), parts=3)
def test_a_weight_is_what_the_ledger_says(name):
    """A line on which something rests is no slip; a claim against a registered bound is about a statement."""
    weight = severity_of(name, CLAIMS)
    if above(CLAIMS, name):
        assert weight in {"theorem", "step"}
    if any(name in bound.refuted_by for bound in BOUNDS.values()):
        assert weight == "theorem"


ROOT = Path(__file__).parents[2]
PLACES = ("docs/*.md", "docs/findings/*.py", "boundcheck/bounds/**/*.py", "boundcheck/evidence/*.py", "tests/**/*.py")
"""Where a claim may be named: pages, findings, bounds and what tests show of it."""


def needed():
    """Return the claims that others stand on, that mend a line, or that a page, a finding, a bound or a test names."""
    files = {path for pattern in PLACES for path in ROOT.glob(pattern) if path != Path(__file__)}
    named = set(re.findall(r"[a-z-]+\.[\w-]+", " ".join(path.read_text() for path in files)))
    steps = {step for claim in CLAIMS.values() for step in claim.steps}
    return named | steps | {claim.repaired_by for claim in CLAIMS.values()} | READINGS


def test_every_claim_is_needed():
    """A printed line, a repair, a sharpening, or something that is used or named."""
    own = {"printed line", "repair", "sharpening"}
    assert {name for name in CLAIMS if OF[name] not in own} <= needed()


def test_a_claim_that_nobody_names_is_seen():
    """Without the steps of others, textbook facts would be left over."""
    assert "gradma.young" in needed()
    assert "gradma.no-forgetting" not in needed()
