"""A review of a paper's theorem says what the report says, in the same words, and runs nothing against it."""

import pytest

import boundcheck as bc
from boundcheck.bounds import BOUNDS
from boundcheck.notation import PAPERS
from boundcheck.report.markup import badge
from boundcheck.report.pages.status import status
from boundcheck.report.theorems import promised_by
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
        assert found.horizon.where.endswith(f"N = {reported.N}, K = {reported.K}")
    if found.rate.promised.startswith("T^"):
        assert found.rate.promised.startswith(f"T^({reported.exponents['T']})")
    if BOUNDS[name].remark is not None:
        assert BOUNDS[name].remark.why in dict(sections(found))["status"]
    if known.status != "false as printed":
        assert "violated" not in found.verdicts
        assert found.search is None or found.search.verdict != "violated"
    return found


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
