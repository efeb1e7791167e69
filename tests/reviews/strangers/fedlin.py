"""FedLin, strongly convex clients (Mitra, Jaafar, Pappas, Hassani 2021, Theorem 1, all alike), arXiv:2102.07053."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from sympy import Le

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, Step, Vector
from boundcheck.notation import symbols

N, S, K, T, L, mu, Delta = symbols("N S K T L mu Delta")


class Point(NamedTuple):
    """The server's iterate."""

    x: Vector


@dataclass(frozen=True)
class FedLin(Method):
    """Local steps along local gradients that are corrected by those at the server's point.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta (grad f_i(y_i) - grad f_i(x) + grad f(x))``;
    ``x <- mean_i y_i``.

    Attributes
    ----------
    eta : float
        Step.
    corrected : bool
        Whether the correction is made.
    """

    card = Card("fedlin", "FedLin", "Mitra et al. 2021", "Algorithm 1", gradients="K + 1 full", partial=False)
    state_type = Point
    eta: Step
    corrected: bool = True

    def round(self, oracle: Oracle, state: Point) -> Point:
        start = oracle.to_clients(state.x)
        own = oracle.full(start)
        shift = oracle.mean(own) - own if self.corrected else 0.0 * own
        return Point(oracle.mean(oracle.fori(lambda _, y: y - self.eta * (oracle.full(y) + shift), start)))


TRUE = Bound(
    id="fedlin", paper="mine", title="FedLin", where="Mitra et al. 2021, Theorem 1", method="FedLin",
    metric="final_suboptimality", needs=("L", "mu", "Delta"), parameters={"eta": 1 / (6 * K * L)},
    terms={"rate": (1 - mu / (6 * L)) ** T * Delta}, trivial=Delta, choices={"corrected": True},
    conditions=(Condition("all", Le(N, S)),), rigid=True, convex=True, exact_gradients=True,
)  # fmt: skip
FASTER = replace(TRUE, terms={"rate": (1 - mu / L) ** (2 * T) * Delta})
PLAIN = replace(TRUE, choices={"corrected": False})
LONG = replace(TRUE, parameters={"eta": 3 / (K * L)})
