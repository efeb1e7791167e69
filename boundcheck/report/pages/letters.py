"""The notation of the papers side by side."""

from __future__ import annotations

import re

from boundcheck.notation import LETTERS, PAPERS
from boundcheck.report.markup import escape, prose, table

LEAST = 1
"""Papers that have a letter for the quantity, from which on it is listed."""


def letters() -> str:
    """Return the table: a row a quantity, a column a paper."""
    shown = [letter for letter in LETTERS.values() if sum(p != "-" for p in letter.papers.values()) >= LEAST]
    rows = [
        [f"${letter.typst}$", f"#text(7.5pt)[{prose(_short(letter.meaning))}]"]
        + [f"#text(8pt)[{prose(letter.papers.get(paper, '-').replace('-', '–', 1) if letter.papers.get(paper, '-') == '-' else letter.papers[paper])}]" for paper in PAPERS]
        for letter in shown
    ]
    head = ["", "Meaning", *(escape(paper) for paper in PAPERS)]
    return "= Notation of the papers\n\n#tight[" + table(head, rows, f"(auto, 1fr, {'auto, ' * len(PAPERS)})") + "]\n"


def _short(meaning: str) -> str:
    """Return a meaning as far as its first aside."""
    return re.split(r"; | \(|: ", meaning)[0] if len(meaning) > 60 else meaning
