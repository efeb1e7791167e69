"""FedAvg, strongly convex clients with bounded second moments: no problem on R^d meets its assumptions.

With g = max(8 L/mu, K) and steps 2/(mu (g + t)) after t local steps, E f(x_T) - f_star <= (L/mu)/(g + K T - 1) (2
B/mu + mu g delta_x/2), B = sigma^2/N + 6 L Gamma + 8 (K-1)^2 G_rms^2, Gamma = f_star - mean_i inf f_i. X. Li, K.
Huang, W. Yang, S. Wang, Z. Zhang, "On the Convergence of FedAvg on Non-IID Data", arXiv:1907.02189, Theorem 1.
Compared with a summary of the paper.

Every f_i is mu-strongly convex and E|g_i|^2 <= G_rms^2 at every point: the first makes |grad f_i(x)| >= mu |x - x_i|
grow without limit, which the second rules out (L. Nguyen et al., "SGD and Hogwild! Convergence Without the Bounded
Gradients Assumption", arXiv:1802.03801). `feasibility` says so. As it never applies, its decreasing step is entered
at t = 0 only.
"""

from __future__ import annotations

from sympy import Max

from boundcheck.bounds.bound import Bound
from boundcheck.bounds.common import FULL, VARIANCE
from boundcheck.notation import symbols

N, K, T, L, mu, G_rms, Gamma, delta_x = symbols("N K T L mu G_rms Gamma_star delta_x")

SHIFT = Max(8 * L / mu, K)
RATE = (L / mu) / (SHIFT + K * T - 1)

STRONG = Bound(
    id="field.fedavg-strong",
    paper="field",
    title="FedAvg, strongly convex with bounded second moments: the last value",
    where="arXiv:1907.02189, Theorem 1",
    method="fedavg",
    metric="final_suboptimality",
    needs=("L", "mu", "sigma", "G_rms", "Gamma_star", "delta_x"),
    parameters={"eta": 2 / (mu * SHIFT)},
    terms={
        "noise": RATE * 2 * VARIANCE / (N * mu),
        "heterogeneity": RATE * 12 * L * Gamma / mu,
        "drift": RATE * 16 * (K - 1) ** 2 * G_rms**2 / mu,
        "start": RATE * mu * SHIFT * delta_x / 2,
    },
    trivial=L * delta_x / 2,
    conditions=(FULL,),
    rigid=True,
    note="Compared with a summary of the paper; its assumptions exclude each other on R^d.",
)
