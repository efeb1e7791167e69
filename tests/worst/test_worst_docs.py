"""The page docs/worst.md: its code, its table of theorems, its counts and its picture."""

import re
from pathlib import Path

import pytest
from run_script import printed
from worst_cells import CELLS
from worst_methods import LINEAR

from boundcheck.evidence.search.extremes import tightness
from boundcheck.evidence.slack.waterfalls import shipped_waterfalls
from boundcheck.worst import MEASURES
from boundcheck.worst.cases.tables import SHIPPED

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "worst.md").read_text()
ROWS = re.findall(r"^\| `([a-z0-9.A-Z-]+)` \| ([0-9.]+) \| ([0-9.]+) \| ([0-9.]+) \|$", PAGE, flags=re.MULTILINE)


def test_the_code_of_the_page_prints_what_it_says(capsys):
    """Every line printed is the comment behind its print."""
    for block in re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL):
        exec(block, {})
        said = re.findall(r"^print\(.*  # (.*)$", block, flags=re.MULTILINE)
        assert capsys.readouterr().out.splitlines() == said


@pytest.mark.parametrize(("name", "rhs", "worst_case", "factor"), ROWS, ids=[row[0] for row in ROWS])
def test_the_table_of_theorems_is_computed(name, rhs, worst_case, factor):
    """Right-hand side, worst case and factor at K = 2, T = 4."""
    found = tightness(name, K=2, T=4, **({"zeta": 1.0} if name.startswith("gradma") else {}), **_start(name))
    assert found.rhs == pytest.approx(float(rhs), rel=5e-3)
    assert found.case.upper == pytest.approx(float(worst_case), rel=5e-4)
    assert found.looseness == pytest.approx(float(factor), rel=0.03)


def _start(name):
    return {"G_0": 4.0} if name.startswith("momentum-fl") else {}


def test_counts_and_words_are_those_of_the_code():
    """Methods, cells, shipped problems and left-hand sides."""
    assert len(ROWS) == 7
    assert f"{len(LINEAR)} in all" in PAGE
    assert f"{len(CELLS)} cells" in PAGE
    assert f"one of {len(SHIPPED)} worst cases" in (DOCS / "problems.md").read_text()
    assert [name for name in MEASURES if f"`{name}`" not in PAGE] == []
    listed = (DOCS.parent / "problems" / "extremal.toml").read_text()
    assert [name for name in SHIPPED if f"\n#   {name} " not in listed] == []


def test_the_waterfalls_are_the_shipped_ones():
    """Four levels, the factors between them, and the printed form, to the digits of the page."""
    said = re.findall(r"^\| `(\S+)` \|((?: [\d.e-]* \|){4} [\d. ·e+]+ \| [\d.]* \|)$", PAGE, flags=re.MULTILINE)
    assert dict(said) == {row["bound"]: _levels(row) for row in shipped_waterfalls()["waterfalls"]}


def _levels(row):
    values = [stage.get("value") for stage in row["stages"]]
    factors = " · ".join(f"{factor:.2g}" for factor in row["factors"].values())
    cells = [*map(_short, values), factors, _short(row["printed"].get("value"))]
    return "".join(f" {cell} |" for cell in cells)


def _short(value):
    return "" if value is None else f"{value:.4g}"


@pytest.mark.slow
def test_the_script_draws_ten_methods(tmp_path):
    """The figure of the page is drawn anew."""
    printed(DOCS / "figures" / "worst_methods.py", tmp_path)
    assert (tmp_path / "worst-methods.svg").stat().st_size < 200_000
    assert (DOCS / "figures" / "worst-methods.svg").is_file()


def test_the_script_draws_the_picture(tmp_path):
    """The figure of the page comes from the shipped problems."""
    printed(DOCS / "figures" / "extremal.py", tmp_path)
    assert (tmp_path / "extremal.svg").stat().st_size < 100_000
    assert (DOCS / "figures" / "extremal.svg").is_file()
