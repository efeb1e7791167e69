"""How many printed bounds are false, and how many in substance: one number, of one file, wherever it stands."""

import re
from pathlib import Path

import pytest

from boundcheck.bounds import BOUNDS
from boundcheck.cli import main
from boundcheck.findings import false_bounds, findings, headline
from boundcheck.report.pages.front import front
from boundcheck.report.plots.bars import ratios
from boundcheck.sweep import Recipe

ROOT = Path(__file__).parents[2]


def test_the_count_is_the_same_everywhere(capsys, tmp_path):
    """By hand from the files; then the headline, README, both pages, the command, the report and the shipped sample."""
    false = {bound: one.kind for one in findings() for bound in one.false if one.kind == "substance"}
    every = {bound for one in findings() for bound in one.false}
    total, substance = len(every), len(false)
    assert set(false_bounds()) == every
    assert headline().startswith(f"{total} printed bounds are false: {substance} in substance")
    assert f"{headline()}." in (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"{headline()}." in (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
    words = {8: "Eight", 14: "Fourteen"}
    told = f"**{words[total]} printed bounds are false.** {words[substance]} of them in substance"
    assert told in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    sample = re.sub(r"<[^>]+>", "", (ROOT / "reports" / "sample" / "overview.html").read_text(encoding="utf-8"))
    assert f"{total} are false as printed, {substance} in substance" in " ".join(sample.split())
    with pytest.raises(SystemExit) as ended:
        main(["findings"])
    assert ended.value.code == 0
    assert headline() in " ".join(capsys.readouterr().out.split())
    page = front(Recipe(title="all", promises=True), [], None, tmp_path)
    assert re.search(rf"{total} are false as printed\*, {substance} in substance", page)


def test_the_first_line_of_the_readme_has_the_count():
    """Written by hand above the headline: the same number of false statements."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(
        rf"right-hand side in five papers on federated optimisation, {len(false_bounds())} are false", text
    )


def test_a_figure_that_grows_says_what_grows():
    """Where a script's ratios grow along its instances the finding names what becomes larger with them."""
    for one in findings():
        values = list(ratios(one).values())
        if one.false and len(values) > 1:
            assert one.grows, one.id
            assert all(bound in BOUNDS for bound in one.false)
