"""Compressed messages with memory: FedCOMGATE, MARINA and PP-MARINA."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from boundcheck.errors import require
from boundcheck.methods.base import Card, Oracle, Probability, Step, Traffic, Vector
from boundcheck.methods.control_variates import FedGATE
from boundcheck.methods.estimators import random_rows
from boundcheck.methods.quantise import Quantised


@dataclass(frozen=True, kw_only=True)
class FedCOMGATE(Quantised, FedGATE):
    """FedGATE with quantised messages.

    Problem: minimise f = mean_i f_i.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta (g_i(y_i) - delta_i)``; then with
    ``P_i = Q((x - y_i) / eta)`` and ``P = mean_i P_i``: ``delta_i <- delta_i + (P_i - P) / K`` on the active clients
    and ``x <- x - gamma eta P``.  Whether the client's own part is compressed is not settled by the source: compressed
    it keeps sum_i delta_i = 0, raw it is what the public code does.

    **Guarantee**: none in the papers under audit; with Q exact it is FedGATE.

    References: [1] Haddadpour, Kamani, Mokhtari, Mahdavi, arXiv:2007.01154.

    Attributes
    ----------
    tracking : {'compressed', 'raw'}
        Which displacement the client takes as its own in the corrections.
    """

    tracking: str = "compressed"

    card = Card(
        "fedcomgate",
        "FedCOMGATE",
        "fedglomo",
        "rule from the cited work (Haddadpour et al. 2021)",
        rule="uncertain",
        up="1 compressed",
        down="1 (2 with partial participation)",
        note="with S < N mean_i Q(P_i) is due at once; d floats of memory a client",
        distinguishes=("gamma", "quantiser", "tracking", "S < N", "K > 1", "T > 1", "different clients"),
        cost=1.7,
        client="d",
    )

    def __post_init__(self) -> None:
        """Check the choices that are not numbers."""
        legal = {"compressed", "raw"}
        require(self.tracking in legal, "fedcomgate: tracking", self.tracking, "compressed or raw")
        super().__post_init__()

    def messages(self, oracle: Oracle, P_i: Vector) -> tuple[Vector, Vector]:
        """Return the quantised P_i, and which of the two enters the corrections."""
        sent = self.Q(oracle, P_i)
        return sent, sent if self.tracking == "compressed" else P_i


class MarinaState(NamedTuple):
    """Server iterate, its gradient estimator and the clients' exact gradients there."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    g: Vector
    """Estimate of grad f at x (lanes, 1, d)."""
    grads: Vector
    """Exact gradients of all N clients at x (lanes, N, d)."""


@dataclass(frozen=True, kw_only=True)
class MARINA(Quantised):
    """Compressed gradient differences with occasional exact rounds.

    Problem: minimise f = mean_i f_i with exact client gradients; all clients in every round.

    **Update**: ``x+ = x - gamma g``; then one coin for all, ``g <- mean_i grad f_i(x+)`` with probability p, else
    ``g <- g + mean_i Q(grad f_i(x+) - grad f_i(x))`` with independent quantisers.  g starts as grad f(x_0).

    References: [1] Gorbunov, Burlachenko, Li, Richtarik, arXiv:2102.07845.

    Attributes
    ----------
    gamma : Hyper
        Step.
    p : Hyper
        Probability of an exact round.
    """

    gamma: Step
    p: Probability

    card = Card(
        "marina",
        "MARINA",
        "fedglomo",
        "rule from the cited work (Gorbunov et al. 2021)",
        rule="confirmed",
        gradients="1 full",
        up="1 compressed (1 with probability p)",
        partial=False,
        needs=("exact gradients",),
        note="d floats up in an exact round; the old exact gradient is kept; no local steps, so K does not matter",
        distinguishes=("p", "quantiser", "T > 1"),
        cost=7.5,
        client="d",
        server="d",
    )

    def init(self, oracle: Oracle, x0: Vector) -> MarinaState:
        """Start at x0 with the exact gradient."""
        grads = oracle.full_all(x0)
        return MarinaState(x0, oracle.mean_all(grads), grads)

    def round(self, oracle: Oracle, state: MarinaState) -> MarinaState:
        """One step, then the coin decides between the exact and the compressed estimator."""
        oracle.observe(oracle.to_clients(state.x))
        x = state.x - self.gamma * state.g
        grads = oracle.full_all(x)
        exact = oracle.uniform(1, 1) < self.p
        sent = self.Q(oracle, self.senders(oracle, grads - state.grads))
        g = oracle.xp.where(exact, oracle.mean_all(grads), state.g + oracle.mean(sent))
        return MarinaState(x, g, grads)

    def senders(self, oracle: Oracle, change: Vector) -> Vector:
        """Return the rows of the clients that send a compressed difference."""
        return change

    def traffic(self, d: int) -> Traffic:
        """Return that the coin decides between compressed differences and exact gradients of all clients."""
        return super().traffic(d)._replace(up=1.0 - self.p, all_up=self.p)


@dataclass(frozen=True, kw_only=True)
class PPMARINA(MARINA):
    """MARINA where only S clients act between the exact rounds.

    Problem: minimise f = mean_i f_i with exact client gradients; S of N clients in a compressed round.

    **Update**: ``x+ = x - gamma g``; then one coin for all, ``g <- (1/N) sum_i grad f_i(x+)`` over all N clients with
    probability p, else ``g <- g + (1/S) sum_i Q(grad f_i(x+) - grad f_i(x))`` over S clients.

    References: [1] Gorbunov, Burlachenko, Li, Richtarik, arXiv:2102.07845.

    Attributes
    ----------
    replacement : bool
        Draw the S clients with replacement, as the source does; False takes the run's active clients.
    """

    replacement: bool = False

    card = Card(
        "pp-marina",
        "PP-MARINA",
        "fedglomo",
        "rule from the cited work (Gorbunov et al. 2021)",
        rule="confirmed",
        gradients="2 full (1 of all N clients with probability p)",
        up="1 compressed (1 with probability p)",
        needs=("exact gradients",),
        note="in an exact round all N clients send d floats; the simulation evaluates all N clients in every round",
        distinguishes=("p", "quantiser", "S < N", "T > 1", "different clients"),
        cost=8.4,
        client="d",
        server="d",
    )

    def senders(self, oracle: Oracle, change: Vector) -> Vector:
        """Return the rows of the active clients, or of S clients drawn with replacement."""
        return random_rows(oracle, change, oracle.S) if self.replacement else oracle.active(change)
