"""Gradient tracking on a network with exact gradients, smooth: the average gradient at the mean point.

With x_i+ = sum_j W_ij x_j - eta y_i, y_i+ = sum_j W_ij y_j + grad f_i(x_i+) - grad f_i(x_i), a common start, p the
spectral gap of a symmetric W and eta <= p^2/(5 L), the average of |grad f(mean_i x_i)|^2 is at most 2 Delta/(eta T) + p
G_0/(8 T): no heterogeneity stays. P. Di Lorenzo, G. Scutari, "NEXT", arXiv:1602.00591, and A. Nedic, A. Olshevsky, W.
Shi, "DIGing", arXiv:1607.03218, have the method; the constants are those of this proof.

Derived: with A and B the mean squares of x_i and of y_i about their means, A+ <= (1-p) A + eta^2 B/p, B+ <= (1-p) B +
L^2 (8 A + 2 eta^2 B + eta^2 |mean y|^2)/p, since W - I has norm at most 2, and f(mean x) falls by eta/2 (|grad f|^2 +
(1 - L eta)|mean y|^2 - L^2 A); so f + eta L^2 A/p + eta p B/16 falls by eta/2 |grad f|^2.
"""

from __future__ import annotations

from sympy import Le, Rational

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.bounds.field.normalised import A_STEP
from boundcheck.notation import symbols

T, L, G_0, Delta, eta, gap_W = symbols("T L G_0 Delta eta gap_W")

LARGEST = gap_W**2 / (5 * L)

TRACKING = Bound(
    id="field.gradient-tracking",
    paper="field",
    title="Gradient tracking, smooth: the average gradient at the mean point",
    where="the method of arXiv:1607.03218",
    method="gradient-tracking",
    metric="server_gradient",
    needs=("L", "G_0", "Delta"),
    parameters={"gap_W": Rational(1, 2), "eta": LARGEST},
    terms={"gap": 2 * Delta / (eta * T), "start": gap_W * G_0 / (8 * T)},
    trivial=2 * L * Delta,
    conditions=(
        A_STEP,
        ONE_STEP,
        FULL,
        Condition("spectral gap", Le(gap_W, 1)),
        Condition("step", Le(eta, LARGEST)),
    ),
    free=("gap_W", "eta"),
    exact_gradients=True,
    form="proof",
    note="Derived; the constants are those of this proof.",
)
