"""SGD with a constant step, then steps like 1/t (Gower et al. 2019, Theorem 3.2), arXiv:1901.09401."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sympy import E, Eq, Le, ceiling

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, Step, Vector
from boundcheck.notation import symbols

N, S, K, T, b, L_exp, mu, sigma_star, delta_x = symbols("N S K T b L_exp mu sigma_star delta_x")


class Counted(NamedTuple):
    """The iterate, and how many steps there were."""

    x: Vector
    t: Any


@dataclass(frozen=True)
class TwoPhases(Method):
    """SGD whose step is constant at first.

    **Update**: ``x <- x - eta_t g(x)``, eta_t = eta for t <= 4 ceil(1/(2 eta mu)), then (2 t + 1)/((t + 1)^2 mu).

    Attributes
    ----------
    eta, slow : float
        The first step, and 1/mu.
    """

    card = Card("two-phases", "SGD in two phases", "Gower et al. 2019", "(14)", gradients="1", partial=False)
    eta: Step
    slow: Step

    def init(self, oracle: Oracle, x0: Vector) -> Counted:
        return Counted(x0, 0)

    def round(self, oracle: Oracle, state: Counted) -> Counted:
        x, t = state
        first = t <= 4 * oracle.xp.ceil(self.slow / (2 * self.eta) * (1 - 1e-12))
        step = oracle.xp.where(first, self.eta, (2 * t + 1) / (t + 1) ** 2 * self.slow)
        return Counted(x - step * oracle.mean(oracle.grad(oracle.to_clients(x), oracle.draw())), t + 1)


c = ceiling(L_exp / mu)
TRUE = Bound(
    id="two-phases", paper="mine", title="two phases", where="Gower et al. 2019, Theorem 3.2", method="TwoPhases",
    metric="final_distance", needs=("L_exp", "mu", "sigma_star", "delta_x"), hyper={"slow": "eta_end"},
    parameters={"eta": 1 / (2 * L_exp), "eta_end": 1 / mu}, rigid=True, convex=True, trivial=delta_x,
    terms={"noise": 8 * sigma_star**2 / (N * b * mu**2 * T), "start": 16 * c**2 / (E * T) ** 2 * delta_x},
    conditions=(Condition("one step", Eq(K, 1)), Condition("all", Le(N, S)), Condition("two phases", Le(4 * c, T))),
)  # fmt: skip
NO_NOISE = replace(TRUE, terms={"start": TRUE.terms["start"]})
QUIETER = replace(TRUE, terms={**TRUE.terms, "noise": TRUE.terms["noise"] / 16})
LONG = replace(TRUE, parameters={"eta": 4 / L_exp, "eta_end": 1 / mu})
