"""Measured against bound: verdicts with an error rate, exponents, orders."""

from __future__ import annotations

from boundcheck.evidence.checks.check import check
from boundcheck.evidence.checks.exponents import Fit, fit_exponent
from boundcheck.evidence.checks.feasibility import Feasibility, feasibility, informative_from
from boundcheck.evidence.checks.grid import GridVerdict, summarise
from boundcheck.evidence.checks.time_to_epsilon import TimeToEpsilon, time_to_epsilon
from boundcheck.evidence.statistics.shape import Shape, judge_shape
from boundcheck.evidence.statistics.verdict import Verdict
from boundcheck.evidence.trials.costs import Cost, cost
from boundcheck.evidence.trials.trial import Trial, pair

__all__ = [
    "Cost",
    "Feasibility",
    "Fit",
    "GridVerdict",
    "Shape",
    "TimeToEpsilon",
    "Trial",
    "Verdict",
    "check",
    "cost",
    "feasibility",
    "fit_exponent",
    "informative_from",
    "judge_shape",
    "pair",
    "summarise",
    "time_to_epsilon",
]
