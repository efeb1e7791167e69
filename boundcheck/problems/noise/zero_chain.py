"""Oracles that hide the next link of a chain: with a hard indicator, and with one that is mean-square smooth.

A sample multiplies coordinate i of the gradient by 1 + Theta_i(x) (factor - 1), where factor is `odds` with probability
1/odds and 0 otherwise, and Theta_i is 1 where no coordinate from i on is large and 0 where one is.

References
----------
.. [1] Arjevani, Carmon, Duchi, Foster, Srebro, Woodworth, arXiv:1912.02365 (both oracles).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import NotApplicableError
from boundcheck.problems.constants import Constant
from boundcheck.problems.noise.dropout import DropoutNoise

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Token

_FIRST_ROW = (152.0, 7.7)
"""Bounds of |Hess F v| for v among the known coordinates and among the others, times |v|."""
_SECOND_ROW = (7.35, 161.4)
"""Bounds of |J_h v|, h_i = Theta_i grad_i F, likewise: sqrt(e) sup Psi' and 36 e^(3/2)."""

_FAR = 1e4
"""Where Psi is at its supremum to eight digits."""


class ZeroChainNoise(DropoutNoise):
    """Hide the next link: coordinates after the last |x_i| > scale/4 are odds times too large, or (mostly) zero.

    That coordinate is known to have a gradient; the later ones have none.  The variance at x is (odds - 1) times the
    square of this one coordinate.  Samples are not continuous in x, so there is no L_sample and no L_rms.
    """

    kind = "zero-chain"

    def __init__(self, odds: int, d: int, scale: float) -> None:
        super().__init__(odds, d)
        self.scale = scale

    def hidden(self, x: Array) -> Array:
        """Return Theta(x), the share of each coordinate that is hidden: 1 after the last large one, else 0."""
        known = np.abs(x) > self.scale / 4
        reached = np.maximum.accumulate(known[..., ::-1], axis=-1)[..., ::-1]
        return np.where(reached, 0.0, 1.0)

    def _noise_factors(self, x: Array, factors: Array) -> Array:
        return 1.0 + self.hidden(x) * (factors - 1.0)

    def add(self, g: Array, x: Array, token: Token) -> Array:
        """Multiply the hidden coordinates by the factors."""
        g *= self._noise_factors(x, token)
        return g

    def around(self, g: Array, x: Array) -> Array:
        factors = self._factors(np.arange(self.odds))
        return self._noise_factors(x, factors) * g

    def smoothness(self, unit: float) -> dict[str, Constant | None]:
        """Return L_sample and L_rms where the Hessian of the unscaled chain is worth `unit`: there are none."""
        return {}

    def sample_coordinate(self, coordinate: Constant) -> Constant:
        """Refuse: the chain knows better."""
        raise NotApplicableError(f"{self.kind} noise scales one coordinate: see Chain")


class SmoothZeroChainNoise(ZeroChainNoise):
    """Hide the next link by a smoothed indicator, so that samples are Lipschitz, in mean square by 1/sqrt(p) only.

    Theta_i(x) = ramp(1 - (sum_(k >= i) ramp(|x_k|/scale)^2)^(1/2)); ramp rises from 0 at 1/4 to 1 at 1/2 as a cubic.
    Where all |x_k| <= scale/4 from i on, Theta_i = 1; where one is >= scale/2, Theta_i = 0.

    Constants (scale = 1).  F's gradient vanishes after i = prog(x) + 1, prog(x) the last k with |x_k| > 1/2, so
    h = Theta grad F has the single coordinate h_i = -q(x_(i-1)) Phi'(x_i) Theta_i with q = Psi(.) + Psi(-.), at most
    e^(3/2) in size.  Its gradient: (q' Phi' Theta)^2 + q^2 Phi'^2 |grad Theta - x_i Theta e_i|^2, where |grad Theta| <=
    6 * 6.  With G the last square, a large G (2.84 and more) is worst at q = e, q' = 0, and Phi'(z)^2 (36 + z)^2 for
    |z| >= 1/4 is below e 36^2; so |grad h_i| <= 36 e^(3/2) = 161.34.  A sample is grad F + (factor - 1) h with
    E(factor - 1)^2 = odds - 1, hence for v = (v_1, v_2), known and later coordinates,

        E|J v|^2 <= (152 |v_1| + 7.7 |v_2|)^2 + (odds - 1) (7.35 |v_1| + 161.4 |v_2|)^2,

    as Hess F v_2 has the two entries q' Phi' and q Phi' x_i, |x_i| <= 1/2.  The norm of this form is L_rms, below
    162 sqrt(odds) (the paper's bound is 328); with factors in place of their mean square it is L_sample, which grows
    as odds.
    """

    kind = "smooth-zero-chain"

    def hidden(self, x: Array) -> Array:
        known = _ramp(np.abs(x) / self.scale)
        tail = np.cumsum((known * known)[..., ::-1], axis=-1)[..., ::-1]
        return _ramp(1.0 - np.sqrt(tail))

    def smoothness(self, unit: float) -> dict[str, Constant | None]:
        first, second = np.array(_FIRST_ROW), np.array(_SECOND_ROW)
        mean_square = np.linalg.norm(np.stack([first, np.sqrt(self.odds - 1) * second]), 2)
        every = np.linalg.norm(first + (self.odds - 1) * second)
        why = "suprema of chain and indicator multiplied: loose by a few percent with four links or more"
        at = self._steep()
        return {
            "L_sample": Constant(unit * float(every), "upper", why, at),
            "L_rms": Constant(unit * float(mean_square), "upper", why, at),
        }

    def _steep(self) -> Array:
        """Return where the indicator of the second link is about steepest: its argument at 5/8, on two coordinates."""
        at = np.zeros(self.d)
        at[: int(self.d > 1)] = _FAR
        moved = at[min(2, self.d - 1) : 4]
        level = 0.625 / np.sqrt(len(moved))
        moved[:] = (1.5 + np.sin(np.arcsin(2 * level - 1) / 3)) / 4
        return self.scale * at


def _ramp(t: Array) -> Array:
    """Return the cubic that rises from 0 at 1/4 to 1 at 1/2; its slope is at most 6."""
    s = np.clip(4.0 * t - 1.0, 0.0, 1.0)
    return s * s * (3.0 - 2.0 * s)
