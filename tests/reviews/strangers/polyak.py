"""Polyak's step on smooth convex functions (Hazan, Kakade 2019, Theorem 1), arXiv:1905.00313."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from sympy import Eq, Le

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Factor, Method, Oracle, Real, Vector
from boundcheck.notation import symbols

N, S, K, T, L, delta_x, f_star = symbols("N S K T L delta_x f_star")


class Point(NamedTuple):
    """The iterate."""

    x: Vector


@dataclass(frozen=True)
class Polyak(Method):
    """A step as long as the gap allows.

    **Update**: ``x <- x - share (f(x) - floor)/|grad f(x)|^2 grad f(x)``.

    Attributes
    ----------
    floor, share : float
        Infimum of f, and a factor of the step.
    """

    card = Card("polyak", "Polyak's step", "Polyak 1969", "(3)", gradients="1 full", partial=False)
    state_type = Point
    floor: Real
    share: Factor = 1.0

    def round(self, oracle: Oracle, state: Point) -> Point:
        g = oracle.mean(oracle.full(oracle.to_clients(state.x)))
        square = (g * g).sum(axis=2, keepdims=True)
        gap = oracle.value(state.x) - self.floor
        return Point(
            state.x - self.share * oracle.xp.where(square > 0, gap / oracle.xp.maximum(square, 1e-300), 0.0) * g
        )


TRUE = Bound(
    id="polyak",
    paper="mine",
    title="Polyak's step",
    where="Hazan, Kakade 2019, Theorem 1",
    method="Polyak",
    metric="suboptimality",
    needs=("L", "delta_x", "f_star"),
    parameters={"share": 1},
    hyper={"floor": "f_star"},
    terms={"distance": 2 * L * delta_x / T},
    trivial=L * delta_x / 2,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all clients", Le(N, S))),
    exact_gradients=True,
    convex=True,
)
SMALL = replace(TRUE, terms={"distance": L * delta_x / (2 * T)})
FASTER = replace(TRUE, terms={"distance": 2 * L * delta_x / T**2})
WIDER = replace(TRUE, parameters={"share": 5})
