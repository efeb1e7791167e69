"""Bounds of "Faster Non-Convex Federated Learning via Global and Local Momentum": FedGLOMO (Theorem 1).

Theorem 1.  Let M = (alpha + 4/K)/N + 800 e^2 (1 + q)(K + 1)^2 (q/N + (1 + q) s), s the variance factor of the sampled
clients.  With all clients in round 0, eta L K = 1/(6 (T M)^(1/3)), beta = 160 e^2 (1 + q) (eta L K (K + 1))^2 and K in
a range that T gives, FedGLOMO satisfies

    mean_t E|grad f(x_t)|^2 <= 39 L f(x_0) (M/T^2)^(1/3).

L is the smoothness of every sample gradient (Assumption 1).  The paper writes f(w_0) for f_i >= 0 (Assumption 2); by
its own proof f(x_0) - mean_i inf f_i does, which is no larger.  alpha belongs to the run (Assumption 4).
"""

from __future__ import annotations

from dataclasses import replace

from sympy import E, Ge, Integer, Le, Lt, Max, Min, Piecewise, Rational, cbrt, sqrt

from boundcheck.bounds.bound import Bound, Condition, Remark
from boundcheck.bounds.common import SAMPLING, N
from boundcheck.notation import symbols

K, T, L, Delta, alpha, q = symbols("K T L_sample Delta_mean alpha_div q_omega")
eta, beta = symbols("eta beta")

NEEDS = ("L_sample", "Delta_mean")
MEASURED = {"alpha_div": "drift_correlation"}
TRIVIAL = 2 * L * Delta
SPREAD = q / N + (1 + q) * SAMPLING
"""Compression and sampling together."""
X = eta * L * K
"""Normalised length of the local path."""

CORRELATED = Condition("alpha at most N, which always serves", Le(alpha, N))
_bracket = (alpha + 4 / K) / N + 800 * E**2 * (1 + q) * (K + 1) ** 2 * SPREAD
_weight = 160 * E**2 * (1 + q) * (X * (K + 1)) ** 2


def _steps(bracket: object) -> dict[str, object]:
    return {"q_omega": Integer(0), "eta": 1 / (6 * L * K * cbrt(T * bracket)), "beta": _weight}


THEOREM_1 = Bound(
    id="fedglomo.theorem1",
    paper="fedglomo",
    title="FedGLOMO, Theorem 1 as printed",
    where="Theorem 1, l.199-211",
    method="fedglomo",
    metric="server_gradient",
    needs=NEEDS,
    parameters=_steps(_bracket),
    free=("q_omega",),
    terms={"gap": 39 * L * Delta * cbrt(_bracket) / cbrt(T) ** 2},
    trivial=TRIVIAL,
    rigid=True,
    measured=MEASURED,
    choices={"quantised_start": True},
    conditions=(
        Condition("local steps from below (l.207)", Ge(K + 1, 1 / (cbrt(T) * 1200 * E**2 * (1 + q) * SPREAD))),
        Condition("local steps from above (l.207)", Le(K + 1, sqrt(1 + q) * SAMPLING * T / 3)),
        CORRELATED,
    ),
    note="All clients in round 0, their messages quantised as in Algorithm 1: false for q > 0. The range of K is empty "
    "at S = N, and its lower end is not needed.",
    refuted_by=("fedglomo.theorem1-printed",),
    remark=Remark("for q > 0; range of K empty at S = N", "rate survives with an exact round 0, else T^(-1/3)"),
)

MOMENTUM = Condition("momentum weight below 1, which gives 8 eta L K^2 <= 1 too", Lt(beta, 1))

THEOREM_1_PROOF = replace(
    THEOREM_1,
    id="fedglomo.theorem1-proof",
    title="FedGLOMO, Theorem 1 with what its proof uses",
    where="Theorem 1, proof l.583-645: exact round 0, (17) and (18)",
    choices={},
    conditions=(MOMENTUM, CORRELATED),
    form="proof",
    note="Round 0 exact: all clients, full batches, no quantiser. One condition in place of the range of K; S = N is "
    "allowed. Lemma 10 forgets the noise of the local batches; 39 has room for it.",
    refuted_by=(),
)

