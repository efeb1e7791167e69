"""Gradient descent with Armijo's line search, convex (Vaswani et al. 2019, Theorem 2, c = 2/3), arXiv:1905.09997."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from sympy import Eq, Le, Max

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, Step, Vector
from boundcheck.notation import symbols

N, S, K, T, L, delta_x, eta = symbols("N S K T L delta_x eta")


class Point(NamedTuple):
    """The iterate."""

    x: Vector


@dataclass(frozen=True)
class Armijo(Method):
    """The first of the steps eta, eta/2, eta/4, ... that lowers f by 2/3 of step times the squared gradient.

    **Update**: ``x <- x - h grad f(x)``, ``f(x - h g) <= f(x) - 2/3 h |g|^2``.

    Attributes
    ----------
    eta : float
        The first step that is tried.
    """

    card = Card("armijo", "Armijo", "Vaswani et al. 2019", "(1)", gradients="1 full", partial=False)
    state_type = Point
    eta: Step

    def round(self, oracle: Oracle, state: Point) -> Point:
        xp, x = oracle.xp, state.x
        g = oracle.mean(oracle.full(oracle.to_clients(x)))
        size, now = (g * g).sum(axis=2, keepdims=True), oracle.value(x)
        h = self.eta * xp.ones_like(size)
        for _ in range(12):
            enough = oracle.value(x - h * g) <= now - 2 / 3 * h * size
            h = xp.where(enough, h, h / 2)
        return Point(x - h * g)


TRUE = Bound(
    id="armijo", paper="mine", title="Armijo's rule, convex", where="Vaswani et al. 2019, Theorem 2", method="Armijo",
    metric="centre_suboptimality", needs=("L", "delta_x"), parameters={"eta": 10 / L}, free=("eta",),
    terms={"start": 2 * Max(3 * L, 1 / eta) * delta_x / T}, trivial=L * delta_x / 2,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all", Le(N, S)), Condition("halved", Le(eta * L, 1000))),
    convex=True, exact_gradients=True,
)  # fmt: skip
SMALL = replace(TRUE, terms={"start": TRUE.terms["start"] / 60})
DROPPED = replace(TRUE, parameters={"eta": 1 / (100 * L)}, terms={"start": 6 * L * delta_x / T})
