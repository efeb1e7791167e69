"""The small problems that identities are checked on, named by what their clients are like."""

from __future__ import annotations

from typing import Any

from boundcheck.problems.data.mlp import Perceptron
from boundcheck.problems.synthetic.ncsc_ridge import RidgeSaddle
from boundcheck.problems.synthetic.parabolas import Parabolas
from boundcheck.problems.synthetic.quadratic import Quadratic
from boundcheck.problems.synthetic.ridge import Ridge


def noisy(**changed: Any) -> Ridge:
    """Return five clients that differ by tilts, with noise that changes with the point."""
    one = changed.get("N") == 1
    return Ridge(**{"N": 5, "d": 3, "zeta": 0.0 if one else 0.8, "sigma": 0.7, "noise": "phases", **changed})


def alone() -> Ridge:
    """Return the noisy problem with one client."""
    return noisy(N=1)


def signs() -> Ridge:
    """Return the problem with noise that is the same at every point."""
    return noisy(noise="signs")


def calm(**changed: Any) -> Ridge:
    """Return the problem without noise, the clients differing by a tilt."""
    return noisy(sigma=0.0, noise="none", **changed)


def alike() -> Ridge:
    """Return the problem without noise, all clients equal."""
    return calm(zeta=0.0)


def curved_clients(start: float = 1.0) -> Quadratic:
    """Return four quadratic clients with curvatures of their own, without noise; the minimiser is 0."""
    return Quadratic(N=4, d=2, mu=0.4, L=1.6, spread=1.0, zeta=1.0, noise="none", start=start)


def saddle(N: int = 3, sigma: float = 0.7, zeta: float = 1.0) -> RidgeSaddle:
    """Return a noisy heterogeneous minimax problem, three coordinates against two; its saddle point is 0."""
    return RidgeSaddle(N=N, d1=3, d2=2, zeta_pair=zeta if N > 1 else 0.0, sigma=sigma, start_y=0.5)


def far(N: int = 5, d: int = 3) -> Ridge:
    """Return parabolas that start far from their minimum and differ by much: client gradients of norm about 50."""
    return noisy(N=N, d=d, link="quadratic", start=30.0, zeta=30.0 if N > 1 else 0.0, noise="signs")


def nonnegative(N: int = 5, d: int = 3, *, steep: bool = False) -> Parabolas:
    """Return clients whose own values are known and >= 0, with noise; steep: far from their minima, which differ."""
    scale = 30.0 if steep else 1.0
    return Parabolas(N=N, d=d, split=0.8 * scale, offset=0.6, start=scale)


def finite_sums(N: int = 5, d: int = 3, *, steep: bool = False) -> Parabolas:
    """Return clients with lists of four parabolas, which differ in curvature and minima; steep: far from them."""
    scale = 30.0 if steep else 1.0
    return Parabolas(N=N, d=d, m=4, split=0.8 * scale, offset=0.6, start=scale)


def far_saddle(N: int = 3) -> RidgeSaddle:
    """Return the saddle with clients that differ by much: client gradients of norm about 30."""
    return RidgeSaddle(N=N, d1=3, d2=2, zeta_pair=30.0 if N > 1 else 0.0, sigma=0.7, start=3.0, start_y=0.5)


def network(N: int = 5) -> Perceptron:
    """Return clients that share a network with two hidden layers, on real data."""
    return Perceptron(N=N, data="wine", width=3, depth=2)
