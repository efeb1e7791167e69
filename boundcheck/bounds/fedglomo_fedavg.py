"""FedAvg without bounded dissimilarity: Theorem 3 of the FedGLOMO paper, and the lemma that its proof stands on.

Theorem 3.  With c = s/6 + 4 alpha/(9 N), s the variance factor of the sampled clients, eta L K = 1/sqrt(3 c T) and
T >= 4/(3 c), the output of FedAvg satisfies

    E|grad f|^2 <= 3 L Delta sqrt(3 c/T) + (1/(S K) + s/3) sigma^2/sqrt(3 c T) + (1/K + 8 alpha/9) sigma^2/(3 c T).

Lemma 13.  If p = eta L K <= 1/2, then one round of FedAvg satisfies

    E f(x_1) <= f(x_0) - eta K/2 |grad f(x_0)|^2 + p^2/L (s/6 + 8 alpha p/(9 N)) mean_i |grad f_i(x_0)|^2
                + p^2/(2 L K) (1/S + s K/3 + p/N (1 + 8 alpha K/9)) sigma^2.

L is here the smoothness of every f_i, which is all that the proof uses.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sympy import Eq, Expr, Ge, Le, Rational, sqrt

from boundcheck.bounds.bound import Bound, Condition, Remark
from boundcheck.bounds.common import SAMPLING, VARIANCE, N, S
from boundcheck.bounds.fedglomo import CORRELATED, MEASURED, K, T, alpha, eta
from boundcheck.notation import symbols

L, Delta, gap, G_0 = symbols("L Delta_mean Delta G_0")

_PATH = eta * L * K


def _theorem_3(c: Expr, factor: int, least: Expr, noise: Expr, drift: Expr) -> dict[str, Any]:
    """Return what Theorem 3 says at eta L K = 1/sqrt(factor c T), T >= least, given its two coefficients of sigma^2."""
    root = sqrt(factor * c * T)
    return {
        "parameters": {"eta": 1 / (L * K * root), "growth": 1 / (3 * T)},
        "terms": {
            "gap": 3 * L * Delta * sqrt(factor * c / T),
            "noise": noise * VARIANCE / root,
            "noise of the drift": drift * VARIANCE / root**2,
        },
        "conditions": (Condition("long enough", Ge(T, least)), CORRELATED),
    }


_c = SAMPLING / 6 + 4 * alpha / (9 * N)
_c_A = 4 * SAMPLING / 3 + 4 * alpha / (9 * N)
_c_B = 8 * SAMPLING / 3 + 2 * alpha / (9 * N)
_sampled = 1 / (S * K) + SAMPLING / 3

THEOREM_3 = Bound(
    id="fedglomo.theorem3",
    paper="fedglomo",
    title="FedAvg without bounded dissimilarity, Theorem 3 as printed",
    where="Theorem 3, l.1295-1299",
    method="fedavg",
    metric="output_gradient",
    needs=("L", "Delta_mean", "sigma"),
    **_theorem_3(_c, 3, 4 / (3 * _c), _sampled, 1 / K + 8 * alpha / 9),
    trivial=2 * L * Delta,
    rigid=True,
    measured=MEASURED,
    note="The proof loses a factor 8 in (130), a factor 2 in (114) and 1/N in (119), and (123), (124) are false; no "
    "instance refutes the final inequality.",
    remark=Remark("its Lemma 13 is false", "rate survives, constants change"),
)

THEOREM_3A = replace(
    THEOREM_3,
    id="fedglomo.theorem3A",
    title="FedAvg without bounded dissimilarity, Theorem 3 with the constants of its own lemmas",
    where="Theorem 3, with the factors of (130), (114) and (119)",
    **_theorem_3(_c_A, 6, 2 / (3 * _c_A), _sampled, (1 / K + 8 * alpha / 9) / N),
    form="proof",
    note="What Lemmas 14 and 15 give as stated; (123) and (124) are still used.",
)

THEOREM_3R = replace(
    THEOREM_3A,
    id="fedglomo.theorem3R",
    title="FedAvg without bounded dissimilarity, Theorem 3 repaired",
    where="Theorem 3, repaired: (123) and (124) with a factor 2",
    **_theorem_3(_c_B, 6, 8 / (3 * _c_B), 2 * _sampled, (2 / K + 8 * alpha / 9) / N),
    form="repaired",
    note="Later gradients depend on earlier noise, so the square of their sum may double.",
)


def _lemma_13(s: Expr, doubled: int, path: Expr) -> dict[str, Any]:
    """Return what Lemma 13 says of (f(x_0) + f(x_1))/2 - f_star, without its negative term.

    `s` is the coefficient of the sampling variance; `doubled` is the factor on (123) and (124), 1 or 2.
    """
    grown = _PATH**2 / L * (s * SAMPLING + 8 * alpha * _PATH / (9 * N))
    noise = (
        doubled * _PATH**2 / (2 * L * K) * (1 / S + SAMPLING * K / 3 + _PATH / N * (1 + 8 * alpha * K / (9 * doubled)))
    )
    return {
        "terms": {"start": gap, "heterogeneity": grown * G_0 / 2, "noise": noise * VARIANCE / 2},
        "conditions": (
            Condition("two server iterates", Eq(T, 2)),
            Condition("local path", Le(_PATH, path)),
            CORRELATED,
        ),
    }


LEMMA_13 = Bound(
    id="fedglomo.lemma13",
    paper="fedglomo",
    title="FedAvg, growth of f in one round, Lemma 13 as printed",
    where="Lemma 13, l.1339-1391",
    method="fedavg",
    metric="suboptimality",
    needs=("L", "Delta", "G_0", "sigma"),
    parameters={"eta": 1 / (10 * L * K)},
    free=("eta",),
    **_lemma_13(Rational(1, 6), 1, Rational(1, 2)),
    # f(x_1) - f_star <= 2 (f(x_0) - f_star) + L |x_1 - x_0|^2, and Lemma 15.
    trivial=Rational(3, 2) * gap + _PATH**2 / L * (Rational(4, 3) * G_0 + Rational(2, 3) * VARIANCE),
    measured=MEASURED,
    note="False: (130) loses the factor 8 of Lemma 15.",
    refuted_by=("fedglomo.lemma13-printed",),
    remark=Remark("a factor 8 is lost", "with 4 s/3 or 8 s/3"),
)

LEMMA_13A = replace(
    LEMMA_13,
    id="fedglomo.lemma13A",
    title="FedAvg, growth of f in one round, Lemma 13 with the constants of its own lemmas",
    where="Lemma 13, with the factor 8 in (130)",
    **_lemma_13(Rational(4, 3), 1, Rational(1, 2)),
    refuted_by=(),
    form="proof",
    note="What Lemmas 14 and 15 give as stated; (123) and (124) are still used.",
)

LEMMA_13R = replace(
    LEMMA_13A,
    id="fedglomo.lemma13R",
    title="FedAvg, growth of f in one round, Lemma 13 repaired",
    where="Lemma 13, repaired: (123) and (124) with a factor 2",
    **_lemma_13(Rational(8, 3), 2, Rational(1, 4)),
    form="repaired",
    note="",
)
