"""Gradient descent with the step 1/L: what is tight for nonconvex, convex, Polyak-Lojasiewicz and strongly convex f.

* `BEST`: min over x_0..x_(T-1) of |grad f|^2 <= 4 L Delta/(3T - 1). H. Abbaszadehpeivasti, E. de Klerk, M. Zamani,
  "The exact worst-case convergence rate of the gradient method with fixed step lengths for L-smooth functions",
  Optimization Letters 2022, Theorem 2 at the step 1/L; they count T + 1 points, which gives 3T + 2. Known; attained
  at T = 1 and compared with computed worst cases at T = 2 and 3.
* `CONVEX`: f(x_T) - f_star <= L delta_x/(4T + 2). Y. Drori, M. Teboulle, "Performance of first-order methods for
  smooth convex minimization", Mathematical Programming 2014, Theorem 3.1 at h = 1. Known; attained by a Huber
  function.
* `PL`: f(x_T) - f_star <= (1 - mu_PL/L)^T Delta. B. Polyak 1963; H. Karimi, J. Nutini, M. Schmidt, ECML 2016,
  Theorem 1. Derived: f(x+) <= f(x) - |grad f(x)|^2/(2L).
* `STRONG`: |x_T - x_star|^2 <= (1 - mu/L)^(2T) delta_x. Derived: I - H/L has its eigenvalues in [0, 1 - mu/L], H the
  average Hessian between x and x_star. Attained by a parabola of curvature mu.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Eq

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.notation import symbols

K, T, L, Delta, delta_x, mu, mu_PL = symbols("K T L Delta delta_x mu mu_PL")

ONE_STEP = Condition("one step a round", Eq(K, 1))

BEST = Bound(
    id="field.gd-best",
    paper="field",
    title="Gradient descent, smooth: the least gradient of T points",
    where="Abbaszadehpeivasti, de Klerk, Zamani 2022, Theorem 2",
    method="sgd",
    metric="best_gradient",
    needs=("L", "Delta"),
    parameters={"eta": 1 / L},
    terms={"gap": 4 * L * Delta / (3 * T - 1)},
    trivial=2 * L * Delta,
    trivial_is_sure=True,
    conditions=(ONE_STEP, FULL),
    rigid=True,
    exact_gradients=True,
    note="Known; attained at T = 1.",
)
CONVEX = replace(
    BEST,
    id="field.gd-convex",
    title="Gradient descent, convex: the last value",
    where="Drori, Teboulle 2014, Theorem 3.1",
    metric="final_suboptimality",
    needs=("L", "delta_x"),
    terms={"start": L * delta_x / (4 * T + 2)},
    trivial=L * delta_x / 2,
    convex=True,
    note="Known; attained by a Huber function.",
)
PL = replace(
    BEST,
    id="field.gd-pl",
    title="Gradient descent, Polyak-Lojasiewicz: the last value",
    where="Karimi, Nutini, Schmidt 2016, Theorem 1",
    metric="final_suboptimality",
    needs=("L", "Delta", "mu_PL"),
    terms={"gap": (1 - mu_PL / L) ** T * Delta},
    trivial=Delta,
    note="Derived from the descent lemma.",
)
STRONG = replace(
    BEST,
    id="field.gd-strong",
    title="Gradient descent, strongly convex: the last distance",
    where="Polyak 1963; Nesterov 2018, section 2.1.5",
    metric="final_distance",
    needs=("L", "mu", "delta_x"),
    terms={"start": (1 - mu / L) ** (2 * T) * delta_x},
    trivial=delta_x,
    note="Derived from the average Hessian; attained by a parabola of curvature mu.",
)
