"""The papers as pages name them, with links to where they can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.notation import PAPERS
from boundcheck.report.typst.markup import escape, literal

if TYPE_CHECKING:
    from collections.abc import Iterable


def short(paper: str) -> str:
    """Return the words of a paper's title before its colon, and that it is a manuscript where it is one."""
    if paper not in PAPERS:
        return paper
    known = PAPERS[paper]
    return known.title.partition(":")[0] + ("" if url(paper) else f" ({known.reference})")


def paper_name(paper: str) -> str:
    """Return how people call a paper."""
    return PAPERS[paper].name if paper in PAPERS else paper


def in_order(papers: Iterable[str]) -> list[str]:
    """Return papers, each once, in the order of the notation; others behind, as they come."""
    found = dict.fromkeys(papers)
    return [*(paper for paper in PAPERS if paper in found), *(paper for paper in found if paper not in PAPERS)]


def url(paper: str) -> str:
    """Return where a paper can be read; nothing for a manuscript."""
    reference = PAPERS[paper].reference if paper in PAPERS else ""
    return f"https://arxiv.org/abs/{reference.partition(':')[2]}" if reference.startswith("arXiv:") else ""


def cite_paper(paper: str) -> str:
    """Return title and reference as markup, linked where there is a link."""
    if paper not in PAPERS:
        return escape(paper)
    known = PAPERS[paper]
    reference = f"#link({literal(url(paper))})[{escape(known.reference)}]" if url(paper) else escape(known.reference)
    return f"_{escape(known.title)}_ ({reference}{escape(f'; {known.read}') if known.read else ''})"
