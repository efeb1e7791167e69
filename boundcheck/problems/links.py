"""Scalar functions phi with inf phi = 0 and known slopes and curvatures: the bricks of ridge problems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from boundcheck.errors import UnknownNameError, require

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.problems.types import Array


@dataclass(frozen=True)
class Link:
    """A scalar function with its first two derivatives and the extremes that the constants are made of."""

    name: str
    formula: str
    value: Callable[[Array], Array]
    slope: Callable[[Array, float], Array]
    """``slope(z, w)`` returns w phi'(z) in a new array."""
    sup_slope: float
    """sup |phi'|; infinite for functions that grow faster than linearly."""
    slope_at: float
    """Where |phi'| is largest, or a point far out when the supremum is a limit (`slope_is_limit`)."""
    sup_curvature: float
    """sup |phi''|, attained at `curvature_at`."""
    curvature: Callable[[Array], Array]
    """phi''; where it jumps, the value from the steeper side."""
    low_curvature: float
    """inf phi''."""
    low_at: float
    """Where phi'' is lowest, or a point far out when the infimum is a limit."""
    curvature_at: float = 0.0
    slope_is_limit: bool = False
    """Whether sup |phi'| is approached at infinity only."""
    even: bool = True
    """phi(-z) = phi(z), so that every slope occurs with both signs."""
    floor_at: float = 0.0
    """Where phi is 0, or a point far out when the infimum is a limit."""
    tail: Literal["falls", "stays", "repeats", ""] = ""
    """What |phi'| does beyond `slope_at`: it falls; it stays at its supremum or climbs to it; phi has the period 2 pi;
    or none of these."""

    @property
    def rises(self) -> bool:
        """Whether phi is even and lowest at 0, where it is 0."""
        return self.even and self.floor_at == 0

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


def _sigmoid_slope(z: Array, weight: float) -> Array:
    out = np.tanh(0.5 * z)
    out *= out
    np.subtract(1.0, out, out=out)
    out *= 0.25 * weight
    return out


def _cosine(z: Array) -> Array:
    """Return 1 - cos z without cancellation."""
    half: Array = np.sin(0.5 * z)
    return 2.0 * half * half


def _log_cosh(z: Array) -> Array:
    """Return log cosh z: as log(1 + 2 sinh^2(z/2)) near 0, where the other form subtracts log 2 from log 2."""
    size = np.abs(z)
    near = np.log1p(2.0 * np.sinh(0.5 * np.minimum(size, 1.0)) ** 2)
    far = size + np.log1p(np.exp(-2.0 * size)) - np.log(2.0)
    value: Array = np.where(size <= 1.0, near, far)
    return value


def _log_cosh_slope(z: Array, weight: float) -> Array:
    out = np.tanh(z)
    out *= weight
    return out


def _root(z: Array) -> Array:
    """Return sqrt(1+z^2) - 1 without cancellation."""
    square = z * z
    return square / (1.0 + np.sqrt(1.0 + square))


def _root_slope(z: Array, weight: float) -> Array:
    w = z * z
    w += 1.0
    np.sqrt(w, out=w)
    out = np.divide(z, w, out=w)
    out *= weight
    return out


def _huber(z: Array) -> Array:
    inner = np.clip(z, -1.0, 1.0)
    return inner * (z - 0.5 * inner)


def _half_huber(z: Array) -> Array:
    inner = np.maximum(z, -1.0)
    return inner * (z - 0.5 * inner)


