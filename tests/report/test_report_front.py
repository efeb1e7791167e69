"""The first two pages: what was found, each theorem once, in one order."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import boundcheck
from boundcheck.bounds import BOUNDS
from boundcheck.findings import false_bounds
from boundcheck.notation import LETTERS, PAPERS
from boundcheck.report.pages.front import count, front
from boundcheck.report.pages.letters import cut_meaning
from boundcheck.report.pages.studies.rate_table import rate_table
from boundcheck.report.pages.theorems.matrix import matrix
from boundcheck.report.plots.glance import glance_figure
from boundcheck.report.theorems import RatioRange, promised_by, ratios, silence, theorems, tightest
from boundcheck.report.typst.markup import prose
from boundcheck.sweep import Recipe, shipped_summary
from boundcheck.verdicts.status import of_bound

ATTAINED = Path(boundcheck.__file__).parent / "rates" / "attained.json"


@pytest.fixture(scope="module")
def found():
    """Return all registered theorems."""
    return theorems(BOUNDS)


def test_every_bound_is_a_form_of_one_theorem(found):
    """No form is lost or counted twice, and papers stand in the order of the notation."""
    forms = [name for theorem in found for name in theorem.forms]
    assert sorted(forms) == sorted(BOUNDS)
    papers = list(dict.fromkeys(theorem.paper for theorem in found))
    assert papers == [paper for paper in PAPERS if paper in papers]


@pytest.mark.parametrize(
    ("paper", "name", "printed", "true"),
    [
        ("momentum-fl", "Theorem 1 (= 11)", "momentum-fl.theorem11-printed", "momentum-fl.theorem11"),
        (
            "momentum-fl",
            "Theorem 2 (= 15), second rate",
            "momentum-fl.theorem15-alt-printed",
            "momentum-fl.theorem15-alt",
        ),
        ("fedlalr", "Theorem 1", "fedlalr.theorem1", "fedlalr.theorem1R"),
        ("fedglomo", "Appendix C", "fedglomo.appendix-c", None),
        ("gradma", "Lemma 6", "gradma.lemma6", "gradma.lemma6S-w"),
    ],
)
def test_forms_of_a_theorem_stand_together(found, paper, name, printed, true):
    """Printed, proved, repaired and sharpened forms share the number that the paper prints."""
    (theorem,) = (t for t in found if (t.paper, t.name) == (paper, name))
    assert printed in theorem.printed_forms
    assert true is None or true in theorem.true
    assert theorem.status == ("false as printed" if of_bound(printed).status == "false as printed" else theorem.status)


def test_a_false_statement_is_never_among_the_true_forms(found):
    """What stands is what is proved or not contradicted."""
    for theorem in found:
        assert all(of_bound(name).status in {"proved", "not contradicted"} for name in theorem.true)
        if theorem.status == "false as printed":
            assert any(of_bound(name).status == "false as printed" for name in theorem.printed_forms)
            assert not set(theorem.repairs) & set(theorem.printed_forms)


def test_ratios_are_those_of_the_studies_else_of_the_audit(results):
    """A bound without a cell here has the audit's range; one with cells has those, best, median and worst."""
    shipped = shipped_summary()["momentum-fl.theorem22"]["worst_ratio"]
    assert ratios([])["momentum-fl.theorem22"].worst == shipped
    assert ratios([])["momentum-fl.theorem22"].values == ()
    there = [v for r in results for p in r.points if (v := p.verdicts.get("momentum-fl.theorem11")) is not None]
    says = [v.ratio for v in there if v.ratio is not None and v.verdict != "vacuous"]
    measured = says or [v.ratio for v in there if v.ratio is not None]
    known = ratios(results)["momentum-fl.theorem11"]
    assert (known.least, known.worst) == (min(measured), max(measured))
    assert known.looseness == pytest.approx((1 / max(measured), 1 / np.median(measured), 1 / min(measured)))


def test_a_form_of_this_report_goes_before_those_of_the_audit(found):
    """A report of two cells headlined another form's 3.58 on other cells, while its own table said 7.61."""
    (theorem,) = (t for t in found if (t.paper, t.name) == ("momentum-fl", "Theorem 1 (= 11)"))
    audit = RatioRange("momentum-fl.theorem11", 0.5, 0.9, informative=True)
    mine = RatioRange("momentum-fl.theorem11-rate", 0.1, 0.2, informative=True, values=(0.1, 0.2))
    assert tightest(theorem, {audit.bound: audit, mine.bound: mine}) == mine


