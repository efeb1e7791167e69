"""Steps whose length does not follow the gradient: normalised momentum, clipped gradients, and a norm's AdaGrad."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.methods.base import Card, Count, Hyper, Method, Oracle, ServerState, Step, Vector, Weight
from boundcheck.methods.central import mean_grad, show_at_clients, square


def unit(xp: Any, v: Vector) -> Vector:
    """Return v / |v| of server vectors, 0 where v = 0."""
    length = xp.sqrt(square(v))
    return v / xp.where(length > 0, length, 1.0)


class NormalisedState(NamedTuple):
    """Iterate and direction."""

    x: Vector
    """Iterate (lanes, 1, d)."""
    m: Vector
    """Average of gradients, the estimate at x (lanes, 1, d)."""


@dataclass(frozen=True, kw_only=True)
class NormalisedMomentum(Method[NormalisedState]):
    """Normalised SGD with momentum.

    Problem: minimise f; g is the mean of the clients' minibatch gradients.

    **Update**, K times a round: ``x <- x - eta m / |m|``, no step where m = 0; then ``m <- (1 - beta) m + beta g(x)``.
    m starts as a gradient on B samples of every client.

    **Guarantee**: `field.nsgdm`.

    References: [1] Cutkosky, Mehta, arXiv:2002.03305, section 3.

    Attributes
    ----------
    eta : Hyper
        Length of a step.
    beta : Hyper
        Weight of the fresh gradient; 1 is normalised SGD.
    B : int
        Samples of the first estimate.
    """

    eta: Step
    beta: Weight
    B: Count = 1

    state_type = NormalisedState
    card = Card(
        "nsgdm",
        "Normalised SGD with momentum",
        "field",
        "section 3 of arXiv:2002.03305",
        rule="cited",
        up="0",
        down="0",
        partial=False,
        server="d",
        distinguishes=("beta", "T > 1", "noise"),
    )

    def init(self, oracle: Oracle, x0: Vector) -> NormalisedState:
        """Start at x0 with a B-sample gradient."""
        return NormalisedState(x0, oracle.mean(oracle.initial(x0, self.B)))

    def round(self, oracle: Oracle, state: NormalisedState) -> NormalisedState:
        """K steps of one length."""

        def step(_: Any, carry: tuple[Vector, ...]) -> tuple[Vector, ...]:
            x, m = carry
            show_at_clients(oracle, x)
            x = x - self.eta * unit(oracle.xp, m)
            return x, (1.0 - self.beta) * m + self.beta * mean_grad(oracle, x, oracle.draw())

        return NormalisedState(*oracle.fori(step, tuple(state)))


@dataclass(frozen=True, kw_only=True)
class ClippedSGD(Method[ServerState]):
    """Gradient descent with clipped steps.

    Problem: minimise f; g is the mean of the clients' minibatch gradients.

    **Update**, K times a round: ``x <- x - eta min(1, clip / |g|) g``.

    **Guarantee**: `field.clipped-gd` for exact gradients.

    References: [1] Zhang, He, Sra, Jadbabaie, arXiv:1905.11881, section 3.

    Attributes
    ----------
    eta : Hyper
        Step.
    clip : Hyper
        Largest |g| that is not shortened, a slope.
    """

    eta: Step
    clip: Hyper

    card = Card(
        "clipped-sgd",
        "SGD with clipped gradients",
        "field",
        "section 3 of arXiv:1905.11881",
        rule="cited",
        up="0",
        down="0",
        partial=False,
        distinguishes=("clip",),
    )

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        """K steps, none longer than eta clip."""
        xp = oracle.xp

        def step(_: Any, x: Vector) -> Vector:
            g = oracle.mean(oracle.grad(show_at_clients(oracle, x), oracle.draw()))
            # One division: min(1, clip/|g|) without 0/0 at a stationary point.
            return x - self.eta * self.clip / xp.maximum(self.clip, xp.sqrt(square(g))) * g

        return ServerState(oracle.fori(step, state.x))


class TotalState(NamedTuple):
    """Iterate and the squared gradients so far."""

    x: Vector
    """Iterate (lanes, 1, d)."""
    total: Vector
    """Sum of |g|^2 (lanes, 1, 1)."""


@dataclass(frozen=True, kw_only=True)
class AdaGradNorm(Method[TotalState]):
    """AdaGrad with one step for all coordinates.

    Problem: minimise f; g is the mean of the clients' minibatch gradients.

    **Update**, K times a round: ``w <- w + |g|^2``, ``x <- x - eta g / sqrt(eps^2 + w)``; w starts at 0.

    **Guarantee**: `field.adagrad-norm` for exact gradients.

    References: [1] Ward, Wu, Bottou, arXiv:1806.01811, Algorithm 1 (eps is their b_0).

    Attributes
    ----------
    eta : Hyper
        Step, a length.
    eps : Hyper
        Root of what the sum starts from, a slope.
    """

    eta: Step
    eps: Hyper

    card = Card(
        "adagrad-norm",
        "AdaGrad-Norm on one machine",
        "field",
        "Algorithm 1 of arXiv:1806.01811",
        rule="cited",
        up="0",
        down="0",
        partial=False,
        server="1",
        distinguishes=("T > 1",),
    )

    def init(self, oracle: Oracle, x0: Vector) -> TotalState:
        """Start at x0 with an empty sum."""
        return TotalState(x0, 0.0 * square(x0))

    def round(self, oracle: Oracle, state: TotalState) -> TotalState:
        """K steps along the mean of the clients' gradients."""
        xp = oracle.xp

        def step(_: Any, carry: tuple[Vector, ...]) -> tuple[Vector, ...]:
            x, total = carry
            g = oracle.mean(oracle.grad(show_at_clients(oracle, x), oracle.draw()))
            total = total + square(g)
            return x - self.eta * g / xp.sqrt(self.eps**2 + total), total

        return TotalState(*oracle.fori(step, tuple(state)))