def coercive(c: float, w: float) -> Link:
    """Return sqrt(1+z^2) - 1 + c (1 - cos wz): unbounded values, bounded slopes, nonconvex for every c, w > 0.

    Its slope tends to 1 + cw and its lowest curvature to -cw^2 far from the origin, where the waves ride on a
    straight line; 0 is the only stationary point when (pi/w) / sqrt(1 + (pi/w)^2) > cw.

    Raises
    ------
    InputError
        Unless c > 0 and w > 0.
    """
    require(c > 0, "link coercive: c", c, "a number > 0")
    require(w > 0, "link coercive: w", w, "a number > 0")
    turns = 2 * np.pi * np.ceil(1e4 * w / (2 * np.pi))
    return Link(
        f"coercive:{c:g}:{w:g}",
        f"sqrt(1+z^2)-1 + {c:g}(1-cos {w:g}z)",
        lambda z: _root(z) + 2.0 * c * np.sin(0.5 * w * z) ** 2,
        lambda z, weight: _root_slope(z, weight) + weight * c * w * np.sin(w * z),
        sup_slope=1.0 + c * w,
        slope_at=float((turns + np.pi / 2) / w),
        sup_curvature=1.0 + c * w * w,
        curvature=lambda z: (1.0 + z * z) ** -1.5 + c * w * w * np.cos(w * z),
        low_curvature=-c * w * w,
        low_at=float((turns + np.pi) / w),
        slope_is_limit=True,
    )


FAR = 1e150
"""A point at which the square is still a double, and a tail of power p >= `LEAST_TAIL` has died out."""
LEAST_TAIL, MOST_TAIL = 0.05, 10.0


def tail(p: float) -> Link:
    """Return (1+z^2)^(-p/2)/p: a hill whose slope dies like z^(-1-p), the slower the smaller p is.

    Descent runs away from 0 and never arrives: after steps that sum to s its gradient is still of order
    s^(-(1+p)/(2+p)), so that the squared one falls by a power that tends to 1, the one that theorems promise, as p
    goes to 0 (the page on attained rates has the proof).  The curvature is -1 at 0 and below 1/2 beyond.

    Raises
    ------
    InputError
        Unless p lies in [0.05, 10]: with less, no double is far enough for phi to be near its infimum.
    """
    require(LEAST_TAIL <= p <= MOST_TAIL, "link tail: p", p, f"a number from {LEAST_TAIL:g} to {MOST_TAIL:g}")

    def slope(z: Array, weight: float) -> Array:
        w = z * z
        w += 1.0
        out = np.power(w, -(1.0 + p / 2))
        out *= z
        out *= -weight
        return out

    return Link(
        f"tail:{p:g}",
        f"(1+z^2)^(-{p / 2:g})/{p:g}",
        lambda z: np.power(1.0 + z * z, -p / 2) / p,
        slope,
        sup_slope=float((p + 1) ** -0.5 * ((p + 2) / (p + 1)) ** -(1 + p / 2)),
        slope_at=float((p + 1) ** -0.5),
        sup_curvature=1.0,
        curvature=lambda z: ((p + 1) * z * z - 1.0) * np.power(1.0 + z * z, -2.0 - p / 2),
        low_curvature=-1.0,
        low_at=0.0,
        floor_at=FAR,
        tail="falls",
    )


_STEEPEST_SIGMOID = float(np.log(2.0 + np.sqrt(3.0)))

