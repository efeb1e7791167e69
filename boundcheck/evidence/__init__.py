"""Measured against bound: verdicts with an error rate, exponents, orders."""

from __future__ import annotations

from boundcheck.evidence.check import check
from boundcheck.evidence.costs import Cost, cost
from boundcheck.evidence.exponents import Fit, fit_exponent
from boundcheck.evidence.feasibility import Feasibility, feasibility, informative_from
from boundcheck.evidence.grid import GridVerdict, summarise
from boundcheck.evidence.shape import Shape, judge_shape
from boundcheck.evidence.time_to_epsilon import TimeToEpsilon, time_to_epsilon
from boundcheck.evidence.trial import Trial, pair
from boundcheck.evidence.verdict import Verdict

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
