"""A review as a page or two: a PDF, or a page for a browser."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from boundcheck.errors import require
from boundcheck.files.atomic import write_whole
from boundcheck.report.document import ENDINGS, compile_typst, preamble
from boundcheck.report.markup import code, formulas, prose
from boundcheck.report.pages.status import badge
from boundcheck.report.pages.theorem import inequality, parameters
from boundcheck.reviews.words import heading, hypotheses, sections

if TYPE_CHECKING:
    from boundcheck.reviews.answers import Review
    from boundcheck.reviews.words import Section


def write_review(found: Review, output: str | Path) -> Path:
    """Write a review as a file.

    Parameters
    ----------
    found : Review
    output : path
        A PDF, or an HTML page; written whole or not at all, the same review gives the same bytes.

    Returns
    -------
    Path
        Where it is.

    Raises
    ------
    InputError
        If the path has another ending.
    """
    output = Path(output)
    require(output.suffix in ENDINGS, "output", str(output), f"a path that ends in {' or '.join(ENDINGS)}")
    source = markup(found)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "review.typ"
        if output.suffix == ".pdf":
            place.write_text(preamble(f"Review of {found.bound.title}") + source, encoding="utf-8")
            write_whole(output, compile_typst(place))
        else:
            from boundcheck.report import html

            place.write_text(html.preamble(f"Review of {found.bound.title}", Path(folder)) + source, encoding="utf-8")
            write_whole(output, html.compile_html(place))
    return output


def markup(found: Review) -> str:
    """Return a review as Typst source."""
    bound = found.bound
    parts = [
        f"#heading(level: 1, numbering: none)[{prose(bound.title)}]\n{code(bound.id)}: {prose(heading(found))}\n",
        f"{badge(found.status.status)} #h(1em) method: {code(bound.method)}\n",
        inequality(bound),
        parameters(bound, {}, ""),
        _titled("Hypotheses", hypotheses(bound)),
        *(_section(section) for section in sections(found)),
    ]
    if found.search is not None and found.search.replay:
        parts.append(f"{_head('Counterexample')}{code(found.search.replay, block=True)}\n")
    return "\n".join(part for part in parts if part)


def _section(section: Section) -> str:
    return _titled(section.title.capitalize(), section.lines)


def _titled(title: str, lines: tuple[str, ...] | list[str]) -> str:
    shown = [code(line) if line.startswith("boundcheck ") else formulas(line) for line in lines]
    body = "".join(f"- {line}\n" for line in shown) if len(shown) > 1 else f"{shown[0] if shown else 'none'}\n"
    return f"{_head(title)}{body}"


def _head(title: str) -> str:
    return f"#heading(level: 3, numbering: none, outlined: false)[{prose(title)}]\n"
