"""GradMA: how sharp Lemma .6 can be made by its own proof."""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

CLAIMS = (
    Claim(
        "gradma.sharp-bracket",
        "the bracket of T_4 with 1 + beta1 kept in place of 2",
        "T_4, reason (b), l.353, with eq. (27), l.334",
        "0 <= 1 - beta1 gamma L/(1 - beta1)^2 - 2 (1 + beta1) gamma L left/(1 - beta1)^2",
        stated(
            "0 <= 1 - beta1*gamma*L/(1 - beta1)^2 - 2*(1 + beta1)*gamma*L*left/(1 - beta1)^2",
            given=(
                "beta1 < 1",
                "left <= 1",
                "gamma*L*(beta1 + 2*(1 + beta1)*left) <= (1 - beta1)^2",
            ),
            letters=("beta1, left >= 0",),
        ),
        ("gamma L (beta1 + 2 (1 + beta1) left) <= (1 - beta1)^2", "0 <= beta1 < 1"),
    ),
    Claim(
        "gradma.sharp-exact",
        "the bound with C = 8 (K - 1)((1 + 1/(K - 1))^(K-1) - 1)/K for 40, 1 + beta1 for 2 and 8 + 12 beta1 for 20",
        "Lemma .6, l.280",
        "bracket = 1/4 - W'/8 with W' = 8 C ekl^2 + 32 (1 + beta1) gamma L (1 + C ekl^2) spread/(1 - beta1)^2;"
        " (8 (1 - beta1)/gamma)(Delta/T + residual) = 8 (1 - beta1) Delta/(gamma T) + 8 eps2 + W' (eps2 + zeta^2)"
        " + (8 + (8 + 12 beta1) gamma L/(1 - beta1)^2) gap2/(K eta)^2",
        stated(
            (
                "1/4 - C*ekl^2 - 4*(1 + beta1)*gamma*L*(1 + C*ekl^2)/(1 - beta1)^2*spread = 1/4 - (8*C*ekl^2 + "
                "32*(1 + beta1)*gamma*L*(1 + C*ekl^2)*spread/(1 - beta1)^2)/8"
            ),
            (
                "8*(1 - beta1)/gamma*(Delta/T + 5*beta1/2*(gamma/(eta*K))^2*L*gap2/(1 - beta1)^3 + gamma*eps2/(1 "
                "- beta1) + gamma/(eta*K)*gap2/((1 - beta1)*K*eta) + C*gamma*ekl^2*(eps2 + zeta^2)/(1 - beta1) + "
                "(gamma/(eta*K))^2*L*gap2/(1 - beta1)^2 + 4*(1 + beta1)*gamma^2*L*(eps2 + zeta^2)*(1 + "
                "C*ekl^2)/(1 - beta1)^3*spread) = 8*(1 - beta1)*Delta/(gamma*T) + 8*eps2 + (8*C*ekl^2 + 32*(1 + "
                "beta1)*gamma*L*(1 + C*ekl^2)*spread/(1 - beta1)^2)*(eps2 + zeta^2) + (8 + "
                "12*beta1)*gamma*L*gap2/(K*eta)^2/(1 - beta1)^2 + 8*gap2/(K*eta)^2"
            ),
            letters=("beta1, C, ekl, eps2, gap2, spread >= 0",),
        ),
        ("0 <= beta1 < 1",),
        steps=("gradma.drift-sharp", "gradma.sharp-bracket", "gradma.lemma6-exact"),
    ),
    Claim(
        "gradma.sharp-never-worse",
        "its bound and its conditions are never worse than the printed ones",
        "Lemma .6, l.278-280",
        "W' <= W; 8 + 12 beta1 <= 20; beta1 + 2 (1 + beta1) left <= beta1 + 4 left; 160 ekl^2 <= 1 gives 4 ekl <= 1",
        stated(
            (
                "8*C*ekl^2 + 32*(1 + beta1)*gamma*L*(1 + C*ekl^2)*spread/(1 - beta1)^2 <= 320*ekl^2 + "
                "64*gamma*L*(1 + 40*ekl^2)*spread/(1 - beta1)^2 if C <= 14, beta1 < 1"
            ),
            "8 + 12*beta1 <= 20 if C <= 14, beta1 < 1",
            "beta1 + 2*(1 + beta1)*left <= beta1 + 4*left if C <= 14, beta1 < 1",
            "4*ekl <= 1 if 160*ekl^2 <= 1",
            letters=("beta1, C, ekl, left, spread >= 0",),
        ),
        ("C <= 14", "0 <= beta1 < 1"),
        steps=("gradma.sharp-exact", "gradma.drift-sharp"),
    ),
)
