"""Extrapolation from the past (Gidel et al. 2019, Theorem 1), arXiv:1802.10551."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from sympy import Eq, Le

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, Step, Vector
from boundcheck.notation import symbols

N, S, K, T, L, mu_op, delta_z = symbols("N S K T L mu_op delta_z")


class Past(NamedTuple):
    """The iterate and the operator at the last point ahead."""

    x: Vector
    last: Vector


@dataclass(frozen=True)
class Optimistic(Method):
    """Extragradient with one gradient a step.

    **Update**: ``ahead <- z - eta F(last ahead)``, ``z <- z - eta F(ahead)``; F = (grad_x f, -grad_y f).

    Attributes
    ----------
    eta : float
        Step.
    """

    card = Card(
        "optimistic",
        "Optimistic GDA",
        "Gidel 2019",
        "(12)",
        kind="minimax",
        gradients="1 full",
        server="d",
        partial=False,
    )
    state_type = Past
    eta: Step

    def operator(self, oracle: Oracle, z: Vector) -> Vector:
        """Return F."""
        return oracle.blockwise(1.0, -1.0) * oracle.mean(oracle.full(oracle.to_clients(z)))

    def init(self, oracle: Oracle, x0: Vector) -> Past:
        return Past(x0, self.operator(oracle, x0))

    def round(self, oracle: Oracle, state: Past) -> Past:
        F = self.operator(oracle, state.x - self.eta * state.last)
        return Past(state.x - self.eta * F, F)


TRUE = Bound(
    id="optimistic",
    paper="mine",
    title="extrapolation from the past, strongly monotone",
    where="Gidel et al. 2019, Theorem 1",
    method="Optimistic",
    metric="final_distance",
    needs=("L", "mu_op", "delta_z"),
    parameters={"eta": 1 / (4 * L)},
    terms={"rate": (1 - mu_op / (4 * L)) ** T * delta_z},
    trivial=delta_z,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all clients", Le(N, S))),
    exact_gradients=True,
    rigid=True,
)
SMALL = replace(TRUE, terms={"rate": (1 - mu_op / (4 * L)) ** (4 * T) * delta_z})
FASTER = replace(TRUE, terms={"rate": (1 - mu_op / L) ** T * delta_z / T})
WIDER = replace(TRUE, parameters={"eta": 2 / L})
