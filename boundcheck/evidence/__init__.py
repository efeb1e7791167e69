"""Measured against bound: verdicts with an error rate, exponents, orders."""

from __future__ import annotations

from boundcheck.evidence.check import check, judge, measure
from boundcheck.evidence.exponents import Fit, fit_exponent
from boundcheck.evidence.feasibility import Feasibility, feasibility, informative_from
from boundcheck.evidence.grid import GridVerdict, summarise
from boundcheck.evidence.pairing import Pairing, pair
from boundcheck.evidence.shape import Shape, judge_shape
from boundcheck.evidence.verdict import Verdict

__all__ = [
    "Feasibility",
    "Fit",
    "GridVerdict",
    "Pairing",
    "Shape",
    "Verdict",
    "check",
    "feasibility",
    "fit_exponent",
    "informative_from",
    "judge",
    "judge_shape",
    "measure",
    "pair",
    "summarise",
]
