"""Single-machine methods on the average over all clients: SGD, SARAH, SPIDER and STORM.

With N = 1 they are the methods of their papers; with more clients every step averages the clients' gradients.  A round
is K steps, so that rounds cost what a federated method's rounds cost.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.methods.base import Card, Hyper, Method, Oracle, Real, ServerState, Step, Vector, Weight
from boundcheck.methods.estimators import starting_gradients

_NOTE = "with N > 1 clients d floats go up and down a client and step"


def show_at_clients(oracle: Oracle, x: Vector) -> Vector:
    """Return the server iterate at every client, after showing it to the observers."""
    y = oracle.to_clients(x)
    oracle.observe(y)
    return y


def mean_grad(oracle: Oracle, x: Vector, batch: Any) -> Vector:
    """Return the mean over the clients of their gradients at a server point."""
    return oracle.mean(oracle.grad(oracle.to_clients(x), batch))


def square(v: Vector) -> Vector:
    """Return |v|^2, shape (lanes, 1, 1)."""
    return (v * v).sum(axis=-1, keepdims=True)


@dataclass(frozen=True, kw_only=True)
class SGD(Method[ServerState]):
    """Stochastic gradient descent.

    Problem: minimise f.

    **Update**: ``x <- x - eta G(x)``, K times a round; G is a fresh minibatch gradient.

    **Guarantee**: none in the papers under audit; FedAvg at K = 1.

    References: [1] Robbins, Monro, Annals of Mathematical Statistics 22 (1951).

    Attributes
    ----------
    eta : Hyper
        Step.
    """

    eta: Step

    card = Card(
        "sgd",
        "SGD on one machine",
        "fedglomo",
        "rule from the cited work (Robbins, Monro 1951)",
        rule="cited",
        up="0",
        down="0",
        partial=False,
        note=_NOTE,
        distinguishes=("K > 1", "noise"),
        cost=1.1,
    )

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        """Take K steps."""

        def step(_: Any, x: Vector) -> Vector:
            return x - self.eta * oracle.mean(oracle.grad(show_at_clients(oracle, x), oracle.draw()))

        return ServerState(oracle.fori(step, state.x))


@dataclass(frozen=True, kw_only=True)
class SARAH(Method[ServerState]):
    """Stochastic recursive gradient.

    Problem: minimise f, a finite sum.

    **Update**, a round is one outer loop: ``v = grad f(x)``, ``x <- x - eta v``, then K - 1 times
    ``v <- G(x) - G(x_old) + v`` on one fresh minibatch, ``x <- x - eta v``; the last iterate is kept (the analysis
    takes one at random).

    References: [1] Nguyen, Liu, Scheinberg, Takac, arXiv:1703.00102.

    Attributes
    ----------
    eta : Hyper
        Step.
    batch : int
        Samples of the gradient that starts a round; 0 is exact.
    """

    eta: Step
    batch: int = 0

    card = Card(
        "sarah",
        "SARAH on one machine",
        "momentum-fl",
        "rule from the cited work (Nguyen et al. 2017)",
        rule="cited",
        gradients="2(K-1) + 1 full",
        up="0",
        down="0",
        partial=False,
        needs=("exact gradients", "same sample"),
        note=_NOTE,
        distinguishes=("K > 1", "noise"),
        cost=1.0,
    )

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        """One outer loop."""
        xp = oracle.xp

        def step(_: Any, carry: tuple[Vector, ...]) -> tuple[Vector, ...]:
            old, x, v = carry
            y, batch = show_at_clients(oracle, x), oracle.draw()
            v = oracle.mean(oracle.grad(y, batch)) - mean_grad(oracle, old, batch) + v
            return x, x - self.step(xp, v) * v, v

        v = oracle.mean(starting_gradients(oracle, (show_at_clients(oracle, state.x),), self.batch)[0])
        start = state.x, state.x - self.step(xp, v) * v, v
        return ServerState(oracle.fori(step, start, oracle.K - 1)[1])

    def step(self, xp: Any, v: Vector) -> Hyper:
        """Return the step along `v`."""
        return self.eta


@dataclass(frozen=True, kw_only=True)
class SPIDER(SARAH):
    """SARAH's estimator with steps of bounded length (option II).

    Problem: minimise f.

    **Update**, a round is one period: ``v = grad f(x)``, then ``v <- G(x) - G(x_old) + v`` on one fresh minibatch;
    after each, ``x <- x - min(eta, length / |v|) v``.

    References: [1] Fang, Li, Lin, Zhang, arXiv:1807.01695, option II.

    Attributes
    ----------
    eta : Hyper
        Largest step, 1/(2 L n_0) in the source.
    length : Hyper
        Largest displacement, eps/(L n_0) in the source.
    """

    length: Hyper

    card = Card(
        "spider",
        "SPIDER on one machine",
        "fedglomo",
        "rule from the cited work (Fang et al. 2018, option II)",
        rule="cited",
        gradients="2(K-1) + 1 full",
        up="0",
        down="0",
        partial=False,
        needs=("exact gradients", "same sample"),
        note=_NOTE,
        distinguishes=("length", "K > 1", "noise"),
        cost=1.0,
    )

    def step(self, xp: Any, v: Vector) -> Hyper:
        """Return min(eta, length / |v|), eta where v = 0."""
        step: Hyper = self.eta * self.length / xp.maximum(self.length, self.eta * xp.sqrt(square(v)))
        return step


class StormState(NamedTuple):
    """Iterate, estimator and the squared gradients seen so far."""

    x: Vector
    """Iterate (lanes, 1, d)."""
    v: Vector
    """Recursive gradient estimate at x (lanes, 1, d)."""
    total: Vector
    """Sum of |G|^2, every minibatch at its first point (lanes, 1, 1)."""


@dataclass(frozen=True, kw_only=True)
class StormSteps(Method[StormState]):
    """K steps of stochastic recursive momentum a round, whatever the step is.

    Attributes
    ----------
    B : int
        Samples of the first estimate.
    """

    B: int = 1

    def init(self, oracle: Oracle, x0: Vector) -> StormState:
        """Start at x0 with a B-sample gradient."""
        v = oracle.mean(oracle.initial(x0, self.B))
        return StormState(x0, v, square(v))

    def round(self, oracle: Oracle, state: StormState) -> StormState:
        """Take K steps."""

        def step(_: Any, carry: tuple[Vector, ...]) -> tuple[Vector, ...]:
            x, v, total = carry
            show_at_clients(oracle, x)
            eta, a = self.schedule(oracle.xp, total)
            new, batch = x - eta * v, oracle.draw()
            fresh = mean_grad(oracle, new, batch)
            v = fresh + (1.0 - a) * (v - mean_grad(oracle, x, batch))
            return new, v, total + square(fresh)

        return StormState(*oracle.fori(step, tuple(state)))

    @abstractmethod
    def schedule(self, xp: Any, total: Vector) -> tuple[Hyper, Hyper]:
        """Return the step and the weight of the next fresh gradient."""


@dataclass(frozen=True, kw_only=True)
class STORM(StormSteps):
    """Stochastic recursive momentum with a constant step.

    Problem: minimise f, every sample gradient Lipschitz.

    **Update**, K times a round: ``x_new = x - eta v``, then ``v <- G(x_new) + (1-a) (v - G(x))`` on one fresh
    minibatch.  v starts as a gradient on B samples of every client.

    **Guarantee**: none in the papers under audit; FedGLOMO's equation (3) with constant parameters.

    References: [1] Cutkosky, Orabona, arXiv:1905.10018, Algorithm 1 with given parameters.  [2] Das et al.,
    arXiv:2012.04061, equation (3).

    Attributes
    ----------
    eta : Hyper
        Step.
    a : Hyper
        Weight of the fresh gradient; 1 is SGD.
    """

    eta: Step
    a: Weight

    card = Card(
        "storm",
        "STORM on one machine",
        "fedglomo",
        "equation (3)",
        gradients="2K",
        up="0",
        down="0",
        partial=False,
        needs=("same sample",),
        note=_NOTE,
        distinguishes=("a", "T > 1", "noise"),
        cost=1.0,
        server="d + 1",
    )

    def schedule(self, xp: Any, total: Vector) -> tuple[Hyper, Hyper]:
        """Return eta and a."""
        return self.eta, self.a


@dataclass(frozen=True, kw_only=True)
class AdaptiveSTORM(StormSteps):
    """Stochastic recursive momentum with the adaptive step of its paper.

    Problem: minimise f, every sample gradient Lipschitz.

    **Update**, K times a round: ``eta = k / (w + sum |G|^2)^(1/3)`` over the gradients so far, each minibatch at its
    first point, ``x_new = x - eta v``, then ``v <- G(x_new) + (1 - c eta^2) (v - G(x))`` on one fresh minibatch.

    References: [1] Cutkosky, Orabona, arXiv:1905.10018, Algorithm 1.

    Attributes
    ----------
    k, w : Hyper
        The step schedule.
    c : Hyper
        The weight of the fresh gradient is c eta^2.
    """

    k: Step
    w: Hyper
    c: Real

    card = Card(
        "storm-adaptive",
        "STORM with adaptive step on one machine",
        "fedglomo",
        "rule from the cited work (Cutkosky, Orabona 2019, Algorithm 1)",
        rule="confirmed",
        gradients="2K",
        up="0",
        down="0",
        partial=False,
        needs=("same sample",),
        note=_NOTE,
        distinguishes=("c", "T > 1", "noise"),
        cost=1.1,
        server="d + 1",
    )

    def schedule(self, xp: Any, total: Vector) -> tuple[Hyper, Hyper]:
        """Return k / (w + total)^(1/3) and c times its square."""
        eta: Hyper = self.k / xp.cbrt(self.w + total)
        return eta, self.c * eta * eta
