"""FedAvg for privacy: every update is clipped, and the server adds Gaussian noise."""

from __future__ import annotations

import math
from dataclasses import dataclass

from boundcheck.methods.base import Card, Factor, Hyper, Method, Oracle, Real, ServerState, Step, Vector
from boundcheck.methods.central import square
from boundcheck.methods.local import local_sgd


def gaussians(oracle: Oracle, count: int) -> Vector:
    """Return independent standard Gaussians (lanes, 1, count), by Box and Muller from the method's own coins."""
    xp = oracle.xp
    coins = oracle.uniform(2, 1, count)
    # 1 - u is in (0, 1], so that its logarithm is finite.
    return xp.sqrt(-2.0 * xp.log(1.0 - coins[:, 0])) * xp.cos(2.0 * math.pi * coins[:, 1])


@dataclass(frozen=True, kw_only=True)
class DPFedAvg(Method[ServerState]):
    """FedAvg with clipped updates and noise.

    Problem: minimise f = mean_i f_i; S of N clients a round.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta g_i(y_i)``; ``D_i = (y_i - x) min(1, clip/|y_i - x|)``;
    then ``x <- x + gamma (mean_i D_i + (z clip/S) n)`` with a standard Gaussian n in every coordinate.

    **Guarantee**: `field.dp-sgd` where nothing is clipped, at K = 1.

    References: [1] McMahan, Ramage, Talwar, Zhang, arXiv:1710.06963, Algorithm 1 with equal weights and a fixed number
    of clients a round.

    Attributes
    ----------
    eta : Hyper
        Local step.
    clip : Hyper
        Largest norm of an update, a length.
    z : Hyper
        Standard deviation of the noise in the sum of updates, over clip.
    gamma : Hyper
        Server step.
    """

    eta: Step
    clip: Hyper
    z: Real
    gamma: Factor = 1.0

    card = Card(
        "dp-fedavg",
        "FedAvg with clipping and noise",
        "field",
        "Algorithm 1 of arXiv:1710.06963",
        rule="cited",
        distinguishes=("clip", "z", "gamma"),
    )

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        """Local steps, clipping, and a noisy average."""
        start = oracle.to_clients(state.x)
        moved = local_sgd(oracle, start, self.eta) - start
        short = moved * (self.clip / oracle.xp.maximum(self.clip, oracle.xp.sqrt(square(moved))))
        noise = (self.z * self.clip / oracle.S) * gaussians(oracle, state.x.shape[-1])
        return ServerState(state.x + self.gamma * (oracle.mean(short) + noise))
