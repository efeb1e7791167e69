"""Worst cases over all problems of a theorem's class, from the method's own code."""

from __future__ import annotations

from boundcheck.worst.cases.beside import BoundForAllT, bound_for_all_T
from boundcheck.worst.cases.case import WorstCase
from boundcheck.worst.cases.law import law_in_T
from boundcheck.worst.cases.schedules import BestSchedule, best_schedule
from boundcheck.worst.cases.worst_case import worst
from boundcheck.worst.facts.classes import ProblemClass
from boundcheck.worst.facts.measures import MEASURES
from boundcheck.worst.proved.certificate import certificates
from boundcheck.worst.proved.contraction import contraction_certificates
from boundcheck.worst.proved.upper import Upper, proved_upper
from boundcheck.worst.theorems.advise import advise, advised
from boundcheck.worst.theorems.all_steps.bound import bound_of_falling, bound_of_steps
from boundcheck.worst.theorems.all_steps.sharpen import sharpen_all_k, sharpen_steps
from boundcheck.worst.theorems.all_steps.theorem import StepTheorem
from boundcheck.worst.theorems.contraction import Contraction, contract
from boundcheck.worst.theorems.contraction_bound import bound_of_contraction
from boundcheck.worst.theorems.fairness import remarks
from boundcheck.worst.theorems.one_round import sharpen
from boundcheck.worst.theorems.sharpened import Sharpened
from boundcheck.worst.theorems.theorem import bound_of

__all__ = [
    "MEASURES",
    "BestSchedule",
    "BoundForAllT",
    "Contraction",
    "ProblemClass",
    "Sharpened",
    "StepTheorem",
    "Upper",
    "WorstCase",
    "advise",
    "advised",
    "best_schedule",
    "bound_for_all_T",
    "bound_of",
    "bound_of_contraction",
    "bound_of_falling",
    "bound_of_steps",
    "certificates",
    "contract",
    "contraction_certificates",
    "law_in_T",
    "proved_upper",
    "remarks",
    "sharpen",
    "sharpen_all_k",
    "sharpen_steps",
    "worst",
]