def test_why_a_bound_says_nothing_is_about_the_bound_or_the_problem():
    """Below the trivial bound and above what any run here can be: too weak for this problem; else from T on."""
    weak = RatioRange("fedglomo.theorem1", 0.1, 0.2, informative=False, values=(0.1, 0.2), weak=True)
    assert silence(weak) == "too weak for this problem"
    plain = RatioRange("fmgda.corollary1R", 0.1, 0.2, informative=False, values=(0.1, 0.2))
    start = promised_by("fmgda.corollary1R").informative_from
    assert silence(plain) == f"vacuous below T = {start:,}"
    assert start > 4096
    measured = RatioRange("gradma.lemma6", 0.1, 0.2, informative=False, values=(0.1, 0.2))
    assert silence(measured) == "vacuous in every cell, on any run below T = 37"
    nowhere = RatioRange("gradma.lemma2", 0.1, 0.2, informative=False, values=(0.1, 0.2))
    assert silence(nowhere) == "vacuous up to T = 1e+15"


def test_the_tightest_form_says_something_if_one_does(found):
    """A form that is below the trivial bound is preferred to a tighter one that never is."""
    (theorem,) = (t for t in found if (t.paper, t.name) == ("momentum-fl", "Theorem 1 (= 11)"))
    near, far = (
        RatioRange("momentum-fl.theorem11", 0.5, 0.9, informative=False),
        RatioRange("momentum-fl.theorem11-rate", 0.1, 0.2, informative=True),
    )
    assert tightest(theorem, {near.bound: near, far.bound: far}) == far
    assert tightest(theorem, {near.bound: near}) == near
    assert tightest(theorem, {}) is None


def test_the_matrix_has_a_row_a_theorem_with_its_status(found):
    """Names in text, statuses as badges, repairs by name."""
    page = matrix(list(BOUNDS), [])
    rows = re.findall(r"^  \[.*\],$", page, re.MULTILINE)
    assert len(rows) == len(found)
    for theorem, row in zip(found, rows, strict=True):
        assert theorem.name in row
        assert f'#badge("{theorem.status}")' in row
    false = next(row for theorem, row in zip(found, rows, strict=True) if theorem.forms[0] == "fedlalr.theorem1")
    assert prose(BOUNDS["fedlalr.theorem1"].remark.why) in false
    assert prose(BOUNDS["fedlalr.theorem1"].remark.after) in false
    assert "theorem1R" in false


def test_an_order_is_kept_where_a_repair_has_the_same_powers(found):
    """Theorem 2 keeps its T, N and K; a corollary without a repair and a lemma that falls with no T keep nothing."""
    kept = {(t.paper, t.name): t.keeps_its_order for t in found if t.status == "false as printed"}
    assert kept["momentum-fl", "Theorem 2 (= 15)"]
    assert kept["fedlalr", "Corollary 2"]
    assert not kept["fedglomo", "Corollary 1"]
    assert not kept["fedglomo", "Lemma 13"]


def test_what_is_told_of_a_statement_is_told_of_what_is_printed(found):
    """Every word is about a printed form, and every false one of the five papers has words."""
    remarked = {bound.id for bound in BOUNDS.values() if bound.remark and bound.form == "printed"}
    assert len(remarked) == 21
    assert remarked <= {name for theorem in found for name in theorem.printed_forms}
    for theorem in found:
        if theorem.status == "false as printed" and theorem.paper in PAPERS:
            assert set(theorem.printed_forms) & remarked, theorem.name


def test_a_stranger_s_statement_has_its_remark_in_the_matrix(tmp_path):
    """Its words stand on the bound, so that a bound of a file has them as ours do; one without a remark has none."""
    file = tmp_path / "own.py"
    file.write_text(
        "from dataclasses import replace\n"
        "from boundcheck.bounds import BOUNDS\n"
        "from boundcheck.bounds.bound import Remark\n"
        "A = replace(BOUNDS['fedlalr.theorem1'], id='mine', remark=Remark('a sign is lost', 'the order'))\n"
        "B = replace(BOUNDS['fedlalr.theorem1'], id='plain', remark=None)\n"
    )
    assert "a sign is lost" in matrix([f"{file}:A"], [])
    assert "a sign is lost" not in matrix([f"{file}:B"], [])


