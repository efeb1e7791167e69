"""SGD with momentum as an average of its points (Garrigos, Gower 2023, Theorem 7.4), arXiv:2301.11235."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sympy import Eq, Le

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, Step, Vector
from boundcheck.notation import symbols

N, S, K, T, b, L, L_exp, sigma_star, delta_x, eta = symbols("N S K T b L L_exp sigma_star delta_x eta")


class Averaged(NamedTuple):
    """The average, the point that steps, and how many steps there were."""

    x: Vector
    z: Vector
    t: Any


@dataclass(frozen=True)
class AveragedMomentum(Method):
    """**Update**: ``z <- z - eta g(x)``, ``x <- (t + 1)/(t + 3) x + 2/(t + 3) z``; so x has momentum t/(t + 2).

    Attributes
    ----------
    eta : float
        Step of z.
    """

    card = Card("imam", "Averaged momentum", "Sebbouh 2021", "(5)", gradients="1", partial=False)
    eta: Step

    def init(self, oracle: Oracle, x0: Vector) -> Averaged:
        return Averaged(x0, x0, 0)

    def round(self, oracle: Oracle, state: Averaged) -> Averaged:
        x, z, t = state
        z = z - self.eta * oracle.mean(oracle.grad(oracle.to_clients(x), oracle.draw()))
        return Averaged((t + 1) / (t + 3) * x + 2 / (t + 3) * z, z, t + 1)


TRUE = Bound(
    id="imam",
    paper="mine",
    title="momentum, the last value",
    where="Garrigos, Gower 2023, Theorem 7.4",
    method="AveragedMomentum",
    metric="final_suboptimality",
    needs=("L_exp", "L", "sigma_star", "delta_x"),
    parameters={"eta": 1 / (4 * L_exp)},
    free=("eta",),
    convex=True,
    trivial=L * delta_x / 2,
    terms={"start": delta_x / (eta * (T + 1)), "noise": 2 * eta * sigma_star**2 / (N * b)},
    conditions=(Condition("one", Eq(K, 1)), Condition("all", Le(N, S)), Condition("step", Le(eta, 1 / (4 * L_exp)))),
)
SMALL = replace(TRUE, terms={name: term / 16 for name, term in TRUE.terms.items()})
NO_NOISE = replace(TRUE, terms={"start": TRUE.terms["start"]})
LONG = replace(TRUE, parameters={"eta": 8 / L_exp}, conditions=TRUE.conditions[:2])
