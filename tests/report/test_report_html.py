"""The page in a browser: one file, the same content, figures from their numbers."""

import json
import re
import shutil
import subprocess

import pytest
from report_cases import RECIPE
from turns import case_of

from boundcheck.report import html, pages, write_report
from boundcheck.report.folding import fold
from boundcheck.report.plots.curves import curves
from boundcheck.report.plots.numbers import plain_label
from boundcheck.sweep import Store

pytestmark = pytest.mark.xdist_group("report")

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
MOST = 5_000_000
STUDIES = tuple(study.id for study in RECIPE.study)


@pytest.fixture(scope="module")
def path(results, proofs, tmp_path_factory):
    """Write the page of the small recipe."""
    folder = tmp_path_factory.mktemp("page")
    return write_report(RECIPE, Store(folder), folder / "a.html", claims=proofs, name="small", results=results)


@pytest.fixture(scope="module")
def page(path):
    """Return the page."""
    return path.read_text(encoding="utf-8")


def figures_of(page):
    """Return the numbers of all figures."""
    return json.loads(re.search(r"const FIGURES = (\{.*\});</script>", page)[1].replace("<\\/", "</"))


def test_the_page_is_one_file_that_loads_nothing(page):
    """No script, style, picture or font from elsewhere: what is linked is only followed by a click."""
    assert page.startswith("<!DOCTYPE html>")
    own = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
    assert re.findall(r'(?:src|href)="(?!data:|#)([^"]*)"', re.sub(r"<a [^>]*>", "", own)) == []
    assert "@import" not in own
    assert "url(" not in own
    assert len(page) < MOST


def test_the_page_has_what_the_print_leaves_out(page):
    """Every study with its tables, the ledger and the recipe."""
    for heading in ("Every form of the theorems", "Studies", "Steps of the proofs", "Recipe", "Findings", "Theorems"):
        assert re.search(rf"<h\d[^>]*>(?:<[^>]*>|[\d. ])*{heading}", page), heading


def test_links_lead_to_places_of_the_page(page):
    """Every link inside has its anchor, and so has every mark of a figure that leads somewhere."""
    names = set(re.findall(r'\bid="([^"]+)"', page))
    links = re.findall(r'href="#([^"]+)"', page)
    assert len(links) > 20
    lines = [line for drawn in figures_of(page).values() for panel in drawn["panels"] for line in panel["lines"]]
    marks = [line["words"][1].removeprefix("#") for line in lines if line["words"]]
    assert marks
    links += marks
    assert [link for link in links if link not in names] == []


def test_every_figure_has_its_numbers(page, results):
    """A place for each, and the means that were measured."""
    places, drawn = re.findall(r'data-plot="([^"]+)"', page), figures_of(page)
    assert len(places) > 5
    assert set(places) == set(drawn)
    result = next(r for r in results if r.study.id == "two-metrics")
    (curve,) = curves(result, "T")
    lines = [line for panel in drawn["two-metrics-sheet"]["panels"] for line in panel["lines"]]
    measured = next(line for line in lines if line["label"].startswith("measured"))
    assert measured["y"] == [pytest.approx(value, rel=1e-3) for value in curve.mean]
    assert measured["x"] == list(curve.x)


@pytest.mark.parametrize("studies", [("two-metrics", "zipped"), case_of((STUDIES,), slow=True)], ids=len)
def test_the_same_results_give_the_same_page(studies, results, proofs, tmp_path):
    """Byte for byte, whatever they are called."""
    told = [result for result in results if result.study.id in studies]
    one, two = (
        write_report(RECIPE, Store(tmp_path), tmp_path / name, claims=proofs, name="small", results=told)
        for name in ("a.html", "b.html")
    )
    assert one.read_bytes() == two.read_bytes()


def test_figures_that_the_script_draws_are_not_drawn_before(results, tmp_path):
    """For a browser there are numbers or a picture, never both; in print every figure is a picture."""
    two = [r for r in results if r.study.id == "two-metrics"]
    for full in (True, False):
        (folder := tmp_path / str(full)).mkdir()
        pages.document(RECIPE, two, folder, full=full)
        drawn, told = ({path.stem for path in folder.glob(f"*.{ending}")} for ending in ("svg", "json"))
        assert len(told) > 1
        assert drawn.isdisjoint(told) if full else told <= drawn


