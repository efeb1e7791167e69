"""Theorems that share a page: the inequality, one figure, prescriptions, looseness and forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.bounds import BOUNDS
from boundcheck.report.pages.figure import save_image, stem
from boundcheck.report.pages.papers import paper_name, short
from boundcheck.report.pages.status import status
from boundcheck.report.pages.theorems.contrast import flowing
from boundcheck.report.pages.theorems.sheet import choose_forms, loose, prescription_paragraph, proof_summary
from boundcheck.report.pages.theorems.theorem import pairing
from boundcheck.report.plots import figures
from boundcheck.report.plots.curves import curves, main_letter
from boundcheck.report.plots.looseness import RIGHT, waterfall_of
from boundcheck.report.theorems import form, whole
from boundcheck.report.typst.markup import anchor, code, escape, number, prose, setting, to

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from boundcheck.bounds.bound import Bound
    from boundcheck.evidence.trials.trial import Trial
    from boundcheck.proofs import Proof
    from boundcheck.report.theorems import RatioRange, Theorem
    from boundcheck.sweep import StudyResult
    from boundcheck.sweep.results.results import StudyPoint

MOST_FORMS = 4
"""Most forms that an entry lists."""


def briefs(
    results: Sequence[StudyResult],
    names: Sequence[str],
    known: Mapping[str, RatioRange],
    proofs: Sequence[Proof],
    folder: Path,
) -> str:
    """Return the chapter on the theorems that have no page of their own.

    Parameters
    ----------
    results : sequence of StudyResult
        All studies: those called brief are drawn.
    names : sequence of str
        Bounds that the report is about: a theorem that no study runs is named.
    known : mapping
        Ratios by bound.
    proofs : sequence of Proof
        Decided claims.
    folder : Path
        Where figures are written.
    """
    paged = {r.study.bounds[0] for r in results if not (r.study.brief or r.study.reading or r.study.repairs)}
    shown = [r for r in results if r.study.brief]
    said = {name for r in results for name in r.study.bounds}
    parts = [HEADING]
    silent = [theorem for theorem in whole(names) if not said & set(theorem.forms)]
    if silent:
        told = ", ".join(f"{theorem.name} ({escape(paper_name(theorem.paper))})" for theorem in silent)
        parts.append(f"No cell of this report runs {told}.\n")
    paper = ""
    for theorem in whole(r.study.bounds[0] for r in shown):
        if paged & set(theorem.forms):
            continue
        first = next(r for r in shown if r.study.bounds[0] in theorem.forms)
        above = "" if theorem.paper == paper else f"#banner[{escape(short(theorem.paper))}]\n"
        parts.append(brief(theorem, first, known, proofs, folder, above))
        paper = theorem.paper
    return "\n".join(parts)


HEADING = """\
= Further theorems, in brief

The form that was run, with what it prescribes. In brackets behind a status: by how much the form is loose, in the best,
the median and the worst cell. All conditions and constants of every form are in the page that
`boundcheck report` writes with `--html`.
"""


def brief(
    theorem: Theorem,
    result: StudyResult,
    known: Mapping[str, RatioRange],
    proofs: Sequence[Proof],
    folder: Path,
    above: str = "",
) -> str:
    """Return the entry of a theorem, which stays on one page with the markup `above` it."""
    bound = BOUNDS[result.study.bounds[0]]
    found = pairing(bound.id, bound, result)
    at = found if isinstance(found, tuple) else None
    parts = [
        f"{above}=== {escape(theorem.name)}: {escape(theorem.title)}",
        anchor(theorem.place) + _facts(theorem, known, proofs, {bound.id}),
        flowing(bound),
        prescription_paragraph(bound, at[1].evaluation.values if at else {}),
        _beside_curve(result, _words(theorem, bound, result, at), folder),
    ]
    return "#entry[\n" + "\n".join(part for part in parts if part) + "\n]\n"


def _facts(theorem: Theorem, known: Mapping[str, RatioRange], proofs: Sequence[Proof], shown: set[str]) -> str:
    """Return the forms with status and looseness, the proof, and where else the theorem is spoken of."""
    words = [
        f"{code(form(name))} {status(name)} ({loose(known.get(name))})"
        for name in choose_forms(theorem, shown, MOST_FORMS)
    ]
    words += [proof_summary(theorem, proofs), f"table: {to(theorem.row)}"]
    return "#facts[" + " #h(0.5em) ".join(word for word in words if word) + "]\n"


def _words(theorem: Theorem, bound: Bound, result: StudyResult, at: tuple[StudyPoint, Trial] | None) -> str:
    """Return what stands beside the figure: what was run, the largest term and where the slack is."""
    told = [f"_{prose(result.study.title)}_ ({code(result.study.problem)})."]
    if at:
        terms = at[1].evaluation.terms
        most = max(terms, key=lambda name: terms[name])
        told.append(
            f"Right-hand side at {setting(at[0].setting)}: {number(at[1].evaluation.rhs)}, of which "
            f"{100 * terms[most] / at[1].evaluation.rhs:.0f} % is _{escape(most)}_."
        )
    return f"#note[{' '.join([*told, *_slack(theorem)])}]\n"


def _slack(theorem: Theorem) -> Iterator[str]:
    found = waterfall_of(theorem)
    if found:
        factors = ", ".join(f"{'bound' if name == RIGHT else name} × {factor:.3g}" for name, factor in found.factors)
        which = code(form(found.bound))
        yield f"Slack of {which} at $K = {found.K}$, $T = {found.T}$, each stage over the one before: {factors}."


def _beside_curve(result: StudyResult, words: str, folder: Path) -> str:
    """Return words beside the curve of the study; alone where there is none."""
    along = main_letter(result)
    if not any(len(c.x) > 1 for c in curves(result, along)):
        return words
    alt = f"Measurements and bounds against {along}: {result.study.title}"
    return f"#story[{save_image(figures.slim_figure(result), f'{stem(result)}-brief', folder, alt=alt)}][\n{words}\n]\n"
