"""Times to epsilon of a study: the prescribed method and the compared ones, in rounds, samples and floats."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.bounds import BOUNDS
from boundcheck.evidence.checks.time_to_epsilon import Crossing, TimeToEpsilon, time_to_epsilon
from boundcheck.evidence.trials.costs import Cost, cost_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.problems.base import Array
    from boundcheck.sweep.cells.cells import Cell
    from boundcheck.sweep.cells.points import StudySetting
    from boundcheck.sweep.recipes.fields import Number


@cache
def promised_powers(bound: str, letter: str, *, regime: bool = False) -> list[float]:
    """Return the powers of a letter that a bound promises, see `boundcheck.bounds.orders.decay`; once a process."""
    from boundcheck.bounds.orders import decay

    return decay(BOUNDS[bound], letter, regime=regime)


@dataclass(frozen=True)
class Timed:
    """The times to epsilon of one method along T, the other letters fixed."""

    label: str
    """The bound that prescribes the parameters, or the label of a compared method."""
    method: str
    fixed: tuple[tuple[str, Number], ...]
    horizons: tuple[int, ...]
    means: tuple[float, ...]
    """Average squared gradient of the run of each horizon."""
    times: TimeToEpsilon
    costs: tuple[Cost, ...]
    """What the run of each horizon costs an active client."""

    def cost(self, reached: Crossing) -> Cost:
        """Return the cost at a horizon, interpolated between those of the grid."""
        columns = np.array(self.costs).T
        return Cost(*(float(np.interp(reached.rounds, self.horizons, column)) for column in columns))


def times_of_study(planned: Sequence[StudySetting], measured: dict[Cell, Array]) -> list[Timed]:
    """Return the times of one study.

    Parameters
    ----------
    planned : sequence of StudySetting
        Grid points of a study with the key epsilons.
    measured : dict
        Cell to the averages of its runs, (replicates,).
    """
    runs: dict[tuple[str, str, tuple[tuple[str, Number], ...]], list[Cell]] = defaultdict(list)
    decays: dict[str, Sequence[float]] = {}
    for point in planned:
        if point.cell is None:
            continue
        name, fixed = point.study.bounds[0], tuple((k, v) for k, v in point.setting.items() if k != "T")
        decays.setdefault(name, promised_powers(name, "T"))
        runs[name, point.cell.method, fixed].append(point.cell)
        for other, cell in point.compared:
            decays[other.name] = other.decays
            runs[other.name, other.method, fixed].append(cell)
    epsilons = planned[0].study.epsilons
    return [
        _times_of_method(label, method, fixed, cells, [measured[cell] for cell in cells], epsilons, decays[label])
        for (label, method, fixed), cells in runs.items()
        if len(cells) > 1
    ]


def _times_of_method(
    label: str,
    method: str,
    fixed: tuple[tuple[str, Number], ...],
    cells: list[Cell],
    samples: list[Array],
    epsilons: Sequence[float],
    decays: Sequence[float],
) -> Timed:
    horizons = tuple(cell.setting.T for cell in cells)
    times = time_to_epsilon(horizons, samples, epsilons, decays)
    means = tuple(float(y.mean()) for y in samples)
    costs = tuple(cost_at(cell.make_problem(), cell.make_method(), cell.setting) for cell in cells)
    return Timed(label, method, fixed, horizons, means, times, costs)
