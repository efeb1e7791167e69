"""Delayed SGD, decentralised SGD and EF21 for every delay, mixing matrix and compressor: found, and proved over Q.

*Derived*: files of these names are their proofs, which `boundcheck verify` checks; a test compares the terms here with
the files.  With sigma = 0 the noise terms are 0.  `pl` says that |grad f|^2 >= 2 mu_PL (f - f_star).  Published beside
them: `field.delayed-sgd` and `field.ef21`.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Integer, Le, Lt, Min, Rational, sqrt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL, VARIANCE
from boundcheck.bounds.field.ef21 import LOST, THETA
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.notation import symbols

N, T, L, Delta, sigma, zeta, G_0, eta, gamma, delay, gap_W, k_top, d, mu_PL, q_omega, p_full = symbols(
    "N T L Delta sigma zeta G_0 eta gamma delay gap_W k_top d mu_PL q_omega p_full"
)
_STEP = Condition("a step", Lt(0, eta, evaluate=False))
_BEST = sqrt(5 * Delta * N / (4 * L * T * VARIANCE))
"""Step at which the descent and the noise of the mean are least together, nearly."""

DELAYED = Bound(
    id="field.delayed-sgd-all",
    paper="field",
    title="SGD with a fixed delay, nonconvex, one theorem for all delays and all steps",
    where="no paper: a proof over the rationals",
    method="delayed-sgd",
    metric="server_gradient",
    needs=("L", "Delta", "sigma"),
    parameters={"delay": Integer(4), "eta": Min(1 / (2 * L * delay), _BEST)},
    terms={
        "descent": Rational(11, 6) * Delta / (eta * T),
        "noise of the mean": Rational(16, 11) * eta * L * VARIANCE / N,
    },
    trivial=2 * L * Delta,
    conditions=(
        ONE_STEP,
        FULL,
        _STEP,
        Condition("a delay", Le(1, delay)),
        Condition("short steps", Le(eta, 1 / (2 * L * delay))),
    ),
    free=("delay", "eta"),
    form="sharpened",
    note="Derived; found by a programme, proved over the rationals: sharpen delayed-sgd --all-steps.",
)
DELAYED_PL = replace(
    DELAYED,
    id="field.delayed-sgd-pl",
    title="SGD with a fixed delay, Polyak-Lojasiewicz, one theorem for all delays and all steps",
    metric="final_suboptimality",
    needs=(*DELAYED.needs, "mu_PL"),
    parameters={"delay": Integer(4), "eta": 1 / (8 * L * delay)},
    terms={
        "descent": (1 - mu_PL * eta) ** T * Delta,
        "noise of the mean": Rational(4, 7) * eta * L * VARIANCE / (N * mu_PL),
    },
    trivial=Delta,
    conditions=(*DELAYED.conditions[:-1], Condition("short steps", Le(eta, 1 / (8 * L * delay)))),
    note="Derived; found by a programme, proved over the rationals: sharpen delayed-sgd --all-steps --pl.",
)
DSGD = Bound(
    id="field.dsgd-all",
    paper="field",
    title="Decentralised SGD, nonconvex, one theorem for all mixing matrices and all steps",
    where="no paper: a proof over the rationals",
    method="dsgd",
    metric="server_gradient",
    needs=("L", "Delta", "sigma", "zeta"),
    parameters={"gap_W": Rational(1, 4), "eta": Min(gap_W / (2 * L), _BEST)},
    terms={
        "descent": Rational(8, 5) * Delta / (eta * T),
        "heterogeneity": Rational(21, 10) * (eta * L / gap_W) ** 2 * zeta**2,
        "noise of the mean": Rational(13, 16) * eta * L * VARIANCE / N,
        "noise of the clients": Rational(7, 5) * (eta * L) ** 2 / gap_W * VARIANCE * (1 - 1 / N),
    },
    trivial=2 * L * Delta,
    conditions=(
        ONE_STEP,
        FULL,
        _STEP,
        Condition("spectral gap", Le(gap_W, 1)),
        Condition("short steps", Le(eta, gap_W / (2 * L))),
    ),
    free=("gap_W", "eta"),
    form="sharpened",
    note="Derived; found by a programme, proved over the rationals: sharpen dsgd --all-steps.",
)
DSGD_PL = replace(
    DSGD,
    id="field.dsgd-pl",
    title="Decentralised SGD, Polyak-Lojasiewicz, one theorem for all mixing matrices and all steps",
    metric="final_suboptimality",
    needs=(*DSGD.needs, "mu_PL"),
    parameters={"gap_W": Rational(1, 4), "eta": gap_W / (2 * L)},
    terms={
        "descent": (1 - mu_PL * eta) ** T * Delta,
        "heterogeneity": Rational(10, 3) * (eta * L / gap_W) ** 2 * zeta**2 / mu_PL,
        "noise of the mean": Rational(26, 51) * eta * L * VARIANCE / (N * mu_PL),
        "noise of the clients": Rational(15, 11) * (eta * L) ** 2 / gap_W * VARIANCE * (1 - 1 / N) / mu_PL,
    },
    trivial=Delta,
    note="Derived; found by a programme, proved over the rationals: sharpen dsgd --all-steps --pl.",
)
EF21 = Bound(
    id="field.ef21-all",
    paper="field",
    title="EF21 with top-k, nonconvex, one theorem for all compressors and all steps",
    where="no paper: a proof over the rationals",
    method="ef21",
    metric="server_gradient",
    needs=("L", "Delta", "G_0"),
    parameters={"k_top": Integer(1), "gamma": THETA / (2 * L)},
    terms={
        "descent": Rational(8, 5) * Delta / (gamma * T),
        "error at the start": Rational(11, 9) * LOST * G_0 / (THETA * T),
    },
    trivial=2 * L * Delta,
    conditions=(FULL, Condition("entries", Le(k_top, d)), Condition("short steps", Le(gamma, THETA / (2 * L)))),
    free=("k_top", "gamma"),
    hyper={"k": "k_top"},
    form="sharpened",
    exact_gradients=True,
    note="Derived; found by a programme, proved over the rationals: sharpen ef21 --all-steps.",
)
EF21_PL = replace(
    EF21,
    id="field.ef21-pl",
    title="EF21 with top-k, Polyak-Lojasiewicz, one theorem for all compressors and all steps",
    metric="final_suboptimality",
    needs=(*EF21.needs, "mu_PL"),
    terms={
        "descent": (1 - mu_PL * gamma) ** T * Delta,
        "error at the start": (1 - mu_PL * gamma) ** T * Rational(51, 50) * gamma * LOST * G_0 / THETA,
    },
    trivial=Delta,
    note="Derived; found by a programme, proved over the rationals: sharpen ef21 --all-steps --pl.",
)
_RELATIVE = 1 + sqrt((1 - p_full) * q_omega / (p_full * N))
MARINA = replace(
    EF21,
    id="field.marina-all",
    title="MARINA, nonconvex, one theorem for all compressors, probabilities and steps",
    method="marina",
    needs=("L", "Delta"),
    parameters={"q_omega": Rational(1, 2), "p_full": 1 / (1 + q_omega), "gamma": 1 / (2 * L * _RELATIVE)},
    terms={"descent": Rational(26, 17) * Delta / (gamma * T)},
    conditions=(
        FULL,
        Condition("probability", Le(p_full, 1)),
        Condition("short steps", Le(gamma, 1 / (2 * L * _RELATIVE))),
    ),
    free=("q_omega", "p_full", "gamma"),
    hyper={"p": "p_full"},
    note="Derived; found by a programme, proved over the rationals: sharpen marina --all-steps.",
)
