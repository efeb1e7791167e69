"""Measured against bound: a verdict with an error rate."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.evidence.betting import evidence_above, evidence_below, wealth_above
from boundcheck.evidence.intervals import standard_error, t_interval, upper_limit

if TYPE_CHECKING:
    from boundcheck.bounds.bound import Checked, Evaluation
    from boundcheck.evidence.decision import Decision
    from boundcheck.evidence.shape import Shape
    from boundcheck.problems.base import Array

EXACT = 1e-9
"""Relative tolerance of a comparison without noise."""


@dataclass(frozen=True)
class Verdict:
    """What the measurements say about one bound on one problem at one setting."""

    bound: str
    problem: str
    verdict: Decision
    reason: str
    """How it was decided, or the condition that fails."""
    measured: float | None
    """Mean of the left-hand side over the replicates."""
    low: float | None
    high: float | None
    """Two-sided 95 % interval of that mean."""
    rhs: float | None
    terms: dict[str, float]
    conditions: list[Checked]
    vacuity: float | None
    """The trivial bound; a larger rhs is vacuous."""
    margin: float | None = None
    """(rhs - measured) / standard error; None without noise."""
    e_value: float | None = None
    """Evidence against the bound: 1/e_value bounds the chance of so much evidence if the bound holds."""
    wealth: float | None = None
    """The same at the last replicate: an e-value, so its average over cells is one, whatever the cells share."""
    replicates: int = 0
    """Runs behind the verdict: replicates, or all paths of an exact expectation."""
    setting: dict[str, float] | None = None
    """N, S, K, T, b and every parameter used."""
    shape: Shape | None = None
    """How measured / rhs grows along the grid this verdict belongs to (bounds of order only)."""

    @property
    def ratio(self) -> float | None:
        """Return measured / rhs, None where either is missing or the rhs is 0."""
        return self.measured / self.rhs if self.measured is not None and self.rhs else None

    def data(self) -> dict[str, Any]:
        """Return the verdict as plain data, its ratio included."""
        plain = asdict(self)
        # Files that users keep name the wealth so.
        return {("capital" if name == "wealth" else name): value for name, value in plain.items()} | {
            "ratio": self.ratio
        }


def not_applicable(bound: str, problem: str, reason: str) -> Verdict:
    """Return the verdict for a pair that does not go together: an outcome, not an error."""
    return Verdict(bound, problem, "not applicable", reason, None, None, None, None, {}, [], None)


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
    sure_ceiling: bool = False,
) -> Verdict:
    """Compare replicates `y` of the left-hand side with an evaluated bound.

    Parameters
    ----------
    y : (replicates,) array
        One value a run, each >= 0.
    alpha : float
        Error rate of the whole grid; a cell gets alpha / cells.
    cells, stage : int
        Cells decided together; the number of the interim analysis (the "holds" side spends half of what is left at
        every stage; the "violated" side is valid under optional stopping as it is).
    noisy : bool
        Whether `y` are random draws; else the comparison is exact: one run, or every equally likely path.
    sure_ceiling : bool
        Whether `evaluation.trivial` bounds every single run, which allows the exact test of "holds".
    """
    rhs, share = evaluation.rhs, alpha / cells
    e_value = wealth = margin = None
    if not noisy:
        decision, reason = _exact(y, rhs)
    else:
        e_value, wealth = evidence_above(y, rhs), wealth_above(y, rhs)
        se = standard_error(y)
        margin = float((rhs - y.mean()) / se) if 0 < se < np.inf else None
        decision, reason = _random(y, evaluation, e_value, share, share / 2**stage, sure_ceiling)
    if decision == "holds" and evaluation.vacuous:
        decision, reason = "vacuous", f"{reason}; but the trivial bound {evaluation.trivial:.3g} is no larger"
    low, high = t_interval(y) if noisy else (float(y.mean()), float(y.mean()))
    return Verdict(
        bound,
        problem,
        decision,
        reason,
        float(y.mean()),
        low,
        high,
        rhs,
        evaluation.terms,
        evaluation.conditions,
        evaluation.trivial,
        margin,
        e_value,
        wealth,
        len(y),
        dict(evaluation.values),
    )


def _exact(y: Array, rhs: float) -> tuple[Decision, str]:
    measured = float(y.mean())
    how = "exact comparison, no noise" if len(y) == 1 else f"exact expectation over {len(y)} paths"
    if measured <= rhs * (1 + EXACT):
        return "holds", how
    return "violated", f"{how}: {measured:.6g} > {rhs:.6g}"


def _random(
    y: Array,
    evaluation: Evaluation,
    e_value: float,
    share: float,
    spend: float,
    sure_ceiling: bool,  # noqa: FBT001
) -> tuple[Decision, str]:
    rhs = evaluation.rhs
    if e_value >= 1 / share:
        return "violated", f"betting evidence {e_value:.3g} >= {1 / share:.3g}"
    if sure_ceiling and rhs < evaluation.trivial and evidence_below(y, rhs, evaluation.trivial) >= 1 / spend:
        return "holds", f"exact betting test at error rate {spend:.2g}"
    limit = upper_limit(y, rhs, spend) if np.isfinite(y).all() else None
    if limit is not None and limit <= rhs:
        return "holds", f"upper limit {limit:.3g} at error rate {spend:.2g}"
    return "undecided", "neither the violation nor the upper limit is clear; more replicates are needed"


def order_only(verdict: Verdict) -> Verdict:
    """Return the verdict on a bound with a hidden constant: one point cannot decide it."""
    ratio = (verdict.measured or 0.0) / verdict.rhs if verdict.rhs else float("nan")
    reason = f"order only: measured / shape = {ratio:.3g}; a single point cannot refute a hidden constant"
    return replace(verdict, verdict="undecided", reason=reason, e_value=None, wealth=None, margin=None)
