"""Control variates and gradient tracking: SCAFFOLD, FedGATE, VRL-SGD and LED.

Every client corrects its local gradients by a memory of how they differ from the average.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.errors import require
from boundcheck.methods.base import Card, Factor, Method, Oracle, Step, Vector
from boundcheck.methods.local import local_sgd, mean_model, mean_refreshed, sample_gradients


class ControlState(NamedTuple):
    """Server iterate and control variates."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    c_i: Vector
    """Client control variates (lanes, N, d)."""
    c: Vector
    """Server control variate, the mean of the client ones (lanes, 1, d)."""


@dataclass(frozen=True, kw_only=True)
class Scaffold(Method[ControlState]):
    """SCAFFOLD with either choice of the control variates.

    Problem: minimise f = mean_i f_i; S of N clients a round.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta (g_i(y_i) - c_i + c)``; then ``c_i+ = grad f_i(x)``
    (option I) or ``c_i+ = c_i - c + (x - y_i) / (K eta)`` (option II) on the active clients,
    ``x <- x + gamma (mean_i y_i - x)`` and ``c <- c + (1/N) sum_i (c_i+ - c_i)`` (note 1/N, not 1/S).

    **Guarantee**: option II from B samples is SCAFFOLD-M at beta = 1, gamma_there = gamma eta K: momentum-fl
    Theorem 19.

    References: [1] Karimireddy et al., arXiv:1910.06378, Algorithm 1.

    Attributes
    ----------
    eta : Hyper
        Local step.
    gamma : Hyper
        Server step on the averaged displacement.
    option : {'II', 'I'}
        How the control variates are refreshed.
    B : int
        Samples of the first control variates; 0 starts them at zero.
    """

    eta: Step
    gamma: Factor = 1.0
    option: str = "II"
    B: int = 0

    card = Card(
        "scaffold",
        "SCAFFOLD",
        "momentum-fl",
        "Algorithm 2 with beta = 1 (option II); option I from the cited work (Karimireddy et al. 2020)",
        gradients="K (K + 1 full with option=I)",
        up="2",
        down="2",
        note="with B > 0 every client sends a gradient before the first round",
        distinguishes=("gamma", "S < N", "K > 1", "T > 1", "different clients"),
        mixes=True,
        cost=1.3,
        client="d",
        server="d",
    )

    def __post_init__(self) -> None:
        """Check the one choice that is not a number."""
        require(self.option in {"I", "II"}, "scaffold: option", self.option, "I or II")

    def init(self, oracle: Oracle, x0: Vector) -> ControlState:
        """Start at x0 with control variates at zero, or from B samples on every client."""
        if not self.B:
            return ControlState(x0, oracle.to_all(0.0 * x0), 0.0 * x0)
        c_i = oracle.initial(x0, self.B)
        return ControlState(x0, c_i, oracle.mean_all(c_i))

    def round(self, oracle: Oracle, state: ControlState) -> ControlState:
        """K corrected local steps on every active client, then both server updates."""
        x, c_all, c = state
        c_i = oracle.active(c_all)
        start, common = oracle.to_clients(x), oracle.to_clients(c)
        y = local_sgd(oracle, start, self.eta, lambda _: common - c_i)
        moved = (start - y) * (1.0 / (self.eta * oracle.K))
        fresh = oracle.full(start) if self.option == "I" else c_i - common + moved
        c = mean_refreshed(oracle, c, fresh - c_i)
        return ControlState(x + self.gamma * (mean_model(oracle, x, y) - x), oracle.remember(c_all, fresh), c)


