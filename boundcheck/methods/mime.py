"""Mime and MimeLite: clients imitate a central momentum method whose statistics only the server refreshes.

The base optimiser is damped momentum SGD or, in the MVR forms, STORM.  Statistics are exact gradients at server
points, never displacements, and are frozen during a round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.methods.base import Card, Factor, Method, Oracle, Step, Vector, Weight
from boundcheck.methods.local import mean_model
from boundcheck.methods.momentum_vr import PreviousState


class MimeState(NamedTuple):
    """Server iterate and the momentum that clients apply."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    s: Vector
    """Momentum of the exact gradients at server points (lanes, 1, d)."""


def keep_gradient(oracle: Oracle, g: Vector, start: Vector, c: Vector, batch: Any) -> Vector:
    """Return the local gradient g as it is (the Lite forms)."""
    return g


def correct_gradient(oracle: Oracle, g: Vector, start: Vector, c: Vector, batch: Any) -> Vector:
    """Return ``g - g_i(x) + c``, the local gradient g corrected on its own minibatch at the server iterate."""
    return g - oracle.grad(start, batch) + c


@dataclass(frozen=True, kw_only=True)
class MimeLite(Method[MimeState]):
    """MimeLite with momentum SGD as base optimiser.

    Problem: minimise f = mean_i f_i; S of N clients a round.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta ((1-beta) g_i(y_i) + beta s)`` with s frozen; then
    ``s <- (1-beta) mean_i grad f_i(x) + beta s`` and ``x <- x + gamma (mean_i y_i - x)``.  s starts at 0.

    **Guarantee**: none in the papers under audit; at beta = 0 it is FedAvg.

    References: [1] Karimireddy et al., arXiv:2008.03606.

    Attributes
    ----------
    eta : Hyper
        Local step.
    beta : Hyper
        Weight of the old momentum.
    gamma : Hyper
        Server step on the averaged displacement.
    """

    eta: Step
    beta: Weight = 0.9
    gamma: Factor = 1.0

    state_type = MimeState
    _local = staticmethod(keep_gradient)

    card = Card(
        "mimelite",
        "MimeLite (momentum SGD)",
        "fedglomo",
        "rule from the cited work (Karimireddy et al. 2020)",
        rule="confirmed",
        gradients="K + 1 full",
        up="2",
        down="2",
        needs=("exact gradients",),
        distinguishes=("beta", "gamma", "K > 1", "T > 1"),
        mixes=True,
        cost=1.4,
        server="d",
    )

    def round(self, oracle: Oracle, state: MimeState) -> MimeState:
        """K local steps with frozen momentum, then the exact momentum step."""
        x, s = state
        start = oracle.to_clients(x)
        c = oracle.mean(oracle.full(start))
        common, momentum = oracle.to_clients(c) if self._local is correct_gradient else c, oracle.to_clients(s)

        def step(_: Any, y: Vector) -> Vector:
            oracle.observe(y)
            batch = oracle.draw()
            h = self._local(oracle, oracle.grad(y, batch), start, common, batch)
            return y - self.eta * ((1.0 - self.beta) * h + self.beta * momentum)

        y = oracle.fori(step, start)
        return MimeState(x + self.gamma * (mean_model(oracle, x, y) - x), (1.0 - self.beta) * c + self.beta * s)


@dataclass(frozen=True, kw_only=True)
class Mime(MimeLite):
    """Mime with momentum SGD as base optimiser (MimeSGDm; MimeSGD at beta = 0).

    Problem: minimise f = mean_i f_i; S of N clients a round.

    **Update**: with ``c = mean_i grad f_i(x)`` sent first, from ``y_i = x``, K times on one minibatch at both points
    ``h = g_i(y_i) - g_i(x) + c``, ``y_i <- y_i - eta ((1-beta) h + beta s)`` with s frozen; then
    ``s <- (1-beta) c + beta s`` and ``x <- x + gamma (mean_i y_i - x)``.  s starts at 0.

    References: [1] Karimireddy et al., arXiv:2008.03606.
    """

    _local = staticmethod(correct_gradient)

    card = Card(
        "mime",
        "Mime (momentum SGD)",
        "fedglomo",
        "rule from the cited work (Karimireddy et al. 2020)",
        rule="confirmed",
        gradients="2K + 1 full",
        up="2",
        down="3",
        needs=("exact gradients", "same sample"),
        note="two exchanges a round",
        distinguishes=("beta", "gamma", "K > 1", "T > 1", "noise", "different clients"),
        mixes=True,
        cost=1.0,
        server="d",
    )


