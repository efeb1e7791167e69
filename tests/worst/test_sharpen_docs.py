"""The page docs/sharpen.md: its code runs, and its table is what comes out."""

import re
from pathlib import Path

import pytest

from boundcheck.evidence.slack.sharper import sharper

PAGE = (Path(__file__).parents[2] / "docs" / "sharpen.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `([\w.-]+)` \| (\d+) \| (\d+) \| (\d) \| (\S+) \| (\S+) \| (\S+) \|", PAGE, flags=re.MULTILINE)


def test_code_of_the_page_runs(capsys):
    """The theorem of the page named "sharpen.md" holds where it is checked, and three certificates prove it."""
    first, second = re.findall(r"^```python\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE)
    names = {}
    exec(first, names)
    descent, noise = map(float, capsys.readouterr().out.split())
    assert 11 < descent < 13
    assert 0 < noise < 0.1
    assert names["verdict"].verdict in ("holds", "consistent")
    assert len(names["proof"]) == 3
    exec(second, names)
    assert capsys.readouterr().out.split() == ["0.960599", "True"]
    assert len(names["proof"]) == 3


def row(name, K, T, sigma):
    return sharper(name, K=int(K), T=int(T), N=8, zeta=1.0, sigma=float(sigma))


@pytest.mark.parametrize("line", [r for r in ROWS if r[2] == "1000"], ids=lambda r: f"{r[0]}-{r[3]}")
def test_the_table_is_what_comes_out(line):
    """To the digits printed, conditions met."""
    *setting, rhs, value, factor = line
    found = row(*setting)
    assert found.conditions == []
    assert f"{found.rhs:.4g}" == rhs
    assert found.value == pytest.approx(float(value), rel=2e-3)
    assert f"{found.factor:.1f}" == factor


def test_the_table_has_the_theorems_in_reach():
    """Four of momentum-fl, three methods of GradMA's lemma."""
    assert len({name for name, *_ in ROWS}) == 7
    assert len(ROWS) == 4 * 4 + 3 * 2
