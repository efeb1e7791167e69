"""FedLALR, Theorem 1: collection of the terms A1 to A4 and B1 to B8, powers of eps, and units."""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

CLAIMS = (
    Claim(
        "fedlalr.term-b6",
        "the squared mean gradient drops out at lambda^2 = mu = 4",
        "Theorem 1, l.472",
        "1/8 - 1/2 + (1 + 1/4) 2 L eta/eps <= 0",
        stated(
            "1/8 - 1/2 + (1 + 1/4)*2*L*eta/eps <= 0",
            given=("L*eta <= 3/20*eps",),
        ),
        ("eta <= 3 eps/(20 L)",),
        steps=("fedlalr.lemma9", "fedlalr.lemma10"),
    ),
    Claim(
        "fedlalr.term-b5",
        "coefficient of the change of the second moment",
        "eq. (27)-(28), l.440",
        "1/2 + beta1/(2 (1 - beta1)) = 1/(2 (1 - beta1))",
        stated(
            "1/2 + beta1/(2*(1 - beta1)) = 1/(2*(1 - beta1))",
        ),
    ),
    Claim(
        "fedlalr.merge-25-26-printed",
        "the terms of A1.2 and A4 merged into one coefficient",
        "eq. (25)-(26), l.432-436",
        "1/2 + beta1/(1 - beta1) <= (2 - beta1)/(2 (1 - beta1))",
        stated(
            "1/2 + beta1/(1 - beta1) <= (2 - beta1)/(2*(1 - beta1))",
            given=("beta1 < 1",),
        ),
        ("beta1 < 1",),
        repaired_by="fedlalr.merge-25-26",
    ),
    Claim(
        "fedlalr.merge-25-26",
        "the exact sum, and the final constant it needs over a round",
        "eq. (25)-(26), l.432-436",
        "1/2 + beta1/(1 - beta1) = (1 + beta1)/(2 (1 - beta1)); K + beta1/(1 - beta1) <= K (2 - beta1)/(1 - beta1)",
        stated(
            "1/2 + beta1/(1 - beta1) = (1 + beta1)/(2*(1 - beta1))",
            "K + beta1/(1 - beta1) <= K*(2 - beta1)/(1 - beta1)",
            given=(
                "beta1 < 1",
                "K >= 1",
            ),
        ),
        ("beta1 < 1", "K >= 1"),
    ),
    Claim(
        "fedlalr.eps-24-25-printed",
        "power of eps in the smoothness term when (24) becomes (25)",
        "eq. (24)-(25), l.430",
        "2 eta L^2/eps <= 2 eta L^2/eps^2",
        stated(
            "2*eta*L^2/eps <= 2*eta*L^2/eps^2",
        ),
        ("lambda^2 = 4",),
        repaired_by="fedlalr.eps-24-25",
    ),
    Claim(
        "fedlalr.eps-24-25",
        "power of eps in the smoothness term and in the final eta^2 term",
        "eq. (24)-(37)",
        "(2 L^2/eps)(eta beta1 G_inf/((1 - beta1) eps))^2 d = 2 eta^2 L^2 beta1^2 G_inf^2 d/((1 - beta1)^2 eps^3)",
        stated(
            ("2*L^2/eps*(eta*beta1*G_inf/((1 - beta1)*eps))^2*d = 2*(eta*L*beta1*G_inf)^2*d/((1 - beta1)^2*eps^3)"),
        ),
        ("lambda^2 = 4", "Lemma 26"),
        steps=("fedlalr.lemma9", "fedlalr.lemma26"),
    ),
    Claim(
        "fedlalr.theorem1-units-printed",
        "f -> scale f leaves the trajectory unchanged, so every term must scale like scale^2",
        "Theorem 1, l.177, eta^2 term",
        "2 G_inf eta^2 L^2 G_inf^2/eps^4 is homogeneous of degree 2 in (G_inf, L, eps)",
        stated(
            "2*scale*G_inf^3*L^2*eta^2/eps^4 = 2*G_inf^3*L^2*eta^2*scale^2/eps^4",
            letters=("scale > 0",),
        ),
        repaired_by="fedlalr.theorem1-units",
    ),
    Claim(
        "fedlalr.theorem1-units",
        "the same with eps^3",
        "Theorem 1, l.177, eta^2 term",
        "2 G_inf eta^2 L^2 G_inf^2/eps^3 is homogeneous of degree 2 in (G_inf, L, eps)",
        stated(
            "2*G_inf^3*L^2*eta^2*scale^2/eps^3 = 2*G_inf^3*L^2*eta^2*scale^2/eps^3",
            letters=("scale > 0",),
        ),
    ),
    Claim(
        "fedlalr.lemma5-printed",
        "lower bound of the adaptive step without a relation between eps and G_inf",
        "Lemma 5, l.758",
        "1/G_inf <= 1/sqrt(v)",
        stated(
            "1/G_inf <= 1/sqrt(v)",
            given=(
                "v >= eps^2",
                "v <= max(G_inf^2, eps^2)",
            ),
            letters=("v > 0",),
        ),
        ("eps^2 <= v <= max(G_inf^2, eps^2)",),
        repaired_by="fedlalr.lemma5",
    ),
    Claim(
        "fedlalr.lemma5",
        "lower bound of the adaptive step",
        "Lemma 5, l.758",
        "1/G_inf <= 1/sqrt(v)",
        stated(
            "1/G_inf <= 1/sqrt(v)",
            given=(
                "v >= eps^2",
                "v <= max(G_inf^2, eps^2)",
                "eps <= G_inf",
            ),
            letters=("v > 0",),
        ),
        ("eps^2 <= v <= max(G_inf^2, eps^2)", "unstated: eps <= G_inf"),
        steps=("fedlalr.lemma4",),
    ),
    Claim(
        "fedlalr.term-b4-32-printed",
        "Lemma 19 inserted with G_inf - eps in place of the difference of squares",
        "eq. (32), l.462, and (266), l.1394",
        "2 (N - 1) K d (G_inf^2 - eps^2)/N <= 2 (N - 1) K d (G_inf - eps)/N",
        stated(
            "2*(N - 1)*K*d*(G_inf^2 - eps^2)/N <= 2*(N - 1)*K*d*(G_inf - eps)/N",
            given=(
                "eps <= G_inf",
                "N >= 1",
                "K >= 1",
                "d >= 1",
            ),
        ),
        ("eps <= G_inf", "N, K, d >= 1"),
        repaired_by="fedlalr.term-b4-32",
        steps=("fedlalr.lemma19",),
    ),
    Claim(
        "fedlalr.term-b4-32",
        "Lemma 19 inserted",
        "eq. (32), l.462, and (266), l.1394",
        "2 (N - 1) K d (G_inf^2 - eps^2)/N <= 2 K d (G_inf^2 - eps^2)",
        stated(
            "2*(N - 1)*K*d*(G_inf^2 - eps^2)/N <= 2*K*d*(G_inf^2 - eps^2)",
            given=(
                "eps <= G_inf",
                "N >= 1",
                "K >= 1",
                "d >= 1",
            ),
        ),
        ("eps <= G_inf", "N, K, d >= 1"),
        steps=("fedlalr.lemma19",),
    ),
    Claim(
        "fedlalr.term-b7-34-printed",
        "Lemma 25 gives the last constant of (34)",
        "eq. (34), l.476, and (268), l.1409",
        "2 N (2 N - 1)/N <= 2 N",
        stated(
            "2*(2*N - 1) <= 2*N",
            given=("N >= 1",),
        ),
        ("N >= 1",),
        repaired_by="fedlalr.term-b7-34",
        steps=("fedlalr.lemma25",),
    ),
    Claim(
        "fedlalr.term-b7-34",
        "the sum of jumps of Lemma 20, each at most G_inf^2 - eps^2, gives the constant of (34)",
        "eq. (34), l.476, and (268), l.1409",
        "(3 N - 2)/N <= 2 N",
        stated(
            "(3*N - 2)/N <= 2*N",
            given=("N >= 1",),
        ),
        ("N >= 1",),
        steps=("fedlalr.lemma20", "fedlalr.squares-sharp"),
    ),
    Claim(
        "fedlalr.term-b7-speedup",
        "the same sum stays below N for whole numbers of clients",
        "eq. (36)-(37), l.488",
        "(3 N - 2)/N <= N",
        stated(
            "(3*N - 2)/N <= N",
            given=("N = 1 or N >= 2",),
        ),
        ("N = 1 or N >= 2",),
    ),
    Claim(
        "fedlalr.term-b3-31-printed",
        "Lemma 27 inserted without the dimension in its first term",
        "eq. (31), l.456, and (265), l.1386, with (202)",
        "2 K^2 d (1 + 4 K^2 (1 - beta1)^2) <= 2 K^2 (1 + 4 K^2 (1 - beta1)^2 d)",
        stated(
            "2*K^2*d*(1 + 4*K^2*(1 - beta1)^2) <= 2*K^2*(1 + 4*K^2*(1 - beta1)^2*d)",
            given=(
                "K >= 1",
                "d >= 1",
                "beta1 < 1",
            ),
        ),
        ("K, d >= 1", "beta1 < 1"),
        repaired_by="fedlalr.term-b3-31",
        steps=("fedlalr.lemma27",),
    ),
    Claim(
        "fedlalr.term-b3-31",
        "mean squared drift from the direct bound |x_k - x_1| <= eta (k - 1) sqrt(d) G_inf/eps",
        "repair of eq. (31)",
        "(1/K) sum_(k<=K) (k - 1)^2 = (K - 1)(2 K - 1)/6",
        stated(
            "(K - 1 + 1 + (K + 1)^3/3 + (K + 1)/6 + K + 1 - (K + 1)^2 - (K + 1)^2/2)/K = (K - 1)*(2*K - 1)/6",
        ),
    ),
    Claim(
        "fedlalr.theorem1-36",
        "coefficients of the squared jumps and of the noise at lambda^2 = mu = 4",
        "eq. (36), l.488",
        "5 L G_inf^2 (2 beta1^2 + (1 - beta1)^2)/(16 eps^6 (1 - beta1)^2) and 5 L d sigma^2/(4 eps^2 N)",
        stated(
            (
                "5*L/2*(beta1/(1 - beta1))^2*G_inf^2/(4*eps^6) + (1 + 1/4)*L/2*G_inf^2/(2*eps^6) = "
                "5*L*G_inf^2*(2*beta1^2 + (1 - beta1)^2)/(16*eps^6*(1 - beta1)^2)"
            ),
            "(1 + 1/4)*L/2*2*d*sigma^2/(N*eps^2) = 5*L*d*sigma^2/(4*eps^2*N)",
        ),
        steps=("fedlalr.lemma10", "fedlalr.remark5", "fedlalr.term-b6"),
    ),
    Claim(
        "fedlalr.corollary1-step-printed",
        "first term of the corollary for every step below the cap",
        "eq. (38), l.494, and (272), l.1425",
        "1/(eta K T) <= 1/sqrt(N K T)",
        stated(
            "1/(eta*K*T) <= 1/sqrt(N*K*T)",
            given=(
                "eta <= sqrt(N/(K*T))",
                "N >= 1",
                "K >= 1",
                "T >= 1",
            ),
        ),
        ("eta <= sqrt(N/(K T))",),
        repaired_by="fedlalr.corollary1-step",
    ),
    Claim(
        "fedlalr.corollary1-step",
        "first term of the corollary at the cap",
        "eq. (38), l.494, and (272), l.1425",
        "1/(eta K T) <= 1/sqrt(N K T)",
        stated(
            "1/(eta*K*T) <= 1/sqrt(N*K*T)",
            given=(
                "eta = sqrt(N/(K*T))",
                "N >= 1",
                "K >= 1",
                "T >= 1",
            ),
        ),
        ("eta = sqrt(N/(K T))",),
    ),
)
