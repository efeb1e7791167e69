"""Steps along gradients of old points: SGD with a fixed delay, and buffered asynchronous aggregation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from boundcheck.methods.base import Card, Factor, Hyper, Method, Oracle, Penalty, Step, Vector, Weight, Whole
from boundcheck.methods.local import local_sgd


class PastState(NamedTuple):
    """Server iterate and those before it."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    past: Vector
    """The last iterates, the oldest first, this one last (lanes, delay + 1, d); x_0 before the start."""


def push(oracle: Oracle, past: Vector, x: Vector) -> Vector:
    """Return the last iterates with a new one."""
    return oracle.xp.concatenate([past[:, 1:], x], axis=1)


@dataclass(frozen=True, kw_only=True)
class DelayedSGD(Method[PastState]):
    """SGD along gradients that are a fixed number of rounds old.

    Problem: minimise f; g is the mean of the clients' minibatch gradients.

    **Update**: ``x <- x - eta g(x_old)``, x_old the iterate `delay` rounds ago, x_0 in the first ones.

    **Guarantee**: `field.delayed-sgd`.

    References: [1] Lian, Huang, Li, Liu, arXiv:1506.08272, AsySG-con with a fixed delay.

    Attributes
    ----------
    eta : Hyper
        Step.
    delay : int
        Rounds between the point of a gradient and the step along it; 0 is SGD.
    """

    eta: Step
    delay: Whole = 1

    card = Card(
        "delayed-sgd",
        "SGD with a fixed delay",
        "field",
        "AsySG-con of arXiv:1506.08272",
        rule="cited",
        gradients="1",
        up="0",
        down="0",
        partial=False,
        server="d",
        note="the server keeps `delay` iterates beside x",
        distinguishes=("delay", "T > 1"),
    )

    def init(self, oracle: Oracle, x0: Vector) -> PastState:
        """Start as if x0 had stood for long."""
        return PastState(x0, oracle.xp.repeat(x0, self.delay + 1, axis=1))

    def round(self, oracle: Oracle, state: PastState) -> PastState:
        """Step along an old gradient."""
        old = state.past[:, :1]
        oracle.observe(oracle.to_clients(state.x))
        x = state.x - self.eta * oracle.mean(oracle.grad(oracle.to_clients(old), oracle.draw()))
        return PastState(x, push(oracle, state.past, x))


class StartsState(NamedTuple):
    """Server iterate, and the points at which clients started."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    start: Vector
    """Where each client took the model that it is working on (lanes, N, d)."""


@dataclass(frozen=True, kw_only=True)
class FedBuff(Method[StartsState]):
    """Buffered asynchronous aggregation: a server step for every S updates, each from the model its client got last.

    Problem: minimise f = mean_i f_i; the S of N clients of a round are those whose updates fill the buffer.

    **Update**: on the active clients ``y_i = x_i``, K times ``y_i <- y_i - eta g_i(y_i)``; then
    ``x <- x + gamma mean_i (y_i - x_i)`` and ``x_i <- x``.  The others go on with the x_i that they got when they last
    took part, x_0 at first: an update is as old as its client was idle.

    References: [1] Nguyen, Malik, Zhan, Yousefpour, Rabbat, Malek, Huba, arXiv:2106.06639, Algorithm 1; the arrivals
    are a uniform sample here, which the paper leaves to the clients' speeds.

    Attributes
    ----------
    eta : Hyper
        Local step.
    gamma : Hyper
        Server step on the mean update.
    """

    eta: Step
    gamma: Factor = 1.0

    card = Card(
        "fedbuff",
        "FedBuff",
        "field",
        "Algorithm 1 of arXiv:2106.06639",
        rule="cited",
        client="d",
        note="with S = N it is FedAvg",
        distinguishes=("gamma", "S < N", "T > 1"),
    )

    def init(self, oracle: Oracle, x0: Vector) -> StartsState:
        """Give x0 to everybody."""
        return StartsState(x0, oracle.to_all(x0))

    def round(self, oracle: Oracle, state: StartsState) -> StartsState:
        """Take what the active clients make of their old models."""
        start = oracle.active(state.start)
        x = state.x + self.gamma * oracle.mean(local_sgd(oracle, start, self.eta) - start)
        return StartsState(x, oracle.remember(state.start, oracle.to_clients(x)))


class AgeState(NamedTuple):
    """Server iterate, the points at which clients started, and how long ago that was."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    start: Vector
    """Where each client took the model that it is working on (lanes, N, d)."""
    age: Vector
    """Server steps since then (lanes, N, 1)."""


@dataclass(frozen=True, kw_only=True)
class FedAsync(Method[AgeState]):
    """Asynchronous aggregation with a weight that falls with an update's age.

    Problem: minimise f = mean_i f_i; the clients of a round are those whose models arrive, one of them in the source.

    **Update**: on the arriving clients ``y_i = x_i``, K times ``y_i <- y_i - eta (g_i(y_i) + rho (y_i - x_i))``; then
    ``x <- x + mean_i alpha (1 + t_i)^(-decay) (y_i - x)`` with t_i the server steps since client i got x_i, and
    ``x_i <- x``, ``t_i <- 0`` for them.

    References: [1] Xie, Koyejo, Gupta, arXiv:1903.03934, Algorithm 1 with the polynomial weight; the arrivals are a
    uniform sample here.

    Attributes
    ----------
    eta : Hyper
        Local step.
    alpha : Hyper
        Weight of a fresh model.
    decay : Hyper
        Power by which a weight falls with age.
    rho : Hyper
        Proximal coefficient.
    """

    eta: Step
    alpha: Weight = 0.5
    decay: Hyper = 0.5
    rho: Penalty = 0.0

    card = Card(
        "fedasync",
        "FedAsync",
        "field",
        "Algorithm 1 of arXiv:1903.03934",
        rule="cited",
        client="d + 1",
        distinguishes=("alpha", "decay", "rho", "S < N", "T > 1"),
    )

    def init(self, oracle: Oracle, x0: Vector) -> AgeState:
        """Give x0 to everybody."""
        own = oracle.to_all(x0)
        return AgeState(x0, own, 0.0 * own[..., :1])

    def round(self, oracle: Oracle, state: AgeState) -> AgeState:
        """Mix in what arrives, the older the less."""
        start, age = oracle.active(state.start), oracle.active(state.age)
        y = local_sgd(oracle, start, self.eta, lambda y: self.rho * (y - start))
        weight = self.alpha * (1.0 + age) ** (-self.decay)
        x = state.x + oracle.mean(weight * (y - oracle.to_clients(state.x, free=True)))
        aged = oracle.remember(state.age + 1.0, 0.0 * age)
        return AgeState(x, oracle.remember(state.start, oracle.to_clients(x)), aged)
