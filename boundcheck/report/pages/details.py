"""What is no part of the print: every form of a theorem, every study with its tables, promises and the whole ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.report.pages.ledger import ledger
from boundcheck.report.pages.studies.rates import rates
from boundcheck.report.pages.studies.study import GUIDE, study
from boundcheck.report.pages.studies.summary import verdicts
from boundcheck.report.pages.theorems.finding import split
from boundcheck.report.pages.theorems.promises import promises
from boundcheck.report.pages.theorems.theorem import theorem
from boundcheck.report.theorems import theorems

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from boundcheck.proofs import Proof
    from boundcheck.sweep import Recipe, StudyResult


def details(
    recipe: Recipe, results: Sequence[StudyResult], folder: Path, claims: Sequence[Proof] | None
) -> Iterator[str]:
    """Yield the chapters."""
    ordinary, _ = split(results)
    if results:
        yield "= Every form of the theorems\n" + "\n".join(_forms(results))
    if ordinary:
        yield "= Studies\n" + verdicts(results) + GUIDE + "\n".join(study(result, folder) for result in ordinary)
    if recipe.rates:
        yield rates([r for r in results if r.study.id in recipe.rates], folder)
    if recipe.promises:
        yield promises()
    if claims and results:
        yield ledger(claims, full=recipe.ledger == "full")


def _forms(results: Sequence[StudyResult]) -> Iterator[str]:
    """Yield every form of every theorem, at the first study of it."""
    first: dict[str, StudyResult] = {}
    for result in results:
        for bound in result.study.bounds:
            first.setdefault(bound, result)
    for found in theorems(first):
        lead, *others = found.forms
        yield theorem(lead, first[lead])
        yield from (theorem(form, first[form], lead) for form in others)
