"""FedGLOMO, Theorem 1 with the constants that its own steps give.

``Ms`` is 2 (alpha + 2/K)/N + 200 e^2 (1 + omega)(K + 1)^2 Q, where omega in Q is replaced by omega + sqrt(e)(eta L)^2 K
(nothing is added for K = 1), and ``p`` is (4 sqrt(e) T Ms)^(1/3); ``x`` is eta L K, ``F0`` is f(w_0).
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

CHOICE = ("x = eta L K = 1/p", "beta = 40 e^2 (1 + omega) x^2 (K + 1)^2", "round 0 exact", "beta < 1")


CLAIMS = (
    Claim(
        "fedglomo.sharp-coefficients",
        "Lemma 1 with the sharper Lemmas 5, 8 and 10: weight of the client gradients, and the moves of the server",
        "Lemma 1, eq. (36)-(43), sharper form",
        "(5/2) sqrt(e) eta K beta weight in place of 160 eta K beta weight;"
        " (5/2) e^2 (1 + omega) eta L^2 K (K + 1)^2/beta <= (1 - 4 eta L K)/(8 eta K)"
        " for beta >= 40 e^2 (1 + omega) x^2 (K + 1)^2",
        stated(
            "5*beta^2/(2*eta*K)*eta^2*K*weight/beta*exp(1/2)*K = 5*exp(1/2)/2*eta*K*beta*weight",
            "5/(4*eta*K)*2*exp(2)*(1 + q_omega)*(eta*L*K*(K + 1))^2/beta <= (1 - 4*eta*L*K)/(8*eta*K)",
            given=(
                "8*eta*L*K*K <= 1",
                "K >= 1",
                "beta >= 40*exp(2)*(1 + q_omega)*(eta*L*K)^2*(K + 1)^2",
            ),
            letters=("weight > 0",),
        ),
        ("8 eta L K^2 <= 1", "K >= 1"),
        steps=(
            "fedglomo.lemma1-36",
            "fedglomo.lemma1-41",
            "fedglomo.lemma8-sharp",
            "fedglomo.lemma10-sharp",
            "fedglomo.lemma5-pathwise",
        ),
    ),
    Claim(
        "fedglomo.sharp-growth",
        "growth factor of a round and of all rounds",
        "Theorem 1, eq. (11) and (16), sharper form",
        "2 N L (sqrt(e) eta x^2 (alpha K + 2)/N^2 + (5/2) sqrt(e) eta K beta Q/N) = sqrt(e) x^3 Ms = 1/(4 T)",
        stated(
            (
                "2*L*N*(K^2*L^2*eta^3*(2 + K*alpha_div)*exp(1/2)/N^2 + 100*Q*K^3*L^2*eta^3*(1 + K)^2*(1 + "
                "q_omega)*exp(5/2)/N) = K^3*L^3*eta^3*((2*alpha_div + 4/K)/N + 200*Q*(1 + K)^2*(1 + "
                "q_omega)*exp(2))*exp(1/2)"
            ),
            "1/4 = 1/4",
            letters=("Q > 0",),
        ),
        CHOICE,
        steps=(
            "fedglomo.sharp-coefficients",
            "fedglomo.lemma3-sharp",
            "fedglomo.lemma2-48",
            "fedglomo.no-dissimilarity",
        ),
    ),
    Claim(
        "fedglomo.sharp-range",
        "beta < 1 alone keeps the step small enough, z^2 = 40 e^2 (1 + omega)(K + 1)^2, beta = z^2/p^2",
        "Theorem 1, eq. (17)-(18), sharper form",
        "8 eta L K^2 = 8 K/p <= 8/17 for p >= z >= 17 (K + 1)",
        stated(
            "17*(K + 1) <= z if z^2 = 40*exp(2)*h^2*(K + 1)^2, h >= 1",
            "8*K/p <= 8/17 if z <= p, z >= 17*(K + 1)",
            letters=("p, z > 0",),
        ),
        CHOICE,
    ),
    Claim(
        "fedglomo.theorem1-sharp",
        "the rate with about a quarter of the printed constant",
        "Theorem 1, eq. (21), l.209, sharper form",
        "(1/T) sum G <= (16/3) L F0 p/T <= 10.01 L F0 Ms^(1/3)/T^(2/3)",
        stated(
            "gradients/T <= 16/3*L*F0*p/T",
            "16/3*2^(2/3)*exp(1/6) < 1001/100 for constants",
            given=(
                "F0 - 1/(L*K*p)*K/4*gradients + values/(4*T) >= end",
                "values <= T*F0 + values/4",
                "end >= 0",
            ),
            letters=(
                "F0, p > 0",
                "gradients, values >= 0",
                "end real",
            ),
        ),
        CHOICE,
        steps=("fedglomo.sharp-growth", "fedglomo.sharp-range", "fedglomo.theorem1-12", "fedglomo.lemma1"),
    ),
    Claim(
        "fedglomo.theorem1-sharp-gain",
        "the sharper bound is below the printed one for all parameters; wide = 200 e^2 (1 + omega)(K + 1)^2 Q, same Q",
        "Theorem 1, l.209",
        "Ms <= 2 M and 10.01 2^(1/3) <= 39",
        stated(
            "2*(alpha_div + 2/K)/N + wide <= 2*((alpha_div + 4/K)/N + 4*wide)",
            "1001/100*2^(1/3) <= 39",
            letters=("wide >= 0",),
        ),
        steps=("fedglomo.theorem1-sharp",),
    ),
)
