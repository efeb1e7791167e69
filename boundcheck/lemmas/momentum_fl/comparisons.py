"""Momentum-FL, equation (4) and Tables 1 and 2: rates set side by side, constants dropped.

``q`` = N^(2/3) and ``s`` = S^(1/3) where the ratio of equation (4) is meant.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

CLAIMS = (
    Claim(
        "momentum-fl.minibatches-printed",
        "minibatches in a local update on average, the initial ones included",
        "l.215 and l.283",
        "(K T + B)/(K T) = 1 + 1/K",
        stated(
            "1 + 1/(10000*beta^2) = 3/2",
        ),
        ("B = K/(T beta^2), the rounding up dropped", "one sample a local update, at two points", "K = 2, T = 100"),
        repaired_by="momentum-fl.minibatches",
    ),
    Claim(
        "momentum-fl.minibatches",
        "minibatches in a local update on average, the initial ones included",
        "l.215 and l.283, with Alg. 3 and Theorem 15, l.740",
        "(K T + B)/(K T) = 1 + 1/(beta T)^2",
        stated(
            "(K*T + K/(T*beta^2))/(K*T) = 1 + 1/(beta*T)^2",
        ),
        ("B = K/(T beta^2)", "one sample a local update, at two points"),
    ),
    Claim(
        "momentum-fl.table1-stem",
        "noise of FedAvg-M-VR and of STEM: (L Delta sigma)^(2/3) = a^2 s with L Delta = a^3, sigma^2 = s^3",
        "l.215, with Table 1, l.48-79",
        "a^2 s <= (2 a^3 + s^3)/3 <= a^3 + s^3 + zeta^2",
        stated(
            "a^2*s <= (2*a^3 + s^3)/3 <= a^3 + s^3 + zeta2",
            letters=("a, s, zeta2 >= 0",),
        ),
        ("both over (N K T)^(2/3), constants dropped",),
    ),
    Claim(
        "momentum-fl.eq4-least",
        "least ratio over the sampled clients, with q = N^(2/3) and s = S^(1/3): 1.89 N^(-2/9), at S = N^(2/3)/2",
        "eq. (4), l.263",
        "27/4 <= q (s^2/q + 1/s)^3, equal at q = 2 s^3; 27/4 <= 1.89^3",
        stated(
            "27/4 <= q*(1/s + s^2/q)^3",
            "27/4 = 27/4 <= 6751269/1000000",
            letters=("q, s > 0",),
        ),
        steps=("momentum-fl.eq4",),
    ),
    Claim(
        "momentum-fl.eq4-few",
        "up to 17 clients the ratio exceeds 1 for every number of sampled clients",
        "l.44, l.261 and l.325, with eq. (4), l.263",
        "1 <= s^2/q + 1/s with q = N^(2/3) and s = S^(1/3)",
        stated(
            "1 <= s^2/q + 1/s",
            given=("q^3 <= 289",),
            letters=("q, s > 0",),
        ),
        ("N <= 17",),
        steps=("momentum-fl.eq4-least",),
    ),
)
