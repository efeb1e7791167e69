"""Federated descent-ascent: FMGDA with recursive momentum, and Local SGDA.

A point z = (x, y) is one vector; descent in x and ascent in y are one step with the sign in the step vector.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.errors import require
from boundcheck.methods.base import Card, Factor, Hyper, Method, Oracle, ServerState, Step, Vector
from boundcheck.methods.local import sample_gradients


class RecursiveState(NamedTuple):
    """Server pair, the clients' gradient estimators and the local-step counter."""

    x: Vector
    """Server pair (x, y), (lanes, 1, d)."""
    u: Vector
    """Estimators of the client gradients in both blocks (lanes, N, d)."""
    t: int
    """Local steps taken so far."""


@dataclass(frozen=True, kw_only=True)
class FMGDA(Method[RecursiveState]):
    """Federated momentum gradient descent ascent.

    Problem: min_x max_y mean_i F_i(x, y), strongly concave in y; all clients in every round.

    **Update**, t = 1, 2, ...: ``x_i <- x_i - chat eta_t u_i``, ``y_i <- y_i + c_dual eta_t v_i``; every K-th step
    with the averages of x_i, y_i, u_i, v_i instead; then on one fresh minibatch
    ``u_i <- g_i(z_new) + (1 - c1 eta_t^2) (u_i - g_i(z_old))`` and v_i alike, z_old being the client's own point
    before averaging.  ``eta_t = h / max(t + 3/2, t_flat)^(1/3)``.

    **Guarantee**: FMGDA Theorem 1 and Corollary 1.

    References: [1] "On the convergence of federated deep AUC maximization", Algorithm 1.

    Attributes
    ----------
    chat, c_dual : Hyper
        Multipliers of eta_t in the descent and the ascent step.
    c1 : Hyper
        The recursion weight is c1 eta_t^2 in both blocks.
    h, t_flat : Hyper
        The step schedule.
    B : int
        Samples of the first estimator.
    synchronised_start : bool
        Average the first estimators once (the repair of the proof's first block); the paper does not.
    averaged_old : bool
        Take z_old at the averaged pair in communicating steps, which the proof does not cover; the paper does not.
    """

    chat: Factor
    c_dual: Factor
    c1: Hyper
    h: Step
    t_flat: Hyper
    B: int = 1
    synchronised_start: bool = False
    averaged_old: bool = False

    card = Card(
        "fmgda",
        "FMGDA",
        "fmgda",
        "Algorithm 1",
        kind="minimax",
        gradients="2K",
        up="2",
        down="2",
        partial=False,
        needs=("max block", "same sample"),
        note="K samples; B samples to start",
        distinguishes=("chat", "c_dual", "c1", "t_flat", "K > 1", "T > 1", "noise", "different clients"),
        mixes=True,
        cost=1.0,
        client="d",
    )

    def step(self, xp: Any, t: int) -> Hyper:
        """Return eta_t."""
        eta: Hyper = self.h / xp.cbrt(xp.maximum(t + 1.5, self.t_flat))
        return eta

    def estimator(self, oracle: Oracle, eta: Hyper, u: Vector, old: Vector, new: Vector) -> Vector:
        """Return ``g_i(z_new) + (1 - c1 eta^2) (u_i - g_i(z_old))`` on a fresh minibatch."""
        batch = oracle.draw()
        return oracle.grad(new, batch) + (1.0 - self.c1 * eta * eta) * (u - oracle.grad(old, batch))

    def init(self, oracle: Oracle, x0: Vector) -> RecursiveState:
        """Start all clients at x0 with their own B-sample gradients."""
        u = oracle.initial(x0, self.B)
        return RecursiveState(x0, oracle.to_clients(oracle.mean(u)) if self.synchronised_start else u, 0)

    def round(self, oracle: Oracle, state: RecursiveState) -> RecursiveState:
        """K - 1 local steps and one communicating step."""
        directions = oracle.blockwise(self.chat, -self.c_dual)

        def show(z: Vector, t: int) -> Hyper:
            eta = self.step(oracle.xp, t)
            oracle.observe(z, weight=0.5 * self.chat * eta)
            return eta

        def step(k: Any, carry: tuple[Vector, Vector]) -> tuple[Vector, Vector]:
            z, u = carry
            eta = show(z, state.t + 1 + k)
            moved = z - eta * (directions * u)
            return moved, self.estimator(oracle, eta, u, z, moved)

        # x came in the last step of the round before
        z, u = oracle.fori(step, (oracle.to_clients(state.x, free=True), state.u), oracle.K - 1)
        eta = show(z, state.t + oracle.K)
        ub, average = oracle.mean(u), oracle.mean(z)
        x = average - eta * (directions * ub)
        old = oracle.to_clients(average, free=True) if self.averaged_old else z
        u = self.estimator(oracle, eta, oracle.to_clients(ub), old, oracle.to_clients(x))
        return RecursiveState(x, u, state.t + oracle.K)


@dataclass(frozen=True, kw_only=True)
class LocalSGDA(Method[ServerState]):
    """Local stochastic gradient descent ascent.

    Problem: min_x max_y mean_i F_i(x, y).

    **Update**: K times ``x_i <- x_i - eta_x g_i^x``, ``y_i <- y_i + eta_y g_i^y`` (both at the old pair), then average.

    **Guarantee**: none in the five papers; equals FMGDA with recursion weight 1 (the batch shifted by one step).

    References: [1] Sharma, Panda, Joshi, Varshney, arXiv:2203.04850.

    Attributes
    ----------
    eta_x, eta_y : Hyper
        Descent and ascent step.
    """

    eta_x: Step
    eta_y: Step

    card = Card(
        "local-sgda",
        "Local SGDA",
        "fmgda",
        "baseline of the experiments, rule from the cited work (Sharma et al. 2022)",
        rule="cited",
        kind="minimax",
        partial=False,
        needs=("max block",),
        distinguishes=("eta_x", "eta_y", "K > 1", "different clients"),
        mixes=True,
        cost=1.0,
    )

    def __post_init__(self) -> None:
        """Refuse negative steps: the sign of the ascent is built in."""
        steps: Any = self.eta_y.ravel() if hasattr(self.eta_y, "ravel") else self.eta_y
        legal = all(step >= 0 for step in (steps if hasattr(steps, "__iter__") else [steps]))
        require(legal, "local-sgda: eta_y", self.eta_y, "numbers >= 0")

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        """K simultaneous local steps, then the average."""
        directions = oracle.blockwise(self.eta_x, -self.eta_y)

        def step(_: Any, z: Vector) -> Vector:
            return z - directions * sample_gradients(oracle, z)

        return ServerState(oracle.mean(oracle.fori(step, oracle.to_clients(state.x))))