LINKS: dict[str, Link] = {
    link.name: link
    for link in (
        Link(
            "ratio",
            "z^2/(1+z^2)",
            lambda z: z * z / (1.0 + z * z),
            _ratio_slope,
            sup_slope=3.0 * np.sqrt(3.0) / 8.0,
            slope_at=1.0 / np.sqrt(3.0),
            sup_curvature=2.0,
            curvature=lambda z: (2.0 - 6.0 * z * z) / (1.0 + z * z) ** 3,
            low_curvature=-0.5,
            low_at=1.0,
            tail="falls",
        ),
        Link(
            "log",
            "log(1+z^2)",
            lambda z: np.log1p(z * z),
            _log_slope,
            sup_slope=1.0,
            slope_at=1.0,
            sup_curvature=2.0,
            curvature=lambda z: 2.0 * (1.0 - z * z) / (1.0 + z * z) ** 2,
            low_curvature=-0.25,
            low_at=float(np.sqrt(3.0)),
            tail="falls",
        ),
        Link(
            "cosine",
            "1-cos z",
            _cosine,
            _cosine_slope,
            sup_slope=1.0,
            slope_at=np.pi / 2,
            sup_curvature=1.0,
            curvature=np.cos,
            low_curvature=-1.0,
            low_at=np.pi,
            tail="repeats",
        ),
        Link(
            "sigmoid",
            "1/(1+exp(-z))",
            lambda z: 0.5 * (1.0 + np.tanh(0.5 * z)),
            _sigmoid_slope,
            sup_slope=0.25,
            slope_at=0.0,
            sup_curvature=1.0 / (6.0 * np.sqrt(3.0)),
            curvature=lambda z: -0.25 * np.tanh(0.5 * z) * (1.0 - np.tanh(0.5 * z) ** 2),
            low_curvature=-1.0 / (6.0 * np.sqrt(3.0)),
            low_at=_STEEPEST_SIGMOID,
            curvature_at=_STEEPEST_SIGMOID,
            even=False,
            floor_at=-40.0,
            tail="falls",
        ),
        Link(
            "log-cosh",
            "log cosh z",
            _log_cosh,
            _log_cosh_slope,
            sup_slope=1.0,
            slope_at=20.0,
            sup_curvature=1.0,
            curvature=lambda z: 1.0 - np.tanh(z) ** 2,
            low_curvature=0.0,
            low_at=20.0,
            slope_is_limit=True,
            tail="stays",
        ),
        Link(
            "pseudo-huber",
            "sqrt(1+z^2)-1",
            _root,
            _root_slope,
            sup_slope=1.0,
            slope_at=1e4,
            sup_curvature=1.0,
            curvature=lambda z: (1.0 + z * z) ** -1.5,
            low_curvature=0.0,
            low_at=1e4,
            slope_is_limit=True,
            tail="stays",
        ),
        Link(
            "huber",
            "z^2/2 for |z| <= 1, |z|-1/2 beyond",
            _huber,
            lambda z, weight: weight * np.clip(z, -1.0, 1.0),
            sup_slope=1.0,
            slope_at=2.0,
            sup_curvature=1.0,
            curvature=lambda z: np.where(np.abs(z) <= 1.0, 1.0, 0.0),
            low_curvature=0.0,
            low_at=2.0,
            tail="stays",
        ),
        Link(
            "half-huber",
            "z^2/2 for z >= -1, -z-1/2 below",
            _half_huber,
            lambda z, weight: weight * np.maximum(z, -1.0),
            sup_slope=np.inf,
            slope_at=np.inf,
            sup_curvature=1.0,
            curvature=lambda z: np.where(z >= -1.0, 1.0, 0.0),
            low_curvature=0.0,
            low_at=-2.0,
            even=False,
        ),
        Link(
            "quadratic",
            "z^2/2",
            lambda z: 0.5 * z * z,
            lambda z, w: w * z,
            sup_slope=np.inf,
            slope_at=np.inf,
            sup_curvature=1.0,
            curvature=np.ones_like,
            low_curvature=1.0,
            low_at=0.0,
        ),
    )
}
FORMS: dict[str, tuple[Callable[..., Link], tuple[float, ...], str]] = {
    "coercive": (coercive, (0.3, 2.0), "coercive:c:w with two numbers > 0"),
    "tail": (tail, (0.1,), f"tail:p with a number from {LEAST_TAIL:g} to {MOST_TAIL:g}"),
}
"""Links with parameters: what makes one, the parameters of the bare name, and how others are written."""


def link_named(name: str) -> Link:
    """Return a link by name; raises `UnknownNameError` otherwise.

    `coercive` has c = 0.3 and w = 2, ``coercive:0.2:3`` has c = 0.2 and w = 3; `tail` has p = 0.1, ``tail:0.5`` 0.5.
    """
    stem, *written = name.split(":")
    if stem in FORMS:
        make, usual, legal = FORMS[stem]
        try:
            numbers = tuple(float(text) for text in written) or usual
        except ValueError:
            numbers = ()
        require(len(numbers) == len(usual) and all(0 < x < np.inf for x in numbers), "link", name, legal)
        return make(*numbers)
    if name not in LINKS:
        raise UnknownNameError("link", name, [*LINKS, *FORMS])
    return LINKS[name]
