"""The report's sections as Typst source, in the order they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.report.pages.comparison import comparison
from boundcheck.report.pages.contests.experiments import experiments, shipped_assertions
from boundcheck.report.pages.details import details
from boundcheck.report.pages.figure import pictures
from boundcheck.report.pages.front import bounds_of_report, front
from boundcheck.report.pages.ledger import ledger, lines
from boundcheck.report.pages.letters import letters
from boundcheck.report.pages.reproduce import reproduce
from boundcheck.report.pages.stories import stories
from boundcheck.report.pages.studies.exponents import exponents
from boundcheck.report.pages.studies.summary import method
from boundcheck.report.pages.studies.times import all_times
from boundcheck.report.pages.theorems.brief import briefs
from boundcheck.report.pages.theorems.finding import findings, split
from boundcheck.report.pages.theorems.matrix import matrix
from boundcheck.report.pages.theorems.sheet import sheet
from boundcheck.report.pages.words import words
from boundcheck.report.theorems import ratios, whole
from boundcheck.verdicts.status import run_here

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from boundcheck.proofs import Proof
    from boundcheck.sweep import Contests, Recipe, StudyResult


def document(
    recipe: Recipe,
    results: Sequence[StudyResult],
    folder: Path,
    *,
    claims: Sequence[Proof] | None = None,
    name: str = "",
    contests: Contests | None = None,
    full: bool = False,
    keep: bool = False,
) -> str:
    """Return the body of the report; figures are written to `folder`.

    Parameters
    ----------
    full : bool
        With the details that are no part of the print: every form, every cell, every line, the recipe.  It is for a
        page in a browser, which draws figures from their numbers.
    keep : bool
        Whether tables of comparison are taken from the user's cache folder, and kept there.
    """
    ran = {r.study.id: {name: r.verdict(name) for name in r.study.bounds} for r in results}
    elsewhere = {(r.study.id, name) for r in results for name in r.study.bounds if r.is_elsewhere(name)}
    with run_here(ran, elsewhere), pictures(drawn=not full):
        chapters = list(_chapters(recipe, results, folder, claims, contests, keep=keep))
        if full:
            chapters += details(recipe, results, folder, claims)
    last = method(recipe) + (letters() + words() if recipe.promises else "")
    last += reproduce(recipe, results, name, full=full)
    return "\n#pagebreak(weak: true)\n".join(chapters) + f"\n{last}"


def _chapters(
    recipe: Recipe,
    results: Sequence[StudyResult],
    folder: Path,
    claims: Sequence[Proof] | None,
    contests: Contests | None,
    *,
    keep: bool,
) -> Iterator[str]:
    ordinary, found = split(results)
    yield front(recipe, results, claims, folder)
    table = matrix(bounds_of_report(recipe, results), results) if results else ""
    if recipe.story:
        yield table
    yield (stories(recipe.story, results, folder) if recipe.story else table) + "#contents\n"
    if found:
        yield findings(found, folder, bounds_of_report(recipe, results), claims or ())
    if ordinary:
        yield "\n#pagebreak(weak: true)\n".join(_sheets(ordinary, claims or (), folder))
        if any(result.study.brief for result in ordinary):
            yield briefs(results, bounds_of_report(recipe, results), ratios(results), claims or (), folder)
        if any(result.fits for result in ordinary):
            yield exponents(ordinary, folder)
        if any(result.times for result in ordinary):
            yield all_times(ordinary, folder)
    if recipe.tables:
        yield comparison(recipe.tables, folder, keep=keep)
    if recipe.asserted:
        yield shipped_assertions()
    if contests:
        yield experiments(contests.answers, contests.experiments, folder)
    if claims:
        # Where nothing was run, the report is about the claims.
        yield lines(claims) if results or recipe.ledger == "refuted" else ledger(claims)


def _sheets(results: Sequence[StudyResult], claims: Sequence[Proof], folder: Path) -> Iterator[str]:
    """Yield the page of every theorem that a study of the report prescribes for."""
    known = ratios(results)
    heading = "= Theorems\n"
    for theorem in whole(name for r in results for name in r.study.bounds):
        mine = [r for r in results if r.study.bounds[0] in theorem.forms and not r.study.brief]
        if mine:
            yield sheet(theorem, mine, known, claims, folder, heading)
            heading = ""
