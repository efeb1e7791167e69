"""The first page: what is false, why it matters, how loose the rest is and which rates were seen."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from boundcheck.bounds import BOUNDS
from boundcheck.files.sources import package_hash
from boundcheck.findings import findings
from boundcheck.report.pages.figure import place_figure
from boundcheck.report.pages.papers import paper_name, short
from boundcheck.report.pages.studies.rate_table import attained_words, rate_table, rate_words
from boundcheck.report.plots.curves import ratios as ratio_curves
from boundcheck.report.plots.glance import glance_figure
from boundcheck.report.theorems import form, ratios, theorem_of, tightest, whole
from boundcheck.report.typst.markup import code, number, prose
from boundcheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from boundcheck.proofs import Proof
    from boundcheck.report.theorems import RatioRange, Theorem
    from boundcheck.sweep import Recipe, StudyResult

WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_WORK = 3
"""Instances that the sentence on what matters counts up."""


def front(recipe: Recipe, results: Sequence[StudyResult], claims: Sequence[Proof] | None, folder: Path) -> str:
    """Return the first page."""
    found, known = whole(bounds_of_report(recipe, results)), ratios(results)
    told = [prose(recipe.text), *_paragraphs(found, known, results), _rates(recipe, results)]
    told += [_trust(recipe, results, claims), _next(found)]
    parts = ["#front-title\n", f"#opening[\n{_LINES.join(part for part in told if part)}\n]"]
    if any(name in known for theorem in found for name in theorem.forms):
        names = {theorem.paper: _title_and_id(theorem.paper) for theorem in found}
        figure = glance_figure(found, known, names)
        alt = "Measured over right-hand side of every theorem"
        parts.append(place_figure(figure, "glance", folder, caption=_caption(found), alt=alt))
    parts.append(rate_table(found, results))
    return _LINES.join(part for part in parts if part)


_LINES = "\n\n"
"""What stands between two paragraphs."""


def bounds_of_report(recipe: Recipe, results: Sequence[StudyResult]) -> list[str]:
    """Return the bounds that a report is about: all, if it says what every one promises, else those of its studies."""
    if recipe.promises:
        return list(BOUNDS)
    return list(dict.fromkeys(name for result in results for name in result.study.bounds))


def _title_and_id(paper: str) -> str:
    """Return how a paper is called, and its id where that is another word."""
    title = short(paper)
    return title if title.lower() == paper else f"{title} [{paper}]"


def count(n: int, one: str, many: str = "") -> str:
    """Return a number in words with its noun."""
    return f"{WORDS[n] if n < len(WORDS) else n} {one if n == 1 else many or one + 's'}"


def _caption(found: Sequence[Theorem]) -> str:
    """Return what the figure shows; of false statements only where there is one."""
    text = (
        "Measured over right-hand side: left of the line at 1 the inequality holds. A dot is the form that stands in "
        "its tightest cell (hollow: it says nothing), a diamond its worst case over all problems"
    )
    if all(theorem.status != "false as printed" for theorem in found):
        return f"{text}."
    return (
        f"{text}. ×: false as printed, by a run (cross) or a proof whatever constant is hidden (triangle in the lane), "
        "hollow if not in substance; arrows lead to repairs."
    )


def _paragraphs(found: Sequence[Theorem], known: dict[str, RatioRange], results: Sequence[StudyResult]) -> list[str]:
    """Return what is false, why it matters and how loose the rest is: a paragraph each."""
    return [_false(found), _matters(found, results), _looseness(found, known)] if found else []


def _rates(recipe: Recipe, results: Sequence[StudyResult]) -> str:
    """Return which rates were seen; of the five papers' headline rates where the report is about all of them."""
    words = " ".join(filter(None, [attained_words() if recipe.promises else "", rate_words(results)]))
    below = " The table below has their least, median and largest power, and beside them those of the bound itself."
    return f"*Which rates.* {words}{below if any(result.fits for result in results) else ''}" if words else ""


def _false(found: Sequence[Theorem]) -> str:
    false = [theorem for theorem in found if theorem.status == "false as printed"]
    papers = len({theorem.paper for theorem in found})
    if not false:
        told = "The statement is not" if len(found) == 1 else f"None of the {len(found)} statements is"
        return f"*{told} false as printed.*"
    of = f"Of {count(len(found), 'statement')}" + (f" of {count(papers, 'paper')}" if papers > 1 else "")
    heavy = [theorem for theorem in false if theorem.fault == "substance"]
    light = len(false) - len(heavy)
    kinds = ""
    if all(theorem.fault for theorem in false):
        slips = f"{light} by a slip, by a literal reading or as the heir of another one" if light else ""
        kinds = ", " + " and ".join(filter(None, [f"{len(heavy)} in substance" if heavy else "", slips]))
    names = f" In substance: {_list_theorems(heavy)}." if heavy and light else ""
    return f"*What is false.* {of}, *{count(len(false), 'is', 'are')} false as printed*{kinds}.{names}"


