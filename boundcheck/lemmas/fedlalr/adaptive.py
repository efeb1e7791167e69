"""FedLALR, Theorem 2 and Remark 4: intervals K_t that vary.

Lemmas 31, 33, 35, 36 and 37 are Lemmas 18, 20, 25, 26 and 27 with other names for the steps.  `K_max` is the largest
K_t, and K_(T-1) when they do not decrease; `sum_K` is the number of local steps in all.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

GROWING = "unstated: K_t does not decrease, or K_max for K_(T-1)"


CLAIMS = (
    Claim(
        "fedlalr.lemma32-286-printed",
        "the interval of the last round for the largest one, in two rounds",
        "Lemmas 32 and 34, eq. (286), (303), step (c), l.1471, l.1517",
        "K_0 x + K_1 y <= K_1 (x + y)",
        stated(
            "K_0*x + K_1*y <= K_1*(x + y)",
            given=(
                "K_0 >= 1",
                "K_1 >= 1",
            ),
            letters=(
                "K_0, K_1 > 0",
                "x, y >= 0",
            ),
        ),
        ("K_0, K_1 >= 1", "x, y >= 0 are the increments of the two rounds"),
        repaired_by="fedlalr.lemma32",
    ),
    Claim(
        "fedlalr.lemma32",
        "the spread summed over all steps: one more round of K_t steps, and the end",
        "Lemma 32, eq. (283)-(286), l.1461-1471",
        "total + K_t each <= 2 (N - 1) K_max (end - eps^2) <= 2 (N - 1) K_max D",
        stated(
            (
                "total + K_t*each <= 2*(N - 1)*K_max*(end - eps^2) if total <= 2*(N - 1)*K_max*(start - eps^2), "
                "each <= 2*(N - 1)*(end - start), N >= 1, K_t <= K_max, start <= end"
            ),
            "2*(N - 1)*K_max*(end - eps^2) <= 2*(N - 1)*K_max*(G_inf^2 - eps^2) if end <= G_inf^2, N >= 1",
            letters=(
                "end, K_t, start > 0",
                "each, total >= 0",
            ),
        ),
        ("total <= 2 (N - 1) K_max (start - eps^2)", "each <= 2 (N - 1)(end - start)", GROWING),
        steps=("fedlalr.lemma18", "fedlalr.lemma17", "fedlalr.lemma4"),
    ),
    Claim(
        "fedlalr.lemma34",
        "squares of the spread: one more round of K_t steps, and the end; norms of all coordinates are meant",
        "Lemma 34, eq. (300)-(304), l.1509-1519",
        "total + K_t each^2 <= 4 K_max (N - 1)^2 (reached + jump)^2 <= 4 K_max (N - 1)^2 D^2",
        stated(
            (
                "total + K_t*each^2 <= 4*K_max*(N - 1)^2*(reached + jump)^2 if total <= 4*K_max*(N - "
                "1)^2*reached^2, each <= 2*(N - 1)*jump, K_t <= K_max, N >= 1"
            ),
            "4*K_max*(N - 1)^2*reached^2 <= 4*K_max*(N - 1)^2*D^2 if reached <= D",
            letters=(
                "K_t > 0",
                "D, each, jump, reached, total >= 0",
            ),
        ),
        (
            "each <= 2 (N - 1) jump",
            "total <= 4 K_max (N - 1)^2 reached^2",
            "reached <= D, in d coordinates d D",
            GROWING,
        ),
        steps=("fedlalr.lemma18", "fedlalr.lemma16-145", "fedlalr.lemma4"),
    ),
    Claim(
        "fedlalr.lemma35-printed",
        "squares of the sum over coordinates in the place of squared norms; N = K = T = 1, every coordinate jumps by D",
        "Lemma 35, eq. (305), l.1525",
        "(d D)^2 <= 2 d D^2",
        stated(
            "(d*D)^2 <= 2*d*D^2",
            given=("d >= 1",),
            letters=("D >= 0",),
        ),
        ("d >= 1",),
        repaired_by="fedlalr.lemma25",
    ),
    Claim(
        "fedlalr.term-340-printed",
        "the number of terms with all rounds subtracted",
        "Lemma 37, eq. (340), l.1635",
        "0 <= r - 1 - sum_(tau<=T-1) K_tau",
        stated(
            "0 <= k - 1 - later - K_t",
            given=(
                "k >= 1",
                "k <= K_t",
            ),
            letters=(
                "k, K_t > 0",
                "later >= 0",
            ),
        ),
        ("r = sum_(tau<t) K_tau + k", "1 <= k <= K_t"),
        repaired_by="fedlalr.term-340",
    ),
    Claim(
        "fedlalr.term-340",
        "the number of terms with the rounds before subtracted",
        "Lemma 37, eq. (339)-(341), l.1633-1637",
        "0 <= r - 1 - sum_(tau<t) K_tau <= K_t - 1",
        stated(
            "0 <= k - 1 <= K_t - 1",
            given=(
                "k >= 1",
                "k <= K_t",
            ),
            letters=("k, K_t > 0",),
        ),
        ("r = sum_(tau<t) K_tau + k", "1 <= k <= K_t"),
    ),
    Claim(
        "fedlalr.theorem2-271",
        "(262) with the bounds of B1 to B8 inserted as printed",
        "Theorem 2, eq. (260)-(271), l.1357-1421",
        "B1 + .. + B8 without B6 = (37) with sum_K for K T and K_max for K",
        stated(
            (
                "Delta/(eta*sum_K) + 4*L^2/(2*eps^2)*eta^2*beta1^2*G_inf^2*d/((1 - beta1)^2*eps^2) + "
                "L^2/(2*eps^2)*2*K_max^2*G_inf^2*eta^2/eps^2*(1 + 4*K_max^2*(1 - beta1)^2*d) + (2 - "
                "beta1)*G_inf^2/(2*(1 - beta1)*eps^3)*2*K_max*d*(G_inf^2 - eps^2)/sum_K + G_inf^2/(2*eps^3*(1 - "
                "beta1))*3*d*(G_inf^2 - eps^2)/sum_K + (L/2*5*beta1^2/(1 - beta1)^2*G_inf^2/(4*eps^6) + "
                "5/4*L/2*G_inf^2/(2*eps^6))*2*eta*N*d*(G_inf^2 - eps^2)^2/sum_K + "
                "5/4*L/2*(G_inf^2/eps^6*4*K_max*eta*N*d^2*(G_inf^2 - eps^2)^2/sum_K + 2*d*eta*sigma^2/(N*eps^2)) "
                "= Delta/(eta*sum_K) + 5/4*L*d*sigma^2*eta/(eps^2*N) + (2*L^2*beta1^2*G_inf^2*d/((1 - "
                "beta1)^2*eps^4) + K_max^2*L^2*G_inf^2/eps^4*(1 + 4*K_max^2*(1 - beta1)^2*d))*eta^2 + ((2 - "
                "beta1)*G_inf^2*K_max*d*(G_inf^2 - eps^2)/((1 - beta1)*eps^3) + 3*d*(G_inf^2 - "
                "eps^2)*G_inf^2/(2*eps^3*(1 - beta1)))/sum_K + (5*L*G_inf^2*d*(G_inf^2 - eps^2)^2/(8*eps^6*(1 - "
                "beta1)^2)*(2*beta1^2 + (1 - beta1)^2) + 5*L*K_max*G_inf^2*d^2*(G_inf^2 - "
                "eps^2)^2/(2*eps^6))*eta*N/sum_K"
            ),
        ),
        ("lambda^2 = mu = 4", GROWING),
        steps=(
            "fedlalr.theorem1-37",
            "fedlalr.lemma32-286-printed",
            "fedlalr.lemma34",
            "fedlalr.lemma35-printed",
            "fedlalr.lemma27",
            "fedlalr.term-340",
        ),
    ),
    Claim(
        "fedlalr.theorem2-272",
        "the step inserted into (271), with u for it, so that sum_K = N/u^2",
        "Theorem 2, eq. (272)-(280), l.1425-1443",
        "2 G_inf (271) = C1 u/N + u^2 (C21 + C22 K_max^2 + C23 K_max^4) + (u^2/N)(C31 K_max + C32)"
        " + u^3 (C41 + C42 K_max)",
        stated(
            (
                "2*G_inf*(u^2*(G_inf^2*K_max^2*L^2*(1 + 4*d*K_max^2*(1 - beta1)^2)/eps^4 + "
                "2*d*G_inf^2*L^2*beta1^2/(eps^4*(1 - beta1)^2)) + u^3*(5*K_max*L*G_inf^2*d^2*(G_inf^2 - "
                "eps^2)^2/(2*eps^6) + 5*L*d*G_inf^2*(G_inf^2 - eps^2)^2*((1 - beta1)^2 + 2*beta1^2)/(8*eps^6*(1 "
                "- beta1)^2)) + Delta*u/N + u^2*(3*d*G_inf^2*(G_inf^2 - eps^2)/(2*eps^3*(1 - beta1)) + "
                "K_max*d*G_inf^2*(2 - beta1)*(G_inf^2 - eps^2)/(eps^3*(1 - beta1)))/N + "
                "5*L*d*u*sigma^2/(4*N*eps^2)) = u^2*(2*G_inf^3*K_max^2*L^2/eps^4 + "
                "4*d*G_inf^3*L^2*beta1^2/(eps^4*(1 - beta1)^2) + 8*d*G_inf^3*K_max^4*L^2*(1 - beta1)^2/eps^4) + "
                "u^3*(5*K_max*L*G_inf^3*d^2*(G_inf^2 - eps^2)^2/eps^6 + 5*L*d*G_inf^3*(G_inf^2 - eps^2)^2*((1 - "
                "beta1)^2 + 2*beta1^2)/(4*eps^6*(1 - beta1)^2)) + u^2*(3*d*G_inf^3*(G_inf^2 - eps^2)/(eps^3*(1 - "
                "beta1)) + 2*K_max*d*G_inf^3*(2 - beta1)*(G_inf^2 - eps^2)/(eps^3*(1 - beta1)))/N + "
                "2*G_inf*u*(Delta + 5*L*d*sigma^2/(4*eps^2))/N"
            ),
            letters=("u > 0",),
        ),
        ("eta = sqrt(N/sum_K) = u",),
        steps=("fedlalr.theorem2-271", "fedlalr.corollary1-step"),
    ),
    Claim(
        "fedlalr.theorem2-order",
        "from which number of steps on the first term dominates; n^2 = N, y^2 = sum_K, and K_max for its powers",
        "Theorem 2, l.1447, from eq. (272), l.1425",
        "C2 K_max^4 N/sum_K, C3 K_max/sum_K and C4 K_max (N/sum_K)^1.5 are at most C1/sqrt(N sum_K)",
        stated(
            "C2*K_max^4*n^2/y^2 <= C1/(n*y) if C1*y >= n^3*K_max^4*C2",
            "C3*K_max/y^2 <= C1/(n*y) if C1*y >= n*K_max*C3",
            "C4*K_max*n^3/y^3 <= C1/(n*y) if C1*y^2 >= n^4*K_max*C4",
            letters=("C1, C2, C3, C4, n, y > 0",),
        ),
        ("unstated: sum_K >= N^3 K_max^8 (C2/C1)^2, N K_max^2 (C3/C1)^2 and N^2 K_max C4/C1",),
    ),
    Claim(
        "fedlalr.theorem2R-collect",
        "the averages over sum_K steps inserted into `rest`; drift_steps is the mean of (k - 1)^2",
        "Theorem 2, eq. (271), l.1421",
        "rest/eta = the bracket of the repaired Theorem 1 with sum_K for K T, K_max for K,"
        " drift_steps for (K - 1)(2 K - 1)/6",
        stated(
            (
                "(eta*G_inf^2*(D*d*(3*N - 2)/(N*eps^3*sum_K) + D*K_max*d*(2*N - 2)/(N*eps^3*sum_K))/2 + "
                "eta*L^2*(d*drift_steps*G_inf^2*eta^2/eps^3 + 4*d*G_inf^2*beta1^2*eta^2/(eps^3*(1 - beta1)^2))/2 "
                "+ 5*L*eta^2*(2*sigma^2/(N*eps^2) + d*D^2*G_inf^2*(3*N - 2)/(2*N*eps^6*sum_K) + "
                "K_max*d*D^2*G_inf^2*(2*N - 2)/(N*eps^6*sum_K))/8 + D*beta1*d*eta*G_inf^2*(3*N - "
                "2)/(2*N*eps^3*sum_K*(1 - beta1)) + 5*L*d*D^2*G_inf^2*beta1^2*eta^2*(3*N - "
                "2)/(4*N*eps^6*sum_K*(1 - beta1)^2))/eta = eta^2*(d*drift_steps*G_inf^2*L^2/(2*eps^3) + "
                "2*d*G_inf^2*L^2*beta1^2/(eps^3*(1 - beta1)^2)) + 5*L*eta*sigma^2/(4*N*eps^2) + "
                "D*d*G_inf^2*(K_max*(N - 1)/N + (3*N - 2)/(2*N*(1 - beta1)))/(eps^3*sum_K) + "
                "L*d*eta*D^2*G_inf^2*((3*N - 2)*(5/16 + 5*beta1^2/(4*(1 - beta1)^2))/N + 5*K_max*(N - "
                "1)/(4*N))/(eps^6*sum_K)"
            ),
            letters=("D >= 0",),
        ),
        ("D = G_inf^2 - eps^2", "Lemmas 26 and 32"),
        steps=(
            "fedlalr.lemma26",
            "fedlalr.drift-direct",
            "fedlalr.lemma32",
            "fedlalr.theorem1R-jumps",
            "fedlalr.squares-sharp",
        ),
    ),
    Claim(
        "fedlalr.theorem2R",
        "Theorem 2 repaired: the steps added up",
        "Theorem 2, eq. (271), l.1421, repaired",
        "average |grad f(xbar)|^2 <= 2 G_inf (Delta/(eta sum_K) + bracket)",
        stated(
            "average <= 2*G_inf*(Delta/(eta*sum_K) + bracket)",
            given=(
                "eta*sum_K*average <= 2*G_inf*(drop + total)",
                "drop <= Delta",
                "total <= eta*sum_K*bracket",
            ),
            letters=("average, bracket, drop, total >= 0",),
        ),
        ("eta <= 3 eps/(20 L)", "unstated: eps <= G_inf", "unstated: the noises of the clients are independent"),
        steps=("fedlalr.theorem1R-step", "fedlalr.theorem2R-collect", "fedlalr.term-b1-29"),
    ),
    Claim(
        "fedlalr.interval-printed",
        "the interval of Remark 4 has a local step in every round",
        "Theorem 2, l.208, and Remark 4, l.214, l.1651",
        "1 <= ln t",
        stated(
            "1 <= log(t) for t >= 1",
            letters=("t > 0",),
        ),
        ("t >= 1",),
        repaired_by="fedlalr.interval",
    ),
    Claim(
        "fedlalr.interval",
        "an interval of the same order that has one, and does not decrease",
        "Theorem 2, l.208, and Remark 4, l.214, l.1651",
        "1 <= 1 + ln t <= 1 + ln(t + 1)",
        stated(
            "1 <= 1 + log(t) for t >= 1",
            "1 + log(t) <= 1 + log(t + 1) for t >= 1",
            letters=("t > 0",),
        ),
        ("t >= 1",),
    ),
    Claim(
        "fedlalr.interval-window-printed",
        "K_t = 4 + ceil(log2 t) is 10 in rounds 64 to 100",
        "Experiments, l.280-285",
        "t <= 2^6",
        stated(
            "t <= 64",
            given=(
                "t >= 64",
                "t <= 100",
            ),
            letters=("t > 0",),
        ),
        ("64 <= t <= 100",),
        repaired_by="fedlalr.interval-window",
    ),
    Claim(
        "fedlalr.interval-window",
        "K_t = 4 + floor(log2 t) is 10 in rounds 64 to 100",
        "Experiments, l.280-285",
        "2^6 <= t < 2^7",
        stated(
            "64 <= t <= 127",
            given=(
                "t >= 64",
                "t <= 100",
            ),
            letters=("t > 0",),
        ),
        ("64 <= t <= 100",),
    ),
    Claim(
        "fedlalr.remark4-346",
        "sum of logarithms against the integral, step by step",
        "Remark 4, eq. (346), l.1653",
        "ln t <= (t + 1) ln(t + 1) - t ln t - 1 <= ln(t + 1)",
        stated(
            "log(t) <= (t + 1)*log(t + 1) - t*log(t) - 1 for t >= 1",
            "(t + 1)*log(t + 1) - t*log(t) - 1 <= log(t + 1) for t >= 1",
            letters=("t > 0",),
        ),
        ("t >= 1",),
    ),
    Claim(
        "fedlalr.remark4",
        "the Lambert W function inverts x ln x",
        "Remark 4, l.214",
        "x ln x = v for x = v/W(v), with v = w e^w, w = W(v); N x = 1/(eps_acc^2 W) for v = 1/(N eps_acc^2)",
        stated(
            "w*exp(w)/w*log(w*exp(w)/w) = w*exp(w)",
            "N*1/(N*eps_acc^2)/w = 1/(eps_acc^2*w)",
            letters=("w > 0",),
        ),
        ("w > 0",),
        steps=("fedlalr.remark4-346",),
    ),
)
