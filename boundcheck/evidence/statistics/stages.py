"""Interim analyses: how many replicates there are at every stage, for one check, a series or a sweep."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class InterimAnalysis(NamedTuple):
    """One interim analysis."""

    number: int
    """1, 2, ...: the "holds" side of a verdict spends half of the error rate that is left at every stage."""
    replicates: int
    """Replicates there are by then."""


def stages(replicates: int, budget: int) -> Iterator[InterimAnalysis]:
    """Yield the stages: the replicates double until they reach the budget."""
    number, count = 1, replicates
    yield InterimAnalysis(number, count)
    while count < budget:
        number, count = number + 1, min(2 * count, budget)
        yield InterimAnalysis(number, count)
