"""Extragradient for minimax problems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from boundcheck.methods.base import Card, Method, Oracle, ServerState, Step, Vector
from boundcheck.methods.central import show_at_clients


@dataclass(frozen=True, kw_only=True)
class Extragradient(Method[ServerState]):
    """Extragradient: a step along the gradients at the end of a trial step.

    Problem: min_x max_y f(x, y); g is the mean of the clients' minibatch gradients, F = (g_x, -g_y).

    **Update**, K times a round: ``w = z - eta F(z)``, ``z <- z - eta F(w)``, each on a fresh minibatch; of the first
    block ``x <- x - eta grad_x f(w)``.

    **Guarantee**: `field.extragradient` for monotone F and exact gradients.

    References: [1] Korpelevich, Matecon 12 (1976).

    Attributes
    ----------
    eta : Hyper
        Step, in both blocks.
    """

    eta: Step

    card = Card(
        "extragradient",
        "Extragradient on one machine",
        "field",
        "Korpelevich 1976",
        kind="minimax",
        rule="cited",
        gradients="2K",
        up="0",
        down="0",
        partial=False,
        needs=("max block",),
        distinguishes=("T > 1",),
    )

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        """Take K steps."""
        along = self.eta * oracle.blockwise(1.0, -1.0)

        def step(_: Any, z: Vector) -> Vector:
            trial = z - along * oracle.mean(oracle.grad(show_at_clients(oracle, z), oracle.draw()))
            return z - along * oracle.mean(oracle.grad(oracle.to_clients(trial), oracle.draw()))

        return ServerState(oracle.fori(step, state.x))
