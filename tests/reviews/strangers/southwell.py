"""The Gauss-Southwell rule under the Polyak-Lojasiewicz condition (Nutini et al. 2015), arXiv:1506.00552, (7)."""

from dataclasses import dataclass, replace

from sympy import Eq, Le

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, ServerState, Step
from boundcheck.notation import symbols

N, S, K, T, d, L, mu_PL, Delta = symbols("N S K T d L mu_PL Delta")


@dataclass(frozen=True)
class Southwell(Method):
    """A step along the coordinate in which the gradient is largest.

    **Update**: ``x <- x - eta grad_c f(x) e_c``, c the first coordinate with the largest ``|grad_c f(x)|``.

    Attributes
    ----------
    eta : float
        Step.
    """

    card = Card("southwell", "Gauss-Southwell", "Nutini et al. 2015", "(3)", gradients="1 full", partial=False)
    eta: Step

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        xp, g = oracle.xp, oracle.mean(oracle.full(oracle.to_clients(state.x)))
        chosen = xp.arange(g.shape[-1]) == xp.argmax(xp.abs(g), axis=-1, keepdims=True)
        return ServerState(state.x - self.eta * xp.where(chosen, g, 0.0 * g))


TRUE = Bound(
    id="southwell",
    paper="mine",
    title="the Gauss-Southwell rule",
    where="Nutini et al. 2015, (7)",
    method="Southwell",
    metric="final_suboptimality",
    needs=("L", "mu_PL", "Delta"),
    parameters={"eta": 1 / L},
    terms={"gap": (1 - mu_PL / (d * L)) ** T * Delta},
    trivial=Delta,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all clients", Le(N, S))),
    exact_gradients=True,
)
SMALL = replace(TRUE, terms={"gap": (1 - mu_PL / L) ** T * Delta})
FASTER = replace(TRUE, terms={"gap": (1 - mu_PL / (d * L)) ** (3 * T) * Delta})
WIDER = replace(TRUE, parameters={"eta": 3 / L})
