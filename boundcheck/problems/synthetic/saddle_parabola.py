"""Quadratic minimax problems without noise: the smallest ones on which descent and ascent may circle or run away."""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.synthetic.base import Formula
from boundcheck.problems.synthetic.heterogeneity import alike

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices


class QuadraticSaddle:
    """What follows from f = a x^2/2 + b x y - mu y^2/2 of one x and one y; `bend` is a + b^2/mu."""

    a: float
    b: float
    mu: float
    bend: float

    def value(self, x: Array) -> Array:
        """Return a x^2/2 + b x y - mu y^2/2."""
        first, second = x[:, 0, 0], x[:, 0, 1]
        height: Array = self.a * first**2 / 2 + self.b * first * second - self.mu * second**2 / 2
        return height

    def best_response(self, x: Array) -> Array:
        """Return b x/mu."""
        best: Array = self.b / self.mu * x[..., :1]
        return best

    def envelope(self, x: Array) -> Array:
        """Return Phi(x) = (a + b^2/mu) x^2/2."""
        height: Array = self.bend * x[:, 0, 0] ** 2 / 2
        return height

    def envelope_gradient(self, x: Array) -> Array:
        """Return the derivative of Phi."""
        slope: Array = self.bend * x[..., :1]
        return slope


@dataclass(kw_only=True, eq=False, repr=False)
class SaddleParabola(QuadraticSaddle, Formula):
    """f_i(x, y) = a x^2/2 + b x y - mu y^2/2 for all clients, minimised over the number x, maximised over y.

    y_star(x) = b x/mu and Phi(x) = p x^2/2 with p = a + b^2/mu > 0.  With a < -mu the point 0 is unstable under
    descent and ascent at equal steps, however small (H. Li, F. Farnia, S. Das, A. Jadbabaie, "On Convergence of
    Gradient Descent Ascent: A Tight Local Analysis", 2022); with a = 0 and a small mu they almost circle.

    Parameters
    ----------
    N : int
        Clients.
    a : float
        Curvature in x, of any sign.
    b : float
        Coupling, > 0.
    mu : float
        Strong concavity in y.
    start, start_y : float
        x_0 and y_0.
    """

    family = "saddle-parabola"
    any_clients = True
    d: int = field(default=2, init=False)
    a: float = -2.0
    b: float = 2.0
    mu: float = 1.0
    start_y: InitVar[float] = 0.0

    def __post_init__(self, start: float, start_y: float) -> None:
        super().__post_init__(start)
        self.require_positive("b", "mu")
        self.bend = self.a + self.b**2 / self.mu
        require(self.bend > 0, "saddle-parabola: a", self.a, f"above -b^2/mu = {-(self.b**2) / self.mu:g}")
        self.blocks = (1, 1)
        self.start = np.array([float(start), float(start_y)])

    def mean_gradient(self, x: Array) -> Array:
        """Return (a x + b y, b x - mu y)."""
        first, second = x[..., 0], x[..., 1]
        return np.stack([self.a * first + self.b * second, self.b * first - self.mu * second], axis=-1)

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return grad f: clients are alike."""
        return self.mean_gradient(x)

    def certified_constants(self) -> dict[str, Constant | None]:
        """Return L, L_block, mu, kappa, L_Phi, Phi_star, Delta_Phi, delta_y, sigma = 0, zeta = zeta_pair = 0."""
        first = self.start[None, None, :]
        miss = float(self.start[1] - self.best_response(first)[0, 0, 0])
        block = max(abs(self.a), self.b, self.mu)
        matrix = np.array([[self.a, self.b], [self.b, -self.mu]])
        smooth = exact(float(np.linalg.norm(matrix, 2)), "norm of the matrix", np.zeros(2))
        return {
            **self.noise.samples(smooth, None, None),
            **alike(at=self.start),
            "G_inf": None,
            "G_rms": None,
            "L_block": exact(block, "the largest entry of the matrix", np.zeros(2)),
            "mu": exact(self.mu, "curvature in y", np.zeros(2)),
            "kappa": exact(block / self.mu, "L_block/mu", np.zeros(2)),
            "L_Phi": exact(self.bend, "Phi is a parabola", np.zeros(2)),
            "Phi_star": exact(0.0, "Phi is a parabola", np.zeros(2)),
            "Delta_Phi": exact(float(self.envelope(first)[0]), "Phi(x_0)", self.start),
            **self._monotone(),
            "delta_y": exact(miss**2, "(y_0 - b x_0/mu)^2", self.start),
        }

    @property
    def x_star(self) -> Array | None:  # type: ignore[override]
        """The saddle point, where the operator is monotone."""
        return np.zeros(2) if self.a >= 0 else None

    def _monotone(self) -> dict[str, Constant | None]:
        """Return mu_op and delta_z where the operator (a x + b y, mu y - b x) is monotone."""
        if self.a < 0:
            return {"mu_op": None, "delta_z": None}
        weakest = exact(min(self.a, self.mu), "the coupling is skew: a x^2 + mu y^2 is left", np.zeros(2))
        return {"mu_op": weakest, "delta_z": exact(float(self.start @ self.start), "z_star = 0", self.start)}
