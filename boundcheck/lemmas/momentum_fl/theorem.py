"""Momentum-FL, Theorems 11, 15, 19 and 22: assembly constants, closed forms, and the rates that fail.

The closed forms are stated per unit of their second term: with A = L Delta/T, each parameter beta enters through a
root ``y`` that is the smallest of roots belonging to its caps, so that the whole substitution is one inequality.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

_HUBER = (
    "sigma = 0, N = S = K = 1, L = G = 1",
    "f Huber, x_0 = gamma T + 1: gradient descent keeps |grad f| = 1 for T rounds",
    "Delta = gamma T + 1/2",
    "T >= 11",
)

CLAIMS = (
    Claim(
        "momentum-fl.theorem11-telescoped",
        "summed recursion solved for the estimator error",
        "Theorem 11, l.581-590",
        "errors <= (9/(7 beta)) (first + rest)",
        stated(
            "errors <= 9/(7*beta)*(first + rest)",
            given=(
                "beta <= 1",
                "errors <= (1 - 7*beta/9)*(errors + first) + rest",
            ),
            letters=("errors, first, rest >= 0",),
        ),
        ("errors <= (1 - 7 beta/9)(errors + first) + rest", "beta <= 1"),
    ),
    Claim(
        "momentum-fl.theorem11-share",
        "what is left of the squared gradients in the first, a middle and the last round",
        "Theorem 11, l.597-605",
        "11/24 - 2 (13/24)(2/7) = 25/168; 11/24 - (13/24)(2/7) = 17/56; all at least 1/7",
        stated(
            "25/168 = 25/168",
            "17/56 = 17/56",
            "1/7 <= 25/168",
            "1/7 <= 17/56",
            "1/7 <= 11/24",
        ),
    ),
    Claim(
        "momentum-fl.eq4",
        "communication ratio of the two bounds, with N = n^3 and S = s^3",
        "eq. (4), l.263",
        "(1 + N^(2/3)/S)/(N/S)^(2/3) = (S/N)^(2/3) + S^(-1/3)",
        stated(
            "(1 + n^2/s^3)/(n^2/s^2) = s^2/n^2 + 1/s",
            letters=("n, s > 0",),
        ),
    ),
    Claim(
        "momentum-fl.faster-printed",
        "the ratio is at most 1 for every number of sampled clients, if that is what `unconditionally` means",
        "l.44, l.261 and l.325, with eq. (4)",
        "(S/N)^(2/3) + S^(-1/3) <= 1",
        stated(
            "(S/N)^(2/3) + S^(-1/3) <= 1",
            given=(
                "S >= 1",
                "S <= N",
            ),
        ),
        ("1 <= S <= N",),
        repaired_by="momentum-fl.faster",
    ),
    Claim(
        "momentum-fl.faster",
        "at S = N^(2/3) the ratio is 2/N^(2/9), at most 1 from N = 23 on",
        "l.44 and l.261, with eq. (4)",
        "(S/N)^(2/3) + S^(-1/3) = 2/n^2 <= 1 with N = n^9 and S = n^6",
        stated(
            "(n^6)^(-1/3) + (n^6/n^9)^(2/3) = 2/n^2",
            "(n^6)^(-1/3) + (n^6/n^9)^(2/3) <= 1",
            given=("n^9 >= 23",),
            letters=("n > 0",),
        ),
        ("unstated: N >= 23", "S = N^(2/3)"),
        steps=("momentum-fl.eq4",),
    ),
    Claim(
        "momentum-fl.theorem15-alt-printed",
        "second rate with beta = min(1/T, X), at the constant of the corrected theorem",
        "Theorem 15, l.746",
        "LHS = 1 <= 251 L Delta/T with gamma = 1/sqrt(54 T)",
        stated(
            "1 <= 251*(1/sqrt(54*T) + 1/(2*T))",
            given=("T >= 11",),
        ),
        _HUBER,
        repaired_by="momentum-fl.theorem15-alt",
    ),
    Claim(
        "momentum-fl.theorem15-alt-grows",
        "no constant can save it: the ratio LHS/(L Delta/T) is at least sqrt(T)",
        "Theorem 15, l.746",
        "sqrt(T) L Delta/T <= 1 = LHS with gamma = 1/sqrt(54 T)",
        stated(
            "sqrt(T)*(1/sqrt(54*T) + 1/(2*T)) <= 1",
            given=("T >= 11",),
        ),
        _HUBER,
        steps=("momentum-fl.huber-path",),
    ),
    Claim(
        "momentum-fl.theorem15-alt",
        "second rate with beta = min(c, max(1/T, X)): x^2 = X N K, rho^2 = N K/T, w^2 = c N K, y^2 = beta N K",
        "Theorem 15, l.783-788",
        "8 sqrt(54) x^3/y + (39/8) rho^4/y^2 + (39/2) y^2"
        " <= 58.79 x^3/w + 78.3 x^2 + (39/(8 c) + 39/2) rho^2, and 8/min(1/24, g) <= 192 + 8/g",
        stated(
            "8/min(1/24, g) <= 192 + 8/g",
            "24*sqrt(6) <= 5879/100",
            (
                "5879/100*x^3/w + 39/8*rho^4/w^2 + 39/2*w^2 <= 5879/100*x^3/w + 783/10*x^2 + (39/8*inverse_c + "
                "39/2)*rho^2 if w <= rho, inverse_c >= 1, rho^2 <= inverse_c*w^2"
            ),
            (
                "5879/100*x^3/w + 39/8*rho^4/w^2 + 39/2*w^2 <= 5879/100*x^3/w + 783/10*x^2 + (39/8*inverse_c + "
                "39/2)*rho^2 if w <= x, inverse_c >= 1, rho^2 <= inverse_c*w^2"
            ),
            (
                "5879/100*x^3/rho + 39/8*rho^4/rho^2 + 39/2*rho^2 <= 5879/100*x^3/w + 783/10*x^2 + "
                "(39/8*inverse_c + 39/2)*rho^2 if x <= rho, rho <= w, inverse_c >= 1, rho^2 <= inverse_c*w^2"
            ),
            (
                "5879/100*x^3/x + 39/8*rho^4/x^2 + 39/2*x^2 <= 5879/100*x^3/w + 783/10*x^2 + (39/8*inverse_c + "
                "39/2)*rho^2 if rho <= x, x <= w, inverse_c >= 1, rho^2 <= inverse_c*w^2"
            ),
            letters=("g, inverse_c, w, x > 0",),
        ),
        ("unstated: max in place of min", "c <= 1", "T >= 1"),
        steps=("momentum-fl.theorem15-bound", "momentum-fl.start-noise"),
    ),
    Claim(
        "momentum-fl.theorem19-rate-printed",
        "rate with the initial heterogeneity G_0 inside beta, at the constant of the corrected theorem",
        "Theorem 19, l.881",
        "(1 - beta T)^2 <= (168 + 470 + 470 N^(2/3)/S) L Delta/T",
        stated(
            "(1 - 1/(1000*T)*T)^2 <= (638 + 235*2^(2/3))/(2*T)",
            given=("T >= 11",),
        ),
        (
            "sigma = 0, N = S = 2, K = L = 1, f_i = x^2/2 +- a x, x_0 = 1, Delta = 1/2, G_0 = 1 + a^2",
            "beta <= sqrt(L Delta S^2/(G_0 N)) <= 1/a with a = 1000 T, so x_t >= 1 - beta T",
            "T >= 11",
        ),
        repaired_by="momentum-fl.theorem19-rate",
    ),
    Claim(
        "momentum-fl.theorem19-rate-grows",
        "no constant can save it: the ratio LHS/((L Delta/T)(1 + N^(2/3)/S)) is at least 9 T/10",
        "Theorem 19, l.881",
        "beta T <= 1/1000 and (9 T/10)(L Delta/T)(1 + N^(2/3)/S) <= (1 - beta T)^2",
        stated(
            "beta*T <= 1/1000 if beta^2*(1 + a^2) <= 1, a >= 1000*T",
            "9/10*T*(1 + 2^(2/3)/2)/(2*T) <= (1 - beta*T)^2 if 1000*beta*T <= 1",
            letters=("a >= 0",),
        ),
        (
            "sigma = 0, N = S = 2, K = L = 1, f_i = x^2/2 +- a x, x_0 = 1, Delta = 1/2, G_0 = 1 + a^2",
            "beta <= sqrt(L Delta S^2/(G_0 N)), that is beta^2 (1 + a^2) <= 1, with a >= 1000 T",
        ),
        steps=("momentum-fl.frozen-path",),
    ),
    Claim(
        "momentum-fl.theorem19-rate",
        "rate without G_0 in beta: x^2 = sqrt(L Delta S K/(sigma^2 T)), k^2 = c, w^2 = S/N^(2/3), y^2 = beta",
        "Theorem 19, l.889-918",
        "7 x^2 max(24, 12/y^2, 65.727 y/w^3) + (39/4) x^2/y^2 + (585/4 + 390) y^2/x^2"
        " <= (168 + 469.9 (1/k^2 + 1/w^2)) x^2 + 1006.2",
        stated(
            (
                "7*x^2*max(12/y^2, 24, 65727/1000*y/w^3) + 39/4*x^2/y^2 + (585/4 + 390)*y^2/x^2 <= (168 + "
                "4699/10*(1/k^2 + 1/w^2))*x^2 + 10062/10"
            ),
            given=("y = min(k, w, x)",),
            letters=("k, w, x, y > 0",),
        ),
        ("unstated: beta = min(c, S/N^(2/3), sqrt(L Delta S K/(sigma^2 T)))", "y = min(k, w, x)"),
        steps=(
            "momentum-fl.theorem19-bound",
            "momentum-fl.theorem19-gamma",
            "momentum-fl.start-gap",
            "momentum-fl.start-noise",
        ),
    ),
    Claim(
        "momentum-fl.theorem22-alt-printed",
        "second rate with beta = min(1/T, Y), at the constant of the corrected theorem",
        "Theorem 22, l.1025",
        "LHS = 1 <= 450 L Delta/T with gamma = 1/sqrt(T)",
        stated(
            "1 <= 450*(1/sqrt(T) + 1/(2*T))",
            given=("T >= 11",),
        ),
        _HUBER,
        repaired_by="momentum-fl.theorem22-alt",
    ),
    Claim(
        "momentum-fl.theorem22-alt-grows",
        "no constant can save it: the ratio LHS/((L Delta/T)(1 + sqrt(N)/S)) is at least sqrt(T)/3",
        "Theorem 22, l.1025",
        "(sqrt(T)/3)(L Delta/T)(1 + sqrt(N)/S) <= 1 = LHS with gamma = 1/sqrt(T)",
        stated(
            "2*sqrt(T)/3*(1/sqrt(T) + 1/(2*T)) <= 1",
            given=("T >= 11",),
        ),
        _HUBER,
        steps=("momentum-fl.huber-path",),
    ),
    Claim(
        "momentum-fl.theorem22-alt",
        "second rate with beta = min(S/N, max(1/T, Y)): x^2 = Y S, rho^2 = S/T, w^2 = S^2/N, y^2 = beta S",
        "Theorem 22, l.1061-1065",
        "7 x max(24, sqrt(126)/y, 40.25 y/w^2) + (39/8) rho^4/(x y)^2 + (585/8) y^2 rho^4/(w^4 x^2)"
        " + (585/2) y^2/x^2 <= 168 x + 281.75 x/w + 647.3 + 370.55 rho^2/x^2",
        stated(
            "3*sqrt(14) <= 11225/1000",
            "39/8*rho^4/(x*y)^2 + 585/8*y^2*rho^4/(w^4*x^2) <= 78*rho^2/x^2 if rho <= y, y <= w",
            (
                "7*x*24 + 78*rho^2/x^2 + 585/2*w^2/x^2 <= 168*x + 28175/100*x/w + 6473/10 + 7411/20*rho^2/x^2 if "
                "w <= rho, rho <= w"
            ),
            (
                "7*x*11225/1000/w + 78*rho^2/x^2 + 585/2*w^2/x^2 <= 168*x + 28175/100*x/w + 6473/10 + "
                "7411/20*rho^2/x^2 if w <= rho, rho <= w"
            ),
            (
                "7*x*4025/100*w/w^2 + 78*rho^2/x^2 + 585/2*w^2/x^2 <= 168*x + 28175/100*x/w + 6473/10 + "
                "7411/20*rho^2/x^2 if w <= rho, rho <= w"
            ),
            (
                "7*x*24 + 78*rho^2/x^2 + 585/2*w^2/x^2 <= 168*x + 28175/100*x/w + 6473/10 + 7411/20*rho^2/x^2 if "
                "w <= x, rho <= w"
            ),
            (
                "7*x*11225/1000/w + 78*rho^2/x^2 + 585/2*w^2/x^2 <= 168*x + 28175/100*x/w + 6473/10 + "
                "7411/20*rho^2/x^2 if w <= x, rho <= w"
            ),
            (
                "7*x*4025/100*w/w^2 + 78*rho^2/x^2 + 585/2*w^2/x^2 <= 168*x + 28175/100*x/w + 6473/10 + "
                "7411/20*rho^2/x^2 if w <= x, rho <= w"
            ),
            (
                "7*x*24 + 78*rho^2/x^2 + 585/2*rho^2/x^2 <= 168*x + 28175/100*x/w + 6473/10 + 7411/20*rho^2/x^2 "
                "if x <= rho, rho <= w, rho <= w"
            ),
            (
                "7*x*11225/1000/rho + 78*rho^2/x^2 + 585/2*rho^2/x^2 <= 168*x + 28175/100*x/w + 6473/10 + "
                "7411/20*rho^2/x^2 if x <= rho, rho <= w, rho <= w"
            ),
            (
                "7*x*4025/100*rho/w^2 + 78*rho^2/x^2 + 585/2*rho^2/x^2 <= 168*x + 28175/100*x/w + 6473/10 + "
                "7411/20*rho^2/x^2 if x <= rho, rho <= w, rho <= w"
            ),
            (
                "7*x*24 + 78*rho^2/x^2 + 585/2*x^2/x^2 <= 168*x + 28175/100*x/w + 6473/10 + 7411/20*rho^2/x^2 if "
                "rho <= x, x <= w, rho <= w"
            ),
            (
                "7*x*11225/1000/x + 78*rho^2/x^2 + 585/2*x^2/x^2 <= 168*x + 28175/100*x/w + 6473/10 + "
                "7411/20*rho^2/x^2 if rho <= x, x <= w, rho <= w"
            ),
            (
                "7*x*4025/100*x/w^2 + 78*rho^2/x^2 + 585/2*x^2/x^2 <= 168*x + 28175/100*x/w + 6473/10 + "
                "7411/20*rho^2/x^2 if rho <= x, x <= w, rho <= w"
            ),
            letters=("w, x, y > 0",),
        ),
        ("unstated: max in place of min", "T >= N/S"),
        steps=("momentum-fl.theorem22-bound", "momentum-fl.theorem22-gamma", "momentum-fl.start-noise"),
    ),
    Claim(
        "momentum-fl.theorem22-bracket-printed",
        "f -> scale f: every term must scale like scale^2; the noise inside the bracket does not",
        "Theorem 22, l.1027",
        "(L Delta/T)(1 + sigma^2/(S K T)) is homogeneous of degree 2 in (L, Delta, sigma)",
        stated(
            "Delta*L*scale^2*(1 + scale^2*sigma^2) = Delta*L*scale^2*(1 + sigma^2)",
            letters=("scale > 0",),
        ),
        ("S = K = T = 1",),
        repaired_by="momentum-fl.theorem22-bracket",
    ),
    Claim(
        "momentum-fl.theorem22-bracket",
        "the same with the noise outside the bracket",
        "Theorem 22, l.1027 and l.1065",
        "L Delta/T + sigma^2/(S K T) is homogeneous of degree 2 in (L, Delta, sigma)",
        stated(
            "Delta*L*scale^2/T + scale^2*sigma^2/(K*S*T) = scale^2*(Delta*L/T + sigma^2/(K*S*T))",
            letters=("scale > 0",),
        ),
    ),
)
