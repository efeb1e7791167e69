"""Piecewise quadratics with free breakpoints: convex ones on which momentum cycles, and saddles that points leave."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.constants import Constant, exact, lower
from boundcheck.problems.synthetic.base import NoisyFormula
from boundcheck.problems.synthetic.heterogeneity import tilt_constants, tilts

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices

_SPELLED = 8
"""Most tilts that are spelled out."""


@dataclass(kw_only=True, eq=False, repr=False)
class Piecewise(NoisyFormula):
    """f_i(x) = phi(x_1) + rest (x_2^2 + ... + x_d^2)/2 + <a_i, x>, with tilts a_i that cancel and phi(0) = phi'(0) = 0.

    phi' is continuous and has the slope `left` before the breakpoint `first`, `middle` up to `second`, `right` beyond.
    With slopes 25, 1, 25 and breakpoints 1 and 2 this is the function of L. Lessard, B. Recht, A. Packard, "Analysis
    and Design of Optimization Algorithms via Integral Quadratic Constraints", 2016, section 4.6, on which the heavy
    ball cycles at the parameters that are the best for parabolas.  With middle < 0 and 0 between the breakpoints, the
    origin is a saddle (for d = 1 a maximum) between two wells.

    Parameters
    ----------
    N, d : int
        Clients and dimension.
    left, middle, right : float
        Curvatures of phi; the outer ones > 0.
    first, second : float
        Breakpoints, in increasing order.
    rest : float
        Curvature along all other coordinates, > 0.
    zeta : float
        Heterogeneity, met exactly at every x.
    sigma, noise, omega, odds, start
        As for `boundcheck.problems.synthetic.ridge.Ridge`.
    """

    family = "piecewise"
    lane_tables: ClassVar = {"tilts": "zeta"}
    dials = ("zeta",)
    d: int = 1
    left: float = 25.0
    middle: float = 1.0
    right: float = 25.0
    first: float = 1.0
    second: float = 2.0
    rest: float = 1.0
    zeta: float = 0.0

    def __post_init__(self, start: float, noise: str) -> None:
        super().__post_init__(start, noise)
        self.require_positive("left", "right", "rest")
        require(self.first < self.second, "piecewise: first", self.first, f"a number below second = {self.second:g}")
        self.tilts = tilts(self.N, self.d, self.zeta)
        # What makes phi and phi' vanish at 0, of which the pieces know nothing.
        self.pull = self.origin = 0.0
        self.pull -= float(self._slope(np.zeros(1))[0])
        self.origin += float(self._height(np.zeros(1))[0])
        if self.middle > 0:
            self.x_star = self._minimiser

    @property
    def convex(self) -> bool:
        """Whether the middle piece is no arch."""
        return self.middle >= 0

    def _pieces(self, z: Array) -> tuple[Array, Array, Array]:
        """Return how far z goes along every piece, from 0, from `first` and from `second`."""
        return (
            np.minimum(z, self.first),
            np.clip(z - self.first, 0.0, self.second - self.first),
            np.maximum(z - self.second, 0.0),
        )

    def _slope(self, z: Array) -> Array:
        before, between, beyond = self._pieces(z)
        slope: Array = self.left * before + self.middle * between + self.right * beyond + self.pull
        return slope

    def _height(self, z: Array) -> Array:
        before, between, beyond = self._pieces(z)
        at_first = self.left * self.first
        at_second = at_first + self.middle * (self.second - self.first)
        parabolas = self.left * before**2 + self.middle * between**2 + self.right * beyond**2
        height: Array = parabolas / 2 + at_first * between + at_second * beyond + self.pull * z
        return height - self.origin

    @cached_property
    def _minimiser(self) -> Array:
        """The lowest of the points at which phi' vanishes from below, in every coordinate after the first 0."""
        at_first = self.left * self.first + self.pull
        at_second = at_first + self.middle * (self.second - self.first)
        found = [self.first - at_first / self.left] if at_first >= 0 else []
        found += [self.second - at_second / self.right] if at_second <= 0 else []
        if at_first < 0 < at_second:
            found.append(self.first - at_first / self.middle)
        at = min(found, key=lambda z: float(self._height(np.array([z]))[0]))
        return np.concatenate([[at], np.zeros(self.d - 1)])

    def mean_gradient(self, x: Array) -> Array:
        """Return phi'(x_1) and rest x_c."""
        g: Array = self.rest * x
        g[..., 0] = self._slope(x[..., 0])
        return g

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return grad f + a_i."""
        g = self.mean_gradient(x)
        if self.zeta:
            g += self.of_clients(self.tilts, clients)
        return g

    def spelled_gradient(self) -> str:
        """Return phi' piece by piece, and the tilts of few clients; '' in more than one dimension."""
        if self.d > 1 or (self.zeta and self.N > _SPELLED):
            return ""
        pieces = (
            f"{self.left!r}*np.minimum(x, {self.first!r})"
            f" + {self.middle!r}*np.clip(x - {self.first!r}, 0, {self.second - self.first!r})"
            f" + {self.right!r}*np.maximum(x - {self.second!r}, 0)"
        )
        pull = f" + {self.pull!r}" if self.pull else ""
        return pieces + pull + (f" + np.array({self.tilts.tolist()!r})" if self.zeta else "")

    def value(self, x: Array) -> Array:
        """Return phi(x_1) + rest (x_2^2 + ...)/2."""
        others = self.rest * (x[..., 1:] ** 2).sum(axis=-1) / 2
        total: Array = (self._height(x[..., 0]) + others).sum(axis=1)
        return total

    def certified_constants(self) -> dict[str, Constant | None]:
        """Return L, L_sample, L_rms, sigma, f_star, Delta, zeta, zeta_pair; mu and mu_PL if middle > 0; no G_inf."""
        inside = {
            self.left: self.first - 1.0,
            self.middle: (self.first + self.second) / 2,
            self.right: self.second + 1.0,
        }
        if self.d > 1:
            inside.setdefault(self.rest, 0.0)
        sharpest, flattest = max(inside, key=abs), min(inside)
        smooth = exact(abs(sharpest), "the largest curvature of a piece", self._at(inside[sharpest]))
        floor = float(self.value(self._minimiser[None, None, :])[0])
        weak = flattest > 0
        return {
            **self.noise.samples(smooth, None, None),
            **tilt_constants(self.tilts, self.zeta, self.start),
            "G_inf": None,
            "G_rms": None,
            "mu": exact(flattest, "the smallest curvature of a piece", self._at(inside[flattest])) if weak else None,
            "mu_PL": lower(flattest, "at least mu; the minimum may lie in a steeper piece") if weak else None,
            "f_star": exact(floor, "lowest zero of the slope, piece by piece", self._minimiser),
            "Delta": self.gap(floor, "f(x_0) - f_star in closed form"),
        }

    def _at(self, z: float) -> Array:
        return np.concatenate([[z], np.zeros(self.d - 1)])
