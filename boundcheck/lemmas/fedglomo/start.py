"""FedGLOMO, Theorem 1: what its proof leaves out in round 0 and in the local steps, and where it fails.

The letters are those of `fedglomo_theorem`.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.fedglomo.theorem import MOMENTUM, STEP
from boundcheck.lemmas.stated import stated

CLAIMS = (
    Claim(
        "fedglomo.theorem1-round0-printed",
        "all clients and full local batches in round 0 make the first direction exact: the quantiser stays",
        "Theorem 1, l.593, with Algorithm 1, l.101",
        "E|u_0 - delta_0|^2 <= 0 for u_0 = mean_i Q(move_i)",
        stated(
            "E(|mean(move + error) - mean(move)|^2) <= 0",
            given=("N >= 2",),
            letters=(
                "families move",
                "noise error over N",
            ),
        ),
        ("full participation and full local batches at k = 0",),
        repaired_by="fedglomo.theorem1-round0",
    ),
    Claim(
        "fedglomo.theorem1-round0",
        "price of quantising round 0: F0 is replaced by F0 (1 + excess), which grows like T^(1/3)",
        "Theorem 1, l.593, with (10), l.590",
        "E|u_0 - delta_0|^2 <= 32 (omega/N)(eta K)^2 L F0; (5/(4 eta K beta)) times it is excess F0,"
        " excess = 3 omega r/(2 e^2 (1 + omega) N (K + 1)^2)",
        stated(
            "gap <= 32*F0*L*q_omega*K^2*eta^2/N",
            (
                "3*F0*q_omega*r*exp(-2)/(2*N*(1 + K)^2*(1 + q_omega)) = 3*F0*q_omega*r*exp(-2)/(2*N*(1 + K)^2*(1 "
                "+ q_omega))"
            ),
            given=(
                "gap <= moves*q_omega/N",
                "moves <= energy*K*eta^2",
                "energy <= 16*squares*K",
                "squares <= 2*F0*L",
            ),
            letters=(
                "F0, r > 0",
                "energy, gap, moves, squares >= 0",
            ),
        ),
        (STEP, MOMENTUM, "full participation and full local batches at k = 0"),
        steps=("fedglomo.lemma10-90", "fedglomo.jensen", "fedglomo.lemma5", "fedglomo.no-dissimilarity"),
    ),
    Claim(
        "fedglomo.theorem1-printed",
        "the theorem for N = 2 equal clients L w^2/2, S = 1, K = 1, a dropout quantiser, all clients in round 0",
        "Theorem 1, l.199-209",
        "(1/T) sum_k L^2 Var(E[w_k | error]) <= 39 L F0 M^(1/3)/T^(2/3) with Var(error) = omega y^2 w_0^2/N,"
        " over L^2 w_0^2, at omega = 100 and T = 10^6",
        stated(
            (
                "q_omega*1/(36*(T*(2 + 800*exp(2)*(1 + q_omega)*4*(q_omega/2 + 1 + q_omega)))^(2/3))/2*((1 - (1 "
                "- 640*exp(2)*(1 + q_omega)*1/(36*(T*(2 + 800*exp(2)*(1 + q_omega)*4*(q_omega/2 + 1 + "
                "q_omega)))^(2/3)))^(2*T))/(1 - (1 - 640*exp(2)*(1 + q_omega)*1/(36*(T*(2 + 800*exp(2)*(1 + "
                "q_omega)*4*(q_omega/2 + 1 + q_omega)))^(2/3)))^2) - 2*(1 - ((1 - 640*exp(2)*(1 + "
                "q_omega)*1/(36*(T*(2 + 800*exp(2)*(1 + q_omega)*4*(q_omega/2 + 1 + q_omega)))^(2/3)))*(1 - "
                "1/(6*(T*(2 + 800*exp(2)*(1 + q_omega)*4*(q_omega/2 + 1 + q_omega)))^(1/3))))^T)/(1 - (1 - "
                "640*exp(2)*(1 + q_omega)*1/(36*(T*(2 + 800*exp(2)*(1 + q_omega)*4*(q_omega/2 + 1 + "
                "q_omega)))^(2/3)))*(1 - 1/(6*(T*(2 + 800*exp(2)*(1 + q_omega)*4*(q_omega/2 + 1 + "
                "q_omega)))^(1/3)))) + (1 - (1 - 1/(6*(T*(2 + 800*exp(2)*(1 + q_omega)*4*(q_omega/2 + 1 + "
                "q_omega)))^(1/3)))^(2*T))/(1 - (1 - 1/(6*(T*(2 + 800*exp(2)*(1 + q_omega)*4*(q_omega/2 + 1 + "
                "q_omega)))^(1/3)))^2))/((1/(6*(T*(2 + 800*exp(2)*(1 + q_omega)*4*(q_omega/2 + 1 + "
                "q_omega)))^(1/3)) - 640*exp(2)*(1 + q_omega)*1/(36*(T*(2 + 800*exp(2)*(1 + "
                "q_omega)*4*(q_omega/2 + 1 + q_omega)))^(2/3)))^2*T) < 39*(T*(2 + 800*exp(2)*(1 + "
                "q_omega)*4*(q_omega/2 + 1 + q_omega)))^(1/3)/(2*T) for T in [1000000, 1000000], q_omega in "
                "[100, 100]"
            ),
        ),
        ("alpha = 0, which holds for equal clients and one local step", STEP, MOMENTUM, "the printed range of K + 1"),
        repaired_by="fedglomo.theorem1-round0-rate",
    ),
    Claim(
        "fedglomo.theorem1-round0-rate",
        "the rate with a quantised round 0",
        "Theorem 1, eq. (21), l.209, repaired",
        "(1/T) sum G <= 39 L F0 (1 + excess) r/T",
        stated(
            "gradients/T <= 39*L*F0*(1 + excess)*r/T",
            given=(
                "F0*(1 + excess + batches) - 1/(6*L*K*r)*K/4*gradients + values*64/(216*T) >= end",
                "values <= 2*T*F0*(1 + excess + batches)",
                "end >= 0",
                "batches <= 1/1000",
            ),
            letters=(
                "excess, F0, r > 0",
                "batches, gradients, values >= 0",
                "end real",
            ),
        ),
        (STEP, MOMENTUM, "beta < 1", "full participation and full local batches at k = 0"),
        steps=(
            "fedglomo.theorem1-round0",
            "fedglomo.theorem1-round0-batches",
            "fedglomo.theorem1-20",
            "fedglomo.theorem1-step",
            "fedglomo.lemma1",
        ),
    ),
    Claim(
        "fedglomo.theorem1-round0-mean-printed",
        "full local batches reproduce the mean stochastic trajectory, three local steps",
        "Theorem 1, l.593",
        "E w_3 - full-batch w_3 = 0 for grad f(w) = L w + c w^2 with sample gradients grad f(w) +- h w",
        stated(
            (
                "(start - eta*(L*start + c*start^2) - eta*(L*(start - eta*(L*start + c*start^2)) + c*(start - "
                "eta*(L*start + c*start^2))^2 + h*(start - eta*(L*start + c*start^2) - start)) - eta*(L*(start - "
                "eta*(L*start + c*start^2)) + c*(start - eta*(L*start + c*start^2))^2 + h*(start - eta*(L*start "
                "+ c*start^2) - start) + L*(start - eta*(L*start + c*start^2) - eta*(L*(start - eta*(L*start + "
                "c*start^2)) + c*(start - eta*(L*start + c*start^2))^2 + h*(start - eta*(L*start + c*start^2) - "
                "start))) + c*(start - eta*(L*start + c*start^2) - eta*(L*(start - eta*(L*start + c*start^2)) + "
                "c*(start - eta*(L*start + c*start^2))^2 + h*(start - eta*(L*start + c*start^2) - start)))^2 - "
                "(L*(start - eta*(L*start + c*start^2)) + c*(start - eta*(L*start + c*start^2))^2)) + start - "
                "eta*(L*start + c*start^2) - eta*(L*(start - eta*(L*start + c*start^2)) + c*(start - "
                "eta*(L*start + c*start^2))^2 - h*(start - eta*(L*start + c*start^2) - start)) - eta*(L*(start - "
                "eta*(L*start + c*start^2)) + c*(start - eta*(L*start + c*start^2))^2 - h*(start - eta*(L*start "
                "+ c*start^2) - start) + L*(start - eta*(L*start + c*start^2) - eta*(L*(start - eta*(L*start + "
                "c*start^2)) + c*(start - eta*(L*start + c*start^2))^2 - h*(start - eta*(L*start + c*start^2) - "
                "start))) + c*(start - eta*(L*start + c*start^2) - eta*(L*(start - eta*(L*start + c*start^2)) + "
                "c*(start - eta*(L*start + c*start^2))^2 - h*(start - eta*(L*start + c*start^2) - start)))^2 - "
                "(L*(start - eta*(L*start + c*start^2)) + c*(start - eta*(L*start + c*start^2))^2)))/2 - (start "
                "- eta*(L*start + c*start^2) - eta*(L*(start - eta*(L*start + c*start^2)) + c*(start - "
                "eta*(L*start + c*start^2))^2) - eta*(L*(start - eta*(L*start + c*start^2) - eta*(L*(start - "
                "eta*(L*start + c*start^2)) + c*(start - eta*(L*start + c*start^2))^2)) + c*(start - "
                "eta*(L*start + c*start^2) - eta*(L*(start - eta*(L*start + c*start^2)) + c*(start - "
                "eta*(L*start + c*start^2))^2))^2)) = 0*eta"
            ),
            letters=("start > 0",),
        ),
        ("the quadratic gradient holds on the travelled interval",),
        repaired_by="fedglomo.theorem1-round0-mean",
    ),
    Claim(
        "fedglomo.theorem1-round0-mean",
        "full local batches reproduce the mean stochastic trajectory, two local steps",
        "Theorem 1, l.593",
        "E w_2 - full-batch w_2 = 0 for grad f(w) = L w + c w^2 with sample gradients grad f(w) +- h w",
        stated(
            (
                "(start - eta*(L*start + c*start^2) - eta*(L*(start - eta*(L*start + c*start^2)) + c*(start - "
                "eta*(L*start + c*start^2))^2 + h*(start - eta*(L*start + c*start^2) - start)) + start - "
                "eta*(L*start + c*start^2) - eta*(L*(start - eta*(L*start + c*start^2)) + c*(start - "
                "eta*(L*start + c*start^2))^2 - h*(start - eta*(L*start + c*start^2) - start)))/2 - (start - "
                "eta*(L*start + c*start^2) - eta*(L*(start - eta*(L*start + c*start^2)) + c*(start - "
                "eta*(L*start + c*start^2))^2)) = 0*eta"
            ),
            letters=("start > 0",),
        ),
        ("unstated: K <= 2, or f_i quadratic", "the quadratic gradient holds on the travelled interval"),
    ),
    Claim(
        "fedglomo.theorem1-round0-batches",
        "price of full batches in round 0, for every K: F0 (1 + excess) with excess <= 1/1000, which 39 covers",
        "Theorem 1, l.593, with (10), l.590",
        "|v_k - g_i| <= ((1 + h)^k - 1)|g_i| <= 2 h k |g_i| with h = eta L, on every path; so |u_0 - delta_0|^2 <="
        " (2 eta K x)^2 mean|g_i|^2; (5/(4 eta K beta)) times it is excess F0 with"
        " excess = 1/(96 e^2 (1 + omega)(K + 1)^2 r)",
        stated(
            "turned + g*h*power <= g*(power*(1 + h) - 1) if turned <= g*(power - 1)",
            "power*(1 + h) <= 1 + 2*h*(1 + steps) if power <= 1 + 2*h*steps, 8*h*K <= 1, steps <= K",
            "2*h*(steps + steps*(steps - 1)/2) = h*steps*(1 + steps)",
            "h*K*(K - 1) <= h*K^2",
            ("gap <= 8*F0*K^4*L^3*eta^4 if moved <= 2*K*L*eta, gap <= squares*moved^2*K^2*eta^2, squares <= 2*F0*L"),
            "F0*exp(-2)/(96*r*(1 + K)^2*(1 + q_omega)) = F0*exp(-2)/(96*r*(1 + K)^2*(1 + q_omega))",
            "exp(-2)/(96*r*(1 + K)^2*(1 + q_omega)) <= 1/1000 if r >= 1, K >= 1",
            letters=(
                "F0, r > 0",
                "g, gap, h, moved, power, squares, steps, turned >= 0",
            ),
        ),
        (STEP, MOMENTUM, "8 eta L K^2 <= 1", "every sample loss is L-smooth", "r >= 1"),
        steps=("fedglomo.theorem1-step", "fedglomo.no-dissimilarity"),
    ),
    Claim(
        "fedglomo.theorem1-local-noise",
        "what the repaired Lemma 10 adds to omega inside M (nothing for K = 1)",
        "Theorem 1, eq. (16), l.619, with Lemma 10",
        "(sqrt(e)/2)(eta L)^2 K <= sqrt(e)/(128 K^3) <= 0.0129/K^3",
        stated(
            "exp(1/2)/2*(eta*L)^2*K <= exp(1/2)/(128*K^3) if 8*eta*L*K^2 <= 1",
            "exp(1/2)/(128*K^3) <= 129/10000/K^3",
        ),
        ("8 eta L K^2 <= 1",),
        steps=("fedglomo.lemma10",),
    ),
)
