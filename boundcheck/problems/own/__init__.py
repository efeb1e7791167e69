"""The user's own functions or formulas as a problem."""

from __future__ import annotations

from boundcheck.problems.own.functions import from_functions
from boundcheck.problems.own.symbolic import from_sympy

__all__ = ["from_functions", "from_sympy"]
