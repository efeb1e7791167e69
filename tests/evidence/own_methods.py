"""Methods of a user's own that a search for violations may misread: counters, periods, delays, divisions, snapshots."""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from boundcheck.methods.base import Card, Count, Hyper, Method, Oracle, Step, Vector


class Counted(NamedTuple):
    """Iterate and rounds done."""

    x: Vector
    t: Any


def card(name: str) -> Card:
    """Return a card for full gradients of all clients."""
    return Card(name, name, "mine", "-", gradients="1 full", partial=False)


def full(oracle: Oracle, x: Vector) -> Vector:
    """Return the gradient of f."""
    return oracle.mean(oracle.full(oracle.to_clients(x)))


@dataclass(frozen=True)
class Scheduled(Method):
    """Gradient descent with the step ``eta factor(t)``.

    Attributes
    ----------
    eta : float
        Step.
    """

    card = card("scheduled")
    eta: Hyper = 0.5

    def init(self, oracle: Oracle, x0: Any) -> Counted:
        return Counted(x0, 0)

    def factor(self, t: Any) -> float:
        return 1.0

    def round(self, oracle: Oracle, state: Any) -> Counted:
        return Counted(state.x - self.eta * self.factor(state.t) * full(oracle, state.x), state.t + 1)


@dataclass(frozen=True)
class Periodic(Scheduled):
    """A step in every fifth round only."""

    card = card("periodic")

    def factor(self, t: Any) -> float:
        return float(t % 5 == 0)


@dataclass(frozen=True)
class Decreasing(Scheduled):
    """Steps that fall like 1/sqrt(t + 1)."""

    card = card("decreasing")

    def factor(self, t: Any) -> float:
        return float((t + 1) ** -0.5)


@dataclass(frozen=True)
class NoisyDecreasing(Decreasing):
    """The same with a sample's gradient."""

    card = Card("noisy-decreasing", "noisy decreasing", "mine", "-", gradients="1", partial=False)

    def round(self, oracle: Oracle, state: Any) -> Counted:
        y = oracle.to_clients(state.x)
        oracle.observe(y)
        g = oracle.mean(oracle.grad(y, oracle.draw()))
        return Counted(state.x - self.eta * self.factor(state.t) * g, state.t + 1)


@dataclass(frozen=True)
class Alternating(Scheduled):
    """Whole and half steps in turn."""

    card = card("alternating")

    def factor(self, t: Any) -> float:
        return 1.0 if t % 2 == 0 else 0.5


@dataclass(frozen=True)
class WarmUp(Scheduled):
    """A third and two thirds of the step before the whole one."""

    card = card("warm-up")

    def factor(self, t: Any) -> float:
        return min((t + 1) / 3, 1.0)


@dataclass(frozen=True)
class Dropping(Scheduled):
    """A quarter of the step from round 4 on."""

    card = card("dropping")

    def factor(self, t: Any) -> float:
        return 1.0 if t < 4 else 0.25


@dataclass(frozen=True)
class Every(Scheduled):
    """A step in every `every`-th round.

    Attributes
    ----------
    every : int
        Period.
    """

    card = card("every")
    every: Hyper = 3

    def factor(self, t: Any) -> float:
        return float(t % self.every == 0)


@dataclass(frozen=True)
class EveryCount(Every):
    """The same with a declared kind."""

    card = card("every-count")
    every: Count = 3


class Remembered(NamedTuple):
    """Iterate, snapshot and rounds done."""

    x: Vector
    s: Vector
    t: Any


@dataclass(frozen=True)
class Snapshot(Method):
    """Steps along the gradient at a snapshot that is taken every third round.

    Attributes
    ----------
    eta : float
        Step.
    """

    card = card("snapshot")
    eta: Hyper = 0.5

    def init(self, oracle: Oracle, x0: Any) -> Remembered:
        return Remembered(x0, x0, 0)

    def round(self, oracle: Oracle, state: Any) -> Remembered:
        s = state.x if state.t % 3 == 0 else state.s
        return Remembered(state.x - self.eta * full(oracle, s), s, state.t + 1)


class Two(NamedTuple):
    """Iterate and the two before it."""

    x: Vector
    a: Vector
    b: Vector


@dataclass(frozen=True)
class Delayed(Method):
    """Steps along the gradient of two rounds ago; nothing is counted.

    Attributes
    ----------
    eta : float
        Step.
    """

    card = card("delayed")
    eta: Step = 0.5

    def init(self, oracle: Oracle, x0: Any) -> Two:
        return Two(x0, x0, x0)

    def round(self, oracle: Oracle, state: Any) -> Two:
        return Two(state.x - self.eta * full(oracle, state.b), state.x, state.a)


class Shrinking(NamedTuple):
    """Iterate and factor of the step."""

    x: Vector
    s: Any


@dataclass(frozen=True)
class Recursive(Method):
    """Steps that fall like 1/sqrt(t + 1), by a recursion of a float in the state.

    Attributes
    ----------
    eta : float
        Step.
    """

    card = card("recursive")
    eta: Hyper = 0.5

    def init(self, oracle: Oracle, x0: Any) -> Shrinking:
        return Shrinking(x0, 1.0)

    def round(self, oracle: Oracle, state: Any) -> Shrinking:
        after = state.s / (1 + state.s**2) ** 0.5
        return Shrinking(state.x - self.eta * state.s * full(oracle, state.x), after)


class Point(NamedTuple):
    """Iterate."""

    x: Vector


@dataclass(frozen=True)
class Normalised(Method):
    """Steps of length eta, divided by the gradient's norm, which may be 0.

    Attributes
    ----------
    eta : float
        Length of a step.
    """

    card = card("normalised")
    state_type = Point
    eta: Hyper = 0.5

    def round(self, oracle: Oracle, state: Any) -> Point:
        g = full(oracle, state.x)
        return Point(state.x - self.eta * g / oracle.xp.sqrt((g * g).sum(axis=-1, keepdims=True)))


