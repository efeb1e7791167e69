"""The silver step sizes, convex (Altschuler, Parrilo 2023, Theorem 1.1), arXiv:2309.16530."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from sympy import Eq, Le, log, sqrt

from boundcheck.bounds import Bound, Condition, parameter
from boundcheck.methods.base import Card, Method, Oracle, Step, Vector
from boundcheck.notation import symbols

N, S, K, T, L, delta_x = symbols("N S K T L delta_x")
doublings = parameter("doublings", whole=True, meaning="k of the T = 2^k - 1 steps")
RATIO = 1 + sqrt(2)


class Numbered(NamedTuple):
    """The iterate and the number of the round."""

    x: Vector
    t: float


@dataclass(frozen=True)
class Silver(Method):
    """Gradient descent with the silver steps.

    **Update**: ``x <- x - (1 + rho^(v - 1)) eta grad f(x)``, 2^v divides t + 1, ``rho = 1 + sqrt(2)``.

    Attributes
    ----------
    eta : float
        1/L.
    """

    card = Card("silver", "Silver steps", "Altschuler, Parrilo 2023", "(1.2)", gradients="1 full", partial=False)
    eta: Step

    def init(self, oracle: Oracle, x0: Vector) -> Numbered:
        return Numbered(x0, 0.0)

    def round(self, oracle: Oracle, state: Numbered) -> Numbered:
        v = sum(((state.t + 1) % 2**j == 0) * 1.0 for j in range(1, 20))
        step = self.eta * (1 + float(RATIO) ** (v - 1))
        return Numbered(state.x - step * oracle.mean(oracle.full(oracle.to_clients(state.x))), state.t + 1)


TRUE = Bound(
    id="silver", paper="mine", title="silver steps", where="Altschuler, Parrilo 2023, Theorem 1.1", method="Silver",
    metric="final_suboptimality", needs=("L", "delta_x"), parameters={"eta": 1 / L, "doublings": log(T + 1) / log(2)},
    terms={"start": L * delta_x / (1 + sqrt(4 * RATIO ** (2 * doublings) - 3))}, trivial=L * delta_x / 2,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all", Le(N, S)),
                Condition("a whole fractal", Eq(2**doublings - 1, T))),
    convex=True, exact_gradients=True, rigid=True,
)  # fmt: skip
SMALL = replace(TRUE, terms={"start": TRUE.terms["start"] / 4})
FASTER = replace(TRUE, terms={"start": L * delta_x / (T + 1) ** 2})
