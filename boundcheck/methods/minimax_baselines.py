"""Baselines of FMGDA: momentum Local SGDA, and SGDA and STORM-GDA on one machine.

A point z = (x, y) is one vector; descent in x and ascent in y are one step with the sign in the step vector.  On one
machine means: every step uses the mean of all clients' gradients.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.methods.base import Card, Factor, Hyper, Method, Oracle, ServerState, Step, Vector
from boundcheck.methods.central import mean_grad, show_at_clients
from boundcheck.methods.minimax import RecursiveState


class ClientDirectionsState(NamedTuple):
    """Server pair and the clients' directions."""

    x: Vector
    """Server pair (lanes, 1, d)."""
    u: Vector
    """Moving averages of the client gradients in both blocks (lanes, N, d)."""


@dataclass(frozen=True, kw_only=True)
class MomentumLocalSGDA(Method[ClientDirectionsState]):
    """Local SGDA with moving averages of gradients as directions.

    Problem: min_x max_y mean_i F_i(x, y).

    **Update**: K times ``x_i <- x_i - alpha eta_x u_i``, ``y_i <- y_i + alpha eta_y v_i``, then at the new pair
    ``u_i <- (1 - bx alpha) u_i + bx alpha g_i^x``, ``v_i <- (1 - by alpha) v_i + by alpha g_i^y``; then the averages of
    x_i, y_i, u_i, v_i.  Uncertain in the source: a momentum quoted there is read as the weight of the old direction.

    References: [1] Sharma, Panda, Joshi, Varshney, arXiv:2203.04850.

    Attributes
    ----------
    eta_x, eta_y : Hyper
        Descent and ascent step.
    alpha : Hyper
        Interpolation of the steps and scale of the weights.
    bx, by : Hyper
        The fresh gradient has weight bx alpha in u and by alpha in v, both at most 1.
    B : int
        Samples of the first directions, which are not averaged.
    """

    eta_x: Step
    eta_y: Step
    alpha: Hyper
    bx: Hyper
    by: Hyper
    B: int = 1

    card = Card(
        "momentum-local-sgda",
        "Momentum Local SGDA",
        "fmgda",
        "baseline of the experiments, rule from the cited work (Sharma et al. 2022)",
        rule="uncertain",
        kind="minimax",
        up="2",
        down="2",
        partial=False,
        needs=("max block",),
        note="B samples to start",
        distinguishes=("alpha", "bx", "by", "K > 1", "T > 1", "different clients"),
        mixes=True,
        cost=1.2,
        client="d",
    )

    def init(self, oracle: Oracle, x0: Vector) -> ClientDirectionsState:
        """Start all clients at x0 with their own B-sample gradients."""
        return ClientDirectionsState(x0, oracle.initial(x0, self.B))

    def round(self, oracle: Oracle, state: ClientDirectionsState) -> ClientDirectionsState:
        """K local steps, then the averages of points and directions."""
        steps = oracle.blockwise(self.alpha * self.eta_x, -self.alpha * self.eta_y)
        weight = oracle.blockwise(self.alpha * self.bx, self.alpha * self.by)

        def step(_: Any, carry: tuple[Vector, Vector]) -> tuple[Vector, Vector]:
            z, u = carry
            oracle.observe(z)
            z = z - steps * u
            return z, (1.0 - weight) * u + weight * oracle.grad(z, oracle.draw())

        z, u = oracle.fori(step, (oracle.to_clients(state.x), state.u))
        return ClientDirectionsState(oracle.mean(z), oracle.to_clients(oracle.mean(u)))


