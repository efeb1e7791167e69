"""What a run spends along the way, an active client: the axes that budgets are set on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.methods.encoding import WORD

if TYPE_CHECKING:
    from boundcheck.engine.oracle import LaneOracle
    from boundcheck.methods.base import Hyper, Method
    from boundcheck.problems.base import Array

AXES = {
    "rounds": "communication rounds",
    "samples": "sampled gradients of an active client",
    "exact": "exact gradients of an active client",
    "floats": "floats that an active client sends and receives, a compressed vector counting as a vector",
    "bits": "bits that an active client sends and receives: compressed vectors by their code",
}
"""Every axis by name; what is done before the first round counts, N/S of it for an active client."""


class Meter:
    """Reads the counters of an oracle as costs; methods that toss coins cost what they do in expectation."""

    def __init__(self, oracle: LaneOracle) -> None:
        self._oracle = oracle

    def start(self) -> None:
        """Note what was sent before the first round."""
        self._oracle.floats_before = self._oracle.floats_apart

    def read(self, method: Method, t: int) -> Array:
        """Return the costs after `t` rounds in the order of `AXES`, (axes, lanes), or one lane where all are alike."""
        found, d = self._oracle.counts, self._oracle.problem.d
        traffic = method.traffic(d)
        apart = found.before + _flat(traffic.all_up) * (found.apart - found.before)
        up, down = _flat(traffic.up) * found.up, _flat(traffic.down) * found.down
        bits = (up * traffic.bits + apart * traffic.apart) / d + down * WORD
        spent = (found.gradients, found.full_gradients, up + down + apart, bits)
        return np.stack(np.broadcast_arrays(float(t), *(value / found.senders for value in spent)))


def _flat(share: Hyper) -> Array:
    return np.reshape(np.asarray(share, dtype=float), -1)
