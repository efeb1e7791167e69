"""From a store of results to one file: figures and Typst source in a temporary folder, compiled and moved in place."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boundcheck.errors import require
from boundcheck.files.atomic import write_whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.proofs import Proof
    from boundcheck.sweep import Contests, Recipe, Store, StudyResult

ENDINGS = (".pdf", ".html")
"""What a report can be written as."""
STANDARD: Final = "ua-1"
"""What a PDF conforms to: it can be read aloud."""
EPOCH = 0
"""Creation time written in every PDF, so that the same store gives the same bytes."""


def write_report(
    recipe: Recipe,
    store: Store,
    output: str | Path,
    *,
    claims: Sequence[Proof] | None = None,
    name: str = "",
    results: Sequence[StudyResult] | None = None,
    keep: bool = False,
) -> Path:
    """Judge what the store holds and typeset it.

    Parameters
    ----------
    recipe, store
        What was run and where its results are.
    output : str or Path
        A PDF, or an HTML page that has all details too; written whole or not at all, the same results give the same
        bytes.
    claims : sequence of Proof, optional
        Decided claims; the report has no such section when left out.
    name : str, optional
        Name under which the recipe is found, for the command that reproduces the report.
    results : sequence of StudyResult, optional
        What `boundcheck.sweep.collect` gave for this recipe and store, if it is at hand.
    keep : bool
        Whether pages that follow from the source alone are taken from the user's cache folder, and kept there.

    Returns
    -------
    Path
        Where the PDF is.

    Raises
    ------
    InputError
        If a result is missing, or `output` does not end in ``.pdf`` or ``.html``.
    """
    from boundcheck.sweep import collect, contests

    output = Path(output)
    require(output.suffix in ENDINGS, "output", str(output), f"a path that ends in {' or '.join(ENDINGS)}")
    found = collect(recipe, store) if results is None else results
    held = contests(recipe, store) if recipe.experiment or recipe.assertion else None
    page = output.suffix == ".html"
    write_whole(output, compile_report(recipe, found, claims, name, held, page=page, keep=keep)[1])
    return output


def compile_report(
    recipe: Recipe,
    results: Sequence[StudyResult],
    claims: Sequence[Proof] | None,
    name: str,
    held: Contests | None = None,
    *,
    page: bool = False,
    keep: bool = False,
) -> tuple[str, bytes]:
    """Return the body of a report as Typst source, and the PDF; with `page` all details, and the HTML page."""
    from boundcheck.report import html, pages

    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        source = work / "report.typ"
        body = pages.document(recipe, results, work, claims=claims, name=name, contests=held, full=page, keep=keep)
        head = html.preamble(recipe.title, work) if page else preamble(recipe.title)
        source.write_text(head + body, encoding="utf-8")
        return body, html.compile_html(source).encode() if page else compile_typst(source)


def preamble(title: str) -> str:
    """Return the page set-up and the functions that the pages use."""
    from boundcheck.report.typst.markup import literal
    from boundcheck.report.typst.templates import template

    return f"#let doc-title = {literal(title)}\n{template()}\n"


def compile_typst(source: Path) -> bytes:
    """Return the PDF of a Typst file, set in the compiler's own fonts so that every machine gives the same bytes.

    It is PDF/UA-1 unless it holds a sign that none of the fonts has; it is tagged in any case.
    """
    import typst

    from boundcheck.report.typst.spoken import with_alternatives

    source.write_text(with_alternatives(source.read_text(encoding="utf-8")), encoding="utf-8")
    compiler = typst.Compiler(str(source), root=str(source.parent), ignore_system_fonts=True)
    try:
        pdf = compiler.compile(format="pdf", timestamp=EPOCH, pdf_standards=[STANDARD])
    except typst.TypstError:
        pdf = compiler.compile(format="pdf", timestamp=EPOCH, pdf_tags=True)
    if not isinstance(pdf, bytes):
        msg = f"{source.name}: the compiler gave no PDF"
        raise TypeError(msg)
    return pdf


def save_figure(result: StudyResult, output: str | Path, *, letter: str | None = None) -> Path:
    """Write the main figure of a study (measurements against the bounds) as a file of its own.

    Parameters
    ----------
    result : StudyResult
        One of `boundcheck.sweep.collect`.
    output : str or Path
        A path that ends in ``.svg``, ``.png`` or ``.pdf``.
    letter : str, optional
        A letter of the grid: draw the figure against it, a line for every T.

    Returns
    -------
    Path
        Where the figure is.

    Raises
    ------
    InputError
        If the ending is another, or the figure cannot be drawn against the letter.
    """
    from boundcheck.report.plots import figures
    from boundcheck.report.plots.curves import has_log_axis, varying

    target = figures.image_path("output", output)
    legal = [k for k in varying(result) if has_log_axis(result, k) and not result.study.zip]
    require(letter is None or letter in legal, "letter", letter, f"one of {', '.join(legal) or 'none in this study'}")
    figure = figures.bound_figure(result) if letter is None else figures.speedup_figure(result, letter)
    figures.save(figure, target)
    return target
