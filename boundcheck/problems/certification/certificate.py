"""What an attack on one constant came to."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boundcheck.verdicts.words import ConstantWord

_ROUNDING = 1e-9
"""How far above 1 a ratio may lie, relatively."""
_REACHED = {"exact": 0.99, "upper": 0.5, "lower": 0.5}
"""What share of a claim must be found: a proved bound may be loose, and says so."""
TOLERANCE = 1e-6
"""Largest relative error of an identity."""


@dataclass(frozen=True)
class Certificate:
    """How far one constant could be pushed."""

    problem: str
    """Name of the problem."""
    constant: str
    """Letter, 'sup |grad f|^2', or the name of an identity ('grad f', 'unbiased', 'Phi') or a test of draws."""
    kind: str
    """exact, upper, lower or estimate; identity for an identity, sampler for a test of draws."""
    claimed: float
    """Value claimed; for an identity the tolerance, for draws 1."""
    attained: float
    """Most extreme value found; for an identity the largest relative error, for draws the deviation over what chance
    allows."""
    ratio: float
    """How close the search came: 1 is attained, above 1 refutes the claim.

    attained/claimed for a supremum, claimed/attained for `mu`, and for `f_star` and `Phi_star` the descent from the
    start that was found over the descent claimed.
    """
    ok: bool
    """No refutation, an exact value is reached up to 1 %, and the value is not a mere estimate."""
    reason: str
    """Why the claim holds (as the problem says it)."""
    status: ConstantWord
    """See `status_of`."""


def status_of(kind: str, claimed: float, ratio: float) -> ConstantWord:
    """Return what became of a claim.

    ``exceeded``: refuted, or not a finite number.  ``stands``: the search came as close as it should, to 1 % of an
    exact value and half way up to a proved bound, and no further.  ``not reached``: neither, so that the search says
    nothing about the claim: it may be too large, or its supremum far away or narrow.  An estimate never stands.
    """
    if not (math.isfinite(claimed) and ratio <= 1 + _ROUNDING):
        return "exceeded"
    return "stands" if ratio >= _REACHED.get(kind, math.inf) else "not reached"
