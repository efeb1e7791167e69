"""Scores h(m; a) of rows a: linear, or one hidden layer; with the bounds that hold on a ball of parameters.

Parameters m are one vector (..., size), rows (..., rows, columns).  A scorer has ``score``, h of every row (..., rows),
and ``pull``, sum_n weights_n grad_m h(m; a_n) (..., size).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.problems.arrays import matvec, matvec_transposed
from boundcheck.problems.links import LINKS

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.problems.types import Array


@dataclass(frozen=True)
class Linear:
    """h = <m, a>."""

    columns: int

    @property
    def size(self) -> int:
        """Return the number of columns."""
        return self.columns

    def score(self, m: Array, rows: Array) -> Array:
        """Return <m, a_n>: one matrix-vector product a lane and client."""
        return matvec(rows, m)

    def pull(self, m: Array, rows: Array, weights: Array) -> Array:
        """Return sum_n weights_n a_n."""
        return matvec_transposed(rows, weights)


class Activation(NamedTuple):
    """A scalar function with the suprema of its absolute value and of its first two derivatives."""

    value: Callable[[Array], Array]
    slope: Callable[[Array], Array]
    """The derivative, as a function of the value."""
    sup: float
    sup_slope: float
    sup_curvature: float


ACTIVATIONS: dict[str, Activation] = {
    "tanh": Activation(np.tanh, lambda s: 1.0 - s * s, 1.0, 1.0, 4.0 / (3.0 * np.sqrt(3.0))),
    "sigmoid": Activation(LINKS["sigmoid"].value, lambda s: s * (1.0 - s), 1.0, 0.25, 1.0 / (6.0 * np.sqrt(3.0))),
}
"""Activations by name."""


class BallSuprema(NamedTuple):
    """Suprema over a ball of parameters for one row."""

    score: Array
    gradient: Array
    hessian: Array


@dataclass(frozen=True)
class HiddenLayer:
    """h = <v, s(U a)> with `width` hidden units; m = (U row by row, v)."""

    columns: int
    width: int
    activation: str

    @property
    def size(self) -> int:
        """Return width (columns + 1)."""
        return self.width * (self.columns + 1)

    def hidden(self, m: Array, rows: Array) -> Array:
        """Return s(U a_n), shape (..., rows, width)."""
        cut = self.width * self.columns
        U = m[..., :cut].copy().reshape(*m.shape[:-1], self.width, self.columns)
        return ACTIVATIONS[self.activation].value(np.matmul(rows, np.swapaxes(U, -1, -2)))

    def score(self, m: Array, rows: Array) -> Array:
        """Return <v, s(U a_n)>: products a lane and client."""
        v = m[..., self.width * self.columns :]
        return matvec(self.hidden(m, rows), v)

    def pull(self, m: Array, rows: Array, weights: Array) -> Array:
        """Return sum_n weights_n grad_m h, by backpropagation."""
        act, v = self.hidden(m, rows), m[..., self.width * self.columns :]
        back = ACTIVATIONS[self.activation].slope(act) * v[..., None, :] * weights[..., None]
        first = np.matmul(np.swapaxes(back, -1, -2), rows)
        second = matvec_transposed(act, weights)
        return np.concatenate([first.reshape(*m.shape[:-1], -1), second], axis=-1)

    def reach(self, radius: float, lengths: Array) -> BallSuprema:
        """Bound |h|, |grad h| and |Hess h| for |m| <= radius and rows of these lengths.

        |h| <= |v| sqrt(width) sup|s|; grad_v h = s(U a) and grad_U h has norm |(v_k s'_k)| |a|; the Hessian has blocks
        s'_k a off the diagonal and v_k s''_k a a^T on it.
        """
        s = ACTIVATIONS[self.activation]
        flat = np.sqrt(self.width) * s.sup
        return BallSuprema(
            np.full(lengths.shape, radius * flat),
            np.sqrt(flat**2 + (radius * s.sup_slope * lengths) ** 2),
            s.sup_slope * lengths + radius * s.sup_curvature * lengths**2,
        )
