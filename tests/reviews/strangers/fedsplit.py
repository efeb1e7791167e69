"""FedSplit with exact proximal steps (Pathak, Wainwright 2020, Theorem 1), arXiv:2005.05238."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from sympy import Eq, Le, sqrt

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, Step, Vector
from boundcheck.notation import symbols

N, S, K, T, L, mu, delta_x, zeta_star, eta = symbols("N S K T L mu delta_x zeta_star eta")


class Split(NamedTuple):
    """The server's point and a point a client, z_i."""

    x: Vector
    z: Vector


@dataclass(frozen=True)
class FedSplit(Method):
    """**Update**: ``z_i <- z_i + 2 (prox_i(2 x - z_i) - x)``, ``x <- mean_i z_i``, from z_i = x_0.

    Attributes
    ----------
    eta : float
        Of the proximal steps.
    """

    card = Card("fedsplit", "FedSplit", "Pathak 2020", "Algorithm 1", gradients="1 full", partial=False)
    eta: Step

    def init(self, oracle: Oracle, x0: Vector) -> Split:
        return Split(x0, oracle.to_clients(x0))

    def round(self, oracle: Oracle, state: Split) -> Split:
        x = oracle.to_clients(state.x)
        z = state.z + 2 * (oracle.client_prox(2 * x - state.z, self.eta) - x)
        return Split(oracle.mean(z), z)


kappa = L / mu
TRUE = Bound(
    id="fedsplit",
    paper="mine",
    title="FedSplit",
    where="Pathak, Wainwright 2020, Theorem 1",
    method="FedSplit",
    metric="final_distance",
    needs=("L", "mu", "delta_x", "zeta_star"),
    parameters={"eta": 1 / sqrt(L * mu)},
    terms={"rate": (1 - 2 / (sqrt(kappa) + 1)) ** (2 * T) * (delta_x + eta**2 * zeta_star**2)},
    trivial=kappa * delta_x,
    conditions=(Condition("one", Eq(K, 1)), Condition("all", Le(N, S))),
    exact_gradients=True,
    convex=True,
    rigid=True,
)
FASTER = replace(TRUE, terms={"rate": (1 - 2 / (sqrt(kappa) + 1)) ** (4 * T) * (delta_x + eta**2 * zeta_star**2)})
ALIKE = replace(TRUE, terms={"rate": (1 - 2 / (sqrt(kappa) + 1)) ** (2 * T) * delta_x})
LONG = replace(TRUE, parameters={"eta": 20 / mu})
