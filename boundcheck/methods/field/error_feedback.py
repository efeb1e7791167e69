"""EF-SGD: what a compressed message leaves out is added to the next one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from boundcheck.methods.base import Card, Count, Method, Oracle, Step, Traffic, Vector
from boundcheck.methods.central import show_at_clients
from boundcheck.methods.field.top import top, top_traffic


class ErrorState(NamedTuple):
    """Server iterate, and what every client has left out so far."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    error: Vector
    """e_i of all N clients (lanes, N, d)."""


@dataclass(frozen=True, kw_only=True)
class EFSGD(Method[ErrorState]):
    """Error feedback of 2014 with the top-k compressor C.

    Problem: minimise f = mean_i f_i; all clients in every round.

    **Update**: ``p_i = eta g_i(x) + e_i``, ``x <- x - mean_i C(p_i)``, ``e_i <- p_i - C(p_i)``; e_i starts at 0.

    **Guarantee**: `field.ef-sgd`.

    References: [1] Karimireddy, Rebjock, Stich, Jaggi, arXiv:1901.09847, Algorithm 2.  [2] Seide, Fu, Droppo, Li, Yu,
    Interspeech 2014, with one bit a coordinate.

    Attributes
    ----------
    eta : Hyper
        Step.
    k : int
        Entries of a vector that are sent.
    """

    eta: Step
    k: Count = 1

    card = Card(
        "ef-sgd",
        "EF-SGD with top-k",
        "field",
        "Algorithm 2 of arXiv:1901.09847",
        rule="cited",
        gradients="1",
        up="1 compressed",
        partial=False,
        client="d",
        distinguishes=("k", "T > 1"),
        note="a message is k numbers with their places",
    )

    def init(self, oracle: Oracle, x0: Vector) -> ErrorState:
        """Start at x0 without errors."""
        return ErrorState(x0, oracle.to_all(0.0 * x0))

    def traffic(self, d: int) -> Traffic:
        """Return k floats and their places for every vector that goes up."""
        return top_traffic(self.k, d)

    def round(self, oracle: Oracle, state: ErrorState) -> ErrorState:
        """Send the largest entries of step and error, and keep the others."""
        y = show_at_clients(oracle, state.x)
        wanted = self.eta * oracle.grad(y, oracle.draw()) + state.error
        sent = top(oracle.xp, wanted, self.k)
        return ErrorState(state.x - oracle.mean(sent), wanted - sent)
