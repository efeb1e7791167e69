"""The status of a statement on a page, and verdicts that do not outshine it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.report.typst.markup import badge, escape, literal
from boundcheck.verdicts.status import of_bound
from boundcheck.verdicts.words import STATUS_WORDS, meanings

if TYPE_CHECKING:
    from collections.abc import Collection

    from boundcheck.verdicts.words import Status

GOOD = {"holds", "consistent"}
"""Verdicts on cells that are drawn like a success."""


def status(bound: str) -> str:
    """Return the status of a bound as symbol, word and colour."""
    return badge(of_bound(bound).status)


def because(bound: str) -> str:
    """Return the paragraph that names the status of a bound and its grounds."""
    found = of_bound(bound)
    grounds = f" #text(8.5pt)[because of {escape(', '.join(found.because))}]" if found.because else ""
    return f"#[#set par(justify: false)\n#strong[Status:] {badge(found.status)}{grounds}]\n"


def verdict_on(bound: str, verdict: str) -> str:
    """Return a verdict on cells; of a statement that is false, what some cells say is no success and has no mark."""
    return f"{escape(verdict)} here" if _false(bound) and verdict in GOOD else badge(verdict)


def sign_on(bound: str, verdict: str) -> str:
    """Return the sign of a verdict; what some cells of a false statement say is a word."""
    return escape(verdict) if _false(bound) and verdict in GOOD else f"#symbol-of({literal(verdict)})"


def count_verdicts(bound: str, counts: dict[str, int]) -> str:
    """Return how many cells have which verdict, as signs."""
    return ", ".join(f"{n} {sign_on(bound, verdict)}" for verdict, n in counts.items())


def legend(statuses: Collection[Status]) -> str:
    """Return the meaning of every status that a paper's statement may have, and of others among those given."""
    said = {
        word: meaning
        for word, meaning in meanings(STATUS_WORDS).items()
        if word != "false at other parameters" or word in statuses
    }
    return "; ".join(f"{badge(word)}: {meaning}" for word, meaning in said.items())


def _false(bound: str) -> bool:
    return of_bound(bound).status == "false as printed"