@dataclass(frozen=True, kw_only=True)
class SGDA(Method[ServerState]):
    """Stochastic gradient descent ascent on one machine.

    Problem: min_x max_y mean_i F_i(x, y); the machine holds all clients' data.

    **Update**: K times a round, with the mean g of all clients' gradients, ``x <- x - eta_x g^x`` and
    ``y <- y + eta_y g^y``, both at the old pair (alternating: y sees the new x on the same minibatch).

    References: [1] Lin, Jin, Jordan, arXiv:1906.00331.

    Attributes
    ----------
    eta_x, eta_y : Hyper
        Descent and ascent step.
    alternating : bool
        Take the ascent gradient at the new x.
    """

    eta_x: Step
    eta_y: Step
    alternating: bool = False

    card = Card(
        "sgda",
        "SGDA on one machine",
        "fmgda",
        "baseline of the experiments, rule from the cited work (Lin et al. 2020)",
        rule="cited",
        kind="minimax",
        gradients="K (2K with alternating)",
        up="0",
        down="0",
        partial=False,
        needs=("max block",),
        distinguishes=("eta_x", "eta_y", "alternating"),
        cost=0.9,
    )

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        """K steps along the mean gradient."""
        down, up = oracle.blockwise(self.eta_x, 0.0), oracle.blockwise(0.0, -self.eta_y)

        def step(_: Any, x: Vector) -> Vector:
            batch = oracle.draw()
            g = oracle.mean(oracle.grad(show_at_clients(oracle, x), batch))
            if not self.alternating:
                return x - (down + up) * g
            x = x - down * g
            return x - up * mean_grad(oracle, x, batch)

        return ServerState(oracle.fori(step, state.x))


@dataclass(frozen=True, kw_only=True)
class StormGDA(Method[RecursiveState]):
    """Descent ascent with recursive momentum on one machine (Acc-MDA).

    Problem: min_x max_y mean_i F_i(x, y), strongly concave in y; the machine holds all clients' data.

    **Update**, t = 1, 2, ...: ``x <- x - c_x eta_t u``, ``y <- y + c_y eta_t v``, then on one fresh minibatch
    ``u <- g^x(z_new) + (1 - c1 eta_t^2) (u - g^x(z_old))`` and v alike with c2; ``eta_t = h / (m + t)^(1/3)``.

    **Guarantee**: FMGDA Theorem 1 at N = 1, where FMGDA with t_flat <= 5/2 is this method with m = 3/2, c2 = c1.

    References: [1] Huang, Gao, Pei, Huang, arXiv:2008.08170.

    Attributes
    ----------
    c_x, c_y : Hyper
        Multipliers of eta_t in the descent and the ascent step.
    c1, c2 : Hyper
        The recursion weights are c1 eta_t^2 and c2 eta_t^2.
    h, m : Hyper
        The step schedule.
    B : int
        Samples of the first estimator.
    """

    c_x: Factor
    c_y: Factor
    c1: Hyper
    c2: Hyper
    h: Step
    m: Hyper
    B: int = 1

    card = Card(
        "storm-gda",
        "STORM-GDA (Acc-MDA) on one machine",
        "fmgda",
        "baseline of the experiments, rule from the cited work (Huang et al. 2022)",
        rule="cited",
        kind="minimax",
        gradients="2K",
        up="0",
        down="0",
        partial=False,
        needs=("max block", "same sample"),
        note="K samples; B samples to start",
        distinguishes=("c_x", "c_y", "c1", "c2", "T > 1", "noise"),
        mixes=True,
        cost=1.0,
        server="d",
    )

    def init(self, oracle: Oracle, x0: Vector) -> RecursiveState:
        """Start at x0 with the mean of the clients' B-sample gradients."""
        return RecursiveState(x0, oracle.mean(oracle.initial(x0, self.B)), 0)

    def round(self, oracle: Oracle, state: RecursiveState) -> RecursiveState:
        """K steps, each with one minibatch at two points."""
        directions, weights = oracle.blockwise(self.c_x, -self.c_y), oracle.blockwise(self.c1, self.c2)

        def step(k: Any, carry: tuple[Vector, Vector]) -> tuple[Vector, Vector]:
            x, u = carry
            eta = self.h / oracle.xp.cbrt(self.m + (state.t + 1 + k))
            old = oracle.to_clients(x)
            oracle.observe(old, weight=0.5 * self.c_x * eta)
            x = x - eta * (directions * u)
            batch = oracle.draw()
            fresh = mean_grad(oracle, x, batch)
            return x, fresh + (1.0 - weights * (eta * eta)) * (u - oracle.mean(oracle.grad(old, batch)))

        x, u = oracle.fori(step, (state.x, state.u))
        return RecursiveState(x, u, state.t + oracle.K)
