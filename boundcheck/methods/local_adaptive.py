"""Adaptive local steps: Local AdaAlter, local AMSGrad with a shared rate, and the naive local Adam."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.methods.base import Card, Floor, Method, Oracle, Step, Vector, Weight
from boundcheck.methods.local import ema, mean_model, sample_gradients


class AccumulatorState(NamedTuple):
    """What the server broadcasts; each (lanes, 1, d)."""

    x: Vector
    """Server iterate."""
    B2: Vector
    """Averaged sum of squared gradients."""


@dataclass(frozen=True, kw_only=True)
class LocalAdaAlter(Method[AccumulatorState]):
    """Local SGD whose learning-rate vector changes at communications only and is common to the clients.

    Problem: minimise f = mean_i f_i.

    **Update** (elementwise): from ``(y_i, A2_i) = (x, B2)``, for k = 0..K-1: ``g = g_i(y_i)``,
    ``y_i <- y_i - eta g / sqrt(B2 + (k+1) eps^2)``, ``A2_i <- A2_i + g^2``; then x and B2 become the means of y_i and
    A2_i.  B2 starts at b0^2.  The placeholder (k+1) eps^2 is that of the paper; the authors' code has none.

    References: [1] Xie, Koyejo, Gupta, Lin, arXiv:1911.09030.

    Attributes
    ----------
    eta : Hyper
        Local step.
    eps : Hyper
        Stands for a gradient whose square has not been averaged yet; the analysis wants at least their bound.
    b0 : Hyper
        Square root of the initial sum of squares.
    """

    eta: Step
    eps: Floor = 1.0
    b0: Floor = 1.0

    card = Card(
        "local-adaalter",
        "Local AdaAlter",
        "fedlalr",
        "rule from the cited work (Xie et al. 2019)",
        rule="cited",
        up="2",
        down="2",
        distinguishes=("K > 1", "T > 1", "different clients"),
        mixes=True,
        cost=2.0,
        server="d",
    )

    def init(self, oracle: Oracle, x0: Vector) -> AccumulatorState:
        """Start at x0 with B2 = b0^2."""
        return AccumulatorState(x0, 0.0 * x0 + self.b0 * self.b0)

    def round(self, oracle: Oracle, state: AccumulatorState) -> AccumulatorState:
        """K local steps with the frozen denominator, then both averages."""
        B2 = oracle.to_clients(state.B2)

        def step(k: Any, carry: tuple[Vector, Vector]) -> tuple[Vector, Vector]:
            y, A2 = carry
            g = sample_gradients(oracle, y)
            y = y - self.eta * g / oracle.xp.sqrt(B2 + (k + 1) * (self.eps * self.eps))
            return y, A2 + g * g

        y, A2 = oracle.fori(step, (oracle.to_clients(state.x), B2))
        return AccumulatorState(mean_model(oracle, state.x, y), mean_model(oracle, state.B2, A2))


class SharedRateState(NamedTuple):
    """Server iterate and rate, and the moments that the clients keep."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    m: Vector
    """First moments (lanes, N, d)."""
    v: Vector
    """Second moments (lanes, N, d)."""
    vh: Vector
    """Running maximum of the averaged second moment (lanes, 1, d)."""


@dataclass(frozen=True, kw_only=True)
class LocalAMSGrad(Method[SharedRateState]):
    """Local AMSGrad whose learning-rate vector is shared and refreshed once a round.

    Problem: minimise f = mean_i f_i; all clients in every round.

    **Update** (elementwise): K times ``m_i <- beta1 m_i + (1-beta1) g_i(y_i)``,
    ``v_i <- beta2 v_i + (1-beta2) g_i(y_i)^2``, ``y_i <- y_i - eta m_i / sqrt(vh)``; just before the K-th of these
    ``vh <- max(vh, mean_i v_i)``; then ``x <- mean_i y_i``.  vh starts at eps; m_i, v_i are kept by the clients.
    That the communicating step already uses the new vh is a reading.  Averaging the v_i would change nothing.

    References: [1] Chen, Li, Li, arXiv:2109.05109.

    Attributes
    ----------
    eta : Hyper
        Local step.
    beta1, beta2 : Hyper
        Weights of the old first and second moment.
    eps : Hyper
        Initial vh, hence a squared scale; never added to a denominator.
    """

    eta: Step
    eps: Floor
    beta1: Weight = 0.9
    beta2: Weight = 0.999

    card = Card(
        "local-amsgrad",
        "Local AMSGrad, shared rate",
        "fedlalr",
        "rule from the cited work (Chen, Li, Li 2021)",
        rule="uncertain",
        up="2",
        down="2",
        partial=False,
        distinguishes=("beta1", "beta2", "K > 1", "T > 1", "different clients"),
        mixes=True,
        cost=2.4,
        client="2 d",
        server="d",
    )

    def init(self, oracle: Oracle, x0: Vector) -> SharedRateState:
        """Start at x0 with the clients' moments zero and vh = eps."""
        none = oracle.to_all(0.0 * x0)
        return SharedRateState(x0, none, none, 0.0 * x0 + self.eps)

    def round(self, oracle: Oracle, state: SharedRateState) -> SharedRateState:
        """K - 1 local steps at the old rate, one at the new rate, then the average."""
        x, m, v, vh = state
        xp = oracle.xp

        def moments(y: Vector, m: Vector, v: Vector) -> tuple[Vector, Vector]:
            g = sample_gradients(oracle, y)
            return ema(self.beta1, m, g), ema(self.beta2, v, g * g)

        def step(_: Any, carry: tuple[Vector, ...]) -> tuple[Vector, ...]:
            y, m, v = carry
            m, v = moments(y, m, v)
            return y - self.eta * m / xp.sqrt(rate), m, v

        y, rate = oracle.to_clients(x), oracle.to_clients(vh, free=True)
        y, m, v = oracle.fori(step, (y, m, v), oracle.K - 1)
        m, v = moments(y, m, v)
        vh = xp.maximum(vh, oracle.mean(v))
        y = y - self.eta * m / xp.sqrt(oracle.to_clients(vh))
        return SharedRateState(oracle.mean(y), m, v, vh)


