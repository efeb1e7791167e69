"""FedGLOMO, Lemmas 2 and 3: the inner product with the average local move, and the error of the average estimator.

Families (``clients``) are over the N clients.  ``G`` stands for sum_i |grad f_i(w_k)|^2, ``x`` for eta L K.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.fedglomo.local import STEP
from boundcheck.lemmas.stated import stated

CLAIMS = (
    Claim(
        "fedglomo.lemma3-50",
        "error of the average estimator: own errors and drift errors",
        "Lemma 3, eq. (50)-(51), l.805-813",
        "|mean_i (v_i - grad f_i(w_mean))|^2 <= (2/N^2)|sum_i e_i|^2 + (2/N^2)|sum_i drift_i|^2",
        stated(
            "<mean(v - at_average), test> = <mean(v - at_own + at_own - at_average), test>",
            "|mean(error + drift)|^2 <= 2/N^2*|N*mean(error)|^2 + 2/N^2*|N*mean(drift)|^2",
            letters=(
                "vectors test",
                "families v, at_own, at_average, error, drift",
            ),
        ),
        steps=("fedglomo.two-squares",),
    ),
    Claim(
        "fedglomo.lemma3-cross",
        "independent clients: cross terms are products of means, and vanish without bias",
        "Lemma 3, l.817-821",
        "E|sum_i e_i|^2 = sum_i E|e_i|^2 + sum_(i != j) <E e_i, E e_j>; = sum_i E|e_i|^2 when E e_i = 0",
        stated(
            "E(|N*mean(bias + error)|^2) = N*E(|bias + error|^2) + |N*mean(bias)|^2 - N*|bias|^2",
            "E(|N*mean(error)|^2) = N*E(|error|^2)",
            letters=(
                "families bias",
                "noise error over N",
            ),
        ),
        ("batches independent over the clients",),
        steps=("fedglomo.lemma4",),
    ),
    Claim(
        "fedglomo.lemma3-52",
        "Assumption 4 inserted",
        "Lemma 3, eq. (52), l.825",
        "E|ebar|^2 <= (2/N^2) sum_i E|e_i|^2 + (2 alpha/N^2) sum_i E|drift_i|^2",
        stated(
            "whole <= 2/N^2*errors + 2*alpha_div/N^2*drifts",
            given=(
                "whole <= 2/N^2*error + 2/N^2*drift",
                "error <= errors",
                "drift <= alpha_div*drifts",
            ),
            letters=("drift, drifts, error, errors, whole >= 0",),
        ),
        ("E|sum_i drift_i|^2 <= alpha sum_i E|drift_i|^2",),
        steps=("fedglomo.lemma3-50", "fedglomo.lemma3-cross"),
    ),
    Claim(
        "fedglomo.lemma3-lipschitz-printed",
        "Lipschitz step printed as an equality: the half that is not smoothness",
        "Lemma 3, l.830-831",
        "L^2 |w_i - w_mean|^2 <= |grad f_i(w_i) - grad f_i(w_mean)|^2, which is h^2 |w_i - w_mean|^2 for curvature h",
        stated(
            "L^2*distance^2 <= (h*distance)^2",
            given=("h <= L",),
            letters=("distance > 0",),
        ),
        ("0 < h <= L",),
        repaired_by="fedglomo.lemma3-drift",
    ),
    Claim(
        "fedglomo.lemma3-drift",
        "drift error after tau local steps",
        "Lemma 3, l.830-839",
        "|drift_i|^2 <= (eta L)^2 tau sum_(t<tau) |vbar_t - v_(t,i)|^2",
        stated(
            "|change|^2 <= (eta*L)^2*tau*tau*|gap|^2",
            given=("0 <= L^2*|eta*tau*mean(gap)|^2 - |change|^2 : 1",),
            letters=(
                "tau > 0",
                "vectors change",
                "families gap",
            ),
        ),
        ("f_i is L-smooth", "w_i - w_mean = eta sum_(t<tau) (vbar_t - v_(t,i))"),
        steps=("fedglomo.jensen", "fedglomo.lemma6-move"),
    ),
    Claim(
        "fedglomo.lemma3-54",
        "spread over the clients",
        "Lemma 3, eq. (53)-(55), l.840-852; (140)-(142), l.1419-1425",
        "sum_i |vbar - v_i|^2 = N|vbar|^2 + sum_i |v_i|^2 - 2<vbar, sum_i v_i>"
        " = sum_i |v_i|^2 - N|vbar|^2 <= sum_i |v_i|^2",
        stated(
            ("N*|mean(v) - v|^2 = N*|mean(v)|^2 + N*|v|^2 - 2*N*<mean(v), v> = N*|v|^2 - N*|mean(v)|^2 <= N*|v|^2"),
            letters=("families v",),
        ),
    ),
    Claim(
        "fedglomo.lemma3-56",
        "weighted double sum over the local steps, by induction on their number",
        "Lemma 3, eq. (56), l.856; (48), l.787; (147), l.1443",
        "sum_(tau<K) tau sum_(t<tau) a_t <= (K^2/2) sum_(t<K) a_t, from K to K + 1 and 0 <= a_0/2 for K = 1",
        stated(
            "total + K*sum_before <= (K + 1)^2/2*(sum_before + last)",
            given=("total <= K^2/2*sum_before",),
            letters=("last, sum_before, total >= 0",),
        ),
        ("a_t >= 0",),
    ),
    Claim(
        "fedglomo.lemma3",
        "error of the average estimator over a round, summed by N clients",
        "Lemma 3, l.798 and l.861-862",
        "sum_tau E|ebar_tau|^2 <= 16 x^2 (alpha K + 4)/N^2 G",
        stated(
            "whole <= 16*(alpha_div*K + 4)*x^2/N^2*G",
            given=(
                "whole <= 2/N^2*errors + alpha_div*x^2/N^2*moved",
                "errors <= 32*x^2*G",
                "moved <= 16*K*G",
            ),
            letters=(
                "x > 0",
                "errors, G, moved, whole >= 0",
            ),
        ),
        (*STEP, "Assumption 4"),
        steps=(
            "fedglomo.lemma3-52",
            "fedglomo.lemma3-drift",
            "fedglomo.lemma3-54",
            "fedglomo.lemma3-56",
            "fedglomo.lemma7",
            "fedglomo.lemma5",
        ),
    ),
    Claim(
        "fedglomo.lemma3-sharp",
        "the same from the sharper forms of Lemmas 5 and 7",
        "Lemma 3, sharper form",
        "sum_tau E|ebar_tau|^2 <= sqrt(e) x^2 (alpha K + 2)/N^2 G",
        stated(
            "whole <= exp(1/2)*(alpha_div*K + 2)*x^2/N^2*G",
            given=(
                "whole <= 2/N^2*errors + alpha_div*x^2/N^2*moved",
                "errors <= exp(1/2)*x^2*G",
                "moved <= exp(1/2)*K*G",
            ),
            letters=(
                "x > 0",
                "errors, G, moved, whole >= 0",
            ),
        ),
        ("4 eta L K <= 1", "Assumption 4"),
        steps=(
            "fedglomo.lemma3-52",
            "fedglomo.lemma3-drift",
            "fedglomo.lemma3-54",
            "fedglomo.lemma3-56",
            "fedglomo.lemma7-sharp",
            "fedglomo.lemma5-pathwise",
        ),
    ),
    Claim(
        "fedglomo.lemma2-46",
        "one local step against the gradient at the server",
        "Lemma 2, eq. (44)-(46), l.773-775",
        "-eta <g, vbar> = -(eta/2)(|g|^2 + |vbar|^2 - |g - vbar|^2)"
        " <= -(eta/2)(|g|^2 + |vbar|^2) + eta L^2 |w_k - w_mean|^2 + eta |grad f(w_mean) - vbar|^2",
        stated(
            (
                "-eta*<g, v> = -eta/2*|g|^2 - eta/2*|v|^2 + eta/2*|g - v|^2 <= -eta/2*(|g|^2 + |v|^2) + "
                "eta*L^2*|move|^2 + eta*|at_average - v|^2"
            ),
            given=("0 <= L^2*|move|^2 - |g - at_average|^2 : eta",),
            letters=("vectors g, v, at_average, move",),
        ),
        ("f is L-smooth",),
        steps=("fedglomo.polarisation", "fedglomo.two-squares"),
    ),
    Claim(
        "fedglomo.lemma2-48",
        "sum over the local steps; `weighted` = sum_tau tau sum_(t<tau) E|vbar_t|^2, `moved` = sum_tau E|vbar_tau|^2",
        "Lemma 2, eq. (48), l.786-787",
        "-(eta K/2)|g|^2 - (eta/2) moved + eta^3 L^2 weighted + eta whole"
        " <= -(eta K/2)|g|^2 - (eta/2) moved + (eta^3 L^2 K^2/2) moved + eta whole",
        stated(
            (
                "-eta*K/2*start - eta/2*moved + eta^3*L^2*weighted + eta*whole <= -eta*K/2*start - eta/2*moved + "
                "eta^3*L^2*K^2/2*moved + eta*whole"
            ),
            given=("weighted <= K^2/2*moved",),
            letters=("moved, start, weighted, whole >= 0",),
        ),
        steps=("fedglomo.lemma2-46", "fedglomo.jensen", "fedglomo.lemma3-56"),
    ),
    Claim(
        "fedglomo.lemma2",
        "inner product with the average local move",
        "Lemma 2, eq. (49), l.769 and l.792; (25), l.669; (107), l.1233",
        "E<grad f, mean_i (w_(k,K,i) - w_k)> <= -(eta K/2) E|grad f|^2 - (eta/2)(1 - x^2) sum_tau E|vbar_tau|^2"
        " + 16 eta x^2 (alpha K + 4)/N^2 G",
        stated(
            ("left <= -eta*K/2*start - eta/2*(1 - (eta*L*K)^2)*moved + eta*16*(eta*L*K)^2*(alpha_div*K + 4)/N^2*G"),
            given=(
                "-eta*K/2*start - eta/2*moved + eta*(eta*L*K)^2/2*moved + eta*whole >= left",
                "whole <= 16*(eta*L*K)^2*(alpha_div*K + 4)/N^2*G",
            ),
            letters=(
                "G, moved, start, whole >= 0",
                "left real",
            ),
        ),
        (*STEP, "Assumption 4 (5 for FedLOMO)"),
        steps=("fedglomo.lemma2-48", "fedglomo.lemma3"),
    ),
)
