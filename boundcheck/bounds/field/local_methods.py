"""FedAvg and SCAFFOLD with a server step of their own, nonconvex: the average gradient at the server's points.

With local steps eta, server step eta_g, g = eta eta_g K, q = eta K L, s^2 = sigma^2/b, P = (N - S)/(S (N - 1)) and D
the mean of E|y_i - x|^2 over local steps and clients.

* `FEDAVG`: under mean_i |grad f_i|^2 <= G_dis^2 + B_dis^2 |grad f|^2 with 6 q B_dis <= 1, 4 L g <= 1 and 16 L g P
  B_dis^2 <= 1, the average of E|grad f(x_t)|^2 is at most 12/7 (2 Delta/(g T) + 6 q^2 G_dis^2 + 4 L g P G_dis^2 + 3 q^2
  s^2/K + 2 L g s^2/(S K)). S. P. Karimireddy et al., "SCAFFOLD", arXiv:1910.06378, Theorem I, nonconvex case (there up
  to constants).
* `SCAFFOLD`: with option II, zero control variates at the start, all clients, 12 q <= 1 and 4 L g <= 1 it is at most
  28/27 (2 Delta/(g T) + 36/7 q^2 G_0/T + 15 q^2 s^2/K + 2 L g s^2/(N K)), no heterogeneity in it. Theorem III there,
  nonconvex case with all clients (up to constants).

Derived: x+ = x - g G, where G is the mean of sampled gradients, H that of exact ones, E|G - H|^2 = s^2/(S K) by
martingale differences; f falls by g/2 (|grad f|^2 + (1 - 2 L g)|H|^2 - L^2 D) - L g^2 (s^2/(S K) + P mean_i |h_i|^2),
h_i client i's part of H. One local step multiplies the distance by at most 1 + 1/(K-1) and what L adds, so that over K
- 1 steps e^(1 + 3 q^2) <= 3 does: D <= 3 K^2 eta^2 (G_dis^2 + B_dis^2 |grad f|^2) + 3/2 K eta^2 s^2 for FedAvg, and D
<= 9/2 K^2 eta^2 (C + |grad f|^2) + 3/2 K eta^2 s^2 for SCAFFOLD, C = mean_i E|c_i - grad f_i(x)|^2. A new control
variate is the mean of its client's local gradients, so C+ <= 4 L^2 (D + E|x+ - x|^2) + 2 s^2/K, which the sums absorb.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Le, Min, Rational, sqrt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL, SAMPLING, VARIANCE
from boundcheck.bounds.field.normalised import A_STEP
from boundcheck.notation import symbols

N, S, K, T, L, Delta, eta, eta_g = symbols("N S K T L Delta eta eta_g")
G_dis, B_dis, G_0 = symbols("G_dis B_dis G_0")

STEP = eta * eta_g * K
DRIFT = eta * K * L
SHARE, WHOLE = Rational(12, 7), Rational(28, 27)

FEDAVG = Bound(
    id="field.fedavg-dissimilar",
    paper="field",
    form="proof",
    title="FedAvg with bounded dissimilarity, smooth: the average gradient",
    where="arXiv:1910.06378, Theorem I, nonconvex",
    method="fedavg",
    metric="server_gradient",
    needs=("L", "sigma", "G_dis", "B_dis", "Delta"),
    parameters={
        "eta_g": sqrt(S),
        "eta": Min(
            1 / (6 * K * L * B_dis),
            1 / (4 * K * L * eta_g),
            1 / (16 * K * L * eta_g * B_dis**2),
            sqrt(Delta / (L * T * (VARIANCE / (S * K) + G_dis**2 / S))) / (K * eta_g),
        ),
    },
    terms={
        "gap": SHARE * 2 * Delta / (STEP * T),
        "drift": SHARE * 6 * DRIFT**2 * G_dis**2,
        "participation": SHARE * 4 * L * STEP * SAMPLING * G_dis**2,
        "local noise": SHARE * 3 * DRIFT**2 * VARIANCE / K,
        "noise": SHARE * 2 * L * STEP * VARIANCE / (S * K),
    },
    trivial=2 * L * Delta,
    conditions=(
        A_STEP,
        Condition("local steps", Le(6 * DRIFT * B_dis, 1)),
        Condition("server step", Le(4 * L * STEP, 1)),
        Condition("participation", Le(16 * L * STEP * SAMPLING * B_dis**2, 1)),
    ),
    free=("eta_g", "eta"),
    hyper={"gamma": "eta_g"},
    note="Derived; the constants are those of this proof.",
)
SCAFFOLD = replace(
    FEDAVG,
    id="field.scaffold",
    title="SCAFFOLD, smooth: the average gradient",
    where="arXiv:1910.06378, Theorem III, nonconvex, all clients",
    method="scaffold",
    needs=("L", "sigma", "G_0", "Delta"),
    parameters={
        "eta_g": sqrt(N),
        "eta": Min(1 / (12 * K * L), 1 / (4 * K * L * eta_g), sqrt(Delta * N * K / (L * T * VARIANCE)) / (K * eta_g)),
    },
    terms={
        "gap": WHOLE * 2 * Delta / (STEP * T),
        "start": WHOLE * Rational(36, 7) * DRIFT**2 * G_0 / T,
        "local noise": WHOLE * 15 * DRIFT**2 * VARIANCE / K,
        "noise": WHOLE * 2 * L * STEP * VARIANCE / (N * K),
    },
    conditions=(
        A_STEP,
        Condition("local steps", Le(12 * DRIFT, 1)),
        Condition("server step", Le(4 * L * STEP, 1)),
        FULL,
    ),
    choices={"option": "II", "B": 0},
)
