"""EF21 with top-k, nonconvex: the average gradient is at most 2 Delta/(gamma T) + E G_0/(theta T).

theta = 1 - sqrt(1-alpha), G_0 the mean squared error of the first g_i, and gamma <= 1/(L (1 + sqrt(1-alpha)/theta)),
for a compressor with |C(v) - v|^2 <= (1-alpha) |v|^2; top-k has alpha = k/d, and g_i = C(grad f_i(x_0)) makes G_0 at
most (1-alpha) mean_i |grad f_i(x_0)|^2. P. Richtarik, I. Sokolov, I. Fatkhullin, "EF21: A New, Simpler,
Theoretically Better, and Practically Faster Error Feedback", arXiv:2106.05203, Theorem 1. Compared with a summary of
the paper; derived: G+ <= (1-theta) G + beta L^2 |x+ - x|^2 with beta = (1-alpha)/theta, and sqrt(beta/theta) =
sqrt(1-alpha)/theta.
"""

from __future__ import annotations

from sympy import Integer, Le, sqrt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.notation import symbols

T, d, L, Delta, G_0, gamma, k_top = symbols("T d L Delta G_0 gamma k_top")

LOST = 1 - k_top / d
"""Share of |v|^2 that a compressed vector may lose."""
THETA = 1 - sqrt(LOST)
LARGEST = 1 / (L * (1 + sqrt(LOST) / THETA))

NONCONVEX = Bound(
    id="field.ef21",
    paper="field",
    title="EF21 with top-k, smooth: the average gradient",
    where="arXiv:2106.05203, Theorem 1",
    method="ef21",
    metric="server_gradient",
    needs=("L", "Delta", "G_0"),
    parameters={"k_top": Integer(1), "gamma": LARGEST},
    terms={"gap": 2 * Delta / (gamma * T), "start": LOST * G_0 / (THETA * T)},
    trivial=2 * L * Delta,
    conditions=(Condition("step", Le(gamma, LARGEST)), Condition("entries", Le(k_top, d)), FULL),
    free=("k_top", "gamma"),
    hyper={"k": "k_top"},
    exact_gradients=True,
    note="Compared with a summary of the paper, and derived.",
)
