"""Options of commands that tune methods and run them on one problem."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from cyclopts import Parameter

from boundcheck.cli.terminal.options import Whole


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """Where methods run.

    Parameters
    ----------
    N
        Clients.
    K
        Local steps a round.
    T
        Rounds.
    S
        Active clients a round; all when left out.
    b
        Minibatch: samples averaged in one gradient.
    seed
        Root seed.
    replicates
        Replicates, where a run is random.
    workers
        Processes; by default one a core.
    read
        What methods are tuned for and how they are read: the average over the run, the same with the first round
        apart, the second half, the last value, or the time to an accuracy.
    """

    N: Whole
    K: Whole
    T: Whole
    S: Whole | None = None
    b: Whole = 1
    seed: Whole = 0
    replicates: Whole = 8
    workers: Whole | None = None
    read: Literal["average", "apart", "late", "last", "time"] = "average"

    def numbers(self) -> dict[str, Any]:
        """Return all of it that decides numbers: workers do not."""
        return {name: value for name, value in asdict(self).items() if name != "workers"}
