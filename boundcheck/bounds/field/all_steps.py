"""FedAvg, SCAFFOLD and FedAvg-M for every K, N, T and every step up to a limit: found by a programme, proved over Q.

*Derived*: the files `fedavg`, `fedavg-sampled`, `scaffold` and `fedavg-m` of the shipped collection are their proofs,
which `boundcheck verify` checks; a test compares the terms here with the files. The suggested step is at most the
limit, and where the descent meets the next term. The functions are L-smooth, noise is independent over the
clients; zeta bounds heterogeneity at the server's iterates, G_0 at the start.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Le, Max, Rational, sqrt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL, VARIANCE, least
from boundcheck.notation import symbols

N, S, K, T, L, b, eta, zeta, sigma, Delta, G_0, mu_PL = symbols("N S K T L b eta zeta sigma Delta G_0 mu_PL")
_LONGEST = 1 / (2 * K * L)
_NOISE = sqrt(10 * Delta * N * b / (9 * K * L * T)) / sigma
"""Step at which the descent and the noise of the mean are least together."""
_DRIFT = (3 * L * Delta / T) ** Rational(1, 3) / zeta ** Rational(2, 3) / (K * L)
"""Step at which the descent and the heterogeneity are."""
_SHORT = Condition("short steps", Le(eta, _LONGEST))

FEDAVG = Bound(
    id="field.fedavg-all",
    certificate="fedavg",
    paper="field",
    title="FedAvg, nonconvex, one theorem for all K and all steps",
    where="no paper: a proof over the rationals",
    method="fedavg",
    metric="server_gradient",
    needs=("L", "Delta", "zeta", "sigma"),
    parameters={"eta": least(_LONGEST, _NOISE, _DRIFT)},
    terms={
        "descent": 2 * Delta / (eta * K * T),
        "heterogeneity": Rational(1, 3) * (eta * K * L) ** 2 * zeta**2,
        "noise of the mean": Rational(9, 5) * eta * L * VARIANCE / N,
        "noise of the clients": Rational(1, 2) * eta**2 * K * L**2 * VARIANCE * (1 - 1 / N),
    },
    trivial=2 * L * Delta,
    conditions=(FULL, _SHORT),
    choices={"gamma": 1.0},
    free=("eta",),
    form="sharpened",
    note="Derived; found by a programme, proved over the rationals: sharpen fedavg --all-K --sigma 1 --zeta 1.",
)
_OF_DRAW = (N - S) / (S * Max(1, N - 1))
"""What a draw of S of N clients leaves of heterogeneity, at most 1/S."""
FEDAVG_SAMPLED = replace(
    FEDAVG,
    id="field.fedavg-sampled-all",
    certificate="fedavg-sampled",
    title="FedAvg on S of N clients, nonconvex, one theorem for all K, S and steps",
    parameters={
        "eta": least(
            _LONGEST,
            sqrt(2 * Delta * S * b / (3 * K * L * T)) / sigma,
            sqrt(3 * Delta * S / (2 * L * T)) / (K * zeta),
        )
    },
    terms={
        "descent": FEDAVG.terms["descent"],
        "heterogeneity": Rational(11, 5) * (eta * K * L) ** 2 * zeta**2
        + Rational(4, 3) * eta * K * L * zeta**2 * _OF_DRAW,
        "noise of the mean": 3 * eta * L * VARIANCE / N,
        "noise of the clients": (Rational(9, 4) * eta**2 * K * L**2 + Rational(4, 3) * eta * L * _OF_DRAW)
        * VARIANCE
        * (1 - 1 / N),
    },
    conditions=(_SHORT,),
    note="Derived; found by a programme, proved over the rationals: sharpen fedavg --all-K --sigma 1 --zeta 1 --S 1.",
)
SCAFFOLD = replace(
    FEDAVG,
    id="field.scaffold-all",
    certificate="scaffold",
    title="SCAFFOLD, nonconvex, one theorem for all K and all steps",
    method="scaffold",
    parameters={"eta": least(_LONGEST, _NOISE)},
    needs=("L", "Delta", "sigma", "G_0"),
    terms={
        "descent": FEDAVG.terms["descent"],
        "gradients at the start": Rational(1, 12) * G_0 / T,
        "noise of the mean": Rational(9, 5) * eta * L * VARIANCE / N,
        "noise of the clients": Rational(8, 9) * eta**2 * K * L**2 * VARIANCE * (1 - 1 / N),
    },
    note="Derived; found by a programme, proved over the rationals: sharpen scaffold --all-K --sigma 1 --G-0 1.",
)
FEDAVG_M = replace(
    FEDAVG,
    id="field.fedavg-m-all",
    certificate="fedavg-m",
    title="FedAvg-M at beta = 1/2, gamma = 1/(4L), nonconvex, one theorem for all K and all local steps",
    method="fedavg-m",
    parameters={"eta": _LONGEST, "gamma": 1 / (4 * L)},
    terms={
        "descent": 7 * L * Delta / T,
        "heterogeneity": Rational(1, 11) * (eta * K * L) ** 2 * zeta**2,
        "noise of the mean": Rational(2, 7) * VARIANCE / (K * N),
        "noise of the clients": Rational(1, 7) * eta**2 * K * L**2 * VARIANCE * (1 - 1 / N),
    },
    choices={"beta": 0.5},
    rigid=True,
    note="Derived; found by a programme, proved over the rationals; --set beta=0.5 --set gamma=0.25.",
)
FEDAVG_PL = replace(
    FEDAVG,
    id="field.fedavg-pl",
    certificate="fedavg-pl",
    title="FedAvg, Polyak-Lojasiewicz, one theorem for all K and all steps: the last value",
    metric="final_suboptimality",
    needs=(*FEDAVG.needs, "mu_PL"),
    parameters={"eta": _LONGEST},
    terms={
        "descent": (1 - mu_PL * eta * K) ** T * Delta,
        "heterogeneity": Rational(1, 6) * (eta * K * L) ** 2 * zeta**2 / mu_PL,
        "noise of the mean": eta * L * VARIANCE / (N * mu_PL),
        "noise of the clients": Rational(1, 4) * eta**2 * K * L**2 * VARIANCE * (1 - 1 / N) / mu_PL,
    },
    trivial=Delta,
    note="Derived; found by a programme, proved over the rationals: sharpen fedavg --all-K --pl --sigma 1 --zeta 1.",
)
SCAFFOLD_PL = replace(
    FEDAVG_PL,
    id="field.scaffold-pl",
    certificate="scaffold-pl",
    title="SCAFFOLD, Polyak-Lojasiewicz, one theorem for all K and all steps: the last value",
    method="scaffold",
    needs=(*SCAFFOLD.needs, "mu_PL"),
    terms={
        "descent": FEDAVG_PL.terms["descent"],
        "gradients at the start": (1 - mu_PL * eta * K) ** T * eta * K * G_0 / 12,
        "noise of the mean": FEDAVG_PL.terms["noise of the mean"],
        "noise of the clients": Rational(7, 10) * eta**2 * K * L**2 * VARIANCE * (1 - 1 / N) / mu_PL,
    },
    note="Derived; found by a programme, proved over the rationals: sharpen scaffold --all-K --pl --sigma 1 --G-0 1.",
)
