"""Gradient descent that halves its step until f falls enough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from boundcheck.errors import require, require_count
from boundcheck.methods.base import Card, Count, Method, Oracle, ServerState, Step, Vector


@dataclass(frozen=True, kw_only=True)
class Backtracking(Method[ServerState]):
    """Gradient descent with Armijo's rule.

    Problem: minimise f with exact gradients, whose values can be asked for.

    **Update**, from ``s = eta``: while ``f(x - s grad f(x)) > f(x) - share s |grad f(x)|^2``, s is halved, `tries`
    times at most; then ``x <- x - s grad f(x)``.

    **Guarantee**: `field.armijo` at share = 1/2.

    References: [1] Armijo, "Minimization of Functions Having Lipschitz Continuous First Partial Derivatives", 1966.

    Attributes
    ----------
    eta : Hyper
        The step that is tried first.
    share : float
        Share of the fall along the tangent that is enough, in (0, 1).
    tries : int
        Steps that are tried at most beside the first.
    """

    eta: Step
    share: float = 0.5
    tries: Count = 12

    card = Card(
        "armijo",
        "Gradient descent with Armijo's rule",
        "field",
        "Armijo 1966",
        rule="cited",
        gradients="1 full",
        up="0",
        down="0",
        partial=False,
        needs=("exact gradients",),
        note="f is asked for once a try; no local steps, so K does not matter",
        distinguishes=("share",),
    )

    def __post_init__(self) -> None:
        """Check what is no step."""
        require(0 < self.share < 1, "armijo: share", self.share, "a number in (0, 1)")
        require_count(self.tries, "armijo: tries")

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        """Look for a step that is short enough, and take it."""
        xp, x = oracle.xp, state.x
        y = oracle.to_clients(x)
        oracle.observe(y)
        g = oracle.mean(oracle.full(y))
        square, here = (g * g).sum(axis=-1, keepdims=True), oracle.value(x)

        def shorter(_: Any, s: Vector) -> Vector:
            enough = oracle.value(x - s * g) <= here - self.share * s * square
            return xp.where(enough, s, 0.5 * s)

        s = oracle.fori(shorter, self.eta + 0.0 * square, steps=self.tries)
        return ServerState(x - s * g)
