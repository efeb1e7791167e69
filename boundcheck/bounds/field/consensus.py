"""Clients that solve their own problem in every round: consensus ADMM, and FedDyn with some of the clients.

* `ADMM`, strongly convex: with c = 1/rho and d = max((c L - 1)/(c L + 1), (1 - c mu)/(1 + c mu)), |x_T - x_star|^2 <=
  ((1 + d)/2)^(2 T) (delta_x + c^2 zeta_star^2).  P. Giselsson, S. Boyd, "Linear Convergence and Metric Selection for
  Douglas-Rachford Splitting and ADMM", arXiv:1410.8479, its first theorem at the relaxation 1/2.
* `FEDDYN`, convex: if 4 (L/alpha)^2 + (1 + 4 q) L/alpha <= 1 with q = (N - S)/(S (N - 1)), the average of E f(x_t) -
  f_star, and so f at the average point, is at most alpha/(2 T) (delta_x + k zeta_star^2), k = 2 (L/alpha + q) N/(S
  alpha^2).
  D. A. E. Acar, Y. Zhao, R. Matas, M. Mattina, P. Whatmough, V. Saligrama, "Federated Learning Based on Dynamic
  Regularization", arXiv:2111.04263, whose theorem for convex clients has other constants.

Derived.  ADMM: with w_i = x + u_i a round is w+ = (w + R_f R_a w)/2 of the reflections of all clients' proximal steps
and of the average, in mean squares over the clients; R_f shrinks by d, R_a is an isometry, w_star = x_star - c grad
f_i(x_star), and x is the mean of w.
FEDDYN: let y_i be what client i would find, whether or not it takes part, D = mean_i |grad f_i(y_i) - grad
f_i(x_star)|^2 and C = mean_i |l_i - grad f_i(x_star)|^2.  Then E x+ = x - mean_i grad f_i(y_i)/alpha, e = mean_i |y_i -
x|^2 <= 2 (C + D)/alpha^2, E C+ = (1 - S/N) C + S D/N, E|x+ - x|^2 <= D/alpha^2 + q e, and smoothness of convex
functions gives <mean_i grad f_i(y_i), x - x_star> >= f(x) - f_star + D/(2 L) - L e/2.  So |x - x_star|^2 + k C falls by
2 (f(x) - f_star)/alpha.  At the start l_i = 0, so that C = zeta_star^2.
"""

from __future__ import annotations

from sympy import Le, Max, sqrt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL, SAMPLING
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.notation import symbols

N, S, T, L, mu, delta_x, zeta_star, mu_prox = symbols("N S T L mu delta_x zeta_star mu_prox")

SHRINK = Max((L - mu_prox) / (L + mu_prox), (mu_prox - mu) / (mu_prox + mu))
RATE = ((1 + SHRINK) / 2) ** (2 * T)

ADMM = Bound(
    id="field.admm",
    paper="field",
    title="Consensus ADMM, strongly convex: the last distance",
    where="arXiv:1410.8479, its first theorem",
    method="admm",
    metric="final_distance",
    needs=("L", "mu", "delta_x", "zeta_star"),
    parameters={"mu_prox": sqrt(L * mu)},
    terms={"start": RATE * delta_x, "heterogeneity": RATE * (zeta_star / mu_prox) ** 2},
    trivial=delta_x + (zeta_star / mu_prox) ** 2,
    conditions=(ONE_STEP, FULL),
    free=("mu_prox",),
    hyper={"rho": "mu_prox"},
    convex=True,
    exact_gradients=True,
    note="Derived.",
)

FEDDYN = Bound(
    id="field.feddyn",
    paper="field",
    title="FedDyn with exact minimisers, convex: the average point",
    where="the method of arXiv:2111.04263",
    method="feddyn-exact",
    metric="centre_suboptimality",
    needs=("L", "delta_x", "zeta_star"),
    parameters={"mu_prox": 6 * L},
    terms={
        "start": mu_prox * delta_x / (2 * T),
        "heterogeneity": (L / mu_prox + SAMPLING) * N * zeta_star**2 / (S * mu_prox * T),
    },
    trivial=L * delta_x / 2,
    conditions=(
        ONE_STEP,
        Condition("regulariser", Le(4 * (L / mu_prox) ** 2 + (1 + 4 * SAMPLING) * L / mu_prox, 1)),
    ),
    free=("mu_prox",),
    hyper={"alpha": "mu_prox"},
    convex=True,
    exact_gradients=True,
    form="proof",
    note="Derived; the constants are those of this proof.",
)
