"""How far an exponent can be from the fitted one: intervals that allow for noise and for a term that nobody listed.

The mean is modelled as M(x) + c x^(-q) with M(x) = a x^(-p) + sum_j a_j x^(-p_j), a >= 0, a_j >= 0: the theorem's terms
and one nuisance, of either sign, with q = 0 (a floor) or q = p + r for r in `AHEAD`.  At the last point of the grid it
is at most `SHARE` of M: else what is measured would not be the theorem's decay.  For given p and q all that is unknown
is linear, so chi^2 is minimised exactly, and the interval is where the profile of p stays below its quantile.  Plain
intervals, without the nuisance, cover the exponent in 0 to 20 % of the cases if there is one.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import chain, combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from boundcheck.problems.base import Array

AHEAD = (-0.25, -0.1, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5)
"""Powers of the nuisance, relative to the leading one."""
SHARE = 0.5
"""Largest nuisance at the last point, as a share of the theorem's terms."""
SHARPEST = 0.002
"""Relative error below which no mean is taken to follow a sum of powers."""
RANGE = (-1.0, 6.0)
"""Exponents that are searched."""
COARSE, FINE = 141, 101
"""Points of the search, over the whole range and around what is left of it."""


class ExponentInterval(NamedTuple):
    """The exponents that measurements allow."""

    low: float
    best: float
    high: float


def relative_errors(samples: Sequence[Array]) -> Array:
    """Return the relative standard errors of means (points,), stretched for few replicates, at least `SHARPEST`."""
    errors = [stretch(len(y)) * y.std(ddof=1) / np.sqrt(len(y)) / y.mean() if len(y) > 1 else 0.0 for y in samples]
    return np.maximum(errors, SHARPEST)


def stretch(n: int) -> float:
    """Return by how much the error of n replicates is to be stretched: they know their own spread poorly."""
    from scipy.special import ndtri, stdtrit

    return float(stdtrit(n - 1, 0.975) / ndtri(0.975) * np.sqrt(n / (n - 1))) if n > 1 else 1.0


def exponent_interval(x: Array, means: Array, errors: Array, fixed: Sequence[float]) -> ExponentInterval:
    """Return the exponents p that are consistent with means (points,) at 95 %.

    Parameters
    ----------
    x, means, errors : (points,) arrays
        Grid, positive means, and their relative errors; fewer points than len(fixed) + 3 leave no room for a nuisance.
    fixed : sequence
        The other exponents of the theorem.
    """
    u, weights = np.log(x / x[-1]), means[-1] / means / errors
    spare = len(x) - 3 - len(fixed)
    powers = np.linspace(*RANGE, COARSE)
    for count in (FINE, 0):
        fits = _profile(powers, u, 1 / errors, weights, fixed, nuisance=spare >= 0)
        # What no model of this kind fits is noisier than it says.
        misfit = max(1.0, fits.min() / max(spare, 1))
        kept = np.flatnonzero(fits <= fits.min() + 1.96**2 * misfit)
        # The ends lie between the last power that is kept and the next one.
        low, high = powers[max(kept[0] - 1, 0)], powers[min(kept[-1] + 1, len(powers) - 1)]
        best = powers[fits.argmin()]
        powers = np.linspace(low, high, count)
    return ExponentInterval(float(low), float(best), float(high))


def _profile(
    powers: Array, u: Array, target: Array, weights: Array, fixed: Sequence[float], *, nuisance: bool
) -> Array:
    """Return the least chi^2 for every leading power, over all other unknowns."""
    alike: dict[tuple[int, bool], list[list[Array]]] = defaultdict(list)
    for terms, extra in _models(powers, u, fixed, nuisance=nuisance):
        alike[len(terms), extra is None].append(terms if extra is None else [*terms, extra])
    best = np.full(len(powers), np.inf)
    for (kept, whole), models in alike.items():
        # Models of as many columns side by side: arrays of one model are small.
        columns = [np.concatenate(column, axis=1) * weights[:, None] for column in zip(*models, strict=True)]
        chi2, found = _least_squares(columns, target)
        main = found[:kept]
        legal = (main >= 0).all(axis=0)
        if not whole:
            legal &= np.abs(found[-1]) <= SHARE * main.sum(axis=0)
        chi2[~legal] = np.inf
        best = np.minimum(best, chi2.reshape(len(models), -1).min(axis=0))
    return best


def _models(
    powers: Array, u: Array, fixed: Sequence[float], *, nuisance: bool
) -> Iterator[tuple[list[Array], Array | None]]:
    """Yield nonnegative columns (points, powers), each 1 at the last point, and a nuisance of either sign or none.

    Every set of terms that may be 0 is left out in turn, and the largest nuisance of either sign is part of the
    columns: so a best fit under the constraints is among the unconstrained ones that meet them.
    """
    u = u[:, None]
    lead = np.exp(-powers * u)
    extras = [np.exp(-q * u) for q in (np.zeros_like(powers), *(powers + r for r in AHEAD))] if nuisance else []
    for kept in chain.from_iterable(combinations(fixed, k) for k in range(len(fixed) + 1)):
        terms = [lead, *(np.broadcast_to(np.exp(-p * u), lead.shape) for p in kept)]
        yield terms, None
        for extra in extras:
            yield terms, extra
            for sign in (SHARE, -SHARE):
                yield [term + sign * extra for term in terms], None


def _least_squares(columns: Sequence[Array], target: Array) -> tuple[Array, Array]:
    """Return residual sums (fits,) and coefficients (k, fits) of regressions on columns (points, fits) side by side.

    Householder's way on many small matrices one by one is ten times slower than Gram's and Schmidt's on all at once.
    """
    k, rest = len(columns), np.broadcast_to(target[:, None], columns[0].shape)
    fits = rest.shape[1]
    units, triangle, along = list(columns), np.zeros((k, k, fits)), np.zeros((k, fits))
    sound = np.ones(fits, dtype=bool)
    for j in range(k):
        size = np.sqrt((units[j] ** 2).sum(axis=0))
        # Two equal columns have no coefficients of their own: the model without one of them says the same.
        sound &= size > 1e-7 * np.sqrt((columns[j] ** 2).sum(axis=0))
        triangle[j, j] = np.where(sound, size, 1.0)
        unit = units[j] / triangle[j, j]
        along[j] = (unit * rest).sum(axis=0)
        rest = rest - along[j] * unit
        for i in range(j + 1, k):
            triangle[j, i] = (unit * units[i]).sum(axis=0)
            units[i] = units[i] - triangle[j, i] * unit
    for j in range(k - 1, -1, -1):
        behind = (triangle[j, j + 1 :] * along[j + 1 :]).sum(axis=0)
        along[j] = (along[j] - behind) / triangle[j, j]
    return np.where(sound, (rest**2).sum(axis=0), np.inf), along
