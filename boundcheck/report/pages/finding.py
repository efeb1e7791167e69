"""A page a finding: a printed statement that running refutes, and what holds in its place on the same instances."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.bounds import BOUNDS
from boundcheck.report import figures
from boundcheck.report.curves import main_letter, ratios, varying
from boundcheck.report.markup import box, code, escape, number, paper_title, prose, setting
from boundcheck.report.pages.figure import placed, stem
from boundcheck.report.pages.status import status, verdict_on
from boundcheck.report.pages.tables import captioned, growths
from boundcheck.report.pages.theorem import inequality, one_page
from boundcheck.report.pages.times import times

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from boundcheck.bounds import Bound
    from boundcheck.sweep import StudyResult

INTRODUCTION = """\
Each printed statement runs on instances that satisfy all its stated assumptions. A statement with explicit constants is
refuted by one cell. One that hides its constant behind $lt.tilde$ is refuted by no run: a run gives a lower limit of
the constant, and a claim of the ledger, which is named, proves that none serves. The repaired statement runs on the
same instances.
"""


def split(results: Sequence[StudyResult]) -> tuple[list[StudyResult], list[StudyResult]]:
    """Return the ordinary studies and those that are findings or their repairs."""
    found = [r for r in results if r.study.reading or r.study.repairs]
    return [r for r in results if r not in found], found


def findings(results: Sequence[StudyResult], folder: Path) -> str:
    """Return the section on findings, a page each; `results` holds findings and their repairs."""
    pages = [
        finding(result, [r for r in results if r.study.repairs == result.study.id], folder)
        for result in results
        if result.study.reading
    ]
    return f"= Findings\n\n{INTRODUCTION}\n" + "\n#pagebreak()\n".join(pages)


def finding(result: StudyResult, repairs: Sequence[StudyResult], folder: Path) -> str:
    """Return the page of one finding with its repairs."""
    about, name = result.study, result.study.bounds[0]
    bound = BOUNDS[name]
    where = f"{code(name)}, {prose(bound.where)}, in _{paper_title(bound.paper)}_, on {code(about.problem)}"
    parts = [
        f"== {escape(about.title)}\n",
        f"{status(name)} #h(0.6em) {where}; in this study {verdict_on(name, result.verdict(name))}.\n",
        _refuted(bound),
        f"*As printed.* {prose(about.text)}\n",
        inequality(bound),
        _table([result, *repairs], "Measured left-hand side against the printed statement and its repair."),
        _figure(result, repairs, folder),
        box(f"*What may be misread.* {prose(about.reading)}\n"),
        *(_repair(r) for r in repairs),
        f"Without boundcheck: {code('python ' + about.script)}.\n" if about.script else "",
        *growths(result),
        *times(result, folder),
    ]
    return one_page(*(p for p in parts if p))


def _refuted(bound: Bound) -> str:
    """Return which claims refute a statement, or prove that no hidden constant serves."""
    words = "Refuted" if bound.kind == "explicit" else "No constant serves: refuted"
    claims = ", ".join(code(claim) for claim in bound.refuted_by)
    return f"{words} by {claims}.\n" if claims else ""


def _repair(result: StudyResult) -> str:
    verdicts = "; ".join(
        f"{code(name)} {verdict_on(name, result.verdict(name))}, {status(name)}" for name in result.study.bounds
    )
    return f"*Repaired.* {prose(result.study.text)} {verdicts}.\n"


def _table(results: Sequence[StudyResult], caption: str) -> str:
    rows = []
    for result in results:
        for name in result.study.bounds:
            for point in result.points:
                verdict = point.verdicts[name]
                if verdict.measured is None:
                    continue
                ratio = verdict.measured / verdict.rhs if verdict.rhs else None
                at = {k: point.setting[k] for k in varying(result) or ["T"]}
                rows.append(
                    [
                        code(name.partition(".")[2]),
                        setting(at),
                        number(verdict.measured),
                        number(verdict.rhs),
                        number(ratio),
                        verdict_on(name, verdict.verdict) if BOUNDS[name].kind == "explicit" else "shape, $C = 1$",
                    ]
                )
    head = ["Bound", "Cell", "Measured", "Right-hand side", "Ratio", "Verdict"]
    return captioned(head, rows, "(auto, 1fr, auto, auto, auto, auto)", caption) if rows else ""


def _figure(result: StudyResult, repairs: Sequence[StudyResult], folder: Path) -> str:
    lines = [line for r in (result, *repairs) for line in ratios(r)]
    if not any(len(line.x) > 2 for line in lines):
        return ""
    along = main_letter(result)
    alt = f"Measured divided by right-hand side against {along}"
    caption = (
        "Measured / right-hand side. Above 1 an explicit statement is violated; a hidden constant is at least as large."
    )
    return placed(figures.ratio_figure(lines, along), f"{stem(result)}-ratios", folder, caption=caption, alt=alt)
