"""Conjugate gradients on parabolas (Nocedal, Wright 2006, (5.36)): Chebyshev's rate in the norm of the Hessian."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from sympy import Eq, Le, sqrt

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Factor, Method, Oracle, Vector
from boundcheck.notation import symbols

N, S, K, T, L, mu, Delta = symbols("N S K T L mu Delta")


class Conjugate(NamedTuple):
    """The iterate, the last direction, and the square of the last gradient."""

    x: Vector
    p: Vector
    old: Vector


@dataclass(frozen=True)
class ConjugateGradients(Method):
    """**Update**: ``p <- share |g|^2/|g_old|^2 p - g``, ``x <- x + |g|^2/<p, H p> p``.

    Attributes
    ----------
    share : float
        Of the last direction; 0 for steepest descent.
    """

    card = Card("cg", "Conjugate gradients", "Nocedal 2006", "Algorithm 5.2", gradients="3 full", partial=False)
    share: Factor = 1.0

    def init(self, oracle: Oracle, x0: Vector) -> Conjugate:
        return Conjugate(x0, 0.0 * x0, 0.0 * x0[..., :1])

    def round(self, oracle: Oracle, state: Conjugate) -> Conjugate:
        where, y = oracle.xp.where, oracle.to_clients(state.x)
        g = oracle.mean(oracle.full(y))
        square = (g * g).sum(axis=2, keepdims=True)
        p = where(state.old > 0, self.share * square / where(state.old > 0, state.old, 1.0), 0.0) * state.p - g
        steep = (p * oracle.mean(oracle.curvature(y, oracle.to_clients(p)))).sum(axis=2, keepdims=True)
        step = where(steep > 0, -(p * g).sum(axis=2, keepdims=True) / where(steep > 0, steep, 1.0), 0.0)
        return Conjugate(state.x + step * p, p, square)


TRUE = Bound(
    id="cg",
    paper="mine",
    title="conjugate gradients",
    where="Nocedal, Wright 2006, (5.36)",
    method="ConjugateGradients",
    metric="final_suboptimality",
    needs=("L", "mu", "Delta"),
    parameters={"gamma": 1},
    hyper={"share": "gamma"},
    terms={"rate": 4 * ((sqrt(L) - sqrt(mu)) / (sqrt(L) + sqrt(mu))) ** (2 * T) * Delta},
    trivial=Delta,
    rigid=True,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all", Le(N, S))),
    exact_gradients=True,
    families=("quadratic",),
)
FASTER = replace(TRUE, terms={"rate": TRUE.terms["rate"] ** 2 / (4 * Delta)})
STEEPEST = replace(TRUE, parameters={"gamma": 0})
EVERYWHERE = replace(TRUE, families=(), convex=True)
