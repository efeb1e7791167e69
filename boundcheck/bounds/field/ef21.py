"""EF21 with top-k, nonconvex: the average gradient is at most 2 Delta/(gamma T) + E G_0/(theta T).

theta = 1 - sqrt(1-alpha), G_0 the mean squared error of the first g_i, and gamma <= 1/(L (1 + sqrt(1-alpha)/theta)),
for a compressor with |C(v) - v|^2 <= (1-alpha) |v|^2; top-k has alpha = k/d, and g_i = C(grad f_i(x_0)) makes G_0 at
most (1-alpha) mean_i |grad f_i(x_0)|^2. P. Richtarik, I. Sokolov, I. Fatkhullin, "EF21: A New, Simpler,
Theoretically Better, and Practically Faster Error Feedback", arXiv:2106.05203, Theorem 1. Compared with a summary of
the paper; derived: G+ <= (1-theta) G + beta L^2 |x+ - x|^2 with beta = (1-alpha)/theta, and sqrt(beta/theta) =
sqrt(1-alpha)/theta.

* `MOMENTUM`: EF21-SGDM, sampled gradients averaged with weight beta of the fresh one.  With a = 1 - alpha, s^2 =
sigma^2/b and gamma
  <= 1/(L (1 + sqrt(2/beta^2 + 8 a/theta^2))) the average of E|grad f(x_t)|^2 is at most 2 Delta/(gamma T) + 2
  (1/(beta N) + 2 a beta/theta^2) sigma^2/(B T) + 2 s^2 (beta/N + a beta^2 (1 + 2 beta)/theta^2).  I. Fatkhullin, A.
  Tyurin, P. Richtarik, "Momentum Provably Improves Error Feedback!", arXiv:2305.15155, Theorem 3, up to constants.
  Derived: with r = |x+ - x|^2, G, P the means of |g_i - v_i|^2 and |v_i - grad f_i|^2, p = |mean v_i - grad f|^2, G+ <=
  (1-theta) G + (a/theta) beta^2 (2 P + 2 L^2 r + s^2), P+ <= (1-beta) P + L^2 r/beta + beta^2 s^2, p likewise with
  s^2/N; and f + gamma/theta G + gamma/beta p + 2 gamma a beta/theta^2 P falls by gamma/2 |grad f|^2, what the noise
  adds apart.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Integer, Le, Lt, Min, sqrt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL, VARIANCE
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.notation import symbols

T, d, L, Delta, G_0, gamma, k_top = symbols("T d L Delta G_0 gamma k_top")
N, B, sigma, beta = symbols("N B sigma beta")

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

WITH_MOMENTUM = 1 / (L * (1 + sqrt(2 / beta**2 + 8 * LOST / THETA**2)))

MOMENTUM = replace(
    NONCONVEX,
    id="field.ef21-sgdm",
    form="proof",
    title="EF21-SGDM with top-k, smooth: the average gradient",
    where="arXiv:2305.15155, Theorem 3",
    method="ef21-sgdm",
    needs=("L", "sigma", "Delta"),
    parameters={
        "k_top": Integer(1),
        "beta": Min(1, sqrt(L * Delta * N / (VARIANCE * T))),
        "gamma": WITH_MOMENTUM,
        "B": Integer(1),
    },
    terms={
        "gap": 2 * Delta / (gamma * T),
        "start": 2 * (1 / (beta * N) + 2 * LOST * beta / THETA**2) * sigma**2 / (B * T),
        "noise": 2 * VARIANCE * beta / N,
        "compressed noise": 2 * VARIANCE * LOST * beta**2 * (1 + 2 * beta) / THETA**2,
    },
    conditions=(
        Condition("a step", Lt(0, gamma, evaluate=False)),
        Condition("some momentum", Lt(0, beta, evaluate=False)),
        Condition("weight", Le(beta, 1)),
        Condition("step", Le(gamma, WITH_MOMENTUM)),
        Condition("entries", Le(k_top, d)),
        ONE_STEP,
        FULL,
    ),
    free=("k_top", "beta", "gamma", "B"),
    exact_gradients=False,
    note="Derived; the constants are those of this proof.",
)
