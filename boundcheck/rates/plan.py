"""One point of a grid as it is run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from boundcheck.engine.setting import Setting
    from boundcheck.methods.base import Method
    from boundcheck.problems.base import Problem


class PlannedPoint(NamedTuple):
    """One point of a grid: what is run there, and what the bound says of it."""

    x: float
    """Place on the axis."""
    setting: Setting
    problem: Problem
    """As it is run, with the noise that it has."""
    method: Method
    rhs: float | None
    """Right-hand side of the bound, None where the schedule is not a bound's."""
    trivial: float | None
