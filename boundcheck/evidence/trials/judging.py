"""Compare replicates of a left-hand side with an evaluated bound."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.errors import require
from boundcheck.evidence.statistics.betting import BETS, evidence_above, evidence_below, wealth_above
from boundcheck.evidence.statistics.hidden import constant_at_least, no_constant
from boundcheck.evidence.statistics.intervals import standard_error, t_interval, upper_limit
from boundcheck.evidence.statistics.verdict import Verdict
from boundcheck.evidence.trials.digits import apart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.bounds.bound import Evaluation
    from boundcheck.problems.base import Array
    from boundcheck.verdicts.words import BoundWord, How

EXACT = 1e-9
"""Relative tolerance of a comparison without noise."""
_CEILING = "a proved ceiling of the left-hand side, or a run whose paths can be enumerated"


class ReasonedDecision(NamedTuple):
    """A decision, how it was reached, and what is left to do."""

    decision: BoundWord
    how: How
    reason: str
    settle: str = ""
    needed: int | None = None


def decide(
    y: Array,
    evaluation: Evaluation,
    *,
    bound: str,
    problem: str,
    alpha: float,
    cells: int = 1,
    stage: int = 1,
    noisy: bool = True,
    ceiling: float | None = None,
    rounding: float = 0.0,
) -> Verdict:
    """Compare replicates `y` of the left-hand side with an evaluated bound.

    Parameters
    ----------
    y : (replicates,) array
        One value a run, each >= 0, infinite where a run diverged.
    alpha : float
        Error rate of the whole grid; a cell gets alpha / cells.
    cells, stage : int
        Cells decided together; the number of the interim analysis (the approximate limit spends half of what is left
        at every stage; betting is valid under optional stopping as it is).
    noisy : bool
        Whether `y` are random draws; else the comparison is exact: one run, or every equally likely path.
    ceiling : float, optional
        What no single run exceeds, proved: "holds" is said of random draws only with one.
    rounding : float
        How far rounding alone may lift the left-hand side: a comparison with 0 has no relative tolerance.

    Raises
    ------
    InputError
        If a value or the right-hand side is not a number, or a term is infinite.
    """
    require_finite(bound, evaluation)
    require(not np.isnan(y).any(), f"{bound} on {problem}: left-hand side", float("nan"), "a number, or inf")
    limit, share = evaluation.rhs + rounding, alpha / cells
    e_value, wealth, margin = _evidence(y, evaluation.rhs, limit) if noisy else (None, None, None)
    said = (
        _exact(y, evaluation.rhs, limit)
        if e_value is None
        else _random(y, limit, e_value, share, share / 2**stage, ceiling)
    )
    said = _unless_empty(said, _empty(evaluation, ceiling if _stands(y, ceiling) else None, limit, float(y.mean())))
    low, high = t_interval(y) if noisy else (float(y.mean()), float(y.mean()))
    return Verdict(
        bound,
        problem,
        said.decision,
        said.reason,
        float(y.mean()),
        low,
        high,
        evaluation.rhs,
        evaluation.terms,
        evaluation.conditions,
        evaluation.trivial,
        margin,
        e_value,
        wealth,
        len(y),
        dict(evaluation.values),
        how=said.how,
        settle=said.settle,
        alpha=share,
        needed=said.needed,
    )


def _evidence(y: Array, rhs: float, limit: float) -> tuple[float, float, float | None]:
    """Return e-value and wealth, and by how many standard errors the mean is below the right-hand side, if they say."""
    se = standard_error(y)
    margin = float((rhs - y.mean()) / se) if 0 < se < np.inf else None
    return evidence_above(y, limit), wealth_above(y, limit), margin


def _unless_empty(said: ReasonedDecision, empty: str) -> ReasonedDecision:
    """Return the decision, "vacuous" where the bound is true and there is a reason why it says nothing."""
    if said.decision in {"holds", "consistent"} and empty:
        shown = f" ({said.reason})" if said.reason else ""
        return said._replace(decision="vacuous", reason=empty + shown, needed=None, settle="")
    return said


def _stands(y: Array, ceiling: float | None) -> bool:
    """Return whether there is a ceiling: one that some run exceeds is none."""
    return ceiling is not None and bool(y.max() <= ceiling * (1 + EXACT))


def _empty(evaluation: Evaluation, ceiling: float | None, limit: float, measured: float) -> str:
    """Return why the theorem says nothing here: what is known without it is no larger; empty where it does."""
    # Where more than the trivial bound is measured (noise, at a start at the minimum), it is no bound of this run.
    if evaluation.vacuous and measured <= evaluation.trivial * (1 + EXACT):
        return f"the trivial bound {evaluation.trivial:.3g} is no larger than the right-hand side"
    if ceiling is not None and ceiling <= limit:
        return f"too weak for this problem: no run on it exceeds {ceiling:.4g}, whatever the theorem says"
    return ""


def require_finite(bound: str, evaluation: Evaluation) -> None:
    """Refuse a right-hand side that is no number: whatever is measured, it would be no evidence.

    Raises
    ------
    InputError
        If a term is infinite or not a number; the message names it.
    """
    for term, value in evaluation.terms.items():
        require(math.isfinite(value), f"{bound}: term {term!r} of the right-hand side", value, "a finite number")
    require(math.isfinite(evaluation.rhs), f"{bound}: right-hand side", evaluation.rhs, "a finite number")


def _exact(y: Array, rhs: float, limit: float) -> ReasonedDecision:
    measured = float(y.mean())
    how: How = "exact" if len(y) == 1 else "enumerated"
    words = "exact comparison, no noise" if len(y) == 1 else f"exact expectation over {len(y)} paths"
    if measured <= limit + EXACT * abs(limit):
        return ReasonedDecision("holds", how, words)
    return ReasonedDecision("violated", how, f"{words}: {apart(measured, rhs)}")


def _random(
    y: Array, limit: float, e_value: float, share: float, spend: float, ceiling: float | None
) -> ReasonedDecision:
    if e_value >= 1 / share:
        return ReasonedDecision("violated", "betting", f"betting evidence {e_value:.3g} >= {1 / share:.3g}")
    if ceiling is not None and _stands(y, ceiling):
        if ceiling <= limit:
            return ReasonedDecision("holds", "ceiling", "")
        below = evidence_below(y, limit, ceiling)
        if below >= 1 / share:
            words = f"betting evidence {below:.3g} >= {1 / share:.3g} below the bound, no run exceeding {ceiling:.4g}"
            return ReasonedDecision("holds", "betting", words)
        needed = _count_needed((limit - y) / (ceiling - limit), share)
    else:
        needed = None
    upper = upper_limit(y, limit, spend) if np.isfinite(y).all() else None
    if upper is None or upper > limit:
        return ReasonedDecision("undecided", "", "neither side is clear", f"more replicates than {len(y)}")
    settle = _CEILING if needed is None else f"about {needed} replicates"
    words = f"upper limit {upper:.3g} at nominal error rate {spend:.2g}"
    return ReasonedDecision("consistent", "approximate", words, settle, needed)


def _count_needed(gains: Array, share: float) -> int | None:
    """Return after how many replicates a bet with these gains would have made 1/share, at the mean rate so far."""
    with np.errstate(divide="ignore"):
        rate = float(np.log1p(np.multiply.outer(BETS, np.maximum(gains, -1.0))).mean(axis=1).max())
    # Two in the logarithm: what a mixture of stakes pays for not knowing the best one.
    return math.ceil((2.0 - math.log(share)) / rate) if rate > 0 and share > 0 else None


def order_only(verdict: Verdict, y: Array, *, noisy: bool, refuted_by: Sequence[str] = ()) -> Verdict:
    """Return the verdict on a bound with a hidden constant: how large the constant must at least be.

    Parameters
    ----------
    verdict : Verdict
        The comparison with 1 for the constant.
    y : (replicates,) array
        What it rests on.
    noisy : bool
        As for `decide`.
    refuted_by : sequence of str
        Claims from which it follows that no constant serves.
    """
    rhs = verdict.rhs or 0.0
    constant = constant_at_least(y, rhs, verdict.alpha if noisy else None)
    return replace(
        verdict,
        verdict="order only",
        how="betting" if noisy else ("exact" if len(y) == 1 else "enumerated"),
        reason="; ".join([_order_words(verdict, constant, noisy=noisy), *no_constant(refuted_by)]),
        settle="" if refuted_by else "a statement with explicit constants, or a proof that no constant serves",
        constant_at_least=constant,
        e_value=None,
        wealth=None,
        margin=None,
        needed=None,
    )


def _order_words(verdict: Verdict, constant: float | None, *, noisy: bool) -> str:
    if constant is None or verdict.ratio is None:
        return "order only: the shape is 0 here"
    rate = f" (error rate {verdict.alpha:.2g})" if noisy else ""
    return f"order only: measured / shape = {verdict.ratio:.3g}; any hidden constant is at least {constant:.4g}{rate}"
