"""Which rates were seen: a row a theorem and a letter, every fitted exponent counted once."""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import TYPE_CHECKING, Final

from boundcheck.report.markup import escape, letter, prose, rational, table
from boundcheck.report.pages.papers import paper_name
from boundcheck.report.theorems import fitted_exponents
from boundcheck.verdicts.words import RATE_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.evidence.checks.exponents import Fit
    from boundcheck.report.theorems import Theorem
    from boundcheck.sweep import StudyResult
    from boundcheck.verdicts.words import RateWord


def rate_table(theorems: Sequence[Theorem], results: Sequence[StudyResult]) -> str:
    """Return the table, whose columns are words; nothing where no exponent was fitted.

    Parameters
    ----------
    theorems : sequence of Theorem
        Those that the report is about.
    results : sequence of StudyResult
        Its studies.
    """
    groups = []
    for theorem in theorems:
        fits = fitted_exponents(theorem, results)
        letters = dict.fromkeys(fit.letter for fit in fits)
        groups += [(theorem, name, [fit for fit in fits if fit.letter == name]) for name in letters]
    if not groups:
        return ""
    seen = {fit.promise for result in results for _, fit in result.fits}
    words = [word for word in RATE_WORDS if word in seen]
    rows = [_row(theorem, name, fits, words) for theorem, name, fits in groups]
    head = ["Statement", "Printed", "Measured: least, median, largest", *(_HEADS[word] for word in words)]
    columns = f"(1fr, auto, auto, {'auto, ' * len(words)})"
    align = f"(left, left, left, {'center, ' * len(words)})"
    return f"#tight[#text(7.5pt)[{table(head, rows, columns, align=align)}]]\n"


_HEADS: Final[dict[RateWord, str]] = {
    "as promised": "as printed",
    "faster than printed": "faster",
    "slower": "slower",
    "transient": "transient",
    "undecided": "undecided",
}


def _row(theorem: Theorem, name: str, fits: Sequence[Fit], words: Sequence[RateWord]) -> list[str]:
    counts = Counter(fit.promise for fit in fits)
    printed = sorted({fit.promised for fit in fits})
    seen = sorted(-fit.exponent for fit in fits)
    spread = dict.fromkeys([seen[0], median(seen), seen[-1]]) if len(seen) > 1 else seen
    return [
        f"{escape(paper_name(theorem.paper))} {escape(theorem.name)}",
        ", ".join(f"${letter(name)}^({rational(-power)})$" for power in printed),
        ", ".join(f"${value:.2f}$" for value in spread),
        *(str(counts[word]) if counts[word] else "" for word in words),
    ]


def rate_words(results: Sequence[StudyResult]) -> str:
    """Return in a sentence how many exponents are which."""
    words = Counter(fit.promise for result in results for _, fit in result.fits)
    counted = ", ".join(f"{words[word]} {prose(word)}" for word in RATE_WORDS if words[word])
    return f"Of {sum(words.values())} fitted exponents: {counted}" if words else ""
