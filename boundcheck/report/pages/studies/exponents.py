"""One page with every fitted exponent against the promised one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from boundcheck.report.pages.figure import place_figure
from boundcheck.report.plots.curves import label_of, varying
from boundcheck.report.plots.forest import forest_figure
from boundcheck.report.theorems import whole
from boundcheck.report.typst.markup import badge
from boundcheck.verdicts.words import RATE_WORDS, meanings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from boundcheck.evidence.checks.exponents import Fit
    from boundcheck.sweep import StudyResult
    from boundcheck.sweep.results.results import Slice


def exponents(results: Sequence[StudyResult], folder: Path) -> str:
    """Return the section: a sentence that counts, and the figure."""
    groups: dict[str, list[tuple[str, Fit]]] = {}
    for theorem in whole(r.study.bounds[0] for r in results if r.fits):
        for result in results:
            if result.study.bounds[0] in theorem.forms:
                mine = groups.setdefault(f"{theorem.name}, {theorem.title}", [])
                mine += [(_words(result, at, fit), fit) for at, fit in result.fits]
    words = Counter(fit.promise for fits in groups.values() for _, fit in fits)
    told = ", ".join(f"{n} {badge(word)}" for word, n in words.most_common())
    caption = (
        "Powers of the measured left-hand side with 95 % intervals (for noise and one term more). The upright tick is "
        "the printed power, against which is judged; the cross is the power of the bound itself on this grid."
    )
    figure = place_figure(
        forest_figure(list(groups.items())), "exponents", folder, caption=caption, alt="Fitted exponents"
    )
    return f"= All exponents\n\n{sum(words.values())} fits: {told}. {MEANING}\n\n{figure}"


MEANING = " ".join(f"_{word.capitalize()}_: {meaning}." for word, meaning in meanings(RATE_WORDS).items())


def _words(result: StudyResult, at: Slice, fit: Fit) -> str:
    moving = varying(result)
    fixed = label_of({k: v for k, v in at if k in moving})
    return f"{result.study.id}: {fit.letter}" + (f" at {fixed}" if fixed else "")
