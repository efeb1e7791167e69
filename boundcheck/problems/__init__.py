"""Functions whose constants are known: families, noise models, named instances and their certification."""

from __future__ import annotations

from boundcheck.problems.base import Array, Problem, Stream, Token
from boundcheck.problems.constants import Constant
from boundcheck.registry import Registry

FAMILIES: Registry[type[Problem]] = Registry(
    "problem family",
    {
        "ridge": "boundcheck.problems.ridge:Ridge",
        "quadratic": "boundcheck.problems.quadratic:Quadratic",
        "ncsc-ridge": "boundcheck.problems.ncsc:RidgeSaddle",
        "logistic": "boundcheck.problems.logistic:Logistic",
    },
)
"""Every family by the name that problem files use."""

__all__ = ["FAMILIES", "Array", "Constant", "Problem", "Stream", "Token"]
