"""Bounds of "On the convergence of federated deep AUC maximization" (FMGDA); K T local steps, q = K.

Theorem 1.  For c and chat below min(1/6, 1/(6 L), mu/(6 L)), chat <= sqrt(11/2880) c/kappa^2 and b <= 600 q N, the
averaged iterates of FMGDA satisfy, with e_u and e_v the initial errors of the two gradient estimators,

    sum_t chat eta_t/2 E|grad Phi(x_t)|^2 <= Delta_Phi + 6 chat L_f^2/(c mu) delta_y
        + chat b N/(40 L^2) E|e_u|^2/eta_0 + 5 chat b N L_f^2/(4 mu^2 L^2) E|e_v|^2/eta_0
        + chat c_1^2 (5 sigma^2/(mu^2 L_f^2) + sigma^2/(20 L^2) + sigma^2/(10 b L^2) + zeta^2/(4 L^2)) sum_t eta_t^3.

Corollary 1.  At eta_t = h/max(t + 3/2, 1728 L^3 q^3 h^3)^(1/3), h = N^(2/3)/L, the mean of E|grad Phi|^2 over n = K T
local steps is at most

    (20 L q/n + L/(N n)^(2/3)) (2 Delta_Phi/chat + 12 L_f^2 delta_y/(c mu))
        + 20 sigma^2 (q/n + 1/(N n)^(2/3)) (1 + 50 L_f^2/mu^2)
        + (5 sigma^2/mu^2 + sigma^2/20 + sigma^2/(10 b) + zeta^2/4) 2 ln(n + 1) (288000 q/n + 14400/(N n)^(2/3))/b^2.

Remark 1.  At q = (n/N^2)^(1/3) that is O(log n/(N n)^(2/3)): eps-stationary after n = O(N^-1 eps^-3) local steps.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from sympy import Expr, Ge, Le, Lt, Max, Piecewise, Rational, cbrt, ceiling, log, sqrt

from boundcheck.bounds.bound import Bound, Condition, Remark, Values
from boundcheck.bounds.common import FULL, least
from boundcheck.notation import symbols

N, K, T, b, B, sigma, zeta, mu = symbols("N K T b B sigma zeta_pair mu")
Lf, L, kappa, Delta, delta = symbols("L_block L_env kappa Delta_Phi delta_y")
chat, c, c1, h, flat, rho, sum_eta, sum_eta3 = symbols("chat c_dual c1 h t_flat rho sum_eta sum_eta3")

NEEDS = ("L_block", "mu", "sigma", "zeta_pair", "Delta_Phi", "delta_y")
STEPS = K * T


# Both sums are asked for in turn, and a card asks at the same horizons again.
@lru_cache(maxsize=512)
def _sums(steps: int, h: float, t_flat: float) -> tuple[float, float]:
    """Return the sums of the steps and of their cubes."""
    etas = h / np.cbrt(np.maximum(np.arange(1, steps + 1) + 1.5, t_flat))
    return float(etas.sum()), float((etas**3).sum())


def _sums_at(v: Values) -> tuple[float, float]:
    return _sums(int(v["K"] * v["T"]), v["h"], v["t_flat"])


_DERIVED = {
    "sum_eta": lambda v: _sums_at(v)[0],
    "sum_eta3": lambda v: _sums_at(v)[1],
}

_COMMON = {
    "kappa": Lf / mu,
    "L_env": Lf * (1 + kappa),
    "h": cbrt(N) ** 2 / L,
    "c1": L**2 / (20 * K * N**2) + 60 * L**2 / (b * N),
}

_cap = least(Rational(1, 6), 1 / (6 * L), mu / (6 * L))
_ratio = sqrt(Rational(11, 2880)) / kappa**2
_eta0 = h / cbrt(Max(Rational(3, 2), flat))

_batch = Condition("minibatch", Le(b, 600 * K * N))

THEOREM_1 = Bound(
    id="fmgda.theorem1",
    paper="fmgda",
    title="FMGDA, Theorem 1 as printed",
    where="Theorem 1, (10), l.167-170; schedule constant 800 from l.604",
    method="fmgda",
    metric="envelope_gradient_sum",
    needs=NEEDS,
    parameters={
        **_COMMON,
        "t_flat": 800 * K**3 * N**2,
        "c_dual": Rational(99, 100) * _cap,
        "chat": least(Rational(99, 100) * _cap, _ratio * c),
        "B": K * b,
    },
    free=("c_dual", "chat", "B"),
    terms={
        "gap": Delta,
        "dual start": 6 * chat * Lf**2 / (c * mu) * delta,
        "primal estimator": chat * b * N / (40 * L**2) * sigma**2 / (N * B) / _eta0,
        "dual estimator": 5 * chat * b * N * Lf**2 / (4 * mu**2 * L**2) * sigma**2 / (N * B) / _eta0,
        "noise": (
            5 * chat * sigma**2 * c1**2 / (mu**2 * Lf**2)
            + chat * sigma**2 * c1**2 / (20 * L**2)
            + sigma**2 * chat * 2 * c1**2 / (20 * b * L**2)
        )
        * sum_eta3,
        "heterogeneity": zeta**2 * chat * 2 * c1**2 / (8 * L**2) * sum_eta3,
    },
    trivial=chat / 2 * sum_eta * 2 * L * Delta,
    conditions=(
        FULL,
        Condition("primal step", Lt(chat, _cap)),
        Condition("dual step", Lt(c, _cap)),
        Condition("time scales", Le(chat, _ratio * c)),
        _batch,
        Condition("block smoothness at least 1 (l.304)", Ge(Lf, 1), stated=False),
    ),
    derived=_DERIVED,
    definitions=("kappa", "L_env", "h", "c1", "rho"),
    note="E|u_1 - dF_0|^2 <= sigma^2/(N B) put in for both initial estimators.",
    remark=Remark("too loose to fail; conditions of the proof empty for mu <= 211/360", "with new constants"),
)

THEOREM_1_PROOF = replace(
    THEOREM_1,
    id="fmgda.theorem1-proof",
    title="FMGDA, Theorem 1 with what its proof needs",
    where="Theorem 1, (10), with the conditions of l.681",
    parameters={
        **THEOREM_1.parameters,
        "chat": least(Rational(99, 100) * _cap, sqrt(Rational(17, 14400)) / kappa**2 * c),
    },
    conditions=(
        *THEOREM_1.conditions,
        Condition("dual step from below (l.681)", Ge(c, 211 * mu / (2160 * Lf**2)), stated=False),
        Condition("time scales in the proof (l.681)", Le(chat, sqrt(Rational(17, 14400)) / kappa**2 * c), stated=False),
    ),
    form="proof",
    note="The proof also needs c from below; with c < mu/(6L) no c is left for any mu <= 211/360.",
)

_rate = 1 / T
"""q over the number of local steps."""
_decay = 1 / cbrt(N * STEPS) ** 2


def _from_start(size: Expr) -> dict[str, Expr]:
    """Return the terms of Corollary 1 that come from the starting point."""
    return {"gap": size * 2 * Delta / chat, "dual start": size * 12 * Lf**2 * delta / (c * mu)}


COROLLARY_1 = replace(
    THEOREM_1,
    id="fmgda.corollary1",
    title="FMGDA, Corollary 1 as printed",
    where="Corollary 1, (11), l.172-176",
    metric="envelope_gradient",
    parameters={**THEOREM_1.parameters, "t_flat": 1728 * K**3 * N**2, "B": K * b},
    free=("c_dual", "chat"),
    terms={
        **_from_start(20 * L * _rate + L * _decay),
        "estimators": (20 * sigma**2 * _rate + 20 * sigma**2 * _decay) * (1 + 50 * Lf**2 / mu**2),
        "noise": (5 * sigma**2 / mu**2 + sigma**2 / 20 + sigma**2 / (10 * b))
        * 2
        * log(STEPS + 1)
        * (288000 * _rate / b**2 + 14400 * _decay / b**2),
        "heterogeneity": zeta**2 / 4 * 2 * log(STEPS + 1) * (288000 * _rate / b**2 + 14400 * _decay / b**2),
    },
    trivial=2 * L * Delta,
    rigid=True,
    derived={},
    regime={"K": sqrt(T) / N},
    note="B = q b is assumed in the proof only.",
    remark=Remark("as Theorem 1", "the eps^-2 rounds become eps^-(7/3) or eps^-4"),
)

_noise_11 = 2 * log(STEPS + 1) * 302400 / b**2 * _decay

REMARK_1 = replace(
    COROLLARY_1,
    id="fmgda.remark1",
    title="FMGDA, Remark 1 as printed: Corollary 1 at its period",
    where="Remark 1, l.178-180",
    terms={
        **_from_start(21 * L * _decay),
        "estimators": 40 * sigma**2 * _decay * (1 + 50 * Lf**2 / mu**2),
        "noise": (5 * sigma**2 / mu**2 + sigma**2 / 20 + sigma**2 / (10 * b)) * _noise_11,
        "heterogeneity": zeta**2 / 4 * _noise_11,
    },
    conditions=(*THEOREM_1.conditions, Condition("communication period", Le(K**2 * N**2, T))),
    remark=None,
    note="q = (T/N^2)^(1/3) in local steps is K = sqrt(T)/N in rounds: (11) there, and above (11) at shorter periods.",
)

_K1 = (Rational(1, 5) + 10 * kappa**2) / (1 + kappa) ** 2
_r = cbrt(1 + 1 / (8000 * K**2 * N**2))
_rho = Max(chat, c) ** 2 * (_K1 * (1 + (K - 1) * _r) + Rational(78, 400) * kappa**2 * (Lf / L) ** 2)
_spread = (N - 1) * (sigma**2 / B + zeta**2 / 2)
_repaired = {
    **_COMMON,
    "t_flat": 8000 * K**3 * N**2,
    "c_dual": Rational(1, 6),
    "chat": least(Rational(1, 6), _ratio * c),
    "B": K * b,
    "rho": Piecewise((0, K < 2), (_rho, True)),
}
_conditions_R = (
    FULL,
    Condition("primal step", Le(chat, Rational(1, 6))),
    Condition("dual step", Le(c, Rational(1, 6))),
    Condition("time scales", Le(chat, _ratio * c)),
    _batch,
    Condition("condition number at least 1", Ge(kappa, 1)),
    Condition(
        "primal budget (A)",
        Ge(
            Rational(1, 2)
            - chat * _eta0 * L / 2
            - 30 * kappa**4 * chat**2 / c**2
            - chat**2 * (_K1 + Rational(25, 96) * rho),
            0,
        ),
        stated=False,
    ),
    Condition("dual budget (B)", Ge(Rational(3, 4) * kappa - c**2 * (_K1 + Rational(25, 96) * rho), 0), stated=False),
)

THEOREM_1R = replace(
    THEOREM_1,
    id="fmgda.theorem1R",
    title="FMGDA, Theorem 1 repaired",
    where="Theorem 1, repaired: schedule constant 8000, dual noise kappa^2, first block, communication drift",
    parameters=_repaired,
    terms={
        "gap": Delta,
        "dual start": 6 * chat * Lf**2 / (c * mu) * delta,
        "estimators": chat * b * N / (40 * L**2) * (1 + 50 * kappa**2) * sigma**2 / (N * B * _eta0),
        "noise": chat
        * sigma**2
        * (c1**2 / 20 + Rational(5, 2) * kappa**2 * c1**2 + Rational(25, 24) * rho * 2 * c1**2 * 2 / (25 * b))
        / L**2
        * sum_eta3,
        "heterogeneity": chat * Rational(25, 24) * rho * 2 * c1**2 * zeta**2 / 5 / L**2 * sum_eta3,
        "first block": Rational(25, 24) * rho * chat * 3 / (20 * L) * _spread / N,
    },
    conditions=_conditions_R,
    definitions=(*THEOREM_1.definitions, "t_flat"),
    form="repaired",
    note="Scale-free Lemma 5, chat^2 and c^2 kept, drift of the communication step summed with its factor q - 1.",
)

CONSTANT = Condition("constant steps", Le(STEPS + Rational(3, 2), flat))
_constant_steps = (1 / (20 * K * N**2) + 60 / (b * N)) ** 2 / (400 * K**2)

COROLLARY_1R = replace(
    COROLLARY_1,
    id="fmgda.corollary1R",
    title="FMGDA, Corollary 1 repaired (constant steps)",
    where="Corollary 1, repaired: for K T <= 8000 q^3 N^2 the steps are constant and no logarithm appears",
    parameters=_repaired,
    terms={
        **_from_start(20 * L * _rate),
        "estimators": 20 * sigma**2 * _rate * (1 + 50 * kappa**2),
        "noise": 2
        * sigma**2
        * (Rational(1, 20) + Rational(5, 2) * kappa**2 + Rational(25, 12) * rho * 2 / (25 * b))
        * _constant_steps,
        "heterogeneity": 2 * Rational(25, 12) * rho * zeta**2 / 5 * _constant_steps,
        "first block": Rational(25, 4) * rho * _rate * _spread / N,
    },
    conditions=(
        *_conditions_R,
        CONSTANT,
        Condition("initial minibatch B = q b", Ge(B, K * b)),
    ),
    form="repaired",
    note="eta_t = 1/(20 L q) throughout; the printed last term is loose by four orders of magnitude.",
)

COROLLARY_1R_RATE = replace(
    COROLLARY_1R,
    id="fmgda.corollary1R-rate",
    title="FMGDA, Corollary 1 repaired to O(eps^-3) (smaller steps)",
    where="Corollary 1, repaired: eta_t = 1/(20 L q^(3/2)), B = b q^(3/2), estimators averaged once at the start",
    parameters={
        **_repaired,
        "t_flat": 8000 * K ** Rational(9, 2) * N**2,
        "B": ceiling(b * K ** Rational(3, 2)),
        "rho": Piecewise((0, K < 2), (_rho / K, True)),
    },
    choices={"synchronised_start": True},
    terms={
        **_from_start(20 * L * sqrt(K) * _rate),
        "estimators": 20 * b * K**2 * _rate / B * sigma**2 * (1 + 50 * kappa**2),
        "noise": COROLLARY_1R.terms["noise"] / K,
        "heterogeneity": COROLLARY_1R.terms["heterogeneity"] / K,
    },
    conditions=(
        *_conditions_R,
        CONSTANT,
        Condition("initial minibatch B = b q^(3/2)", Ge(B, b * K ** Rational(3, 2))),
    ),
    regime={"K": (T / N**2) ** Rational(2, 7)},
    note="The dispersion bound gains 1/q, which absorbs the factor q - 1; without the averaged start the first block "
    "would leave a term of order q^2/(K T).",
)