_local = Piecewise((0, K < 2), (sqrt(E) / (128 * K**3), True))
_repaired = (alpha + 4 / K) / N + 800 * E**2 * (1 + q) * (K + 1) ** 2 * (SPREAD + _local / N)

THEOREM_1R = replace(
    THEOREM_1_PROOF,
    id="fedglomo.theorem1R",
    title="FedGLOMO, Theorem 1 repaired",
    where="Theorem 1, repaired: exact round 0, noise of the local batches in Lemma 10",
    parameters=_steps(_repaired),
    terms={"gap": 39 * L * Delta * cbrt(_repaired) / cbrt(T) ** 2},
    form="repaired",
    note="Lemma 10 with q + sqrt(e)/2 eta^2 L^2 K for q (K >= 2), at most q + sqrt(e)/(128 K^3). The constant 39 has "
    "room for that noise, so that the printed bracket serves as well.",
)

THEOREM_1R_QUANTISED = replace(
    THEOREM_1R,
    id="fedglomo.theorem1R-quantised",
    title="FedGLOMO, Theorem 1 repaired for a quantised round 0",
    where="Theorem 1, repaired: Lemma 1 with the variance of u_0",
    terms={
        **THEOREM_1R.terms,
        "quantised start": 39
        * L
        * Delta
        * cbrt(_repaired) ** 2
        / cbrt(T)
        * 3
        * q
        / (2 * E**2 * (1 + q) * N * (K + 1) ** 2),
    },
    choices={"quantised_start": True},
    note="The noise of the first messages is forgotten at rate beta ~ T^(-2/3): a term T^(-1/3), which dominates.",
)

_sharp = (7 * alpha / 4 + 5 / K) / N + 37 * (1 + q) * K**2 * SPREAD

THEOREM_1S = replace(
    THEOREM_1R,
    id="fedglomo.theorem1S",
    title="FedGLOMO, Theorem 1 repaired and sharpened",
    where="Theorem 1, sharpened: a potential with the error of the momentum, short local paths",
    parameters={
        "q_omega": Integer(0),
        "eta": Min(1 / (32 * K**2 * L), 2 / (3 * L * K * cbrt(T * _sharp))),
        "beta": 9 * (1 + q) * (X * K) ** 2,
    },
    terms={
        "gap": Rational(9, 2) * L * Delta * cbrt(_sharp) / cbrt(T) ** 2,
        "local path": 96 * K * L * Delta / T,
    },
    conditions=(Condition("momentum weight below 1", Lt(beta, 1)), CORRELATED),
    form="sharpened",
    note="Holds at every T: eta L K^2 is at most 1/32. The first term is more than forty times below the printed "
    "right-hand side where sampling or compression dominates, seven times where drift does; 5/K holds the noise of the "
    "local batches.",
)

_larger = Max(sqrt(alpha / N), (1 + q) * sqrt(SAMPLING))

COROLLARY_1 = replace(
    THEOREM_1_PROOF,
    id="fedglomo.corollary1",
    title="FedGLOMO, rounds to accuracy as printed with Theorem 1",
    where="Theorem 1, l.211",
    terms={"gap": L * Delta * cbrt(_larger / T) ** 2},
    kind="order",
    refuted_by=("fedglomo.theorem1-order-grows",),
    form="printed",
    rigid=False,
    note="T = O(max(sqrt(alpha/N), (1+q) sqrt(s)) eps^(-3/2)) solved for eps, s = (N-S)/(S(N-1)). Drops q(1+q)/N and "
    "4/(K N) from the bracket: 0 at S = N and alpha = 0, where the theorem's bound is not.",
    remark=Remark("4/(K N) and q (1 + q)/N dropped: too small by (N - 1)^(1/3)", "with the two terms"),
)

REMARK_1 = replace(
    COROLLARY_1,
    id="fedglomo.remark1",
    title="FedGLOMO, iteration complexity of Remark 1",
    where="Remark 1, l.217",
    terms={"gap": L * Delta * cbrt(Max(sqrt(alpha / N), sqrt(SAMPLING)) / (K * T)) ** 2},
    note="T K = O(max(sqrt(alpha/N), sqrt(s)) eps^(-3/2)); drops 1 + q besides. The theorem's bracket grows like K^2: "
    "with K local steps the same T K does not suffice.",
    remark=Remark("as Corollary 1", "with the two terms"),
)
