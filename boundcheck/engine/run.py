"""What a simulation returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import UnknownNameError

if TYPE_CHECKING:
    from boundcheck.problems.base import Array, Indices


@dataclass(frozen=True)
class Run:
    """Measurements of many lanes; a lane is one seed at one setting.

    Attributes
    ----------
    T : (lanes,) array of int
        Rounds of each lane.
    checkpoints : (points,) array of int
        Round counts at which the curves are kept, log-spaced; the horizons of all lanes are among them.
    curves : dict
        Metric name to the running average after each checkpoint, (lanes, points); nan after a lane's horizon.
    instant : dict
        Metric name to the last measured value before each checkpoint, likewise.
    final : (lanes, d) array
        Last server iterates.
    gradients : int
        One-sample client gradients that a lane of the longest horizon evaluated.
    worst : dict
        Name of a quantity that belongs to a run to its worst value along each lane, (lanes,).
    costs : dict
        Name of an axis of `boundcheck.engine.meter.AXES` to what an active client has spent after each checkpoint,
        (lanes, points); nan after a lane's horizon, and where a lane that diverged was left; empty
        with JAX.
    backend : str
        What computed it: ``numpy``, or ``jax`` with its version and the type of its numbers.
    """

    T: Indices
    checkpoints: Indices
    curves: dict[str, Array]
    instant: dict[str, Array]
    final: Array
    gradients: int
    worst: dict[str, Array] = field(default_factory=dict)
    costs: dict[str, Array] = field(default_factory=dict)
    backend: str = "numpy"

    def average(self, metric: str) -> Array:
        """Return the metric averaged over the whole run of each lane, (lanes,); inf if the lane diverged.

        Raises
        ------
        UnknownNameError
            If the metric was not measured in this run.
        """
        if metric not in self.curves:
            raise UnknownNameError("metric of this run", metric, self.curves)
        column = np.searchsorted(self.checkpoints, self.T)
        values: Array = self.curves[metric][np.arange(len(self.T)), column]
        return values


def checkpoints(horizons: Indices, per_decade: int) -> Indices:
    """Return log-spaced round counts up to the longest horizon, every horizon among them.

    The spacing does not depend on the horizons, so a lane's own checkpoints do not depend on its neighbours.
    """
    longest = int(np.max(horizons))
    spread = np.unique(np.rint(10 ** (np.arange(int(np.log10(longest) * per_decade) + 1) / per_decade)))
    return np.unique(np.concatenate([spread[spread <= longest], np.atleast_1d(horizons)]).astype(np.intp))
