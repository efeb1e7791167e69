"""Steepest descent with exact line search on parabolas (Kantorovich 1948; Luenberger 1984, section 7.6)."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from sympy import Eq, Le

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Factor, Method, Oracle, Vector
from boundcheck.notation import symbols
from boundcheck.problems.own import from_functions, own_letter

N, S, K, T, L, mu, Delta = symbols("N S K T L mu Delta")


def bending(problem, points):
    """Return how much grad f at x + 1 and x - 1 is from twice grad f at x."""
    g = [problem.mean_gradient(points[:, None] + step) for step in (-1.0, 0.0, 1.0)]
    return np.abs(g[0] - 2 * g[1] + g[2]).max(axis=(1, 2))


bend = own_letter("bend", "largest second difference of grad f", unit=(1, -1), attack=bending)


class Point(NamedTuple):
    """The iterate."""

    x: Vector


@dataclass(frozen=True)
class ExactSteps(Method):
    """A step to the minimum along the gradient of a parabola.

    **Update**: ``x <- x - share |g|^2/<g, H g> g``.

    Attributes
    ----------
    share : float
        Factor of the exact step.
    """

    card = Card("exact-steps", "Exact line search", "Cauchy 1847", "(1)", gradients="3 full", partial=False)
    state_type = Point
    share: Factor = 1.0

    def round(self, oracle: Oracle, state: Point) -> Point:
        y = oracle.to_clients(state.x)
        own = oracle.full(y)
        g = oracle.mean(own)
        steep = (g * oracle.mean(oracle.curvature(y, oracle.to_clients(g)))).sum(axis=2, keepdims=True)
        return Point(
            state.x - self.share * oracle.xp.where(steep > 0, (g * g).sum(axis=2, keepdims=True) / steep, 0.0) * g
        )


def BOWL(N: int, steep: float = 4.0, x: float = 4.0):
    """(y^2 + steep z^2)/2 for every client, from (x, 1)."""
    H = np.array([1.0, steep])
    return from_functions(
        lambda client, at: float(at @ (H * at)) / 2, lambda client, at: H * at, N=N, d=2, start=[x, 1.0], convex=True,
        x_star=[0.0, 0.0],
        constants={"L": max(H), "mu": min(H), "f_star": 0.0, "Delta": (x * x + steep) / 2, "bend": 0.0},
    )  # fmt: skip


TRUE = Bound(
    id="exact-steps", paper="mine", title="exact steps", where="Luenberger 1984, section 7.6", method="ExactSteps",
    metric="final_suboptimality", needs=("L", "mu", "Delta", "bend"), parameters={"gamma": 1}, hyper={"share": "gamma"},
    terms={"rate": ((L - mu) / (L + mu)) ** (2 * T) * Delta}, trivial=Delta, exact_gradients=True, rigid=True,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all", Le(N, S)),
                Condition("a parabola", Eq(bend, 0, evaluate=False))),
)  # fmt: skip
FASTER = replace(TRUE, terms={"rate": ((L - mu) / (L + mu)) ** (4 * T) * Delta})
LONG = replace(TRUE, parameters={"gamma": 2.5})
