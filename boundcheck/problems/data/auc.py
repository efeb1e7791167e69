"""AUC maximisation as a saddle: the min-max form of the pairwise square loss, with a linear or one-layer score."""

from __future__ import annotations

from dataclasses import InitVar, dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require, require_count
from boundcheck.problems.arrays import matvec, rows_of
from boundcheck.problems.constants import Constant, exact, lower, upper
from boundcheck.problems.data.auc_constants import ball_constants, linear_constants, quadratic_envelope
from boundcheck.problems.data.auc_data import auc_rows, gauss_classes
from boundcheck.problems.data.rows import RowProblem
from boundcheck.problems.data.scorers import ACTIVATIONS, HiddenLayer, Linear

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices


class _Scored(RowProblem):
    """Says what `scorer` is once its parameter, a word, has been looked up."""

    scorer: Linear | HiddenLayer


@dataclass(kw_only=True, eq=False, repr=False)
class Auc(_Scored):
    """min over (m, a, b), max over w of the mean over rows x with label y of a square surrogate of 1 - AUROC.

    f = (1-p) (h-a)^2 [y=1] + p (h-b)^2 [y=-1] + 2 (1+w) (p h [y=-1] - (1-p) h [y=1]) - p (1-p) w^2 with h = h(m; x) and
    p = Pr(y=1) over all clients.  With E+ and E- the class means and delta = E- h - E+ h, the maximiser is w = delta,
    mu = 2 p (1-p) <= 1/2, and min over (a, b) of Phi is p (1-p) (P - 1) with P = E (1 - h(x+) + h(x-))^2 over pairs.

    The assumptions of the minimax theorems fail on the whole space: row gradients differ by an amount that grows with
    the point.  `sigma`, `zeta_pair` and, with a hidden layer, `L_block` therefore hold for |(m, a, b, w)| <= `radius`.

    Parameters
    ----------
    N : int
        Clients.
    data : {'two-point', 'gauss', 'cancer', 'wine', 'digits', 'digits-pooled'}
        x = 1 positive and x = -1 negative; Gaussian classes in 4 dimensions, sampled by 8 points a class with the same
        mean and covariance (the objective is that of the Gaussians); or bundled data.
    scorer : {'linear', 'hidden'}
        h = <m, x>, or h = <v, s(U x)>.
    width, activation : int, {'tanh', 'sigmoid'}
        Of the hidden layer; tanh sees a column of ones beside the data, sigmoid does not.
    keep_negatives : float
        Share of the negative rows of bundled data that is kept.
    split, skew, concentration, split_seed :
        Which rows a client has, see `boundcheck.problems.data.auc_data`.
    radius : float
        Of the ball on which constants hold.
    start : float
        Scale of (m, a, b) at the start; a hidden layer of two or more units starts with unequal units.

    Attributes
    ----------
    p : float
        Rate of positives.
    """

    family = "auc"
    data: str = "digits-pooled"
    scorer: InitVar[str] = "linear"
    width: int = 4
    activation: str = "tanh"
    keep_negatives: float = 0.2
    radius: float = 3.0
    start: InitVar[float] = 0.5

    def __post_init__(self, start: float, scorer: str) -> None:
        require(scorer in {"linear", "hidden"}, "auc: scorer", scorer, "linear or hidden")
        require(self.activation in ACTIVATIONS, "auc: activation", self.activation, f"one of {', '.join(ACTIVATIONS)}")
        self.require_positive("radius")
        require_count(self.width, "auc: width")
        linear = scorer == "linear"
        self._place(linear=linear)
        columns = self.rows.shape[2]
        self.scorer = Linear(columns) if linear else HiddenLayer(columns, self.width, self.activation)
        self.k = self.scorer.size
        self.d1 = self.k + 2
        self.blocks = (self.d1, 1)
        first = np.full(self.d1 + 1, float(start))
        if not linear and self.width > 1:
            first[: self.k] *= np.cos(1 + np.arange(self.k))
        first[-1] = 0.0
        self._begin(first, self.table.sizes)

    def _place(self, *, linear: bool) -> None:
        """Give the clients their rows."""
        table = auc_rows(
            self.N, self.data, keep_negatives=self.keep_negatives, skew=self.skew, partition=self.partition
        )
        self.table = table if linear or self.activation != "tanh" else table.with_ones()
        self.rows, self.positive, self.weights = self.table.rows, self.table.positive, self.table.weights
        self.test, self.p, self.mu = self.table.test, self.table.p, self.table.mu
        require(0 < self.p < 1, "auc: p", self.p, "strictly between 0 and 1: both classes must occur")

    def _gradient(self, x: Array, rows: Array, positive: Array, weights: Array) -> Array:
        """Sum the row gradients with these weights, for every lane and client alone."""
        m, k = x[..., : self.k], self.k
        a, b, w = (x[..., k + j, None] for j in range(3))
        h = self.scorer.score(m, rows)
        share = weights * np.where(positive > 0, 1 - self.p, self.p)
        miss = h - np.where(positive > 0, a, b)
        side = np.where(positive > 0, -1.0, 1.0)
        g = np.empty_like(x, order="C")
        g[..., :k] = self.scorer.pull(m, rows, 2 * share * (miss + side * (1 + w)))
        g[..., k] = -2 * np.vecdot(share * positive, miss)
        g[..., k + 1] = -2 * np.vecdot(share * (1 - positive), miss)
        g[..., k + 2] = 2 * np.vecdot(share * side, h) - self.mu * x[..., -1]
        return g

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return (grad of m, a, b; grad of w) of the clients' means."""
        chosen = rows_of(clients)
        return self._gradient(x, self.rows[chosen], self.positive[chosen], self.weights[chosen])

    def batch_gradient(self, x: Array, owner: Indices, row: Indices) -> Array:
        return self._gradient(x, self.rows[owner, row], self.positive[owner, row], np.array(1.0 / row.shape[-1]))

    def outcomes(self, x: Array, client: int) -> Array:
        m = self.sizes[client]
        at = np.broadcast_to(x, (m, self.d))
        return self._gradient(at, self.rows[client, :m, None], self.positive[client, :m, None], np.ones(1))

    def _means(self, x: Array) -> tuple[Array, Array]:
        """Return the scores of all rows, and their weights in f, shapes (lanes, rows) and (rows,)."""
        h = self.scorer.score(x[..., 0, : self.k], self.rows.reshape(-1, self.rows.shape[2]))
        return h, self.weights.ravel() / self.N

    def value(self, x: Array) -> Array:
        """Return the average function at (m, a, b, w)."""
        h, weights = self._means(x)
        a, b, w = (x[:, 0, self.k + j, None] for j in range(3))
        positive = self.positive.ravel() > 0
        share = weights * np.where(positive, 1 - self.p, self.p)
        side = np.where(positive, -1.0, 1.0)
        each = (h - np.where(positive, a, b)) ** 2 + 2 * (1 + w) * side * h
        total: Array = np.vecdot(each, share) - self.mu / 2 * x[:, 0, -1] ** 2
        return total

    def best_response(self, x: Array) -> Array:
        """Return delta, the difference of the classes' mean scores."""
        h, weights = self._means(x)
        share = weights * np.where(self.positive.ravel() > 0, self.p - 1, self.p)
        best: Array = (2 * np.vecdot(h, share) / self.mu)[:, None, None]
        return best

    def _at_best(self, x: Array) -> Array:
        return np.concatenate([x[..., : self.d1], self.best_response(x)], axis=-1)

    def envelope(self, x: Array) -> Array:
        """Return Phi(m, a, b) = F(m, a, b, delta)."""
        return self.value(self._at_best(x))

    def envelope_gradient(self, x: Array) -> Array:
        """Return grad Phi, by Danskin's theorem."""
        return self.mean_gradient(self._at_best(x))[..., : self.d1]

    def auroc(self, x: Array) -> Array:
        """Return the share of pairs of test rows in the right order (ties count half), shape (lanes,).

        For Gaussian classes it is exact: the normal distribution function of <m, difference of means> over its
        standard deviation.
        """
        m = x[:, 0, : self.k]
        if self.data == "gauss" and isinstance(self.scorer, Linear):
            return _gauss_auroc(m)
        up, down = (self.scorer.score(m, rows) for rows in self.test)
        return np.array([_auroc_of(first, second) for first, second in zip(up, down, strict=True)])

    def certified_constants(self) -> dict[str, Constant | None]:
        miss = float(self.start[-1] - self.best_response(self.start[None, None, :])[0, 0, 0])
        if isinstance(self.scorer, Linear):
            found = self._linear()
        else:
            found = {**ball_constants(self.table, self.scorer, self.radius), **self._floor()}
        return {**found, "delta_y": exact(miss**2, "(w_0 - delta)^2 at the start", self.start)}

    def _linear(self) -> dict[str, Constant]:
        """Return the constants of a linear score: row gradients are H z + c, and Phi is a quadratic."""
        origin, axes = np.zeros(self.d), np.eye(self.d)
        offsets = [self.outcomes(origin, i) for i in range(self.N)]
        matrices = [
            np.stack([self.outcomes(axis, i) - offset for axis in axes], axis=-1) for i, offset in enumerate(offsets)
        ]
        top, at = quadratic_envelope(matrices, offsets, self.mu)
        low = float(self.envelope(at[None, None, :])[0])
        return {
            **linear_constants(self.table, matrices, offsets, self.radius),
            "L_Phi": exact(top, "Phi is quadratic: its largest curvature", at),
            "Phi_star": exact(low, "Phi is a convex quadratic: its minimum by linear algebra", at),
            "Delta_Phi": exact(self._initial_envelope - low, "Phi(start) - Phi_star in closed form", self.start),
        }

    @property
    def _initial_envelope(self) -> float:
        return float(self.envelope(self.start[None, None, :])[0])

    def _floor(self) -> dict[str, Constant]:
        """Return Phi_star and Delta_Phi: Phi >= p (1-p) (P - 1) with P >= 0."""
        low = -self.p * (1 - self.p)
        gap = self._initial_envelope - low
        if self.data == "two-point":
            why = "P = 0 where the two scores differ by 1"
            return {"Phi_star": exact(low, why), "Delta_Phi": exact(gap, f"Phi(start) - Phi_star; {why}")}
        why = "the pairwise loss is >= 0: too low by p (1-p) times its minimum"
        return {"Phi_star": lower(low, why), "Delta_Phi": upper(gap, why)}


def _auroc_of(up: Array, down: Array) -> float:
    ranked = np.sort(down)
    below, upto = np.searchsorted(ranked, up, "left"), np.searchsorted(ranked, up, "right")
    return float((below + upto).sum() / (2 * len(up) * len(down)))


def _gauss_auroc(m: Array) -> Array:
    from scipy.special import ndtr

    (mean, first), (other, second) = gauss_classes()
    spread = np.sqrt(np.vecdot(m, matvec(first + second, m)))
    gap = np.vecdot(m, mean - other)
    shares: Array = ndtr(np.divide(gap, spread, out=np.zeros_like(gap), where=spread > 0))
    return shares
