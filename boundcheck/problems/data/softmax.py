"""Softmax regression on bundled data: convex, nonnegative, and its smoothness is known exactly."""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from boundcheck.problems.constants import Constant, exact, lower, upper
from boundcheck.problems.data.boxes import mean_square_bound, tight_diagonal
from boundcheck.problems.data.mlp import Perceptron

if TYPE_CHECKING:
    from boundcheck.problems.types import Array

_LARGE = 60.0
"""A logit beside which others vanish."""


@dataclass(kw_only=True, eq=False, repr=False)
class Softmax(Perceptron):
    """f_i(W, c) = mean_n cross-entropy of softmax(W a_n + c) over the rows of client i.

    With z = (a, 1) and p the softmax of a row, the row's gradient is (p - e_y) z^T and its Hessian
    (diag(p) - p p^T) kron z z^T.  |diag(p) - p p^T| <= 1/2, reached where two classes share all probability; biases
    alone do that for all rows at once, so L, L_sample and L_rms are exact.  f >= 0; with separable classes the
    infimum is 0 and not attained.

    Parameters
    ----------
    N : int
        Clients, at most the rows of the data set.
    data : {'wine', 'cancer', 'digits', 'digits-pooled'}
        See `boundcheck.problems.data.bundled`; one output a class.
    split, skew, concentration, shards, split_seed :
        Which rows a client has, see `boundcheck.problems.data.partition`.
    holdout : int
        Every holdout-th row goes to no client and measures `accuracy`; 0 holds none out.
    start : float
        Scale of the start, see `boundcheck.problems.data.mlp.Perceptron`; 0 gives all classes the same probability.
    """

    family = "softmax"
    shallowest: ClassVar[int] = 0
    width: int = field(default=4, init=False)
    depth: int = field(default=0, init=False)
    structure_seed: int = field(default=0, init=False)
    start: InitVar[float] = 0.0

    def gradient_ceiling(self) -> Constant:
        z = np.concatenate([self.rows, (self.weights > 0)[..., None]], axis=-1)
        shares = (self.weights / self.N)[..., None]
        total = 2 * float(tight_diagonal((z * shares).reshape(-1, z.shape[-1])).sum())
        return upper(total, "each row's error |p - e_y|^2 <= 2 roams on its own: loose by a factor of two or so")

    def certified_constants(self) -> dict[str, Constant | None]:
        z = np.concatenate([self.rows, (self.weights > 0)[..., None]], axis=-1)
        squares = (z * z).sum(axis=-1)
        weighted = z * np.sqrt(self.weights)[..., None]
        fourth = weighted * np.sqrt(squares)[..., None]
        even = self._two_classes()
        why = "two classes share all probability in every row"
        spread = float((2 * self.weights * squares).sum(axis=1).max())
        return {
            "L": exact(float((np.linalg.norm(weighted, 2, axis=(1, 2)) ** 2).max()) / 2, why, even),
            "L_sample": exact(float(squares.max()) / 2, f"longest row; {why}", even),
            "L_rms": exact(float(np.linalg.norm(fourth, 2, axis=(1, 2)).max()) / 2, why, even),
            "sigma": upper(np.sqrt(spread), "second moment with every row as wrong as can be: loose by a third or so"),
            "zeta": self._heterogeneity(z),
            "G_inf": self._largest_coordinate(z),
            "f_star": lower(0.0, "cross-entropy is >= 0; separable classes come as near as one likes"),
            "Delta": upper(self.initial_value, "f(x_0) - 0"),
        }

    def _two_classes(self) -> Array:
        """Return the point at which the first two classes have probability 1/2 in every row."""
        at = np.zeros(self.d)
        at[self.layers[-1].biases][:2] = _LARGE
        return at

    def _heterogeneity(self, z: Array) -> Constant:
        """Bound mean_i |grad f_i|^2, where |v_n|^2 = |p - e_y|^2 <= 2."""
        if self.N == 1:
            return exact(0.0, "a single client")
        why = "each row's error roams on its own: loose by a factor of two or more when skew is small"
        return upper(np.sqrt(2 * mean_square_bound(z, self.sizes)), why)

    def _largest_coordinate(self, z: Array) -> Constant:
        """Return max |z_nc|: row n is certain of a wrong class."""
        n, c = np.unravel_index(int(np.abs(z).reshape(-1, z.shape[-1]).argmax()), (z.shape[0] * z.shape[1], z.shape[2]))
        row, label = z.reshape(-1, z.shape[-1])[n], int(self.labels.reshape(-1, self.labels.shape[-1])[n].argmax())
        wrong = (label + 1) % self.labels.shape[-1]
        at, layer = np.zeros(self.d), self.layers[-1]
        at[layer.weights].reshape(layer.outputs, layer.inputs)[wrong] = row[:-1] * (_LARGE / (row @ row))
        at[layer.biases][wrong] = row[-1] * (_LARGE / (row @ row))
        return exact(float(np.abs(row[c])), "largest entry; approached where its row is certain of a wrong class", at)