class OwnMomentsState(NamedTuple):
    """Server iterate, and the moments that the clients keep."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    m: Vector
    """First moments (lanes, N, d)."""
    v: Vector
    """Second moments (lanes, N, d)."""
    vh: Vector
    """What the steps are divided by, squared (lanes, N, d)."""


@dataclass(frozen=True, kw_only=True)
class LocalAdam(Method[OwnMomentsState]):
    """Adam or AMSGrad on every client for itself; only the iterates are averaged.

    Problem: minimise f = mean_i f_i.

    **Update** (elementwise): from ``y_i = x``, K times ``m_i <- beta1 m_i + (1-beta1) g_i(y_i)``,
    ``v_i <- beta2 v_i + (1-beta2) g_i(y_i)^2``, ``vh_i <- v_i`` (AMSGrad: ``max(vh_i, v_i)``),
    ``y_i <- y_i - eta m_i / (sqrt(vh_i) + eps)``; then ``x <- mean_i y_i``.  No bias correction.

    **Guarantee**: none; it stalls where sum_i grad f_i / sqrt(vh_i) = 0 and not where sum_i grad f_i = 0.

    References: [1] Chen, Li, Li, arXiv:2109.05109, the naive baseline.

    Attributes
    ----------
    eta : Hyper
        Local step.
    beta1, beta2 : Hyper
        Weights of the old first and second moment.
    eps : Hyper
        Added to the root.
    amsgrad : bool
        Divide by the running maximum of the second moment.
    reset : bool
        Forget all moments at the start of a round.
    """

    eta: Step
    eps: Floor
    beta1: Weight = 0.9
    beta2: Weight = 0.999
    amsgrad: bool = False
    reset: bool = False

    card = Card(
        "local-adam",
        "Naive local Adam and AMSGrad",
        "fedlalr",
        "rule from the cited work (Chen, Li, Li 2021, the counterexample)",
        rule="cited",
        distinguishes=("beta1", "beta2", "K > 1", "different clients"),
        mixes=True,
        cost=2.4,
        client="3 d",
    )

    def init(self, oracle: Oracle, x0: Vector) -> OwnMomentsState:
        """Start at x0 with all moments zero."""
        none = oracle.to_all(0.0 * x0)
        return OwnMomentsState(x0, none, none, none)

    def round(self, oracle: Oracle, state: OwnMomentsState) -> OwnMomentsState:
        """K adaptive steps on every active client, then the average of the iterates."""
        xp, y = oracle.xp, oracle.to_clients(state.x)
        m, v, vh = (0.0 * y if self.reset else oracle.active(memory) for memory in state[1:])

        def step(_: Any, carry: tuple[Vector, ...]) -> tuple[Vector, ...]:
            y, m, v, vh = carry
            g = sample_gradients(oracle, y)
            m, v = ema(self.beta1, m, g), ema(self.beta2, v, g * g)
            vh = xp.maximum(vh, v) if self.amsgrad else v
            return y - self.eta * m / (xp.sqrt(vh) + self.eps), m, v, vh

        y, *moments = oracle.fori(step, (y, m, v, vh))
        fresh = (oracle.remember(old, new) for old, new in zip(state[1:], moments, strict=True))
        return OwnMomentsState(mean_model(oracle, state.x, y), *fresh)
