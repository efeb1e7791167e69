"""Exact worst cases over all problems of a theorem's class, from the method's own code (extra `worst`)."""

from __future__ import annotations

from boundcheck.worst.classes import ProblemClass
from boundcheck.worst.measures import MEASURES
from boundcheck.worst.worst_case import WorstCase, worst

__all__ = ["MEASURES", "ProblemClass", "WorstCase", "worst"]
