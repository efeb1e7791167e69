"""MARINA, nonconvex: for gamma <= 1/(L (1 + sqrt((1-p) omega/(p N)))) the average gradient is <= 2 Delta/(gamma T).

E. Gorbunov, K. Burlachenko, Z. Li, P. Richtarik, "MARINA: Faster Non-Convex Distributed Learning with Compression",
arXiv:2102.07845, Theorem 2.1. Derived: with R = E|x+ - x|^2 the estimator's error V satisfies V+ <= (1-p) V + (1-p)
omega L^2 R/N, and E f(x+) <= f - gamma |grad f|^2/2 - (1/(2 gamma) - L/2) R + gamma V/2.
"""

from __future__ import annotations

from sympy import Le, Rational, sqrt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.notation import symbols

N, T, L, Delta, gamma, p_full, q_omega = symbols("N T L Delta gamma p_full q_omega")

LARGEST = 1 / (L * (1 + sqrt((1 - p_full) * q_omega / (p_full * N))))

NONCONVEX = Bound(
    id="field.marina",
    paper="field",
    title="MARINA, smooth: the average gradient",
    where="arXiv:2102.07845, Theorem 2.1",
    method="marina",
    metric="server_gradient",
    needs=("L", "Delta"),
    parameters={"q_omega": Rational(1, 2), "p_full": 1 / (1 + q_omega), "gamma": LARGEST},
    terms={"gap": 2 * Delta / (gamma * T)},
    trivial=2 * L * Delta,
    conditions=(
        Condition("step", Le(gamma, LARGEST)),
        Condition("probability", Le(p_full, 1)),
        FULL,
    ),
    free=("q_omega", "p_full", "gamma"),
    hyper={"p": "p_full"},
    exact_gradients=True,
    note="Derived.",
)
