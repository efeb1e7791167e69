"""The gallery is made of the findings page, its pictures of the numbers there, and quotations are the papers' words."""

import os
import re
import runpy
import tomllib
from pathlib import Path

import pytest

from boundcheck.files.resources import folder
from boundcheck.findings import SEVERITIES, findings
from boundcheck.glossary import cells, page, plain, words
from boundcheck.notation import PAPERS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
TEXTS = "BOUNDCHECK_PAPERS"
"""Environment variable: a folder with the papers' texts, named after them."""


@pytest.fixture(scope="module")
def gallery():
    """Return what docs/gallery.py defines."""
    return runpy.run_path(str(DOCS / "gallery.py"))


@pytest.mark.derived
def test_gallery_is_that_of_the_findings(gallery):
    """The page is the one that the script makes, with a picture for every finding that a script measures."""
    assert gallery["page"]() == (DOCS / "gallery.md").read_text(encoding="utf-8")
    drawn = {one.id for one in findings() if gallery["ratios"](one)}
    assert {path.stem for path in (DOCS / "gallery").glob("*.svg")} == drawn
    shown = {one.id for one in findings() for text in one.says.values() if text.startswith("script:")}
    assert drawn == shown
    assert len(drawn) > 12


def test_no_sign_of_markdown_is_shown_as_such(gallery):
    """Went wrong: a site showed the stroke that was to keep `<` from being read as a tag."""
    assert gallery["escaped"]("a_b <= c*d [x]") == r"a\_b &lt;= c\*d \[x\]"


def test_ratios_are_read_off_the_page(gallery):
    """Three rows read by hand: growth along T, one instance, two letters side by side."""
    found = {one.id: gallery["ratios"](one) for one in findings()}
    assert found["momentum-fl-e1"] == {"T = 100": 86.3, "T = 1000": 863.4, "T = 10000": 8635.0}
    assert found["fedlalr-a1"] == {"": pytest.approx(0.9999 / 0.6512)}
    assert found["fmgda-e5"]["N = 16, K = 100"] == 3.68e4


def test_bars_end_at_the_ratios(gallery):
    """What is drawn is what is read."""
    (one,) = (one for one in findings() if one.id == "momentum-fl-e3")
    (axes,) = gallery["picture"](one).axes
    assert [bar.get_x() + bar.get_width() for bar in axes.patches] == pytest.approx([208, 709, 2297])


def test_every_row_of_a_table_is_a_finding():
    """No row is lost between the page and the list: as many as lines of tables with a column 'where'."""
    rows = 0
    for table in re.findall(r"^\| where .*\n\|---.*\n((?:\|.*\n)+)", page("findings.md"), flags=re.MULTILINE):
        rows += len(table.splitlines())
    assert len(findings()) == rows
    assert len({one.id for one in findings()}) == rows
    assert {one.severity for one in findings()} == set(SEVERITIES)
    assert {one.paper for one in findings()} == set(PAPERS)


def test_shipped_pages_are_in_the_wheel():
    """The pages that commands read are put where `folder` looks in a wheel."""
    data = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wheel = data["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["sources"]["docs"] == "boundcheck/data/docs"
    for name in ("glossary.md", "findings.md"):
        assert f"/docs/{name}" in wheel["include"]
        assert (folder("docs") / name).read_text(encoding="utf-8") == page(name)


def test_words_are_those_of_the_glossary():
    """As many as rows of its tables, in plain text."""
    rows = [line for line in page("glossary.md").splitlines() if line.startswith("| ")]
    assert len(words()) == len(rows) - 2
    assert words()["witness"].meaning
    assert not any(re.search(r"\]\(", one.meaning) for one in words().values())


def test_marks_of_markdown_are_read():
    """Links, code, stars and escaped bars."""
    assert plain("[a b](c.md#d), `e`, *f g*, x * y") == "a b, e, f g, x * y"
    assert cells(r"| a \| b | | c |") == [r"a \| b", "", "c"]


@pytest.mark.parametrize("paper", PAPERS)
def test_quotations_are_verbatim(paper):
    """Quoted words of a paper's section stand in the paper, but for blanks and hyphens at the ends of lines."""
    where = os.environ.get(TEXTS)
    if not where:
        pytest.skip(f"{TEXTS} names no folder with the papers' texts")
    text = "".join(_letters(path.read_text(encoding="utf-8")) for path in sorted(Path(where).glob(f"{paper}*.txt")))
    assert text, f"no {paper}*.txt in {where}"
    (section,) = (part for part in re.split(r"^## ", page("findings.md"), flags=re.MULTILINE) if f"(`{paper}`)" in part)
    quoted = [one for one in re.findall(r'"([^"]+)"', section) if len(re.findall(r"[A-Za-z]{2,}", one)) > 1]
    assert [one for one in quoted if _letters(one) not in text] == []


def _letters(text):
    return re.sub(r"[\s\-\u00ad*$]+", "", text.lower().replace("\u2019", "'"))
