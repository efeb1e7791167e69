"""DIANA, strongly convex: the last distance, where quantisers leave no error that stays.

With beta (1 + omega) <= 1, beta the share of a difference that a shift takes, and eta L (1 + 6 omega/N) <= 1, E|x_T -
x_star|^2 <= max(1 - eta mu, 1 - beta/2)^T (delta_x + 4 omega eta^2 zeta_star^2/(beta N)). K. Mishchenko, E. Gorbunov,
M. Takac, P. Richtarik, "Distributed Learning with Compressed Gradient Differences", arXiv:1901.09269; with these
constants E. Gorbunov, F. Hanzely, P. Richtarik, "A Unified Theory of SGD", arXiv:1905.11261, its corollary for DIANA.

Derived: with s^2 = mean_i |h_i - grad f_i(x_star)|^2 and D = f(x) - f_star, which is the mean of the clients' Bregman
distances from x_star, E|g|^2 <= 2 L (1 + 2 omega/N) D + 2 omega s^2/N, and E s+^2 <= (1 - beta) s^2 + 2 beta L D, since
beta (1 + omega) <= 1; so |x - x_star|^2 + 4 omega eta^2 s^2/(beta N) shrinks. At h_i = 0, s = zeta_star.
"""

from __future__ import annotations

from sympy import Le, Max, Rational

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.bounds.field.normalised import A_STEP
from boundcheck.notation import symbols

N, T, L, mu, eta, beta, q_omega, delta_x, zeta_star = symbols("N T L mu eta beta q_omega delta_x zeta_star")

RATE = Max(1 - eta * mu, 1 - beta / 2)
LARGEST = 1 / (L * (1 + 6 * q_omega / N))

STRONG = Bound(
    id="field.diana",
    paper="field",
    title="DIANA, strongly convex: the last distance",
    where="arXiv:1905.11261, the corollary for DIANA",
    method="diana",
    metric="final_distance",
    needs=("L", "mu", "delta_x", "zeta_star"),
    parameters={"q_omega": Rational(1, 2), "beta": 1 / (1 + q_omega), "eta": LARGEST},
    terms={
        "start": RATE**T * delta_x,
        "heterogeneity": RATE**T * 4 * q_omega * (eta * zeta_star) ** 2 / (beta * N),
    },
    trivial=delta_x,
    conditions=(
        A_STEP,
        ONE_STEP,
        FULL,
        Condition("step", Le(eta, LARGEST)),
        Condition("share", Le(beta * (1 + q_omega), 1)),
    ),
    free=("q_omega", "beta", "eta"),
    hyper={"alpha": "beta"},
    convex=True,
    exact_gradients=True,
    note="Derived.",
)
