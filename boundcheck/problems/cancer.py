"""Rows of scikit-learn's bundled breast cancer data, standardised, signed by their label and dealt to clients."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import InputError, require, require_count

if TYPE_CHECKING:
    from boundcheck.problems.base import Array, Indices

ROWS = 569
"""Samples in the data set."""


def signed_rows(N: int, skew: float, *, bias: bool) -> Array:
    """Return y_n a_n for the rows of every client, shape (N, m, d) with m = 569 // N.

    Columns have mean 0 and variance 1 over all 569 rows; `bias` appends a column of ones; labels are +-1.  The first
    N m rows of the file are kept and sorted by label (stably), then cut into m runs of N consecutive rows.  A share
    `skew` of the runs, evenly spaced, forms a sorted pool of which every client takes one contiguous piece; each
    other run gives one row to each client.  So 0 is an even split, 1 is sorted by label, and the kept rows (hence f)
    are the same for every skew.
    """
    require_count(N, "logistic: N")
    features, labels = _standardised()
    require(N <= ROWS, "logistic: N", N, f"at most {ROWS}, the rows of the data set")
    m = ROWS // N
    order = np.argsort(labels[: N * m], kind="stable").reshape(m, N)
    rows = _dealt(order, round(skew * m))
    signed = features * labels[:, None]
    if bias:
        signed = np.concatenate([signed, labels[:, None]], axis=1)
    return np.ascontiguousarray(signed[rows])


def _dealt(runs: Indices, pooled: int) -> Indices:
    """Return the rows of every client (N, m) when `pooled` of the runs (m, N) are given out in sorted order."""
    m, N = runs.shape
    into_pool = np.zeros(m, dtype=bool)
    into_pool[np.floor((np.arange(pooled) + 0.5) * m / max(pooled, 1)).astype(int)] = True
    pieces = runs[into_pool].reshape(N, pooled)
    dealt: Indices = np.concatenate([pieces, runs[~into_pool].T], axis=1)
    return dealt


@cache
def _standardised() -> tuple[Array, Array]:
    try:
        from sklearn.datasets import load_breast_cancer
    except ImportError as error:
        msg = "family logistic needs scikit-learn's bundled data; install it with: pip install boundcheck[data]"
        raise InputError(msg) from error
    raw, target = load_breast_cancer(return_X_y=True)
    features = (raw - raw.mean(axis=0)) / raw.std(axis=0)
    return features, 2.0 * target - 1.0
