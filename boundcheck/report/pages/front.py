"""The first page: what was found, in three sentences, a figure and four numbers."""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import TYPE_CHECKING

import boundcheck
from boundcheck.bounds import BOUNDS
from boundcheck.files.sources import package_hash
from boundcheck.findings import false_bounds
from boundcheck.report.glance import glance_figure
from boundcheck.report.markup import code, literal, number, prose
from boundcheck.report.pages.figure import place_figure
from boundcheck.report.pages.papers import short
from boundcheck.report.theorems import ratios, tightest, whole

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from boundcheck.proofs import Proof
    from boundcheck.report.theorems import RatioRange, Theorem
    from boundcheck.sweep import Recipe, StudyResult

WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def front(recipe: Recipe, results: Sequence[StudyResult], claims: Sequence[Proof] | None, folder: Path) -> str:
    """Return the first page."""
    found, known = whole(bounds_of_report(recipe, results)), ratios(results)
    title = "#front-title\n"
    parts = [title, prose(recipe.text), _sentences(found, known, results)]
    if any(name in known for theorem in found for name in theorem.forms):
        names = {theorem.paper: short(theorem.paper) for theorem in found}
        caption = (
            "Every theorem: measured left-hand side over right-hand side, with exact constants. Left of the line the "
            "inequality holds, by the factor that the axis shows; a cross is a printed statement that a run violates, "
            "and its arrow leads to what repairs it. × after a name: false as printed, by a run or by a proof."
        )
        figure = glance_figure(found, known, names)
        parts.append(
            place_figure(
                figure, "glance", folder, caption=caption, alt="Measured over right-hand side of every theorem"
            )
        )
    parts += [_numbers(found, known, results, claims), _stamp(recipe)]
    return "\n\n".join(part for part in parts if part)


def bounds_of_report(recipe: Recipe, results: Sequence[StudyResult]) -> list[str]:
    """Return the bounds that a report is about: all, if it says what every one promises, else those of its studies."""
    if recipe.promises:
        return list(BOUNDS)
    return list(dict.fromkeys(name for result in results for name in result.study.bounds))


def count(n: int, one: str, many: str = "") -> str:
    """Return a number in words with its noun."""
    return f"{WORDS[n] if n < len(WORDS) else n} {one if n == 1 else many or one + 's'}"


def _sentences(found: Sequence[Theorem], known: dict[str, RatioRange], results: Sequence[StudyResult]) -> str:
    """Return what is false, how loose the rest is, and which rates were seen."""
    if not found:
        return ""
    false = [theorem for theorem in found if theorem.status == "false as printed"]
    repaired = [theorem for theorem in false if theorem.repairs]
    papers = len({theorem.paper for theorem in found})
    if not false:
        one = len(found) == 1
        first = f"*{'The statement is not' if one else f'None of the {len(found)} statements is'} false as printed*"
        return " ".join([f"{first}.", _looseness(found, known), _rates(results)])
    of = f"Of {count(len(found), 'statement')}" + (f" of {count(papers, 'paper')}" if papers > 1 else "")
    first = f"{of}, *{count(len(false), 'is', 'are')} false as printed*{_kinds(false)}"
    if repaired:
        kept = sum(theorem.keeps_its_order for theorem in repaired)
        first += (
            f"; for {count(len(repaired), 'of them', 'of them')} a repaired form stands against every measurement, and "
            f"{WORDS[kept] if kept < len(WORDS) else kept} of these keep the printed order in $T$, $N$, $K$ and $S$: "
            "what changes are conditions, steps and constants"
        )
    return " ".join([f"{first}.", _looseness(found, known), _rates(results)])


def _kinds(false: Sequence[Theorem]) -> str:
    """Return how many of the false statements are false in substance, if the findings speak of all of them."""
    known = false_bounds()
    kinds = [[known[bound] for bound in theorem.printed if bound in known] for theorem in false]
    return f", {sum(map(any, kinds))} in substance" if kinds and all(kinds) else ""


def _looseness(found: Sequence[Theorem], known: dict[str, RatioRange]) -> str:
    tight = [ratio for theorem in found if (ratio := tightest(theorem, known)) is not None]
    mine = [ratio for ratio in tight if ratio.values]
    says = sorted(1 / v for ratio in mine if ratio.informative for v in ratio.values if v > 0)
    mute = sum(not ratio.informative for ratio in mine)
    if not says:
        return "No statement that stands says anything in a cell of this report." if mute else ""
    if len({number(v) for v in says}) == 1:
        by = f"a factor of {number(says[0])}"
    else:
        by = f"factors of {number(says[0])} to {number(says[-1])}, in half of the cells at most {number(median(says))},"
    text = f"What stands is loose by {by} where it says anything"
    return text + (
        f"; {count(mute, 'statement says', 'statements say')} nothing in a cell of this report." if mute else "."
    )


def _rates(results: Sequence[StudyResult]) -> str:
    words = Counter(fit.promise for result in results for _, fit in result.fits)
    if not words:
        return ""
    told = ", ".join(f"{n} {word}" for word, n in words.most_common())
    return f"Of {sum(words.values())} fitted exponents: {told}."


def _numbers(
    found: Sequence[Theorem],
    known: dict[str, RatioRange],
    results: Sequence[StudyResult],
    claims: Sequence[Proof] | None,
) -> str:
    """Return four numbers in boxes."""
    tight = [v for theorem in found if (r := tightest(theorem, known)) and r.informative for v in r.values if v > 0]
    cells = sum(p.measured is not None for r in results for p in r.points)
    false_ones = [theorem for theorem in found if theorem.status == "false as printed"]
    boxes = [(f"{len(false_ones)} of {len(found)}", f"statements false as printed{_kinds(false_ones)}")]
    if tight:
        boxes.append((f"{median(1 / ratio for ratio in tight):.1f} ×", "median looseness, cells of forms that stand"))
    boxes.append((str(cells), "cells measured"))
    if claims:
        refuted = sum(proof.verdict == "refuted" for proof in claims)
        boxes.append((f"{len(claims) - refuted} + {refuted}", "lines of proofs: not refuted + refuted"))
    cells_of = ", ".join(
        f"[#align(center)[#set text(hyphenate: false); #text(15pt, weight: {literal('bold')})[{n}] #linebreak() "
        f"#text(8.5pt)[{w}]]]"
        for n, w in boxes
    )
    return f"#beside(columns: {len(boxes)}, {cells_of})\n"


def _stamp(recipe: Recipe) -> str:
    return (
        f"#align(center, text(8.5pt, fill: luma(90))[boundcheck {boundcheck.__version__}, source "
        f"{code(package_hash()[:12])}, root seed {recipe.seed}, error rate {recipe.alpha:g} a study; nothing "
        "here depends on the date.])\n"
    )
