"""Old gradients, smooth: SGD with a fixed delay, and buffers that fill from clients which started at random times.

`STALE`: with x_(t+1) = x_t - eta g(x_(t-tau)), tau the delay, and L eta + (L eta tau)^2 <= 1 the average of E|grad
f(x_t)|^2 is at most 2 Delta/(eta T) + L eta s^2 + L^2 eta^2 tau s^2, s^2 = sigma^2/(N b). X. Lian, Y. Huang, Y. Li, J.
Liu, "Asynchronous Parallel Stochastic Gradient for Nonconvex Optimization", arXiv:1506.08272, Theorem 1 at a constant
step, where delays vary up to tau and the last condition and term are twice these. Derived: f falls by eta/2 (|grad
f(x_t)|^2 + (1 - L eta) |grad f(x_(t-tau))|^2 - L^2 |x_t - x_(t-tau)|^2) - L eta^2 s^2/2; the difference is tau steps,
whose noises are independent of their gradients, so that E|x_t - x_(t-tau)|^2 <= eta^2 (tau sum E|grad f|^2 + tau s^2).

`BUFFERED`: FedBuff, a server step eta_g for every S of N updates that arrive, each of K local steps from the model that
its client got last; with p = S/N and g = eta eta_g K the average of E|grad f(x_t)|^2 is at most 2 Delta/(g T) + 4 (1 -
p)(2 - p)/p^2 (L g G)^2 + (K - 1)(2 K - 1)/3 (L eta G)^2 + L g G^2, G = G_rms. J. Nguyen, K. Malik, H. Zhan, A.
Yousefpour, M. Rabbat, M. Malek, D. Huba, "Federated Learning with Buffered Asynchronous Aggregation", arXiv:2106.06639,
has the method and a bound where delays have a largest value; here arrivals are uniform, and a delay has no limit.
Derived: a server step has the mean -g h, h that of all clients' gradients at their local points, so that f falls by g/2
(|grad f|^2 - |grad f - h|^2) - L g^2 G^2/2; of D = mean_i E|x - x_i|^2, x_i what a client got last, D+ <= (1 - p)(1 +
a) D + (1 - p)(1 + 1/a) g^2 G^2 with a = p/(2 (1 - p)) stays below 2 (1 - p)(2 - p)/p^2 g^2 G^2.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Integer, Le, Lt, Min, cbrt, sqrt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.bounds.field.normalised import A_STEP, NOISE
from boundcheck.notation import symbols

N, S, K, T, L, Delta, G_rms, eta, eta_g, delay = symbols("N S K T L Delta G_rms eta eta_g delay")

SHARE = S / N
STEP = eta * eta_g * K
AGE = (1 - SHARE) * (2 - SHARE) / SHARE**2

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
BUFFERED = replace(
    STALE,
    id="field.fedbuff",
    title="FedBuff, S of N clients arriving at random, smooth with bounded second moments: the average gradient",
    where="the method of arXiv:2106.06639",
    method="fedbuff",
    needs=("L", "G_rms", "Delta"),
    parameters={
        "eta_g": Integer(1),
        "eta": Min(
            sqrt(2 * Delta / (L * T)) / (K * G_rms),
            cbrt(SHARE**2 * Delta / (4 * T * L**2 * G_rms**2)) / K,
        ),
    },
    terms={
        "gap": 2 * Delta / (STEP * T),
        "age": 4 * AGE * (L * STEP * G_rms) ** 2,
        "drift": (K - 1) * (2 * K - 1) * (L * eta * G_rms) ** 2 / 3,
        "steps": L * STEP * G_rms**2,
    },
    conditions=(A_STEP, Condition("a server step", Lt(0, eta_g, evaluate=False)), Condition("clients", Le(S, N))),
    free=("eta_g", "eta"),
    hyper={"gamma": "eta_g"},
    note="Derived, for delays without a limit; the constants are those of this proof.",
)
