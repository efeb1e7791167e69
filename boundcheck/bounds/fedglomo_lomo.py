"""FedLOMO: Theorem 2 of the FedGLOMO paper and the special case of its Remark 6; PP-MARINA as its Appendix C has it.

Theorem 2.  Let B = q/N + 4 (1 + q) s, s the variance factor of the sampled clients, and eta L K = 1/(8 sqrt(B T)).  For
T > (alpha + 4/K)/(64 N B^3) the output of FedLOMO satisfies

    E|grad f|^2 <= 64 sqrt(B) L f(x_0)/sqrt(T).

Remark 6.  With all clients and no quantiser FedLOMO has the rate T^(-2/3).
Appendix C.  PP-MARINA with p = 1/T takes O(eps^(-2)) rounds to E|grad f|^2 <= eps.

The left-hand side is an average with weights (1 + growth)^(T-1-t) over the server iterates: the law of the output.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import E, Eq, Ge, Gt, Integer, Le, Lt, Rational, sqrt

from boundcheck.bounds.bound import Bound, Condition, Remark
from boundcheck.bounds.common import SAMPLING, N, S
from boundcheck.bounds.fedglomo import CORRELATED, MEASURED, NEEDS, SPREAD, TRIVIAL, Delta, K, L, T, X, alpha, eta, q
from boundcheck.notation import symbols

_p, _client, _start = symbols("p_full L Delta")

_B = q / N + 4 * (1 + q) * SAMPLING
_drift = (alpha + 4 / K) / N

THEOREM_2 = Bound(
    id="fedglomo.theorem2",
    paper="fedglomo",
    title="FedLOMO, Theorem 2 as printed",
    where="Theorem 2, l.553-557; 64 sqrt(B) L from (104)-(105)",
    method="fedlomo",
    metric="output_gradient",
    needs=NEEDS,
    parameters={
        "q_omega": Integer(0),
        "eta": 1 / (8 * L * K * sqrt(_B * T)),
        "growth": 1 / (4 * T) + _drift / (16 * sqrt(_B * T) ** 3),
    },
    free=("q_omega",),
    terms={"gap": 64 * sqrt(_B) * L * Delta / sqrt(T)},
    trivial=TRIVIAL,
    rigid=True,
    measured=MEASURED,
    conditions=(Condition("long enough (l.553)", Gt(T, _drift / (64 * _B**3))), CORRELATED),
    note="The condition should have a square, and eta L K <= 1/4 is missing. No statement at S = N without quantiser.",
    remark=Remark("one condition missing in the proof", "stands with it"),
)

_PATH = Condition("local path", Lt(X, Rational(1, 4)), stated=False)

THEOREM_2R = replace(
    THEOREM_2,
    id="fedglomo.theorem2R",
    title="FedLOMO, Theorem 2 repaired",
    where="Theorem 2, repaired: growth T <= 3 and eta L K < 1/4",
    conditions=(_PATH, Condition("long enough", Ge(T, _drift**2 / (1936 * _B**3)), stated=False), CORRELATED),
    form="repaired",
    note="(1+z)^T >= 1 + z T in (100): 16 sqrt(B) L Delta (1 + z T)/sqrt(T), and z T <= 3.",
)

_gap = 2 * Delta / (eta * K)
_sampled = sqrt(E) * X**2 * SPREAD
_drifting = 2 * sqrt(E) * X**3 * (alpha + 2 / K) / N

THEOREM_2S = replace(
    THEOREM_2R,
    id="fedglomo.theorem2S",
    title="FedLOMO, Theorem 2 repaired and sharpened",
    where="Theorem 2, sharpened: pathwise |v_k|, (109) without its factor 4, any step",
    parameters={
        "q_omega": Integer(0),
        "eta": 1 / (L * K * sqrt(sqrt(E) * SPREAD * T)),
        "growth": _sampled + _drifting,
    },
    terms={"gap": _gap / T, "sampling": _gap * _sampled, "drift": _gap * _drifting},
    conditions=(_PATH, CORRELATED),
    rigid=False,
    definitions=("growth",),
    form="sharpened",
    note="Holds at every eta with eta L K < 1/4; growth follows eta.",
)

THEOREM_2_FULL = replace(
    THEOREM_2R,
    id="fedglomo.theorem2-full",
    title="FedLOMO with all clients and no quantiser, Remark 6 with its constant",
    where="Remark 6, l.563; (101) at B = 0",
    parameters={
        "eta": 1 / (L * K * (128 * T * _drift) ** Rational(1, 3)),
        "growth": 1 / (4 * T),
    },
    free=(),
    terms={
        "gap": 2 * Delta * 128 ** Rational(1, 3) * Rational(4, 3) * L * _drift ** Rational(1, 3) / T ** Rational(2, 3)
    },
    conditions=(Condition("full participation", Le(N, S)), _PATH, CORRELATED),
    note="The rate T^(-2/3) without global momentum; the remark names no constant.",
)

APPENDIX_C = Bound(
    id="fedglomo.appendix-c",
    paper="fedglomo",
    title="PP-MARINA with one full round in expectation",
    where="Appendix C, l.431",
    method="pp-marina",
    metric="server_gradient",
    needs=("L", "Delta"),
    parameters={
        "q_omega": Integer(0),
        "p_full": 1 / T,
        "gamma": 1 / (_client * (1 + sqrt((1 - _p) * (1 + q) / (_p * S)))),
    },
    free=("q_omega",),
    terms={"gap": _client * _start * sqrt((1 + q) / (S * T))},
    trivial=2 * _client * _start,
    conditions=(Condition("one local step", Eq(K, 1)),),
    kind="order",
    hyper={"p": "p_full"},
    note="T = O(eps^(-2)) solved for eps; the step is that of the cited work, which gives 1 + q and S.",
)
