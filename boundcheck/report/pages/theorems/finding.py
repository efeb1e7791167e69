"""A page a finding: a printed statement that is false, what holds in its place, and the run that shows it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from boundcheck.bounds import BOUNDS
from boundcheck.findings import findings as every
from boundcheck.proofs import CLAIMS
from boundcheck.report.pages.figure import save_image, stem
from boundcheck.report.pages.ledger import spelled_witness
from boundcheck.report.pages.papers import cite_paper, paper_name
from boundcheck.report.pages.status import status, verdict_on
from boundcheck.report.pages.tables import captioned_table
from boundcheck.report.pages.theorems.contrast import contrast, flowing
from boundcheck.report.pages.theorems.theorem import inequality, one_page
from boundcheck.report.plots import figures
from boundcheck.report.plots.bars import picture as bars
from boundcheck.report.plots.bars import ratios as ratios_of
from boundcheck.report.plots.curves import main_letter, ratios, varying
from boundcheck.report.theorems import form, place, theorem_of, theorems, whole
from boundcheck.report.typst.markup import anchor, box, code, escape, number, prose, setting, to

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from boundcheck.bounds import Bound
    from boundcheck.proofs import Claim, Proof
    from boundcheck.report.theorems import Theorem
    from boundcheck.sweep import StudyResult

HEADING = """\
= Findings

