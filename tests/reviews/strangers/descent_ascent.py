"""Gradient descent ascent, strongly monotone (Facchinei, Pang 2003, Theorem 12.1.2; Nemirovski's classic)."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from sympy import Eq, Le, Lt

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, Step, Vector
from boundcheck.notation import symbols

N, S, K, T, L, mu_op, delta_z, eta = symbols("N S K T L mu_op delta_z eta")


class Point(NamedTuple):
    """The iterate."""

    x: Vector


@dataclass(frozen=True)
class DescentAscent(Method):
    """Simultaneous steps.

    **Update**: ``z <- z - eta F(z)``.

    Attributes
    ----------
    eta : float
        Step.
    """

    card = Card("gda", "GDA", "folklore", "(1)", kind="minimax", gradients="1 full", partial=False)
    state_type = Point
    eta: Step

    def round(self, oracle: Oracle, state: Point) -> Point:
        F = oracle.blockwise(1.0, -1.0) * oracle.mean(oracle.full(oracle.to_clients(state.x)))
        return Point(state.x - self.eta * F)


TRUE = Bound(
    id="gda", paper="mine", title="descent ascent, strongly monotone", where="Facchinei, Pang 2003, Theorem 12.1.2",
    method="DescentAscent", metric="final_distance", needs=("L", "mu_op", "delta_z"),
    parameters={"eta": mu_op / L**2}, free=("eta",), exact_gradients=True,
    terms={"rate": (1 - 2 * eta * mu_op + eta**2 * L**2) ** T * delta_z}, trivial=delta_z,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all", Le(N, S)), Condition("step", Le(eta, mu_op / L**2)),
                Condition("positive", Lt(0, mu_op, evaluate=False))),
)  # fmt: skip
FASTER = replace(TRUE, terms={"rate": (1 - 4 * eta * mu_op + eta**2 * L**2) ** T * delta_z})
LONG = replace(
    TRUE, parameters={"eta": 1 / L}, conditions=TRUE.conditions[:2], terms={"rate": (1 - eta * mu_op) ** T * delta_z}
)
