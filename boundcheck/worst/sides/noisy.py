"""What noise adds on a function with one more coordinate, along which it is L z^2/2 for all clients and noise lives.

The start is its minimiser there, so that neither Delta nor heterogeneity grows; gradients along it are L z, whence z is
linear in the noises, and what it adds to a left-hand side is a sum of variances.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.worst.facts.measures import OF_DISTANCE, OF_VALUES
from boundcheck.worst.gram.vectors import DEVIATION, MEAN

if TYPE_CHECKING:
    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.facts.measures import LeftHandSide
    from boundcheck.worst.gram.rows import Array
    from boundcheck.worst.gram.trace import Trace
    from boundcheck.worst.gram.vectors import GramVector


def added_by_noise(trace: Trace, looked: LeftHandSide, given: ProblemClass) -> float:
    """Return what noise of variance sigma^2 along the further coordinate adds to a left-hand side, in expectation.

    Parameters
    ----------
    trace : Trace
        The run, with noise.
    looked : Measured
        A left-hand side that is a sum: all but 'best', for which see `added_at_points`.
    given : ProblemClass
    """
    along = _Along(trace, given)
    factor = given.L / 2 if looked.name in OF_VALUES else 1.0 if looked.name in OF_DISTANCE else given.L**2
    points = sum(float(weight) * factor * along.squares(x)[MEAN] for weight, x in looked.points)
    vectors = sum(float(weight) * along.squares(v).sum() for weight, v in looked.vectors)
    return float(points + vectors)


def added_at_points(trace: Trace, looked: LeftHandSide, given: ProblemClass) -> tuple[float, ...]:
    """Return what that noise adds to E|grad f|^2 at every point of a left-hand side."""
    along = _Along(trace, given)
    return tuple(float(given.L**2 * along.squares(x)[MEAN]) for _, x in looked.points)


class _Along:
    """Every basis vector's coordinate as a combination of the noises: its mean over clients, and its deviation."""

    def __init__(self, trace: Trace, given: ProblemClass) -> None:
        basis = trace.oracle.basis
        self._basis = np.zeros((2, len(basis), len(basis)))
        points = {p.gradient: p.at for p in trace.oracle.points}
        variances = np.zeros((2, len(basis)))
        for k, element in enumerate(basis):
            if element.kind == "noise":
                self._basis[:, k, k] = 1.0
                variances[MEAN, k] = given.sigma**2 / (given.N * element.samples)
                variances[DEVIATION, k] = (given.N - 1) * variances[MEAN, k]
            elif k in points:
                self._basis[:, k] = given.L * self.at(points[k])
        self._variances = variances

    def at(self, v: GramVector) -> Array:
        """Return the coordinate of a vector over the noises, (2, basis vectors)."""
        found: Array = np.einsum("pa,pak->pk", v.pad_to(self._basis.shape[1]).astype(float), self._basis)
        return found

    def squares(self, v: GramVector) -> Array:
        """Return the expected square of the mean and of the deviation of a vector's coordinate."""
        found: Array = (self.at(v) ** 2 * self._variances).sum(axis=1)
        return found
