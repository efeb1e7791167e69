"""The stochastic proximal point method (Khaled, Jin 2022, arXiv:2209.02257); the functions are the clients."""

from dataclasses import dataclass, replace

from sympy import Eq

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, ServerState, Step
from boundcheck.notation import symbols

S, K, T, mu, delta_x, zeta_star, eta = symbols("S K T mu delta_x zeta_star eta")


@dataclass(frozen=True)
class Sppm(Method):
    """**Update**: for a random client, ``x <- argmin f_i(y) + |y - x|^2/(2 eta)``.

    Attributes
    ----------
    eta : float
        Step.
    """

    card = Card("sppm", "SPPM", "Khaled 2022", "Algorithm 1", gradients="1 full")
    eta: Step

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        return ServerState(oracle.mean(oracle.client_prox(oracle.to_clients(state.x), self.eta)))


TRUE = Bound(
    id="sppm",
    paper="mine",
    title="stochastic proximal points",
    where="Khaled, Jin 2022",
    method="Sppm",
    metric="final_distance",
    needs=("mu", "delta_x", "zeta_star"),
    parameters={"eta": 1 / mu},
    terms={"start": (1 + eta * mu) ** (-2 * T) * delta_x, "noise": eta * zeta_star**2 / (eta * mu**2 + 2 * mu)},
    trivial=delta_x,
    conditions=(Condition("one", Eq(K, 1)), Condition("one client", Eq(S, 1))),
    free=("eta",),
    exact_gradients=True,
    convex=True,
)
SMALL = replace(TRUE, terms={**TRUE.terms, "start": TRUE.terms["start"] / (1 + eta * mu) ** T})
NO_NOISE = replace(TRUE, terms={"start": TRUE.terms["start"]})
