"""Clients with weights p_i: FedNova, FedAvg on clients drawn by their weights, and SGD with some of the clients.

f = sum_i p_i f_i, s^2 = sigma^2/b, q = eta K L, and D the mean (by weights, over the local steps) of E|y_i - x|^2.

* `NOVA`: client i makes K_i steps, K_few <= K_i <= K, and x+ = x - eta t sum_i p_i (mean of its gradients), t =
sum_i p_i K_i.
  With 6 q <= 1 and 2 L eta K <= 1 the average of E|grad f(x_t)|^2 is at most 12/11 (2 Delta/(eta K_few T) + 3 K
  (K-1) eta^2 L^2 zeta^2 + 3/2 (K-1) eta^2 L^2 s^2 + 2 L eta K s^2 p_square/K_few), p_square = sum_i p_i^2, zeta^2 >=
  sum_i p_i |grad f_i - grad f|^2.  J. Wang, Q. Liu, H. Liang, G. Joshi, H. V. Poor, "Tackling the Objective
  Inconsistency Problem in Heterogeneous Federated Optimization", arXiv:2007.07481, Theorem 3, up to constants.
* `DRAWN`: FedAvg in which n = S_draw clients of a round are drawn with replacement by their weights, and averaged
plainly.
  With 6 q B_dis <= 1, 4 L g <= 1 and 16 L g B_dis^2 <= n, g = eta K, it is at most 12/7 (2 Delta/(g T) + 6 q^2
  G_dis^2 + 4 L g G_dis^2/n + 3 q^2 s^2/K + 2 L g s^2 (1/n + (1 - 1/n) p_square)/K).  X. Li, K. Huang, W. Yang, S.
  Wang, Z. Zhang, "On the Convergence of FedAvg on Non-IID Data", arXiv:1907.02189, has the scheme (I), for strongly
  convex clients.
* `SAMPLED`: x+ = x - eta (N/S) sum_i p_i g_i over S of N clients, drawn uniformly without replacement.
  With q = (N - S)/(S (N - 1)), w = N sqrt(p_square) and eta L (1 + q (w - 1)) <= 1 it is at most 2 Delta/(eta T) +
  eta L (q w zeta^2 + N p_square s^2/S).  The scheme (II) of arXiv:1907.02189 draws clients so.  It adds N/S p_i times
  their models, which is no average unless the p_i are equal, as its theorem asks; here their steps are added.

Derived: as `field.fedavg-dissimilar`, every mean over clients taken with the weights.  NOVA: sum_i p_i^2 s^2/K_i <= s^2
p_square/K_few by martingale differences, D <= 3 K (K-1) eta^2 sum_i p_i |grad f_i|^2 + 3/2 (K-1) eta^2 s^2, and eta
K_few <= eta t <= eta K.  DRAWN: a drawn mean has the variance sum_i p_i |h_i - H|^2/n; of the counts c_i, E sum_i
(c_i/n)^2 = 1/n + (1 - 1/n) p_square, since a client that is drawn twice sends one update, which counts twice.
SAMPLED: the variance of the draw is q (N sum_i p_i^2 |grad f_i|^2 - |grad f|^2), where N p_i <= w.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Integer, Le, Min, Rational, sqrt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL, SAMPLING, VARIANCE
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.bounds.field.local_methods import DRIFT, SHARE
from boundcheck.bounds.field.normalised import A_STEP
from boundcheck.notation import symbols

N, S, K, T, L, zeta, Delta, eta = symbols("N S K T L zeta Delta eta")
K_few, S_draw, p_square, G_dis, B_dis = symbols("K_few S_draw p_square G_dis B_dis")

FACTOR = Rational(12, 11)

NOVA = Bound(
    id="field.fednova",
    paper="field",
    form="proof",
    title="FedNova, weights and local steps of every client's own, smooth: the average gradient",
    where="arXiv:2007.07481, Theorem 3",
    method="fednova",
    metric="server_gradient",
    needs=("L", "sigma", "zeta", "p_square", "Delta"),
    parameters={
        "K_few": Integer(1),
        "eta": Min(1 / (6 * K * L), sqrt(Delta / (L * T * K * VARIANCE * p_square))),
    },
    terms={
        "gap": FACTOR * 2 * Delta / (eta * K_few * T),
        "drift": FACTOR * 3 * K * (K - 1) * (eta * L * zeta) ** 2,
        "local noise": FACTOR * Rational(3, 2) * (K - 1) * (eta * L) ** 2 * VARIANCE,
        "noise": FACTOR * 2 * L * eta * K * VARIANCE * p_square / K_few,
    },
    trivial=2 * L * Delta,
    conditions=(
        A_STEP,
        FULL,
        Condition("fewest steps", Le(K_few, K)),
        Condition("local steps", Le(6 * DRIFT, 1)),
    ),
    free=("K_few", "eta"),
    hyper={"fewest": "K_few"},
    weighted=True,
    note="Derived; the constants are those of this proof.",
)
DRAWN = replace(
    NOVA,
    id="field.fedavg-drawn",
    title="FedAvg on clients drawn by their weights, smooth: the average gradient",
    where="the scheme (I) of arXiv:1907.02189",
    method="fedavg-drawn",
    needs=("L", "sigma", "G_dis", "B_dis", "p_square", "Delta"),
    parameters={
        "S_draw": Integer(1),
        "eta": Min(
            1 / (6 * K * L * B_dis),
            1 / (4 * K * L),
            S_draw / (16 * K * L * B_dis**2),
            sqrt(Delta / (L * T * (VARIANCE / K + G_dis**2) / S_draw)) / K,
        ),
    },
    terms={
        "gap": SHARE * 2 * Delta / (eta * K * T),
        "drift": SHARE * 6 * (DRIFT * G_dis) ** 2,
        "sampling": SHARE * 4 * DRIFT * G_dis**2 / S_draw,
        "local noise": SHARE * 3 * DRIFT**2 * VARIANCE / K,
        "noise": SHARE * 2 * L * eta * VARIANCE * (1 / S_draw + (1 - 1 / S_draw) * p_square),
    },
    conditions=(
        A_STEP,
        FULL,
        Condition("no more than there are", Le(S_draw, N)),
        Condition("local steps", Le(6 * DRIFT * B_dis, 1)),
        Condition("server step", Le(4 * DRIFT, 1)),
        Condition("sampling", Le(16 * DRIFT * B_dis**2, S_draw)),
    ),
    free=("S_draw", "eta"),
    hyper={"drawn": "S_draw"},
)
HEAVIEST = N * sqrt(p_square)
"""At least N p_i for every client."""
LARGEST = 1 / (L * (1 + SAMPLING * (HEAVIEST - 1)))
VARIANCES = SAMPLING * HEAVIEST * zeta**2 + N * p_square * VARIANCE / S
"""What the draw of clients and their noises add to |grad f|^2."""
SAMPLED = replace(
    NOVA,
    id="field.sgd-weighted",
    title="SGD with S of N clients that have weights, smooth: the average gradient",
    where="the scheme (II) of arXiv:1907.02189, one local step",
    method="fedavg",
    parameters={"eta": Min(LARGEST, sqrt(2 * Delta / (L * T * VARIANCES)))},
    terms={
        "gap": 2 * Delta / (eta * T),
        "sampling": eta * L * SAMPLING * HEAVIEST * zeta**2,
        "noise": eta * L * N * p_square * VARIANCE / S,
    },
    conditions=(A_STEP, ONE_STEP, Condition("step", Le(eta, LARGEST))),
    free=("eta",),
    hyper={},
)