@dataclass(frozen=True)
class Scattered(Normalised):
    """A point that a coin sends far out or in: beyond all numbers after two heads, to 0 after two tails, and 0/0."""

    card = card("scattered")

    def round(self, oracle: Oracle, state: Any) -> Point:
        g = full(oracle, state.x)
        far = oracle.uniform(1, 1) < 0.5
        return Point(state.x / np.abs(g) * np.abs(g) * np.where(far, 1e200, 1e-200))


@dataclass(frozen=True)
class Capped(Method):
    """Steps of length at most eta: linear near the minimum only.

    Attributes
    ----------
    eta : float
        Step.
    """

    card = card("capped")
    state_type = Point
    eta: Hyper = 0.5
    cap: Hyper = 1.0

    def round(self, oracle: Oracle, state: Any) -> Point:
        g = full(oracle, state.x)
        size = oracle.xp.sqrt((g * g).sum(axis=-1, keepdims=True))
        return Point(state.x - self.eta * g * oracle.xp.minimum(1.0, self.cap / oracle.xp.maximum(size, 1e-300)))


@dataclass(frozen=True)
class ZigZag(Scheduled):
    """Two whole steps, two quarter steps, in turn."""

    card = card("zig-zag")

    def factor(self, t: Any) -> float:
        return 1.0 if t % 4 < 2 else 0.25


@dataclass(frozen=True)
class Halving(Scheduled):
    """Steps that are halved every eight rounds, three times."""

    card = card("halving")

    def factor(self, t: Any) -> float:
        return float(0.5 ** min(t // 8, 3))


@dataclass(frozen=True)
class Waving(Scheduled):
    """Steps between a half and a whole one, along a cosine of period six."""

    card = card("waving")

    def factor(self, t: Any) -> float:
        return 0.5 + 0.5 * math.cos(math.pi * t / 6) ** 2


@dataclass(frozen=True)
class Dividing(Scheduled):
    """Steps divided by 1 + 1/(t + 1)."""

    card = card("dividing")

    def factor(self, t: Any) -> float:
        return 1.0 / (1.0 + 1.0 / (t + 1))


@dataclass(frozen=True)
class Holding(Every):
    """A step in the last of every `every` rounds."""

    card = card("holding")
    every: Count = 3

    def factor(self, t: Any) -> float:
        return float(t % self.every == self.every - 1)


@dataclass(frozen=True)
class Approaching(Recursive):
    """Steps that approach the whole one by a recursion of a float."""

    card = card("approaching")

    def round(self, oracle: Oracle, state: Any) -> Shrinking:
        s = state.s if state.s < 1 else 0.5
        return Shrinking(state.x - self.eta * s * full(oracle, state.x), 0.5 * s + 0.5)


@dataclass(frozen=True)
class Tossing(Scheduled):
    """A step where a coin shows heads."""

    card = card("tossing")

    def round(self, oracle: Oracle, state: Any) -> Counted:
        heads = oracle.uniform(1, 1) < 0.5
        return Counted(state.x - self.eta * heads * full(oracle, state.x), state.t + 1)


@dataclass(frozen=True)
class Scaling(Scheduled):
    """Half a step or one and a half, by a coin."""

    card = card("scaling")

    def round(self, oracle: Oracle, state: Any) -> Counted:
        factor = 0.5 + (oracle.uniform(1, 1) < 0.5)
        return Counted(state.x - self.eta * factor * full(oracle, state.x), state.t + 1)


class Gradient(NamedTuple):
    """Iterate, the gradient before it, and rounds done."""

    x: Vector
    g: Vector
    t: Any


@dataclass(frozen=True)
class Blending(Method):
    """Steps along the mean of this gradient and the one before.

    Attributes
    ----------
    eta : float
        Step.
    """

    card = card("blending")
    eta: Hyper = 0.25

    def init(self, oracle: Oracle, x0: Any) -> Gradient:
        return Gradient(x0, 0 * x0, 0)

    def round(self, oracle: Oracle, state: Any) -> Gradient:
        g = full(oracle, state.x)
        before = state.g if state.t else g
        return Gradient(state.x - self.eta * (g + before) / 2, g, state.t + 1)


@dataclass(frozen=True)
class Queueing(Snapshot):
    """Two steps along the gradient at the point before the first of them."""

    card = card("queueing")

    def round(self, oracle: Oracle, state: Any) -> Remembered:
        s = state.x if state.t % 2 == 0 else state.s
        return Remembered(state.x - self.eta * full(oracle, s), s, state.t + 1)


class Flagged(NamedTuple):
    """Iterate, and whether the next round rests."""

    x: Vector
    rests: Any


@dataclass(frozen=True)
class Resting(Scheduled):
    """A step in every second round; whose turn it is stands in an array of truth values."""

    card = card("resting")

    def init(self, oracle: Oracle, x0: Any) -> Flagged:
        return Flagged(x0, np.zeros_like(x0[..., :1], dtype=bool))

    def round(self, oracle: Oracle, state: Any) -> Flagged:
        moved = state.x - self.eta * full(oracle, state.x)
        return Flagged(oracle.xp.where(state.rests, state.x, moved), ~state.rests)


@dataclass(frozen=True)
class Cycling(Scheduled):
    """Steps by a table, whose row is a count of numpy's."""

    card = card("cycling")

    def init(self, oracle: Oracle, x0: Any) -> Counted:
        return Counted(x0, np.int64(0))

    def factor(self, t: Any) -> float:
        return (1.0, 0.5, 0.25, 1.5)[t % 4]
