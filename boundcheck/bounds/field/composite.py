"""Proximal gradient descent and FISTA on F = f + h with exact gradients and eta <= 1/L.

* `CONVEX`: F(x_T) - F_star <= delta_F/(2 eta T), f convex. A. Beck, M. Teboulle, "A Fast Iterative
  Shrinkage-Thresholding Algorithm for Linear Inverse Problems", SIAM J. Imaging Sciences 2009, Theorem 3.1 (with eta =
  1/L).
* `FAST`: F(x_T) - F_star <= 2 delta_F/(eta (T+1)^2) for FISTA. Theorem 4.4 there.
  Both known, and derived: F(x+) <= F(z) + (|z - y|^2 - |z - x+|^2)/(2 eta) for a step from y and every z; at z = x_F it
  telescopes, F falls, and for FISTA the sums at z = x and z = x_F with weights t - 1 and 1 telescope, t_k >= (k+1)/2.
* `SMOOTH`: at eta = 1/L the average of the squared gradient mapping is at most 2 L Delta_F/T, f smooth and not convex.
  Derived: F falls by L/2 |x+ - x|^2, which is the squared mapping over 2 L. S. Ghadimi, G. Lan, H. Zhang, Mathematical
  Programming 2016, equation (14) in its deterministic form, up to notation.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Le

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.bounds.field.normalised import A_STEP
from boundcheck.notation import symbols

T, L, eta, delta_F, Delta_F = symbols("T L eta delta_F Delta_F")

CONVEX = Bound(
    id="field.ista",
    example="lasso",
    paper="field",
    title="Proximal gradient descent, convex: the last value of F",
    where="Beck, Teboulle 2009, Theorem 3.1",
    method="proximal-sgd",
    metric="final_composite",
    needs=("L", "delta_F", "Delta_F"),
    parameters={"eta": 1 / L},
    terms={"start": delta_F / (2 * eta * T)},
    trivial=Delta_F,
    conditions=(ONE_STEP, FULL, A_STEP, Condition("step", Le(eta, 1 / L))),
    free=("eta",),
    convex=True,
    exact_gradients=True,
    note="Derived.",
)
FAST = replace(
    CONVEX,
    id="field.fista",
    title="FISTA, convex: the last value of F",
    where="Beck, Teboulle 2009, Theorem 4.4",
    method="fista",
    terms={"start": 2 * delta_F / (eta * (T + 1) ** 2)},
)
SMOOTH = replace(
    CONVEX,
    id="field.proximal-gradient",
    title="Proximal gradient descent, smooth: the average gradient mapping",
    where="Ghadimi, Lan, Zhang 2016, without noise",
    metric="gradient_mapping",
    needs=("L", "Delta_F"),
    terms={"gap": 2 * L * Delta_F / T},
    trivial=2 * L * Delta_F,
    conditions=(ONE_STEP, FULL),
    free=(),
    rigid=True,
    convex=False,
)
