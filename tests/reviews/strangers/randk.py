"""Gradient descent with unbiased sparse messages, strongly convex (Khirirat et al. 2018), arXiv:1806.06573."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from sympy import Eq, Le, Rational

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, Probability, Step, Vector
from boundcheck.notation import symbols

N, S, K, T, L, mu, delta_x, zeta_star, eta, p_full = symbols("N S K T L mu delta_x zeta_star eta p_full")


class Point(NamedTuple):
    """The iterate."""

    x: Vector


@dataclass(frozen=True)
class Sparse(Method):
    """Every client sends each entry of its gradient with probability p, divided by p.

    **Update**: ``x <- x - eta mean_i Q_i(grad f_i(x))``.

    Attributes
    ----------
    eta, p_full : float
        Step, and the probability.
    """

    card = Card("sparse", "DCGD", "Khirirat et al. 2018", "(3)", gradients="1 full", partial=False)
    state_type = Point
    eta: Step
    p_full: Probability

    def round(self, oracle: Oracle, state: Point) -> Point:
        g = oracle.full(oracle.to_clients(state.x))
        coins = oracle.uniform(g.shape[1], g.shape[2])
        return Point(state.x - self.eta * oracle.mean(oracle.xp.where(coins < self.p_full, g / self.p_full, 0.0)))


OMEGA = 1 / p_full - 1
TRUE = Bound(
    id="randk", paper="mine", title="sparse gradients", where="Khirirat et al. 2018, Theorem 1", method="Sparse",
    metric="final_distance", needs=("L", "mu", "delta_x", "zeta_star"),
    parameters={"p_full": Rational(1, 2), "eta": 1 / (L * (1 + 2 * OMEGA / N))}, free=("p_full", "eta"),
    terms={"rate": (1 - eta * mu) ** T * delta_x, "clients": 2 * eta * OMEGA * zeta_star**2 / (mu * N)},
    trivial=delta_x,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all", Le(N, S)), Condition("sent", Le(p_full, 1)),
                Condition("step", Le(eta * L * (1 + 2 * OMEGA / N), 1))),
    convex=True, exact_gradients=True,
)  # fmt: skip
SMALL = replace(TRUE, terms={"rate": (1 - eta * mu) ** (3 * T) * delta_x, "clients": TRUE.terms["clients"]})
DROPPED = replace(TRUE, terms={"rate": TRUE.terms["rate"]})
LONG = replace(TRUE, conditions=(*TRUE.conditions[:3], Condition("step", Le(eta * L, 1))))
