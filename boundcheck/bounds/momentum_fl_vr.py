"""Bounds of the variance-reduced methods of "Momentum Benefits Non-IID Federated Learning" (arXiv:2306.16504).

Theorem 15 (= 2).  If all clients take part, FedAvg-M-VR with beta of order (N K L^2 Delta^2/(sigma^4 T^2))^(1/3), gamma
of order min(1, sqrt(beta N K))/L and a short local step satisfies

    mean_t E|grad f(x_t)|^2 <~ (L Delta sigma/(N K T))^(2/3) + L Delta/T.

Theorem 22 (= 4).  SCAFFOLD-M-VR with S sampled clients, beta = min(S/N, (K L Delta/(sigma^2 T))^(2/3) S^(1/3)) and
gamma = min(1, sqrt(beta S))/L satisfies

    mean_t E|grad f(x_t)|^2 <~ (L Delta sigma/(S sqrt(K) T))^(2/3) + L Delta/T (1 + sqrt(N)/S).

Both have a second rate, without a large first minibatch.  L is here the smoothness of every sample gradient (Assumption
2).  Where a printed statement is not what its proof gives, the corrected form stands beside it with what was missing.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Basic, E, Expr, Integer, Le, Max, Rational, ceiling, sqrt

from boundcheck.bounds.bound import Bound, Condition, Remark
from boundcheck.bounds.common import FULL, VARIANCE, least, sharpen_bound, smallest, within
from boundcheck.bounds.momentum_fl import CONSEQUENCE, WEIGHTS
from boundcheck.notation import symbols

N, S, K, T, L, Delta, G_0 = symbols("N S K T L_sample Delta G_0")
eta, gamma, beta, c, a, B = symbols("eta gamma beta c a B")

EKL = eta * K * L
GL = gamma * L
NEEDS = ("L_sample", "sigma", "Delta", "G_0")
TWO_THIRDS = Rational(2, 3)


def _rate(first: Expr, noise: Expr, **more: Basic) -> dict[str, Expr]:
    return {"descent": first * L * Delta / T, "noise": noise, **more}


# FedAvg-M-VR ---------------------------------------------------------------------------------------------------

_X = (N * K * L**2 * Delta**2 / (VARIANCE**2 * T**2)) ** Rational(1, 3)
_noise_15 = (L * Delta * sqrt(VARIANCE) / (N * K * T)) ** TWO_THIRDS
_limits_15 = {
    "local drift (Lemma 13)": (1 / (4 * E), True),
    "drift sum, momentum (Lemma 14)": (beta * sqrt(Rational(72, 2 * 288 * 289) / E), False),
    "drift sum, travel (Lemma 14)": (1 / (sqrt(2 * 288 * 8) * E * GL * T), False),
    "noise of the drift, first part ([766])": (sqrt(beta / (64 * N)), True),
    "noise of the drift, second part ([766])": ((beta / (128 * N * K)) ** Rational(1, 4), True),
    "travel of the server, first part ([766])": (beta * sqrt(K / (36 * 128)) / GL, False),
    "travel of the server, second part ([766])": ((beta / (96 * GL)) ** Rational(1, 2), False),
    "initial heterogeneity ([779])": (a * sqrt(L * Delta / (G_0 * GL * T)), True),
}
_conditions_15 = (
    *WEIGHTS,
    FULL,
    Condition("descent (Lemma 5)", Le(GL, Rational(1, 24))),
    Condition("server step (Lemma 12)", Le(GL, sqrt(beta * N * K / 54))),
    *within(EKL, _limits_15),
)

THEOREM_15 = Bound(
    id="momentum-fl.theorem15",
    paper="momentum-fl",
    title="FedAvg-M-VR, corrected, explicit constants of the proof",
    where="Theorem 15 (= Theorem 2), step [774] times 7/R",
    method="fedavg-m-vr",
    metric="server_gradient",
    needs=NEEDS,
    parameters={
        "c": Integer(1),
        "a": 1 / (E * sqrt(312)),
        "beta": least(c, _X),
        "gamma": least(1 / (24 * L), sqrt(beta * N * K / 54) / L),
        "eta": smallest(_limits_15) / (K * L),
        "B": ceiling(K / (T * beta**2)),
    },
    free=("c", "a"),
    terms={
        "descent": 7 * Delta / (gamma * T),
        "start": Rational(39, 8) * VARIANCE / (N * B) / (beta * T),
        "drift": 312 * E**2 * EKL**2 * G_0,
        "noise": Rational(39, 2) * beta * VARIANCE / (N * K),
    },
    trivial=2 * L * Delta,
    conditions=_conditions_15,
    form="repaired",
    note="With eta K L <~ beta and eta K L <~ 1/(gamma L R), which Lemma 14 needs and the statement lacks.",
)

FROM_SAMPLES = Rational(24, 25)
"""The first squared gradient counts twice, and 25/168 of it is left, not 1/7."""
_ROUNDING = "24/25 of the constants: 25/168 of the first squared gradient is left, not 1/7."

THEOREM_15S = sharpen_bound(THEOREM_15, FROM_SAMPLES, f"{_ROUNDING} {THEOREM_15.note}")

_first_15 = 192 + Rational(5879, 100) / sqrt(c * N * K)

THEOREM_15_RATE = replace(
    THEOREM_15,
    id="momentum-fl.theorem15-rate",
    title="FedAvg-M-VR, corrected, the rate with its constants",
    where="Theorem 15 (= Theorem 2), with explicit constants",
    terms=_rate(_first_15, Rational(832, 10) * _noise_15),
    free=("c",),
    rigid=True,
    note=CONSEQUENCE + " The constants are those of the prescribed a.",
)

THEOREM_15_PRINTED = replace(
    THEOREM_15,
    id="momentum-fl.theorem15-printed",
    title="FedAvg-M-VR, the rate as printed",
    where="Theorem 2 [207-211], Theorem 15 [735-788]",
    parameters={
        **THEOREM_15.parameters,
        "a": Rational(1, 5),
        "eta": a
        * least(sqrt(L * Delta / (G_0 * GL * T)), sqrt(beta / N), (beta / (N * K)) ** Rational(1, 4))
        / (K * L),
    },
    terms=_rate(Integer(1), _noise_15),
    conditions=(FULL,),
    kind="order",
    form="printed",
    note="Printed with '<~'. Two conditions on eta are missing: eta K L <~ beta and eta K L <~ 1/(gamma L R).",
    refuted_by=("momentum-fl.theorem15-rate-printed", "momentum-fl.theorem15-rate-grows"),
    remark=Remark("two conditions on eta missing", "rate survives"),
)

THEOREM_15_ALT = replace(
    THEOREM_15,
    id="momentum-fl.theorem15-alt",
    title="FedAvg-M-VR, second rate corrected, explicit constants of the proof",
    where="Theorem 15, second rate, step [774] times 7/R",
    parameters={**THEOREM_15.parameters, "beta": least(c, Max(1 / T, _X)), "B": K * T},
    note="beta = min(c, max(1/R, X)): the printed min(1/R, X) makes the server step too small.",
)

THEOREM_15S_ALT = sharpen_bound(THEOREM_15_ALT, FROM_SAMPLES, f"{_ROUNDING} {THEOREM_15_ALT.note}")

THEOREM_15_ALT_RATE = replace(
    THEOREM_15_ALT,
    id="momentum-fl.theorem15-alt-rate",
    title="FedAvg-M-VR, second rate corrected, with its constants",
    where="Theorem 15, second rate, with explicit constants",
    terms=_rate(
        _first_15,
        Rational(783, 10) * _noise_15,
        start=(Rational(39, 8) / c + Rational(39, 2)) * VARIANCE / (N * K * T),
    ),
    free=("c",),
    rigid=True,
    note="The constants are those of the prescribed a.",
)

THEOREM_15_ALT_PRINTED = replace(
    THEOREM_15_PRINTED,
    id="momentum-fl.theorem15-alt-printed",
    title="FedAvg-M-VR, second rate as printed",
    where="Theorem 15, second rate [746, 783-788]",
    parameters={**THEOREM_15_PRINTED.parameters, "beta": least(1 / T, _X), "B": K * T},
    terms=_rate(Integer(1), _noise_15, start=VARIANCE / (N * K * T)),
    note="Printed with '<~'. beta = min(1/R, X) should be a max: the rate is lost by a factor sqrt(R).",
    refuted_by=("momentum-fl.theorem15-alt-printed", "momentum-fl.theorem15-alt-grows"),
    remark=Remark("min for max in beta", "rate survives"),
)

# SCAFFOLD-M-VR -------------------------------------------------------------------------------------------------

_Y = (K * L * Delta / (VARIANCE * T)) ** TWO_THIRDS * S ** Rational(1, 3)
_noise_22 = (L * Delta * sqrt(VARIANCE) / (S * sqrt(K) * T)) ** TWO_THIRDS
_limits_22 = {
    "local drift (Lemma 13)": (1 / (4 * E), True),
    "drift ([1041], first line)": (beta / sqrt(12960), False),
    "noise of the drift, first part ([1041])": (Rational(16947, 10**6) * sqrt(beta / S), True),
    "noise of the drift, second part ([1041])": ((beta / (Rational(512, 10) * S * K)) ** Rational(1, 4), True),
    "control variates (Lemma 21)": (N * GL / (10 * S), True),
    "control variates, momentum (Lemma 21)": (1 / (sqrt(1080) * beta), False),
}
_conditions_22 = (
    Condition("momentum weight", Le(beta, S / N)),
    Condition("descent (Lemmas 5, 21)", Le(GL, Rational(1, 24))),
    Condition("server step (Lemma 20)", Le(GL, sqrt(beta * S / 126))),
    Condition("server step ([1041])", Le(GL, S ** Rational(3, 2) / (sqrt(1620 * beta) * N)), stated=False),
    *within(EKL, _limits_22),
)

THEOREM_22 = Bound(
    id="momentum-fl.theorem22",
    paper="momentum-fl",
    title="SCAFFOLD-M-VR, corrected, explicit constants of the proof",
    where="Theorem 22 (= Theorem 4), step [1053] times 7/R",
    method="scaffold-m-vr",
    metric="server_gradient",
    needs=NEEDS,
    parameters={
        "beta": least(S / N, _Y),
        "gamma": least(Rational(1, 24), sqrt(beta * S / 126), S ** Rational(3, 2) / (sqrt(1620 * beta) * N)) / L,
        "eta": smallest(_limits_22) / (K * L),
        "B": ceiling(Max(S * K / (N * T * beta**2), N * K / (S * T))),
    },
    terms={
        "descent": 7 * Delta / (gamma * T),
        "start": Rational(39, 8) * VARIANCE / (N * B) / (beta * T),
        "control variates": Rational(585, 8) * beta * N / (S**2 * T) * VARIANCE / B,
        "noise": Rational(585, 2) * beta * VARIANCE / (S * K),
    },
    trivial=2 * L * Delta,
    conditions=_conditions_22,
    form="repaired",
    note="With eta K L <~ beta and the server step that Lemmas 5, 20 and 21 need.",
)

THEOREM_22S = sharpen_bound(THEOREM_22, FROM_SAMPLES, f"{_ROUNDING} {THEOREM_22.note}")

_first_22 = 168 + Rational(28175, 100) * sqrt(N) / S

THEOREM_22_RATE = replace(
    THEOREM_22,
    id="momentum-fl.theorem22-rate",
    title="SCAFFOLD-M-VR, corrected, the rate with its constants",
    where="Theorem 22 (= Theorem 4), with explicit constants",
    terms=_rate(_first_22, Rational(6523, 10) * _noise_22),
    rigid=True,
    note=CONSEQUENCE,
)

THEOREM_22_PRINTED = replace(
    THEOREM_22,
    id="momentum-fl.theorem22-printed",
    title="SCAFFOLD-M-VR, the rate as printed",
    where="Theorem 4 [275-279], Theorem 22 [1014-1065]",
    parameters={
        "a": Rational(1, 5),
        **THEOREM_22.parameters,
        "gamma": least(1, sqrt(beta * S)) / L,
        "eta": a * least(sqrt(beta / S), (beta / (S * K)) ** Rational(1, 4)) / (K * L),
    },
    free=("a",),
    terms=_rate(1 + sqrt(N) / S, _noise_22),
    conditions=(),
    kind="order",
    form="printed",
    note="Printed with '<~'. The condition eta K L <~ beta is missing; the printed server step contradicts Lemma 20.",
    refuted_by=("momentum-fl.theorem22-rate-printed", "momentum-fl.theorem22-rate-grows"),
    remark=Remark("a condition on eta missing", "rate survives"),
)

THEOREM_22_PROOF = replace(
    THEOREM_22,
    id="momentum-fl.theorem22-proof",
    title="SCAFFOLD-M-VR, the printed server step under the conditions of its proof",
    where="Theorem 22 [1014-1018] with Lemmas 5 and 20 and [1041]",
    parameters=THEOREM_22_PRINTED.parameters,
    free=("a",),
    conditions=_conditions_22[:4],
    definitions=("gamma",),
    form="proof",
    note="gamma = min(1, sqrt(beta S))/L is printed with '=', but Lemma 20 needs gamma L <= sqrt(beta S/126).",
)

_long = Condition("long enough", Le(N / S, T))

THEOREM_22_ALT = replace(
    THEOREM_22,
    id="momentum-fl.theorem22-alt",
    title="SCAFFOLD-M-VR, second rate corrected, explicit constants of the proof",
    where="Theorem 22, second rate, step [1053] times 7/R",
    parameters={**THEOREM_22.parameters, "beta": least(S / N, Max(1 / T, _Y)), "B": ceiling(S * K * T / N)},
    conditions=(_long, *_conditions_22),
    note="beta = min(S/N, max(1/R, Y)).",
)

THEOREM_22S_ALT = sharpen_bound(THEOREM_22_ALT, FROM_SAMPLES, f"{_ROUNDING} {THEOREM_22_ALT.note}")

THEOREM_22_ALT_RATE = replace(
    THEOREM_22_ALT,
    id="momentum-fl.theorem22-alt-rate",
    title="SCAFFOLD-M-VR, second rate corrected, with its constants",
    where="Theorem 22, second rate, with explicit constants",
    terms=_rate(_first_22, Rational(6474, 10) * _noise_22, start=Rational(3705, 10) * VARIANCE / (S * K * T)),
    rigid=True,
    note="sigma^2/(S K R) stands beside L Delta/R, not inside its factor.",
)

THEOREM_22_ALT_PRINTED = replace(
    THEOREM_22_PRINTED,
    id="momentum-fl.theorem22-alt-printed",
    title="SCAFFOLD-M-VR, second rate as printed",
    where="Theorem 22, second rate [1025-1027, 1061-1065]",
    parameters={**THEOREM_22_PRINTED.parameters, "beta": least(1 / T, _Y), "B": ceiling(S * K * T / N)},
    terms=_rate(1 + sqrt(N) / S + VARIANCE / (S * K * T), _noise_22),
    conditions=(_long,),
    note="Printed with '<~'. min should be max, and sigma^2/(S K R) is inside the wrong bracket (units).",
    refuted_by=(
        "momentum-fl.theorem22-alt-printed",
        "momentum-fl.theorem22-alt-grows",
        "momentum-fl.theorem22-bracket-printed",
    ),
    remark=Remark("twice: min for max, and a bracket", "rate survives, with the noise term of Table 2"),
)
