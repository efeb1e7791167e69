"""Steps whose length does not follow the gradient: normalised momentum, clipping, AdaGrad-Norm.

* `NSGDM`: with x+ = x - eta m/|m| and m an average with weight beta of the fresh gradient, the average over K T steps
  of E|grad f(x)| is at most Delta/(eta K T) + L eta/2 + 2 L eta (1-beta)/beta + 2 s/(beta K T sqrt(B)) + 2 s
  sqrt(beta/(2-beta)), s = sigma/sqrt(N b), the first m on B samples. A. Cutkosky, H. Mehta, "Momentum Improves
  Normalized SGD", arXiv:2002.03305, Theorem 1 (there at one choice of eta and beta, with the constant 29). Derived: f
  falls by eta |grad f| - 2 eta |e| - L eta^2/2 for e = m - grad f, because <grad f, m/|m|> >= |m| - |e|; and e+ =
  (1-beta)(e + grad f(x) - grad f(x+)) + beta n, whose norm is at most (1-beta)^t s/sqrt(B) + s sqrt(beta/(2-beta)) + L
  eta (1-beta)/beta in expectation.
* `CLIPPED`: with exact gradients and eta <= 1/L the least |grad f|^2 of K T points is at most e + (e/clip)^2, e =
  2 Delta/(eta K T). J. Zhang, T. He, S. Sra, A. Jadbabaie, arXiv:1905.11881; A. Koloskova, H. Hendrikx, S. Stich,
  arXiv:2305.01588, Theorem 2.1 up to constants. Derived: clipping is a step eta min(1, clip/|g|) <= 1/L, so f falls by
  eta min(|g|^2, clip |g|)/2; at the least of them either |g|^2 <= e or clip |g| <= e.
* `RELATIVE`: the same with |Hess f| <= L_0 + L_1 |grad f| in the place of smoothness and 2 eta (L_0 + clip L_1) <= 1.
  Theorem 2.1 there, up to constants. Derived: along a step of length r the curvature is at most (L_0 + L_1 |grad f|)
  e^(L_1 r), so that f is below its tangent plus (L_0 + L_1 |grad f|) r^2 (e^u - 1 - u)/u^2, u = L_1 r <= 1/2.
* `ADAGRAD_NORM`: with exact gradients and eps >= eta L the average of |grad f|^2 over K T steps is at most (2 eps
  Delta/eta + 4 Delta^2/eta^2)/(K T). R. Ward, X. Wu, L. Bottou, "AdaGrad stepsizes: sharp convergence over nonconvex
  landscapes", arXiv:1806.01811, Theorem 2.2, first case (for the least gradient). Derived: f falls by eta |g|^2/(2 w),
  w >= eps >= eta L the root after the step, so W = w_T has W - eps <= (W^2 - eps^2)/W <= 2 Delta/eta, and the sum of
  |g|^2 is W^2 - eps^2 <= W 2 Delta/eta.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Integer, Le, Lt, Min, sqrt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.notation import symbols

N, K, T, b, B, L, sigma, Delta = symbols("N K T b B L sigma Delta")
L_0, L_1, eta, beta, eps, clip = symbols("L_0 L_1 eta beta eps clip")

STEPS = K * T
NOISE = sigma / sqrt(N * b)
A_STEP = Condition("a step", Lt(0, eta, evaluate=False))

NSGDM = Bound(
    id="field.nsgdm",
    paper="field",
    form="proof",
    title="Normalised SGD with momentum, smooth: the average norm of the gradient",
    where="arXiv:2002.03305, Theorem 1",
    method="nsgdm",
    metric="gradient_norm",
    needs=("L", "sigma", "Delta"),
    parameters={
        "beta": Min(1, sqrt(L * Delta / STEPS) / NOISE),
        "eta": sqrt(beta * Delta / (L * STEPS)),
        "B": Integer(1),
    },
    terms={
        "gap": Delta / (eta * STEPS),
        "curvature": L * eta / 2,
        "drift": 2 * L * eta * (1 - beta) / beta,
        "start": 2 * sigma / sqrt(N * B) / (beta * STEPS),
        "noise": 2 * NOISE * sqrt(beta / (2 - beta)),
    },
    trivial=sqrt(2 * L * Delta),
    conditions=(
        A_STEP,
        Condition("some momentum", Lt(0, beta, evaluate=False)),
        Condition("weight", Le(beta, 1)),
        FULL,
    ),
    free=("beta", "eta", "B"),
    units={"eta": (0, 1)},
    note="Derived; the constants are smaller than those of the source.",
)
CLIPPED = Bound(
    id="field.clipped-gd",
    paper="field",
    title="Clipped gradient descent, smooth: the least gradient",
    where="arXiv:2305.01588, Theorem 2.1, for L_1 = 0",
    method="clipped-sgd",
    metric="least_local_gradient",
    needs=("L", "Delta"),
    parameters={"eta": 1 / L, "clip": sqrt(L * Delta)},
    terms={"near": 2 * Delta / (eta * STEPS), "far": (2 * Delta / (eta * clip * STEPS)) ** 2},
    trivial=2 * L * Delta,
    conditions=(
        A_STEP,
        Condition("step", Le(eta, 1 / L)),
        Condition("a threshold", Lt(0, clip, evaluate=False)),
        FULL,
    ),
    free=("eta", "clip"),
    exact_gradients=True,
    form="proof",
    note="Derived.",
)
RELATIVE = replace(
    CLIPPED,
    id="field.clipped-l0l1",
    example="cosh",
    title="Clipped gradient descent, curvature that grows with the gradient: the least gradient",
    where="arXiv:2305.01588, Theorem 2.1",
    needs=("L_0", "L_1", "Delta"),
    parameters={"clip": sqrt(L_0 * Delta), "eta": 1 / (2 * (L_0 + clip * L_1))},
    trivial=2 * L_0 * Delta,
    conditions=(
        A_STEP,
        Condition("step", Le(2 * eta * (L_0 + clip * L_1), 1)),
        Condition("a threshold", Lt(0, clip, evaluate=False)),
        FULL,
    ),
)
ADAGRAD_NORM = replace(
    CLIPPED,
    id="field.adagrad-norm",
    title="AdaGrad-Norm, smooth with exact gradients: the average gradient",
    where="arXiv:1806.01811, Theorem 2.2, first case",
    method="adagrad-norm",
    metric="local_gradient",
    parameters={"eta": sqrt(Delta / L), "eps": eta * L},
    terms={"floor": 2 * eps * Delta / (eta * STEPS), "growth": 4 * Delta**2 / (eta**2 * STEPS)},
    conditions=(A_STEP, Condition("floor", Le(eta * L, eps)), FULL),
    free=("eta", "eps"),
    units={"eta": (0, 1)},
    form="printed",
)
