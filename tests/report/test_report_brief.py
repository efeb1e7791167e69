"""Theorems that share a page, and what is false by a claim alone."""

import re
from dataclasses import replace

import msgspec
import pytest
from report_cases import RECIPE, SPEEDUP, ZIPPED

from boundcheck.bounds import BOUNDS
from boundcheck.files.resources import folder
from boundcheck.findings import findings
from boundcheck.proofs import prove
from boundcheck.report import pages
from boundcheck.report.pages.theorems.brief import briefs
from boundcheck.report.pages.theorems.finding import SHOWN, by_claim, script_of
from boundcheck.report.plots import figures
from boundcheck.report.plots.bars import picture
from boundcheck.report.theorems import ratios, theorem_of, theorems
from boundcheck.sweep import load_recipe

pytestmark = pytest.mark.xdist_group("report")


@pytest.fixture(scope="module")
def shared(results):
    """Return the results of the small recipe, two of its studies called brief."""
    brief = (ZIPPED.id, "two-metrics", SPEEDUP.id)
    return [
        replace(r, study=msgspec.structs.replace(r.study, brief=True)) if r.study.id in brief else r for r in results
    ]


@pytest.fixture(scope="module")
def chapter(shared, tmp_path_factory):
    """Return the chapter about all bounds."""
    return briefs(shared, list(BOUNDS), ratios(shared), (), tmp_path_factory.mktemp("brief"))


def test_a_study_that_is_brief_makes_an_entry_and_no_page(shared, proofs, tmp_path):
    """Its theorem stands in the chapter behind the pages, once, with a link to its row; one with a page does not."""
    source = pages.document(RECIPE, shared, tmp_path, claims=proofs, name="small")
    full, _, rest = source.partition("= Further theorems, in brief")
    paged = theorem_of(SPEEDUP.bounds[0]).place
    assert source.count(f'#anchor("{paged}")') == full.count(f'#anchor("{paged}")') == 1
    place = theorem_of(ZIPPED.bounds[0]).place
    assert f'#anchor("{place}")' not in full
    assert rest.count(f'#anchor("{place}")') == 1
    assert f'#to("{place.replace("theorem-", "row-", 1)}")' in rest


def test_entries_stand_in_the_order_of_the_theorems_a_banner_a_paper(chapter):
    """As everywhere, and each paper is named once."""
    order = [theorem.place for theorem in theorems(BOUNDS)]
    found = re.findall(r'#anchor\("(theorem-[^"]*)"\)', chapter)
    assert len(found) == 2
    assert found == sorted(found, key=order.index)
    banners = re.findall(r"#banner\[(.*)\]", chapter)
    assert len(banners) == len(set(banners)) == 2


def test_what_no_cell_runs_is_named(chapter):
    """Theorem 1 of momentum-fl was run, Theorem 4 was not."""
    (told,) = re.findall(r"No cell of this report runs (.*)\.", chapter)
    assert "Theorem 4 (= 22) (" in told
    assert "Theorem 1 (= 11)" not in told
    assert "Theorem 3 (= 19)" not in told


SHORT = ["measured", "theorem11", "theorem11-printed", r"plain, costs \$5", "trivial"]


def test_the_slim_figure_has_the_last_slice_with_short_names(shared):
    """Measured, both bounds, the method beside and the trivial one, along T at the most clients."""
    (result,) = (r for r in shared if r.study.id == SPEEDUP.id)
    figure = figures.slim_figure(result)
    (axes,) = figure.axes
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == SHORT
    line = next(line for line in axes.get_lines() if str(line.get_label()).startswith("measured"))
    last = [p for p in result.points if p.setting["N"] == 8]
    assert line.get_ydata() == pytest.approx([p.verdicts[SPEEDUP.bounds[0]].measured for p in last])


def test_every_statement_that_only_a_claim_refutes_has_a_script():
    """In the overview; the script is there, and its finding has ratios to draw."""
    recipe = load_recipe("overview")
    told = {name for study in recipe.study if study.reading for name in study.bounds}
    rest = [t for t in theorems(BOUNDS) if t.status == "false as printed" and not told & set(t.printed_forms)]
    assert {t.printed_forms[0] for t in rest} == set(SHOWN)
    known = {one.id for one in findings()}
    for name in SHOWN.values():
        assert name in known
        assert (folder("docs").parent / script_of(name)).is_file()


def test_a_script_is_shown_once_and_an_instance_told_once(tmp_path):
    """Remark 1 fails on the instance of the rounds after Theorem 1."""
    told = {}
    proofs = prove(["fedglomo.theorem1-order-grows"], kept=True)
    first, second = (
        by_claim(theorem_of(name), tmp_path, proofs, told) for name in ("fedglomo.corollary1", "fedglomo.remark1")
    )
    assert "#script(" in first
    assert "fedglomo-c1-bars.svg" in first
    assert "#script(" not in second
    assert "As on #to(" in second


def test_slim_bars_stand_beside_a_text():
    """Half as wide as a page at most, with the ratios of the page of findings."""
    (one,) = (one for one in findings() if one.id == "fedglomo-c1")
    slim, wide = picture(one, slim=True), picture(one)
    assert slim.get_figwidth() < wide.get_figwidth()
    assert [bar.get_x() + bar.get_width() for bar in slim.axes[0].patches] == pytest.approx([179.8, 391.9, 1524])
