"""SGD with a fixed delay, smooth: the average gradient.

With x_(t+1) = x_t - eta g(x_(t-tau)), tau the delay, and L eta + (L eta tau)^2 <= 1 the average of E|grad f(x_t)|^2 is
at most 2 Delta/(eta T) + L eta s^2 + L^2 eta^2 tau s^2, s^2 = sigma^2/(N b). X. Lian, Y. Huang, Y. Li, J. Liu,
"Asynchronous Parallel Stochastic Gradient for Nonconvex Optimization", arXiv:1506.08272, Theorem 1 at a constant step,
where delays vary up to tau and the last condition and term are twice these. Derived: f falls by eta/2 (|grad f(x_t)|^2
+ (1 - L eta) |grad f(x_(t-tau))|^2 - L^2 |x_t - x_(t-tau)|^2) - L eta^2 s^2/2; the difference is tau steps, whose
noises are independent of their gradients, so that E|x_t - x_(t-tau)|^2 <= eta^2 (tau sum E|grad f|^2 + tau s^2).
"""

from __future__ import annotations

from sympy import Integer, Le, Min, sqrt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.bounds.field.normalised import A_STEP, NOISE
from boundcheck.notation import symbols

T, L, Delta, eta, delay = symbols("T L Delta eta delay")

STALE = Bound(
    id="field.delayed-sgd",
    paper="field",
    title="SGD with a fixed delay, smooth: the average gradient",
    where="arXiv:1506.08272, Theorem 1",
    method="delayed-sgd",
    metric="server_gradient",
    needs=("L", "sigma", "Delta"),
    parameters={
        "delay": Integer(4),
        "eta": Min(1 / (L * (1 + delay)), sqrt(2 * Delta / (L * T)) / NOISE),
    },
    terms={
        "gap": 2 * Delta / (eta * T),
        "noise": L * eta * NOISE**2,
        "delayed noise": (L * eta) ** 2 * delay * NOISE**2,
    },
    trivial=2 * L * Delta,
    conditions=(A_STEP, ONE_STEP, FULL, Condition("step", Le(L * eta + (L * eta * delay) ** 2, 1))),
    free=("delay", "eta"),
    form="proof",
    note="Derived; sharper than the source by a factor of two in the delay.",
)
