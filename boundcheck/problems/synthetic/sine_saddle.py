"""A minimax problem that is linear in y, on a box: Phi has kinks, and only its Moreau envelope has a gradient."""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import NotApplicableError, require, require_count
from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.synthetic.base import Formula
from boundcheck.problems.synthetic.heterogeneity import alike
from boundcheck.problems.synthetic.onedim import peak

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices

_NEWTON = 8


@dataclass(kw_only=True, eq=False, repr=False)
class SineSaddle(Formula):
    """f_i(x, y) = height sum_c y_c sin(x_c) for all clients, maximised over |y_c| <= reach, c = 1, ..., pairs.

    Phi(x) = height reach sum_c |sin(x_c)|, y_star = reach sign(sin(x)).  f is nonconvex in x and linear in y:
    concave, not strongly so.  Constants hold on the box, from which no projected method departs.

    Parameters
    ----------
    N : int
        Clients.
    pairs : int
        Dimension of x, and of y.
    height, reach : float
        Both > 0.
    start, start_y : float
        Every coordinate of x_0 and of y_0, the latter in the box.
    """

    family = "sine-saddle"
    any_clients = True
    d: int = field(default=2, init=False)
    pairs: int = 1
    height: float = 1.0
    reach: float = 1.0
    start_y: InitVar[float] = 0.0

    def __post_init__(self, start: float, start_y: float) -> None:
        require_count(self.pairs, "sine-saddle: pairs")
        self.d = 2 * self.pairs
        super().__post_init__(start)
        self.require_positive("height", "reach")
        require(abs(start_y) <= self.reach, "sine-saddle: start_y", start_y, f"within the box, {self.reach:g}")
        self.blocks = (self.pairs, self.pairs)
        self.box_y = self.reach
        self.start = np.repeat([float(start), float(start_y)], self.pairs)

    def _parts(self, x: Array) -> tuple[Array, Array]:
        return x[..., : self.pairs], x[..., self.pairs :]

    def mean_gradient(self, x: Array) -> Array:
        """Return height (y cos x, sin x)."""
        first, second = self._parts(x)
        g: Array = self.height * np.concatenate([second * np.cos(first), np.sin(first)], axis=-1)
        return g

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return grad f: clients are alike."""
        return self.mean_gradient(x)

    def value(self, x: Array) -> Array:
        """Return height <y, sin x>."""
        first, second = self._parts(x)
        height: Array = self.height * (second * np.sin(first)).sum(axis=(1, 2))
        return height

    def best_response(self, x: Array) -> Array:
        """Return the corner reach sign(sin x)."""
        return np.copysign(self.reach, np.sin(self._parts(x)[0]))

    def envelope(self, x: Array) -> Array:
        """Return height reach |sin x|_1."""
        heights: Array = self.height * self.reach * np.abs(np.sin(self._parts(x)[0])).sum(axis=(1, 2))
        return heights

    def envelope_gradient(self, x: Array) -> Array:
        """Return a subgradient of Phi, the gradient where no sine is 0."""
        first = self._parts(x)[0]
        slope: Array = self.height * self.best_response(x) * np.cos(first)
        return slope

    def envelope_prox(self, x: Array, step: float) -> Array:
        """Return argmin_z Phi(z) + |z - x|^2/(2 step): a kink that is near enough, else by Newton's steps on its side.

        Raises
        ------
        NotApplicableError
            If the step is so long that there may be several.
        """
        top = self.height * self.reach
        if step * top >= 1:
            msg = (
                f"{self.name}: the proximal point of Phi at the step {step:.3g} is not known, below {1 / top:.3g} it is"
            )
            raise NotApplicableError(msg)
        first = self._parts(x)[0]
        kink = np.pi * np.round(first / np.pi)
        slope = top * np.copysign(1.0, np.sin(first))
        z = first
        for _ in range(_NEWTON):
            z = z - (slope * np.cos(z) + (z - first) / step) / (1.0 / step - slope * np.sin(z))
        point: Array = np.where(np.abs(first - kink) <= step * top, kink, z)
        return point

    def certified_constants(self) -> dict[str, Constant | None]:
        """Return L, R_y, D_y, G_x, Phi_star, Delta_Phi, Delta_y, sigma = 0, zeta = zeta_pair = 0."""
        first = self.start[None, None, :]
        origin = np.zeros(self.d)

        def stretch(z: Array) -> Array:
            """Return the norm of a pair's matrix ((a, b), (b, 0)) at y = reach, a = -reach sin z and b = cos z."""
            a, b = self.reach * np.abs(np.sin(z)), np.cos(z)
            norm: Array = self.height * (a + np.sqrt(a * a + 4 * b * b)) / 2
            return norm

        smooth, at = peak(stretch, np.linspace(0.0, np.pi / 2, 2001))
        corner = np.repeat([at, self.reach], self.pairs)
        flat = np.repeat([0.0, self.reach], self.pairs)
        top = float(self.envelope(first)[0])
        miss = top - float(self.value(first)[0])
        return {
            **self.noise.samples(exact(smooth, "norm of a pair's matrix, largest where |y| is", corner), None, None),
            **alike(at=self.start),
            "G_inf": None,
            "G_rms": None,
            "R_y": exact(self.reach, "the box", origin),
            "D_y": exact(2 * self.reach * float(np.sqrt(self.pairs)), "the diagonal of the box", origin),
            "G_x": exact(self.height * self.reach * float(np.sqrt(self.pairs)), "|y cos x| at a corner", flat),
            "Phi_star": exact(0.0, "Phi >= 0 = Phi(0)", origin),
            "Delta_Phi": exact(top, "Phi(x_0)", self.start),
            "Delta_y": exact(miss, "Phi(x_0) - f(x_0, y_0)", self.start),
        }
