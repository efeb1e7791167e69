"""The second part h of a composite objective F = f + h: an l1 norm on a box, with its proximal map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require

if TYPE_CHECKING:
    from boundcheck.problems.types import Array


@dataclass(frozen=True)
class Penalty:
    """h(x) = l1 |x|_1 where every |x_c| <= box, infinite elsewhere.

    Attributes
    ----------
    l1 : float
        Weight of the norm, a slope; 0 for none.
    box : float
        Half the width of the box; infinite for none.
    """

    l1: float = 0.0
    box: float = np.inf

    def __post_init__(self) -> None:
        """Refuse what is no convex function."""
        require(self.l1 >= 0, "l1", self.l1, "a number >= 0")
        require(self.box > 0, "box", self.box, "a number > 0")

    @property
    def is_none(self) -> bool:
        """Whether h = 0."""
        return self.l1 == 0 and np.isinf(self.box)

    def value(self, x: Array) -> Array:
        """Return h at server points (lanes, 1, d), (lanes,)."""
        # What a projection leaves outside by rounding is inside.
        outside = (np.abs(x) > self.box * (1 + 1e-12)).any(axis=(1, 2))
        values: Array = np.where(outside, np.inf, self.l1 * np.abs(x).sum(axis=(1, 2)))
        return values

    def prox(self, v: Array, step: Array | float) -> Array:
        """Return argmin_x h(x) + |x - v|^2/(2 step): shrink every coordinate by step l1, then go to the box."""
        shrunk = np.sign(v) * np.maximum(np.abs(v) - step * self.l1, 0.0)
        inside: Array = np.minimum(np.maximum(shrunk, -self.box), self.box)
        return inside


NO_PENALTY = Penalty()
"""h = 0."""
