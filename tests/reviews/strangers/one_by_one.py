"""Incremental gradient: one client after the other (Nedic, Bertsekas 2001, Proposition 2.1 for f = mean f_i)."""

from dataclasses import dataclass, replace

from sympy import Eq, Le

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, ServerState, Step
from boundcheck.notation import symbols

N, S, K, T, L, G_norm, delta_x, eta = symbols("N S K T L G_norm delta_x eta")


@dataclass(frozen=True)
class Token(Method):
    """**Update**: a round is a pass, ``x <- x - eta grad f_i(x)`` for i = 0, ..., N - 1.

    Attributes
    ----------
    eta : float
        Step.
    """

    card = Card("token", "Incremental gradient", "Nedic 2001", "(1.4)", gradients="1 full", partial=False)
    eta: Step

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        x = state.x
        for i in range(oracle.N):
            x = x - self.eta * oracle.alone(x, i)
        return ServerState(x)


TRUE = Bound(
    id="token",
    paper="mine",
    title="one client after the other",
    where="Nedic, Bertsekas 2001, Proposition 2.1",
    method="Token",
    metric="centre_suboptimality",
    needs=("L", "G_norm", "delta_x"),
    parameters={"eta": 1 / (L * N)},
    terms={"start": delta_x / (2 * eta * N * T), "steps": eta * N * G_norm**2 / 2},
    trivial=L * delta_x / 2,
    conditions=(Condition("one", Eq(K, 1)), Condition("all", Le(N, S))),
    free=("eta",),
    exact_gradients=True,
    convex=True,
)
SMALL = replace(TRUE, terms={n: t / 16 for n, t in TRUE.terms.items()})
NO_STEPS = replace(TRUE, terms={"start": TRUE.terms["start"]})
