"""Whole rounds that codes make instead of the right one: arrays shared by accident, buffers that live too long."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.conform.faults.wrong_oracle import ReplayingOracle
from boundcheck.methods.base import Method
from boundcheck.methods.local import sample_gradients

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.methods.base import Oracle, Vector
    from boundcheck.methods.composed import Composed


def one_after_the_other(oracle: Oracle, start: Vector, local: Any) -> Any:
    """Return what `local` makes of rows each of which starts where the row before it ended."""
    again = ReplayingOracle(oracle)
    for i in range(1, start.shape[1]):
        again.rewind()
        ends = local(again, start)
        ends = ends[0] if isinstance(ends, tuple) else ends
        start = np.concatenate([start[:, :i], ends[:, i - 1 : i], start[:, i + 1 :]], axis=1)
    again.rewind()
    return local(again, start)


@dataclass(frozen=True)
class SharedArray(Method):
    """Clients that work in the server's own array, so that each goes on where the one before it ended."""

    right: Composed
    copies: bool = False
    """Whether the ends are copied before they are averaged."""

    def round(self, oracle: Oracle, state: Any) -> Any:
        """Make the round with the server iterate overwritten."""
        start = np.array(oracle.to_clients(state.x))
        y = one_after_the_other(oracle, start, lambda again, at: self.right.local(again, state, at))
        last = y[:, -1:]
        average = self.right.average(oracle, last, y) if self.copies else last
        return self.right.server(oracle, state._replace(x=last), average)


class KeptModels(NamedTuple):
    """The right method's state, and the models that the clients kept."""

    x: Vector
    inner: Any
    y: Vector
    """(lanes, N, d)."""


@dataclass(frozen=True)
class NotLoaded(Method):
    """Clients that go on from their own models and do not load the server's."""

    right: Composed

    def round(self, oracle: Oracle, state: KeptModels) -> KeptModels:
        """Make the round from the clients' own models."""
        y = self.right.local(oracle, state.inner, oracle.active(state.y))
        inner = self.right.server(oracle, state.inner, self.right.average(oracle, state.x, y))
        return KeptModels(inner.x, inner, oracle.remember(state.y, y))


class Buffers(NamedTuple):
    """Server iterate, and every client's momentum buffer."""

    x: Vector
    """(lanes, 1, d)."""
    u: Vector
    """(lanes, N, d)."""


@dataclass(frozen=True)
class LocalBuffers(Method):
    """Local heavy ball whose buffers are neither averaged nor restarted."""

    eta: Any
    beta: Any
    shared: bool = False
    """Whether there is one buffer, which passes from client to client."""
    restart: bool = False
    """Whether every round begins with buffers 0."""

    def round(self, oracle: Oracle, state: Buffers) -> Buffers:
        """K momentum steps from the kept buffers, then the average of the points."""

        def run(of: Any, u: Vector) -> tuple[Vector, Vector]:
            def step(_: Any, carry: tuple[Vector, Vector]) -> tuple[Vector, Vector]:
                y, u = carry
                u = self.beta * u + sample_gradients(of, y)
                return y - self.eta * u, u

            y, u = of.fori(step, (of.to_clients(state.x), u))
            return u, y

        kept = (0.0 if self.restart else 1.0) * oracle.active(state.u)
        u, y = one_after_the_other(oracle, kept, run) if self.shared else run(oracle, kept)
        everyone = oracle.to_all(u[:, -1:]) if self.shared else oracle.remember(state.u, u)
        return Buffers(oracle.mean(y), everyone)


class CountedState(NamedTuple):
    """Server iterate, the clients' moments, and how many steps each has made."""

    x: Vector
    m: Vector
    v: Vector
    steps: Vector
    """(lanes, N, 1)."""


@dataclass(frozen=True)
class CorrectedAdam(Method):
    """Local Adam whose moments are corrected for their bias, as in the libraries."""

    right: Any
    reset: bool = False
    """Whether every round begins with moments 0."""

    def round(self, oracle: Oracle, state: CountedState) -> CountedState:
        """K corrected Adam steps on every active client, then the average of the points."""
        a, xp = self.right, oracle.xp
        moments = tuple((0.0 if self.reset else 1.0) * oracle.active(memory) for memory in state[1:])

        def step(_: Any, carry: tuple[Vector, ...]) -> tuple[Vector, ...]:
            y, m, v, steps = carry
            g, steps = sample_gradients(oracle, y), steps + 1.0
            m, v = a.beta1 * m + (1.0 - a.beta1) * g, a.beta2 * v + (1.0 - a.beta2) * g * g
            mean, square = m / (1.0 - a.beta1**steps), v / (1.0 - a.beta2**steps)
            return y - a.eta * mean / (xp.sqrt(square) + a.eps), m, v, steps

        y, *fresh = oracle.fori(step, (oracle.to_clients(state.x), *moments))
        kept = (oracle.remember(old, new) for old, new in zip(state[1:], fresh, strict=True))
        return CountedState(oracle.mean(y), *kept)


def _average_of_squares(a: Any, v: Vector, g: Vector, m: Vector) -> Vector:
    return a.beta2 * v + (1.0 - a.beta2) * g * g


def _root(xp: Any, v: Vector, eps: Any) -> Vector:
    return xp.sqrt(v) + eps


@dataclass(frozen=True)
class OtherAdam(Method):
    """Local Adam with another second moment, another divisor, or moments that the server averages."""

    right: Any
    law: Callable[[Any, Vector, Vector, Vector], Vector] = _average_of_squares
    """The new second moment, of the method, the old one, the gradient and the fresh first moment."""
    divisor: Callable[[Any, Vector, Any], Vector] = _root
    averaged: bool = False
    late: bool = False
    """Whether a step is along the first moment before it is refreshed."""

    def round(self, oracle: Oracle, state: Any) -> Any:
        """K steps on every active client, then the average of the points."""
        a, xp = self.right, oracle.xp

        def step(_: Any, carry: tuple[Vector, ...]) -> tuple[Vector, ...]:
            y, old, v = carry
            g = sample_gradients(oracle, y)
            m = a.beta1 * old + (1.0 - a.beta1) * g
            v = self.law(a, v, g, m)
            return y - a.eta * (old if self.late else m) / self.divisor(xp, v, a.eps), m, v

        y, m, v = oracle.fori(step, (oracle.to_clients(state.x), oracle.active(state.m), oracle.active(state.v)))
        if self.averaged:
            m, v = (oracle.to_clients(oracle.mean(moment)) for moment in (m, v))
        fresh = {"m": oracle.remember(state.m, m), "v": oracle.remember(state.v, v), "vh": oracle.remember(state.vh, v)}
        return state._replace(x=oracle.mean(y), **fresh)
