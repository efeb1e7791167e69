"""The report's sections as Typst source, in the order they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.report.pages.comparison import comparison
from boundcheck.report.pages.experiments import experiments, overview
from boundcheck.report.pages.finding import findings, split
from boundcheck.report.pages.front import concerned, front
from boundcheck.report.pages.ledger import ledger
from boundcheck.report.pages.matrix import matrix
from boundcheck.report.pages.promises import promises
from boundcheck.report.pages.rates import rates
from boundcheck.report.pages.reproduce import reproduce
from boundcheck.report.pages.study import GUIDE, study
from boundcheck.report.pages.summary import method, verdicts
from boundcheck.report.pages.theorem import theorem
from boundcheck.report.theorems import theorems
from boundcheck.sweep.verdicts import shipped_verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from boundcheck.lemmas import Proof
    from boundcheck.sweep import Contests, Recipe, StudyResult


def document(
    recipe: Recipe,
    results: Sequence[StudyResult],
    folder: Path,
    *,
    claims: Sequence[Proof] | None = None,
    name: str = "",
    contests: Contests | None = None,
) -> str:
    """Return the body of the report; figures are written to `folder`."""
    ordinary, found = split(results)
    parts = [front(recipe, results, claims, folder)]
    if results:
        parts.append("#pagebreak()\n" + matrix(concerned(recipe, results), results))
    parts.append("#contents\n")
    if found:
        parts.append("#pagebreak()\n" + findings(found, folder))
    if results:
        parts.append("#pagebreak()\n= Theorems\n" + "\n".join(_theorems(results)))
    if recipe.rates:
        parts.append("#pagebreak()\n" + rates([r for r in results if r.study.id in recipe.rates], folder))
    if recipe.tables:
        parts.append("#pagebreak()\n" + comparison(recipe.tables, folder))
    if recipe.asserted:
        parts.append("#pagebreak()\n= What the papers' experiments assert\n" + overview(shipped_verdicts()))
    if contests:
        parts.append("#pagebreak()\n" + experiments(contests.answers, contests.experiments, folder))
    if ordinary:
        parts.append("#pagebreak()\n= Studies\n" + verdicts(results) + GUIDE)
        parts += [study(result, folder) for result in ordinary]
    if recipe.promises:
        parts.append("#pagebreak()\n" + promises())
    if claims:
        parts.append("#pagebreak()\n" + ledger(claims, full=recipe.ledger == "full"))
    parts.append("#pagebreak()\n" + method(recipe) + reproduce(recipe, results, name))
    return "\n".join(parts)


def _theorems(results: Sequence[StudyResult]) -> Iterator[str]:
    """Yield the page of every theorem, at the first study of each of its forms."""
    first: dict[str, StudyResult] = {}
    for result in results:
        for bound in result.study.bounds:
            first.setdefault(bound, result)
    for found in theorems(first):
        lead, *others = found.forms
        yield theorem(lead, first[lead])
        yield from (theorem(form, first[form], lead) for form in others)
