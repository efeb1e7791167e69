"""Randomised gossip on a complete graph (Boyd, Ghosh, Prabhakar, Shah 2006, Theorem 3): how fast clients agree."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from sympy import Eq, Le, Lt

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, Step, Vector
from boundcheck.notation import symbols

N, S, K, T, zeta, eta, L = symbols("N S K T zeta eta L")


class Models(NamedTuple):
    """The mean of the models, and the models."""

    x: Vector
    own: Vector


@dataclass(frozen=True)
class Gossip(Method):
    """Everybody starts with a step along its own gradient; then a random pair a round takes the mean of its two models.

    **Update**: ``x_i <- x_i + (x_j - x_i)/2``, ``x_j <- x_j + (x_i - x_j)/2`` for a uniform pair i, j; measured is
    their spread.

    Attributes
    ----------
    eta : float
        The first step.
    """

    card = Card("gossip", "Gossip", "Boyd et al. 2006", "section II", gradients="0", partial=False)
    eta: Step

    def init(self, oracle: Oracle, x0: Vector) -> Models:
        own = oracle.to_all(x0) - self.eta * oracle.full_all(x0)
        return Models(oracle.mean_all(own), own)

    def round(self, oracle: Oracle, state: Models) -> Models:
        xp, n = oracle.xp, int(oracle.N)
        oracle.observe(state.own)
        coins, at = oracle.uniform(2, 1), xp.arange(n)
        i = xp.floor(coins[:, :1] * n)
        j = (i + 1.0 + xp.floor(coins[:, 1:] * (n - 1))) % n
        apart = (at[None, :, None] == i) * 1.0 - (at[None, :, None] == j) * 1.0
        own = oracle.mix(state.own, xp.eye(n) - apart * xp.swapaxes(apart, 1, 2) / 2.0)
        return Models(oracle.mean(own, free=True), own)


TRUE = Bound(
    id="gossip",
    paper="mine",
    title="gossip",
    where="Boyd et al. 2006, Theorem 3",
    method="Gossip",
    metric="client_spread",
    needs=("zeta", "L"),
    parameters={"eta": 1 / L},
    terms={"spread": (eta * zeta) ** 2 * (N - 1) * (1 - (1 - 1 / (N - 1)) ** T) / T},
    trivial=(eta * zeta) ** 2,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all", Le(N, S)), Condition("a pair", Lt(2, N))),
    exact_gradients=True,
)
SMALL = replace(TRUE, terms={"spread": TRUE.terms["spread"] * 3 / 4})
FASTER = replace(TRUE, terms={"spread": (eta * zeta) ** 2 / T})
FEWER = replace(TRUE, terms={"spread": (eta * zeta) ** 2 * (1 - (1 - 1 / (N - 1)) ** T)})
