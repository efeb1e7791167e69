"""DP-SGD with a threshold that never clips: FedAvg with clipped updates and Gaussian noise, one step a round.

With sampled gradients of norm at most sqrt(d) G_inf, a threshold clip >= eta sqrt(d) G_inf of the updates and noise of
standard deviation z clip/N in every coordinate of the mean update, eta <= 1/L, the average of E|grad f(x_t)|^2 is at
most 2 Delta/(eta T) + L eta sigma^2/(N b) + L d (z clip/N)^2/(eta). H. B. McMahan, D. Ramage, K. Talwar, L. Zhang,
"Learning Differentially Private Recurrent Language Models", arXiv:1710.06963, Algorithm 1 with weights 1/N, has the
method. Derived: the noise is independent of the gradients, so f falls by eta/2 |grad f|^2 - L eta^2 sigma^2/(2 N b) - L
d (z clip/N)^2/2. What the noise is worth in privacy is no matter of this bound.

* `SEVERAL`: with K local steps and clip >= eta K sqrt(d) G_inf it is FedAvg with noise; `field.fedavg-dissimilar` at
eta_g = 1 with
  all clients, and 12/7 L d (z clip/N)^2/(eta K) more, since the noise adds L d (z clip/N)^2/2 to f in a round.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Le, Min, Rational, sqrt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL, VARIANCE
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.bounds.field.local_methods import DRIFT, SHARE
from boundcheck.bounds.field.normalised import A_STEP
from boundcheck.notation import symbols

K, G_dis, B_dis = symbols("K G_dis B_dis")
N, T, d, L, G_inf, Delta, eta, clip_x, z_dp = symbols("N T d L G_inf Delta eta clip_x z_dp")

PRIVATE = Bound(
    id="field.dp-sgd",
    paper="field",
    title="FedAvg with noise for privacy, one step a round, smooth: the average gradient",
    where="the method of arXiv:1710.06963",
    method="dp-fedavg",
    metric="server_gradient",
    needs=("L", "sigma", "G_inf", "Delta"),
    parameters={
        "z_dp": Rational(1, 2),
        "eta": Min(1 / L, sqrt(2 * Delta / (L * T * (VARIANCE / N + d**2 * (z_dp * G_inf / N) ** 2)))),
        "clip_x": eta * sqrt(d) * G_inf,
    },
    terms={
        "gap": 2 * Delta / (eta * T),
        "noise": L * eta * VARIANCE / N,
        "privacy": L * d * (z_dp * clip_x / N) ** 2 / eta,
    },
    trivial=2 * L * Delta,
    conditions=(
        A_STEP,
        ONE_STEP,
        FULL,
        Condition("step", Le(eta, 1 / L)),
        Condition("nothing is clipped", Le(eta * sqrt(d) * G_inf, clip_x)),
    ),
    free=("z_dp", "eta"),
    hyper={"clip": "clip_x", "z": "z_dp"},
    form="proof",
    note="Derived; the constants are those of this proof.",
)
SEVERAL = replace(
    PRIVATE,
    id="field.dp-fedavg",
    title="FedAvg with noise for privacy, several steps a round, smooth: the average gradient",
    needs=("L", "sigma", "G_dis", "B_dis", "G_inf", "Delta"),
    parameters={
        "z_dp": Rational(1, 2),
        "eta": Min(
            1 / (6 * K * L * B_dis),
            1 / (4 * K * L),
            sqrt(2 * Delta / (L * T * (VARIANCE / (N * K) + d**2 * (z_dp * G_inf / N) ** 2))) / K,
        ),
        "clip_x": eta * K * sqrt(d) * G_inf,
    },
    terms={
        "gap": SHARE * 2 * Delta / (eta * K * T),
        "drift": SHARE * 6 * (DRIFT * G_dis) ** 2,
        "local noise": SHARE * 3 * DRIFT**2 * VARIANCE / K,
        "noise": SHARE * 2 * L * eta * VARIANCE / N,
        "privacy": SHARE * L * d * (z_dp * clip_x / N) ** 2 / (eta * K),
    },
    conditions=(
        A_STEP,
        FULL,
        Condition("local steps", Le(6 * DRIFT * B_dis, 1)),
        Condition("server step", Le(4 * DRIFT, 1)),
        Condition("nothing is clipped", Le(eta * K * sqrt(d) * G_inf, clip_x)),
    ),
)
