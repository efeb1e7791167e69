"""Many cells decided together: the claim "the bound holds on this grid" with one error rate."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.evidence.statistics.verdict import Verdict
    from boundcheck.problems.base import Array
    from boundcheck.verdicts.words import BoundWord


_WEAKEST: tuple[BoundWord, ...] = ("undecided", "consistent", "holds", "order only", "vacuous")
"""What a grid without a violation is called: by the weakest thing that is said of one of its cells."""


def holm(e_values: Sequence[float], alpha: float) -> list[bool]:
    """Return which cells are rejected by Holm's procedure on p = 1/e: family-wise error at most `alpha`.

    Valid under any dependence between the cells, which common random numbers create.
    """
    p = np.minimum(1.0, 1.0 / np.maximum(np.asarray(e_values, dtype=float), 1e-300))
    order = np.argsort(p, kind="stable")
    rejected = np.zeros(len(p), dtype=bool)
    for rank, i in enumerate(order):
        if p[i] > alpha / (len(p) - rank):
            break
        rejected[i] = True
    return [bool(r) for r in rejected]


def pool_e_values(e_values: Sequence[float]) -> float:
    """Return the mean of e-values: evidence against "the bound holds in every cell", under any dependence.

    Of the final wealth, not of the largest: the largest has no expectation of at most 1.
    """
    values: Array = np.asarray(e_values, dtype=float)
    return float(values.mean()) if len(values) else 1.0


@dataclass(frozen=True)
class GridVerdict:
    """The verdict on a whole grid of cells."""

    verdict: BoundWord
    counts: dict[str, int]
    e_value: float
    """Final wealth averaged over the cells: evidence against "the bound holds in every cell"."""
    smallest_margin: float | None
    """Smallest (rhs - measured) / standard error over the decided cells."""
    worst_ratio: float | None
    """Largest measured / rhs."""


def summarise(verdicts: Sequence[Verdict], alpha: float) -> GridVerdict:
    """Combine the verdicts of the cells of one bound.

    A bound is violated on the grid if some cell is (cells are decided at alpha / cells, or rejected by Holm) or the
    final wealth averages to 1/alpha; else the weakest word of a cell speaks for it: undecided, consistent, holds.  It
    is vacuous if every applicable cell is.
    The three ways to be violated err together with probability at most alpha: all imply that the average wealth of
    the cells, a supermartingale along the replicates they share, reached 1/alpha.
    """
    counts = Counter(v.verdict for v in verdicts)
    e_values = [v.e_value for v in verdicts if v.e_value is not None]
    evidence = pool_e_values([v.wealth for v in verdicts if v.wealth is not None])
    violated = counts["violated"] > 0 or any(holm(e_values, alpha)) or evidence >= 1 / alpha
    margins = [v.margin for v in verdicts if v.margin is not None]
    ratios = [v.ratio for v in verdicts if v.ratio is not None]
    return GridVerdict(
        "violated" if violated else next((word for word in _WEAKEST if counts[word]), "not applicable"),
        {str(k): n for k, n in counts.items()},
        evidence,
        min(margins) if margins else None,
        max(ratios) if ratios else None,
    )
