"""GradMA, eq. (28) to (29) and the term T_4: sampled clients, for all N and S.

``q`` is the family of local runs q_i; ``gamma`` = eta_g eta K is the effective step, ``left = N (S - 1)/(S (N - 1))``
and ``spread = (N - S)/(S (N - 1))`` are the two shares that sampling without replacement leaves.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

DRAWN = ("S of N clients, uniformly without replacement", "unstated: N >= 2")


CLAIMS = (
    Claim(
        "gradma.unbiased",
        "the sampled update is unbiased: against anything decided before the draw it acts like the mean",
        "Lemma .6, T_1 and T_2, l.296-314",
        "E<past, (1/S) sum_(i in S) d_i> = <past, mean d>",
        stated(
            "E(<past, sampled(d, A)>) = <past, mean(d)>",
            letters=(
                "vectors past",
                "families d",
                "draw A of S from N",
            ),
        ),
        (*DRAWN, "d_i of a client that is not drawn is that of its virtual run"),
    ),
    Claim(
        "gradma.eq28-pairs",
        "squares of differences over all ordered pairs, as N^2 times the mean over two independent uniform indices",
        "T_4, fact (a), l.353",
        "sum_(i != j)|q_i - q_j|^2 = 2 N sum_i |q_i|^2 - 2|sum_i q_i|^2",
        stated(
            "N^2*E(|sampled(q, i) - sampled(q, j)|^2) = 2*N*N*|q|^2 - 2*|N*mean(q)|^2",
            letters=(
                "families q",
                "draw i of 1 from N with replacement",
                "draw j of 1 from N with replacement",
            ),
        ),
    ),
    Claim(
        "gradma.eq28",
        "square of a sum over the clients",
        "eq. (28), l.340",
        "|sum_i q_i|^2 = sum_i |q_i|^2 + sum_(i != j) <q_i, q_j> = N sum_i |q_i|^2 - (1/2) sum_(i != j)|q_i - q_j|^2",
        stated(
            "|N*mean(q)|^2 = N*|q|^2 + N^2*|mean(q)|^2 - N*|q|^2",
            "|N*mean(q)|^2 = N*N*|q|^2 - 2*N^2*(|q|^2 - |mean(q)|^2)/2",
            letters=("families q",),
        ),
        ("sum_(i != j)|q_i - q_j|^2 = 2 N sum_i |q_i|^2 - 2|sum_i q_i|^2",),
        steps=("gradma.eq28-pairs",),
    ),
    Claim(
        "gradma.eq29-printed",
        "first line: the draw replaced by its probabilities inside the square, at N = 2 and S = 1",
        "eq. (29), first line, l.345",
        "(|q_1|^2 + |q_2|^2)/2 = |q_1/2 + q_2/2|^2",
        stated(
            "1/2*(|q1|^2 + |q2|^2) = |1/2*q1 + 1/2*q2|^2",
            letters=("vectors q1, q2",),
        ),
        ("N = 2, S = 1",),
        repaired_by="gradma.eq29",
    ),
    Claim(
        "gradma.eq29",
        "second moment of a sampled sum",
        "eq. (29), l.345",
        "E|sum_i 1(i in S) q_i|^2 = (S/N) sum |q_i|^2 + (S (S - 1)/(N (N - 1))) sum_(i != j) <q_i, q_j>"
        " = (S^2/N) sum |q_i|^2 - (S (S - 1)/(2 N (N - 1))) sum_(i != j)|q_i - q_j|^2",
        stated(
            (
                "E(|S*sampled(q, A)|^2) = S/N*N*|q|^2 + S*(S - 1)/(N*(N - 1))*(N^2*|mean(q)|^2 - N*|q|^2) = "
                "S^2/N*N*|q|^2 - S*(S - 1)/(2*N*(N - 1))*2*N^2*(|q|^2 - |mean(q)|^2)"
            ),
            letters=(
                "families q",
                "draw A of S from N",
            ),
        ),
        DRAWN,
        steps=("gradma.eq28",),
    ),
    Claim(
        "gradma.t4",
        "the term T_4 is exactly a sampling part minus a bracket; gamma = eta_g eta K",
        "T_4, l.349-351",
        "T_4 = (2 eta_g^2 eta^2 L/(1 - beta1)^3) spread mean|q_i|^2 - (eta_g eta/(2 K (1 - beta1) N^2))"
        " (1 - beta1 gamma L/(1 - beta1)^2 - 4 gamma L left/(1 - beta1)^2)|sum q_i|^2",
        stated(
            (
                "rounds*(-gamma/(eta*K)*eta/(2*K*(1 - beta1)*N^2)*(1 - beta1*gamma*L/(1 - "
                "beta1)^2)*|N*mean(q)|^2 + 2*(gamma/(eta*K))^2*eta^2*L/((1 - beta1)^3*S^2)*E(|S*sampled(q, "
                "A)|^2)) = rounds*(2*(gamma/(eta*K))^2*eta^2*L/(1 - beta1)^3*(N - S)/(S*(N - 1))/N*N*|q|^2 - "
                "gamma/(eta*K)*eta/(2*K*(1 - beta1)*N^2)*(1 - beta1*gamma*L/(1 - beta1)^2 - 4*gamma*L/(1 - "
                "beta1)^2*N*(S - 1)/(S*(N - 1)))*|N*mean(q)|^2)"
            ),
            letters=(
                "rounds > 0",
                "beta1 >= 0",
                "families q",
                "draw A of S from N",
            ),
        ),
        (*DRAWN, "0 <= beta1 < 1"),
        steps=("gradma.eq28", "gradma.eq29"),
    ),
    Claim(
        "gradma.t4-bracket-printed",
        "the bracket as printed in the reason (b)",
        "T_4, reason (b), l.353",
        "0 <= 1 - beta1 gamma L/(1 - beta1)^2 - 4 gamma L/(S (N - 1))",
        stated(
            "0 <= 1 - beta1*gamma*L/(1 - beta1)^2 - 4*gamma*L/(S*(N - 1))",
            given=(
                "N >= 2",
                "S >= 1",
                "S <= N",
                "beta1 < 1",
                "gamma*L*(beta1*S*(N - 1) + 4*N*(S - 1)) <= (1 - beta1)^2*S*(N - 1)",
            ),
            letters=("beta1 >= 0",),
        ),
        ("gamma L (beta1 S (N - 1) + 4 N (S - 1)) <= (1 - beta1)^2 S (N - 1)", "1 <= S <= N", "N >= 2"),
        repaired_by="gradma.t4-bracket",
    ),
    Claim(
        "gradma.t4-bracket",
        "the bracket that occurs in T_4 is nonnegative under the second condition",
        "T_4, reason (b), l.353",
        "0 <= 1 - beta1 gamma L/(1 - beta1)^2 - 4 gamma L left/(1 - beta1)^2",
        stated(
            "0 <= 1 - beta1*gamma*L/(1 - beta1)^2 - 4*gamma*L*N*(S - 1)/(S*(N - 1))/(1 - beta1)^2",
            given=(
                "N >= 2",
                "S >= 1",
                "S <= N",
                "beta1 < 1",
                "gamma*L*(beta1*S*(N - 1) + 4*N*(S - 1)) <= (1 - beta1)^2*S*(N - 1)",
            ),
            letters=("beta1 >= 0",),
        ),
        ("gamma L (beta1 S (N - 1) + 4 N (S - 1)) <= (1 - beta1)^2 S (N - 1)", "1 <= S <= N", "N >= 2"),
    ),
    Claim(
        "gradma.t4-bound",
        "the bracket dropped and Lemma .3 inserted, a round; terms = eps_l^2 + zeta^2 + |grad f|^2, ekl = eta K L",
        "T_4, step (c), l.351-353",
        "T_4 <= (8 gamma^2 L (1 + 40 ekl^2)/(1 - beta1)^3) spread terms",
        stated(
            (
                "2*(gamma/K)^2*L/(1 - beta1)^3*spread*4*K^2*(1 + 40*ekl^2)*run = 8*gamma^2*L*(1 + 40*ekl^2)/(1 - "
                "beta1)^3*spread*run"
            ),
            "t4 <= 8*gamma^2*L*(1 + 40*ekl^2)/(1 - beta1)^3*spread*terms",
            given=(
                "beta1 < 1",
                "t4 <= 2*gamma^2*L/(1 - beta1)^3*spread*squares - dropped",
                "squares <= 4*(1 + 40*ekl^2)*terms",
            ),
            letters=(
                "run > 0",
                "beta1, dropped, ekl, spread, squares, t4, terms >= 0",
            ),
        ),
        ("mean|q_i|^2 <= 4 K^2 (1 + 40 ekl^2) terms; squares = mean|q_i|^2/K^2", "0 <= beta1 < 1"),
        steps=("gradma.t4", "gradma.t4-bracket", "gradma.lemma3"),
    ),
)
