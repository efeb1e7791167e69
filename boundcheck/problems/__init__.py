"""Functions whose constants are known: families, noise models, named instances and their certification.

Read `base` (the contract) and `constants` (a value, how it is known, why).  `catalog` finds an instance by its name and
makes it from a family of `families`: formulas in `synthetic`, tables in `data`, the worst functions of methods in
`extremal`, a user's own in `own`.  `noise` has the models of samples, and `certification` tries to refute all of it.
"""

from __future__ import annotations

from boundcheck.problems.base import Array, Problem, Stream, Token
from boundcheck.problems.catalog import Instance, instance, instances, load_problem
from boundcheck.problems.certification.certificate import Certificate
from boundcheck.problems.certification.certify import certify, certify_named
from boundcheck.problems.constants import Constant
from boundcheck.problems.families import FAMILIES

__all__ = [
    "FAMILIES",
    "Array",
    "Certificate",
    "Constant",
    "Instance",
    "Problem",
    "Stream",
    "Token",
    "certify",
    "certify_named",
    "instance",
    "instances",
    "load_problem",
]
