"""What holds on every page: one order, links both ways, one status, typeset mathematics, no tiny print."""

import re
import shutil
import subprocess
from importlib import resources

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from pdf_pages import fills
from pdf_print import runs, tiny

from boundcheck.bounds import BOUNDS
from boundcheck.evidence.slack.waterfalls import shipped_waterfalls
from boundcheck.files.resources import folder
from boundcheck.findings import findings
from boundcheck.notation import PAPERS
from boundcheck.report import pages
from boundcheck.report.document import compile_typst, preamble
from boundcheck.report.pages.contests.experiments import overview
from boundcheck.report.pages.papers import short
from boundcheck.report.plots import bars, figures
from boundcheck.report.plots.forest import forest_figure
from boundcheck.report.plots.glance import glance_figure
from boundcheck.report.plots.looseness import along_figure, waterfall_figure, waterfall_of
from boundcheck.report.theorems import TRUE, ratios, theorems, whole
from boundcheck.report.typst.markup import prose
from boundcheck.sweep import load_recipe
from boundcheck.sweep.results.verdicts import shipped_verdicts
from boundcheck.verdicts.status import of_bound

pytestmark = pytest.mark.xdist_group("report")

MOST_PAGES, LEAST = 40, 0.6
SMALLEST = 7.0
"""Least size of print, in points."""
ASCII = re.compile(r"\b(?:eps|sigma|zeta|gamma|kappa|beta1|beta2|G_inf|sqrt)\b|<=|>=|\^|<~")


def anchors(source, kind):
    """Return the places of one kind, in order."""
    return re.findall(rf'#anchor\("({kind}-[^"]*)"\)', source)


def test_theorems_stand_in_one_order_everywhere(source):
    """The rows of the table and the pages of theorems follow the notation's order of papers."""
    order = [theorem.place for theorem in theorems(BOUNDS)]
    rows = [place.replace("row-", "theorem-", 1) for place in anchors(source, "row")]
    sheets = anchors(source, "theorem")
    assert len(rows) > len(sheets) > 1
    for found in (rows, sheets):
        assert found == sorted(found, key=order.index)


def test_findings_stand_in_the_order_of_the_theorems(results, tmp_path):
    """A finding about an earlier theorem comes first, wherever the recipe has it."""
    recipe = load_recipe("findings")
    order = [name for theorem in theorems(BOUNDS) for name in theorem.forms]
    about = [study.bounds[0] for study in recipe.study if study.reading]
    assert about != sorted(about, key=order.index)
    found = [r for r in results if r.study.reading or r.study.repairs]
    again = pages.findings([*found[::-1]], tmp_path)
    assert anchors(again, "finding")[0] == "finding-false-as-printed"


def test_papers_experiments_stand_in_the_same_order():
    """The table of assertions is not in the order of the file."""
    source = overview(shipped_verdicts())
    told = re.findall(r'table\.cell\(colspan: 4, fill: luma\(240\)\)\[#strong\[#"([^"]+)";\]\]', source)
    assert source.count("#badge(") == len(shipped_verdicts())
    assert told == [short(paper) for paper in PAPERS if short(paper) in told]
    assert len(told) == len({row["paper"] for row in shipped_verdicts().values()})
    assert next(row["paper"] for row in shipped_verdicts().values()) != next(iter(PAPERS))


def test_every_page_leads_back_to_its_row_and_every_row_to_its_page(source):
    """The table names the pages of a theorem, each of them its row."""
    for place in [*anchors(source, "theorem"), "finding-false-as-printed"]:
        assert re.search(rf'#to-each\([^)]*"{re.escape(place)}"', source)
    for place in anchors(source, "theorem"):
        assert f'#to("{place.replace("theorem-", "row-", 1)}")' in source.split(f'#anchor("{place}")')[1]


def test_a_statement_has_one_status(source):
    """Wherever a form is named with a status, it is the one that is computed in one place."""
    rows = re.findall(r'\[#raw\("([\w-]+)", block: false\);\], \[[^\]]*\], \[#badge\("([a-z ]+)"\);\]', source)
    assert len(rows) > 2
    for name, word in rows:
        assert word in {of_bound(bound).status for bound in BOUNDS if bound.partition(".")[2] == name}, name


