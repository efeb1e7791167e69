"""Quadratic saddles of one x and one y that differ from client to client, as worst cases of minimax methods do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.problems.base import Problem
from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.noise.base import NoNoise
from boundcheck.problems.synthetic.saddle_parabola import QuadraticSaddle

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices


class SaddleQuadratics(QuadraticSaddle, Problem):
    """f_i(x, y) = a_i x^2/2 + b_i x y - c_i y^2/2 + p_i x + q_i y, minimised over x, maximised over y.

    With means a, b, c and mean p_i = mean q_i = 0, y_star(x) = b x/c and Phi(x) = (a + b^2/c) x^2/2.

    Parameters
    ----------
    clients : array (N, 5)
        a_i, b_i, c_i > 0, p_i, q_i.
    start : array (2,)
        x_0 and y_0.
    """

    family = "saddle-quadratics"

    def __init__(self, clients: Array, start: Array) -> None:
        super().__init__(N=len(clients), d=2, start=np.asarray(start, dtype=float), noise=NoNoise(0.0, 2))
        self.clients, self.blocks = np.asarray(clients, dtype=float), (1, 1)
        self.a, self.b, self.mu = (float(v) for v in self.clients[:, :3].mean(axis=0))
        self.bend = self.a + self.b**2 / self.mu

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return (a_i x + b_i y + p_i, b_i x - c_i y + q_i)."""
        a, b, c, p, q = np.moveaxis(self.clients if clients is None else self.clients[clients], -1, 0)
        first, second = x[..., 0], x[..., 1]
        return np.stack([a * first + b * second + p, b * first - c * second + q], axis=-1)

    def certified_constants(self) -> dict[str, Constant | None]:
        """Return L, L_block, mu, kappa, L_Phi, Phi_star, Delta_Phi and delta_y."""
        a, b, c = self.clients[:, :3].T
        first, rest = self.start[None, None, :], np.zeros(2)
        miss = float(self.start[1] - self.best_response(first)[0, 0, 0])
        norms = np.linalg.norm(np.stack([np.stack([a, b], -1), np.stack([b, -c], -1)], -1), 2, axis=(-2, -1))
        smooth = exact(float(norms.max()), "largest norm of a matrix", rest)
        block = float(np.abs(self.clients[:, :3]).max())
        return {
            **self.noise.samples(smooth, None, None),
            "L_block": exact(block, "the largest entry of the matrices", rest),
            "mu": exact(float(c.min()), "least curvature in y", rest),
            "kappa": exact(block / float(c.min()), "L_block/mu", rest),
            "L_Phi": exact(self.bend, "Phi is a parabola", rest),
            "Phi_star": exact(0.0, "Phi is a parabola", rest),
            "Delta_Phi": exact(float(self.envelope(first)[0]), "Phi(x_0)", self.start),
            "delta_y": exact(miss**2, "(y_0 - b x_0/c)^2", self.start),
        }
