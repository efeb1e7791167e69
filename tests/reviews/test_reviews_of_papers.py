"""A review of a paper's theorem says what the report says, in the same words, and runs nothing against it."""

import re

import pytest
from together import together

import boundcheck as bc
from boundcheck.bounds import BOUNDS
from boundcheck.evidence.slack.waterfalls import shipped_waterfalls
from boundcheck.notation import PAPERS
from boundcheck.report.pages.status import status
from boundcheck.report.pages.theorems.theorem import theorem
from boundcheck.report.theorems import promised_by
from boundcheck.report.typst.markup import badge, code
from boundcheck.reviews.answers import InformativeHorizon, ProofAnswer, RateSeen, Review, WorstOfClass
from boundcheck.reviews.page import markup
from boundcheck.reviews.questions import find_worst_case
from boundcheck.reviews.words import sections
from boundcheck.verdicts.status import of_bound
from boundcheck.verdicts.words import STATUS_WORDS, meanings

NAMES = sorted(name for name in BOUNDS if BOUNDS[name].paper in PAPERS and not name.startswith("field."))
QUICK = ["gradma.lemma2-printed", "momentum-fl.theorem11"]
"""One that is false, one that is proved."""


def as_the_report(name, work):
    """Return the review of a theorem whose status, grounds, conditions, units, first T and rate are the report's."""
    found = bc.review(name, work=work, budget=1_200)
    known = of_bound(name)
    assert found.status == known
    assert badge(found.status.status) == status(name)
    (said, *_) = dict(sections(found))["status"]
    assert said.startswith(f"{known.status}: {meanings(STATUS_WORDS)[known.status]}")
    assert all(ground in said for ground in known.because if not ground.startswith(("run:", "search:")))
    reported = promised_by(name)
    assert found.feasible == reported.feasible
    assert list(found.units) == reported.units
    if reported.informative_note:
        assert found.horizon.why
    else:
        assert found.horizon.first == reported.informative_from
        assert found.horizon.where.endswith(str(reported.size))
    if found.rate.promised.startswith("T^"):
        assert found.rate.promised.startswith(f"T^({reported.exponents['T']})")
    if BOUNDS[name].remark is not None:
        assert BOUNDS[name].remark.why in dict(sections(found))["status"]
    if known.status != "false as printed":
        assert "violated" not in found.verdicts
        assert found.search is None or found.search.verdict != "violated"
    return found


def review_without_runs(name):
    """Return what a review says of a theorem before anything is run."""
    return Review(
        bound=BOUNDS[name],
        status=of_bound(name),
        feasible=None,
        feasible_because="",
        example={},
        units=(),
        horizon=InformativeHorizon(None, ""),
        spoken_of=0,
        looked_at=0,
        silent_because="",
        measured=(),
        search=None,
        worst=WorstOfClass(None),
        rate=RateSeen(""),
        proof=ProofAnswer("none"),
        unasked=(),
        seconds=0.0,
    )


def test_data_of_a_review_has_the_papers_own_places():
    """Went wrong: what a program read named lines of a text that no reader has, what people read did not."""
    found = review_without_runs("momentum-fl.theorem15").data()
    assert found["where"] == "Theorem 15 (= Theorem 2), step times 7/R"
    assert "initial heterogeneity" in found["statement"]["conditions"]


@together(NAMES, parts=4)
def test_both_texts_say_the_same_of_a_statement(name):
    """Where it stands, its form, its status, its note: read off the report's page, found on the review's."""
    reported, reviewed = theorem(name, None, after=name), markup(review_without_runs(name))
    place, form = re.search(rf"{re.escape(code(name))}: #(.*?);\. Form: (.*?)\. #\[", reported, re.DOTALL).groups()
    (head,) = (line for line in reviewed.splitlines() if line.startswith(code(name)))
    # The review begins with the paper's title, within the same quotation marks.
    assert f"{place.lstrip(chr(34))};. Method" in head
    assert badge(of_bound(name).status) in reported
    assert badge(of_bound(name).status) in head
    said = dict(sections(review_without_runs(name)))["status"]
    assert f"form: {form}" in said
    assert ("#note[" in reported) is (f"note: {BOUNDS[name].note}" in said)
    assert re.search(r"\bl\.\s?\d", reported + reviewed) is None


@pytest.mark.parametrize("name", ["gradma.lemma2", "fedglomo.lemma13R"])
def test_both_say_the_same_of_the_worst_case(name):
    """The right-hand side over the worst case, in the shipped stages that reports draw."""
    (row,) = (row for row in shipped_waterfalls()["waterfalls"] if row["bound"] == name)
    stages = {stage["name"]: stage.get("value") for stage in row["stages"]}
    found = find_worst_case(BOUNDS[name])
    assert (row["K"], row["T"]) == (found.case.K, found.case.T)
    assert found.case.looseness == pytest.approx(stages["right-hand side"] / stages["worst case"], rel=1e-4)


@pytest.mark.parametrize("name", QUICK)
def test_some(name):
    found = as_the_report(name, 2_000)
    assert (found.verdict == "violated") is (name == "gradma.lemma2-printed")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_all(name):
    as_the_report(name, 40_000)


@pytest.mark.slow
def test_the_same_twice():
    name = "fedglomo.lemma13R"
    assert bc.review(name, work=10_000).data() == bc.review(name, work=10_000).data()
