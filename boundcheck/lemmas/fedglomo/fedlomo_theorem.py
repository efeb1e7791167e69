"""FedLOMO: constants, conditions and complexity of Theorem 2.

``x`` is eta L K, ``B`` is omega/N + 4 (1 + omega) s, ``Mp`` is (alpha + 4/K)/N, ``zeta`` the growth factor of a round
and ``F0`` is f(w_0).  With the printed step x = 1/(8 sqrt(B T)); ``b2`` and ``t2`` are sqrt(B) and sqrt(T).
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.fedglomo.basics import SAMPLED
from boundcheck.lemmas.stated import stated

CHOICE = "eta = 1/(8 L K sqrt(B T))"


CLAIMS = (
    Claim(
        "fedglomo.theorem2-denominator",
        "the denominator of (101) written out",
        "Theorem 2, l.1195",
        "eta K T (1 - zeta T) = eta K T (1 - 16 x^2 (2 x Mp + B) T)",
        stated(
            (
                "eta*K*T*(1 - (32*(eta*L*K)^3/N*(alpha_div + 4/K) + 16*B_lomo*(eta*L*K)^2)*T) = eta*K*T*(1 - "
                "16*(eta*L*K)^2*(2*eta*L*K/N*(alpha_div + 4/K) + B_lomo)*T)"
            ),
            letters=("B_lomo > 0",),
        ),
        steps=("fedglomo.theorem2-97",),
    ),
    Claim(
        "fedglomo.theorem2-102-printed",
        "the printed range of rounds keeps the step in the range of Lemma 12",
        "Theorem 2, l.553, with (102), l.1201",
        "T >= 1/(4 B) whenever T > Mp/(64 B^3)",
        stated(
            "1/(4*(q_omega/N + 4*(1 + q_omega)*(N - S)/(S*(N - 1)))) <= T",
            given=(
                "S >= 1",
                "N >= 2",
                "N >= S",
                "alpha_div + 4/K < 64*(q_omega/N + 4*(1 + q_omega)*(N - S)/(S*(N - 1)))^3*T*N",
                "T >= 1",
                "K >= 1",
            ),
        ),
        (CHOICE, *SAMPLED),
        repaired_by="fedglomo.theorem2-102",
    ),
    Claim(
        "fedglomo.theorem2-102",
        "the step is in the range of Lemma 12 exactly from T = 1/(4 B) on",
        "Theorem 2, eq. (102), l.1201",
        "eta L K <= 1/4 if and only if T >= 1/(4 B)",
        stated(
            "1/(8*b2*t2) <= 1/4 if 4*b2^2*t2^2 >= 1",
            "1/(4*b2^2) <= t2^2 if 4*1/(8*b2*t2) <= 1",
            letters=("b2, t2 > 0",),
        ),
        (CHOICE,),
    ),
    Claim(
        "fedglomo.theorem2-103-value",
        "growth over all rounds with the step of the theorem",
        "Theorem 2, eq. (103), l.1205; zeta, l.555",
        "zeta T = 1/4 + Mp/(16 B^(3/2) sqrt(T))",
        stated(
            "(32*(1/(8*b2*t2))^3*Mp + 16*b2^2*(1/(8*b2*t2))^2)*t2^2 = 1/4 + Mp/(16*b2^3*t2)",
            letters=("b2, Mp, t2 > 0",),
        ),
        (CHOICE,),
        steps=("fedglomo.theorem2-97",),
    ),
    Claim(
        "fedglomo.theorem2-103-printed",
        "growth below 3/4 under the printed number of rounds",
        "Theorem 2, eq. (103), l.1205",
        "1/4 + Mp/(16 B^(3/2) sqrt(T)) <= 3/4 for T >= Mp/(64 B^3)",
        stated(
            "1/4 + (alpha_div + 4/K)/N/(16*b2^3*t2) <= 3/4",
            given=(
                "64*b2^6*t2^2 >= (alpha_div + 4/K)/N",
                "t2 >= 1",
                "4*b2^2*t2^2 >= 1",
                "N >= 2",
                "K >= 1",
                "alpha_div <= N",
            ),
            letters=("b2, t2 > 0",),
        ),
        ("alpha <= N", "N >= 2", "K >= 1", "T >= 1/(4 B)"),
        repaired_by="fedglomo.theorem2-103",
    ),
    Claim(
        "fedglomo.theorem2-103",
        "growth below 3/4 with the square that is missing",
        "Theorem 2, eq. (103), l.1205",
        "1/4 + Mp/(16 B^(3/2) sqrt(T)) <= 3/4 for T >= Mp^2/(64 B^3)",
        stated(
            "1/4 + (alpha_div + 4/K)/N/(16*b2^3*t2) <= 3/4",
            given=(
                "64*b2^6*t2^2 >= ((alpha_div + 4/K)/N)^2",
                "t2 >= 1",
                "4*b2^2*t2^2 >= 1",
                "N >= 2",
                "K >= 1",
                "alpha_div <= N",
            ),
            letters=("b2, t2 > 0",),
        ),
        steps=("fedglomo.theorem2-103-value",),
    ),
    Claim(
        "fedglomo.theorem2-105",
        "constants of the rate",
        "Theorem 2, eq. (104)-(105), l.1209-1213",
        "eta K T (1 - zeta T) >= sqrt(T)/(32 L sqrt(B)), hence sum_k p_k G_k <= 64 sqrt(B) L F0/sqrt(T)",
        stated(
            "1/(8*L*K*b2*t2)*K*t2^2 = t2/(8*L*b2)",
            "t2/(32*L*b2) <= 1/(8*L*K*b2*t2)*K*t2^2*(1 - growth)",
            "2*F0/(t2/(32*L*b2)) = 64*b2*L*F0/t2",
            given=("4*growth <= 3",),
            letters=("b2, F0, t2 > 0",),
        ),
        (CHOICE, "zeta T <= 3/4"),
        steps=("fedglomo.theorem2-100", "fedglomo.theorem2-101", "fedglomo.theorem2-103"),
    ),
    Claim(
        "fedglomo.theorem2-statement-printed",
        "the right side as the statement shows it, with L = l2^2 under the root, covers what the proof gives",
        "Theorem 2, l.555",
        "64 sqrt(B) L F0/sqrt(T) <= 64 sqrt(B L) F0/sqrt(T)",
        stated(
            "64*b2*l2^2*F0/t2 <= 64*b2*l2*F0/t2",
            letters=("b2, F0, l2, t2 > 0",),
        ),
        repaired_by="fedglomo.theorem2-105",
    ),
    Claim(
        "fedglomo.theorem2",
        "the rate under the printed number of rounds, which suffices after all",
        "Theorem 2, l.553-555",
        "Mp <= 3; zeta T <= 9/8 for T >= Mp/(64 B^3); (2 F0/(eta K))(1 + zeta T)/T <= 64 sqrt(B) L F0/sqrt(T)",
        stated(
            "(alpha_div + 4/K)/N <= 3/1 if N >= 2, K >= 1, alpha_div <= N",
            "1/4 + Mp/(16*b2^3*t2) <= 9/8 if 64*b2^6*t2^2 >= Mp, Mp <= 3",
            "2*F0/(1/(8*L*K*b2*t2)*K)*(1 + growth)/t2^2 <= 64*b2*L*F0/t2 if growth <= 3",
            letters=("b2, F0, Mp, t2 > 0",),
        ),
        (
            CHOICE,
            "T > Mp/(64 B^3)",
            "unstated: T >= 1/(4 B)",
            "alpha <= N",
            "unstated: N >= 2",
            "Assumptions 1, 2, 3, 5",
        ),
        steps=(
            "fedglomo.theorem2-100",
            "fedglomo.theorem2-bernoulli",
            "fedglomo.theorem2-103-value",
            "fedglomo.theorem2-102",
        ),
    ),
    Claim(
        "fedglomo.theorem2-order",
        "B is of order 1/S",
        "Theorem 2, l.557",
        "B <= (4 + 5 omega)/S",
        stated(
            "q_omega/N + 4*(1 + q_omega)*(N - S)/(S*(N - 1)) <= (4 + 5*q_omega)/S",
            given=(
                "S >= 1",
                "N >= 2",
                "N >= S",
            ),
        ),
        SAMPLED,
    ),
    Claim(
        "fedglomo.theorem2-rounds",
        "rounds that suffice for accuracy eps, and the range of eps: it is the squared condition",
        "Theorem 2, l.557; scale = L F0",
        "64 sqrt(B) scale/sqrt(T) <= eps for T >= (64 scale/eps)^2 B; this is >= Mp^2/(64 B^3)"
        " exactly while eps <= 512 B^2 N scale/(alpha + 4/K)",
        stated(
            "4096*B_lomo*scale^2 <= T*eps_acc^2 if 4096*B_lomo*scale^2/eps_acc^2 <= T",
            "(alpha_div + 4/K)^2/(64*B_lomo^3*N^2) = (alpha_div + 4/K)^2/(64*B_lomo^3*N^2)",
            (
                "(alpha_div + 4/K)^2/(64*B_lomo^3*N^2) <= 4096*B_lomo*scale^2/eps_acc^2 if eps_acc*(alpha_div + "
                "4/K)/N <= 512*scale*B_lomo^2"
            ),
            letters=("B_lomo, scale > 0",),
        ),
        steps=("fedglomo.theorem2-105",),
    ),
    Claim(
        "fedglomo.theorem2-full",
        "full participation without quantisation: r = (T Mp)^(1/3), eta L K = c0/r, 128 c0^3 = 1",
        "Remark 6, l.563; l.1197",
        "zeta T = 1/4; 2 F0/(eta K T (3/4)) <= 13.44 L F0 r/T; eta L K <= 1/4 for T Mp >= 1/2",
        stated(
            "1/4 = 1/4",
            "8*F0*L*r/(3*T*c0) <= 336*F0*L*r/(25*T)",
            "c0/r <= 1/4 if 2*r^3 >= 1",
            given=("128*c0^3 = 1",),
            letters=("c0, F0, r > 0",),
        ),
        ("S = N", "omega = 0"),
        steps=("fedglomo.theorem2-97", "fedglomo.theorem2-100", "fedglomo.theorem2-101"),
    ),
)
