"""The notation of the papers side by side."""

from __future__ import annotations

import re

from boundcheck.notation import LETTERS, PAPERS
from boundcheck.report.pages.papers import paper_name
from boundcheck.report.typst.markup import escape, prose, table

NONE = "-"
"""What the table of letters has where a paper has no letter."""


def letters() -> str:
    """Return the table: a row a quantity, a column a paper."""
    shown = [letter for letter in LETTERS.values() if any(printed != NONE for printed in letter.papers.values())]
    rows = [
        [
            f"${letter.typst}$",
            f"#text(7.5pt)[{prose(cut_meaning(letter.meaning))}]",
            *(_theirs(letter.papers.get(paper, NONE)) for paper in PAPERS),
        ]
        for letter in shown
    ]
    head = ["", "Meaning", *(escape(paper_name(paper)) for paper in PAPERS)]
    widths = f"(auto, 2.4fr, {'0.8fr, ' * len(PAPERS)})"
    return "= Notation of the papers\n\n#tight[" + table(head, rows, widths) + "]\n"


def _theirs(printed: str) -> str:
    """Return a paper's own letter."""
    return "--" if printed == NONE else f"#text(8pt)[{prose(printed)}]"


_LONG = 60
"""Characters from which on a meaning is cut."""


def cut_meaning(meaning: str) -> str:
    """Return a long meaning as far as its first aside, unless that leaves a word, which says nothing alone."""
    if len(meaning) <= _LONG:
        return meaning
    sentence = meaning.partition("; ")[0]
    head = re.split(r" \(|: ", sentence)[0]
    return head if " " in head else sentence
