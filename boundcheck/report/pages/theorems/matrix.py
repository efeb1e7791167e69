"""The second page: a row a theorem, with its status, the kind of its fault, repair, looseness and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.bounds import BOUNDS
from boundcheck.findings import KINDS
from boundcheck.proofs import CLAIMS
from boundcheck.report.pages.papers import short
from boundcheck.report.pages.status import legend
from boundcheck.report.theorems import form, place, ratios, silence, tightest, whole
from boundcheck.report.typst.markup import (
    anchor,
    badge,
    code,
    escape,
    literal,
    number,
    prose,
)
from boundcheck.sweep import load_recipe
from boundcheck.verdicts.words import SILENCE

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from boundcheck.report.theorems import RatioRange, Theorem
    from boundcheck.sweep import StudyResult
    from boundcheck.verdicts.words import Status

_TEN = 9.95
_MOST = 2
"""Forms that a row names."""
HEAD = ("Statement", "As printed", "What is wrong, what is left of it", "Loose by", "Page")
FAULTS = {"substance": "in substance", "slip": "a slip", "reading": "read literally", "heir": "an heir"}
"""Kind of a fault as the table has it."""


def matrix(names: Sequence[str], results: Sequence[StudyResult]) -> str:
    """Return the table of all theorems that the bounds of these names are forms of."""
    known = ratios(results)
    rows, paper = [], ""
    for theorem in whole(names):
        if theorem.paper != paper:
            paper = theorem.paper
            rows.append(f"  table.cell(colspan: {len(HEAD)}, fill: luma(240))[#strong[{escape(short(paper))}]],\n")
        rows.append("  " + ", ".join(f"[{cell}]" for cell in _row(theorem, known, results)) + ",\n")
    top = ", ".join(f"[{title}]" for title in HEAD)
    columns = "(1.6fr, auto, 3.1fr, 1.6fr, auto)"
    table = f"#tight[#rows(columns: {columns}, align: left,\n  table.header({top}),\n{''.join(rows)})]\n"
    note = _note({theorem.status for theorem in whole(names)})
    return f"= Theorems at a glance\n\n{table}\n#note[#text(7.5pt)[#set par(leading: 0.45em)\n{note}]]\n"


def _note(statuses: Collection[Status]) -> str:
    return (
        f"{legend(statuses)}. _Loose by_: right-hand side over the measured left-hand side in the best, the median and "
        "the worst cell of this report in which the form that is named says something; (audit): this report has no "
        "cell of it, and best and worst are those of the shipped audit. "
        + " ".join(f"_{word.capitalize()}_: {meaning}." for word, meaning in SILENCE.items())
        + " "
        + " ".join(f"_{FAULTS[kind].capitalize()}_: {meaning}." for kind, meaning in KINDS.items())
        + " _Page_: the theorem, then instances that show it false."
    )


def _row(theorem: Theorem, known: dict[str, RatioRange], results: Sequence[StudyResult]) -> list[str]:
    mark = anchor(theorem.row)
    return [
        f"{mark}{escape(theorem.name)} #text(7pt)[{escape(theorem.title)}]",
        badge(theorem.status) + (f" #linebreak() #text(7.5pt)[{FAULTS[theorem.fault]}]" if theorem.fault else ""),
        _wrong(theorem, known),
        f"#text(8pt)[{_loose(theorem, known)}]",
        _page(theorem, results),
    ]


def _wrong(theorem: Theorem, known: dict[str, RatioRange]) -> str:
    """Return what is wrong with a statement, what is left of it and which form may be used."""
    told = next((remark for name in theorem.printed_forms if (remark := BOUNDS[name].remark)), None)
    used = ", ".join(code(form(name)) for name in theorem.repairs[:_MOST])
    after = f"_{prose(told.after)}_" if told and told.after else ""
    if theorem.status != "false as printed":
        hidden = all(BOUNDS[name].kind == "order" for name in theorem.printed_forms)
        parts = [prose(told.why) if told else "", after, f"with constants: {used}" if used and hidden else ""]
    else:
        why = [prose(told.why)] if told else _findings(theorem) or _claims(theorem) or _violation_notes(theorem, known)
        parts = [*why, after, f"use {used}" if used else "no repaired form"]
    return f"#text(7.5pt)[{'; '.join(part for part in parts if part)}]"


def _findings(theorem: Theorem) -> list[str]:
    """Return the titles of the shipped findings about what is printed, without the method that they begin with."""
    return [
        prose(study.title.partition(": ")[2] or study.title)
        for study in load_recipe("findings").study
        if study.reading and study.bounds[0] in theorem.printed_forms
    ]


def _claims(theorem: Theorem) -> list[str]:
    return [prose(CLAIMS[name].title.partition(":")[0]) for name in theorem.because("claim")[:1] if name in CLAIMS]


def _violation_notes(theorem: Theorem, known: dict[str, RatioRange]) -> list[str]:
    """Return by how much a run violates what is printed."""
    ratios_of = [known[name].worst for name in theorem.printed_forms if name in known]
    return [f"a run is {number(max(ratios_of))} times its right-hand side"] if ratios_of else ["refuted"]


def _loose(theorem: Theorem, known: dict[str, RatioRange]) -> str:
    ratio = tightest(theorem, known)
    if ratio is None:
        return "--"
    if not ratio.informative:
        return prose(silence(ratio))
    if ratio.worst <= 0:
        return "--"
    best, middle, worst = ratio.looseness
    parts = [_short(best)] if best == worst else [_short(v) for v in (best, middle, worst) if v is not None]
    return f"{' / '.join(parts)} × #text(7pt)[{code(form(ratio.bound))}{'' if ratio.values else ' (audit)'}]"


def _short(factor: float) -> str:
    """Return a factor with two digits."""
    return f"{factor:.1f}" if factor < _TEN else number(float(f"{factor:.2g}"))


def _page(theorem: Theorem, results: Sequence[StudyResult]) -> str:
    """Return the pages about a theorem: its own, and those of its findings."""
    found = [r.study.id for r in results if r.study.reading and r.study.bounds[0] in theorem.forms]
    shown = [theorem.place, *(place("finding", name) for name in [*found, theorem.place])]
    return f"#text(7.5pt)[#to-each({', '.join(map(literal, shown))})]"
