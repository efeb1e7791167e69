"""Scalar functions phi with phi(0) = 0 = min phi and known slopes and curvatures: the bricks of ridge problems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.problems.base import Array


@dataclass(frozen=True)
class Link:
    """An even scalar function with its first derivative and the suprema that the constants are made of."""

    name: str
    formula: str
    value: Callable[[Array], Array]
    slope: Callable[[Array, float], Array]
    """``slope(z, w)`` returns w phi'(z) in a new array."""
    sup_slope: float
    """sup |phi'|, attained at `slope_at`."""
    slope_at: float
    sup_curvature: float
    """sup |phi''|, attained at 0."""

    def __reduce__(self) -> tuple[Callable[[str], Link], tuple[str]]:
        """Pickle by name: the formulas are not picklable, and worker processes need the problem."""
        return link_named, (self.name,)


def _ratio_slope(z: Array, weight: float) -> Array:
    w = z * z
    w += 1.0
    w *= w
    out = np.divide(z, w, out=w)
    out *= 2.0 * weight
    return out


def _log_slope(z: Array, weight: float) -> Array:
    w = z * z
    w += 1.0
    out = np.divide(z, w, out=w)
    out *= 2.0 * weight
    return out


def _cosine_slope(z: Array, weight: float) -> Array:
    out = np.sin(z)
    out *= weight
    return out


LINKS: dict[str, Link] = {
    link.name: link
    for link in (
        Link(
            "ratio",
            "z^2/(1+z^2)",
            lambda z: z * z / (1.0 + z * z),
            _ratio_slope,
            3.0 * np.sqrt(3.0) / 8.0,
            1.0 / np.sqrt(3.0),
            2.0,
        ),
        Link("log", "log(1+z^2)", lambda z: np.log1p(z * z), _log_slope, 1.0, 1.0, 2.0),
        Link("cosine", "1-cos z", lambda z: 1.0 - np.cos(z), _cosine_slope, 1.0, np.pi / 2, 1.0),
    )
}


def link_named(name: str) -> Link:
    """Return a link by name; raises `UnknownNameError` otherwise."""
    if name not in LINKS:
        raise UnknownNameError("link", name, LINKS)
    return LINKS[name]