Each instance satisfies every printed assumption. One cell refutes a statement with explicit constants. A statement that
hides its constant behind $lt.tilde$ is refuted by no run: a run gives a lower limit of the constant, and the claim that
is named proves that none serves. What differs between print and repair is bold and in colour;
terms are compared by name, and numbers count where no constant is hidden.
"""


def split(results: Sequence[StudyResult]) -> tuple[list[StudyResult], list[StudyResult]]:
    """Return the ordinary studies and those that are findings or their repairs."""
    found = [r for r in results if r.study.reading or r.study.repairs]
    return [r for r in results if r not in found], found


def findings(
    results: Sequence[StudyResult], folder: Path, names: Sequence[str] = (), proofs: Sequence[Proof] = ()
) -> str:
    """Return the section on findings, a page each, in the order of the theorems.

    Parameters
    ----------
    results : sequence of StudyResult
        Findings and their repairs.
    folder : Path
        Where figures are written.
    names : sequence of str
        Bounds that the report is about: a false one without a run has a paragraph.
    proofs : sequence of Proof
        Decided claims, for where they fail.
    """
    shown = [r for r in results if r.study.reading]
    order = [name for found in theorems(BOUNDS) for name in found.forms]
    shown.sort(key=lambda r: order.index(r.study.bounds[0]))
    pages = [
        finding(r, [o for o in results if o.study.repairs == r.study.id], folder, "" if i else HEADING)
        for i, r in enumerate(shown)
    ]
    parts = ["\n#pagebreak(weak: true)\n".join(pages or [HEADING])]
    told = {name for r in shown for name in r.study.bounds}
    proved = [t for t in whole(names) if t.status == "false as printed" and not told & set(t.printed_forms)]
    if proved:
        known = {claim: place("finding", r.study.id) for r in shown for claim in BOUNDS[r.study.bounds[0]].refuted_by}
        entries = "\n".join(by_claim(theorem, folder, proofs, known) for theorem in proved)
        parts.append(f"#pagebreak(weak: true)\n== False by a claim alone, without a run\n{entries}")
    return "\n".join(parts)


def finding(result: StudyResult, repairs: Sequence[StudyResult], folder: Path, heading: str = "") -> str:
    """Return the page of one finding with its repairs, `heading` (markup) before it."""
    about, name = result.study, result.study.bounds[0]
    printed, theorem = BOUNDS[name], theorem_of(name)
    title = about.title.partition(": ")[2] or about.title
    words = [
        f"*For a fixed problem.* {prose(about.fixed)}\n" if about.fixed else "",
        f"*What may be misread.* {prose(about.reading)}\n",
        *(_repair(r) for r in repairs),
    ]
    parts = [
        f"{heading}\n== {escape(theorem.name)}: {prose(title)}",
        _facts(theorem, printed, result),
        f"*Instance.* {prose(about.text)}\n",
        contrast(printed, _readable_repair(theorem, repairs)) if repairs else inequality(printed),
        _ratio_story([result, *repairs], folder, "\n".join(word for word in words if word)),
        _script(about.script),
    ]
    return anchor(place("finding", about.id)) + one_page(*(part for part in parts if part))


def _facts(theorem: Theorem, printed: Bound, result: StudyResult) -> str:
    """Return the line under the title: status, paper, equation, and where else it is spoken of."""
    words = [status(printed.id), cite_paper(printed.paper), escape(result.study.equation)]
    claims = ", ".join(code(claim) for claim in printed.refuted_by)
    if claims:
        words.append(("refuted by " if printed.kind == "explicit" else "no constant serves: ") + claims)
    words.append(f"table: {to(theorem.row)}")
    return "#facts[" + " #h(0.6em) ".join(word for word in words if word) + "]\n"


def _readable_repair(theorem: Theorem, repairs: Sequence[StudyResult]) -> Bound:
    """Return the repair that is read most easily: the rate in closed form where the printed one hides its constant."""
    first = BOUNDS[repairs[0].study.bounds[0]]
    rates = [name for name in theorem.repairs if name.endswith("-rate")]
    return BOUNDS[rates[0]] if rates and all(BOUNDS[n].kind == "order" for n in theorem.printed_forms) else first


def _repair(result: StudyResult) -> str:
    verdicts = "; ".join(f"{code(n)} {verdict_on(n, result.verdict(n))}, {status(n)}" for n in result.study.bounds)
    return f"*Repaired.* {prose(result.study.text)} {verdicts}.\n"


def _ratio_story(results: Sequence[StudyResult], folder: Path, words: str) -> str:
    """Return the ratios, with words beside: a figure where there is a curve, else the numbers."""
    lines = [line for r in results for line in ratios(r)]
    if not any(len(line.x) > 1 for line in lines):
        return _table(results) + box(words)
    along = main_letter(results[0])
    alt = f"Measured divided by right-hand side against {along}"
    figure = save_image(figures.ratio_figure(lines, along), f"{stem(results[0])}-ratios", folder, alt=alt)
    return f"#story[{figure}][\n{words}\n]\n"


def _table(results: Sequence[StudyResult]) -> str:
    rows = [row for result in results for row in _rows(result)]
    head = ["Bound", "Cell", "Measured", "Right-hand side", "Ratio", "Verdict"]
    caption = "Measured left-hand side against the printed statement and its repair."
    return captioned_table(head, rows, "(auto, 1fr, auto, auto, auto, auto)", caption) if rows else ""


def _rows(result: StudyResult) -> Iterator[list[str]]:
    for name in result.study.bounds:
        for point in result.points:
            verdict = point.verdicts[name]
            if verdict.measured is None:
                continue
            yield [
                code(form(name)),
                setting({k: point.setting[k] for k in varying(result) or ["T"]}),
                number(verdict.measured),
                number(verdict.rhs),
                number(verdict.measured / verdict.rhs if verdict.rhs else None),
                verdict_on(name, verdict.verdict) if BOUNDS[name].kind == "explicit" else "shape, $C = 1$",
            ]


def _script(name: str) -> str:
    """Return a script whole where it is at hand, else the command that runs it."""
    path = Path(__file__).parents[4] / name
    if not name or not path.is_file():
        return f"Without boundcheck: {code('python ' + name)}.\n" if name else ""
    text = path.read_text(encoding="utf-8").partition('"""\n')[2].strip()
    shown = code(text, block=True).removeprefix("#").removesuffix(";")
    return f"#lead-in[*Without boundcheck* ({code('python ' + name)}):]\n#script({shown})\n"


