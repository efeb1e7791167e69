"""A problem as a member of a larger class: constants that the class allows, and this instance has none of.

A theorem for noise of variance at most sigma^2 speaks about exact gradients too, at the steps that it prescribes for
sigma.  So a run without noise is an exact instance of it: nothing is sampled, and the steps are those of the class.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from boundcheck.errors import require
from boundcheck.problems.constants import upper

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.problems.base import Problem

DECLARABLE = ("sigma", "zeta", "zeta_pair")
"""Constants that are suprema of what clients or samples differ by: an upper bound of each leaves a theorem true."""


def declare_constants(problem: Problem, constants: Mapping[str, float]) -> Problem:
    """Return the same problem with larger constants, as a class of problems has them.

    Parameters
    ----------
    problem : Problem
    constants : mapping
        Letter (sigma, zeta, zeta_pair) to a value at least the problem's own.

    Raises
    ------
    InputError
        If a letter is none of these, or a value is below what the problem has.
    """
    own = dict(problem.constants)
    for letter, value in constants.items():
        require(letter in DECLARABLE, "declared constant", letter, f"one of {', '.join(DECLARABLE)}")
        at_least = problem.constant(letter)
        require(at_least <= value < float("inf"), f"declared {letter}", value, f"a number >= {at_least:g}")
        own[letter] = upper(value, f"what the class allows; {problem.name} has {at_least:g}")
    declared = copy.copy(problem)
    vars(declared).update(_constants=own)
    return declared
