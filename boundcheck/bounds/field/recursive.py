"""SARAH and STORM, smooth in the mean square: the average gradient over all steps.

Both go x+ = x - eta v, so that f falls by eta/2 (|grad f|^2 - |e|^2 + (1 - L eta)|v|^2), e = v - grad f(x).

* `SARAH`: in rounds of K steps with an exact gradient each, and eta <= 2/(L_rms (1 + sqrt(1 + 4 (K-1)/(N b)))), the
  average of E|grad f|^2 over all K T points is at most 2 Delta/(eta K T). L. Nguyen, J. Liu, K. Scheinberg, M. Takac,
  "Stochastic Recursive Gradient Algorithm for Nonconvex Optimization", arXiv:1705.07261, Theorem 1 (one round);
  SpiderBoost, arXiv:1810.10690, has many at eta = 1/(2L) and N b >= K. Derived: E|e|^2 is the sum of E|v|^2 L_rms^2
  eta^2/(N b) over the steps of the round so far, and (K-1) of these are covered by 1 - L eta.
* `STORM`: with weight beta of the fresh gradient and L_rms eta + 2 (1-beta)^2 L_rms^2 eta^2/(N b beta) <= 1 it is at
  most 2 Delta/(eta K T) + sigma^2/(N B beta K T) + 2 beta sigma^2/(N b). A. Cutkosky, F. Orabona, "Momentum-Based
  Variance Reduction in Non-Convex SGD", arXiv:1905.10018, with constant in place of adaptive parameters, as in Q.
  Tran-Dinh et al., arXiv:1905.05920. Derived: E|e+|^2 <= (1-beta)|e|^2 + 2 (1-beta)^2 L_rms^2 eta^2 |v|^2/(N b) + 2
  beta^2 sigma^2/(N b), and f + eta/(2 beta) |e|^2 falls.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Integer, Le, Lt, Min, Rational, ceiling, sqrt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.bounds.field.normalised import A_STEP, STEPS
from boundcheck.notation import symbols

N, K, T, b, B = symbols("N K T b B")
L, L_rms, sigma, Delta, eta, beta = symbols("L L_rms sigma Delta eta beta")

LARGEST = 2 / (L_rms * (1 + sqrt(1 + 4 * (K - 1) / (N * b))))

SARAH = Bound(
    id="field.sarah",
    paper="field",
    form="proof",
    title="SARAH, smooth in the mean square: the average gradient of all steps",
    where="arXiv:1705.07261, Theorem 1, repeated",
    method="sarah",
    metric="local_gradient",
    needs=("L", "L_rms", "Delta"),
    parameters={"eta": LARGEST},
    terms={"gap": 2 * Delta / (eta * STEPS)},
    trivial=2 * L * Delta,
    conditions=(A_STEP, Condition("step", Le(eta, LARGEST)), FULL),
    free=("eta",),
    choices={"batch": 0},
    note="Derived.",
)
STORM = replace(
    SARAH,
    id="field.storm",
    title="STORM with constant parameters, smooth in the mean square: the average gradient of all steps",
    where="arXiv:1905.10018, with constant parameters",
    method="storm",
    needs=("L", "L_rms", "sigma", "Delta"),
    parameters={
        "beta": Min(1, (L_rms * Delta * sqrt(N * b) / (sigma**2 * STEPS)) ** Rational(2, 3)),
        "eta": Min(1, sqrt(N * b * beta)) / (2 * L_rms),
        "B": ceiling(b / (beta**2 * STEPS)),
    },
    terms={
        "gap": 2 * Delta / (eta * STEPS),
        "start": sigma**2 / (N * B * beta * STEPS),
        "noise": 2 * beta * sigma**2 / (N * b),
    },
    conditions=(
        A_STEP,
        Condition("some momentum", Lt(0, beta, evaluate=False)),
        Condition("weight", Le(beta, Integer(1))),
        Condition("step", Le(L_rms * eta + 2 * (1 - beta) ** 2 * (L_rms * eta) ** 2 / (N * b * beta), 1)),
        FULL,
    ),
    free=("beta", "eta", "B"),
    choices={},
    hyper={"a": "beta"},
)
