"""Search in many dimensions: starts with a structure, and gradient ascent from the best of them.

Random points of a cube with 40 coordinates and more all look alike to lhs/rhs; what breaks a bound on sequences is a
sequence with a shape, such as 1/sqrt(t).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Array = np.ndarray[Any, np.dtype[Any]]
    Box = Mapping[str, tuple[float, float] | tuple[float, float, int]]

POWERS = (0.25, 0.5, 0.75, 1.0, 2.0)
RATES = (0.5, 0.9)
SCALES = (1.0, 0.1)
STEP = 1e-6
"""Of a difference quotient, in the unit cube."""
LENGTHS = 0.5 ** np.arange(0.0, 16.0)
"""Lengths that are tried along a gradient."""


def shapes(count: int) -> Iterator[Array]:
    """Yield sequences in [-1, 1], shape (count,): constant, falling, rising, alternating, and one entry alone."""
    t = np.arange(1.0, count + 1)
    falling = [t**-p for p in POWERS] + [rate ** (t - 1) for rate in RATES] + [1 - (t - 1) / count]
    yield np.ones(count)
    for one in falling:
        yield one
        yield one[::-1]
        yield one * (-1.0) ** t
    yield (-1.0) ** t
    for place in (0, count // 2, -1):
        alone = np.zeros(count)
        alone[place] = 1.0
        yield alone


def structured_points(box: Box) -> Array:
    """Return points of the unit cube, shape (n, dimensions): every shape for the coordinates of each name at once.

    The values run from 0, or from the end of the range next to it, towards the ends of the range.
    """
    points = []
    counts = {name: entry[2] if len(entry) == 3 else 1 for name, entry in box.items()}
    for shape in zip(*(list(shapes(count)) for count in counts.values()), strict=True):
        for scale in SCALES:
            for sign in (1.0, -1.0):
                parts = [_inside(entry, sign * scale * one) for entry, one in zip(box.values(), shape, strict=True)]
                points.append(np.concatenate(parts))
    return np.unique(np.array(points), axis=0)


def _inside(entry: tuple[float, float] | tuple[float, float, int], shape: Array) -> Array:
    """Return a shape as coordinates of the cube: 0 stands for the value next to 0, 1 and -1 for the ends."""
    low, high = float(entry[0]), float(entry[1])
    base = min(max(0.0, low), high)
    values = np.where(shape >= 0, base + (high - base) * shape, base + (base - low) * shape)
    return np.asarray(np.clip((values - low) / (high - low), 0.0, 1.0))


def ascend_gradient(ratios: Callable[[Array], Array], start: Array, steps: int) -> tuple[Array, int]:
    """Return the end of a gradient ascent in the unit cube, and the number of evaluations.

    Parameters
    ----------
    ratios : callable
        Takes points, shape (n, dimensions), and returns what is to be made large, shape (n,).
    start : array
        A point, shape (dimensions,).
    steps : int
        Most steps; each takes as many evaluations as there are dimensions, and one for every length in `LENGTHS`.
    """
    point, best = start, float(ratios(start[None])[0])
    tries = 1
    for _ in range(steps):
        # Backwards where the upper side of the cube is near.
        move = np.where(point > 0.5, -STEP, STEP)
        ahead = ratios(point + np.diag(move))
        slope = (ahead - best) / move
        size = float(np.max(np.abs(slope)))
        tries += len(point)
        if not (np.isfinite(size) and size > 0):
            break
        line = np.clip(point + LENGTHS[:, None] * slope / size, 0.0, 1.0)
        found = ratios(line)
        tries += len(line)
        if not found.max() > best:
            break
        point, best = line[int(found.argmax())], float(found.max())
    return point, tries
