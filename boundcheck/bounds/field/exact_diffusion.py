"""Exact diffusion on a network with exact gradients, strongly convex: all models' distance from x_star.

With psi_i = x_i - eta grad f_i(x_i), phi_i = psi_i + x_i - (psi_i before), x_i+ = sum_j V_ij phi_j, V = (I + W)/2, a
common start, eta <= 1/L and p the spectral gap of W, mean_i |x_i - x_star|^2 <= (1 - min(eta mu, p/2))^T (delta_x + 2
eta^2 zeta_star^2/p): no heterogeneity stays. K. Yuan, B. Ying, X. Zhao, A. Sayed, "Exact Diffusion for Distributed
Optimization and Learning", arXiv:1702.05122, have the method; Z. Li, W. Shi, M. Yan, arXiv:1704.07807, have a rate of
the same two numbers for one that is the same where all steps are one number.

Derived: with M = (I - W)/2, A its root, w = x - eta grad f(x) and eta A u what is taken off, h = w - eta A u is phi, u+
= u + A h/eta and x+ = (I - M) h. With the values at x_star subtracted, |x+|^2 + eta^2 |u+|^2 = |w|^2 + eta^2 (|u|^2 -
|A u|^2) - <h, M (I - M) h>, where |w|^2 <= (1 - eta mu)|x|^2 and |A u|^2 >= p/2 |u|^2. At the start u = 0, and A u_star
= -grad f_i(x_star).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sympy import Le, Min, Rational

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.bounds.field.normalised import A_STEP
from boundcheck.metrics import Metric
from boundcheck.metrics.measuring import by_rounds, minimiser
from boundcheck.notation import symbols

if TYPE_CHECKING:
    from boundcheck.metrics.measuring import Array, Measurable

T, L, mu, delta_x, zeta_star, eta, gap_W = symbols("T L mu delta_x zeta_star eta gap_W")


def own_distance(problem: Measurable, _method: Any, state: Any) -> Array:
    """Return mean_i |x_i - x_star|^2 of a state, (lanes,)."""
    apart = state.own - minimiser(problem, "own_distance")
    total: Array = (apart**2).sum(axis=(1, 2)) / problem.N
    return total


OWN_DISTANCE = Metric(
    "own_distance",
    "mean_i |x_i - x_star|^2 after the last step",
    by_rounds,
    unit=(0, 2),
    over="end",
    state=own_distance,
    reads=("x_star",),
    axis="mean_i |x_i - x_star|^2",
)
RATE = 1 - Min(eta * mu, gap_W / 2)

STRONG = Bound(
    id="field.exact-diffusion",
    paper="field",
    title="Exact diffusion, strongly convex: the models' distance",
    where="the method of arXiv:1702.05122",
    method="exact-diffusion",
    metric="boundcheck.bounds.field.exact_diffusion:OWN_DISTANCE",
    needs=("L", "mu", "delta_x", "zeta_star"),
    parameters={"gap_W": Rational(1, 2), "eta": 1 / L},
    terms={"start": RATE**T * delta_x, "heterogeneity": RATE**T * 2 * (eta * zeta_star) ** 2 / gap_W},
    trivial=delta_x,
    conditions=(
        A_STEP,
        ONE_STEP,
        FULL,
        Condition("spectral gap", Le(gap_W, 1)),
        Condition("step", Le(eta, 1 / L)),
    ),
    free=("gap_W", "eta"),
    convex=True,
    exact_gradients=True,
    form="proof",
    note="Derived; the constants are those of this proof.",
)
