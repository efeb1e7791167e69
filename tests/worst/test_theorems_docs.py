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


def test_constants_of_a_near_theorem_at_one_step():
    """FedAvg's at K = 8 and eta K L = 1/6, beside those of the theorem with few constants, and of a published one."""
    K, h = 8, 1 / 6
    powers = (h, 1 / h**2, K / h, K / h**2)
    found = []
    for name in ("fedavg-near", "fedavg"):
        one, many = (shipped_theorem(name).factors({"e": 1 / K, "h": h}, T=1, N=N) for N in (1, 10**9))
        factors = (one["Delta"], one["zeta"], one["sigma"], many["sigma"])
        found.append([factor * power for factor, power in zip(factors, powers, strict=True)])
    values = dict.fromkeys(("L", "Delta", "T", "eta_g", "G_dis", "sigma", "b", "S", "N"), 1) | {"eta": h / K, "K": K}
    terms = BOUNDS["field.fedavg-dissimilar"].terms
    parts = [terms[name] for name in ("gap", "drift", "noise", "local noise")]
    numbers = [float(part.subs({x: values[str(x)] for x in part.free_symbols})) for part in parts]
    found.append([number * power for number, power in zip(numbers, powers, strict=True)])
    near, few, published = found
    assert [f"{c:.3g}" for c in near] == ["1.49", "0.263", "0.886", "0.496"]
    assert [round(c, 4) for c in few] == [2, 0.3333, 1.8, 0.5]
    assert [round(7 * c) for c in published] == [24, 72, 24, 36]
    assert [f"{c / own:.2g}" for c, own in zip(published, near, strict=True)] == ["2.3", "39", "3.9", "10"]
    words = (
        "1.49, 0.263, 0.886 and 0.496, for 2, 1/3, 9/5 and 1/2",
        "24/7, 72/7, 24/7 and 36/7: 2.3, 39, 3.9 and 10 times",
    )
    assert all(word in PAGE for word in words)


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
