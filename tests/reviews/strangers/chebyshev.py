"""Chebyshev-accelerated gossip (Scaman et al. 2017, Algorithm 2, after Auzinger 2011), arXiv:1702.08704."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sympy import Eq, Le, Lt, Rational, sqrt

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, Step, Vector, described_by
from boundcheck.methods.field.graphs import gap, mixed_by, mixing
from boundcheck.metrics import Metric
from boundcheck.notation import symbols

N, S, K, T, L, zeta, eta, gap_W = symbols("N S K T L zeta eta gap_W")


class Two(NamedTuple):
    """The mean of the models, the models now and a round ago, and two Chebyshev numbers."""

    x: Vector
    own: Vector
    last: Vector
    a: Any
    b: Any


@dataclass(frozen=True)
class Chebyshev(Method):
    """Everybody starts with a step along its own gradient; then Chebyshev's recursion.

    **Update**: ``y+ = (2 a W y/lam - b y_last)/a+``, ``a+ = 2 a/lam - b``; lam = 1 - gap.

    Attributes
    ----------
    eta : float
        The first step.
    graph : str
        Who talks to whom.
    """

    card = Card("chebyshev", "Chebyshev gossip", "Scaman et al. 2017", "Algorithm 2", gradients="0", partial=False)
    eta: Step
    graph: str = described_by("gap_W", mixed_by, default="ring")

    def init(self, oracle: Oracle, x0: Vector) -> Two:
        own = oracle.to_all(x0) - self.eta * oracle.full_all(x0)
        return Two(oracle.mean_all(own), own, own * 0.0, 1.0, 0.0)

    def round(self, oracle: Oracle, state: Two) -> Two:
        own, last, a, b = state[1:]
        n = int(oracle.N)
        lam, first = 1 - gap(self.graph, n), b == 0.0
        more = a / lam if first else 2 * a / lam - b
        new = ((1 if first else 2) * a / lam * oracle.mix(own, mixing(self.graph, n)) - b * last) / more
        return Two(oracle.mean(new, free=True), new, own, more, a)


def spread(problem, method, state):
    """Return mean_i |x_i - x|^2."""
    return ((state.own - state.own.mean(axis=1, keepdims=True)) ** 2).sum(axis=2).mean(axis=1)


SPREAD = Metric("end_spread", "mean_i |x_i - x|^2", None, unit=(0, 2), over="end", state=spread, rounds="lengths")
lam = 1 - gap_W
c = (1 - sqrt(1 - lam**2)) / lam
TRUE = Bound(
    id="chebyshev", paper="mine", title="Chebyshev gossip", where="Scaman et al. 2017, section 4.2",
    method="Chebyshev", metric="SPREAD", needs=("zeta", "L"),
    parameters={"eta": 1 / L, "gap_W": Rational(1, 4)}, free=("gap_W",),
    terms={"spread": (eta * zeta) ** 2 * (2 * c**T / (1 + c ** (2 * T))) ** 2}, trivial=(eta * zeta) ** 2,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all", Le(N, S)), Condition("a gap", Lt(gap_W, 1))),
    exact_gradients=True, rigid=True,
)  # fmt: skip
SMALL = replace(TRUE, terms={"spread": TRUE.terms["spread"] / 4})
FASTER = replace(TRUE, terms={"spread": (eta * zeta) ** 2 * (2 * c ** (2 * T)) ** 2})
