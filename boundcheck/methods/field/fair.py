"""q-FedAvg: clients with large losses count more."""

from __future__ import annotations

from dataclasses import dataclass

from boundcheck.methods.base import Card, Method, Oracle, Real, ServerState, Step, Vector
from boundcheck.methods.local import local_sgd


@dataclass(frozen=True, kw_only=True)
class QFedAvg(Method[ServerState]):
    """Fair federated averaging.

    Problem: minimise mean_i f_i^(q+1)/(q+1), every f_i >= 0; S of N clients a round.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta g_i(y_i)``; ``D_i = f_i(x)^q (x - y_i)/eta``,
    ``h_i = q f_i(x)^(q-1) |x - y_i|^2/eta^2 + f_i(x)^q/eta``; then ``x <- x - sum_i D_i / sum_i h_i``.

    References: [1] Li, Sanjabi, Beirami, Smith, arXiv:1905.10497, Algorithm 2 with L = 1/eta; clients are a uniform
    sample here.

    Attributes
    ----------
    eta : Hyper
        Local step.
    q : Hyper
        How much more large losses count; 0 is FedAvg.
    """

    eta: Step
    q: Real = 1.0

    card = Card(
        "q-fedavg",
        "q-FedAvg",
        "field",
        "Algorithm 2 of arXiv:1905.10497",
        rule="cited",
        needs=("client values",),
        note="one number more goes up, h_i",
        distinguishes=("q", "different clients"),
    )

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        """Local steps, and an average that weighs by losses."""
        start = oracle.to_clients(state.x)
        end = local_sgd(oracle, start, self.eta)
        slope = (start - end) / self.eta
        loss = oracle.values(start)
        weight = loss**self.q
        square = (slope * slope).sum(axis=-1, keepdims=True)
        bend: Vector = self.q * loss ** (self.q - 1.0) * square + weight / self.eta
        return ServerState(state.x - oracle.mean(weight * slope) / oracle.mean(bend, free=True))
