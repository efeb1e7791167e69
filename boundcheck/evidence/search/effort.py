"""What a search may spend: work, counted in local steps, with seconds as its ceiling."""

from __future__ import annotations

import math
import time

STEPS_A_SECOND = 12_000
"""Work that a second of a budget stands for: what one core does in about half of it, so that work ends a search."""
INSTANCE = 100
"""Steps that putting an instance together costs."""
REFUSED = 20
"""Steps that an instance outside the conditions costs."""
ROWS = 2000
"""Steps that a problem on rows of data costs when it is made: its constants are bounded by optimisation."""
GRADIENT = 20
"""Steps that a gradient of a client costs on a worst function, which looks for the pieces in use at every point."""
LONG_RUN = 500
"""Steps that the powers of one map of second moments cost."""


class OutOfTimeError(BaseException):
    """The seconds of a question are over; no handler of ordinary errors takes it for an answer."""


def run(K: int, T: int) -> int:
    """Return the work of an instance: its local steps, a communication counting as one, and what it takes to make it.

    Replicates and clients are rows of the same arrays and count once.
    """
    return INSTANCE + T * (K + 1)


def worst_case(N: int, K: int, T: int) -> int:
    """Return the work of a worst function, whose matrices grow with the number of points."""
    return INSTANCE + 10 * (N * K * T) ** 2


class Effort:
    """Work that is done and that is left.

    Work alone decides what a search looks at, so that it finds the same on a slow or a busy machine; only where the
    seconds run out first it does not.

    Parameters
    ----------
    work : float
        Local steps.
    seconds : float
        Of wall-clock time.
    """

    def __init__(self, work: float = math.inf, seconds: float = math.inf) -> None:
        self.work, self.seconds = work, seconds
        self.done = 0
        self._began = time.monotonic()

    def spend(self, steps: int) -> None:
        """Count work."""
        self.done += steps

    @property
    def elapsed_seconds(self) -> float:
        """Return the seconds since the search began."""
        return time.monotonic() - self._began

    @property
    def share(self) -> float:
        """Return the share of the work that is done."""
        return self.done / self.work

    @property
    def late(self) -> bool:
        """Return whether the seconds are over."""
        return self.elapsed_seconds >= self.seconds

    def past(self, share: float) -> bool:
        """Return whether a share of the work is done, or the seconds are over."""
        return self.share >= share or self.late
