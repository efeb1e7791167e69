"""One page a theorem: statement, measurements, looseness, conditions and exponents, all its forms together."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from boundcheck.bounds import BOUNDS
from boundcheck.findings.places import without_lines
from boundcheck.proofs import CLAIMS
from boundcheck.proofs.ledger.tree import below
from boundcheck.report.pages.figure import place_figure, save_image, stem
from boundcheck.report.pages.papers import cite_paper
from boundcheck.report.pages.status import status
from boundcheck.report.pages.tables import slice_label
from boundcheck.report.pages.theorems.contrast import prescription_entries
from boundcheck.report.pages.theorems.theorem import FORMS, inequality, one_page, pairing
from boundcheck.report.plots import figures
from boundcheck.report.plots.curves import curves, main_letter, metrics
from boundcheck.report.plots.looseness import along_figure, waterfall_figure, waterfall_of, why_none
from boundcheck.report.theorems import form, place, promised_by, silence
from boundcheck.report.typst.markup import (
    anchor,
    badge,
    code,
    escape,
    interval,
    letter,
    number,
    prose,
    rational,
    setting,
    table,
    three_decimals,
    to,
)
from boundcheck.report.typst.typeset import typeset

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from boundcheck.bounds.bound import Bound
    from boundcheck.evidence.checks.survey import SurveyLine
    from boundcheck.evidence.trials.trial import Trial
    from boundcheck.proofs import Proof
    from boundcheck.report.theorems import RatioRange, Theorem
    from boundcheck.sweep import StudyResult

PANELS, LOW = 3, 1.75
"""Most panels of a page's figure, and its height in inches."""
TIGHT = 4
"""Conditions that a page lists, the tightest ones."""
FITS = 5
"""Most exponents that a page lists."""
MOST_FORMS = 7
"""Most forms that a page lists."""


def sheet(
    theorem: Theorem,
    studies: Sequence[StudyResult],
    known: Mapping[str, RatioRange],
    proofs: Sequence[Proof],
    folder: Path,
    heading: str = "",
) -> str:
    """Return the page of a theorem.

    Parameters
    ----------
    theorem : Theorem
        With all its forms.
    studies : sequence of StudyResult
        Those whose first bound is one of the forms; the first one is drawn.
    known : mapping
        Ratios by bound.
    proofs : sequence of Proof
        Decided claims.
    folder : Path
        Where figures are written.
    heading : str
        What stands on the page before, as markup.
    """
    lead = studies[0].study.bounds[0]
    bound = BOUNDS[lead]
    found = next((f for r in studies if not isinstance(f := pairing(lead, bound, r), str) and f is not None), None)
    trial = found[1] if found else None
    parts = [
        f"{heading}== {escape(theorem.name)}: {escape(theorem.title)}",
        _facts(theorem, bound, proofs),
        inequality(bound, trial.evaluation if trial else None),
        _where(bound, studies, found),
        _figure(studies, folder),
        _looseness(theorem, prescription_paragraph(bound, trial.evaluation.values if trial else {}), folder),
        conditions(bound, trial) if trial else "",
        _exponents(studies),
        _forms(theorem, known, {name for r in studies for name in r.study.bounds}),
    ]
    return anchor(theorem.place) + one_page(*(part for part in parts if part))


def _facts(theorem: Theorem, bound: Bound, proofs: Sequence[Proof]) -> str:
    """Return the badges: status, proof, units, feasible, and where else the theorem is spoken of."""
    told = promised_by(bound.id)
    words = [
        badge(theorem.status),
        cite_paper(theorem.paper),
        f"method {code(bound.method)}",
        proof_summary(theorem, proofs),
    ]
    words.append(f"#met({'false' if told.units else 'true'}) units {'mixed' if told.units else 'fit'}")
    feasible = {True: "#met(true) feasible", False: "#met(false) conditions never met", None: "feasible: open"}
    words.append(feasible[told.feasible])
    words.append(_horizon(told))
    words.append(f"table: {to(theorem.row)}")
    return "#facts[" + " #h(0.5em) ".join(word for word in words if word) + "]\n"


