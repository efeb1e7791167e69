"""PAGE, nonconvex: with eta <= 1/(L (1 + sqrt((1-p)/(p b)))) the average gradient is at most 2 Delta/(eta T).

Z. Li, H. Bao, X. Zhang, P. Richtarik, "PAGE: A Simple and Optimal Probabilistic Gradient Estimator for Nonconvex
Optimization", arXiv:2008.10895, Theorem 1 (finite sums: exact gradients with probability p, minibatches of b' else).
Derived as for MARINA, with E|mean of (g(x+) - g(x)) - (grad f(x+) - grad f(x))|^2 <= L_rms^2 |x+ - x|^2/(N b):
samples are smooth in the mean square, and those of the N clients together are the minibatch of N b.
"""

from __future__ import annotations

from sympy import Le, Rational, sqrt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.notation import symbols

N, T, b, L, L_rms, Delta, eta, p_full = symbols("N T b L L_rms Delta eta p_full")

LARGEST = 1 / (L_rms * (1 + sqrt((1 - p_full) / (p_full * N * b))))

NONCONVEX = Bound(
    id="field.page",
    paper="field",
    title="PAGE, smooth in the mean square: the average gradient",
    where="arXiv:2008.10895, Theorem 1",
    method="page",
    metric="server_gradient",
    needs=("L", "L_rms", "Delta"),
    parameters={"p_full": Rational(1, 4), "eta": LARGEST},
    terms={"gap": 2 * Delta / (eta * T)},
    trivial=2 * L * Delta,
    conditions=(
        Condition("step", Le(eta, LARGEST)),
        Condition("probability", Le(p_full, 1)),
        FULL,
    ),
    free=("p_full", "eta"),
    hyper={"p": "p_full"},
    note="Derived.",
)
