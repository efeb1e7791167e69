"""FedLALR, Lemmas 26 to 28, 36 and 37: the distances of Z_r, xbar_r and X_(r,i).

``inner`` is the mean over clients, or, where said so, the mean over the local steps of one client.  With an adaptive
interval K is the largest K_t of the run.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

STEPS = "|m|^2 <= d G_inf^2, theta <= 1/eps"
SIZE = "size = d G_inf^2/eps^2"


CLAIMS = (
    Claim(
        "fedlalr.lemma26-201-printed",
        "the step before a round as the one that starts from the averaged momentum",
        "Lemmas 26 and 36, eq. (201), (324), step (b), l.1090, l.1576",
        "xbar_(tK+1) - xbar_tK = -eta mean M_i theta_i = -eta m_(t,0) e0, for two clients with vh = 1 and 49",
        stated(
            "-eta*(M_1 + 1/7*M_2)/2 = -eta*(M_1 + M_2)/2/5",
            letters=("M_1, M_2 > 0",),
        ),
        ("m_(t,0) = mean M_i", "e0 = (mean vh)^(-1/2) = 1/5"),
        repaired_by="fedlalr.lemma26",
    ),
    Claim(
        "fedlalr.step-size",
        "the size of a local step, one coordinate after the other",
        "Lemmas 26 and 27, eq. (201), step (c), and (213), l.1090, l.1130",
        "total + (m theta)^2 <= (count + 1) G_inf^2/eps^2; in d coordinates |m theta|^2 <= d G_inf^2/eps^2",
        stated(
            "total + (m*theta)^2 <= (count + 1)*G_inf^2/eps^2 if m <= G_inf, theta <= 1/eps",
            "total <= d*G_inf^2/eps^2 if count <= d",
            given=("total <= count*G_inf^2/eps^2",),
            letters=("count, m, theta, total >= 0",),
        ),
        ("total <= count G_inf^2/eps^2", "|m| <= G_inf, theta <= 1/eps", "count <= d"),
        steps=("fedlalr.lemma3", "fedlalr.lemma5-upper"),
    ),
    Claim(
        "fedlalr.lemma26",
        "distance of Z from the mean iterate, from the steps really taken, M_(r-1,i) theta_(r-1,i)",
        "Lemmas 26 and 36, eq. (200)-(201), (323)-(324), l.1086-1090, l.1567-1576",
        "|s mean move_i|^2 <= s^2 mean |move_i|^2 <= s^2 d G_inf^2/eps^2",
        stated(
            "(eta*beta1/(1 - beta1))^2*|mean(move)|^2 <= (eta*beta1/(1 - beta1))^2*size",
            given=(
                "beta1 < 1",
                "0 <= size - |move|^2 : (eta*beta1/(1 - beta1))^2",
            ),
            letters=(
                "size > 0",
                "families move",
            ),
        ),
        ("s = eta beta1/(1 - beta1)", "|move_i|^2 <= size = d G_inf^2/eps^2", "beta1 < 1"),
        steps=("fedlalr.lemma6", "fedlalr.step-size"),
    ),
    Claim(
        "fedlalr.lemma27-204",
        "the momentum within a round, by induction; power = beta1^k, weighted = sum beta1^(k-kappa) g_kappa",
        "Lemmas 27 and 37, eq. (204), (327), l.1102, l.1588",
        "beta1 m_k + (1 - beta1) g = beta1^(k+1) m_0 + (1 - beta1)(beta1 weighted + g)",
        stated(
            (
                "beta1*(power*start + (1 - beta1)*weighted) + (1 - beta1)*g = beta1*power*start + (1 - "
                "beta1)*(beta1*weighted + g)"
            ),
            letters=("g, power, start, weighted > 0",),
        ),
        ("m_k = beta1^k m_0 + (1 - beta1) weighted",),
    ),
    Claim(
        "fedlalr.lemma27-206",
        "the iterates within a round, by induction, and their distance from the mean",
        "Lemmas 27 and 37, eq. (203), (205)-(207), (326), (328)-(330), l.1100, l.1106-1114, l.1586, l.1592-1604",
        "X_new = x - eta (past + beta1^k m_0 theta + (1 - beta1) weighted theta);"
        " xbar - X = eta (the same sum - its mean)",
        stated(
            (
                "<x - eta*past - eta*(power*m0_theta + (1 - beta1)*weighted_theta), test> = <x - eta*(past + "
                "power*m0_theta + (1 - beta1)*weighted_theta), test>"
            ),
            (
                "|mean(x - eta*past - eta*(power*m0_theta + (1 - beta1)*weighted_theta)) - (x - eta*past - "
                "eta*(power*m0_theta + (1 - beta1)*weighted_theta))|^2 = |eta*(past + power*m0_theta + (1 - "
                "beta1)*weighted_theta - mean(past + power*m0_theta + (1 - beta1)*weighted_theta))|^2"
            ),
            letters=(
                "power > 0",
                "vectors x, test",
                "families past, m0_theta, weighted_theta",
            ),
        ),
        ("X = x - eta past", "m_0 and x are common to the clients"),
        steps=("fedlalr.lemma27-204",),
    ),
    Claim(
        "fedlalr.lemma27-208",
        "the momentum and the gradients apart",
        "Lemmas 27 and 37, eq. (208), (331), l.1116, l.1609",
        "|eta (momentum + (1 - beta1) gradients)|^2 <= 2 eta^2 (|momentum|^2 + (1 - beta1)^2 |gradients|^2)",
        stated(
            ("|eta*(momentum + (1 - beta1)*gradients)|^2 <= 2*eta^2*(|momentum|^2 + (1 - beta1)^2*|gradients|^2)"),
            letters=("families momentum, gradients",),
        ),
        ("means over clients",),
        steps=("fedlalr.lemma27-206", "fedlalr.lemma6"),
    ),
    Claim(
        "fedlalr.lemma27-214",
        "the momentum that a round starts from, at the clients' steps; n = k - 1 terms",
        "Lemmas 27 and 37, eq. (209)-(214), (332)-(337), l.1122-1132, l.1615-1625",
        "|mean theta - theta_i| <= 1/eps; |sum_kappa beta1^kappa m_0 (mean theta - theta_i)|^2 <= K^2 d G_inf^2/eps^2",
        stated(
            "(average - own)^2 <= 1/eps^2 if own <= 1/eps, average <= 1/eps",
            "power^2*norm*gap^2 <= d*G_inf^2/eps^2 if power <= 1, norm <= d*G_inf^2, gap <= 1/eps",
            "|n*mean(z)|^2 <= n*n*|z|^2",
            "n^2*each <= K^2*d*G_inf^2/eps^2 if each <= d*G_inf^2/eps^2, n <= K",
            letters=(
                "gap > 0",
                "average, each, n, norm, own, power >= 0",
                "families z",
            ),
        ),
        (STEPS, "n <= K", "`inner` is the mean over the local steps"),
        steps=("fedlalr.lemma6", "fedlalr.lemma8", "fedlalr.lemma3", "fedlalr.lemma5-upper"),
    ),
    Claim(
        "fedlalr.lemma27-222",
        "the gradients of a round, with the factor kappa that (217) leaves out",
        "Lemmas 27 and 37, eq. (215)-(222), (338)-(345), l.1138-1152, l.1631-1645",
        "|sum_kappa sum_kappa' beta1^(kappa-kappa') (mean - own)|^2 <= K^4 4 d G_inf^2/eps^2",
        stated(
            "|z - mean(z)|^2 <= 2*|mean(z)|^2 + 2*|z|^2",
            "power^2*2*(size + size) <= 4*d*G_inf^2/eps^2 if power <= 1, size <= d*G_inf^2/eps^2",
            "k*kappa <= K^2 if k <= K, kappa <= K",
            "|n*mean(z)|^2 <= n*n*|z|^2",
            "n^2*each <= (K^2)^2*4*size if each <= 4*size, n <= K^2",
            letters=(
                "each, k, kappa, n, power, size >= 0",
                "families z",
            ),
        ),
        (STEPS, "k - 1, kappa <= K", "`inner` is the mean over the local steps, then over the clients"),
        steps=("fedlalr.term-217", "fedlalr.lemma6", "fedlalr.step-size"),
    ),
    Claim(
        "fedlalr.lemma27",
        "distance of the clients from their mean",
        "Lemmas 27 and 37, eq. (202), (325), l.1096, l.1582",
        "mean |xbar - X_i|^2 <= 2 eta^2 K^2 size + 8 eta^2 K^4 (1 - beta1)^2 size",
        stated(
            "drift <= 2*eta^2*K^2*size + 8*eta^2*K^4*(1 - beta1)^2*size",
            given=(
                "drift <= 2*eta^2*(first + (1 - beta1)^2*second)",
                "first <= K^2*size",
                "second <= 4*K^4*size",
                "beta1 < 1",
            ),
            letters=("drift, first, second, size >= 0",),
        ),
        (SIZE, "beta1 < 1"),
        steps=("fedlalr.lemma27-208", "fedlalr.lemma27-214", "fedlalr.lemma27-222"),
    ),
    Claim(
        "fedlalr.lemma28",
        "the same for restarted momentum, where the first term vanishes",
        "Lemma 28, eq. (223), l.1198",
        "mean |xbar - X_i|^2 <= 8 eta^2 K^4 (1 - beta1)^2 size",
        stated(
            "drift <= 8*eta^2*K^4*(1 - beta1)^2*size",
            given=(
                "drift <= 2*eta^2*(first + (1 - beta1)^2*second)",
                "first <= 0*K^2*size",
                "second <= 4*K^4*size",
                "beta1 < 1",
            ),
            letters=("drift, first, second, size >= 0",),
        ),
        (SIZE, "m_0 = 0", "beta1 < 1"),
        steps=("fedlalr.lemma27-208", "fedlalr.lemma27-222"),
    ),
    Claim(
        "fedlalr.lemma28-sharp",
        "half of it, as one term needs no Young inequality",
        "Lemma 28, eq. (223), l.1198",
        "mean |xbar - X_i|^2 <= 4 eta^2 K^4 (1 - beta1)^2 size",
        stated(
            "drift <= 4*eta^2*K^4*(1 - beta1)^2*size",
            given=(
                "drift <= eta^2*(first + (1 - beta1)^2*second)",
                "first <= 0*K^2*size",
                "second <= 4*K^4*size",
                "beta1 < 1",
            ),
            letters=("drift, first, second, size >= 0",),
        ),
        (SIZE, "m_0 = 0", "beta1 < 1"),
        steps=("fedlalr.lemma27-206", "fedlalr.lemma27-222"),
    ),
    Claim(
        "fedlalr.drift-direct",
        "the distance from the start of the round instead: n = k - 1 steps",
        "repair of Lemma 27",
        "mean |xbar - X_i|^2 <= mean |x_t - X_i|^2 <= eta^2 (k - 1)^2 d G_inf^2/eps^2",
        stated(
            "|deviation(moved)|^2 <= |moved|^2",
            "eta^2*n^2*size <= eta^2*n^2*d*G_inf^2/eps^2 if size <= d*G_inf^2/eps^2",
            "|n*mean(z)|^2 <= n^2*|z|^2",
            letters=(
                "n, size >= 0",
                "families moved, z",
            ),
        ),
        (SIZE, "`inner` is the mean over clients, then over the local steps"),
        steps=("fedlalr.step-size", "fedlalr.lemma6"),
    ),
)
