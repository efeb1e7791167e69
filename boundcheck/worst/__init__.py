"""Worst cases over all problems of a theorem's class, from the method's own code (extra `worst`)."""

from __future__ import annotations

from boundcheck.worst.advise import advised
from boundcheck.worst.case import WorstCase
from boundcheck.worst.certificate import certificates
from boundcheck.worst.classes import ProblemClass
from boundcheck.worst.fairness import remarks
from boundcheck.worst.measures import MEASURES
from boundcheck.worst.one_round import sharpen
from boundcheck.worst.sharpened import Sharpened
from boundcheck.worst.theorem import bound_of
from boundcheck.worst.upper import Upper, proved_upper
from boundcheck.worst.worst_case import worst

__all__ = [
    "MEASURES",
    "ProblemClass",
    "Sharpened",
    "Upper",
    "WorstCase",
    "advised",
    "bound_of",
    "certificates",
    "proved_upper",
    "remarks",
    "sharpen",
    "worst",
]