SHOWN = {
    "fedlalr.corollary3": "fedlalr-c3",
    "fedglomo.theorem1": "fedglomo-v1",
    "fedglomo.corollary1": "fedglomo-c1",
    "fedglomo.remark1": "fedglomo-c1",
}
"""Printed bound to the finding whose script shows that it is false, where no study of a report does."""


def by_claim(theorem: Theorem, folder: Path, proofs: Sequence[Proof] = (), told: dict[str, str] | None = None) -> str:
    """Return what is false in a theorem that no study runs, with its repair, instance and script.

    Parameters
    ----------
    theorem : Theorem
        With all its forms.
    folder : Path
        Where figures are written.
    proofs : sequence of Proof
        Decided claims, for where they fail.
    told : dict, optional
        Claims and findings that the report has shown, and where: the same is not said twice.
    """
    told = {} if told is None else told
    here = place("finding", theorem.place)
    names = [name for name in theorem.printed_forms if BOUNDS[name].refuted_by]
    printed = BOUNDS[(names or list(theorem.printed_forms))[0]]
    claims = [CLAIMS[name] for name in theorem.because("claim") if name in CLAIMS]
    words = printed.remark
    why = f": {prose(words.why)}. *What is left:* {prose(words.after)}" if words else ""
    apart = bool(theorem.repairs) and not all(claim.id in told for claim in claims)
    instances = "\n".join(_instance(claim, proofs, told, here) for claim in claims)
    parts = [
        f"=== {escape(_heading(theorem))}",
        f"{anchor(here)}{status(printed.id)}{why}.\n",
        contrast(printed, BOUNDS[theorem.repairs[0]]) if apart else flowing(printed),
        _finding_story(SHOWN.get(printed.id, ""), instances, folder, told),
    ]
    return "\n".join(part for part in parts if part)


def _heading(theorem: Theorem) -> str:
    """Return a theorem's name after its paper's, and what it is about unless that is the same word."""
    paper = paper_name(theorem.paper)
    return f"{paper}: {theorem.name}" + (f", {theorem.title}" if theorem.title != paper else "")


def script_of(finding: str) -> str:
    """Return the path of a finding's script in the repository."""
    return f"docs/findings/{finding.replace('-', '_')}.py"


def _finding_story(name: str, words: str, folder: Path, told: dict[str, str]) -> str:
    """Return words beside what a finding measured over what is printed, and its script below; only words again."""
    found = next((one for one in every() if one.id == name), None)
    if found is None or name in told:
        return words
    told[name] = name
    beside = words
    if len(ratios_of(found)) > 1:
        image = save_image(bars(found, slim=True), f"{name}-bars", folder, alt=f"Measured over printed of {name}")
        beside = f"#story[{image}][\n{words}\n]\n"
    return f"{beside}{_script(script_of(name))}"


def _sides(detail: str) -> str:
    """Return the two sides where a printed line fails."""
    return detail.partition(" at step ")[0].replace("lhs =", "left-hand side").replace("rhs =", "right-hand side")


def _instance(claim: Claim, proofs: Sequence[Proof], told: dict[str, str], here: str) -> str:
    """Return what a claim says, where, and by how much a printed one fails there; only its page the second time."""
    if claim.id in told:
        return f"*Instance.* As on {to(told[claim.id])} ({code(claim.id)}).\n"
    told[claim.id] = here
    proof = next((p for p in proofs if p.id == claim.id and p.witness), None)
    witness = dict(proof.witness or {}) if proof else {}
    at = "" if "seed" in witness else f"At {spelled_witness(witness)}: "
    fails = f" {prose(at + _sides(proof.detail))}." if proof else ""
    return f"*Instance.* {prose('; '.join(claim.hypotheses))}. {prose(claim.title)} ({code(claim.id)}).{fails}\n"
