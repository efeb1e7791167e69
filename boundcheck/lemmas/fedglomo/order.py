"""FedGLOMO, the orders that the text draws from Theorem 1: no hidden constant serves, since 4/(K N) is dropped.

Equal clients without noise, K = 1, no quantiser: every message is eta grad f(x), so FedGLOMO is gradient descent with
step eta, and alpha = 0 serves.  f = |x| - 1/2 for |x| >= 1, x^2/2 below, from x_0 = eta T + 1: |grad f| = 1 for T
rounds and Delta = eta T + 1/2.  N = m^3 + 1 and S = m^3, so s = 1/m^6; T = p^3 and w = eta p, so 216 w^3 M = 1.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

INSTANCE = (
    "K = 1, no quantiser, equal clients without noise, L = 1, alpha = 0",
    "f = |x| - 1/2 for |x| >= 1, x^2/2 below; x_0 = eta T + 1",
)
LARGE = ("N = m^3 + 1, S = m^3", "T = p^3, w = eta p, so 216 w^3 M = 1", "m >= 1")


CLAIMS = (
    Claim(
        "fedglomo.theorem1-order-path",
        "the instance behind the orders: gradient descent with steps eta stays where the slope is 1",
        "Theorem 1, l.211 and Remark 1, l.217, with Algorithm 1",
        "u = beta eta + (1 - beta)(u + eta - eta) = eta; 1 <= x_t = eta T + 1 - eta t for t <= T; Delta = eta T + 1/2",
        stated(
            "beta*eta + (1 - beta)*(eta + eta - eta) = eta",
            "1 <= eta*T + 1 - eta*t",
            "eta*T + 1 - 1/2 = eta*T + 1/2",
            given=("t <= T",),
            letters=("t >= 0",),
        ),
        INSTANCE,
    ),
    Claim(
        "fedglomo.theorem1-order-admissible",
        "the instance meets what Theorem 1 asks for at T = 10^3 m^18: the weight of the momentum and the range of K",
        "Theorem 1, l.199-207",
        "640 e^2 eta^2 <= 1; 2 <= s T/3; 1/(1200 e^2 s T^(1/3)) <= 2",
        stated(
            "640*exp(2)*(w/(10*m^6))^2 <= 1",
            "2 <= (10*m^6)^3/(3*m^6)",
            "m^6/(10*m^6*1200*exp(2)) <= 2",
            given=(
                "m >= 1",
                "7*w <= m",
            ),
            letters=("m, w > 0",),
        ),
        (*INSTANCE, *LARGE, "p = 10 m^6", "w <= m/7"),
    ),
    Claim(
        "fedglomo.theorem1-order-grows",
        "no constant can save the orders: the ratio LHS/(L Delta (s/T^2)^(1/3)) is at least m = (N - 1)^(1/3)",
        "Theorem 1, l.211 and Remark 1, l.217",
        "s = 1/m^6; w <= m/7 since M >= 4/N; m L Delta (s/T^2)^(1/3) = m (w/m^2 + 1/(2 m^2 p^2)) <= 1 = LHS",
        stated(
            "m^(-6) = m^(-6)",
            "7*w <= m if 216*M*w^3 <= 1, M*(1 + m^3) >= 4, m >= 1",
            "(1/2 + w*p^2)/(m^2*p^2) = w/m^2 + 1/(2*m^2*p^2)",
            "m*(w/m^2 + 1/(2*m^2*p^2)) <= 1 if 7*w <= m, p >= 1, m >= 1",
            letters=("M, m, p, w > 0",),
        ),
        (*INSTANCE, *LARGE, "p >= 1"),
        steps=("fedglomo.theorem1-order-path", "fedglomo.theorem1-order-admissible"),
    ),
)
