"""What is counted, and as what: every claim has one class, every refuted one a weight, readings are not false lines."""

import re
from pathlib import Path

import pytest
from together import together

from boundcheck.bounds import BOUNDS
from boundcheck.notation import LETTERS
from boundcheck.proofs import CLAIMS
from boundcheck.proofs.goals import goal_of
from boundcheck.proofs.language.claim import AllOf, AnyOf
from boundcheck.proofs.ledger.classes import COUNTED, KINDS, MEANINGS, count_kinds, headline, severity_of
from boundcheck.proofs.ledger.tree import above
from boundcheck.proofs.provers import Identity
from boundcheck.verdicts.status import of_claim, shipped_statuses

VERDICTS = {name: shipped_statuses()["claims"].get(name, {}).get("verdict", "undecided") for name in CLAIMS}
REFUTED = [name for name in CLAIMS if VERDICTS[name] == "refuted"]
READINGS = {name for name, claim in CLAIMS.items() if claim.kind == "reading"}
REWRITINGS = {name for name, claim in CLAIMS.items() if claim.kind == "rewriting"}


def test_every_kind_has_a_meaning_and_a_claim():
    assert set(MEANINGS) == set(KINDS) == {claim.kind for claim in CLAIMS.values()}


def test_a_printed_line_is_one_at_a_line_that_is_named():
    """Every refuted line that counts, and whatever else counts as printed, names a line of the paper's text or none."""
    for name in REFUTED:
        assert CLAIMS[name].kind in {"printed line", "arithmetic", "reading"}, name
        assert re.search(r"\bl\.\d", CLAIMS[name].where), name


def private_numbers(claim):
    """Return the numbers in a statement that are no letters of the notation, none if it is about vectors or noise."""
    lines = getattr(claim.goal, "letters", ())
    if any(re.match(r"(vectors|families|ones|noise|draw) ", line) for line in lines):
        return set()
    names = {name for line in lines for name in re.findall(r"[A-Za-z]\w*", re.sub(r"(> 0|>= 0|real)$", "", line))}
    return {name for name in names - set(LETTERS) if re.search(rf"\b{name}\b", " ".join(claim.goal.shows))}


def test_a_line_whose_quantities_are_letters_is_arithmetic():
    """A proved claim about numbers that stand for norms, sums or expectations does not count as the printed line."""
    lines = [name for name, claim in CLAIMS.items() if claim.kind == "printed line" and VERDICTS[name] == "proved"]
    assert {name: private_numbers(CLAIMS[name]) for name in lines if private_numbers(CLAIMS[name])} == {}
    assert CLAIMS["momentum-fl.lemma18"].kind == "arithmetic"  # four inequalities between numbers, titled a lemma


def test_what_mends_a_false_line_is_a_repair_or_a_fact():
    for name in set(REFUTED) - READINGS:
        by = CLAIMS[name].repaired_by
        kinds = {"repair", "sharpening", "textbook fact", "remark", "rewriting", "arithmetic"}
        assert by is None or CLAIMS[by].kind in kinds, name


def parts(goal):
    return [part for one in goal.goals for part in parts(one)] if isinstance(goal, AllOf | AnyOf) else [goal]


@pytest.mark.parametrize("name", sorted(REWRITINGS))
def test_a_rewriting_has_two_sides_that_are_one_expression(name):
    """Before anything is expanded: sympy's own equality of trees."""
    goals = parts(goal_of(CLAIMS[name].goal))
    assert all(isinstance(one, Identity) and one.lhs == one.rhs for one in goals)


def test_counts_add_up():
    """By hand: all claims, less the readings and the rewritings."""
    counts = count_kinds(CLAIMS, VERDICTS)
    assert tuple(counts) == COUNTED
    assert sum(map(sum, (c.values() for c in counts.values()))) == len(CLAIMS) - len(READINGS | REWRITINGS)
    false = [name for name in REFUTED if CLAIMS[name].kind == "printed line"]
    assert counts["printed line"]["refuted"] == len(false) == 122


def test_the_headline_counts_printed_lines_and_weighs_the_false_ones():
    lines, arithmetic = headline(CLAIMS, VERDICTS).split(". ")
    count, proved, refuted, rest, *weights = map(int, re.findall(r"\d+", lines))
    assert count == proved + refuted + rest
    assert refuted == sum(weights)
    count, *verdicts = map(int, re.findall(r"\d+", arithmetic))
    assert count == sum(verdicts)


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


ROOT = Path(__file__).parents[3]
PLACES = ("docs/*.md", "docs/findings/*.py", "boundcheck/bounds/**/*.py", "boundcheck/evidence/*.py", "tests/**/*.py")
"""Where a claim may be named: pages, findings, bounds and what tests show of it."""


def needed():
    """Return the claims that others stand on, that mend a line, or that a page, a finding, a bound or a test names."""
    files = {path for pattern in PLACES for path in ROOT.glob(pattern) if path != Path(__file__)}
    named = set(re.findall(r"[a-z-]+\.[\w-]+", " ".join(path.read_text() for path in files)))
    steps = {step for claim in CLAIMS.values() for step in claim.step_ids}
    return named | steps | {claim.repaired_by for claim in CLAIMS.values()} | READINGS


def test_every_claim_is_needed():
    """A printed line, a repair, a sharpening, or something that is used or named."""
    own = {"printed line", "arithmetic", "repair", "sharpening"}
    assert {name for name, claim in CLAIMS.items() if claim.kind not in own} <= needed()


def test_a_claim_that_nobody_names_is_seen():
    """Without the steps of others, textbook facts would be left over."""
    assert "gradma.young" in needed()
    assert "gradma.no-forgetting" not in needed()
