"""Worst cases in own words: functions, operators, points, assumptions and what is maximised.

Read `problem` (what is stated), `classes` (what classes say of points), `answer` (what is said of it), `multipliers`
(the programme and its proof) and `language` (the same as text files).  `algebra` has the vectors and numbers, `linear`
maps and mixing, `methods` runs of registered methods, `question` what the solver is asked, `scaled` the units in which
it is asked, `kernels` directions without room for margins, `words` certificates, `claimed` what a file claims.
"""

from __future__ import annotations

from boundcheck.worst.stated.algebra import LinearRelation, Scalar, Vector, dot, square
from boundcheck.worst.stated.answer import StatedCase
from boundcheck.worst.stated.claimed import ClaimedValue
from boundcheck.worst.stated.classes import FunctionClass, OperatorClass
from boundcheck.worst.stated.language import StatedFile, read_file, read_text
from boundcheck.worst.stated.problem import Function, StatedProblem

Problem = StatedProblem
"""The former name, for one release."""

__all__ = [
    "ClaimedValue",
    "Function",
    "FunctionClass",
    "LinearRelation",
    "OperatorClass",
    "Scalar",
    "StatedCase",
    "StatedFile",
    "StatedProblem",
    "Vector",
    "dot",
    "read_file",
    "read_text",
    "square",
]
