"""The page docs/theorems.md: its code runs, its tables are what ships, its factors are quotients."""

import re
from pathlib import Path

from boundcheck import BOUNDS
from boundcheck.worst.theorems.collection.shipped import shipped, shipped_theorem
from boundcheck.worst.theorems.collection.table import rows_for_all_k, rows_for_one_k, rows_near, rows_that_fall
from boundcheck.worst.theorems.described.shipped import NAMES, described_theorem
from boundcheck.worst.theorems.described.words import rows

PAGE = (Path(__file__).parents[2] / "docs" / "theorems.md").read_text(encoding="utf-8")
VALUES = {
    "L": 1.0,
    "Delta": 1.0,
    "sigma": 0.0,
    "G_0": 0.0,
    "zeta": 0.0,
    "N": 8,
    "S": 8,
    "K": 4,
    "T": 100,
    "b": 1,
    "E": 2.718281828459045,
}


def test_code_of_the_page_runs(capsys):
    """Every verdict of the page is that a theorem holds."""
    (block,) = re.findall(r"^```python\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE)
    exec(block, {})
    assert set(capsys.readouterr().out.split()) <= {"holds", "consistent"}


def test_the_tables_are_what_ships():
    """Row by row, none left out."""
    found = re.findall(r"^\| `[^`]+` \| [^|]+ \| `.*$", PAGE, flags=re.MULTILINE)
    assert found == [*rows_for_all_k(), *rows_near(), *rows_for_one_k()]
    assert len(found) == len(shipped())


def test_the_table_of_those_that_fall_is_what_ships():
    """Row by row."""
    assert len(rows_that_fall()) >= 6
    assert [row for row in rows_that_fall() if row not in PAGE] == []


def test_the_table_of_described_rounds_is_what_ships():
    """Row by row."""
    named = [(name, described_theorem(name)) for name in NAMES]
    assert [row for row in rows(named) if row not in PAGE] == []
    assert len(named) == 15


def test_factors_beside_published_theorems():
    """Descent of GradMA's lemma and of momentum-fl's Theorems 11 and 19, at their own server steps."""
    for bound, overrides, name, wanted in (
        ("gradma.lemma6-fedavg", {}, "fedavg-normalised", 5.3),
        ("momentum-fl.theorem11", {}, "fedavg-m-short", 5.7),
        ("momentum-fl.theorem19", {}, "scaffold-m-short", 5.7),
    ):
        published = BOUNDS[bound]
        resolved = published.resolve(VALUES | {"zeta": 1e-9, "sigma": 1e-9, "G_0": 1e-9}, overrides)
        gamma = resolved["gamma"]
        theorem = shipped_theorem(name)
        assert gamma == float(theorem.method.gamma) or abs(gamma - float(theorem.method.gamma)) < 1e-12
        own = theorem.factors({"e": 1 / 4, "h": 0.01}, T=100, N=8)["Delta"]
        assert abs(published.evaluate(resolved, strict=False).rhs / own - wanted) < 0.06