@pytest.mark.parametrize(
    ("label", "said"),
    [
        (r"average of $\|\nabla f\|^2$", "average of ‖∇ f‖²"),
        (r"$T^{-1/2}$", "T^(-1/2)"),
        (r"$\mathdefault{10^{-3}}$", "10⁻³"),
        (r"costs \$5", "costs $5"),
        ("$T$ (rounds)", "T (rounds)"),
    ],
)
def test_labels_are_said_without_the_signs_of_mathematics(label, said):
    """The script's text has no mathematics."""
    assert plain_label(label) == said


def test_chapters_and_sections_fold_and_are_listed():
    """A heading's own place is kept, an anchor stays with its heading, and what no print has is shut."""
    main = (
        '<h1>T</h1><p>lead</p><h2 id="loc-1">1 Findings</h2><p>a</p><p><a id="x"></a></p><h3>1.1 One</h3><p>b</p>'
        "<h2>2 Studies</h2><h3>2.1 Two</h3><p>c</p>"
    )
    body, side = fold(main, "T")
    assert body.startswith("<h1>T</h1><p>lead</p><details")
    assert re.findall(r'<details class="(\w+)"( open)?>', body) == [
        ("chapter", " open"),
        ("section", " open"),
        ("chapter", " open"),
        ("section", ""),
    ]
    assert '<p><a id="x"></a></p><details class="section" open>' in body
    assert re.findall(r'href="#([^"]+)"', side) == ["loc-1", "s1-1", "s2", "s2-1"]
    assert all(f'id="{place}"' in body for place in ("loc-1", "s1-1", "s2", "s2-1"))
    assert body.count("<details") == body.count("</details>")


def test_the_page_is_headed_and_listed(page):
    """One heading of the first level, a list at the side, colours for the dark, tables that scroll alone."""
    assert len(re.findall("<h1", page)) == 1
    assert page.count('<nav class="side"') == 1
    assert "prefers-color-scheme: dark" in page
    assert page.count("<table") == page.count('<div class="wide" tabindex="0"><table')


def test_the_first_stop_of_the_keyboard_leads_to_the_text(page):
    """Before the list at the side, which has a stop a section."""
    body = page.partition("<body>")[2]
    first = re.search(r'<a [^>]*href="#([^"]+)"', body)
    assert (first.start(), first[1]) == (0, "text")
    assert body.index('<nav class="side"') < body.index('<main id="text">')


def test_nothing_ends_a_script_early():
    """A title with the end of a script in it does not end the script."""
    page = html.embed_assets("<style></style></head><body></body></html>", {"a": "</script><b>"})
    assert "</script><b>" not in page


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="needs chromium")
def test_a_browser_draws_every_figure(path, page):
    """Headless, all at once: each place says that it is drawn, and the console has no error."""
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--v=0"]
    command += ["--virtual-time-budget=60000", "--dump-dom", f"file://{path}#draw-all"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout.count('data-drawn="true"') == len(figures_of(page))
    assert done.stdout.count('tabindex="0" role="group"') >= len(figures_of(page))
    assert done.stdout.count('class="wide" tabindex="-1"') > 0.5 * page.count('class="wide"')
    assert not re.search(r"CONSOLE.*(?:Error|error)", done.stderr)


def test_no_text_of_a_figure_is_markup():
    """A label that opens a comment and a script merged all scripts of a page; as data it comes back whole."""
    label = "<!--<script></script>--> & \u2028 a < b"
    figures = {"a": {"label": label}}
    page = html.embed_assets("<html><head><style></style></head><body><p>t</p></body></html>", figures)
    scripts = re.findall(r"<script>(.*?)</script>", page, flags=re.DOTALL)
    assert len(scripts) == 2
    data = next(script for script in scripts if script.startswith("const FIGURES"))
    assert not set("<>&\u2028") & set(data)
    assert json.loads(data.removeprefix("const FIGURES = ").removesuffix(";")) == figures
    assert not any("<!--" in script or "<script" in script for script in scripts)
