"""Local GD with K_i steps of every client's own where minima are shared (after Qin et al. 2022, arXiv:2201.12719)."""

from dataclasses import dataclass, replace

import numpy as np
from sympy import Eq, Integer, Le

from boundcheck.bounds import Bound, Condition, parameter
from boundcheck.methods.base import Card, Count, Method, Oracle, ServerState, Step, Vector
from boundcheck.notation import symbols

N, S, K, T, L, mu, delta_x, zeta_star, eta = symbols("N S K T L mu delta_x zeta_star eta")
least = parameter("least_steps", whole=True, meaning="steps of the client that makes fewest")


@dataclass(frozen=True)
class Uneven(Method):
    """**Update**: client i makes least + i mod (K - least + 1) steps; then the average.

    Attributes
    ----------
    eta : float
        Step.
    least : int
        Fewest steps.
    """

    card = Card("uneven", "Local GD", "Qin 2022", "Algorithm 1", gradients="K full", partial=False)
    eta: Step
    least: Count

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        most = self.least + np.arange(oracle.N) % (oracle.K - self.least + 1)

        def step(k, y: Vector) -> Vector:
            return y - self.eta * (k < most)[None, :, None] * oracle.full(y)

        return ServerState(oracle.mean(oracle.fori(step, oracle.to_clients(state.x))))


TRUE = Bound(
    id="uneven",
    paper="mine",
    title="uneven",
    where="Qin et al. 2022, Theorem 1",
    method="Uneven",
    metric="final_distance",
    needs=("L", "mu", "delta_x", "zeta_star"),
    parameters={"least_steps": Integer(1), "eta": 1 / L},
    hyper={"least": "least_steps"},
    terms={"start": (1 - eta * mu) ** (2 * T * least) * delta_x},
    trivial=delta_x,
    conditions=(
        Condition("all", Le(N, S)),
        Condition("fewest", Le(least, K)),
        Condition("step", Le(eta, 1 / L)),
        Condition("shared minima", Eq(zeta_star, 0, evaluate=False)),
    ),
    free=("eta", "least_steps"),
    exact_gradients=True,
    convex=True,
)
SMALL = replace(TRUE, terms={"start": (1 - eta * mu) ** (2 * T * K) * delta_x})
NOT_SHARED = replace(TRUE, conditions=TRUE.conditions[:3])
WIDER = replace(
    TRUE,
    parameters={**TRUE.parameters, "eta": 3 / L},
    terms={"start": (1 - mu / L) ** (2 * T * least) * delta_x},
    conditions=(*TRUE.conditions[:2], TRUE.conditions[3]),
)
