"""The second page: a row a theorem, with its status, repair, looseness, rate and page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.bounds import BOUNDS
from boundcheck.evidence.statistics.words import SILENCE
from boundcheck.proofs import CLAIMS
from boundcheck.report.markup import (
    anchor,
    badge,
    code,
    escape,
    letter,
    literal,
    number,
    prose,
    rational,
    three_decimals,
    to,
)
from boundcheck.report.pages.papers import short
from boundcheck.report.pages.status import legend
from boundcheck.report.theorems import fitted_exponents, form, place, ratios, silence, tightest, whole
from boundcheck.sweep import load_recipe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.report.theorems import RatioRange, Theorem
    from boundcheck.sweep import StudyResult

_TEN = 9.95
_MOST = 2
"""Forms that a row names."""
HEAD = ("Statement", "As printed", "What is wrong, what is left of it", "Loose by", "Rate seen", "Page")


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
    columns = "(1.2fr, auto, 2.7fr, 1.15fr, 1.25fr, auto)"
    table = f"#tight[#rows(columns: {columns}, align: left,\n  table.header({top}),\n{''.join(rows)})]\n"
    return f"= Theorems at a glance\n\n{table}\n#note[{_note()}]\n"


def _note() -> str:
    return (
        f"{legend()}. _Loose by_: right-hand side over the measured left-hand side in the best, the median and the "
        "worst cell of this report in which the form that is named says something; (audit): this report has no cell of "
        "it, and best and worst are those of the shipped audit. "
        + " ".join(f"_{word.capitalize()}_: {meaning}." for word, meaning in SILENCE.items())
        + " _Rate seen_: an exponent that the studies of this report fitted, the printed one, and that of the bound "
        "itself on the same grid."
    )


def _row(theorem: Theorem, known: dict[str, RatioRange], results: Sequence[StudyResult]) -> list[str]:
    mark = anchor(place("row", f"{theorem.paper}-{theorem.key}"))
    return [
        f"{mark}{escape(theorem.name)} #text(7.5pt)[{escape(theorem.title)}]",
        badge(theorem.status),
        _wrong(theorem, known),
        f"#text(8pt)[{_loose(theorem, known)}]",
        f"#text(8pt)[{_rate(theorem, results)}]",
        _page(theorem, results),
    ]


def _wrong(theorem: Theorem, known: dict[str, RatioRange]) -> str:
    """Return what is wrong with a statement, what is left of it and which form may be used."""
    told = next((remark for name in theorem.printed if (remark := BOUNDS[name].remark)), None)
    used = ", ".join(code(form(name)) for name in theorem.repairs[:_MOST])
    after = f"_{prose(told.after)}_" if told and told.after else ""
    if theorem.status != "false as printed":
        hidden = all(BOUNDS[name].kind == "order" for name in theorem.printed)
        parts = [prose(told.why) if told else "", after, f"with constants: {used}" if used and hidden else ""]
    else:
        why = [prose(told.why)] if told else _findings(theorem) or _claims(theorem) or _violation_notes(theorem, known)
        parts = [*why, after, f"use {used}" if used else "no repaired form"]
    return f"#text(8pt)[{'; '.join(part for part in parts if part)}]"


def _findings(theorem: Theorem) -> list[str]:
    """Return the titles of the shipped findings about what is printed, without the method that they begin with."""
    return [
        prose(study.title.partition(": ")[2] or study.title)
        for study in load_recipe("findings").study
        if study.reading and study.bounds[0] in theorem.printed
    ]


def _claims(theorem: Theorem) -> list[str]:
    return [prose(CLAIMS[name].title.partition(":")[0]) for name in theorem.because("claim")[:1] if name in CLAIMS]


def _violation_notes(theorem: Theorem, known: dict[str, RatioRange]) -> list[str]:
    """Return by how much a run violates what is printed."""
    ratios_of = [known[name].worst for name in theorem.printed if name in known]
    return [f"a run is {number(max(ratios_of))} times its right-hand side"] if ratios_of else ["refuted"]


def _loose(theorem: Theorem, known: dict[str, RatioRange]) -> str:
    ratio = tightest(theorem, known)
    if ratio is None:
        return "--"
    if not ratio.informative:
        return silence(ratio)
    if ratio.worst <= 0:
        return "--"
    best, middle, worst = ratio.looseness
    parts = [_short(best)] if best == worst else [_short(v) for v in (best, middle, worst) if v is not None]
    return f"{' / '.join(parts)} × #text(7pt)[{code(form(ratio.bound))}{'' if ratio.values else ' (audit)'}]"


def _short(factor: float) -> str:
    """Return a factor with two digits."""
    return f"{factor:.1f}" if factor < _TEN else number(float(f"{factor:.2g}"))


def _rate(theorem: Theorem, results: Sequence[StudyResult]) -> str:
    fits = fitted_exponents(theorem, results)
    if not fits:
        return "--"
    fit = max(fits, key=lambda f: (f.letter == "T", f.promise != "undecided"))
    own = "" if fit.bound_order is None else f" (bound here ${three_decimals(-fit.bound_order).strip('$')}$)"
    measured = f"${letter(fit.letter)}^({three_decimals(-fit.exponent).strip('$')})$"
    seen = f"{measured} for ${rational(-fit.promised)}${own}"
    return f"{seen} #symbol-of({literal(fit.promise)})"


def _page(theorem: Theorem, results: Sequence[StudyResult]) -> str:
    """Return the pages about a theorem: its own, and those of its findings."""
    found = [r.study.id for r in results if r.study.reading and r.study.bounds[0] in theorem.forms]
    return " ".join(map(to, [theorem.place, *(place("finding", name) for name in [*found, theorem.place])]))
