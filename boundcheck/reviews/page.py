"""A review as a page or two: a PDF, or a page for a browser."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from boundcheck.errors import require
from boundcheck.files.atomic import write_whole
from boundcheck.findings.places import without_lines
from boundcheck.report.document import ENDINGS, compile_typst, preamble
from boundcheck.report.pages.theorems.theorem import inequality, one_page
from boundcheck.report.typst.markup import badge, code, formulas, letter, prose
from boundcheck.report.typst.typeset import typeset
from boundcheck.reviews.words import assumptions, sections, source

if TYPE_CHECKING:
    from boundcheck.bounds.bound import Bound, Condition
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
        f"#heading(level: 1, numbering: none)[{prose(bound.title)}]\n",
        f"{code(bound.id)}: {prose(source(bound))}. Method: {code(bound.method)}. {badge(found.status.status)}\n",
        inequality(bound),
        _prescriptions(bound),
        _list_lines("Hypotheses", [*map(prose, assumptions(bound)), *map(_condition, bound.conditions)]),
        *(_section(section) for section in sections(found)),
    ]
    if found.search is not None and found.search.replay:
        parts.append(f"{_head('Counterexample')}{code(found.search.replay, block=True)}\n")
    return one_page(*(part for part in parts if part))


def _prescriptions(bound: Bound) -> str:
    """Return what the theorem prescribes, a formula each."""
    free = dict.fromkeys(bound.free, " (free)")
    said = [f"${letter(name)} = inline({typeset(e)})${free.get(name, '')}" for name, e in bound.parameters.items()]
    said += [f"${letter(name)}$ computed step by step" for name in bound.derived]
    return f"#prescribed[Prescribed: {', '.join(said)}.]\n" if said else ""


def _condition(condition: Condition) -> str:
    stated = "" if condition.stated else " (not stated)"
    return f"{prose(without_lines(condition.label))}: $inline({typeset(condition.relation)})${stated}"


def _section(section: Section) -> str:
    lines = [code(line) if line.startswith("boundcheck ") else with_code(line) for line in section.lines]
    return _list_lines(section.title.capitalize(), lines)


def with_code(line: str) -> str:
    """Return a sentence as markup, what stands between backticks in monospace."""
    parts = line.split("`")
    return "".join(code(part) if i % 2 else formulas(part) for i, part in enumerate(parts) if part)


def _list_lines(title: str, shown: list[str]) -> str:
    body = "".join(f"- {line}\n" for line in shown) if len(shown) > 1 else f"{shown[0] if shown else 'none'}\n"
    return f"{_head(title)}{body}"


def _head(title: str) -> str:
    return f"#heading(level: 3, numbering: none, outlined: false)[{prose(title)}]\n"