def test_a_report_of_a_repair_alone_says_what_the_print_is():
    """Went wrong: the page of a theorem whose repair was run had another status than its row."""
    (found,) = whole(["fedglomo.theorem1R"])
    assert of_bound("fedglomo.theorem1R").status in TRUE
    assert found.status == "false as printed"
    assert {"fedglomo.theorem1", "fedglomo.theorem1S"} <= set(found.forms)


@pytest.mark.parametrize("name", ["overview", "findings", "findings-slow"])
def test_texts_of_recipes_are_typeset(name):
    """No letter in words and no sign of a keyboard is left of the formulas in titles and texts."""
    recipe = load_recipe(name)
    for about in [*recipe.study, *recipe.story]:
        for text in (about.title, about.text, *(getattr(about, k, "") for k in ("reading", "fixed", "equation"))):
            assert not ASCII.search(prose(text)), text


@pytest.fixture(scope="module")
def drawn(results):
    """Return figures of every kind, each with a name."""
    drawn = [(r.study.id, figures.bound_figure(r)) for r in results if r.points and r.points[0].measured is not None]
    fits = [(str(at), fit) for r in results for at, fit in r.fits]
    drawn.append(("forest", forest_figure([("Theorem", fits)])))
    found = theorems(BOUNDS)
    drawn.append(("glance", glance_figure(found, ratios([]), {t.paper: t.paper for t in found})))
    slack = next(w for t in found if (w := waterfall_of(t)) and len(w.along) > 1)
    drawn += [("slack", waterfall_figure(slack)), ("along", along_figure(slack))]
    drawn += [(one.id, bars.picture(one)) for one in findings() if bars.ratios(one)]
    assert len(drawn) > 10
    return drawn


def test_no_axis_has_names_for_places(drawn):
    """Went wrong: on Python 3.14 a figure with an axis of categories cannot be sent to the process that draws it."""
    control = Figure().subplots()
    control.barh(["one"], [1.0])
    assert control.yaxis.have_units()
    for name, figure in drawn:
        assert not any(axis.have_units() for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)), name


def test_legends_stand_inside_their_figures_and_no_print_is_tiny(drawn):
    """Went wrong: legends were cut off, and some had six points."""
    for name, figure in drawn:
        figure.canvas.draw()
        width, height = figure.bbox.width, figure.bbox.height
        legends = [*figure.legends, *(a.get_legend() for a in figure.axes if a.get_legend())]
        for legend in legends:
            box = legend.get_window_extent()
            assert min(box.x0, box.y0, width - box.x1, height - box.y1) >= -1, name
        sizes = [t.get_fontsize() for t in figure.findobj(Text) if t.get_text().strip() and t.get_visible()]
        assert min(sizes) >= SMALLEST, name


def test_the_templates_have_no_tiny_print():
    """Sizes of text in points, as the templates and pages give them."""
    root = resources.files("boundcheck.report")
    texts = [root.joinpath("template.typ").read_text()]
    texts += [path.read_text() for path in root.joinpath("pages").iterdir() if path.name.endswith(".py")]
    sizes = [float(size) for text in texts for size in re.findall(r"(?:text\(|size: )(\d+(?:\.\d+)?)pt", text)]
    assert len(sizes) > 10
    assert min(sizes) >= SMALLEST


def test_the_exact_worst_case_lies_between_measurement_and_bound():
    """The stages of every shipped waterfall ascend from the run to the right-hand side."""
    shown = [w for theorem in theorems(BOUNDS) if (w := waterfall_of(theorem))]
    assert len(shown) > 5
    for found in shown:
        values = [value for _, value in found.stages]
        assert values == sorted(values), found.bound
        assert np.isclose(found.worst_ratio, dict(found.stages)["worst case"] / values[-1])


