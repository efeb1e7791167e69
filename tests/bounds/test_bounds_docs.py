"""The pages about bounds say what the code says, and their examples run."""

import re
from pathlib import Path

import pytest

from boundcheck.bounds import BOUNDS

DOCS = Path(__file__).parents[2] / "docs"


def executed(page):
    """Run the Python blocks of a page in one namespace."""
    namespace = {}
    for block in re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(), flags=re.DOTALL):
        exec(block, namespace)
    return namespace


@pytest.mark.usefixtures("letters_forgotten")
def test_complete_example_ends_in_its_verdicts(capsys):
    """The bound of docs/add-a-bound.md is attained, its half is violated, and it speaks at K = 1 only."""
    namespace = executed("add-a-bound.md")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[0] == "holds"
    assert [float(x) for x in lines[0].split()[1:]] == pytest.approx([0.02, 0.02])
    assert lines[1] == "violated"
    assert lines[2] in {"holds", "consistent"}  # as tight as the ceiling of the problem is
    assert "condition 'one local step' fails" in lines[3]
    assert lines[4:] == ["-1 2", "None"]
    assert namespace["verdict"].vacuity == 1.0


def test_page_on_bounds_runs(capsys):
    """Its evaluation is finite and split, its refusal names the condition, its exponents are the stated ones."""
    namespace = executed("bounds.md")
    assert set(namespace["found"].terms) == {"descent", "start", "drift", "noise"}
    out = capsys.readouterr().out
    assert "condition 'descent (Lemma 5)' fails: L*gamma <= 1/24 (left side 2, right side 0.0416667)" in out
    assert "T=-6/7, N=-2/7" in out
    assert "drift {'N': 3, 'S': 0, 'K': 7}" in out
    assert "{'rounds': 7/3, 'gradients': 3, 'floats': 7/3}" in out
    assert "direction='neither'" in out
    assert "noise 71%\ntwice the N: 0.69\n" in out
    assert "N = 29.0: noise gives way to descent\n" in out
    assert "beta: 0.8944, at most 1.0000 (momentum weight)\n" in out
    assert "{'eta': '0'}" in out
    assert "(N**(2/3) + S)/(N**(2/3)*S**(1/3))" in out


@pytest.mark.derived
def test_table_of_bounds_is_complete():
    """Every registered bound is in the table of docs/bounds.md with its metric, and nothing else is."""
    found = {}
    for line in (DOCS / "bounds.md").read_text().splitlines():
        if line.startswith("| `"):
            names, _, metric, _ = (cell.strip() for cell in line.strip("|").split("|"))
            first, *rest = re.findall(r"`([^`]+)`", names)
            paper = first.partition(".")[0]
            for name in (first, *rest):
                full = name if "." in name else first + name if name.startswith("-") else f"{paper}.{name}"
                found[full] = metric
    assert found == {name: BOUNDS[name].metric for name in BOUNDS}
