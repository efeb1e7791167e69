"""Decentralised gradient descent, convex clients with bounded second moments: f at the average of all points.

With x_i+ = sum_j W_ij x_j - eta g_i from a common start, f at the average of all clients' x_0..x_(T-1) is within
delta_x/(2 eta T) + eta G^2/2 + 2 eta G^2/(1 - lambda_2) of f_star, G = G_rms, 1 - lambda_2 the spectral gap of W.
A. Nedic, A. Ozdaglar, IEEE Trans. Autom. Control 2009, in the form of S. Colla, J. Hendrickx, "Automated Worst-Case
Performance Analysis of Decentralized Gradient Descent", arXiv:2103.14396, Theorem 5 (there eta = 1/sqrt(T) and exact
subgradients). Compared with the authors' code. Derived: <g_i, xbar - x_star> >= f_i(xbar) - f_i(x_star) - 2 G |x_i -
xbar| in expectation, |E g|^2 <= E|g|^2 making f_i Lipschitz with G; the root of mean_i E|x_i - xbar|^2 is at most eta G
(1 + lambda_2 + lambda_2^2 + ...); then Jensen.

* `VARYING`: with another matrix in every round, and a joint gap p over every q rounds in a row, q/p stands for 1/(1 -
  lambda_2): products of m matrices less the mean have norms of at most (1-p)^floor(m/q), whose sum is q/p.  A.
  Nedic, A. Olshevsky, A. Ozdaglar, J. N. Tsitsiklis, "On Distributed Averaging Algorithms and Quantization Effects",
  IEEE Trans. Autom. Control 2009, has graphs that are connected over q rounds together.  Here: pairs on a ring, in
  turn; two projections, whose product less the mean has the norm cos(pi/N) for odd N, where the ring is a path, and
  less for even N.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Integer, Le, Lt, Min, Rational, pi, sin, sqrt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.notation import symbols

gap_joint, q_joint = symbols("gap_joint q_joint")
N, T, G_rms, delta_x, eta, gap_W = symbols("N T G_rms delta_x eta gap_W")
A_STEP = Condition("a step", Lt(0, eta, evaluate=False))

MIXED = Bound(
    id="field.dgd",
    paper="field",
    title="Decentralised gradient descent, convex: the value at the average of all points",
    where="arXiv:2103.14396, Theorem 5",
    method="dsgd",
    metric="centre_suboptimality",
    needs=("G_rms", "delta_x"),
    parameters={"gap_W": Rational(1, 4), "eta": sqrt(delta_x / T) / G_rms},
    terms={
        "start": delta_x / (2 * eta * T),
        "steps": eta * G_rms**2 / 2,
        "disagreement": 2 * eta * G_rms**2 / gap_W,
    },
    trivial=G_rms * sqrt(delta_x),
    conditions=(ONE_STEP, FULL, A_STEP, Condition("spectral gap", Le(gap_W, 1))),
    free=("gap_W", "eta"),
    convex=True,
    independent_noise=False,
    note="Derived; compared with the code of its authors.",
)
RING = replace(
    MIXED,
    id="field.dgd-ring",
    title="Decentralised gradient descent on a ring, convex: the value at the average of all points",
    parameters={**MIXED.parameters, "gap_W": Min(1, 4 * sin(pi / N) ** 2 / 3)},
    conditions=(ONE_STEP, FULL, A_STEP, Condition("a ring", Le(3, N))),
    choices={"graph": "ring"},
    free=("eta",),
    rigid=True,
)
VARYING = replace(
    MIXED,
    id="field.dgd-varying",
    form="proof",
    title="Decentralised gradient descent, changing neighbours, convex: the value at the average of all points",
    where="Nedic, Ozdaglar 2009, with the norm of the products for their bound",
    method="dsgd-varying",
    parameters={
        "q_joint": Integer(2),
        "gap_joint": Min(1, 2 * sin(pi / (2 * N)) ** 2),
        "eta": sqrt(delta_x / T) / G_rms,
    },
    terms={**MIXED.terms, "disagreement": 2 * eta * G_rms**2 * q_joint / gap_joint},
    conditions=(ONE_STEP, FULL, A_STEP),
    choices={"graph": "even+odd"},
    definitions=("q_joint", "gap_joint"),
    free=("eta",),
    rigid=True,
    note="Derived; the constants are those of this proof.",
)
