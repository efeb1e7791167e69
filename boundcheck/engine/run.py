"""What a simulation returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import UnknownNameError
from boundcheck.files.display import shows

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from boundcheck.problems.base import Array, Indices


@shows("backend", "lanes", "rounds", "metrics", "gradients")
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

    @property
    def lanes(self) -> int:
        """Replicates, over all horizons."""
        return len(self.T)

    @property
    def rounds(self) -> list[int]:
        """The horizons."""
        return sorted({int(t) for t in self.T})

    @property
    def metrics(self) -> list[str]:
        """What was measured."""
        return list(self.curves)

    @property
    def frame(self) -> pd.DataFrame:
        """A row a lane and metric: lane, T, metric, and its average over the run."""
        import pandas as pd

        rows = [
            {"lane": lane, "T": int(self.T[lane]), "metric": name, "average": float(value)}
            for name in self.curves
            for lane, value in enumerate(self.average(name))
        ]
        return pd.DataFrame(rows, columns=["lane", "T", "metric", "average"])

    def plot(self, ax: Axes | None = None, metric: str | None = None) -> Axes:
        """Draw the running average of a metric along the rounds: the mean over lanes, and between which it lies.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; a new figure when left out.
        metric : str, optional
            By default the first that was measured.

        Raises
        ------
        UnknownNameError
            If the metric was not measured in this run.
        """
        from boundcheck.files.pictures import axes_for

        name = metric or self.metrics[0]
        if name not in self.curves:
            raise UnknownNameError("metric of this run", name, self.curves)
        curve = self.curves[name]
        # After its horizon a lane has no value; at every checkpoint the longest lanes have one.
        mean, low, high = (of(curve, axis=0) for of in (np.nanmean, np.nanmin, np.nanmax))
        axes = axes_for(ax)
        (line,) = axes.plot(self.checkpoints, mean, "o-", markersize=3, label=f"{name}, mean of {self.lanes} lanes")
        if self.lanes > 1:
            axes.fill_between(self.checkpoints, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
        axes.set_xscale("log")
        if (low > 0).all() and np.isfinite(high).all():
            axes.set_yscale("log")
        axes.set_xlabel("rounds")
        axes.set_ylabel("running average")
        axes.legend(frameon=False, fontsize=9)
        return axes

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
