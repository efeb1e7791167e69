"""FedGLOMO, Lemma 1: descent over one round and over all rounds.

``A`` is E|u - delta|^2, ``V`` is E|g_Q - delta|^2, ``D`` is E|w_k - w_(k-1)|^2, ``vbar`` is sum_tau E|vbar_tau|^2,
``G`` is E|grad f|^2, ``C`` is the weight of G_i in Lemma 2, ``rho`` is (1 - beta)^2 and ``y`` is (eta L K (K + 1))^2.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

CAREFUL = ("4 eta L K^2 <= 1", "beta <= 1", "Assumptions 1 to 4", "unstated: one step eta in all rounds")


CLAIMS = (
    Claim(
        "fedglomo.lemma1-23",
        "the quadratic term of the descent lemma, split",
        "Lemma 1, eq. (23), l.659",
        "<g, -u> + (L/2)|u|^2 = <g, -u> + |u|^2/(8 eta K) - (1/(8 eta K) - L/2)|u|^2",
        stated(
            "<g, -u> + L/2*|u|^2 = <g, -u> + 1/(8*eta*K)*|u|^2 - (1/(8*eta*K) - L/2)*|u|^2",
            letters=("vectors g, u",),
        ),
    ),
    Claim(
        "fedglomo.lemma1-24",
        "inner product with the direction, in expectation over quantisers, clients and batches",
        "Lemma 1, eq. (24), l.663",
        "E<g, -u> = <g, -delta> + (1 - beta)<-g, u_old - delta_old>",
        stated(
            (
                "E(<g, -(beta*(delta + fresh) + (1 - beta)*u_old + (1 - beta)*(delta - delta_old + diff))>) = "
                "<g, -delta> + (1 - beta)*<-g, u_old - delta_old>"
            ),
            letters=(
                "vectors g, u_old, delta_old, delta",
                "noise fresh, diff",
            ),
        ),
        ("unstated: one step eta in both rounds",),
        steps=("fedglomo.eq4", "fedglomo.lemma8-69"),
    ),
    Claim(
        "fedglomo.lemma1-28",
        "old error against the gradient: Young's inequality with weight eta K/(2 (1 - beta))",
        "Lemma 1, eq. (26)-(28), l.675-679",
        "(1 - beta)<-g, error> <= (eta K/4)|g|^2 + ((1 - beta)^2/(eta K))|error|^2",
        stated(
            (
                "(1 - beta)/2*(eta*K/(2*(1 - beta))*|g|^2 + |error|^2/(eta*K/(2*(1 - beta)))) = eta*K/4*|g|^2 + "
                "(1 - beta)^2/(eta*K)*|error|^2"
            ),
            "(1 - beta)*<-g, error> <= eta*K/4*|g|^2 + (1 - beta)^2/(eta*K)*|error|^2",
            letters=("vectors g, error",),
        ),
        ("beta < 1 in the middle line",),
        steps=("fedglomo.young",),
    ),
    Claim(
        "fedglomo.lemma1-32",
        "average move: Jensen over the batches, then over the local steps",
        "Lemma 1, eq. (31)-(32), l.693-697",
        "|delta|^2 <= eta^2 K sum_tau E|vbar_tau|^2",
        stated(
            "|delta|^2 <= eta^2*K*K*|v|^2",
            given=("0 <= |eta*K*mean(v)|^2 - E(|delta + noise|^2) : 1",),
            letters=(
                "vectors delta",
                "families v",
                "noise noise",
            ),
        ),
        ("delta = E[eta sum_tau vbar_tau]",),
        steps=("fedglomo.jensen", "fedglomo.lemma6-move"),
    ),
    Claim(
        "fedglomo.lemma1-34",
        "square of the direction",
        "Lemma 1, eq. (30), (33)-(34), l.690-707",
        "|u|^2/(8 eta K) <= (eta/4) vbar + (rho A_old + 2 beta^2 V + 8 e^2 (1 + omega) rho y D)/(4 eta K)",
        stated(
            "u2 <= 2*eta^2*K*vbar + 2*(rho*A_old + 2*beta2*V + 8*exp(2)*(1 + q_omega)*rho*y*D)",
            (
                "(2*eta^2*K*vbar + 2*(rho*A_old + 2*beta2*V + 8*exp(2)*(1 + q_omega)*rho*y*D))/(8*eta*K) = "
                "eta/4*vbar + (rho*A_old + 2*beta2*V + 8*exp(2)*(1 + q_omega)*rho*y*D)/(4*eta*K)"
            ),
            given=(
                "u2 <= 2*delta2 + 2*A",
                "delta2 <= eta^2*K*vbar",
                "rho*A_old + 2*beta2*V + 8*exp(2)*(1 + q_omega)*rho*y*D >= A",
            ),
            letters=(
                "y > 0",
                "A, A_old, beta2, D, delta2, rho, u2, V, vbar >= 0",
            ),
        ),
        ("2 eta L K^2 <= 1",),
        steps=("fedglomo.two-squares", "fedglomo.lemma1-32", "fedglomo.lemma8"),
    ),
    Claim(
        "fedglomo.lemma1-35",
        "both terms together, and the sign of the coefficient of vbar",
        "Lemma 1, eq. (29) and (35), l.685 and l.711",
        "(29) + (34) has coefficients 5 rho/(4 eta K), beta^2/(2 eta K), 2 e^2 (1 + omega) rho eta L^2 K (K + 1)^2;"
        " 1 - x^2 - 1/2 >= 0",
        stated(
            (
                "(-eta*K/2 + eta*K/4)*G - eta/2*(1 - (eta*L*K)^2)*vbar + rho/(eta*K)*A_old + other + eta/4*vbar "
                "+ (rho*A_old + 2*beta2*V + 8*exp(2)*(1 + q_omega)*rho*(eta*L*K)^2*(K + 1)^2*D)/(4*eta*K) = "
                "-eta*K/4*G - eta/2*(1 - (eta*L*K)^2 - 1/2)*vbar + other + 5*rho/(4*eta*K)*A_old + "
                "beta2/(2*eta*K)*V + 2*exp(2)*(1 + q_omega)*rho*eta*L^2*K*(K + 1)^2*D"
            ),
            "0*eta*L*K <= 1 - (eta*L*K)^2 - 1/2",
            given=("4*eta*L*K <= 1",),
            letters=("A_old, D, G, other, V, vbar > 0",),
        ),
        ("x = eta L K <= 1/4",),
        steps=("fedglomo.lemma2", "fedglomo.lemma1-24", "fedglomo.lemma1-28", "fedglomo.lemma1-34"),
    ),
    Claim(
        "fedglomo.lemma1-36",
        "Lemma 8 unrolled over the rounds, by induction, and the coefficients it gives",
        "Lemma 1, eq. (36), l.715",
        "A_k <= rho^k A_0 + tail_k with tail_k = rho tail_(k-1) + fresh_k + rho moved_k;"
        " coefficients 5 beta^2/(2 eta K)"
        " and 10 e^2 (1 + omega) eta L^2 K (K + 1)^2",
        stated(
            (
                "new <= rho*power*start + rho*tail + fresh + rho*moved if new <= rho*old + fresh + rho*moved, "
                "old <= power*start + tail"
            ),
            "5*rho/(4*eta*K)*2*beta^2 = 5*beta^2/(2*eta*K)*rho",
            (
                "5*rho/(4*eta*K)*8*exp(2)*(1 + q_omega)*(eta*L*K*(K + 1))^2 = 10*exp(2)*(1 + "
                "q_omega)*eta*L^2*K*(K + 1)^2*rho"
            ),
            "beta^2/(2*eta*K) <= 5*beta^2/(2*eta*K)",
            "10*exp(2)*(1 + q_omega)*eta*L^2*K*(K + 1)^2/5 <= 10*exp(2)*(1 + q_omega)*eta*L^2*K*(K + 1)^2",
            letters=("fresh, moved, new, old, power, start, tail >= 0",),
        ),
        steps=("fedglomo.lemma8", "fedglomo.lemma1-35"),
    ),
    Claim(
        "fedglomo.lemma1-38",
        "Lemma 10 inserted; `weight` is its bracket and V the sum of E|v|^2",
        "Lemma 1, eq. (37)-(39), l.719-735",
        "(5 beta^2/(2 eta K)) 4 eta^2 K weight V = 10 eta beta^2 weight V",
        stated(
            "5*beta^2/(2*eta*K)*4*eta^2*K*weight*V = 10*eta*beta^2*weight*V",
            letters=("V, weight > 0",),
        ),
        steps=("fedglomo.lemma10",),
    ),
    Claim(
        "fedglomo.lemma1-39-first",
        "(39) in the first round, where (24) and Lemma 8 say nothing: the text sums it from k = 0 all the same",
        "Lemma 1, eq. (39) at k = 0, l.737",
        "E f(w_1) <= f(w_0) - (eta K/4) G + C G_i + (5/(4 eta K)) A_0 - (1/(8 eta K) - L/2)|u_0|^2",
        stated(
            "new <= value - eta*K/4*G + other + 5/(4*eta*K)*A - (1/(8*eta*K) - L/2)*u2",
            given=(
                "value - eta*K/2*G - eta/2*(1 - x^2)*vbar + other + L/2*u2 >= new",
                "u2 <= 2*(eta^2*K*vbar + A)",
                "4*x <= 1",
            ),
            letters=(
                "vbar, x > 0",
                "A, G, other, u2 >= 0",
                "new, value real",
            ),
        ),
        ("x = eta L K <= 1/4", "E u_0 = delta_0"),
        steps=("fedglomo.lemma2", "fedglomo.lemma1-32", "fedglomo.two-squares"),
    ),
    Claim(
        "fedglomo.lemma1-41",
        "exchange of the sums, by induction on the number of rounds, and the geometric series",
        "Lemma 1, eq. (40)-(41), l.740-750",
        "(1 - rho) sum_k tail_k + rho tail_last = sum_l new_l, so sum_k tail_k <= sum_l new_l/(1 - rho);"
        " 1/(1 - (1 - beta)^2) <= 1/beta",
        stated(
            "(1 - rho)*(tails + rho*last + new) + rho*(rho*last + new) = (1 - rho)*tails + rho*last + new",
            "(1 - rho)*tails <= total if (1 - rho)*tails + rho*last <= total",
            "1/(1 - (1 - beta)^2) <= 1/beta if beta <= 1",
            letters=("last, new, rho, tails, total >= 0",),
        ),
        ("tail_k = rho tail_(k-1) + new_k", "beta <= 1"),
    ),
    Claim(
        "fedglomo.lemma1-42",
        "the moves of the server are absorbed exactly under the printed condition on beta",
        "Lemma 1, (VI*) and eq. (42), l.750-755",
        "10 e^2 (1 + omega) eta L^2 K (K + 1)^2/beta <= (1 - 4 eta L K)/(8 eta K)"
        " if and only if beta >= 80 e^2 (1 + omega) y/(1 - 4 eta L K)",
        stated(
            "1/(8*eta*K) - L/2 = (1 - 4*eta*L*K)/(8*eta*K)",
            (
                "10*exp(2)*(1 + q_omega)*eta*L^2*K*(K + 1)^2*(1 - beta)^2 <= 10*exp(2)*(1 + "
                "q_omega)*eta*L^2*K*(K + 1)^2 if beta <= 1"
            ),
            (
                "10*exp(2)*(1 + q_omega)*eta*L^2*K*(K + 1)^2/beta <= (1 - 4*eta*L*K)/(8*eta*K) if 4*eta*L*K < 1, "
                "beta <= 1, 80*exp(2)*(1 + q_omega)*(eta*L*K*(K + 1))^2 <= beta*(1 - 4*eta*L*K)"
            ),
            (
                "80*exp(2)*(1 + q_omega)*(eta*L*K*(K + 1))^2 <= beta*(1 - 4*eta*L*K) if 4*eta*L*K < 1, beta <= "
                "1, 10*exp(2)*(1 + q_omega)*eta*L^2*K*(K + 1)^2/beta <= (1 - 4*eta*L*K)/(8*eta*K)"
            ),
        ),
        ("4 eta L K < 1", "beta <= 1"),
        steps=("fedglomo.lemma1-41",),
    ),
    Claim(
        "fedglomo.lemma1-denominator-printed",
        "positive denominator under the condition of the lemma: it vanishes for one local step with 4 eta L = 1",
        "Lemma 1, eq. (42), l.757",
        "no eta, L, K have 4 eta L K^2 <= 1 and 1 - 4 eta L K <= 0",
        stated(
            "never 4*eta*L*K^2 <= 1, K >= 1, 1 - 4*eta*L*K <= 0",
        ),
        ("4 eta L K^2 <= 1", "K >= 1"),
        repaired_by="fedglomo.lemma1-denominator",
    ),
    Claim(
        "fedglomo.lemma1-denominator",
        "positive denominator under the condition that Theorem 1 uses",
        "Lemma 1, eq. (42), l.757, with l.617",
        "1 - 4 eta L K >= 1/2",
        stated(
            "1/2 <= 1 - 4*eta*L*K",
            given=(
                "8*eta*L*K^2 <= 1",
                "K >= 1",
            ),
        ),
        ("8 eta L K^2 <= 1", "K >= 1"),
    ),
    Claim(
        "fedglomo.lemma1-merge",
        "one condition in place of two",
        "Lemma 1, l.763",
        "4 eta L K <= 1 and 2 eta L K^2 <= 1",
        stated(
            "4*eta*L*K <= 1",
            "2*eta*L*K^2 <= 1",
            given=(
                "4*eta*L*K^2 <= 1",
                "K >= 1",
            ),
        ),
        ("4 eta L K^2 <= 1", "K >= 1"),
    ),
    Claim(
        "fedglomo.lemma1",
        "the lemma, with u_0 - delta_0 in its fourth term (w_0 is printed), for any weight that Lemma 10 gives",
        "Lemma 1, eq. (43), l.651 and l.761",
        "E f(w_k) <= f(w_0) - (eta K/4) sum G + C sum G_i + (5/(4 eta K beta)) E|u_0 - delta_0|^2"
        " + 160 eta K beta weight sum G_i",
        stated(
            ("end <= value - eta*K/4*|G|^2 + C*|G_i|^2 + 5/(4*eta*K*beta)*|A|^2 + 160*eta*K*beta*weight*|G_i|^2"),
            given=(
                "push <= pull",
                (
                    "0 <= value - eta*K/4*|G|^2 + C*|G_i|^2 + 5/(4*eta*K*beta)*|A|^2 + 10*eta*beta*weight*|moved|^2 "
                    "+ push*|before|^2 - pull*(|before|^2 + |last|^2) - end : 1"
                ),
                "0 <= 16*K*|G_i|^2 - |moved|^2 : 10*eta*beta*weight",
            ),
            letters=(
                "C, pull, push, weight > 0",
                "end, value real",
                "vectors G, G_i, A, moved, before, last",
            ),
        ),
        (*CAREFUL, "(VI*) <= 0", "weight = (omega + (sqrt(e)/2)(eta L)^2 K)/N^2 + (1 + omega) s/N"),
        steps=(
            "fedglomo.lemma1-merge",
            "fedglomo.lemma1-23",
            "fedglomo.lemma1-36",
            "fedglomo.lemma1-38",
            "fedglomo.lemma1-39-first",
            "fedglomo.lemma1-41",
            "fedglomo.lemma1-42",
            "fedglomo.lemma5",
        ),
    ),
)
