"""Data sets that ship: standardised columns, classes, signs or targets.  Nothing is downloaded.

Where they come from, and under which licence, is in ``tables/SOURCES.md`` beside this file.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.errors import require

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from boundcheck.problems.types import Array, Indices

DATA = ("cancer", "wine", "digits", "digits-pooled", "diabetes")
"""Names of the data sets."""
_FOLDER = Path(__file__).with_name("tables")
_TABLES = {
    "breast_cancer": "breast_cancer.csv.gz",
    "wine": "wine.csv.gz",
    "digits": "digits.csv.gz",
    "diabetes": "diabetes.csv.gz",
}
"""Tables of numbers, the class or the target last."""
_HEADED = ("breast_cancer", "wine")
"""Tables whose first line says how large they are."""
_LOADERS = {"cancer": "breast_cancer", "wine": "wine", "digits": "digits", "diabetes": "diabetes"}


class Data(NamedTuple):
    """A data set."""

    features: Array
    """(rows, columns), mean 0 and variance 1 in every column (constant columns are 0)."""
    classes: Indices
    """Class numbers; for diabetes, whether the target is above its median."""
    signs: Array
    """+-1: malignant -1 and benign +1; wine of the first cultivar -1, others +1; digits 0-4 -1, 5-9 +1."""
    target: Array
    """What a regression fits: the signs, or the standardised disease progression of diabetes."""


@cache
def load_bundled(name: str) -> Data:
    """Return a bundled data set: 569 rows of cancer, 178 of wine, 1797 of digits, 442 of diabetes.

    `digits-pooled` has the means of the 16 blocks of 2 x 2 pixels instead of the 64 pixels.

    Raises
    ------
    InputError
        If there is no such data set.
    """
    require(name in DATA, "data", name, f"one of {', '.join(DATA)}")
    raw, target = _load_columns(_LOADERS[name.removesuffix("-pooled")])
    if name == "digits-pooled":
        raw = raw.reshape(-1, 4, 2, 4, 2).mean(axis=(2, 4)).reshape(-1, 16)
    features = _standard(raw)
    if name == "diabetes":
        above = (target > np.median(target)).astype(np.intp)
        return Data(features, above, _signs(above > 0), _standard(target[:, None])[:, 0])
    classes = target.astype(np.intp)
    signs = _signs(classes >= (5 if name.startswith("digits") else 1))
    return Data(features, classes, signs, signs)


def _signs(positive: NDArray[np.bool_]) -> Array:
    return np.where(positive, 1.0, -1.0)


def _standard(columns: Array) -> Array:
    spread = columns.std(axis=0)
    standard: Array = (columns - columns.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return standard


@cache
def tables_hash() -> str:
    """Return a hash of the tables: what results on data depend on."""
    digest = hashlib.sha256()
    for name in sorted(_TABLES.values()):
        digest.update((_FOLDER / name).read_bytes())
    return digest.hexdigest()[:16]


def _load_columns(name: str) -> tuple[Array, Array]:
    """Return the columns and the targets of a table."""
    table = np.loadtxt(_FOLDER / _TABLES[name], delimiter=",", skiprows=int(name in _HEADED))
    return table[:, :-1], table[:, -1]
