"""Saddles whose inner maximiser has no closed form: a ridge saddle plus a wave that couples x_1 to a direction of y."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.constants import Constant, exact, lower, upper
from boundcheck.problems.synthetic.ncsc_ridge import RidgeSaddle

if TYPE_CHECKING:
    from boundcheck.problems.types import Array


@dataclass(kw_only=True, eq=False, repr=False)
class NewtonSaddle(RidgeSaddle):
    """A ridge saddle plus nu sin(x_1) cos(<t, y>), with nu |t|^2 < mu so that it stays strongly concave in y.

    The maximiser is y = (B x - nu sin(x_1) sin(tau) t) / mu where tau = <t, y> is the only root of the increasing
    function mu tau + nu |t|^2 sin(x_1) sin(tau) - <t, B x>.  Newton's method finds the root to machine precision, for
    every lane alone, and grad Phi follows from Danskin's theorem: grad Phi(x) = grad_x F(x, y_star(x)).

    Parameters
    ----------
    N, d1, d2, link, s, B, mu, zeta_pair, dual_share, wave_share, pattern, sigma, noise_dual_share, noise, omega :
        As in `RidgeSaddle`; `mu` is the curvature of the quadratic part alone.
    start, start_y : float
        Every coordinate of x_0 and of y_0.
    nu : float
        Size of the extra wave.
    t : float
        Its frequency |t|; t has equal coordinates.
    """

    family = "ncsc-newton"
    nu: float = 0.4
    t: float = 1.0

    def __post_init__(self, noise: str, start: float) -> None:
        square = self.nu * self.t * self.t
        require(self.nu >= 0, "ncsc-newton: nu", self.nu, "a number >= 0")
        require(square < self.mu, "ncsc-newton: nu t^2", square, f"a number below mu = {self.mu:g}")
        super().__post_init__(noise, start)
        self.wave: Array = np.full(self.d2, float(self.t) / np.sqrt(self.d2))
        self.square = float(self.t) ** 2

    def _average_gradient(self, z: Array) -> Array:
        g = super()._average_gradient(z)
        tau = np.vecdot(z[..., self.d1 :], self.wave)
        g[..., 0] += self.nu * np.cos(z[..., 0]) * np.cos(tau)
        g[..., self.d1 :] -= (self.nu * np.sin(z[..., 0]) * np.sin(tau))[..., None] * self.wave
        return g

    def value(self, x: Array) -> Array:
        """Return the average function at (x, y)."""
        tau = np.vecdot(x[..., self.d1 :], self.wave)
        total: Array = super().value(x) + (self.nu * np.sin(x[..., 0]) * np.cos(tau)).sum(axis=1)
        return total

    def best_response(self, x: Array) -> Array:
        """Return y_star by Newton's method."""
        pull = self._couple(x[..., : self.d1])
        wave = self.nu * np.sin(x[..., 0])
        tau = _root(self.mu, wave * self.square, np.vecdot(pull, self.wave))
        return (pull - (wave * np.sin(tau))[..., None] * self.wave) / self.mu

    def _at_best(self, x: Array) -> Array:
        first = x[..., : self.d1]
        return np.concatenate([first, self.best_response(first)], axis=-1)

    def envelope(self, x: Array) -> Array:
        """Return Phi(x) = F(x, y_star(x))."""
        return self.value(self._at_best(x))

    def envelope_gradient(self, x: Array) -> Array:
        """Return grad Phi(x) = grad_x F(x, y_star(x))."""
        return self._average_gradient(self._at_best(x))[..., : self.d1]

    def certified_constants(self) -> dict[str, Constant | None]:
        nu, reach = self.nu, float(np.sqrt(self.square))
        concave = self.mu - nu * self.square
        grow, grow_y = self.noise_curvatures
        first = self._peak + self.lam + nu
        cross = self.B + nu * reach
        block = max(first + grow, cross, self.mu + nu * self.square + grow_y)
        why = "sum of the suprema of ridge, waves, coupling and noise, which peak at different points"
        steepest = np.zeros(self.d)
        steepest[0] = -np.pi / 2
        low = -nu
        return super().certified_constants() | {
            "L_block": upper(block, f"{why}: loose by at most nu = {nu:g} times max(1, t^2)"),
            "mu": exact(concave, "mu - nu |t|^2, at x_1 = -pi/2 and <t, y> = 0", steepest),
            "kappa": upper(block / concave, f"L_block / mu; {why}"),
            "L_Phi": upper(self._peak + nu + cross**2 / concave, "L_11 + L_12^2 / mu with the suprema of each"),
            "Phi_star": lower(low, f"F(x, B x / mu) >= -nu: at most {nu:g} too low"),
            "Delta_Phi": upper(
                float(self.envelope(self.start[None, None, :])[0]) - low, f"Phi(x_0) + nu: at most {nu:g} too much"
            ),
        }


def _root(slope: float, wave: Array, level: Array, iterations: int = 100) -> Array:
    """Return the roots tau of slope tau + wave sin(tau) = level, elementwise, for |wave| < slope.

    Newton steps that leave the bracket [(level - |wave|)/slope, (level + |wave|)/slope], which shrinks as signs become
    known, are replaced by its middle.  An element rests once its residual is at rounding level: no element's steps
    depend on the others.
    """
    below, above = (level - np.abs(wave)) / slope, (level + np.abs(wave)) / slope
    tau = level / slope
    for _ in range(iterations):
        miss = slope * tau + wave * np.sin(tau) - level
        moving = np.abs(miss) > 4e-16 * (np.abs(level) + slope * np.abs(tau))
        if not moving.any():
            break
        below, above = np.where(miss < 0, tau, below), np.where(miss > 0, tau, above)
        step = tau - miss / (slope + wave * np.cos(tau))
        inside = (step >= below) & (step <= above)
        tau = np.where(moving, np.where(inside, step, (below + above) / 2), tau)
    return tau