def test_the_levels_along_horizons_are_those_that_ship():
    """Five lines from the run to the right-hand side and the trivial one, point by point as in the file."""
    found = next(w for theorem in theorems(BOUNDS) if (w := waterfall_of(theorem)) and w.bound.endswith("theorem11"))
    (axes,) = along_figure(found).axes
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert list(lines) == ["measured", "worst case", "sharpened", "right-hand side", "trivial"]
    row = next(row for row in shipped_waterfalls()["waterfalls"] if row["bound"] == found.bound)
    for name, line in lines.items():
        assert line.get_xdata().tolist() == [1, 2, 4, 8]
        assert line.get_ydata().tolist() == [rung[name] for rung in row["along"]]


@pytest.mark.skipif(not shutil.which("pdftotext"), reason="needs pdftotext")
def test_a_section_whose_title_has_a_number_opens_no_chapter(tmp_path):
    """Went wrong: the 2 of "Table 2" was read as a chapter's number, and a page a third full passed."""
    body = "= One\na\n#pagebreak()\n== Costs (Table 2)\nb\n#pagebreak()\n= Two\n#lorem(900)\n"
    (tmp_path / "pages.typ").write_text(preamble("pages") + body, encoding="utf-8")
    (tmp_path / "pages.pdf").write_bytes(compile_typst(tmp_path / "pages.typ"))
    found = fills(tmp_path / "pages.pdf")
    assert [last for _, last in found.values()][:2] == [False, True]
    assert found[1][0] < LEAST < found[3][0]


@pytest.mark.skipif(not shutil.which("pdftotext"), reason="needs pdftotext")
def test_a_script_is_not_split_over_two_pages(tmp_path):
    """Where less is left than its lines, it begins on the next page, its heading with it."""
    lines = r"\n".join(f"line{k} = {k}" for k in range(30))
    body = f'#v(88%)\n#lead-in[*Alone*]\n#script(raw("{lines}", block: true))\n'
    (tmp_path / "script.typ").write_text(preamble("script") + body, encoding="utf-8")
    (tmp_path / "script.pdf").write_bytes(compile_typst(tmp_path / "script.typ"))
    command = ["pdftotext", str(tmp_path / "script.pdf"), "-"]
    first, second, *_ = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\f")
    assert "line" not in first
    assert "Alone" in second
    assert all(f"line{k} =" in second for k in range(30))


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("pdftotext"), reason="needs pdftotext")
def test_the_shipped_report_has_at_most_forty_pages_none_half_empty():
    """No page but the last of a chapter is under 60 % full."""
    found = fills(folder("reports") / "sample" / "overview.pdf")
    assert len(found) <= MOST_PAGES
    assert [page for page, (full, last) in found.items() if full < LEAST and not last] == []


LEAST_PRINT = 6.6
"""Seven points, as sizes are read: rounded down to a third of a point.  Indices, and fractions in them, are smaller."""
WIDE = " + ".join(f"frac({x} L sigma^2 zeta_{i}, sqrt(N K T) Delta (1 - beta))" for i, x in enumerate("abcdefghij"))


@pytest.mark.skipif(not shutil.which("pdftohtml"), reason="needs pdftohtml")
def test_wide_formulas_are_broken_rather_than_tiny(tmp_path):
    """A sum of ten fractions in a column, in a table and in a sentence: went wrong at three points."""
    wide = f"$ {WIDE} $"
    body = f"#two-columns[#formula[{wide}]][#piece[{wide}]]\n#rows(columns: (1fr, 1fr), [#relation[{wide}]], [b])\n"
    (tmp_path / "wide.typ").write_text(preamble("wide") + body, encoding="utf-8")
    (tmp_path / "wide.pdf").write_bytes(compile_typst(tmp_path / "wide.typ"))
    (page,) = runs(tmp_path / "wide.pdf")
    assert len(page) > 60
    assert tiny(page, LEAST_PRINT) == []
    assert max(run.right for run in page) < 595 - 50  # The margin on the right is kept.


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("pdftohtml"), reason="needs pdftohtml")
def test_the_shipped_report_has_no_tiny_print():
    """All of its text, by the sizes in the file."""
    found = [
        (number, run)
        for number, page in enumerate(runs(folder("reports") / "sample" / "overview.pdf"), start=1)
        for run in tiny(page, LEAST_PRINT)
    ]
    assert found == []
