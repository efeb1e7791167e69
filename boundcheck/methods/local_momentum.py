"""PR-SGD with momentum: heavy ball on every client, buffers averaged with the iterates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.methods.base import Card, Method, Oracle, Step, Vector, Weight
from boundcheck.methods.local import mean_model, sample_gradients


class BufferState(NamedTuple):
    """What the server broadcasts; each (lanes, 1, d)."""

    x: Vector
    """Server iterate."""
    u: Vector
    """Momentum buffer."""


@dataclass(frozen=True, kw_only=True)
class PRSGDM(Method[BufferState]):
    """Parallel restarted SGD with momentum.

    Problem: minimise f = mean_i f_i.

    **Update**: from ``(y_i, u_i) = (x, u)``, K times ``u_i <- beta u_i + g_i(y_i)``, ``y_i <- y_i - eta u_i``
    (Nesterov: ``y_i <- y_i - eta (beta u_i + g_i(y_i))``); then x and u become the means of y_i and u_i.  Averaging
    the buffers is the rule of the paper; restarting them instead is a switch, of which it is not certain that it is
    printed there.

    References: [1] Yu, Jin, Yang, arXiv:1905.03817.

    Attributes
    ----------
    eta : Hyper
        Local step; the stationary step is eta / (1-beta).
    beta : Hyper
        Weight of the old buffer; 0 is FedAvg.
    nesterov : bool
        Nesterov's instead of Polyak's momentum.
    restart : bool
        Start every round with u_i = 0 (u is then not sent).
    """

    eta: Step
    beta: Weight
    nesterov: bool = False
    restart: bool = False

    state_type = BufferState

    card = Card(
        "pr-sgd-m",
        "PR-SGD with momentum",
        "fedlalr",
        "rule from the cited work (Yu, Jin, Yang 2019)",
        rule="uncertain",
        up="2 (1 with restart)",
        down="2 (1 with restart)",
        distinguishes=("beta", "K > 1", "T > 1", "different clients"),
        mixes=True,
        cost=1.3,
        server="d",
    )

    def round(self, oracle: Oracle, state: BufferState) -> BufferState:
        """K momentum steps on every active client, then both averages."""

        def step(_: Any, carry: tuple[Vector, Vector]) -> tuple[Vector, Vector]:
            y, u = carry
            g = sample_gradients(oracle, y)
            u = self.beta * u + g
            return y - self.eta * (self.beta * u + g if self.nesterov else u), u

        start = oracle.to_clients(0.0 * state.u if self.restart else state.u, free=self.restart)
        y, u = oracle.fori(step, (oracle.to_clients(state.x), start))
        # After a restart nobody uses the average buffer, so that it need not be sent.
        return BufferState(mean_model(oracle, state.x, y), oracle.mean(u, free=self.restart))
