"""Plain local steps and an adaptive server: FedAdagrad, FedAdam, FedYogi, FedAMS."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.errors import require
from boundcheck.methods.base import Card, Floor, Oracle, Step, Vector, Weight
from boundcheck.methods.composed import Composed
from boundcheck.methods.local import ema, yogi


class ServerMomentsState(NamedTuple):
    """Server iterate and the moments of the averaged displacement; each (lanes, 1, d)."""

    x: Vector
    """Server iterate."""
    m: Vector
    """First moment."""
    v: Vector
    """Second moment."""


@dataclass(frozen=True, kw_only=True)
class FedOpt(Composed):
    """What FedAdagrad, FedAdam and FedYogi share; they differ in the second moment.

    Attributes
    ----------
    gamma : Hyper
        Server step.
    tau : Hyper
        Added to the root; sqrt of the initial second moment.
    beta1 : Hyper
        Weight of the old first moment.
    """

    gamma: Step
    tau: Floor
    beta1: Weight = 0.9

    @abstractmethod
    def second(self, xp: Any, v: Vector, square: Vector) -> Vector:
        """Return the second moment after one more squared displacement."""

    def init(self, oracle: Oracle, x0: Vector) -> ServerMomentsState:
        """Start at x0 with m = 0 and v = tau^2, the least start that the analysis allows."""
        return ServerMomentsState(x0, 0.0 * x0, 0.0 * x0 + self.tau * self.tau)

    def server(self, oracle: Oracle, state: ServerMomentsState, y: Vector) -> ServerMomentsState:
        """Take the adaptive step along the mean displacement."""
        x, m, v = state
        D = y - x
        m = ema(self.beta1, m, D)
        v = self.second(oracle.xp, v, D * D)
        return ServerMomentsState(x + self.gamma * m / (oracle.xp.sqrt(v) + self.tau), m, v)


@dataclass(frozen=True, kw_only=True)
class FedAdagrad(FedOpt):
    """FedOpt with Adagrad on the server.

    Problem: minimise f = mean_i f_i.

    **Update** (elementwise): y_i is x after K steps ``y_i <- y_i - eta g_i(y_i)``; with ``D = mean_i y_i - x``,
    ``m <- beta1 m + (1-beta1) D``, ``v <- v + D^2``, ``x <- x + gamma m / (sqrt(v) + tau)``.  v starts at tau^2.

    **Guarantee**: `field.fedadagrad` for exact gradients of all clients at beta1 = 0.

    References: [1] Reddi et al., arXiv:2003.00295.

    Attributes
    ----------
    beta1 : Hyper
        Weight of the old first moment; 0 is the Adagrad without momentum of most codes.
    """

    beta1: Weight = 0.0

    card = Card(
        "fedadagrad",
        "FedAdagrad",
        "fedlalr",
        "rule from the cited work (Reddi et al. 2020)",
        rule="confirmed",
        distinguishes=("beta1", "T > 1"),
        mixes=True,
        cost=1.0,
        server="2 d",
    )

    def second(self, xp: Any, v: Vector, square: Vector) -> Vector:
        """Add the square."""
        return v + square


@dataclass(frozen=True, kw_only=True)
class FedAdam(FedOpt):
    """FedOpt with Adam on the server, without bias correction.

    Problem: minimise f = mean_i f_i.

    **Update** (elementwise): y_i is x after K steps ``y_i <- y_i - eta g_i(y_i)``; with ``D = mean_i y_i - x``,
    ``m <- beta1 m + (1-beta1) D``, ``v <- beta2 v + (1-beta2) D^2``, ``x <- x + gamma m / (sqrt(v) + tau)``.  v starts
    at tau^2.

    **Guarantee**: `field.fedadam` for exact gradients of all clients at beta1 = 0.

    References: [1] Reddi et al., arXiv:2003.00295.

    Attributes
    ----------
    beta2 : Hyper
        Weight of the old second moment.
    """

    beta2: Weight = 0.99

    card = Card(
        "fedadam",
        "FedAdam",
        "fedlalr",
        "rule from the cited work (Reddi et al. 2020)",
        rule="confirmed",
        distinguishes=("beta1", "beta2", "T > 1"),
        mixes=True,
        cost=1.0,
        server="2 d",
    )

    def second(self, xp: Any, v: Vector, square: Vector) -> Vector:
        """Average the squares."""
        return ema(self.beta2, v, square)


@dataclass(frozen=True, kw_only=True)
class FedYogi(FedAdam):
    """FedOpt with Yogi on the server.

    Problem: minimise f = mean_i f_i.

    **Update** (elementwise): y_i is x after K steps ``y_i <- y_i - eta g_i(y_i)``; with ``D = mean_i y_i - x``,
    ``m <- beta1 m + (1-beta1) D``, ``v <- v - (1-beta2) D^2 sign(v - D^2)``, ``x <- x + gamma m / (sqrt(v) + tau)``.
    v starts at tau^2.

    References: [1] Reddi et al., arXiv:2003.00295.

    Attributes
    ----------
    beta2 : Hyper
        The second moment moves by (1 - beta2) D^2.
    """

    card = Card(
        "fedyogi",
        "FedYogi",
        "fedlalr",
        "rule from the cited work (Reddi et al. 2020)",
        rule="confirmed",
        distinguishes=("beta1", "beta2", "T > 1"),
        mixes=True,
        cost=1.0,
        server="2 d",
    )

    def second(self, xp: Any, v: Vector, square: Vector) -> Vector:
        """Move towards the square."""
        return yogi(xp, self.beta2, v, square)


class ServerAMSState(NamedTuple):
    """Server iterate and the moments of the averaged displacement; each (lanes, 1, d)."""

    x: Vector
    """Server iterate."""
    m: Vector
    """First moment."""
    v: Vector
    """Second moment."""
    vh: Vector
    """Running maximum of the second moment."""


@dataclass(frozen=True, kw_only=True)
class FedAMS(Composed):
    """AMSGrad on the server, without bias correction.

    Problem: minimise f = mean_i f_i.

    **Update** (elementwise): y_i is x after K steps ``y_i <- y_i - eta g_i(y_i)``; with ``D = mean_i y_i - x``,
    ``m <- beta1 m + (1-beta1) D``, ``v <- beta2 v + (1-beta2) D^2``, then version 1: ``vh <- max(vh, v, eps)``,
    ``x <- x + gamma m / sqrt(vh)``; version 2: ``vh <- max(vh, v)``, ``x <- x + gamma m / (sqrt(vh) + eps)``.

    References: [1] Wang, Lin, Chen, arXiv:2205.02719, options 1 and 2.

    Attributes
    ----------
    gamma : Hyper
        Server step.
    beta1, beta2 : Hyper
        Weights of the old first and second moment.
    eps : Hyper
        In version 1 a floor of vh, hence a squared scale; in version 2 added to its root.
    version : {1, 2}
        V1 or V2.
    """

    gamma: Step
    eps: Floor
    beta1: Weight = 0.9
    beta2: Weight = 0.99
    version: int = 1

    state_type = ServerAMSState

    card = Card(
        "fedams",
        "FedAMS V1 and V2",
        "fedlalr",
        "rule from the cited work (Wang, Lin, Chen 2022, options 1 and 2)",
        rule="confirmed",
        distinguishes=("beta1", "beta2", "version", "T > 1"),
        mixes=True,
        cost=1.1,
        server="3 d",
    )

    def __post_init__(self) -> None:
        """Check the one choice that is not a number."""
        require(self.version in {1, 2}, "fedams: version", self.version, "1 or 2")

    def server(self, oracle: Oracle, state: ServerAMSState, y: Vector) -> ServerAMSState:
        """Take the AMSGrad step along the mean displacement."""
        x, m, v, vh = state
        D, xp = y - x, oracle.xp
        m = ema(self.beta1, m, D)
        v = ema(self.beta2, v, D * D)
        vh = xp.maximum(vh, v)
        if self.version == 1:
            vh = xp.maximum(vh, self.eps)
            step = m / xp.sqrt(vh)
        else:
            step = m / (xp.sqrt(vh) + self.eps)
        return ServerAMSState(x + self.gamma * step, m, v, vh)
