"""GradMA, Lemma .3: size of a local run, for clients with heterogeneous gradients.

As in `gradma_drift`, I is K here and rho is zeta; ``tilt`` is grad f_i - grad f at the server model, ``turned`` the
change of grad f_i since the server model, ``removed`` what the projection takes away.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim, Goal
from boundcheck.lemmas.stated import stated


def _three_norms(*, factor: int) -> Goal:
    from sympy import Rational
    from sympy import symbols as reals

    from boundcheck.lemmas.provers import Real

    a, b, tilt, mean = reals("a b tilt mean", real=True)
    total = Rational(1, 2) * ((a + tilt + mean) ** 2 + (b - tilt + mean) ** 2)
    return Real(total, factor * (Rational(1, 2) * (a**2 + b**2) + tilt**2 + mean**2))


CLAIMS = (
    Claim(
        "gradma.run-jensen",
        "a local run, in the space of local steps: <kept, mean> = |mean|^2 for the constant vector `mean`",
        "Lemma .3, step (a), l.214",
        "|mean|^2 <= |kept|^2 and |K mean|^2 = K^2 |mean|^2",
        stated(
            "|mean|^2 <= |kept|^2",
            "|K*mean|^2 = K^2*|mean|^2",
            given=("0 <= <kept, mean> - |mean|^2 : 2",),
            letters=("vectors kept, mean",),
        ),
        ("|kept|^2 is the mean of |g~_k|^2 over the K local steps",),
    ),
    Claim(
        "gradma.run-terms-printed",
        "three norms without a factor; two clients at a + tilt + mean and b - tilt + mean",
        "Lemma .3, third display, l.214",
        "mean_i |a_i + tilt_i + mean|^2 <= mean_i |a_i|^2 + |tilt|^2 + |mean|^2",
        stated(
            "(a + mean + tilt)^2/2 + (b + mean - tilt)^2/2 <= mean^2 + tilt^2 + a^2/2 + b^2/2",
            letters=("a, b, mean, tilt real",),
        ),
        ("a_i = g~ - g + grad f_i(x) - grad f_i(x_t)",),
        repaired_by="gradma.run-terms",
    ),
    Claim(
        "gradma.run-terms",
        "three norms with the factor 2: <tilt, mean> = 0 since the tilts cancel",
        "Lemma .3, third display, l.214",
        "|error + tilt + mean|^2 <= 2 (|error|^2 + |tilt|^2 + |mean|^2)",
        stated(
            "|error + tilt + mean|^2 <= 2*|error|^2 + 2*|tilt|^2 + 2*|mean|^2",
            given=("0 <= -<tilt, mean> : 4",),
            letters=("vectors error, tilt, mean",),
        ),
        ("norms are means over clients", "<tilt, mean> = 0"),
    ),
    Claim(
        "gradma.run-four",
        "four norms with the factor 4 and smoothness",
        "Lemma .3, step (b), l.214",
        "|removed + turned + tilt + mean|^2 <= 4 (|removed|^2 + L^2 |moved|^2 + |tilt|^2 + |mean|^2)",
        stated(
            "|removed + turned + tilt + mean|^2 <= 4*(|removed|^2 + L^2*|moved|^2 + |tilt|^2 + |mean|^2)",
            given=("0 <= L^2*|moved|^2 - |turned|^2 : 4",),
            letters=("vectors removed, turned, tilt, mean, moved",),
        ),
        ("|turned| <= L |moved|",),
    ),
    Claim(
        "gradma.run-insert",
        "Lemma .2 inserted",
        "Lemma .3, step (c), l.218-220",
        "4 K^2 terms + 4 K^2 L^2 (40 K^2 eta^2 terms) = 4 K^2 (1 + 40 (eta K L)^2) terms",
        stated(
            "4*K^2*terms + 4*K^2*L^2*40*K^2*eta^2*terms = 4*K^2*(1 + 40*(eta*K*L)^2)*terms",
            letters=("terms > 0",),
        ),
    ),
    Claim(
        "gradma.lemma3-printed",
        "size of a local run on the cascade, with no condition on the step",
        "Lemma .3, l.206-208",
        "sum_(s < K) 4^s = (4^K - 1)/3 <= 4 K^2 (1 + 40 K^2 17^2)",
        stated(
            "4^K/3 - 1/3 <= 4*K^2*(1 + 40*K^2*289) for K >= 2",
        ),
        ("N = 1, eps_l = zeta = 0, |grad f(x_t)| = 1, eta L = 17",),
        repaired_by="gradma.lemma3",
        steps=("gradma.cascade", "gradma.cascade-smooth"),
    ),
    Claim(
        "gradma.lemma3",
        "size of a local run; terms = eps_l^2 + zeta^2 + |grad f(x_t)|^2",
        "Lemma .3, l.206-222",
        "mean_i |sum_k g~_k|^2 <= 4 K^2 (1 + 40 (eta K L)^2) terms",
        stated(
            "run <= 4*K^2*(1 + 40*(eta*K*L)^2)*terms",
            given=(
                "run <= K^2*each",
                "each <= 4*(terms + L^2*drift)",
                "drift <= 40*K^2*eta^2*terms",
            ),
            letters=("drift, each, run, terms >= 0",),
        ),
        ("unstated: 160 (eta K L)^2 <= 1",),
        steps=("gradma.run-jensen", "gradma.run-four", "gradma.lemma2", "gradma.run-insert"),
    ),
)
