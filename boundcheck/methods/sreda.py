"""SREDA on one machine: recursive gradients, normalised descent and an inner ascent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.errors import require_count
from boundcheck.methods.base import Card, Hyper, Method, Oracle, Step, Vector
from boundcheck.methods.central import mean_grad, show_at_clients, square
from boundcheck.methods.estimators import starting_gradients


class AscentState(NamedTuple):
    """Pair, its gradient's estimate and the round."""

    x: Vector
    """Pair (lanes, 1, d)."""
    g: Vector
    """Recursive estimate of the gradient at the pair (lanes, 1, d)."""
    t: int
    """Rounds done."""


@dataclass(frozen=True, kw_only=True)
class SREDA(Method[AscentState]):
    """Stochastic recursive gradient descent ascent.

    Problem: min_x max_y mean_i F_i(x, y), strongly concave in y; the machine holds all clients' data.

    **Update**, a round is one descent step: every period-th round ``(u, v) = grad F(x, y)``, else (u, v) is carried
    over; ``x+ = x - min(eta, length / |u|) u``.  Then K minibatches, each at two consecutive pairs, the first of them
    (x, y) and (x+, y), with ``y+ <- y+ + lam v`` between two minibatches:
    ``(u, v) <- (u, v) + g(z_new) - g(z_old)``.  The last y+ is kept (the analysis takes one at random).

    **Guarantee**: none in the papers under audit.

    References: [1] Luo, Ye, Huang, Zhang, arXiv:2001.03724.  The source begins with an inner maximisation; here y
    starts where the problem starts.

    Attributes
    ----------
    eta : Hyper
        Largest step, 1/(10 kappa L) in the source.
    length : Hyper
        Largest displacement, eps/(5 kappa L) in the source.
    lam : Hyper
        Ascent step, 1/(8 L) in the source.
    period : int
        Rounds from one large batch to the next.
    batch : int
        Samples of the large batch; 0 is exact.
    """

    eta: Step
    length: Hyper
    lam: Step
    period: int = 1
    batch: int = 0

    card = Card(
        "sreda",
        "SREDA on one machine",
        "fmgda",
        "rule from the cited work (Luo et al. 2020)",
        rule="uncertain",
        kind="minimax",
        gradients="2K + 1 full (2K in the other rounds with period > 1)",
        up="0",
        down="0",
        partial=False,
        needs=("max block", "exact gradients", "same sample"),
        note="K samples, each at two points",
        distinguishes=("length", "period", "K > 1", "T > 1", "noise"),
        cost=0.9,
        server="d",
    )

    def __post_init__(self) -> None:
        """Check the period."""
        require_count(self.period, "sreda: period")

    def init(self, oracle: Oracle, x0: Vector) -> AscentState:
        """Start at x0; the first round takes a large batch."""
        return AscentState(x0, 0.0 * x0, 0)

    def round(self, oracle: Oracle, state: AscentState) -> AscentState:
        """One descent step, then K minibatches of ascent."""
        x, g, t = state
        down, up = oracle.blockwise(1.0, 0.0), oracle.blockwise(0.0, 1.0)
        if self.period == 1 or t % self.period == 0:
            g = oracle.mean(starting_gradients(oracle, (oracle.to_clients(x),), self.batch)[0])
        u = down * g
        step = self.eta * self.length / oracle.xp.maximum(self.length, self.eta * oracle.xp.sqrt(square(u)))

        def ascent(_: Any, carry: tuple[Vector, ...]) -> tuple[Vector, ...]:
            old, new, g = carry
            batch = oracle.draw()
            g = oracle.mean(oracle.grad(show_at_clients(oracle, new), batch)) - mean_grad(oracle, old, batch) + g
            return new, new + up * (self.lam * g), g

        z, _, g = oracle.fori(ascent, (x, x - step * u, g))
        return AscentState(z, g, t + 1)
