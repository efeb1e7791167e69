"""Dual averaging with steps like 1/sqrt(t) (Nesterov 2009; Xiao 2010, Theorem 1, without a penalty)."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sympy import Eq, Le, Lt, sqrt

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, Step, Vector
from boundcheck.notation import symbols

N, S, K, T, G_rms, delta_x, eta = symbols("N S K T G_rms delta_x eta")


class Sums(NamedTuple):
    """The iterate, the start, the sum of gradients, and how many there are."""

    x: Vector
    start: Vector
    total: Vector
    t: Any


@dataclass(frozen=True)
class DualAveraging(Method):
    """Steps from the start along the sum of all gradients.

    **Update**: ``s <- s + g(x)``; ``x <- x_0 - eta s/sqrt(t + 1)``.

    Attributes
    ----------
    eta : float
        Step.
    """

    card = Card("dual-averaging", "Dual averaging", "Xiao 2010", "Algorithm 1", gradients="1", partial=False)
    eta: Step

    def init(self, oracle: Oracle, x0: Vector) -> Sums:
        return Sums(x0, x0, 0.0 * x0, 0)

    def round(self, oracle: Oracle, state: Sums) -> Sums:
        y = oracle.to_clients(state.x)
        oracle.observe(y)
        total, t = state.total + oracle.mean(oracle.grad(y, oracle.draw())), state.t + 1
        return Sums(state.start - self.eta * total / t**0.5, state.start, total, t)


TRUE = Bound(
    id="dual-averaging", paper="mine", title="dual averaging", where="Xiao 2010, Theorem 1", method="DualAveraging",
    metric="centre_suboptimality", needs=("G_rms", "delta_x"), parameters={"eta": sqrt(delta_x) / G_rms},
    terms={"start": delta_x / (2 * eta * sqrt(T)), "steps": eta * G_rms**2 * (1 + 2 * sqrt(T)) / (2 * T)},
    trivial=G_rms * sqrt(delta_x), free=("eta",), convex=True,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all", Le(N, S)),
                Condition("a step", Lt(0, eta, evaluate=False))),
)  # fmt: skip
SMALL = replace(TRUE, terms={name: term / 8 for name, term in TRUE.terms.items()})
NO_STEPS = replace(TRUE, terms={"start": TRUE.terms["start"]})
NO_START = replace(TRUE, terms={"steps": TRUE.terms["steps"]})
