"""Experiments: methods side by side without a bound, each tuned on a grid of its own."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from boundcheck.sweep.recipes.fields import Count, NonNegative, Number, Positive, Replicates

if TYPE_CHECKING:
    from collections.abc import Iterator

Axis = Literal["rounds", "samples", "bits"]
AXES: tuple[Axis, ...] = ("rounds", "samples", "bits")
"""What a budget can count."""
READS = {
    "average": "the average over the run up to the budget",
    "late": "the average over the second half of the run up to the budget",
    "last": "the value at the budget",
}
"""Ways to read one number off a curve."""
RULE = (
    "Every method runs at every point of its grid on seeds that serve for tuning alone; the point with the smallest "
    "mean score at the budget is taken, the first of several. Where a hyperparameter lies on the edge of its grid, the "
    "grid is widened by its own ratio (of a weight v, that of v/(1 - v)); the edge is flagged if the optimum is still "
    "there."
)
"""How hyperparameters are chosen."""


class Entrant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A method of an experiment; lists in `hyper` are its tuning grid."""

    method: str
    hyper: dict[str, Number | list[Number]] = {}
    label: str = ""
    schedule: dict[str, str] = {}
    """Hyperparameter to the law of its factor by round, see `boundcheck.engine.schedule`."""
    K: Count | None = None
    """Local steps of its own, in place of those of the setting."""
    weight_decay: NonNegative = 0.0
    """Weight of |x|^2/2 that is added to the clients' functions (not to what is measured)."""

    @property
    def name(self) -> str:
        """What tables call it: its label, or else the method."""
        return self.label or self.method

    @property
    def grid(self) -> dict[str, list[Number]]:
        """Return the values of every hyperparameter, those without a choice included."""
        return {k: list(v) if isinstance(v, list) else [v] for k, v in self.hyper.items()}


class Experiment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Methods on one grid of settings and problems, for a common number of rounds."""

    id: str
    title: str
    problems: list[str]
    N: list[Count]
    K: list[Count]
    T: list[Count]
    """Horizons, at each of which methods are tuned afresh."""
    entrant: list[Entrant]
    S: list[Count] | None = None
    b: Count = 1
    parameters: dict[str, Number | list[Number]] = {}
    metric: str = "server_gradient"
    """What methods are tuned for and compared by."""
    metrics: list[str] = []
    """What is measured beside it."""
    read: Literal["average", "late", "last"] = "average"
    axes: list[Axis] = msgspec.field(default_factory=lambda: list(AXES))
    """What budgets count; methods are tuned for each of them apart."""
    tuning: Count = 4
    """Runs of every grid point, on seeds of their own."""
    replicates: Replicates | None = None
    """Runs that decide; those of the recipe when left out."""
    widen: Annotated[int, msgspec.Meta(ge=0, le=10)] = 3
    """How often grids may be widened."""
    memory: Positive | None = None
    """Most numbers that an active client may keep, in units of d; entrants above it do not run."""
    epsilons: list[Positive] = []
    """Levels of the metric whose first round is looked for."""
    table: list[str] = []
    """Metrics of which the report has a table: a row an entrant, a column a setting."""
    text: str = ""

    @property
    def zip(self) -> bool:
        """Return whether axes run side by side: never here."""
        return False


def grid_size(grid: dict[str, list[Number]]) -> int:
    """Return the number of points of a grid, without making them."""
    return math.prod(len(values) for values in grid.values())


def grid_points(grid: dict[str, list[Number]]) -> Iterator[dict[str, Number]]:
    """Yield the points of a grid."""
    for values in itertools.product(*grid.values()):
        yield dict(zip(grid, values, strict=True))
