"""Halpern's iteration on gradient steps (Lieder 2021, Theorem 2.1, with the map x - (2/L) grad f(x))."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sympy import Eq, Le

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, Step, Vector
from boundcheck.notation import symbols

N, S, K, T, L, delta_x = symbols("N S K T L delta_x")


class Anchored(NamedTuple):
    """The iterate, the start, and the number of steps."""

    x: Vector
    anchor: Vector
    t: Any


@dataclass(frozen=True)
class Halpern(Method):
    """Every step goes back to the start a little less.

    **Update**: ``x <- a x_0 + (1 - a) (x - eta grad f(x))`` with a = 1/(t + 2).

    Attributes
    ----------
    eta : float
        Step.
    """

    card = Card("halpern", "Halpern's iteration", "Halpern 1967", "(1)", gradients="1 full", partial=False)
    eta: Step

    def init(self, oracle: Oracle, x0: Vector) -> Anchored:
        return Anchored(x0, x0, 0)

    def round(self, oracle: Oracle, state: Anchored) -> Anchored:
        x, anchor, t = state
        moved = x - self.eta * oracle.mean(oracle.full(oracle.to_clients(x)))
        return Anchored((anchor + (t + 1) * moved) / (t + 2), anchor, t + 1)


TRUE = Bound(
    id="halpern", paper="mine", title="Halpern's iteration", where="Lieder 2021, Theorem 2.1", method="Halpern",
    metric="final_gradient", needs=("L", "delta_x"), parameters={"eta": 2 / L},
    terms={"start": L**2 * delta_x / (T + 1) ** 2}, trivial=L**2 * delta_x, convex=True, exact_gradients=True,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all", Le(N, S))), rigid=True,
)  # fmt: skip
SMALL = replace(TRUE, terms={"start": TRUE.terms["start"] / 4})
FASTER = replace(TRUE, terms={"start": L**2 * delta_x / (T + 1) ** 4})
LONG = replace(TRUE, parameters={"eta": 5 / L})
