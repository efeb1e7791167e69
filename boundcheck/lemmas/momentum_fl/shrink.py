"""Momentum-FL, Theorems 15 and 22: the first rates fail as printed, by the shrinking of the variance-reduced estimate.

One client, K = 2, f = x^2/2 (L = 1), additive noise, x_0 = 1, so Delta = 1/2 and A = L Delta/T = 1/(2 T).  All is
linear: ``x`` and ``g`` are means over the noise, and E|grad f|^2 >= x^2.  With one client the control variates cancel
and both methods agree.  beta = b^2 with b = 1/m and T = m^3 for a whole number m; ekl = eta K L = ``a`` b is
``a`` times the printed bound on the local step, for any hidden constant a > 0, and q = 1 - eta/2 = 1 - a b/4.  The
server step is gamma = k b, with k = 1/sqrt(27) in Theorem 15 and k = 1 in Theorem 22.  ``mass`` is x - c g, where c is
chosen so that a round takes away only a share of order beta of it.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

INSTANCE = ("N = S = 1, K = 2, f = x^2/2, additive noise, x_0 = 1", "beta = b^2, ekl = a b with a the hidden constant")


STAYS = stated(
    "a*b/4 + (1 - a*b/4)*k*b <= 1 - (1 - a*b/4)*(1 - b^2)*(1 - k*b) if a*b <= 1, b <= 1, k*b <= 1",
    "1 - k*b*q - k*b*(1 - room)/room*q = 1 - k*b*q/room",
    "k*b*q/room <= 4*k/(a + 4*k) if 4*room >= a*b + 4*q*k*b, q <= 1",
    "q*b^2*k*b/room <= b^2*4*k/(a + 4*k) if 4*room >= a*b + 4*q*k*b, q <= 1",
    ("(1 - 4*k/(a + 4*k))/2 <= x if 1 - 4*k/(a + 4*k) - r*b^2*4*k/(a + 4*k) <= mass, x >= mass, 8*k*b^2*r <= a"),
    letters=(
        "k, q, room > 0",
        "r >= 0",
        "mass, x real",
    ),
)
"""Of the server steps of Theorems 15 and 22, which differ in k alone."""

CLAIMS = (
    Claim(
        "momentum-fl.shrink-round",
        "mean of a round: two local steps and their average, with x_(r-1) = x_r + gamma g_r",
        "eq. (2), l.611-621, and eq. (5), l.924-938",
        "new_g = q (beta x + (1 - beta)(1 - gamma) g) with q = 1 - eta/2",
        stated(
            (
                "(x - (x - eta*(x + (1 - beta)*(g - (x + gamma*g))) - eta*(x - eta*(x + (1 - beta)*(g - (x + "
                "gamma*g))) + (1 - beta)*(g - (x + gamma*g)))))/(2*eta) = (1 - eta/2)*(beta*x + (1 - beta)*(1 - "
                "gamma)*g)"
            ),
            letters=("g, x > 0",),
        ),
        INSTANCE,
        steps=("momentum-fl.shrinks",),
    ),
    Claim(
        "momentum-fl.shrink-first",
        "mean of the first round, where g^0 has mean grad f(x^0) and x^(-1) = x^0",
        "eq. (2), l.611-621",
        "g_1 = q x_0",
        stated(
            "(x - (x - eta*x - eta*(x - eta*x)))/(2*eta) = (1 - eta/2)*x",
            letters=("x > 0",),
        ),
        INSTANCE,
    ),
    Claim(
        "momentum-fl.shrink-sum",
        "what a round takes from x - c g, with c = gamma p/(1 - p) and p = q (1 - beta)(1 - gamma): of order beta",
        "eq. (2), l.611-621",
        "0 <= new_g; c >= 0; x' <= 1; x' - c new_g = x - c g - (q beta gamma/(1 - p)) x",
        stated(
            "q*beta*x + q*(1 - beta)*(1 - gamma)*g = q*(beta*x + (1 - beta)*(1 - gamma)*g)",
            (
                "x - gamma*(q*beta*x + q*(1 - beta)*(1 - gamma)*g) - gamma*q*(1 - beta)*(1 - gamma)/(1 - q*(1 - "
                "beta)*(1 - gamma))*(q*beta*x + q*(1 - beta)*(1 - gamma)*g) = x - gamma*q*(1 - beta)*(1 - "
                "gamma)/(1 - q*(1 - beta)*(1 - gamma))*g - q*beta*gamma/(1 - q*(1 - beta)*(1 - gamma))*x"
            ),
            "0 <= q*beta*x + q*(1 - beta)*(1 - gamma)*g",
            "0 <= gamma*q*(1 - beta)*(1 - gamma)/(1 - q*(1 - beta)*(1 - gamma))",
            "x - gamma*(q*beta*x + q*(1 - beta)*(1 - gamma)*g) <= 1",
            given=(
                "beta <= 1",
                "gamma <= 1",
                "q < 1",
                "x <= 1",
            ),
            letters=("g, q, x >= 0",),
        ),
        (*INSTANCE, "0 <= x <= 1, g >= 0", "x' = x - gamma new_g"),
        steps=("momentum-fl.shrink-round", "momentum-fl.shrink-first"),
    ),
    Claim(
        "momentum-fl.shrink-admissible",
        "the instance meets the printed parameters at T = m^3: gamma, the other bounds on eta, and the caps of beta",
        "Theorem 15, l.739-740, and Theorem 22, l.1018-1019",
        "b/sqrt(27) <= 1/24; b^2 <= L Delta/(G_0 gamma L T); b^4 <= beta/(N K);"
        " X^3 = K A^2/sigma^4 = b^6 at sigma^4 = 1/2; Y^3 = (K A/sigma^2)^2 = b^6 at sigma = 1",
        stated(
            "1/m/(3*sqrt(3)) <= 1/24",
            "(1/m)^2 <= 1/(2*m^3)/(1/m/(3*sqrt(3)))",
            "(1/m)^4 <= (1/m)^2/2",
            "2*(1/(2*m^3))^2/(1/2) = ((1/m)^2)^3",
            "(2*1/(2*m^3))^2 = ((1/m)^2)^3",
            given=("m >= 5",),
            letters=("m > 0",),
        ),
        (*INSTANCE, "m >= 5", "G_0 = 1"),
    ),
    Claim(
        "momentum-fl.shrink-stays",
        "for a/(8 k b^2) rounds the iterate stays above a/(2 (a + 4 k)): server step of Theorem 15; room = 1 - p",
        "Theorem 15, l.739-740",
        "1 - p >= a b/4 + q gamma; gamma q/(1 - p) <= 4 k/(a + 4 k);"
        " x >= mass >= a/(a + 4 k) - r b^2 4 k/(a + 4 k) >= a/(2 (a + 4 k))",
        STAYS,
        (*INSTANCE, "gamma = k b with k = 1/sqrt(27)", "any a > 0 with a b <= 1", "r <= a/(8 k b^2)"),
        steps=("momentum-fl.shrink-sum",),
    ),
    Claim(
        "momentum-fl.shrink-stays-sampled",
        "for a/(8 k b^2) rounds the iterate stays above a/(2 (a + 4 k)): server step of Theorem 22; room = 1 - p",
        "Theorem 22, l.1018-1019",
        "1 - p >= a b/4 + q gamma; gamma q/(1 - p) <= 4 k/(a + 4 k);"
        " x >= mass >= a/(a + 4 k) - r b^2 4 k/(a + 4 k) >= a/(2 (a + 4 k))",
        STAYS,
        (*INSTANCE, "gamma = k b with k = 1", "any a > 0 with a b <= 1", "r <= a/(8 k b^2)"),
        steps=("momentum-fl.shrink-sum",),
    ),
    Claim(
        "momentum-fl.theorem15-rate-printed",
        "first rate with the printed local step at a = 1/1000, at the constant of the corrected theorem, per unit of A",
        "Theorem 15, l.739-744",
        "LHS/A >= a^3/(16 k (a + 4 k)^2 b^2) is at most 251 (1 + 1/(sqrt(2) b))",
        stated(
            "187500000000000*sqrt(3)/(t^2*(1/1000 + 4*sqrt(3)/9)^2) <= 251 + 125500000000000*sqrt(2)/t",
            given=("t <= 1",),
            letters=("t > 0",),
        ),
        (*INSTANCE, "b = t/10^12 with t <= 1, so that T = m^3 >= 10^36", "k = 1/sqrt(27)"),
        repaired_by="momentum-fl.theorem15",
        steps=("momentum-fl.shrink-stays", "momentum-fl.shrink-admissible"),
    ),
    Claim(
        "momentum-fl.theorem15-rate-grows",
        "no constant can save it: for every hidden constant a the ratio is at least m a^3/(16 k (a + 4 k)^2)",
        "Theorem 15, l.739-744",
        "1 + 1/(sqrt(2) b) <= 1/b; LHS/A >= 2 a/(8 k b^2)(a/(2 (a + 4 k)))^2 = a^3/(16 k (a + 4 k)^2 b^2)",
        stated(
            "2*a/(8*sqrt(3)/9*b^2)*(a/(2*(a + 4*sqrt(3)/9)))^2 = a^3/(16*sqrt(3)/9*(a + 4*sqrt(3)/9)^2*b^2)",
            "1 + 1/(sqrt(2)*b) <= 1/b if b <= 1/5",
            "a/(8*sqrt(3)/9*b^2) <= 1/b^3 - 1 if a*b <= 1, b <= 1/5",
            (
                "2*a/(8*sqrt(3)/9*b^2)*(a/(2*(a + 4*sqrt(3)/9)))^2 <= 2*a/(8*sqrt(3)/9*b^2)*left^2 if left >= "
                "a/(2*(a + 4*sqrt(3)/9))"
            ),
            letters=("left >= 0",),
        ),
        (*INSTANCE, "b <= 1/5", "any a > 0 with a b <= 1", "k = 1/sqrt(27)"),
        steps=("momentum-fl.shrink-stays", "momentum-fl.shrink-admissible"),
    ),
    Claim(
        "momentum-fl.theorem22-rate-printed",
        "first rate with the printed steps at a = 1/1000, at the constant of the corrected theorem, per unit of A",
        "Theorem 22, l.1018-1023",
        "LHS/A >= a^3/(16 k (a + 4 k)^2 b^2) is at most 653 (2 + 1/b)",
        stated(
            "62500000000000000000/(16008001*t^2) <= 1306 + 653000000000000/t",
            given=("t <= 1",),
            letters=("t > 0",),
        ),
        (*INSTANCE, "b = t/10^12 with t <= 1, so that T = m^3 >= 10^36", "k = 1"),
        repaired_by="momentum-fl.theorem22",
        steps=("momentum-fl.shrink-stays-sampled", "momentum-fl.shrink-admissible"),
    ),
    Claim(
        "momentum-fl.theorem22-rate-grows",
        "no constant can save it: for every hidden constant a the ratio is at least m a^3/(48 k (a + 4 k)^2)",
        "Theorem 22, l.1018-1023",
        "2 + 1/b <= 3/b; LHS/A >= 2 a/(8 k b^2)(a/(2 (a + 4 k)))^2 = a^3/(16 k (a + 4 k)^2 b^2)",
        stated(
            "2*a/(8*b^2)*(a/(2*(a + 4)))^2 = a^3/(16*(a + 4)^2*b^2)",
            "2 + 1/b <= 3/b if b <= 1/5",
            "a/(8*b^2) <= 1/b^3 - 1 if a*b <= 1, b <= 1/5",
            "2*a/(8*b^2)*(a/(2*(a + 4)))^2 <= 2*a/(8*b^2)*left^2 if left >= a/(2*(a + 4))",
            letters=("left >= 0",),
        ),
        (*INSTANCE, "b <= 1/5", "any a > 0 with a b <= 1", "k = 1"),
        steps=("momentum-fl.shrink-stays-sampled", "momentum-fl.shrink-admissible"),
    ),
)