def test_the_first_page_counts_what_is_false(found, tmp_path):
    """What is false, in which kind, and the figure come from the statuses and the findings."""
    page = front(Recipe(title="t", promises=True), [], None, tmp_path)
    false = sum(theorem.status == "false as printed" for theorem in found)
    assert f"*{count(false, 'is', 'are')} false as printed*" in page
    heavy = [theorem for theorem in found if theorem.fault == "substance"]
    assert f"Of {count(len(found), 'statement')} of five papers" in page
    assert f"{len(heavy)} in substance and {false - len(heavy)} by a slip" in page
    assert sum(false_bounds().values()) == len(heavy)
    assert (tmp_path / "glance.svg").is_file()
    # Counted in the shipped file, not by the package.
    words = [one["word"] for one in json.loads(ATTAINED.read_text(encoding="utf-8"))["rates"]]
    assert set(words) == {"as promised"}
    assert f"All {len(words)} headline rates are attained on" in page


def test_the_first_page_says_what_it_rests_on_and_what_to_do_next(results, proofs, tmp_path):
    """How many cells and lines, with which error rate; a form to use where one is false, and one's own theorem."""
    cells = sum(point.measured is not None for result in results for point in result.points)
    page = front(Recipe(title="t", alpha=0.02, replicates=8, budget=32), results, proofs, tmp_path)
    assert f"{cells} cells were measured, with noise in 8 or more independent runs" in page
    assert "a study calls it violated with probability at most 0.02." in page
    assert "Two lines of proofs were decided, 1 refuted" in page
    assert "use the form that chapter 1 names" in page
    assert "boundcheck review mine.py:THEOREM" in page
    plain = front(Recipe(title="t", replicates=8), [r for r in results if not r.study.reading][:1], None, tmp_path)
    assert "in 8 independent runs" in plain
    assert "of proofs" not in plain


def test_a_long_meaning_of_a_letter_is_cut_where_something_is_left():
    """Went wrong: sigma was "noise", Delta_mean "mean_i" and Phi_T "FedLALR" in the table of letters."""
    assert cut_meaning(LETTERS["B"].meaning) == "initial minibatch"
    assert cut_meaning(LETTERS["sigma"].meaning) == LETTERS["sigma"].meaning
    assert cut_meaning(LETTERS["Delta_mean"].meaning) == "mean_i (f_i(x_0) - inf f_i) >= Delta"
    assert all(" " in cut_meaning(letter.meaning) for letter in LETTERS.values() if len(letter.meaning) > 60)


def test_a_rate_has_the_power_of_its_bound_beside_it(results):
    """Least, median and largest of the fits of a theorem and a letter, in the column before the words."""
    page = rate_table(theorems(BOUNDS), results)
    assert "[Of the bound]" in page
    own: dict[str, list[float]] = {}
    for fit in (fit for result in results for _, fit in result.fits):
        own.setdefault(fit.letter, []).append(-fit.bound_order)
    assert own
    for powers in own.values():
        least, largest = min(powers), max(powers)
        assert re.search(rf"\[\${least:.2f}\$, .*\${largest:.2f}\$\]", page)


def test_one_theorem_of_the_users_is_told_like_ours(single, tmp_path):
    """A report of one study is about its theorem alone."""
    page = front(Recipe(title="t"), single, None, tmp_path)
    assert "Of one statement, *one is false as printed*" in page
    assert "five papers" not in page


def test_the_figure_has_a_line_a_theorem_and_marks_what_lies_outside(found):
    """A ratio beyond the axis stands at its end with its power of ten."""
    known = ratios([]) | {"gradma.lemma2-printed": RatioRange("gradma.lemma2-printed", 1.0, 3e20, informative=True)}
    figure = glance_figure(found, known, {theorem.paper: theorem.paper for theorem in found})
    (axes,) = figure.axes
    assert [tick.get_text().removesuffix(" ×") for tick in axes.get_yticklabels()] == [t.name for t in found]
    assert "$10^{20}$" in [text.get_text() for text in axes.texts]
    assert axes.get_xlim()[1] < 1e5
