"""Scaffnew, strongly convex: the Lyapunov value shrinks by 1 - min(eta mu, p^2) a step.

V_t = mean_i |x_i - x_star|^2 + (eta/p)^2 mean_i |h_i - grad f_i(x_star)|^2, E V_T <= (1 - min(eta mu, p^2))^T V_0,
for eta <= 1/L. K. Mishchenko, G. Malinovsky, S. Stich, P. Richtarik, "ProxSkip: Yes! Local Gradient Steps Provably
Lead to Communication Acceleration! Finally!", arXiv:2202.09357, Theorem 3.6 on the consensus problem. Derived: with
the coin averaged, E V+ <= mean_i |w_i - w_i*|^2 + (1 - p^2) (eta/p)^2 mean_i |h_i - h_i*|^2 with w = x - eta grad
f(x), whose distance contracts by 1 - eta mu. At h_i = 0 the start has V_0 = delta_x + (eta/p)^2 zeta_star^2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sympy import Le, Min, Rational

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.metrics import Metric
from boundcheck.metrics.measuring import by_rounds, minimiser
from boundcheck.notation import symbols

if TYPE_CHECKING:
    from boundcheck.metrics.measuring import Array, Measurable

T, L, mu, delta_x, zeta_star, eta, p_full = symbols("T L mu delta_x zeta_star eta p_full")


def lyapunov(problem: Measurable, method: Any, state: Any) -> Array:
    """Return V of a state, (lanes,)."""
    star = minimiser(problem, "lyapunov")
    slopes = problem.exact_gradient(np.broadcast_to(star, (1, problem.N, len(star))))
    apart, errors = state.own - star, state.h - slopes
    weight = np.reshape(method.eta / method.p, -1) ** 2
    total: Array = ((apart**2).sum(axis=(1, 2)) + weight * (errors**2).sum(axis=(1, 2))) / problem.N
    return total


LYAPUNOV = Metric(
    "lyapunov",
    "mean_i |x_i - x_star|^2 + (eta/p)^2 mean_i |h_i - grad f_i(x_star)|^2 after the last step",
    by_rounds,
    unit=(0, 2),
    over="end",
    state=lyapunov,
    reads=("x_star",),
    axis="Lyapunov value",
)
STRONG = Bound(
    id="field.scaffnew",
    paper="field",
    title="Scaffnew, strongly convex: a Lyapunov value",
    where="arXiv:2202.09357, Theorem 3.6",
    method="scaffnew",
    metric="boundcheck.bounds.field.scaffnew:LYAPUNOV",
    needs=("L", "mu", "delta_x", "zeta_star"),
    parameters={"eta": 1 / L, "p_full": Rational(1, 4)},
    terms={
        "start": (1 - Min(eta * mu, p_full**2)) ** T * delta_x,
        "heterogeneity": (1 - Min(eta * mu, p_full**2)) ** T * (eta / p_full) ** 2 * zeta_star**2,
    },
    trivial=delta_x + (eta / p_full) ** 2 * zeta_star**2,
    conditions=(Condition("step", Le(eta, 1 / L)), Condition("probability", Le(p_full, 1)), ONE_STEP, FULL),
    free=("eta", "p_full"),
    hyper={"p": "p_full"},
    exact_gradients=True,
    note="Derived.",
)
