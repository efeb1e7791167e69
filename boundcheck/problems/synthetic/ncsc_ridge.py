"""Nonconvex-strongly-concave saddles made of ridges: every constant of the minimax theorems in closed form."""

from __future__ import annotations

from dataclasses import InitVar, dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from boundcheck.errors import require, require_count
from boundcheck.problems.base import Problem
from boundcheck.problems.constants import Constant, exact, upper
from boundcheck.problems.links import link_named
from boundcheck.problems.noise.saddle import make_saddle_noise
from boundcheck.problems.synthetic.farthest import farthest, summed_distances, widest
from boundcheck.problems.synthetic.heterogeneity import alternating, phases, require_heterogeneity, tilts

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.problems.types import Array, Indices


_LINKS = ("ratio", "log", "cosine", "quadratic")
"""Links with phi >= 0 = phi(0) whose curvature peaks at 0; saddles need no bound on slopes."""
_TAIL = "tail"
"""Hills, for saddles without a coupling: |B x|^2 / (2 mu) would end their tails."""


@dataclass(kw_only=True, eq=False, repr=False)
class RidgeSaddle(Problem):
    """Minimise over x, maximise over y: a separable nonconvex part, a bilinear coupling and a concave quadratic.

    f_i(x, y) = s sum_c phi(x_c) + <a_i, x> + <e_i, y> + lam sum_c cos(x_c + p_i) + y^T B x - mu |y|^2 / 2 with
    phi(z) = z^2/(1+z^2) or another link; a sample adds tau cos(<p, x> + phase) + tau_y cos(<r, y> + phase) or, with
    noise = 'signs', a linear function.  The client parts average to zero, hence y_star(x) = B x / mu,
    Phi(x) = s sum_c phi(x_c) + |B x|^2 / (2 mu) and Phi_star = 0.

    B has singular values from B down to B/2 and mixes the coordinates of x by a reflection; with d2 < d1 it has null
    directions, in which Phi is not convex.  Without a coupling (B = 0) Phi is the ridge alone, which may then be a hill
    with a slowly falling tail (`boundcheck.problems.links.tail`): phi >= 0 is approached far away only.

    Parameters
    ----------
    N, d1, d2 : int
        Clients, dimensions of x and of y.
    link : {'ratio', 'log', 'cosine', 'quadratic', 'tail', 'tail:p'}
        phi(z) = z^2/(1+z^2), log(1+z^2), 1-cos z or z^2/2; (1+z^2)^(-p/2)/p if B = 0.
    s : float
        Scale of the part phi.
    B : float
        Spectral norm of the coupling matrix; 0 for none.
    mu : float
        Strong concavity in y.
    zeta_pair : float
        Heterogeneity over pairs, met exactly.
    dual_share, wave_share : float
        How heterogeneity is made, before it is scaled to `zeta_pair`: shares of tilts e_i in y and of waves (which
        turn with x); the rest is tilts a_i in x.
    pattern : {'ellipse', 'signs'}
        How tilts go round the clients: on an ellipse, or one vector with alternating sign (the last of an odd number
        of clients gets none).
    sigma : float
        Noise of one sample over both blocks, met exactly.
    noise_dual_share : float
        Share of sigma^2 in the gradient of y.
    noise : {'phases', 'signs'}
        Random phases (the noise changes with the point) or random signs (it does not).
    omega : float
        Frequency |p| = |r| of the noise.
    start, start_y : float
        Every coordinate of x_0 and of y_0.

    Attributes
    ----------
    couplings : Array
        Singular values of B (min(d1, d2),).
    """

    family = "ncsc-ridge"
    lane_tables: ClassVar = {"tilts": "zeta_pair", "angles": ""}
    any_clients = True
    dials = ("zeta_pair",)
    N: int
    d1: int = 8
    d2: int = 4
    link: str = "ratio"
    s: float = 1.0
    B: float = 0.5
    mu: float = 1.0
    zeta_pair: float = 0.0
    dual_share: float = 0.5
    wave_share: float = 0.0
    pattern: str = "ellipse"
    sigma: float = 0.0
    noise_dual_share: float = 0.5
    noise: InitVar[str] = "phases"
    omega: float = 1.0
    start: InitVar[float] = 1.0
    start_y: float = 0.0

    def __post_init__(self, noise: str, start: float) -> None:
        self._require_legal()
        model = make_saddle_noise(
            noise, self.sigma, self.d1, self.d2, dual_share=self.noise_dual_share, omega=self.omega
        )
        self.blocks = (self.d1, self.d2)
        first = np.repeat([float(start), float(self.start_y)], self.blocks)
        Problem.__init__(self, N=self.N, d=self.d1 + self.d2, start=first, noise=model)
        self.noise_curvatures = model.curvatures
        self.phi = link_named(self.link)
        self.couplings = np.linspace(self.B, self.B / 2, min(self.blocks))
        self._differ(tilts if self.pattern == "ellipse" else alternating)

    def _require_legal(self) -> None:
        require_count(self.d1, "ncsc-ridge: d1")
        require_count(self.d2, "ncsc-ridge: d2")
        require(self.B >= 0, "ncsc-ridge: B", self.B, "a number >= 0")
        for name in ("s", "mu"):
            require(getattr(self, name) > 0, f"ncsc-ridge: {name}", getattr(self, name), "a number > 0")
        for name in ("dual_share", "wave_share"):
            share = getattr(self, name)
            require(0 <= share <= 1, f"ncsc-ridge: {name}", share, "a number in [0, 1]")
        both = self.dual_share + self.wave_share
        require(both <= 1, "ncsc-ridge: dual_share + wave_share", both, "<= 1")
        legal = (*_LINKS, *([] if self.B else [_TAIL]))
        known = self.link.partition(":")[0] == _TAIL and not self.B
        require(self.link in legal or known, "ncsc-ridge: link", self.link, f"one of {', '.join(legal)}")
        require(self.pattern in {"ellipse", "signs"}, "ncsc-ridge: pattern", self.pattern, "ellipse or signs")

    def _differ(self, vectors: Callable[[int, int, float], Array]) -> None:
        """Shape the client parts by their shares, then scale them so that the largest pair differs by zeta_pair."""
        require_heterogeneity(self.N, self.zeta_pair, "ncsc-ridge: zeta_pair")
        unit = 1.0 if self.zeta_pair else 0.0
        a = vectors(self.N, self.d1, unit * np.sqrt(max(0.0, 1 - self.dual_share - self.wave_share)))
        e = vectors(self.N, self.d2, unit * np.sqrt(self.dual_share))
        self.tilts = np.concatenate([a, e], axis=1)
        self.lam, self.angles = phases(self.N, self.d1, unit * np.sqrt(self.wave_share))
        scale = self.zeta_pair / self._widest_pair()[0] if self.zeta_pair else 0.0
        self.tilts *= scale
        self.lam *= scale

    def _widest_pair(self) -> tuple[float, Array]:
        """Return the supremum over x of the largest |grad f_i - grad f_j|, and the point where it is attained.

        In coordinate c of x the pair differs by a_ic - a_jc - 2 lam sin((p_i-p_j)/2) cos(x_c + (p_i+p_j)/2), and
        each x_c is free to make the two parts align.
        """
        moving = np.arange(self.d) < self.d1

        def waves(rows: Indices, others: Indices) -> Array:
            return np.abs(self._wave(rows[:, None], others))[..., None] * moving

        circle = self.lam * np.stack([np.cos(self.angles), np.sin(self.angles)], axis=1)
        places = np.concatenate([self.tilts, circle], axis=1)
        i, j = farthest(places, summed_distances(self.tilts, waves)) if self.lam else widest(self.tilts)
        gap, wave = self.tilts[i] - self.tilts[j], self._wave(i, j)
        sizes = np.abs(gap) + np.abs(wave) * moving
        at = np.zeros(self.d)
        same = gap[: self.d1] * wave >= 0
        at[: self.d1] = np.where(same, 0.0, np.pi) - (self.angles[i] + self.angles[j]) / 2
        return float(np.sqrt((sizes * sizes).sum())), at

    def _wave(self, i: Indices | int, j: Indices | int) -> Array:
        """Return how high the difference of the waves of two clients is, with its sign at x = 0."""
        height: Array = -2 * self.lam * np.sin((self.angles[i] - self.angles[j]) / 2)
        return height

    def _couple(self, x: Array) -> Array:
        """Return B x for the min block x (..., d1), shape (..., d2)."""
        rank = len(self.couplings)
        coupled: Array = self.couplings * (x[..., :rank] - _twice_mean(x))
        return coupled if rank == self.d2 else _pad_zeros(coupled, self.d2)

    def _couple_back(self, y: Array) -> Array:
        """Return B^T y for the max block y (..., d2), shape (..., d1)."""
        back = _pad_zeros(self.couplings * y[..., : len(self.couplings)], self.d1)
        back -= _twice_mean(back)
        return back

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return (grad_x f_i, grad_y f_i), concatenated and without a change of sign."""
        g = self._average_gradient(x)
        if self.lam:
            angles = self.of_clients(self.angles, clients)
            g[..., : self.d1] -= self.lam * np.sin(x[..., : self.d1] + angles[..., None])
        if self.zeta_pair:
            g += self.of_clients(self.tilts, clients)
        return g

    def _average_gradient(self, z: Array) -> Array:
        x, y = z[..., : self.d1], z[..., self.d1 :]
        # The slope of all of z is one pass over memory that lies in a row; that of y is overwritten.
        g = self.phi.slope(z, self.s)
        g[..., : self.d1] += self._couple_back(y)
        np.subtract(self._couple(x), self.mu * y, out=g[..., self.d1 :])
        return g

    def mean_gradient(self, x: Array) -> Array:
        """Return the gradient of the average function in both blocks: the client parts cancel."""
        return self._average_gradient(x)

    def value(self, x: Array) -> Array:
        """Return the average function at (x, y)."""
        first, second = x[..., : self.d1], x[..., self.d1 :]
        dual = second * (self._couple(first) - self.mu / 2 * second)
        total: Array = self.s * self.phi.value(first).sum(axis=(1, 2)) + dual.sum(axis=(1, 2))
        return total

    def best_response(self, x: Array) -> Array:
        """Return y_star = B x / mu."""
        return self._couple(x[..., : self.d1]) / self.mu

    def envelope(self, x: Array) -> Array:
        """Return Phi = s sum_c phi(x_c) + |B x|^2 / (2 mu)."""
        first = x[..., : self.d1]
        squares = self._couple(first) ** 2
        phi: Array = self.s * self.phi.value(first).sum(axis=(1, 2)) + squares.sum(axis=(1, 2)) / (2 * self.mu)
        return phi

    def envelope_gradient(self, x: Array) -> Array:
        """Return grad Phi = s phi'(x) + B^T B x / mu."""
        first = x[..., : self.d1]
        return self.phi.slope(first, self.s) + self._couple_back(self._couple(first)) / self.mu

    def certified_constants(self) -> dict[str, Constant | None]:
        """Return the block smoothness, mu, kappa, sigma, zeta_pair and the constants of Phi."""
        origin, floor = np.zeros(self.d), self.phi.floor_at
        block = self._block_smoothness()
        ratio = Constant(block.value / self.mu, block.kind, f"L_block / mu; {block.reason}", origin)
        x = self.start[None, None, :]
        initial = float(self.envelope(x)[0])
        miss = x[..., self.d1 :] - self.best_response(x)
        return {
            "L_block": block,
            "mu": exact(self.mu, "the y-curvature of every client is -mu I", origin),
            "kappa": ratio,
            "sigma": exact(self.noise.sigma, f"{self.noise.kind} have this variance at every point"),
            "zeta_pair": exact(self.zeta_pair, "tilts and waves align in every coordinate", self._widest_pair()[1]),
            "L_Phi": exact(
                self._peak + self.B**2 / self.mu, "at x = 0 the curvature is s phi''(0) I + B^T B / mu", origin
            ),
            "Phi_star": exact(0.0, f"both parts of Phi are >= 0 and vanish at x = {floor:g}", np.full(self.d, floor)),
            "Delta_Phi": exact(initial, "Phi(x_0) - 0 in closed form", np.full(self.d, floor)),
            "delta_y": exact(float((miss * miss).sum()), "|y_0 - B x_0 / mu|^2", self.start),
        }

    @property
    def _peak(self) -> float:
        """The curvature of the ridge at x = 0, its largest."""
        return self.s * self.phi.sup_curvature

    def _block_smoothness(self) -> Constant:
        """Return the largest of s phi''(0) + lam + noise, |B| and mu + noise; of waves an odd N has none at x = 0."""
        grow, grow_y = self.noise_curvatures
        others = max(self.B, self.mu + grow_y)
        smooth = self._peak + grow
        missed = self.lam * (1 - np.cos(np.pi / self.N)) if self.N % 2 else 0.0
        claimed = max(smooth + self.lam, others)
        if not missed or others >= smooth + self.lam:
            return exact(claimed, "x-curvature of ridge, wave and noise, |B|, or y-curvature", np.zeros(self.d))
        return upper(claimed, f"for odd N no wave peaks where the ridge does: loose by at most {missed:.3g}")


def _pad_zeros(x: Array, d: int) -> Array:
    """Return x with zeros after it, (..., d)."""
    out = np.empty_like(x, shape=(*x.shape[:-1], d), order="C")
    out[..., : x.shape[-1]] = x
    out[..., x.shape[-1] :] = 0.0
    return out


def _twice_mean(x: Array) -> Array:
    """Return 2 mean(x) (..., 1): to take it away reflects x in the plane orthogonal to (1, ..., 1), and mixes all of x.

    The reflection is orthogonal and symmetric.
    """
    twice: Array = 2 * np.vecdot(x, _weights(x.shape[-1]))[..., None]
    return twice


@cache
def _weights(d: int) -> Array:
    """Return the weights of a mean of d numbers."""
    return np.full(d, 1.0 / d)
