"""The fast extragradient method on a monotone operator (Lee, Kim 2021, Theorem 4.1), arXiv:2106.02326."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from sympy import Eq, Le

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, Step, Vector
from boundcheck.metrics import Metric
from boundcheck.notation import symbols

N, S, K, T, L, mu_op, delta_z = symbols("N S K T L mu_op delta_z")


class Anchored(NamedTuple):
    """The iterate, the start, and the number of the round."""

    x: Vector
    start: Vector
    t: float


@dataclass(frozen=True)
class FastExtragradient(Method):
    """Extragradient with an anchor.

    **Update**: ``a = z + beta (z_0 - z)``, ``w = a - (1 - beta) eta F(z)``, ``z <- a - eta F(w)``, ``beta = 1/(t+1)``.

    Attributes
    ----------
    eta : float
        Step.
    """

    card = Card("feg", "FEG", "Lee, Kim 2021", "(FEG)", kind="minimax", gradients="2 full", partial=False)
    eta: Step

    def init(self, oracle: Oracle, x0: Vector) -> Anchored:
        return Anchored(x0, x0, 0.0)

    def operator(self, oracle: Oracle, z: Vector) -> Vector:
        return oracle.blockwise(1.0, -1.0) * oracle.mean(oracle.full(oracle.to_clients(z)))

    def round(self, oracle: Oracle, state: Anchored) -> Anchored:
        beta = 1 / (state.t + 1)
        a = state.x + beta * (state.start - state.x)
        w = a - (1 - beta) * self.eta * self.operator(oracle, state.x)
        return Anchored(a - self.eta * self.operator(oracle, w), state.start, state.t + 1)


def operator_size(problem, method, state):
    """Return |F(z_T)|^2."""
    return (problem.mean_gradient(state.x) ** 2).sum(axis=(1, 2))


SIZE = Metric("operator_size", "|F(z_T)|^2", None, unit=(2, -2), over="end", state=operator_size, rounds="lengths")
TRUE = Bound(
    id="anchored", paper="mine", title="fast extragradient, monotone", where="Lee, Kim 2021, Theorem 4.1",
    method="FastExtragradient", metric="SIZE", needs=("L", "mu_op", "delta_z"), parameters={"eta": 1 / L},
    terms={"start": 4 * L**2 * delta_z / T**2}, trivial=L**2 * delta_z,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all", Le(N, S))), exact_gradients=True, rigid=True,
)  # fmt: skip
SMALL = replace(TRUE, terms={"start": TRUE.terms["start"] / 16})
FASTER = replace(TRUE, terms={"start": TRUE.terms["start"] / T**2})
