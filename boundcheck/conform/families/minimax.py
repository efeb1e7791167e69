"""Identities of FMGDA and the other minimax methods."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from boundcheck.conform.checks import law, same_iterates, stays_at_zero
from boundcheck.conform.families.momentum import ALL
from boundcheck.conform.identity import MethodIdentity
from boundcheck.conform.runs.harness import over_clients, use
from boundcheck.conform.runs.small_problems import saddle
from boundcheck.methods.base import Card, Method
from boundcheck.methods.minimax import LocalSGDA

if TYPE_CHECKING:
    from boundcheck.conform.runs.harness import SteppedRound
    from boundcheck.problems.synthetic.ncsc_ridge import RidgeSaddle


_FLAT: dict[str, Any] = {"chat": 0.2, "c_dual": 0.4, "h": 1.0, "t_flat": 1000.0}
"""eta_t = 1/10 as long as t <= 998."""


_STEPS = {"eta_x": 0.1, "eta_y": 0.2}


_RECURSION: dict[str, Any] = {"c1": 0.9, "h": 1.1}


_DOWN, _UP = np.array([1.0, 1.0, 1.0, 0.0, 0.0]), np.array([0.0, 0.0, 0.0, 1.0, 1.0])


_alone = partial(saddle, N=1)


_calm = partial(saddle, sigma=0.0)


def _at_saddle() -> RidgeSaddle:
    problem = saddle(sigma=0.0)
    problem.start = np.zeros(5)
    return problem


def _local_steps(r: SteppedRound) -> list[Any]:
    moved = r.oracle.K * r.gradient
    return [(r.after.x, r.before.x - 0.1 * _DOWN * moved + 0.2 * _UP * moved)]


def _recursion(r: SteppedRound) -> list[Any]:
    """Return, for K = 1, u+ = g(z+) + (1 - c1 eta^2) (mean u - g(z))."""
    new, old = r.seen
    ub, eta = over_clients(r.before.u), 1.1 / np.cbrt(max(r.t + 2.5, 4.0))
    step = (0.2 * _DOWN - 0.4 * _UP) * eta
    return [(r.after.x, r.before.x - step * ub), (r.after.u, new + (1 - 0.9 * eta**2) * (ub - old))]


def _averages(r: SteppedRound) -> list[Any]:
    x, u = r.before.x, over_clients(r.before.u)
    step, weight = 0.6 * (0.2 * _DOWN - 0.4 * _UP), 0.6 * (1.1 * _DOWN + 0.8 * _UP)
    for g in r.seen:
        x = x - step * u
        u = (1 - weight) * u + weight * over_clients(g)
    return [(r.after.x, x), (over_clients(r.after.u), u)]


@dataclass(frozen=True)
class Delayed(Method):
    """Local SGDA with steps .02 and .04 that uses every minibatch one step later."""

    card: ClassVar[Card] = LocalSGDA.card

    def init(self, oracle: Any, x0: Any) -> Any:
        """Draw the minibatch of the first step."""
        return _DelayedState(x0, oracle.draw())

    def round(self, oracle: Any, state: Any) -> Any:
        """Take K steps, each on the minibatch drawn before it."""
        z, batch = oracle.to_clients(state.x), state.batch
        for _ in range(oracle.K):
            z = z - (0.02 * _DOWN - 0.04 * _UP) * oracle.grad(z, batch)
            batch = oracle.draw()
        return _DelayedState(oracle.mean(z), batch)


class _DelayedState(NamedTuple):
    x: Any
    batch: Any


def _make_delayed(K: int) -> Method:
    return Delayed()


def _telescopes(r: SteppedRound) -> list[Any]:
    at = np.repeat(r.after.x, r.oracle.N, axis=1)
    return [(r.after.u, over_clients(r.problem.exact_gradient(at)))]


def _exact_estimate(r: SteppedRound) -> list[Any]:
    at = np.repeat(r.after.x, r.oracle.N, axis=1)
    return [(r.after.g, over_clients(r.problem.exact_gradient(at)))]


def _law_of_normalised_step(r: SteppedRound) -> list[Any]:
    at = np.repeat(r.before.x, r.oracle.N, axis=1)
    u = _DOWN * over_clients(r.problem.exact_gradient(at))
    size = np.linalg.norm(u, axis=-1, keepdims=True)
    return [(r.after.x, r.before.x - np.minimum(10.0, 0.01 / size) * u)]


def _alternates(r: SteppedRound) -> list[Any]:
    first, second = (over_clients(g) for g in r.seen)
    return [(r.after.x, r.before.x - 0.1 * _DOWN * first + 0.2 * _UP * second)]


MINIMAX = (
    MethodIdentity(
        "local-sgda.step",
        "x+ = x - eta_x sum_k mean_i g_i^x, y+ = y + eta_y sum_k mean_i g_i^y",
        law(use("local-sgda", **_STEPS), _local_steps, on=saddle, S=ALL),
    ),
    MethodIdentity(
        "local-sgda.one-client",
        "N = 1: Local SGDA = SGDA",
        same_iterates(use("local-sgda", **_STEPS), use("sgda", **_STEPS), on=_alone, S=ALL),
        also=("sgda",),
    ),
    MethodIdentity(
        "sgda.one-step",
        "K = 1: Local SGDA = SGDA on the mean gradient",
        same_iterates(use("sgda", **_STEPS), use("local-sgda", **_STEPS), on=saddle, K=(1,), S=ALL),
        also=("local-sgda",),
    ),
    MethodIdentity(
        "sgda.alternating",
        "K = 1, alternating: y+ = y + eta_y g^y(x+, y) on the minibatch of x+ = x - eta_x g^x(x, y)",
        law(use("sgda", **_STEPS, alternating=True), _alternates, on=saddle, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "fmgda.weight-1",
        "c1 eta^2 = 1, no noise: FMGDA = Local SGDA(chat eta, c eta)",
        same_iterates(use("fmgda", **_FLAT, c1=100.0), use("local-sgda", eta_x=0.02, eta_y=0.04), on=_calm, S=ALL),
        also=("local-sgda",),
    ),
    MethodIdentity(
        "fmgda.weight-1-shifted",
        "c1 eta^2 = 1: FMGDA = Local SGDA(chat eta, c eta) with every minibatch used one step later",
        same_iterates(use("fmgda", **_FLAT, c1=100.0), _make_delayed, on=saddle, S=ALL),
    ),
    MethodIdentity(
        "fmgda.recursion",
        "K = 1: z+ = z - eta_t (chat, -c) mean_i u_i, u_i+ = g_i(z+) + (1 - c1 eta_t^2) (mean_i u_i - g_i(z))",
        law(use("fmgda", chat=0.2, c_dual=0.4, t_flat=4.0, **_RECURSION), _recursion, on=saddle, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "fmgda.one-client",
        "N = 1, t_flat <= 5/2: FMGDA = STORM-GDA(m = 3/2, c2 = c1) for every K",
        same_iterates(
            use("fmgda", chat=0.2, c_dual=0.4, t_flat=1.0, **_RECURSION),
            use("storm-gda", c_x=0.2, c_y=0.4, c2=0.9, m=1.5, **_RECURSION),
            on=_alone,
            S=ALL,
        ),
        also=("storm-gda",),
    ),
    MethodIdentity(
        "fmgda.one-step",
        "K = 1, t_flat <= 5/2: FMGDA = STORM-GDA(m = 3/2, c2 = c1) on the mean gradient",
        same_iterates(
            use("fmgda", chat=0.2, c_dual=0.4, t_flat=1.0, **_RECURSION),
            use("storm-gda", c_x=0.2, c_y=0.4, c2=0.9, m=1.5, **_RECURSION),
            on=saddle,
            K=(1,),
            S=ALL,
        ),
        also=("storm-gda",),
    ),
    MethodIdentity(
        "fmgda.start",
        "K = 1: averaging the first estimators changes nothing",
        same_iterates(
            use("fmgda", **_FLAT, c1=30.0, synchronised_start=True),
            use("fmgda", **_FLAT, c1=30.0),
            on=saddle,
            K=(1,),
            S=ALL,
        ),
    ),
    MethodIdentity(
        "storm-gda.unforgotten",
        "c1 = c2 = 0, no noise: u = grad F at the current pair",
        law(use("storm-gda", c_x=0.2, c_y=0.4, c1=0.0, c2=0.0, h=1.0, m=2.0), _telescopes, on=_calm, S=ALL),
    ),
    MethodIdentity(
        "sreda.unforgotten",
        "no noise: (u, v) = grad F at the current pair, whatever the period",
        law(use("sreda", eta=0.2, length=0.1, lam=0.3, period=3), _exact_estimate, on=_calm, S=ALL),
    ),
    MethodIdentity(
        "sreda.length",
        "K = 1: x+ = x - min(eta, length / |u|) u with u the exact gradient, y+ = y",
        law(use("sreda", eta=10.0, length=0.01, lam=0.3), _law_of_normalised_step, on=saddle, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "momentum-local-sgda.averages",
        "averages: z <- z - alpha (eta_x, -eta_y) u, u <- (1 - b alpha) u + b alpha mean_i g_i, b = (bx, by)",
        law(use("momentum-local-sgda", eta_x=0.2, eta_y=0.4, alpha=0.6, bx=1.1, by=0.8), _averages, on=saddle, S=ALL),
    ),
    MethodIdentity(
        "momentum-local-sgda.weight-1",
        "N = 1, b alpha = 1: Local SGDA(alpha eta_x, alpha eta_y) with every minibatch used one step later",
        same_iterates(
            use("momentum-local-sgda", eta_x=0.04, eta_y=0.08, alpha=0.5, bx=2.0, by=2.0),
            _make_delayed,
            on=_alone,
            S=ALL,
        ),
    ),
    MethodIdentity(
        "fmgda.rest",
        "K = 1, no noise: the saddle point does not move",
        stays_at_zero(use("fmgda", **_FLAT, c1=30.0), on=_at_saddle, K=1),
    ),
)
