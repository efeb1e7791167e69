"""The oracle on Gram coordinates where S of N clients are active in a round, drawn without replacement.

All N clients of the generic one make their local steps: those of the inactive are points of their functions like any
others, and nobody hears of them.  What the draw decides is the mean over the active clients and who remembers what;
each is a new basis vector, whose products with all that does not depend on the draw are known
(`boundcheck.worst.facts.participation`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from boundcheck.errors import require, require_count
from boundcheck.worst.gram.oracle import Element, GramOracle
from boundcheck.worst.gram.vectors import DEVIATION, MEAN, GramVector, Nonlinear, vector_of


@dataclass
class PartialOracle(GramOracle):
    """`GramOracle` where `active` of the N clients take part in a round.

    Attributes
    ----------
    active_clients : int
        S < N.
    """

    active_clients: int = 1
    _draw: int = -1
    _means: dict[tuple[int, bytes], GramVector] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse counts that do not exist."""
        super().__post_init__()
        require_count(self.active_clients, "S")
        require(self.active_clients < self.N, "S", self.active_clients, f"at most N = {self.N}")
        self.S = self.active_clients

    def begin_round(self) -> None:
        """Draw the active clients of the next round."""
        self._draw += 1

    def mean(self, v: Any, *, free: bool = False) -> Any:
        """Average over the active clients: the mean over all, and how far the draw is from it."""
        if isinstance(v, Nonlinear):
            return v
        vector = vector_of(v)
        return vector.mean + self._mean_of_active(_apart(vector))

    def mean_all(self, v: Any) -> Any:
        """Average over all clients."""
        return v if isinstance(v, Nonlinear) else vector_of(v).mean

    def remember(self, memory: Any, rows: Any) -> Any:
        """Return the memory with the rows of the active clients.

        With d = rows - memory and s = S/N that is memory + s mean_active d + (what the clients differ in): the
        deviations of d where a client is active, and its mean, which the active have and the others have not.
        """
        if isinstance(memory, Nonlinear) or isinstance(rows, Nonlinear):
            return Nonlinear.first_of((memory, rows), "remember")
        change = vector_of(rows - memory)
        share = self.S / self.N
        deviations = self._deviation_of("kept", _apart(change))
        means = self._deviation_of("spread", change.mean)
        return memory + share * self.mean(change) + deviations + means

    def _mean_of_active(self, apart: GramVector) -> GramVector:
        """Return the mean of deviations over the active clients; multiples of one vector have multiples of one mean."""
        lead = next((c for c in apart.coefficients[DEVIATION] if c), None)
        if lead is None:
            return GramVector(0 * apart.coefficients)
        unit: GramVector = apart * (1.0 / lead)
        key = self._draw, self._key(unit)
        if key not in self._means:
            self._means[key] = self.new(self._element("sampled", unit))
        return GramVector(lead * self._means[key].coefficients)

    def _deviation_of(self, kind: Any, of: GramVector) -> GramVector:
        """Return a new vector without a mean."""
        if not of.coefficients.any():
            return GramVector(0 * of.coefficients)
        return _apart(self.new(self._element(kind, of)))

    def _element(self, kind: Any, of: GramVector) -> Element:
        own, shared = self.depends(of)
        drawn = self.draws_behind(of) | {self._draw}
        return Element(f"{kind} {len(self.basis)}", kind, frozenset(), own | shared, 1, drawn, of, self._draw)


def _apart(v: GramVector) -> GramVector:
    """Return the deviation of a vector."""
    kept = v.coefficients.copy()
    kept[MEAN] = 0 * kept[MEAN]
    return GramVector(np.asarray(kept))
