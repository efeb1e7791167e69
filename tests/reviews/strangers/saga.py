"""SAGA (Defazio, Bach, Lacoste-Julien 2014, Corollary 1), arXiv:1407.0202; the n functions are the clients."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from sympy import Eq, Lt

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, Step, Vector
from boundcheck.notation import symbols

N, S, K, T, L, mu, Delta, delta_x = symbols("N S K T L mu Delta delta_x")


class Table(NamedTuple):
    """The iterate and the last gradient of every function."""

    x: Vector
    last: Vector


@dataclass(frozen=True)
class Saga(Method):
    """One function a step, and a table of gradients.

    **Update**: for a random i, ``x <- x - eta (grad f_i(x) - last_i + mean_j last_j)``, ``last_i <- grad f_i(x)``.

    Attributes
    ----------
    eta : float
        Step.
    """

    card = Card("saga", "SAGA", "Defazio 2014", "(1)", gradients="1 full", server="N d")
    state_type = Table
    eta: Step

    def init(self, oracle: Oracle, x0: Vector) -> Table:
        return Table(x0, oracle.full_all(x0))

    def round(self, oracle: Oracle, state: Table) -> Table:
        fresh = oracle.full(oracle.to_clients(state.x))
        step = oracle.mean(fresh - oracle.active(state.last)) + oracle.mean_all(state.last)
        return Table(state.x - self.eta * step, oracle.remember(state.last, fresh))


gamma = 1 / (2 * (mu * N + L))
TRUE = Bound(
    id="saga",
    paper="mine",
    title="SAGA, strongly convex",
    where="Defazio et al. 2014, Corollary 1",
    method="Saga",
    metric="final_distance",
    needs=("L", "mu", "Delta", "delta_x"),
    parameters={"eta": gamma},
    terms={"distance": (1 - mu * gamma) ** T * delta_x, "values": (1 - mu * gamma) ** T * 2 * N * gamma * Delta},
    trivial=delta_x,
    conditions=(
        Condition("one step", Eq(K, 1)),
        Condition("one function a step", Eq(S, 1)),
        Condition("n > 1", Lt(1, N)),
    ),
    exact_gradients=True,
    convex=True,
    rigid=True,
)
SMALL = replace(TRUE, terms={name: term * (1 - mu * gamma) ** (4 * T) for name, term in TRUE.terms.items()})
DROPPED = replace(TRUE, terms={"values": TRUE.terms["values"]})
WIDER = replace(TRUE, parameters={"eta": 8 * gamma})
