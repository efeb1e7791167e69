"""The class of problems that a worst case is over."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from numbers import Real

from boundcheck.errors import require, require_count
from boundcheck.limits import MOST_CLIENTS

_LEAST = sys.float_info.min
"""Below it a number has fewer digits, and its inverse overflows."""


@dataclass(frozen=True, kw_only=True)
class ProblemClass:
    """All f = mean_i f_i of N clients with these constants, in any dimension.

    For a minimax method they are functions of (x, y): L-smooth in both together, mu-strongly concave in y (mu > 0),
    Phi(x_0) - inf Phi <= Delta for Phi(x) = max_y f(x, y), |y_0 - y_star(x_0)| <= `distance`, and zeta bounds
    gradients in both blocks, at the server pairs and at (x, y_star(x)).

    Parameters
    ----------
    L : float
        Every f_i is L-smooth.
    mu : float, optional
        Every f_i - mu |x|^2 / 2 is convex, mu <= L: 0 is convex, > 0 strongly convex, L a parabola; by default -L,
        smooth alone.
    Delta : float, optional
        f(x_0) - f_star <= Delta.  None: no such bound, which needs `distance`.
    Delta_mean : float, optional
        mean_i (f_i(x_0) - inf f_i) <= Delta_mean, in the place of Delta: every f_i has a floor of its own.
    distance : float, optional
        |x_0 - x_star| <= distance; needs mu >= 0.
    zeta : float, optional
        mean_i |grad f_i - grad f|^2 <= zeta^2 at all server points that a run meets; by default unbounded.
    everywhere : bool
        Make the lower side of f_i = h + <c_i, .> with one smooth h: zeta then bounds heterogeneity at every x.
    G_0 : float, optional
        mean_i |grad f_i(x_0)|^2 <= G_0: heterogeneity at the start only.
    sigma : float
        Additive noise of one sample: E|noise|^2 <= sigma^2, independent over clients and of the past; the same at every
        point where a minibatch is evaluated.
    N : int
        Clients.
    pl : float, optional
        |grad f(x)|^2 >= 2 pl (f(x) - f_star) at the server points that a run meets (Polyak-Lojasiewicz), for mu < 0: a
        necessary condition, so that there is no lower side.

    Raises
    ------
    InputError
        If a constant is not legal.
    """

    L: float = 1.0
    mu: float | None = None
    Delta: float | None = 1.0
    Delta_mean: float | None = None
    distance: float | None = None
    zeta: float | None = None
    everywhere: bool = False
    G_0: float | None = None
    sigma: float = 0.0
    N: int = 2
    pl: float | None = None

    def __post_init__(self) -> None:
        """Refuse classes that do not exist."""
        for name, value in vars(self).items():
            require(value is None or isinstance(value, Real), name, value, "a number")
        require_count(self.N, "N")
        require(self.N <= MOST_CLIENTS, "N", self.N, f"at most {MOST_CLIENTS:.0e} clients")
        require(_LEAST <= self.L < math.inf, "L", self.L, f"a number > 0, at least {_LEAST:g}")
        if self.mu is not None:
            require(
                -self.L <= self.mu <= self.L,
                "mu",
                self.mu,
                f"a number in [-L, L] = [{-float(self.L):g}, {float(self.L):g}]",
            )
        if self.pl is not None:
            require(0 < self.pl <= self.L, "pl", self.pl, f"a number in (0, L] = (0, {float(self.L):g}]")
            require(self.convexity < 0 and self.Delta is not None, "pl", self.pl, "for mu < 0, with Delta")
        for name in ("Delta", "Delta_mean", "distance", "zeta", "G_0", "sigma"):
            value = getattr(self, name)
            legal = f"a number >= 0, which is 0 or at least {_LEAST:g}"
            require(value is None or value == 0 or _LEAST <= value < math.inf, name, value, legal)
        require(self.distance is None or self.convexity >= 0, "distance", self.distance, "for mu >= 0 only")
        bounded = (self.Delta, self.Delta_mean, self.distance)
        require(any(v is not None for v in bounded), "Delta", None, "a number, unless Delta_mean or distance is one")
        smooth = not self.has_minimiser
        alone = self.Delta is None or self.Delta_mean is None
        require(alone, "Delta_mean", self.Delta_mean, "in the place of Delta: let Delta be None")
        require(smooth or self.Delta_mean is None, "Delta_mean", self.Delta_mean, "for mu < 0 only")
        tilted = not self.everywhere or (smooth and self.Delta is not None)
        require(tilted, "everywhere", self.everywhere, "for mu < 0 only, with Delta")

    @property
    def convexity(self) -> float:
        """Return mu, -L where it is not given."""
        return -self.L if self.mu is None else self.mu

    @property
    def has_minimiser(self) -> bool:
        """Whether f has a minimiser to speak of: where mu < 0 its floor says all (docs/worst.md, "The floor")."""
        return self.convexity >= 0

    @property
    def lets_clients_differ(self) -> bool:
        """Whether nothing bounds how far the clients' gradients are from each other."""
        return self.N > 1 and self.zeta is None and self.G_0 is None and self.Delta_mean is None

    @property
    def is_smooth_alone(self) -> bool:
        """Whether curvatures are bounded by L alone, mu = -L."""
        return self.convexity == -self.L

    @property
    def is_parabolic(self) -> bool:
        """Whether mu = L: every client is L |x - c_i|^2/2 and a constant."""
        return self.convexity == self.L