class TrackingState(NamedTuple):
    """Server iterate and the clients' corrections, which sum to zero."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    delta: Vector
    """Corrections of all N clients (lanes, N, d)."""


class Tracking(Method):
    """A method that starts at x0 without corrections."""

    def init(self, oracle: Oracle, x0: Vector) -> TrackingState:
        """Start at x0 with corrections zero."""
        return TrackingState(x0, oracle.to_all(0.0 * x0))


@dataclass(frozen=True, kw_only=True)
class FedGATE(Tracking):
    """Federated averaging with local gradient tracking.

    Problem: minimise f = mean_i f_i.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta (g_i(y_i) - delta_i)``; then with
    ``P_i = (x - y_i) / eta`` and ``P = mean_i P_i``: ``delta_i <- delta_i + (P_i - P) / K`` on the active clients and
    ``x <- x - gamma eta P``.

    **Guarantee**: none in the papers under audit; with all clients it is SCAFFOLD with option II from a zero start.

    References: [1] Haddadpour, Kamani, Mokhtari, Mahdavi, arXiv:2007.01154; S < N as in its code, where
    only the active clients move their corrections.

    Attributes
    ----------
    eta, gamma : Hyper
        Local step, server step on the averaged displacement.
    """

    eta: Step
    gamma: Factor = 1.0

    card = Card(
        "fedgate",
        "FedGATE",
        "momentum-fl",
        "rule from the cited work (Haddadpour et al. 2021)",
        rule="confirmed",
        down="1 (2 with partial participation)",
        note="with S < N mean_i P_i is due at once; d floats of memory a client",
        distinguishes=("gamma", "S < N", "K > 1", "T > 1", "different clients"),
        mixes=True,
        cost=1.2,
        client="d",
    )

    def round(self, oracle: Oracle, state: TrackingState) -> TrackingState:
        """K tracked local steps, then the server step and the corrections."""
        x, memory = state
        delta = oracle.active(memory)
        start = oracle.to_clients(x)
        y = local_sgd(oracle, start, self.eta, lambda _: -delta)
        sent, own = self.messages(oracle, (start - y) * (1.0 / self.eta))
        P = oracle.mean(sent)
        # All clients read P off the next server iterate; those that are not active then need it now.
        delta = delta + (1.0 / oracle.K) * (own - oracle.to_clients(P, free=oracle.S == oracle.N))
        return TrackingState(x - self.gamma * self.eta * P, oracle.remember(memory, delta))

    def messages(self, oracle: Oracle, P_i: Vector) -> tuple[Vector, Vector]:
        """Return what the clients send for P_i, and what they take as their own part in the corrections."""
        return P_i, P_i


@dataclass(frozen=True, kw_only=True)
class VRLSGD(Tracking):
    """Variance-reduced local SGD.

    Problem: minimise f = mean_i f_i; all clients in every round.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta (g_i(y_i) - delta_i)``; then ``x <- mean_i y_i`` and
    ``delta_i <- delta_i + (x - y_i) / (K eta)`` with the new x.

    **Guarantee**: none in the papers under audit; it is FedGATE at gamma = 1.

    References: [1] Liang, Shen, Liu, Pan, Chen, Cheng, arXiv:1912.12844.

    Attributes
    ----------
    eta : Hyper
        Local step.
    """

    eta: Step

    card = Card(
        "vrl-sgd",
        "VRL-SGD",
        "momentum-fl",
        "rule from the cited work (Liang et al. 2019)",
        rule="confirmed",
        partial=False,
        note="d floats of memory a client",
        distinguishes=("K > 1", "T > 1", "different clients"),
        mixes=True,
        cost=1.2,
        client="d",
    )

    def round(self, oracle: Oracle, state: TrackingState) -> TrackingState:
        """K corrected local steps, the average, and the corrections from the points before averaging."""
        delta = state.delta
        y = local_sgd(oracle, oracle.to_clients(state.x), self.eta, lambda _: -delta)
        x = oracle.mean(y)
        return TrackingState(x, delta + (oracle.to_clients(x, free=True) - y) * (1.0 / (self.eta * oracle.K)))


class DualState(NamedTuple):
    """Server iterate and the clients' dual variables, which sum to zero."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    z: Vector
    """Dual variables of all N clients (lanes, N, d)."""


@dataclass(frozen=True, kw_only=True)
class LED(Method[DualState]):
    """Local exact diffusion over a server (all mixing weights 1/N).

    Problem: minimise f = mean_i f_i; all clients in every round.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta g_i(y_i) - beta z_i``; then ``x <- mean_i y_i`` and
    ``z_i <- z_i + y_i - x`` with the new x.

    **Guarantee**: none in the papers under audit; at beta = 1/K it is VRL-SGD with delta_i = -z_i / (K eta).

    References: [1] Alghunaim, arXiv:2302.00620.

    Attributes
    ----------
    eta : Hyper
        Local step.
    beta : Hyper
        Dual step, in every local step.
    """

    eta: Step
    beta: Factor

    card = Card(
        "led",
        "LED (local exact diffusion)",
        "momentum-fl",
        "rule from the cited work (Alghunaim 2023)",
        rule="confirmed",
        partial=False,
        note="d floats of memory a client",
        distinguishes=("beta", "K > 1", "T > 1", "different clients"),
        mixes=True,
        cost=1.1,
        client="d",
    )

    def init(self, oracle: Oracle, x0: Vector) -> DualState:
        """Start all clients at x0 with zero dual variables."""
        return DualState(x0, oracle.to_all(0.0 * x0))

    def round(self, oracle: Oracle, state: DualState) -> DualState:
        """K primal steps with the frozen dual variable in each, then both averages."""
        shift = self.beta * state.z

        def step(_: Any, y: Vector) -> Vector:
            return y - self.eta * sample_gradients(oracle, y) - shift

        y = oracle.fori(step, oracle.to_clients(state.x))
        x = oracle.mean(y)
        return DualState(x, state.z + y - oracle.to_clients(x, free=True))
