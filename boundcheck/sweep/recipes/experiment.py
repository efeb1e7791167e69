"""Experiments: methods side by side without a bound, each tuned on a grid of its own."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import msgspec

from boundcheck.sweep.recipes.fields import Count, NonNegative, Number, Positive, Replicates, Share

if TYPE_CHECKING:
    from collections.abc import Iterator

Axis = Literal["rounds", "samples", "bits"]
AXES: tuple[Axis, ...] = ("rounds", "samples", "bits")
"""What a budget can count."""
Readout = Literal["average", "apart", "late", "last", "time"]
READS: dict[Readout, str] = {
    "average": "the average over the run up to the budget, as theorems have it",
    "apart": "the same average with the share of the start apart: without the first round",
    "late": "the average over the second half of the run up to the budget",
    "last": "the value at the budget",
    "time": "what was spent when the value first was at the level; twice the budget where it never was",
}
"""Ways to read one number off a curve."""
RULE = (
    "Every method runs at every point of its grid on seeds that serve for tuning alone; for each readout and budget "
    "the point with the smallest mean score is taken, the first of several. A method that contains another one also "
    "runs at the point at which it is that one, tuned. Where a hyperparameter lies on the edge of its grid, the "
    "grid is widened by its own ratio (of a weight v, that of v/(1 - v)); the edge is flagged if the optimum is still "
    "there."
)
"""How hyperparameters are chosen."""


class Reading(NamedTuple):
    """What is read off a curve, and at which share of the budget."""

    readout: Readout
    share: float

    @property
    def words(self) -> str:
        """Return it in short: the readout, and the share where it is not all."""
        return self.readout if self.share == 1.0 else f"{self.readout} at {self.share:g} of the budget"


class Entrant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A method of an experiment; lists in `hyper` are its tuning grid."""

    method: str
    hyper: dict[str, Number | list[Number]] = {}
    label: str = ""
    schedule: dict[str, str] = {}
    """Hyperparameter to the law of its factor by round, see `boundcheck.methods.schedule`."""
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
    read: Readout = "average"
    """What tables and figures show, and methods are tuned for there."""
    readouts: list[Readout] = msgspec.field(default_factory=lambda: list(READS))
    """What assertions are asked of, each with methods tuned for it."""
    shares: list[Share] = msgspec.field(default_factory=lambda: [1.0])
    """Shares of the budget at which assertions are asked."""
    reach: Number | None = None
    """Level of the metric that the readout `time` looks for; when left out the square of the last of `epsilons`, else a
    tenth of a squared gradient's value at the start."""
    axes: list[Axis] = msgspec.field(default_factory=lambda: list(AXES))
    """What budgets count; methods are tuned for each of them apart."""
    tuning: Count = 4
    """Runs of every grid point, on seeds of their own."""
    replicates: Replicates | None = None
    """Runs that decide, and from whose spread it follows how many more do; those of the recipe when left out."""
    budget: Replicates | None = None
    """Runs up to which open questions get more; as many as `replicates` when left out."""
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
    def readings(self) -> list[Reading]:
        """Return what assertions are asked of: the readout that is shown, at the whole budget, first."""
        names = dict.fromkeys([self.read, *self.readouts])
        shares = dict.fromkeys([1.0, *self.shares])
        return [Reading(readout, share) for share in shares for readout in names]

    @property
    def shown_reading(self) -> Reading:
        """Return what tables and figures show."""
        return Reading(self.read, 1.0)

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
