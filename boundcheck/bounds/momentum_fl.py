"""Bounds of "Momentum Benefits Non-IID Federated Learning Simply and Provably" (arXiv:2306.16504).

Theorem 11 (= 1).  If all clients take part, FedAvg-M with beta = min(1, sqrt(N K L Delta/(sigma^2 T))), gamma of order
beta/L and a short local step satisfies, whatever the heterogeneity,

    mean_t E|grad f(x_t)|^2 <~ sqrt(L Delta sigma^2/(N K T)) + L Delta/T.

Theorem 19 (= 3).  SCAFFOLD-M with S sampled clients, beta = min(1, S/N^(2/3), sqrt(L Delta S K/(sigma^2 T)),
sqrt(L Delta S^2/(G_0 N))) and gamma = beta/L satisfies

    mean_t E|grad f(x_t)|^2 <~ sqrt(L Delta sigma^2/(S K T)) + L Delta/T (1 + N^(2/3)/S).

The paper states rates without constants; the explicit right-hand sides below collect the constants of its proofs.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import E, Integer, Le, Max, Rational, ceiling, sqrt

from boundcheck.bounds.bound import Bound, Condition, Remark
from boundcheck.bounds.common import FULL, VARIANCE, least, sharpen_bound, smallest, within
from boundcheck.notation import symbols

N, S, K, T, L, Delta, G_0 = symbols("N S K T L Delta G_0")
eta, gamma, beta, c, a, B = symbols("eta gamma beta c a B")

EKL = eta * K * L
NEEDS = ("L", "sigma", "Delta", "G_0")

_beta_11 = least(c, sqrt(N * K * L * Delta / (VARIANCE * T)))
_gamma_11 = least(1 / (24 * L), beta / (6 * L))
_eta_11 = least(
    1 / (24 * sqrt(E)),
    1 / (24 * E * beta * gamma * L * T),
    a * sqrt(L * Delta / (G_0 * beta**3 * T)),
    1 / (2 * sqrt(beta * N)),
    (8 * beta**3 * N * K) ** Rational(-1, 4),
) / (K * L)

CONSEQUENCE = "Consequence of the explicit form at the prescribed parameters."
WEIGHTS = (Condition("momentum weight", Le(beta, 1)), Condition("free cap", Le(c, 1)))

_conditions_11 = (
    *WEIGHTS,
    FULL,
    Condition("descent (Lemma 5)", Le(gamma * L, Rational(1, 24))),
    Condition("server step (Lemma 8)", Le(gamma * L, beta / 6)),
    Condition("local drift (Lemma 9)", Le(EKL, 1 / beta)),
    Condition("drift sum (Lemma 10)", Le(288 * E * EKL**2 * ((1 - beta) ** 2 + E * (beta * gamma * L * T) ** 2), 1)),
    Condition("noise of the drift ([591])", Le(2 * beta * N * EKL**2 * (1 + 2 * K * beta**2 * EKL**2), 1)),
)

THEOREM_11 = Bound(
    id="momentum-fl.theorem11",
    paper="momentum-fl",
    title="FedAvg-M, explicit constants of the proof",
    where="Theorem 11 (= Theorem 1), last step [599] times 7/R",
    method="fedavg-m",
    metric="server_gradient",
    needs=NEEDS,
    parameters={"c": Integer(1), "a": 1 / (E * sqrt(78)), "beta": _beta_11, "gamma": _gamma_11, "eta": _eta_11},
    free=("c", "a"),
    terms={
        "descent": 7 * Delta / (gamma * T),
        "start": Rational(39, 8) * 2 * L * Delta / (beta * T),
        "drift": 78 * E**2 * (beta * EKL) ** 2 * G_0,
        "noise": Rational(39, 2) * beta * VARIANCE / (N * K),
    },
    trivial=2 * L * Delta,
    conditions=_conditions_11,
    form="proof",
    note="Holds for every beta, gamma and eta that meet the conditions; E_{-1} = |grad f(x_0)|^2 <= 2 L Delta.",
)

AT_REST = Rational(8, 17)
"""With g_0 = 0 no gradient counts twice: 17/56 of the squared gradients is left in every round, not 1/7."""

THEOREM_11S = sharpen_bound(
    THEOREM_11, AT_REST, "8/17 of the constants: g_0 = 0, so that the first squared gradient is counted once."
)

THEOREM_11_RATE = replace(
    THEOREM_11,
    id="momentum-fl.theorem11-rate",
    title="FedAvg-M, the rate with its constants",
    where="Theorem 11 (= Theorem 1), with explicit constants",
    terms={
        "descent": (168 + (Rational(207, 4) + 78 * E**2 * a**2) / c) * L * Delta / T,
        "noise": (Rational(285, 4) + 78 * E**2 * a**2) * sqrt(L * Delta * VARIANCE / (N * K * T)),
    },
    rigid=True,
    note=CONSEQUENCE,
)

THEOREM_11_PRINTED = replace(
    THEOREM_11,
    id="momentum-fl.theorem11-printed",
    title="FedAvg-M, the rate as printed",
    where="Theorem 1 [175-181], Theorem 11 [557-605]",
    terms={"noise": sqrt(L * Delta * VARIANCE / (N * K * T)), "descent": L * Delta / T},
    conditions=(FULL,),
    kind="order",
    form="printed",
    note="Printed with '<~': numeric constants are hidden, in the conditions on eta too (here those of the proof).",
    follows_from="momentum-fl.theorem11-rate",
    remark=Remark("follows from the form with constants, which is proved from its assumptions"),
)

_beta_19 = least(c, S / N ** Rational(2, 3), sqrt(L * Delta * S * K / (VARIANCE * T)))
_gamma_19 = least(Rational(1, 24), beta / 12, S ** Rational(3, 2) / (sqrt(4320 * beta) * N)) / L
_limits_19 = {
    "drift ([900], first line)": (1 / sqrt(2880 * E), True),
    "drift ([900], second line)": (sqrt(2 / ((10 + 960 * E * beta) * S)), True),
    "noise of the drift": ((10 * beta**2 * S * K) ** Rational(-1, 4), False),
    "control variates (Lemma 18)": (1 / (24 * beta * K ** Rational(1, 4)), True),
    "drift of control variates (Lemma 18)": (N * gamma * L / (5 * S), False),
}
_conditions_19 = (
    *WEIGHTS,
    Condition("sampling", Le(beta, S / N ** Rational(2, 3))),
    Condition("descent (Lemma 5)", Le(gamma * L, Rational(1, 24))),
    Condition("server step (Lemma 16)", Le(gamma * L, beta / 12)),
    Condition("server step ([900])", Le(gamma * L, S ** Rational(3, 2) / (sqrt(4320 * beta) * N)), stated=False),
    *within(EKL, _limits_19),
    Condition("initial minibatch", Le(N * K / (S * T), B)),
)

THEOREM_19 = Bound(
    id="momentum-fl.theorem19",
    paper="momentum-fl",
    title="SCAFFOLD-M, corrected, explicit constants of the proof",
    where="Theorem 19 (= Theorem 3), last step [912] times 7/R",
    method="scaffold-m",
    metric="server_gradient",
    needs=NEEDS,
    parameters={
        "c": Integer(1),
        "beta": _beta_19,
        "gamma": _gamma_19,
        "eta": smallest(_limits_19) / (K * L),
        "B": ceiling(N * K / (S * T)),
    },
    free=("c",),
    terms={
        "descent": 7 * Delta / (gamma * T),
        "start": Rational(39, 8) * 2 * L * Delta / (beta * T),
        "control variates": Rational(585, 4) * beta * N / (S**2 * T) * VARIANCE / B,
        "noise": 390 * beta * VARIANCE / (S * K),
    },
    trivial=2 * L * Delta,
    conditions=_conditions_19,
    form="repaired",
    note="Without the G_0 term in beta and with the server step and the two conditions on eta that the proof needs.",
)

THEOREM_19S = sharpen_bound(THEOREM_19, AT_REST, f"8/17 of the constants, as g_0 = 0. {THEOREM_19.note}")

THEOREM_19_RATE = replace(
    THEOREM_19,
    id="momentum-fl.theorem19-rate",
    title="SCAFFOLD-M, corrected, the rate with its constants",
    where="Theorem 19 (= Theorem 3), with explicit constants",
    terms={
        "descent": (168 + Rational(4699, 10) / c + Rational(4699, 10) * N ** Rational(2, 3) / S) * L * Delta / T,
        "noise": Rational(10062, 10) * sqrt(L * Delta * VARIANCE / (S * K * T)),
    },
    rigid=True,
    note=CONSEQUENCE,
)

THEOREM_19_PRINTED = replace(
    THEOREM_19,
    id="momentum-fl.theorem19-printed",
    title="SCAFFOLD-M, the rate as printed",
    where="Theorem 3 [253-257], Theorem 19 [877-918]",
    parameters={
        "c": Integer(1),
        "a": Rational(1, 100),
        "beta": least(
            c,
            S / N ** Rational(2, 3),
            sqrt(L * Delta * S * K / (VARIANCE * T)),
            sqrt(L * Delta * S**2 / (G_0 * N)),
        ),
        "gamma": beta / L,
        "eta": a * least(1 / sqrt(S), 1 / (beta * K ** Rational(1, 4)), sqrt(S) / N) / (K * L),
        "B": Max(1, ceiling(N * K / (S * T))),
    },
    free=("c", "a"),
    terms={"noise": sqrt(L * Delta * VARIANCE / (S * K * T)), "descent": L * Delta / T * (1 + N ** Rational(2, 3) / S)},
    conditions=WEIGHTS[:1],
    kind="order",
    refuted_by=("momentum-fl.theorem19-rate-printed", "momentum-fl.theorem19-rate-grows"),
    form="printed",
    note="Printed with '<~'. The last entry of beta (with G_0) breaks the rate: beta -> 0 as G_0 grows.",
    remark=Remark("an entry of beta contains G_0", "rate survives"),
)

THEOREM_19_PROOF = replace(
    THEOREM_19,
    id="momentum-fl.theorem19-proof",
    title="SCAFFOLD-M, the printed server step under the conditions of its proof",
    where="Theorem 19 [877-881] with Lemmas 5 and 16 and [900]",
    parameters=THEOREM_19_PRINTED.parameters,
    free=("c", "a"),
    conditions=_conditions_19[:6],
    definitions=("gamma",),
    form="proof",
    note="gamma = beta/L is printed with '=', and Lemma 16 needs gamma L <= beta/12: nothing meets both.",
)
