"""FedExP: an adaptive server step, convex with shared minima (Jhunjhunwala et al. 2023, arXiv:2301.09604)."""

from dataclasses import dataclass, replace

from sympy import Eq, Le

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, ServerState, Step
from boundcheck.notation import symbols

N, S, K, T, L, zeta_star, delta_x, eta = symbols("N S K T L zeta_star delta_x eta")


@dataclass(frozen=True)
class FedExP(Method):
    """**Update**: ``D_i = eta grad f_i(x)``, ``D = mean_i D_i``, ``x <- x - max(1, mean_i |D_i|^2/(2 |D|^2)) D``.

    Attributes
    ----------
    eta : float
        Step.
    """

    card = Card("fedexp", "FedExP", "Jhunjhunwala 2023", "Algorithm 1", gradients="1 full", partial=False)
    eta: Step

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        D_i = self.eta * oracle.full(oracle.to_clients(state.x))
        D = oracle.mean(D_i)
        own, both = oracle.mean((D_i * D_i).sum(axis=-1, keepdims=True)), (D * D).sum(axis=-1, keepdims=True)
        s = oracle.xp.where(both > 0, oracle.xp.maximum(1.0, own / (2 * oracle.xp.where(both > 0, both, 1.0))), 1.0)
        return ServerState(state.x - s * D)


TRUE = Bound(
    id="fedexp",
    paper="mine",
    title="FedExP",
    where="Jhunjhunwala et al. 2023, Theorem 1",
    method="FedExP",
    metric="centre_suboptimality",
    needs=("L", "delta_x", "zeta_star"),
    parameters={"eta": 1 / (2 * L)},
    terms={"start": delta_x / (2 * eta * (1 - eta * L) * T)},
    trivial=L * delta_x / 2,
    conditions=(
        Condition("one", Eq(K, 1)),
        Condition("all", Le(N, S)),
        Condition("step", Le(eta, 1 / (2 * L))),
        Condition("shared minima", Eq(zeta_star, 0, evaluate=False)),
    ),
    exact_gradients=True,
    convex=True,
    free=("eta",),
)
SMALL = replace(TRUE, terms={"start": TRUE.terms["start"] / 8})
NOT_SHARED = replace(TRUE, conditions=TRUE.conditions[:3])
