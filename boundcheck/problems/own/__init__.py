"""The user's own functions or formulas as a problem, and letters of the user's own.

`functions` takes Python functions, `symbolic` formulas, whose constants it proves where it can with `extremes`.
`letters` declares a letter of one's own and what tries to refute a value of it; `computed` looks in one dimension.
"""

from __future__ import annotations

from boundcheck.problems.own.functions import from_functions
from boundcheck.problems.own.letters import own_letter
from boundcheck.problems.own.symbolic import from_sympy

__all__ = ["from_functions", "from_sympy", "own_letter"]