def _list_theorems(some: Sequence[Theorem]) -> str:
    """Return theorems by name, paper by paper."""
    by_paper: dict[str, list[str]] = {}
    for theorem in some:
        by_paper.setdefault(theorem.paper, []).append(theorem.name)
    return "; ".join(f"{prose(paper_name(paper))} {prose(', '.join(names))}" for paper, names in by_paper.items())


def _matters(found: Sequence[Theorem], results: Sequence[StudyResult]) -> str:
    """Return what follows for who uses a false statement: the run that is farthest above, and what repairs leave."""
    false = [theorem for theorem in found if theorem.status == "false as printed"]
    if not false:
        return ""
    worst = _worst_instance(results)
    repaired = [theorem for theorem in false if theorem.repairs]
    parts = [worst] if worst else []
    if repaired:
        order = sum(theorem.keeps_its_order for theorem in repaired)
        parts.append(
            f"For {count(len(repaired), 'of them', 'of them')} a repaired form stands against every measurement, and "
            f"{WORDS[order] if order < len(WORDS) else order} of these keep the printed order in $T$, $N$, $K$ and $S$:"
            " what changes are conditions, steps and constants."
        )
    return f"*Why it matters.* {' '.join(parts)}" if parts else ""


def _worst_instance(results: Sequence[StudyResult]) -> str:
    """Return the finding of substance whose run grows farthest above what is printed, and what grows with it."""
    best: tuple[float, str] = (1.0, "")
    for result in results:
        theorem = theorem_of(result.study.bounds[0])
        curve = next(iter(ratio_curves(result)), None)
        if not result.study.reading or theorem.fault != "substance" or curve is None or len(curve.y) < _WORK:
            continue
        grows = next((one.grows for one in findings() if one.id == result.study.id), "")
        values = ", ".join(number(value) for value in curve.y)
        where = f"{prose(theorem.name)} of {prose(paper_name(theorem.paper))}"
        what = f" (what grows is {prose(grows.partition(': ')[0])})" if grows else ""
        text = (
            f"At the steps that {where} prescribes, runs are {values} times what it promises{what}; no constant serves "
            f"all of them."
        )
        best = max(best, (curve.y[-1], text))
    return best[1]


def _looseness(found: Sequence[Theorem], known: dict[str, RatioRange]) -> str:
    """Return best, median and worst looseness over the cells of the forms that stand, the forms named."""
    tight = [ratio for theorem in found if (ratio := tightest(theorem, known)) is not None]
    mine = [ratio for ratio in tight if ratio.values]
    says = sorted((1 / v, ratio.bound) for ratio in mine if ratio.informative for v in ratio.values if v > 0)
    mute = sum(not ratio.informative for ratio in mine)
    if not says:
        return "*How loose.* No statement that stands says anything in a cell of this report." if mute else ""
    (best, first), (worst, last) = says[0], says[-1]
    if number(best) == number(worst):
        text = f"*How loose.* What stands is loose by a factor of {number(best)} where it says anything"
    else:
        names = [code(name if len({n for _, n in says}) > 1 else form(name)) for name in (first, last)]
        text = (
            f"*How loose.* What stands is loose, where it says anything, by {number(best)} in the best cell "
            f"({names[0]}), by {number(median(v for v, _ in says))} in the median one and by {number(worst)} in the "
            f"worst ({names[1]})"
        )
    silent = f"; {count(mute, 'statement says', 'statements say')} nothing in a cell of this report"
    return f"{text}{silent if mute else ''}."


def _trust(recipe: Recipe, results: Sequence[StudyResult], claims: Sequence[Proof] | None) -> str:
    """Return what the verdicts rest on: runs with an error rate, decided lines of proofs, and which version it was."""
    parts = []
    cells = sum(p.measured is not None for r in results for p in r.points)
    if cells:
        more = "" if recipe.budget in {None, recipe.replicates} else " or more"
        parts.append(
            f"{count(cells, 'cell').capitalize()} {'was' if cells == 1 else 'were'} measured, with noise in "
            f"{recipe.replicates}{more} independent runs, and compared with right-hand sides at exact constants. If a "
            f"bound is true, a study calls it violated with probability at most {recipe.alpha:g}."
        )
    if claims:
        refuted = sum(proof.verdict == "refuted" for proof in claims)
        decided = f"{count(len(claims), 'line')} of proofs {'was' if len(claims) == 1 else 'were'} decided"
        parts.append(f"{decided.capitalize()}, {refuted} refuted: scripts in plain numpy replay them.")
    stamp = f"#text(8.5pt, fill: luma(90))[boundcheck {__version__}, source {code(package_hash()[:12])}]"
    return f"*Can it be trusted.* {' '.join(parts)} {stamp}" if parts else stamp


def _next(found: Sequence[Theorem]) -> str:
    """Return what a reader may do: use a form that stands, and ask the same of a theorem of their own."""
    if not found:
        return ""
    mended = any(theorem.status == "false as printed" and theorem.repairs for theorem in found)
    instead = f"In the place of a false statement use the form that chapter 1 names: {code('boundcheck show NAME')}. "
    return (
        f"*What to do next.* {instead if mended else ''}Of a theorem of your own ask the same: "
        f"{code('boundcheck new theorem mine.py')}, then {code('boundcheck review mine.py:THEOREM')}."
    )
