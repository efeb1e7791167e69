"""Which rates were seen: a row a theorem and a letter, every fitted exponent counted once."""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import TYPE_CHECKING, Final

from boundcheck.rates import shipped_rates
from boundcheck.report.pages.papers import paper_name
from boundcheck.report.theorems import fitted_exponents
from boundcheck.report.typst.markup import code, escape, letter, prose, rational, table
from boundcheck.verdicts.words import ATTAINED_WORDS, RATE_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.evidence.checks.exponents import Fit
    from boundcheck.report.theorems import Theorem
    from boundcheck.sweep import StudyResult
    from boundcheck.verdicts.words import AttainedWord, RateWord

ATTAINED: Final[AttainedWord] = "as promised"
"""The word of a rate that is attained."""


def rate_table(theorems: Sequence[Theorem], results: Sequence[StudyResult]) -> str:
    """Return the table, whose last columns are words; nothing where no exponent was fitted.

    Beside the printed and the measured powers stand those of the bound itself on the same grids: where they are not the
    printed ones, other terms of the bound lead there.

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
    head = ["Statement", "Printed", "Least, median, largest", "Of the bound", *(_HEADS[word] for word in words)]
    columns = f"(1fr, auto, auto, auto, {'auto, ' * len(words)})"
    align = f"(left, left, left, left, {'center, ' * len(words)})"
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
    own = [-fit.bound_order for fit in fits if fit.bound_order is not None]
    return [
        f"{escape(paper_name(theorem.paper))} {escape(theorem.name)}",
        ", ".join(f"${letter(name)}^({rational(-power)})$" for power in printed),
        _powers([seen[0], median(seen), seen[-1]]),
        _powers([min(own), max(own)]) if own else "--",
        *(str(counts[word]) if counts[word] else "" for word in words),
    ]


def _powers(values: Sequence[float]) -> str:
    return ", ".join(f"${value:.2f}$" for value in dict.fromkeys(values))


def rate_words(results: Sequence[StudyResult]) -> str:
    """Return in a sentence how many exponents are which."""
    words = Counter(fit.promise for result in results for _, fit in result.fits)
    counted = ", ".join(f"{words[word]} {prose(word)}" for word in RATE_WORDS if words[word])
    return f"Of {sum(words.values())} fitted exponents: {counted}." if words else ""


def attained_words() -> str:
    """Return in a sentence how many headline rates the tail attains, and what is said of the others."""
    words = Counter(found.word for found in shipped_rates().values())
    others = [f", {words[word]} {prose(word)}" for word in ATTAINED_WORDS if words[word] and word != ATTAINED]
    of = f"{words[ATTAINED]} of {sum(words.values())}" if others else f"All {words[ATTAINED]}"
    return (
        f"{of} headline rates are attained on a hill whose slope falls as slowly as the theorems allow"
        f"{''.join(others)} ({code('boundcheck rate')})."
    )