@dataclass(frozen=True, kw_only=True)
class MimeLiteMVR(Method[PreviousState]):
    """MimeLite with momentum-based variance reduction.

    Problem: minimise f = mean_i f_i; S of N clients a round.

    **Update**: from ``y_i = x``, K times on one minibatch at both points
    ``y_i <- y_i - eta (a g_i(y_i) + (1-a) (m + g_i(y_i) - g_i(x_prev)))``; then
    ``m <- a mean_i grad f_i(x) + (1-a) (m + mean_i (grad f_i(x) - grad f_i(x_prev)))``, ``x_prev <- x`` and
    ``x <- x + gamma (mean_i y_i - x)``.  At the start x_prev = x_0 and m = 0; x_prev as the local reference point is
    the reading in which the direction is unbiased at y_i = x.

    **Guarantee**: none in the papers under audit; at a = 1 it is FedAvg.

    References: [1] Karimireddy et al., arXiv:2008.03606, the MVR form.

    Attributes
    ----------
    eta : Hyper
        Local step.
    a : Hyper
        Weight of the fresh gradient.
    gamma : Hyper
        Server step on the averaged displacement.
    """

    eta: Step
    a: Weight
    gamma: Factor = 1.0

    _local = staticmethod(keep_gradient)

    card = Card(
        "mimelite-mvr",
        "MimeLiteMVR",
        "momentum-fl",
        "rule from the cited work (Karimireddy et al. 2020)",
        rule="uncertain",
        gradients="2K + 2 full",
        up="2",
        down="3",
        needs=("exact gradients", "same sample"),
        distinguishes=("a", "gamma", "K > 1", "T > 1", "noise"),
        mixes=True,
        cost=1.1,
        server="2 d",
    )

    def init(self, oracle: Oracle, x0: Vector) -> PreviousState:
        """Start at x0 with zero momentum."""
        return PreviousState(x0, x0, 0.0 * x0)

    def round(self, oracle: Oracle, state: PreviousState) -> PreviousState:
        """K local steps that correct the frozen momentum, then its refresh from exact gradients."""
        x, previous, m = state
        old = 1.0 - self.a
        start, at = oracle.to_clients(x), oracle.to_clients(previous)
        # Without a correction one message holds what m needs of both exact gradients.
        now = oracle.mean(oracle.full(start))
        before = oracle.mean(oracle.full(at), free=self._local is keep_gradient)
        common, momentum = oracle.to_clients(now) if self._local is correct_gradient else now, oracle.to_clients(m)

        def step(_: Any, y: Vector) -> Vector:
            oracle.observe(y)
            batch = oracle.draw()
            g = oracle.grad(y, batch)
            h = self._local(oracle, g, start, common, batch)
            return y - self.eta * (self.a * h + old * (momentum + g - oracle.grad(at, batch)))

        y = oracle.fori(step, start)
        m = self.a * now + old * (now - before + m)
        return PreviousState(x + self.gamma * (mean_model(oracle, x, y) - x), x, m)


@dataclass(frozen=True, kw_only=True)
class MimeMVR(MimeLiteMVR):
    """Mime with momentum-based variance reduction.

    Problem: minimise f = mean_i f_i; S of N clients a round.

    **Update**: with ``c = mean_i grad f_i(x)`` sent first, from ``y_i = x``, K times on one minibatch at three points
    ``y_i <- y_i - eta (a (g_i(y_i) - g_i(x) + c) + (1-a) (m + g_i(y_i) - g_i(x_prev)))``; then
    ``m <- a c + (1-a) (m + mean_i (grad f_i(x) - grad f_i(x_prev)))``, ``x_prev <- x`` and
    ``x <- x + gamma (mean_i y_i - x)``.  At the start x_prev = x_0 and m = 0; x_prev as the local reference point is
    the reading in which the direction is unbiased at y_i = x.

    **Guarantee**: none in the papers under audit; at a = 1 it is Mime at beta = 0.

    References: [1] Karimireddy et al., arXiv:2008.03606, the MVR form.
    """

    _local = staticmethod(correct_gradient)

    card = Card(
        "mime-mvr",
        "MimeMVR",
        "momentum-fl",
        "rule from the cited work (Karimireddy et al. 2020)",
        rule="uncertain",
        gradients="3K + 2 full",
        up="3",
        down="4",
        needs=("exact gradients", "same sample"),
        note="two exchanges a round; 2d floats up if x_prev had the same active clients",
        distinguishes=("a", "gamma", "K > 1", "T > 1", "noise", "different clients"),
        mixes=True,
        cost=1.1,
        server="2 d",
    )
