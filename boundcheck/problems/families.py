"""The explicit list of problem families."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.registry import Registry

if TYPE_CHECKING:
    from boundcheck.problems.base import Problem

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
