"""GradMA, Lemmas .1, .4 and .5: the virtual sequence behind the server momentum.

``kept`` is the momentum after the server's projection (m~), ``raw`` the one before it (m), ``update`` the mean update
d, so that ``effective = update + kept - raw`` is the paper's d~; ``eps`` stands for eps_g^2/(1 - beta_mem).
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

CLAIMS = (
    Claim(
        "gradma.eq17",
        "recursion of the projected momentum",
        "eq. (17), l.156",
        "m~_(t+1) = beta1 m~_t + d~_(t+1) with d~ = d + m~ - m",
        stated(
            "<kept, test> = <beta1*before + update + kept - (beta1*before + update), test>",
            letters=("vectors before, kept, update, test",),
        ),
        ("m_(t+1) = beta1 m~_t + d_(t+1)",),
    ),
    Claim(
        "gradma.lemma1-start",
        "the virtual sequence in the first round",
        "Lemma .1, case t = 0, l.173",
        "u_1 - u_0 = -(eta_g/(1 - beta1)) d~_1",
        stated(
            (
                "<(1/(1 - beta1))*(x - eta_g*effective) - (beta1/(1 - beta1))*x - x, test> = <(-eta_g/(1 - "
                "beta1))*effective, test>"
            ),
            letters=(
                "beta1 >= 0",
                "vectors x, effective, test",
            ),
        ),
        ("u_0 = x_0", "m~_0 = 0, so that m~_1 = d~_1"),
    ),
    Claim(
        "gradma.lemma1-printed",
        "the last line, with the momentum before the projection",
        "Lemma .1, case t > 0, l.177",
        "u_(t+1) - u_t = -(eta_g/(1 - beta1))(m_(t+1) - beta1 m_t)",
        stated(
            (
                "<(1/(1 - beta1))*(last - eta_g*kept - eta_g*(beta1*kept + update + gap)) - (beta1/(1 - "
                "beta1))*(last - eta_g*kept) - ((1/(1 - beta1))*(last - eta_g*kept) - (beta1/(1 - beta1))*last), "
                "test> = <(-eta_g/(1 - beta1))*(beta1*kept + update - beta1*(kept - old_gap)), test>"
            ),
            (
                "<(1/(1 - beta1))*(last - eta_g*kept - eta_g*(beta1*kept + update + gap)) - (beta1/(1 - "
                "beta1))*(last - eta_g*kept) - ((1/(1 - beta1))*(last - eta_g*kept) - (beta1/(1 - beta1))*last), "
                "test> = <(-eta_g/(1 - beta1))*(update + gap), test>"
            ),
            letters=(
                "beta1 >= 0",
                "vectors last, kept, update, gap, old_gap, test",
            ),
        ),
        ("m~ = m + gap in both rounds",),
        repaired_by="gradma.lemma1",
    ),
    Claim(
        "gradma.lemma1",
        "a step of the virtual sequence",
        "Lemma .1, case t > 0, l.177",
        "u_(t+1) - u_t = -(eta_g/(1 - beta1))(m~_(t+1) - beta1 m~_t) = -(eta_g/(1 - beta1)) d~_(t+1)",
        stated(
            (
                "<(1/(1 - beta1))*(last - eta_g*kept - eta_g*(beta1*kept + update + gap)) - (beta1/(1 - "
                "beta1))*(last - eta_g*kept) - ((1/(1 - beta1))*(last - eta_g*kept) - (beta1/(1 - beta1))*last), "
                "test> = <(-eta_g/(1 - beta1))*(beta1*kept + update + gap - beta1*kept), test>"
            ),
            (
                "<(1/(1 - beta1))*(last - eta_g*kept - eta_g*(beta1*kept + update + gap)) - (beta1/(1 - "
                "beta1))*(last - eta_g*kept) - ((1/(1 - beta1))*(last - eta_g*kept) - (beta1/(1 - beta1))*last), "
                "test> = <(-eta_g/(1 - beta1))*(update + gap), test>"
            ),
            letters=(
                "beta1 >= 0",
                "vectors last, kept, update, gap, test",
            ),
        ),
        ("u_t = (x_t - beta1 x_(t-1))/(1 - beta1)", "0 <= beta1 < 1"),
        steps=("gradma.eq17", "gradma.lemma1-start"),
    ),
    Claim(
        "gradma.lemma4",
        "size of the effective update",
        "Lemma .4, l.228-238",
        "|d + gap|^2 <= 2|d|^2 + 2|gap|^2; E|d~|^2 <= (2 eta^2/S^2) E|sum_(i in S) q_i|^2 + 2 eps_g^2/(1 - beta_mem)",
        stated(
            "|update + gap|^2 <= 2*|update|^2 + 2*|gap|^2",
            (
                "total <= 2*eta^2/S^2*run + 2*eps if total <= 2*mean_run + 2*moved, mean_run <= eta^2/S^2*run, "
                "moved <= eps"
            ),
            letters=(
                "eps, mean_run, moved, run, total >= 0",
                "vectors update, gap",
            ),
        ),
        ("d = (eta/S) sum_(i in S) q_i", "E|m~ - m|^2 <= eps_g^2/(1 - beta_mem)"),
    ),
    Claim(
        "gradma.eq21",
        "the momentum as a weighted sum: the difference to sum_k beta1^(t-k) d~_k is 0 and stays 0",
        "eq. (21), l.248",
        "gap_0 = 0; gap_(t+1) = beta1 gap_t",
        stated(
            "<0*kept - 0*total, test> = 0",
            "<beta1*kept + effective - (beta1*total + effective), test> = beta1*<kept - total, test>",
            letters=(
                "beta1 >= 0",
                "vectors kept, total, effective, test",
            ),
        ),
        ("m~_0 = 0",),
        steps=("gradma.eq17",),
    ),
    Claim(
        "gradma.eq22",
        "distance of the virtual sequence to the iterates",
        "eq. (22), l.253",
        "u_t - x_t = (beta1/(1 - beta1))(x_t - x_(t-1)) = -(beta1 eta_g/(1 - beta1)) m~_t",
        stated(
            (
                "<(1/(1 - beta1))*(last - eta_g*kept) - (beta1/(1 - beta1))*last - (last - eta_g*kept), test> = "
                "beta1/(1 - beta1)*<last - eta_g*kept - last, test>"
            ),
            (
                "<(1/(1 - beta1))*(last - eta_g*kept) - (beta1/(1 - beta1))*last - (last - eta_g*kept), test> = "
                "-beta1*eta_g/(1 - beta1)*<kept, test>"
            ),
            letters=(
                "beta1 >= 0",
                "vectors last, kept, test",
            ),
        ),
        ("t >= 1", "0 <= beta1 < 1"),
    ),
    Claim(
        "gradma.jensen-printed",
        "Jensen with a weight that does not follow the index",
        "Lemma .5, fact (a), l.265",
        "|w a + (1 - w) b|^2 <= w |a|^2 + w |b|^2",
        stated(
            "|weight*a + (1 - weight)*b|^2 <= weight*|a|^2 + weight*|b|^2",
            given=("weight <= 1",),
            letters=(
                "weight > 0",
                "vectors a, b",
            ),
        ),
        ("0 < w <= 1",),
        repaired_by="gradma.jensen",
    ),
    Claim(
        "gradma.jensen",
        "Jensen for two weights, and for any weights that sum to 1: <each, mean> = |mean|^2 for the constant `mean`",
        "Lemma .5, fact (a), l.265",
        "|w a + (1 - w) b|^2 <= w |a|^2 + (1 - w)|b|^2; |mean|^2 <= |each|^2 in the weighted space",
        stated(
            "|weight*a + (1 - weight)*b|^2 <= weight*|a|^2 + (1 - weight)*|b|^2 if weight <= 1",
            "|mean|^2 <= |each|^2 if 0 <= <each, mean> - |mean|^2 : 2",
            letters=(
                "weight > 0",
                "vectors a, b, mean, each",
            ),
        ),
        ("0 < w <= 1",),
    ),
    Claim(
        "gradma.eq23",
        "distance by past updates; z_t = (1 - power)/(1 - beta1) with power = beta1^t",
        "eq. (23), l.258-263",
        "beta1 z_t + 1 = z_(t+1); z_t <= 1/(1 - beta1);"
        " |u_t - x_t|^2 <= (beta1^2 eta_g^2/(1 - beta1)^3) sum_k beta1^(t-k)|d~_k|^2",
        stated(
            "beta1*(1 - power)/(1 - beta1) + 1 = (1 - beta1*power)/(1 - beta1)",
            "(1 - power)/(1 - beta1) <= 1/(1 - beta1)",
            (
                "offset <= beta1^2*eta_g^2/(1 - beta1)^3*weighted if power <= 1, offset <= beta1^2*eta_g^2/(1 - "
                "beta1)^2*(1 - power)/(1 - beta1)*weighted"
            ),
            given=("beta1 < 1",),
            letters=(
                "power > 0",
                "beta1, offset, weighted >= 0",
            ),
        ),
        ("0 <= beta1 < 1",),
        steps=("gradma.eq21", "gradma.eq22", "gradma.jensen"),
    ),
    Claim(
        "gradma.tail-printed",
        "the tail of the weights, at T = 3 and k = 2 with the last t = 2",
        "Lemma .5, step (b), l.272",
        "sum_(t=k..T-1) beta1^(t-k) = (1 - beta1^t)/(1 - beta1)",
        stated(
            "beta1^0 = (1 - beta1^2)/(1 - beta1)",
            letters=("beta1 >= 0",),
        ),
        repaired_by="gradma.tail",
    ),
    Claim(
        "gradma.tail",
        "the tail of the weights, by induction: power = beta1^(T-k)",
        "Lemma .5, step (b), l.272",
        "(1 - power)/(1 - beta1) + power = (1 - beta1 power)/(1 - beta1); (1 - power)/(1 - beta1) <= 1/(1 - beta1)",
        stated(
            "(1 - power)/(1 - beta1) + power = (1 - beta1*power)/(1 - beta1)",
            "(1 - power)/(1 - beta1) <= 1/(1 - beta1)",
            given=("beta1 < 1",),
            letters=(
                "power > 0",
                "beta1 >= 0",
            ),
        ),
        ("0 <= beta1 < 1",),
    ),
    Claim(
        "gradma.eq24-exchange",
        "double sum over rounds, from the recursion of its inner sums",
        "eq. (24)(a)-(b), l.269-270",
        "sum_t P_t <= (1/(1 - beta1)) sum_t |d~_t|^2 with P_t = beta1 P_(t-1) + |d~_t|^2",
        stated(
            "sums <= sizes/(1 - beta1)",
            given=(
                "beta1 < 1",
                "sums <= beta1*(sums - last) + sizes",
            ),
            letters=("beta1, last, sizes, sums >= 0",),
        ),
        ("P_0 = 0", "0 <= beta1 < 1"),
        steps=("gradma.tail",),
    ),
    Claim(
        "gradma.lemma5",
        "sum of the distances; eps = eps_g^2/(1 - beta_mem)",
        "Lemma .5, eq. (24), l.240-274",
        "sum_t |u_t - x_t|^2 <= (2 beta1^2 eta_g^2 eta^2/((1 - beta1)^4 S^2)) sum_t E|sum_(i in S) q_i|^2"
        " + 2 beta1^2 eta_g^2 eps T/(1 - beta1)^4",
        stated(
            ("offsets <= 2*beta1^2*eta_g^2/(1 - beta1)^4*eta^2/S^2*runs + 2*beta1^2*eta_g^2/(1 - beta1)^4*eps*T"),
            given=(
                "beta1 < 1",
                "T >= 1",
                "offsets <= beta1^2*eta_g^2/(1 - beta1)^4*sizes",
                "sizes <= 2*eta^2/S^2*runs_before + 2*eps*(T - 1)",
                "runs_before <= runs",
            ),
            letters=("beta1, eps, offsets, runs, runs_before, sizes >= 0",),
        ),
        ("0 <= beta1 < 1", "T >= 1", "u_0 = x_0"),
        steps=("gradma.eq23", "gradma.eq24-exchange", "gradma.lemma4"),
    ),
)
