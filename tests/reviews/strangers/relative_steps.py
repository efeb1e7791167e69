"""Gradient descent with steps 1/(L_0 + 3/2 L_1 |grad|) (Vankov et al. 2024, arXiv:2410.10800, nonconvex)."""

from dataclasses import dataclass, replace

from sympy import Eq, Integer, Le, sqrt

from boundcheck.bounds import Bound, Condition, parameter
from boundcheck.methods.base import Card, Method, Oracle, Real, ServerState
from boundcheck.notation import symbols

N, S, K, T, L_0, L_1, Delta = symbols("N S K T L_0 L_1 Delta")


@dataclass(frozen=True)
class Relative(Method):
    """**Update**: ``x <- x - grad f(x)/(a + b |grad f(x)|)``.

    Attributes
    ----------
    a, b : float
        L_0 and 3/2 L_1.
    """

    card = Card("relative", "GD for (L0, L1)", "Vankov 2024", "(3.1)", gradients="1 full", partial=False)
    a: Real
    b: Real

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        g = oracle.mean(oracle.full(oracle.to_clients(state.x)))
        size = oracle.xp.sqrt((g * g).sum(axis=-1, keepdims=True))
        return ServerState(state.x - g / (self.a + self.b * size))


part = 3 * L_1 * Delta / T
stiff = parameter("stiff", (1, -2), meaning="L_0")
steep = parameter("steep", (0, -1), meaning="3/2 L_1")
TRUE = Bound(
    id="l0l1",
    paper="mine",
    title="(L0, L1)",
    where="Vankov et al. 2024, section 3",
    method="Relative",
    metric="best_gradient",
    needs=("L_0", "L_1", "Delta"),
    parameters={"stiff": L_0, "steep": 3 * L_1 / 2},
    hyper={"a": "stiff", "b": "steep"},
    terms={"all": (part + sqrt(part**2 + 8 * L_0 * Delta / T)) ** 2 / 4},
    trivial=(3 * L_1 * Delta + sqrt((3 * L_1 * Delta) ** 2 + 8 * L_0 * Delta)) ** 2 / 4,
    conditions=(Condition("one", Eq(K, 1)), Condition("all", Le(N, S))),
    exact_gradients=True,
    rigid=True,
)
SMALL = replace(TRUE, terms={"all": TRUE.terms["all"] / 8})
NO_STEEPNESS = replace(TRUE, terms={"all": 2 * L_0 * Delta / T}, parameters={"stiff": L_0, "steep": Integer(0)})
