"""SGD without a bound on the noise everywhere: expected smoothness, noise at the minimiser, strong growth.

The clients' mean gradient g is the oracle. E|g(x) - g(x_star)|^2 <= 2 L_exp (f(x) - f_star) by convexity of the
square, and E|g(x_star)|^2 = sigma_star^2/(N b) = s^2, because the clients' exact gradients there cancel; so E|g(x)|^2
<= 4 L_exp (f(x) - f_star) + 2 s^2.

* `STRONG`: with eta <= 1/(2 L_exp), E|x_T - x_star|^2 <= (1 - eta mu)^T delta_x + 2 eta s^2/mu. R. Gower, N. Loizou, X.
  Qian, A. Sailanbayev, E. Shulgin, P. Richtarik, "SGD: General Analysis and Improved Rates", arXiv:1901.09401, Theorem
  3.1. Derived: |x+ - x_star|^2 has -2 eta (f - f_star) - eta mu |x - x_star|^2 and eta^2 |g|^2.
* `CONVEX`: with eta <= 1/(4 L_exp) f at the average of x_0..x_(T-1) is within delta_x/(eta T) + 2 eta s^2 of f_star.
  Derived: -2 eta (1 - 2 eta L_exp)(f - f_star) is at most -eta (f - f_star). With s = 0 (interpolation) it is 1/T.
* `GROWTH`: with eta = 1/(rho_sg L) the average of E|grad f(x_t)|^2 is at most 2 rho_sg L Delta/T. S. Vaswani, F. Bach,
  M. Schmidt, "Fast and Faster Convergence of SGD for Over-Parameterized Models", arXiv:1810.07288, Theorem 3. Derived:
  f falls by (eta - L eta^2 rho_sg/2)|grad f|^2.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Le, Min, sqrt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.bounds.field.normalised import A_STEP
from boundcheck.notation import symbols

N, T, b, L, L_exp, mu, eta = symbols("N T b L L_exp mu eta")
sigma_star, delta_x, rho_sg, Delta = symbols("sigma_star delta_x rho_sg Delta")

NOISE = sigma_star / sqrt(N * b)

STRONG = Bound(
    id="field.sgd-expected",
    example="parabolas",
    paper="field",
    title="SGD under expected smoothness, strongly convex: the last distance",
    where="arXiv:1901.09401, Theorem 3.1",
    method="sgd",
    metric="final_distance",
    needs=("L_exp", "mu", "sigma_star", "delta_x"),
    parameters={"eta": 1 / (2 * L_exp)},
    terms={"start": (1 - eta * mu) ** T * delta_x, "noise": 2 * eta * NOISE**2 / mu},
    trivial=delta_x,
    conditions=(ONE_STEP, FULL, A_STEP, Condition("step", Le(eta, 1 / (2 * L_exp)))),
    free=("eta",),
    convex=True,
    note="Derived.",
)
CONVEX = replace(
    STRONG,
    id="field.sgd-interpolated",
    title="SGD under expected smoothness, convex: the value at the average point",
    where="arXiv:1901.09401, the convex case of its proof",
    metric="centre_suboptimality",
    needs=("L_exp", "L", "sigma_star", "delta_x"),
    parameters={"eta": Min(1 / (4 * L_exp), sqrt(delta_x / (2 * T)) / NOISE)},
    terms={"start": delta_x / (eta * T), "noise": 2 * eta * NOISE**2},
    trivial=L * delta_x / 2,
    conditions=(ONE_STEP, FULL, A_STEP, Condition("step", Le(eta, 1 / (4 * L_exp)))),
    form="proof",
)
GROWTH = replace(
    STRONG,
    id="field.sgd-growth",
    example="parabolas-shared",
    title="SGD under strong growth, smooth: the average gradient",
    where="arXiv:1810.07288, Theorem 3",
    metric="server_gradient",
    needs=("L", "rho_sg", "Delta"),
    parameters={"eta": 1 / (rho_sg * L)},
    terms={"gap": 2 * rho_sg * L * Delta / T},
    trivial=2 * L * Delta,
    conditions=(ONE_STEP, FULL),
    free=(),
    rigid=True,
    convex=False,
    independent_noise=False,
)