def _horizon(told: SurveyLine) -> str:
    """Return from which T on a theorem says something; with letters of a run only up to where it is vacuous."""
    at = ", ".join(f"${letter(name)} = {value}$" for name, value in told.size.shown.items())
    if told.informative_from is None:
        return escape(told.silence)
    if told.at_zero:
        later = " or ".join(f"${letter(name)}$" for name in told.at_zero)
        return f"{escape(told.silence)} ({at}), later where a run has {later} above 0"
    return f"says something from $T = {told.informative_from}$ ({at})"


def proof_summary(theorem: Theorem, proofs: Sequence[Proof]) -> str:
    """Return how many lines the proof of a form, a true one if there is one, has in the ledger, and how many fail."""
    named = [name for name in theorem.forms if name in CLAIMS]
    if not named:
        return ""
    root = next((name for name in named if name in theorem.true), named[0])
    lines = {*below(CLAIMS, root), root}
    decided = [proof for proof in proofs if proof.id in lines]
    if not decided:
        return ""
    false = sum(proof.verdict == "refuted" for proof in decided)
    sure = sum(proof.verdict == "proved" for proof in decided)
    broken = f", {false} refuted" if false else ""
    of = code(root.partition(".")[2])
    # The ledger has one proof a theorem: where what is printed is false, its repaired lines are those that stand.
    whose = "its proof as repaired" if theorem.status == "false as printed" else "proof"
    return f"{whose} ({of}): {sure} of {len(decided)} lines proved{broken}, {to(place('lines', theorem.paper))}"


def _where(bound: Bound, studies: Sequence[StudyResult], found: tuple[object, Trial] | None) -> str:
    note = f"{prose(bound.note)} " if bound.note else ""
    if not found:
        return f"#note[{note}]\n" if note else ""
    at = setting(found[0].setting)  # type: ignore[attr-defined]
    here = f"Form: {FORMS[bound.form]}. Numbers are those at {at}, on {code(studies[0].study.problem)}."
    return f"#note[{note}{here}]\n"


def _figure(studies: Sequence[StudyResult], folder: Path) -> str:
    """Return measured, bounds and the trivial one along the main letter, of the first study that has a curve."""
    drawn = [r for r in studies if any(len(c.x) > 1 for c in curves(r, main_letter(r)))]
    if not drawn:
        return ""
    result, along = drawn[0], main_letter(drawn[0])
    figure = figures.bound_figure(result, metrics(result)[0], panels=PANELS, shares=False, others=False, height=LOW)
    caption = (
        f"_{prose(result.study.title)}_ ({code(result.study.problem)}). A theorem holds where its line is above the "
        "black one, and says something below the dotted one."
    )
    alt = f"Measurements and bounds against {along}: {result.study.title}"
    return place_figure(figure, f"{stem(result)}-sheet", folder, caption=caption, alt=alt)


def _looseness(theorem: Theorem, beside: str, folder: Path) -> str:
    """Return where the slack is, with words beside; a sentence where the worst case is not known."""
    found = waterfall_of(theorem)
    if found is None:
        why = why_none(theorem).partition(":")[0].partition(", which")[0]
        return f"{beside}#note[Worst case of the class: not known{f' ({prose(why)})' if why else ''}.]\n"
    alt = "From the measured value over the worst case to the right-hand side"
    figure = along_figure(found) if len(found.along) > 1 else waterfall_figure(found)
    image = save_image(figure, f"{theorem.place}-slack", folder, alt=alt)
    factors = ", ".join(f"{name} × {factor:.3g}" for name, factor in found.factors)
    words = (
        f"*Where the slack is*, of {code(found.bound.partition('.')[2])} at $K = {found.K}$ with $L = Delta = 1$ and "
        "no noise: from the run over the worst case of the class and the best theorem of one round to the "
        f"right-hand side. At $T = {found.T}$, each over the one before: {factors}."
    )
    return f"#story[{image}][{words}]\n{beside}"


