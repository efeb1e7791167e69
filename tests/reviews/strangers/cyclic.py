"""Cyclic coordinate descent, strongly convex (Beck, Tetruashvili 2013, Theorem 3.9)."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from sympy import Eq, Le

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, Step, Vector
from boundcheck.notation import symbols

N, S, K, T, d, L, mu, Delta = symbols("N S K T d L mu Delta")


class Point(NamedTuple):
    """The iterate."""

    x: Vector


@dataclass(frozen=True)
class Cyclic(Method):
    """One pass over all coordinates, each with a step of its own gradient entry.

    **Update**: for c = 1..d: ``x_c <- x_c - eta grad_c f(x)``.

    Attributes
    ----------
    eta : float
        Step.
    """

    card = Card("cyclic", "Cyclic coordinates", "Beck, Tetruashvili 2013", "(3.1)", gradients="d full", partial=False)
    state_type = Point
    eta: Step

    def round(self, oracle: Oracle, state: Point) -> Point:
        x = state.x
        eye = oracle.xp.eye(x.shape[2])
        for c in range(x.shape[2]):
            x = x - self.eta * eye[c] * oracle.mean(oracle.full(oracle.to_clients(x)))
        return Point(x)


TRUE = Bound(
    id="cyclic", paper="mine", title="cyclic coordinates", where="Beck, Tetruashvili 2013, Theorem 3.9",
    method="Cyclic", metric="final_suboptimality", needs=("L", "mu", "Delta"), parameters={"eta": 1 / L},
    terms={"rate": (1 - mu / (2 * L * (1 + d))) ** T * Delta}, trivial=Delta,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all", Le(N, S))),
    convex=True, exact_gradients=True, rigid=True,
)  # fmt: skip
FASTER = replace(TRUE, terms={"rate": (1 - mu / L) ** (4 * T) * Delta})
WIDER = replace(TRUE, parameters={"eta": 2.5 / L})
