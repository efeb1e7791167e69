"""Judge a theorem that holds with probability 1 - delta: how many runs may be above its right-hand side.

Whether a run is above it is a number from {0, 1} whose mean is at most delta if the theorem is true.  So the betting
test of a mean decides, with 1 as a ceiling: both answers are wrong with probability at most the error rate, whatever
the law.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.evidence.statistics.betting import BETS, evidence_above, evidence_below, wealth_above
from boundcheck.evidence.statistics.verdict import Verdict
from boundcheck.evidence.trials.judging import EXACT, require_finite

if TYPE_CHECKING:
    from boundcheck.bounds.bound import Evaluation
    from boundcheck.problems.base import Array
    from boundcheck.verdicts.words import BoundWord, How

_LEVEL = 0.95
"""Of the interval of a quantile."""


def quantile(y: Array, failure: float) -> float:
    """Return the smallest value that at most a share `failure` of the runs exceeds."""
    return float(np.quantile(y, max(0.0, 1.0 - failure), method="inverted_cdf"))


def exceeding(y: Array, limit: float) -> Array:
    """Return 1 for every run above a limit, up to rounding, else 0."""
    above: Array = (y > limit + EXACT * abs(limit)).astype(float)
    return above


def decide_chance(
    y: Array,
    evaluation: Evaluation,
    failure: float,
    *,
    bound: str,
    problem: str,
    alpha: float,
    cells: int = 1,
    noisy: bool = True,
    rounding: float = 0.0,
) -> Verdict:
    """Compare how often replicates `y` are above an evaluated bound with how often they may be.

    Parameters
    ----------
    y : (replicates,) array
        One value a run, infinite where a run diverged.
    evaluation : Evaluation
    failure : float
        The probability with which the inequality may fail.
    bound, problem : str
        Names.
    alpha, cells : float, int
        Error rate of the whole grid; a cell gets alpha / cells.
    noisy : bool
        Whether `y` are random draws; else they are every equally likely path.
    rounding : float
        How far rounding alone may lift the left-hand side.

    Returns
    -------
    Verdict
        What it calls measured is the (1 - failure)-quantile of the runs, with an interval from order statistics.
    """
    require_finite(bound, evaluation)
    limit, share = evaluation.rhs + rounding, alpha / cells
    above = exceeding(y, limit)
    seen = quantile(y, failure)
    counted = f"{int(above.sum())} of {len(y)} {'runs' if noisy else 'paths'} above the right-hand side"
    allowed = f"{counted}, a share of {failure:.3g} may be"
    if noisy:
        decision, how, words, needed = _random(above, failure, share)
    else:
        decision = "holds" if above.mean() <= failure * (1 + EXACT) else "violated"
        how, words, needed = "enumerated", "every path counted", None
    reason, settle = f"{allowed}: {words}", f"about {needed} replicates" if needed else ""
    if decision == "holds" and evaluation.vacuous and seen <= evaluation.trivial * (1 + EXACT):
        decision, reason = "vacuous", f"{reason}; but the trivial bound {evaluation.trivial:.3g} is no larger"
    low, high = _interval(y, failure) if noisy else (seen, seen)
    return Verdict(
        bound, problem, decision, reason, seen, low, high, evaluation.rhs, evaluation.terms, evaluation.conditions,
        evaluation.trivial, None, evidence_above(above, failure) if noisy else None,
        wealth_above(above, failure) if noisy else None, len(y), dict(evaluation.values), how=how, settle=settle,
        alpha=share, needed=needed,
    )  # fmt: skip


def _random(above: Array, failure: float, share: float) -> tuple[BoundWord, How, str, int | None]:
    over = evidence_above(above, failure)
    if over >= 1 / share:
        return "violated", "betting", f"betting evidence {over:.3g} >= {1 / share:.3g}", None
    if failure >= 1:
        return "holds", "ceiling", "no share is larger", None
    under = evidence_below(above, failure, 1.0)
    if under >= 1 / share:
        return "holds", "betting", f"betting evidence {under:.3g} >= {1 / share:.3g} below", None
    return "undecided", "", "neither side is clear", _runs_needed(above, failure, share)


def _runs_needed(above: Array, failure: float, share: float) -> int | None:
    """Return after how many runs a bet on few failures would have made 1/share at the rate so far."""
    gains = np.maximum((failure - above) / (1.0 - failure), -1.0)
    with np.errstate(divide="ignore"):
        rate = float(np.log1p(np.multiply.outer(BETS, gains)).mean(axis=1).max())
    return math.ceil((2.0 - math.log(share)) / rate) if rate > 0 else None


def _interval(y: Array, failure: float) -> tuple[float, float]:
    """Return order statistics between which the quantile lies with probability 0.95, whatever the law."""
    from scipy.stats import binom

    ordered, n, tail = np.sort(y), len(y), (1 - _LEVEL) / 2
    low = int(binom.ppf(tail, n, 1 - failure))
    high = int(binom.ppf(1 - tail, n, 1 - failure)) + 1
    return (
        float(ordered[low - 1]) if low >= 1 else 0.0,
        float(ordered[high - 1]) if high <= n else float("inf"),
    )
