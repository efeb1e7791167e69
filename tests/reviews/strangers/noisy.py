"""Noisy projected gradient descent, Lipschitz and convex (Bassily, Smith, Thakurta 2014, the average point)."""

from dataclasses import dataclass, replace

from sympy import Eq, Le, sqrt

from boundcheck.bounds import Bound, Condition, parameter
from boundcheck.methods.base import Card, Method, Oracle, Real, ServerState, Step
from boundcheck.notation import symbols

N, S, K, T, d, L, G_norm, delta_x, eta = symbols("N S K T d L G_norm delta_x eta")
secret = parameter("secret", (1, -1), meaning="standard deviation of the noise in a coordinate")


@dataclass(frozen=True)
class Noisy(Method):
    """**Update**: ``x <- x - eta (grad f(x) + s z)``, z signs.

    Attributes
    ----------
    eta, s : float
        Step and noise.
    """

    card = Card("noisy", "Noisy GD", "Bassily 2014", "Algorithm 1", gradients="1 full", partial=False)
    eta: Step
    s: Real

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        g = oracle.mean(oracle.full(oracle.to_clients(state.x)))
        z = oracle.xp.where(oracle.uniform(1, g.shape[-1]) < 0.5, 1.0, -1.0)
        return ServerState(state.x - self.eta * (g + self.s * z))


TRUE = Bound(
    id="private",
    paper="mine",
    title="noisy gradient descent",
    where="Bassily et al. 2014, Theorem 2.4",
    method="Noisy",
    metric="centre_suboptimality",
    needs=("L", "G_norm", "delta_x"),
    parameters={"secret": G_norm, "eta": sqrt(delta_x / ((G_norm**2 + d * secret**2) * T))},
    hyper={"s": "secret"},
    terms={"start": delta_x / (2 * eta * T), "steps": eta * G_norm**2 / 2, "privacy": eta * d * secret**2 / 2},
    trivial=sqrt(delta_x) * G_norm,
    conditions=(Condition("one", Eq(K, 1)), Condition("all", Le(N, S))),
    free=("secret", "eta"),
    exact_gradients=True,
    convex=True,
)
NO_PRIVACY = replace(TRUE, terms={n: t for n, t in TRUE.terms.items() if n != "privacy"})
SMALL = replace(TRUE, terms={n: t / 8 for n, t in TRUE.terms.items()})
