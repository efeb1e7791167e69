"""Positive and negative rows for AUC maximisation: two points, Gaussian classes, or bundled data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.data.bundled import DATA, load_bundled

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from numpy.typing import NDArray

    from boundcheck.problems.data.partition import Partition
    from boundcheck.problems.types import Array, Indices

    Mask: TypeAlias = NDArray[np.bool_]

SOURCES = ("two-point", "gauss", *DATA[:-1])
"""Names of the sources of rows; diabetes has no classes."""
_COLUMNS = 4


@dataclass(frozen=True)
class AucRows:
    """Rows of every client, and the rows on which AUROC is measured."""

    rows: Array
    """(N, m, columns), padded with zeros."""
    positive: Array
    """(N, m): 1 for positive rows, 0 for negative ones and padding."""
    weights: Array
    """(N, m): weight of a row in its client's mean."""
    sizes: Indices
    """(N,)."""
    test: tuple[Array, Array]
    """Positive and negative rows held out."""

    @property
    def p(self) -> float:
        """Rate of positives over all clients."""
        return float((self.weights * self.positive).sum(axis=1).mean())

    @property
    def mu(self) -> float:
        """Strong concavity 2 p (1-p) in w."""
        return 2 * self.p * (1 - self.p)

    def with_ones(self) -> AucRows:
        """Return the rows with a column of ones, which padding has too: its weight is 0."""
        first, second = (_with_ones(rows) for rows in self.test)
        return replace(self, rows=_with_ones(self.rows), test=(first, second))


def _with_ones(rows: Array) -> Array:
    return np.concatenate([rows, np.ones((*rows.shape[:-1], 1))], axis=-1)


def auc_rows(
    N: int, source: str, *, keep_negatives: float, skew: float, partition: Callable[[Indices], Partition]
) -> AucRows:
    """Return the rows of a source in `SOURCES`.

    Bundled data: every fifth row is held out; of the other negatives a share `keep_negatives` is kept, evenly spaced;
    the kept rows go where `partition` says, given their classes.  The two designs give their points to every client,
    with class rates that differ by `skew`.

    Raises
    ------
    InputError
        If a value is not legal, or there are more clients than rows.
    """
    require(source in SOURCES, "auc: data", source, f"one of {', '.join(SOURCES)}")
    require(0 < keep_negatives <= 1, "auc: keep_negatives", keep_negatives, "a number in (0, 1]")
    require(0 <= skew <= 1, "auc: skew", skew, "a number in [0, 1]")
    if source == "two-point":
        return _design(N, np.ones((1, 1)), -np.ones((1, 1)), copies=(1, 1), swapped=round(skew))
    if source == "gauss":
        positive, negative = gauss_classes()
        return _design(N, _sigma_points(*positive), _sigma_points(*negative), copies=(5, 1), swapped=round(skew))
    data = load_bundled(source)
    held = np.arange(len(data.signs)) % 5 == 4
    negatives = np.flatnonzero(~held & (data.signs < 0))
    kept = negatives[np.floor(np.arange(round(keep_negatives * len(negatives))) / keep_negatives).astype(int)]
    chosen = np.sort(np.concatenate([np.flatnonzero(~held & (data.signs > 0)), kept]))
    parts = partition(data.classes[chosen])
    return _gather_rows(parts, data.features[chosen], data.signs[chosen] > 0, data.features[held], data.signs[held] > 0)


def gauss_classes() -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Return (mean, covariance) of the positive and of the negative class."""
    c = np.arange(_COLUMNS)
    mean = 0.6 * np.cos(c)
    first = np.diag(1.0 + 0.5 * c / _COLUMNS)
    second = 0.3 ** np.abs(c[:, None] - c)
    return (mean, first), (-mean, second)


def _sigma_points(mean: Array, covariance: Array) -> Array:
    """Return 2 n equally likely points with this mean and covariance: mean +- sqrt(n) times columns of a root."""
    root = np.linalg.cholesky(covariance) * np.sqrt(len(mean))
    return np.concatenate([mean + root.T, mean - root.T])


def _design(N: int, positive: Array, negative: Array, *, copies: tuple[int, int], swapped: int) -> AucRows:
    """Give every client copies of all points; with `swapped`, clients in turn have one copy more or less of each class.

    The last client of an odd number keeps the plain copies, so the average class rate does not change.
    """
    shift = np.where(np.arange(N) % 2 == 0, swapped, -swapped)
    if N % 2:
        shift[-1] = 0
    rows, labels = [], []
    for move in shift:
        up, down = copies[0] + move, copies[1] - move
        rows.append(np.concatenate([np.tile(positive, (up, 1)), np.tile(negative, (down, 1))]))
        labels.append(np.repeat([1.0, 0.0], [up * len(positive), down * len(negative)]))
    m = len(labels[0])
    return AucRows(
        np.stack(rows), np.stack(labels), np.full((N, m), 1.0 / m), np.full(N, m), (positive.copy(), negative.copy())
    )


def _gather_rows(parts: Partition, features: Array, positive: Mask, held: Array, held_positive: Mask) -> AucRows:
    return AucRows(
        parts.take(features),
        parts.take(positive.astype(float)),
        parts.weights,
        parts.sizes,
        (held[held_positive], held[~held_positive]),
    )
