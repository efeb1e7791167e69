"""Ways to make clients differ by an amount zeta that is met exactly while the average function stays the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.synthetic.farthest import widest

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices


def tilts(N: int, d: int, zeta: float) -> Array:
    """Return vectors a_1..a_N (N, d) that sum to zero with mean_i |a_i|^2 = zeta^2.

    The vectors go round an ellipse: coordinate c of client i is proportional to cos(2 pi i / N + c).
    """
    require_heterogeneity(N, zeta)
    if zeta == 0:
        return np.zeros((N, d))
    a: Array = np.cos(2 * np.pi * np.arange(N)[:, None] / N + np.arange(d)[None, :])
    a -= a.mean(axis=0)
    a *= zeta / np.sqrt((a * a).sum(axis=1).mean())
    return a


def alternating(N: int, d: int, zeta: float) -> Array:
    """Return vectors a, -a, a, ... (N, d) with equal coordinates and |a| = zeta; 0 for the last of an odd N."""
    vectors: Array = sign_pattern(N)[:, None] * np.full(d, zeta / np.sqrt(d))
    return vectors


def phases(N: int, d: int, zeta: float) -> tuple[float, Array]:
    """Return (lam, angles): the waves lam cos(x_c + angle_i) average to zero and have heterogeneity zeta.

    For N >= 3 equally spaced angles mean_i |lam sin(x + angle_i)|^2 = d lam^2 / 2 at every x; for N = 2 the
    supremum over x is d lam^2.
    """
    require_heterogeneity(N, zeta)
    lam = 0.0 if zeta == 0 else zeta / np.sqrt(d / 2 if N >= 3 else d)
    return float(lam), 2 * np.pi * np.arange(N) / N


def largest_pair(vectors: Array) -> float:
    """Return max_ij |v_i - v_j| of the rows of `vectors`."""
    i, j = widest(vectors)
    return float(np.sqrt(((vectors[i] - vectors[j]) ** 2).sum()))


def tilt_constants(tilts: Array, zeta: float, at: Array) -> dict[str, Constant | None]:
    """Return zeta and zeta_pair of clients that differ by tilts of root mean square `zeta`."""
    why = "clients differ by their tilts alone"
    return {"zeta": exact(zeta, why, at), "zeta_pair": exact(largest_pair(tilts), why, at)}


def alike(why: str = "all clients are alike", at: Array | None = None) -> dict[str, Constant | None]:
    """Return zeta = zeta_pair = 0."""
    zero = exact(0.0, why, at)
    return {"zeta": zero, "zeta_pair": zero}


def sign_pattern(N: int) -> Array:
    """Return +1, -1, +1, ... for N clients, and 0 for the last one when N is odd: the mean is 0."""
    pattern = np.where(np.arange(N) % 2 == 0, 1.0, -1.0)
    if N % 2:
        pattern[-1] = 0.0
    return pattern


def kinds(values: Array | Indices) -> tuple[Indices, Array]:
    """Return the first client of each kind, and the share of all that are of it, where kinds differ in one number."""
    _, firsts, counts = np.unique(values, return_index=True, return_counts=True)
    return firsts, counts / len(values)


def variance(values: Array, shares: Array) -> Array:
    """Return the variance over clients of what kinds (k, n) of them have, of which these are the shares (k,)."""
    off = values - shares @ values
    found: Array = shares @ (off * off)
    return found


def sign_tilts(N: int, d: int, zeta: float) -> Array:
    """Return `alternating` vectors scaled so that mean_i |a_i|^2 = zeta^2."""
    require_heterogeneity(N, zeta)
    share = float((sign_pattern(N) ** 2).mean())
    return alternating(N, d, zeta / np.sqrt(share) if zeta else 0.0)


def mixtures(N: int, components: int, omega: float, seed: int) -> Array:
    """Return shares (N, components): rows drawn from Dirichlet(omega), balanced so that every column has mean 1/M.

    Small omega gives each client few components.  The shares are balanced by scaling rows and columns in turn; the
    last scaling is of the columns, so the average client is exactly even and rows add up to 1 to 1e-12.
    """
    require(omega > 0, "dirichlet_omega", omega, "a number > 0")
    shares = np.random.default_rng(seed).dirichlet(np.full(components, omega), N) + 1e-9
    for _ in range(10_000):
        shares /= shares.sum(axis=1, keepdims=True)
        means = components * shares.mean(axis=0)
        shares /= means
        if np.abs(means - 1).max() < 1e-13:
            break
    return shares


def require_heterogeneity(N: int, zeta: float, where: str = "zeta") -> None:
    """Refuse a negative amount, and any amount for a single client."""
    require(zeta >= 0, where, zeta, "a number >= 0")
    require(zeta == 0 or N >= 2, where, zeta, "0 when N = 1: a single client cannot differ from the average")
