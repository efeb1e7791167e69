"""What every registered bound promises and whether it can keep it: feasibility, units, rates, the audit's verdict."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from boundcheck.bounds import BOUNDS
from boundcheck.evidence.checks.survey import SURVEYED
from boundcheck.findings.places import without_lines
from boundcheck.report.pages.papers import in_order
from boundcheck.report.pages.status import sign_on, status
from boundcheck.report.theorems import promised_by
from boundcheck.report.typst.markup import code, epsilon, formulas, letter, paper_title, prose, rational, table
from boundcheck.sweep import shipped_summary

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from boundcheck.evidence.checks.survey import SurveyLine


def promises() -> str:
    """Return the section: a table a paper, then what is wrong with conditions and units."""
    found, audit = [promised_by(name) for name in BOUNDS], shipped_summary()
    parts = ["= What the theorems promise\n", _introduction()]
    for paper in in_order(p.paper for p in found):
        mine = [p for p in found if p.paper == paper]
        parts += [f"== {paper_title(paper)}\n", _table(mine, audit), _trouble(mine)]
    return "\n".join(part for part in parts if part)


def _introduction() -> str:
    N, K = SURVEYED
    return f"""\
Computed from the statements, nothing is run. _Feasible_: whether the conditions can be met at all, by an example or by
real arithmetic. _Units_: a true bound does not change when $f$ and $x$ are measured in other units. _Says something
from_: first horizon at which it beats the trivial bound, at $N = {N}$, $K = {K}$ (if the conditions allow them) on the
paper's default problem; letters that belong to a run have the value that always serves, else 0, which makes it the
least that a run can show. _Audit_: the verdict
over a grid of $N$, $K$ and $T$, with the number of cells in which the bound is below the trivial one; a statement that
is false may be consistent on that grid.
"""


def _table(mine: Sequence[SurveyLine], audit: dict[str, dict[str, Any]]) -> str:
    head = ["Bound", "Status", "Feasible", "Units", "As $T$ grows", "Rounds", "Says something from", "Audit"]
    rows = [
        [
            f"{code(p.id.partition('.')[2])} #linebreak() {p.form}{'' if p.kind == 'explicit' else ', order'}",
            status(p.id),
            {True: "yes", False: "#met(false) never", None: "open"}[p.feasible],
            "fit" if not p.units else f"#met(false) {len(p.units)}",
            _rate(p),
            epsilon(None if p.rounds is None else Fraction(p.rounds)),
            _start(p),
            _audit_cell(p.id, audit.get(p.id)),
        ]
        for p in mine
    ]
    return table(head, rows, "(1.3fr, auto, auto, auto, 1.1fr, auto, 0.7fr, auto)")


def _rate(p: SurveyLine) -> str:
    parts = [
        f"{letter(k)}^({rational(float(Fraction(power)))})"
        for k in ("T", "N", "S", "K")
        if (power := p.exponents.get(k, "0")) not in {"0", "-oo"}
    ]
    return f"${' '.join(parts)}$" if parts else "constant"


def _start(p: SurveyLine) -> str:
    if p.informative_from:
        return f"${'T >=' if p.at_zero else 'T ='} {p.informative_from}$"
    return "--" if p.informative_note else p.silence


def _audit_cell(bound: str, found: dict[str, Any] | None) -> str:
    if found is None:
        return "--"
    said = found["cells"] - found["vacuous"] - found["not_applicable"]
    return f"{sign_on(bound, found['verdict'])} {said} of {found['cells']}"


def _trouble(mine: Sequence[SurveyLine]) -> str:
    """Return what cannot be met and where units are mixed, in words."""
    lines = [f"- {code(p.id)}: {prose(p.feasible_because)}." for p in mine if p.feasible is False]
    lines += [f"- {code(p.id)}, units: {formulas(without_lines('; '.join(p.units)))}." for p in mine if p.units]
    return "#text(8.5pt)[\n" + "\n".join(lines) + "\n]\n" if lines else ""
