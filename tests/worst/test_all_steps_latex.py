"""The page of LaTeX of each theorem for all steps that ships: it is well formed, and has the numbers of its file."""

import re
from fractions import Fraction

import pytest

from boundcheck.worst.theorems.all_steps.latex import latex
from boundcheck.worst.theorems.collection.recipes import RECIPES
from boundcheck.worst.theorems.collection.shipped import shipped_theorem

MACROS = set(
    re.findall(
        r"\w+",
        "frac tfrac sum nabla eta gamma beta rho mu zeta sigma Delta Phi bar tilde langle rangle le ge star cdot dots "
        "quad begin end paragraph text par medskip scriptsize hline footnote",
    )
)
"""What amsmath and amsthm have."""
ROW = re.compile(r"(?s)\\begin\{tabular\}\{l(r*)\}(.*?)\\end\{tabular\}")


def page_of(name):
    """Return the page without its comment."""
    return "\n".join(line for line in latex(shipped_theorem(name)).splitlines() if not line.startswith("%"))


def environments(page):
    """Return whether environments are closed in the order in which they were opened."""
    opened = []
    for which, name in re.findall(r"\\(begin|end)\{(\w+)\}", page):
        if which == "begin":
            opened.append(name)
        elif not opened or opened.pop() != name:
            return False
    return not opened


@pytest.mark.parametrize("name", sorted(RECIPES))
def test_a_page_is_well_formed(name):
    """Braces, formulas and environments are closed, no word of the file's grammar is left, tables have full rows."""
    page = page_of(name)
    assert page.count("{") == page.count("}")
    assert page.count("$") % 2 == 0
    assert page.count(r"\[") == page.count(r"\]")
    assert environments(page)
    assert set(re.findall(r"\\([a-zA-Z]+)", page)) <= MACROS
    assert not re.search(r"mean\(|\d*e[+-]\d\d|\*|<[a-zA-Z]+,|\^-", page)
    for columns, body in ROW.findall(page):
        rows = [row.replace(r"\hline", "").strip() for row in body.split(r"\\")]
        assert {row.count("&") for row in rows if row} == {len(columns)}


@pytest.mark.parametrize("name", ["fedavg", "fedavg-m-exact"])
def test_a_table_has_the_numbers_of_the_file(name):
    """At t = e = h = 1 each polynomial along a round is the sum of its column, up to rounding."""
    potential = shipped_theorem(name).proof["loop"]["potential"]
    wanted = []
    for factor in re.findall(r"\(([^()]*)\)\*<", potential):
        numbers = [re.match(r"-?\d*(?:/\d+)?", term)[0] for term in factor.replace(" - ", " + -").split(" + ")]
        wanted.append(float(sum(Fraction(n) if n not in ("", "-") else Fraction(f"{n}1") for n in numbers)))
    found = []
    for columns, body in ROW.findall(page_of(name)):
        rows = [row.split("&")[1:] for row in body.split(r"\\")[1:] if "&" in row]
        for k in range(len(columns)):
            cells = [row[k].strip(" $\n").replace(r" \cdot 10^{", "e").rstrip("}") for row in rows]
            found.append(sum(float(cell) for cell in cells if cell))
    assert found[: len(wanted)] == pytest.approx(wanted, abs=0.005)


def test_the_premises_stand_in_the_theorem():
    """What a theorem assumes is said there: noise where it has sigma, the start where it has G_0."""
    statement = page_of("scaffold").partition(r"\end{theorem}")[0]
    assert "variance" in statement
    assert r"G_0 = \frac1N" in statement
    assert "zeta" not in statement
    exact = page_of("fedavg-exact").partition(r"\end{theorem}")[0]
    assert "variance" not in exact
    assert r"\zeta^2$ at all $x_t$" in exact
    assert r"(1 - \mu \eta K)^T" in page_of("fedavg-pl")
