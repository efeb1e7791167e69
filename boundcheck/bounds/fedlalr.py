"""Bounds of "FedLALR: Client-Specific Adaptive Learning Rates Achieve Linear Speedup" (arXiv:2309.09719).

Theorem 1.  If all clients take part and eta <= 3 eps/(20 L), the averaged local iterates of FedLALR satisfy

    mean_(t, k) E|grad f(x_tk)|^2 <= 2 G_inf Delta/(eta K T) + Phi,

where Phi is 2 G_inf times a noise term in eta sigma^2/N, a momentum and a drift term in eta^2, and two terms of
adaptivity that fall with T (`_phi`).

Corollary 1.  At eta = min(sqrt(N/(K T)), 3 eps/(20 L)) the right-hand side is O(1/sqrt(N K T)).
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Add, Expr, Ge, Le, Lt, Min, Rational, sqrt

from boundcheck.bounds.bound import Bound, Condition, Remark
from boundcheck.bounds.common import FULL, VARIANCE
from boundcheck.notation import symbols

N, K, T, d, L, Delta, G = symbols("N K T d L Delta G_inf")
eta, beta1, beta2, eps = symbols("eta beta1 beta2 eps")

D = G**2 - eps**2
NEEDS = ("L", "sigma", "Delta", "G_inf", "d")


def _phi(divisor: Expr) -> dict[str, Expr]:
    """Return the terms of Theorem 1; `divisor` is T in the statement and K T in the proof."""
    linear = (2 - beta1) * G**2 * K * d * D / ((1 - beta1) * eps**3) + 3 * d * D * G**2 / (2 * eps**3 * (1 - beta1))
    square = 5 * L * G**2 * d * D**2 / (8 * eps**6 * (1 - beta1) ** 2) * (2 * beta1**2 + (1 - beta1) ** 2)
    square += 5 * L * K * G**2 * d**2 * D**2 / (2 * eps**6)
    return {
        "gap": 2 * G * Delta / (eta * K * T),
        "noise": 2 * G * 5 * L * d * VARIANCE * eta / (4 * eps**2 * N),
        "momentum": 2 * G * 2 * L**2 * beta1**2 * G**2 * d / ((1 - beta1) ** 2 * eps**4) * eta**2,
        "drift": 2 * G * K**2 * L**2 * G**2 / eps**4 * (1 + 4 * K**2 * (1 - beta1) ** 2 * d) * eta**2,
        "adaptivity": 2 * G * linear / divisor,
        "adaptivity squared": 2 * G * square * eta * N / divisor,
    }


def phi(bound: Bound | None = None) -> Expr:
    """Return Phi of Theorem 1: the right-hand side without the gap 2 G_inf Delta/(eta K T), a squared gradient.

    Parameters
    ----------
    bound : Bound, optional
        Another form of the theorem, such as `THEOREM_1R`; as printed by default (l.173-177).
    """
    return Add(*(term for name, term in (bound or THEOREM_1).terms.items() if name != "gap"))


STEP = Condition("step", Le(eta, 3 * eps / (20 * L)))
WEIGHTS = (
    Condition("weight of the first moment", Lt(beta1, 1)),
    Condition("weight of the second moment", Lt(beta2, 1)),
)
CONDITIONS = (FULL, STEP, *WEIGHTS)
FLOOR = Condition("floor at most the gradient bound", Le(eps, G), stated=False)

FREE = {"beta1": Rational(9, 10), "beta2": Rational(99, 100), "eps": G}

THEOREM_1 = Bound(
    id="fedlalr.theorem1",
    paper="fedlalr",
    title="FedLALR, Theorem 1 as printed",
    where="Theorem 1, l.171-177 and l.390-396",
    method="fedlalr",
    metric="local_gradient",
    needs=NEEDS,
    parameters={**FREE, "eta": Min(sqrt(N / (K * T)), 3 * eps / (20 * L))},
    free=("beta1", "beta2", "eps"),
    terms=_phi(T),
    trivial=d * G**2,
    trivial_is_sure=True,
    units={"eta": (0, 1)},
    conditions=CONDITIONS,
    note="Phi with 1/T and N/T where the proof has 1/(KT) and N/(KT). False for eps > G_inf and for large eps.",
    refuted_by=("fedlalr.theorem1-eps-printed", "fedlalr.theorem1-eps4-printed", "fedlalr.theorem1-noise-printed"),
    independent_noise=False,
    remark=Remark("without eps <= G_inf, or without independent noise; units", "order survives, constants change"),
)

THEOREM_1_PROOF = replace(
    THEOREM_1,
    id="fedlalr.theorem1-proof",
    title="FedLALR, Theorem 1 as its proof gives it",
    where="(36)-(37), l.488",
    terms=_phi(K * T),
    form="proof",
    note="Never above the printed form, since K >= 1.",
    refuted_by=("fedlalr.theorem1-eps-printed", "fedlalr.theorem1-eps4-printed"),
    independent_noise=True,
)

_drift = L**2 * G**2 * d * (K - 1) * (2 * K - 1) / (12 * eps**3)

THEOREM_1R = replace(
    THEOREM_1,
    id="fedlalr.theorem1R",
    title="FedLALR, Theorem 1 repaired and sharpened",
    where="Theorem 1, repaired (eps powers, joint momentum term, direct drift bound)",
    terms={
        "gap": 2 * G * Delta / (eta * K * T),
        "noise": 2 * G * 5 * L * VARIANCE * eta / (4 * eps**2 * N),
        "momentum": 2 * G * eta**2 * 2 * L**2 * beta1**2 * G**2 * d / ((1 - beta1) ** 2 * eps**3),
        "drift": 2 * G * eta**2 * _drift,
        "adaptivity": 2
        * G
        / (K * T)
        * (d * G**2 * D / eps**3)
        * (K * (N - 1) / N + (3 * N - 2) / (2 * N * (1 - beta1))),
        "adaptivity squared": 2
        * G
        * eta
        / (K * T)
        * (L * G**2 * d * D**2 / eps**6)
        * ((3 * N - 2) / N * (5 * beta1**2 / (4 * (1 - beta1) ** 2) + Rational(5, 16)) + 5 * K * (N - 1) / (4 * N)),
    },
    conditions=(*CONDITIONS, FLOOR),
    form="repaired",
    note="No factor d on the noise, eps^-3 on the eta^2 terms (homogeneous under f -> s f), linear in N nowhere.",
    refuted_by=(),
    independent_noise=True,
)

COROLLARY_1 = replace(
    THEOREM_1_PROOF,
    id="fedlalr.corollary1",
    title="FedLALR, Corollary 1: linear speed-up",
    where="Corollary 1, l.179-181, (38)-(42)",
    parameters={**FREE, "eta": sqrt(N / (K * T))},
    conditions=(
        FULL,
        Condition("long enough that eta = sqrt(N/(KT)) is allowed", Ge(K * T, N * (20 * L / (3 * eps)) ** 2)),
        *WEIGHTS,
        FLOOR,
    ),
    form="printed",
    note="The proof's bound at eta = sqrt(N/(KT)); printed with '<=', which must be '=' for the gap term.",
    refuted_by=(),
    independent_noise=False,
    remark=Remark(
        "from the horizon on at which its step is allowed, for eps <= G_inf",
        "linear speed-up from a horizon on that grows with N and K",
    ),
)