def conditions(bound: Bound, found: Trial) -> str:
    """Return the conditions as a strip: how much of each is used up at the cell, and whether the paper states it."""
    if not bound.conditions:
        return ""
    rows = []
    checks = list(zip(bound.conditions, found.evaluation.conditions, strict=True))
    shares = {c.label: _used(h.left, h.right, c.relation.rel_op) for c, h in checks}
    checks.sort(key=lambda pair: -(shares[pair[0].label] or 0.0))
    for condition, checked in checks[:TIGHT]:
        used = shares[condition.label]
        bar = f"#slack({used:.3g})" if used is not None else f"#met({'true' if checked.holds else 'false'})"
        unstated = "" if condition.stated else " #emph[(not stated)]"
        label = prose(without_lines(condition.label))
        rows.append([bar, f"{label}{unstated}", f"#relation[$ inline({typeset(condition.relation)}) $]"])
    rest = len(checks) - TIGHT
    head = f"Condition, the {len(rows)} tightest of {len(checks)}" if rest > 0 else "Condition"
    shown = table(["Used", head, "Relation"], rows, "(auto, 1fr, 1.4fr)", align="left + horizon")
    return f"#tight[{shown}]\n"


def prescription_paragraph(bound: Bound, values: Mapping[str, float]) -> str:
    """Return the prescriptions as a paragraph, with the values at the cell."""
    shown = [(n, f) for n, f in bound.parameters.items() if n not in bound.definitions and n != "a"]
    if not shown:
        return ""
    told = []
    for name, formula in shown:
        value = number(values.get(name)).strip("$") if name in values else ""
        here = f"{'=' if formula.is_Number else 'approx'} {value}" if value and not formula.is_Integer else ""
        free = " (free)" if name in bound.free else ""
        told.append(f"{prescription_entries(name, formula, value=here)}{free}")
    return "#prescribed[*Prescribed:* " + "; #h(0.4em) ".join(told) + "]\n"


def _used(left: float, right: float, relation: str) -> float | None:
    """Return the smaller side over the larger one, as the relation has it; None where that is no share."""
    small, large = (left, right) if relation in {"<=", "<"} else (right, left)
    if not (math.isfinite(small) and math.isfinite(large)) or small < 0 or large <= 0:
        return None
    return small / large


def _exponents(studies: Sequence[StudyResult]) -> str:
    """Return promised against measured exponents, the promise judged."""
    fits = [(r, at, fit) for r in studies for at, fit in r.fits]
    if not fits:
        return ""
    # The longest slices say most: of each study and letter the last ones are kept.
    kept = fits if len(fits) <= FITS else [fits[round(i * (len(fits) - 1) / (FITS - 1))] for i in range(FITS)]
    rows = [
        [
            f"{prose(r.study.title)}, {slice_label(r, at)}",
            f"${letter(fit.letter)}^(-{rational(fit.promised)})$",
            f"${letter(fit.letter)}^({three_decimals(-fit.exponent).strip('$')})$",
            interval(-fit.high, -fit.low),
            badge(fit.promise),
        ]
        for r, at, fit in kept
    ]
    head = ["Study and slice", "Promised", "Measured", "95 % interval", "Verdict"]
    return "#tight[" + table(head, rows, "(1fr, auto, auto, auto, auto)") + "]\n"


def choose_forms(theorem: Theorem, shown: set[str], most: int = MOST_FORMS) -> list[str]:
    """Return the forms of the theorem that were run (`shown`), printed or sharpened."""
    wanted = {*shown, *theorem.printed_forms, *(name for name in theorem.forms if BOUNDS[name].form == "sharpened")}
    return sorted(wanted & set(theorem.forms), key=theorem.forms.index)[:most]


def _forms(theorem: Theorem, known: Mapping[str, RatioRange], shown: set[str]) -> str:
    """Return the table of the theorem's forms: status and looseness."""
    rows = [
        [
            code(form(name)),
            FORMS[BOUNDS[name].form].partition(":")[0],
            status(name),
            loose(known.get(name)),
        ]
        for name in choose_forms(theorem, shown)
    ]
    told = table(["Form", "What it is", "Status", "Loose by, best / median / worst"], rows, "(auto, 1fr, auto, auto)")
    return f"#tight[{told}]\n"


def loose(ratio: RatioRange | None) -> str:
    """Return right-hand side over measured in the best, median and worst cell, or why the bound says nothing."""
    if ratio is None or ratio.worst <= 0:
        return "--"
    best, middle, worst = ratio.looseness
    parts = [number(best)] if best == worst else [number(v) for v in (best, middle, worst) if v is not None]
    told = " / ".join(parts) + " ×" + ("" if ratio.values else " (audit)")
    return told if ratio.informative else f"{told}, {silence(ratio)}"
