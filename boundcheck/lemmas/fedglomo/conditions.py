"""FedGLOMO, conditions and complexity of Theorem 1.

``r`` is (T M)^(1/3), ``Q`` is omega/N + (1 + omega) s, ``h`` is sqrt(1 + omega).
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.fedglomo.theorem import STEP
from boundcheck.lemmas.stated import stated

CUBE = "r^3 = T M"
EXACT = "T M > ((40/9) e^2 (1 + omega))^(3/2) (K + 1)^3"


CLAIMS = (
    Claim(
        "fedglomo.theorem1-17-printed",
        "the lower end of the range gives condition (17), at N = 100, S = 10, alpha = 1, T = 1",
        "Theorem 1, l.625; l.207",
        "8 eta L K^2 = 4 K/(3 r) <= 1, i.e. 64 K^3 <= 27 T M, whenever T^(1/3)(K + 1) >= 1/(1200 e^2 (1 + omega) Q)",
        stated(
            "64*K^3 <= 27/100 + 27/(25*K) + 21600*(1 + K)^2*(1 + q_omega)*(1/11 + 111*q_omega/1100)*exp(2)",
            given=(
                "1200*(1 + K)*(1 + q_omega)*(1/11 + 111*q_omega/1100)*exp(2) >= 1",
                "K >= 1",
                "q_omega <= 1",
            ),
        ),
        (STEP, CUBE, "omega <= 1"),
        repaired_by="fedglomo.theorem1-range",
    ),
    Claim(
        "fedglomo.theorem1-range",
        "the upper end of the range alone gives (17) and (18)",
        "Theorem 1, l.207, l.623-631",
        "8 eta L K^2 <= 4/78 and beta <= 1/20",
        stated(
            "800*exp(2)*h^4*(K + 1)^2*s <= (alpha_div + 4/K)/N + 800*exp(2)*h^2*(K + 1)^2*(omega/N + h^2*s)",
            "2400*exp(2)*h^3*(K + 1)^3 <= T*800*exp(2)*h^4*(K + 1)^2*s if h*s*T >= 3*(K + 1)",
            "26*h*(K + 1) <= r if r^3 >= 2400*exp(2)*h^3*(K + 1)^3, h >= 1",
            "4*K/(3*r) <= 1 if r >= 26*h*(K + 1), h >= 1",
            "40/9*exp(2)*h^2*(K + 1)^2/r^2 <= 1/20 if r >= 26*h*(K + 1), h >= 1",
            letters=(
                "r > 0",
                "omega, s >= 0",
            ),
        ),
        (STEP, "K + 1 <= sqrt(1 + omega) s T/3"),
        steps=("fedglomo.theorem1-step",),
    ),
    Claim(
        "fedglomo.theorem1-range-full",
        "the printed range with full participation: it is empty",
        "Theorem 1, l.207 and l.631",
        "no K >= 1 has K + 1 <= sqrt(1 + omega) (N - S)/(3 S (N - 1)) T at S = N",
        stated(
            "never S >= 1, N >= 2, N >= S, S = N, K >= 1, sqrt(1 + q_omega)*(N - S)/(3*S*(N - 1))*T >= K + 1",
        ),
        ("S = N",),
    ),
    Claim(
        "fedglomo.theorem1-range-outside",
        "the paper's own setting N = 50, S = 25, K = 10, T = 300 is outside the printed range",
        "Theorem 1, l.207, with section 6 and Appendix D",
        "not K + 1 <= sqrt(1 + omega) (N - S)/(3 S (N - 1)) T for omega <= 1",
        stated(
            "never N = 50, S = 25, K = 10, T = 300, q_omega <= 1, 100*sqrt(1 + q_omega)/49 >= 1 + K",
        ),
    ),
    Claim(
        "fedglomo.theorem1-condition",
        "one exact condition in place of the range, z^2 = (40/9) e^2 (1 + omega)(K + 1)^2",
        "Theorem 1, eq. (17)-(18), l.623-631",
        "beta = z^2/r^2 <= 1 if and only if r^3 >= z^3, and then 8 eta L K^2 = 4 K/(3 r) <= 4/15",
        stated(
            "z^2/r^2 <= 1 if z^3 <= r^3",
            "z^3 <= r^3 if z^2 <= r^2",
            "5*(K + 1) <= z if z^2 = 40/9*exp(2)*h^2*(K + 1)^2, h >= 1",
            "4*K/(3*r) <= 4/15 if z <= r, z >= 5*(K + 1)",
            letters=("r, z > 0",),
        ),
        (STEP, CUBE),
        steps=("fedglomo.theorem1-step",),
    ),
    Claim(
        "fedglomo.theorem1-condition-simple",
        "a linear range of local steps that implies the exact condition: 31.41 Q in place of (1 + omega) s/3",
        "Theorem 1, l.207",
        "K + 1 <= 31.41 T Q/sqrt(1 + omega) gives " + EXACT,
        stated(
            "800/(3141/100)*exp(2)*h^3*(K + 1)^3 <= T*M",
            "40/9*sqrt(40/9)*exp(3) < 800/(3141/100)*exp(2) for constants",
            given=(
                "800*exp(2)*h^2*(K + 1)^2*Q <= M",
                "(K + 1)*h <= 3141/100*T*Q",
            ),
            letters=("M, Q > 0",),
        ),
        steps=("fedglomo.theorem1-condition",),
    ),
    Claim(
        "fedglomo.theorem1-range-experiments",
        "the paper's own setting against the exact condition, for omega <= 1 and alpha <= N",
        "Theorem 1, l.207, with section 6 and Appendix D",
        "((40/9) e^2 (1 + omega))^(3/2) (K + 1)^3 < T M at N = 50, S = 25, K = 10, T = 300",
        stated(
            (
                "1331*(40/9 + 40*q_omega/9)^(3/2)*exp(3) < 12/5 + 6*alpha_div + 29040000*(1 + q_omega)*(1/49 + "
                "99*q_omega/2450)*exp(2) for q_omega in [0, 1], alpha_div in [0, 50]"
            ),
        ),
        steps=("fedglomo.theorem1-condition",),
    ),
    Claim(
        "fedglomo.theorem1-rounds",
        "rounds that suffice for accuracy eps; scale = 39 L F0",
        "Theorem 1, l.211",
        "scale M^(1/3)/T^(2/3) <= eps for T^2 >= (scale/eps)^3 M",
        stated(
            "scale*r/T <= eps",
            given=(
                "r^3 = T*M",
                "scale^3*M <= eps^3*T^2",
            ),
            letters=("M, r, scale > 0",),
        ),
        (CUBE,),
        steps=("fedglomo.theorem1",),
    ),
    Claim(
        "fedglomo.theorem1-order-printed",
        "order of M for a fixed number of local steps, with a hidden constant of 10^6, at N = 1000 and S = 999",
        "Theorem 1, l.211 and Remark 1, l.217",
        "M <= 10^6 max(alpha/N, (1 + omega)^2 s) for K = 1",
        stated(
            (
                "(alpha_div + 4/K)/N + 800*exp(2)*(1 + q_omega)*(K + 1)^2*(q_omega/N + (1 + q_omega)*(N - "
                "S)/(S*(N - 1))) <= 1000000*max((1 + q_omega)^2*(N - S)/(S*(N - 1)), alpha_div/N)"
            ),
            given=(
                "N = 1000",
                "S = 999",
                "K = 1",
                "q_omega <= 1",
                "alpha_div <= N",
            ),
        ),
        ("omega <= 1", "alpha <= N", "S < N, so that the range of the theorem is not empty"),
        repaired_by="fedglomo.theorem1-order",
    ),
    Claim(
        "fedglomo.theorem1-order",
        "order of M with the two terms that the text drops",
        "Theorem 1, l.211 and Remark 1, l.217",
        "M <= 4 max(alpha/N, 4/(K N), wide omega/N, wide (1 + omega) s), wide = 800 e^2 (1 + omega)(K + 1)^2",
        stated(
            (
                "(alpha_div + 4/K)/N + 800*exp(2)*(1 + q_omega)*(K + 1)^2*(q_omega/N + (1 + q_omega)*(N - "
                "S)/(S*(N - 1))) = alpha_div/N + 4/(K*N) + 800*exp(2)*(K + 1)^2*(1 + q_omega)*q_omega/N + "
                "800*exp(2)*(K + 1)^2*(1 + q_omega)*(1 + q_omega)*(N - S)/(S*(N - 1))"
            ),
            "a + b + c + d <= 4*max(a, b, c, d)",
            letters=("a, b, c, d >= 0",),
        ),
    ),
)
