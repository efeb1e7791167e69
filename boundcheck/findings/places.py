"""Where in a paper something stands, in words that its readers have: sections and numbers, no lines of an extraction.

The ledger and the recipes count lines of the papers' extracted texts, which nobody but the auditor has. Here such a
line becomes the section that it is in; beside a theorem, a lemma, an equation or a table it is left out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

SECTIONS: Final[dict[str, tuple[tuple[int, str], ...]]] = {
    "fedlalr": (
        (11, "Section I"), (49, "Section II"), (61, "Section III"), (65, "Section III-A"), (75, "Section III-B"),
        (141, "Section IV"), (145, "Section IV-A"), (167, "Section IV-B"), (206, "Section IV-C"), (216, "Section V"),
        (220, "Section V-A"), (244, "Section V-B"), (250, "Section V-C"), (264, "Section V-D"), (293, "Section VI"),
        (358, "Appendix 1"), (1156, "Appendix 2"), (1331, "Appendix 3"),
    ),
    "gradma": ((1, "the appendix"), (126, "Appendix .3")),
    "fedglomo": (
        (13, "the abstract"), (17, "Section 1"), (55, "Section 2"), (82, "Section 3"), (86, "Section 4"),
        (173, "Section 5"), (277, "Section 6"), (285, "Section 6.1"), (329, "Section 7"), (390, "Appendix A"),
        (414, "Appendix B"), (429, "Appendix C"), (433, "Appendix D"), (449, "Appendix D.1"), (471, "Appendix E"),
        (498, "Appendix E.1"), (565, "Appendix F.1"), (1145, "Appendix F.2"), (1280, "Appendix G"),
    ),
    "momentum-fl": (
        (1, "the abstract"), (20, "Section 1"), (32, "Section 1.1"), (83, "Section 1.2"), (119, "Section 2"),
        (141, "Section 3"), (145, "Section 3.1"), (199, "Section 3.2"), (219, "Section 4"), (223, "Section 4.1"),
        (267, "Section 4.2"), (295, "Section 5"), (299, "Section 5.1"), (323, "Section 6"), (399, "Appendix A"),
        (460, "Appendix B"), (462, "Appendix B.1"), (607, "Appendix B.2"), (790, "Appendix C"), (792, "Appendix C.1"),
        (920, "Appendix C.2"), (1067, "Appendix D"), (1069, "Appendix D.1"), (1073, "Appendix D.2"),
        (1090, "Appendix D.3"), (1102, "Appendix D.4"), (1121, "Appendix D.5"),
    ),
    "fmgda": (
        (1, "the abstract"), (11, "Section 1"), (28, "Section 2"), (53, "Section 3"), (95, "Section 4"),
        (111, "Section 5"), (113, "Section 5.1"), (156, "Section 5.2"), (208, "Section 6"), (238, "Section 7"),
        (292, "Appendix A"), (294, "Appendix A.1"), (322, "Appendix A.2"), (600, "Appendix B"),
    ),
}  # fmt: skip
"""First line of every section of a paper's text, and how the paper calls it."""
_LINES = re.compile(r"\bl\.\s?(\d+)(?:-(?:l\.)?\d+)?")
_BRACKETED = re.compile(r"\[(\d{3,4}(?:-\d+)?(?:, \d{3,4}(?:-\d+)?)*|\d+-\d+)\]|\bL(\d+-\d+)")
"""Lines in square brackets, which hold no citations of three digits and no ranges of them, or behind an L."""
_LONE = re.compile(r"^[\d,\- ]+$")
_NUMBERED = re.compile(
    r"\((?:\d+[a-z]?)\)|\b(?:Theorem|Corollary|Lemma|Remark|Proposition|Table|Figure|Algorithm|Assumption|Definition|"
    r"eq|eqs|equation)s?\.? \(?\.?\d",
    re.IGNORECASE,
)
"""What finds a place without its section."""


def section(paper: str, line: int) -> str:
    """Return the section of a paper's text in which a line stands; nothing where the text is not known."""
    known = SECTIONS.get(paper, ())
    at = bisect_right([first for first, _ in known], line)
    return known[at - 1][1] if at else ""


def place_words(paper: str, where: str) -> str:
    """Return a place without lines of the extracted text.

    Parameters
    ----------
    paper : str
        Of whose text the lines are.
    where : str
        A place such as ``Theorem 3 = 19, l.255, l.881``, or numbers of lines alone, ``248, 270-272``.

    Returns
    -------
    str
        ``Theorem 3 = 19``; the sections, each once, where lines are all there is.
    """
    where = _unbracket(where)
    if _LONE.match(where):
        where = ", ".join(f"l.{part.strip()}" for part in where.split(","))
    elif not _LINES.search(where):
        lead, _, rest = where.partition(", ")
        # Lines beside a figure: "120-124, figure 22".
        where = rest if rest and _LONE.match(lead) else where
    if _NUMBERED.search(_LINES.sub("", where)):
        return _tidy(_LINES.sub("", where))
    before = _tidy(_LINES.sub("", where))
    names = dict.fromkeys(section(paper, int(found[1])) for found in _LINES.finditer(where))
    return ", ".join(filter(None, [before, *(name for name in names if name != before)]))


def with_sections(paper: str, text: str) -> str:
    """Return a sentence in which a line of a paper's text is the section that it is in: ``the text (l.194)``."""
    return _LINES.sub(lambda found: section(paper, int(found[1])) or found[0], text)


def without_lines(text: str) -> str:
    """Return words such as the label of a condition without the lines that stand in them."""
    text = _unbracket(text)
    return _tidy(_LINES.sub("", text)) if _LINES.search(text) else text


def _unbracket(text: str) -> str:
    """Return text in which lines in square brackets, or behind an L, are written like the others."""
    return _BRACKETED.sub(lambda found: ", ".join(f"l.{part}" for part in (found[1] or found[2]).split(", ")), text)


def _tidy(text: str) -> str:
    """Return text from which pieces were taken out, without the signs that joined them."""
    text = re.sub(
        r"\b(?:and|with|from|of|in|against|to) (?=[,;:)]|\s*and\b|$)|\b(?:and|with|from|in)(?=\s*[,;)]|\s*$)", "", text
    )
    text = re.sub(r"\(\s*[,;]?\s*\)", "", text)
    text = re.sub(r"\s*([,;:])(?:\s*[,;])+|\s*[,;]\s*(?=:)", r"\1", text)
    text = re.sub(r"\s+([,;:)]|'(?=:|$))", r"\1", re.sub(r"\s{2,}", " ", text))
    return re.sub(r"\(\s*[,;]\s*", "(", text).strip(" ,;:")
