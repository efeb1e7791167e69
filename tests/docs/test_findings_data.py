"""Findings are data: their files are read strictly, and one number is everywhere the same."""

import re
from collections import Counter
from pathlib import Path

import pytest

import boundcheck.findings as data
from boundcheck.bounds import BOUNDS
from boundcheck.errors import InputError
from boundcheck.findings import KINDS, PAPERS, SEVERITIES, false_bounds, findings, headline, read_findings
from boundcheck.notation import PAPERS as KNOWN
from boundcheck.proofs import CLAIMS
from boundcheck.report.pages.front import front
from boundcheck.report.theorems import whole
from boundcheck.sweep import Recipe
from boundcheck.verdicts.status import of_bound

ROOT = Path(__file__).parents[2]
GOOD = """
[[finding]]
id = "gradma.one"
severity = "statement"
kind = "slip"
false = ["gradma.lemma2-printed"]
place = "Lemma .2"
shown = "`gradma.one`: *here*"
answer = "A slip."
"""


def read(tmp_path, text):
    """Return the findings of a file of GradMA with this text."""
    (tmp_path / "gradma.toml").write_text(text, encoding="utf-8")
    return read_findings(tmp_path / "gradma.toml", "gradma")


def test_a_file_is_read(tmp_path):
    """Texts lose their marks in `says` and keep them in `written`; names in code are noted."""
    (one,) = read(tmp_path, GOOD)
    assert (one.where, one.says, one.names) == ("Lemma .2", {"shown by": "gradma.one: here"}, ("gradma.one",))
    assert one.written["shown"] == "`gradma.one`: *here*"
    assert one.false == ("gradma.lemma2-printed",)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[[finding]]", "[[findings]]", r"gradma.toml: heading = '?findings'? is not legal: \[\[finding\]\]"),
        ('shown = "', 'show = "', "finding 1: key = '?show'? is not legal: id, severity"),
        ('"statement"', '"lemma"', "finding 1: severity = '?lemma'? is not legal: statement, step, sentence"),
        ('"slip"', '"typo"', "finding 1: kind = '?typo'? is not legal: substance, slip, heir, reading"),
        ('"slip"', '"heir"', "finding 1: heir_of"),
        ('kind = "slip"', 'kind = "slip"\nheir_of = "gradma-e7"', "finding 1: heir_of = '?gradma-e7"),
        ('place = "Lemma .2"', "", "finding 1: place = '?missing"),
        ('answer = "A slip."', "", "finding 1: answer = '?missing"),
        ('["gradma.lemma2-printed"]', '"gradma.lemma2-printed"', "finding 1: false = .*a list of bounds"),
        ('place = "Lemma .2"', "place = 2", "finding 1: place = 2 is not legal: a text"),
        ('place = "Lemma .2"', "place = ", "gradma.toml: "),
    ],
)
def test_what_is_not_known_is_an_error_that_names_it(tmp_path, old, new, message):
    """A heading, a key or a value that nothing reads would otherwise drop a finding in silence."""
    assert GOOD.count(old) == 1
    with pytest.raises(InputError, match=message):
        read(tmp_path, GOOD.replace(old, new))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("other.toml", GOOD, "file of findings = '?other.toml"),
        ("gradma.toml", GOOD + GOOD, "finding of gradma: id = '?gradma.one"),
        ("gradma.toml", GOOD.replace('"slip"', '"heir"\nheir_of = "gradma.two"'), "gradma.one: heir_of = '?gradma.two"),
        # An heir of an heir is one of its origin.
        ("gradma.toml", GOOD.replace('"slip"', '"heir"\nheir_of = "gradma.one"'), "gradma.one: heir_of = '?gradma.one"),
    ],
)
def test_the_folder_is_asked_as_a_whole(tmp_path, monkeypatch, name, text, message):
    """A file of no paper, an id twice, an heir of nothing."""
    for paper in PAPERS:
        (tmp_path / f"{paper.replace('-', '_')}.toml").write_text(GOOD.replace("gradma.one", f"{paper}.any"))
    monkeypatch.setattr(data, "files", lambda _: tmp_path)
    assert len(findings.__wrapped__()) == len(PAPERS)
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message):
        findings.__wrapped__()


def test_false_bounds_are_those_of_the_statuses():
    """A printed bound is false by a finding if and only if its shipped status says so."""
    false = {name for name in BOUNDS if BOUNDS[name].form == "printed" and of_bound(name).status == "false as printed"}
    assert set(false_bounds()) == false
    assert set(PAPERS) == set(KNOWN)


def test_the_headline_counts_eight_and_six():
    """Counted by hand: Theorems 2, 3 and 4, FedLALR's Corollary 2, four of FedGLOMO; and six more."""
    substance = {name for name, whether in false_bounds().items() if whether}
    assert substance == {
        *(f"momentum-fl.theorem{number}-printed" for number in (15, 19, 22)),
        "fedlalr.corollary2",
        *(f"fedglomo.{name}" for name in ("theorem1", "corollary1", "remark1", "lemma13")),
    }
    assert headline() == "14 printed bounds are false: 8 in substance, 6 by a slip or when read literally"


def test_one_number_is_in_the_readme_the_pages_and_the_report(tmp_path):
    """The README and the findings page have the headline, and the PDF's first page counts the same theorems."""
    for name in ("README.md", "docs/findings.md"):
        (line,) = re.findall(
            r"<!-- findings: headline -->\n(.*)\n<!-- end -->", (ROOT / name).read_text(encoding="utf-8")
        )
        assert line == f"{headline()}."
    theorems = [theorem for theorem in whole(BOUNDS) if theorem.status == "false as printed"]
    assert len(theorems) == len(false_bounds())
    assert sum(theorem.fault == "substance" for theorem in theorems) == sum(false_bounds().values())
    assert all(theorem.fault in KINDS for theorem in theorems)
    page = front(Recipe(title="all", promises=True), [], None, tmp_path)
    assert "8 in substance and 6 by a slip" in page


def test_every_name_of_a_finding_is_registered():
    """Claims and bounds that it names exist; of each kind and severity there are some."""
    names = {name for one in findings() for name in one.names if "." in name}
    assert sorted(names - set(CLAIMS) - set(BOUNDS)) == []
    assert set(Counter(one.kind for one in findings())) == set(KINDS)
    assert set(Counter(one.severity for one in findings())) == set(SEVERITIES)


@pytest.mark.derived
def test_the_tables_of_the_page_are_those_of_the_data():
    """``make derived`` makes them again."""
    import runpy

    for path, text in runpy.run_path(str(ROOT / "docs" / "findings_page.py"))["pages"]().items():
        assert path.read_text(encoding="utf-8") == text
