"""GradMA, Lemma .2: drift of the local models.

The paper's I (local steps) is K here and its rho is zeta; ``ekl`` stands for eta K L, ``drift`` for a squared distance
to the server model.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

CLAIMS = (
    Claim(
        "gradma.drift-split",
        "one local step, with the direction written as four terms",
        "Lemma .2, eq. (20), l.191",
        "|x - x_t - eta g~|^2 = |x - x_t - eta ((g~ - g) + (g - grad f_i) + (grad f_i - grad f) + grad f)|^2",
        stated(
            (
                "|x - server - eta*kept|^2 = |x - server - eta*(kept - raw + raw - at_server + at_server - "
                "average + average)|^2"
            ),
            letters=("vectors x, server, kept, raw, at_server, average",),
        ),
        ("g = grad f_i(x), the other gradients at x_t",),
    ),
    Claim(
        "gradma.drift-young",
        "Young with the weight 1/(2 K - 1)",
        "Lemma .2, step (b), l.196",
        "|x - y|^2 <= (1 + 1/(2 K - 1))|x|^2 + 2 K |y|^2",
        stated(
            "|x - y|^2 <= (1 + 1/(2*K - 1))*|x|^2 + 2*K*|y|^2",
            "1 + 1/(1/(2*K - 1)) = 2*K",
            given=("K >= 1",),
            letters=("vectors x, y",),
        ),
        ("K >= 1",),
    ),
    Claim(
        "gradma.drift-four",
        "four terms: 4 (2 K) = 8 K",
        "Lemma .2, eq. (20)(b), l.191",
        "|x - y|^2 <= (1 + 1/(2 K - 1))|x|^2 + 2 K |y|^2; 2 K |eta (a + b + c + e)|^2 <="
        " 8 K eta^2 (|a|^2 + |b|^2 + |c|^2 + |e|^2)",
        stated(
            "|x - eta*(a + b + c + e)|^2 <= (1 + 1/(2*K - 1))*|x|^2 + 2*K*|eta*(a + b + c + e)|^2 if K >= 1",
            "2*K*|eta*(a + b + c + e)|^2 <= 8*K*eta^2*(|a|^2 + |b|^2 + |c|^2 + |e|^2)",
            letters=("vectors x, a, b, c, e",),
        ),
        ("K >= 1", "y = eta (a + b + c + e)"),
        steps=("gradma.drift-young",),
    ),
    Claim(
        "gradma.drift-ratio-printed",
        "the growth factor under the step that is printed, eta <= 1/(4 sqrt(10 L K))",
        "Lemma .2, step (c), l.183 and l.196",
        "1/(2 K - 1) + 8 K eta^2 L^2 <= 1/(K - 1)",
        stated(
            "1/(2*K - 1) + 8*K*eta^2*L^2 <= 1/(K - 1)",
            given=(
                "K >= 2",
                "160*eta^2*L*K <= 1",
            ),
        ),
        ("160 eta^2 L K <= 1", "unstated: K >= 2"),
        repaired_by="gradma.drift-ratio",
    ),
    Claim(
        "gradma.drift-ratio",
        "the growth factor under eta <= 1/(4 sqrt(10) L K), as in the last lemma",
        "Lemma .2, step (c), l.196, with l.278",
        "1/(2 K - 1) + 8 K eta^2 L^2 <= 1/(K - 1)",
        stated(
            "1/(2*K - 1) + 8*K*eta^2*L^2 <= 1/(K - 1)",
            given=(
                "K >= 2",
                "160*(eta*L*K)^2 <= 1",
            ),
        ),
        ("160 (eta K L)^2 <= 1", "unstated: K >= 2"),
    ),
    Claim(
        "gradma.drift-ratio-sharp",
        "the same already under eta <= 1/(4 L K)",
        "Lemma .2, step (c), l.196",
        "1/(2 K - 1) + 8 ekl^2/K <= 1/(K - 1)",
        stated(
            "1/(2*K - 1) + 8*ekl^2/K <= 1/(K - 1)",
            given=(
                "K >= 2",
                "4*ekl <= 1",
            ),
            letters=("ekl > 0",),
        ),
        ("ekl = eta K L <= 1/4", "unstated: K >= 2"),
    ),
    Claim(
        "gradma.drift-step",
        "recursion of the drift; noise = 8 K eta^2 (eps_l^2 + zeta^2 + |grad f|^2)",
        "Lemma .2, eq. (20), l.193",
        "after <= (1 + 1/(K - 1)) before + noise",
        stated(
            "after <= (1 + 1/(K - 1))*before + noise",
            given=(
                "K >= 2",
                "1/(2*K - 1) + 8*ekl^2/K <= 1/(K - 1)",
                "after <= (1 + 1/(2*K - 1) + 8*ekl^2/K)*before + noise",
            ),
            letters=(
                "ekl > 0",
                "after, before, noise >= 0",
            ),
        ),
        ("after <= (1 + 1/(2 K - 1) + 8 K eta^2 L^2) before + noise", "160 (eta K L)^2 <= 1", "unstated: K >= 2"),
        steps=("gradma.drift-split", "gradma.drift-four", "gradma.drift-ratio"),
    ),
    Claim(
        "gradma.drift-geometric",
        "the unrolled recursion: geometric sum with `power` = (1 + 1/(K - 1))^k, and one more step",
        "Lemma .2, l.198-200",
        "(power - 1)/(r - 1) = (K - 1)(power - 1); r s (K - 1)(power - 1) + s = s (K - 1)(r power - 1)",
        stated(
            "(power - 1)/(1 + 1/(K - 1) - 1) = (K - 1)*(power - 1)",
            "(1 + 1/(K - 1))*noise*(K - 1)*(power - 1) + noise = noise*(K - 1)*((1 + 1/(K - 1))*power - 1)",
            letters=("noise, power > 0",),
        ),
        ("r = 1 + 1/(K - 1)",),
        steps=("gradma.drift-step",),
    ),
    Claim(
        "gradma.drift-five",
        "the geometric sum is at most 5 K",
        "Lemma .2, l.200",
        "(K - 1)((1 + 1/(K - 1))^K - 1) <= 5 K",
        stated(
            "(1 + 1/(K - 1))^K <= 1 + 5*K/(K - 1) for K >= 2",
        ),
        ("K >= 2",),
    ),
    Claim(
        "gradma.drift-sharp",
        "its true size: e - 1 in place of 5, so that 8 (e - 1) <= 13.75 stands for 40",
        "Lemma .2, l.200",
        "(1 + 1/(K - 1))^(K - 1) <= e; 8 (e - 1) <= 13.75",
        stated(
            "(1 + 1/(K - 1))^(K - 1) <= exp(1) for K >= 2",
            "8*exp(1) - 8 <= 1375/100",
        ),
        ("K >= 2",),
        steps=("gradma.drift-geometric", "gradma.drift-ratio-sharp"),
    ),
    Claim(
        "gradma.lemma2-printed",
        "drift of the cascade in units of eta^2: gradients 2^s e_s are orthogonal, so the projection never acts",
        "Lemma .2, l.183-185",
        "sum_(s < K - 1) 4^s = (4^(K - 1) - 1)/3 <= 40 K^2",
        stated(
            "4^(K - 1)/3 - 1/3 <= 40*K^2 for K >= 2",
        ),
        ("N = 1, eps_l = zeta = 0, |grad f(x_t)| = 1, L = 17/eta", "160 eta^2 L K = 2720 eta K <= 1"),
        repaired_by="gradma.lemma2",
        steps=("gradma.cascade", "gradma.cascade-smooth"),
    ),
    Claim(
        "gradma.lemma2",
        "drift of the local models; terms = eps_l^2 + zeta^2 + |grad f(x_t)|^2",
        "Lemma .2, l.183-200",
        "drift <= 40 K^2 eta^2 terms",
        stated(
            "drift <= 40*K^2*eta^2*terms",
            given=(
                "K >= 2",
                "drift <= 8*K*eta^2*terms*(K - 1)*(power - 1)",
                "(K - 1)*(power - 1) <= 5*K",
            ),
            letters=(
                "power > 0",
                "drift, terms >= 0",
            ),
        ),
        ("unstated: 160 (eta K L)^2 <= 1", "unstated: K >= 2; for K = 1 there is no drift"),
        steps=("gradma.drift-step", "gradma.drift-geometric", "gradma.drift-five"),
    ),
)
