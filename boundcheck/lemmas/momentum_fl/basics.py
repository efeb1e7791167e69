"""Momentum-FL, Lemmas 5 to 14: descent, sampling, estimator error and local drift.

The paper's R (rounds) is T here; ``ekl`` stands for eta K L and ``gl`` for gamma L.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

CLAIMS = (
    Claim(
        "momentum-fl.lemma5",
        "descent with an inexact gradient u",
        "Lemma 5, l.411-429",
        "-gamma <g, u> + (L gamma^2/2)|u|^2 <= -(11 gamma/24)|g|^2 + (13 gamma/24)|g - u|^2",
        stated(
            "-gamma*<g, u> + L*gamma^2/2*|u|^2 <= -11/24*gamma*|g|^2 + 13/24*gamma*|g - u|^2",
            given=("24*gamma*L <= 1",),
            letters=("vectors g, u",),
        ),
        ("gamma L <= 1/24",),
        steps=("momentum-fl.lemma5-expand", "momentum-fl.lemma5-young"),
    ),
    Claim(
        "momentum-fl.lemma7",
        "sampling without replacement, for all N and S",
        "Lemma 7, l.442-456",
        "E|mean_S v|^2 = |mean v|^2 + (N - S)/(S (N - 1)) mean |v_i - mean v|^2",
        stated(
            (
                "(S/N*N*|v|^2 + S*(S - 1)/(N*(N - 1))*((N*<v, one>)^2 - N*|v|^2))/S^2 = <v, one>^2 + (N - "
                "S)/(S*(N - 1))*|v - <v, one>*one|^2"
            ),
            letters=(
                "vectors v",
                "ones one",
            ),
        ),
        ("P(i in S) = S/N", "P(i, j in S) = S (S - 1)/(N (N - 1))", "unstated: N >= 2"),
        steps=("momentum-fl.lemma7-lines",),
    ),
    Claim(
        "momentum-fl.lemma8-factors",
        "contraction factors of the estimator error",
        "Lemma 8, l.466-497",
        "(1 - beta)(1 + beta/2)^2 <= 1; (1 - beta)^2 (1 + beta/2)(1 + 2/beta) <= 2/beta; 2 beta + 2 beta^2 <= 4 beta",
        stated(
            "(1 - beta)*(1 + beta/2)^2 <= 1",
            "(1 - beta)^2*(1 + beta/2)*(1 + 2/beta) <= 2/beta",
            "2*beta + 2*beta^2 <= 4*beta",
            given=("beta <= 1",),
        ),
        ("0 < beta <= 1",),
    ),
    Claim(
        "momentum-fl.lemma8-cross",
        "cross term of the estimator error",
        "Lemma 8, l.482",
        "2 beta <a, d> <= (beta/2)|a|^2 + 2 beta |d|^2",
        stated(
            "2*beta*<a, d> <= beta/2*|a|^2 + 2*beta*|d|^2",
            letters=("vectors a, d",),
        ),
        ("beta > 0",),
    ),
    Claim(
        "momentum-fl.lemma8-step",
        "the moving target is absorbed",
        "Lemma 8, l.493",
        "4 gl^2/beta <= beta/9",
        stated(
            "4*gl^2/beta <= beta/9",
            given=(
                "gl <= beta/6",
                "beta <= 1",
            ),
            letters=("gl > 0",),
        ),
        ("gl = gamma L <= beta/6", "beta <= 1"),
    ),
    Claim(
        "momentum-fl.lemma9-unroll",
        "unrolled local drift: geometric sum with `power` = (1 + 2/K)^(K-1)",
        "Lemma 9, l.517",
        "(K + 1) sum_(m<K-1) (1 + 2/K)^m <= 4 K^2 and (1 + 2/K)^(K-1) <= e^2",
        stated(
            "(K + 1)*(power - 1)/(2/K) - 4*K^2 = K*(K + 1)/2*(power - (1 + 8*K/(K + 1)))",
            "(1 + 2/K)^(K - 1) <= 1 + 8*K/(K + 1) for K >= 1",
            "(1 + 2/K)^(K - 1) <= exp(2) for K >= 1",
            letters=("power > 0",),
        ),
        ("K >= 1",),
    ),
    Claim(
        "momentum-fl.lemma9-averages",
        "averages over the local steps",
        "Lemma 9, l.519-523",
        "2 e^2/3 <= 2 e; 8/5 <= 2; (K - 1)(2 K - 1)/6 <= K^2/3",
        stated(
            "2*exp(2)/3 <= 2*exp(1)",
            "8/5 <= 2",
            "(K - 1)*(2*K - 1)/6 <= K^2/3 if K >= 1",
        ),
        ("K >= 1",),
    ),
    Claim(
        "momentum-fl.lemma10-unroll",
        "growth over the rounds",
        "Lemma 10, eq. (12), l.540",
        "(1 + 1/T)^T <= e; (T - 1)(T + 2)/2 <= T^2",
        stated(
            "(1 + 1/T)^T <= exp(1) for T >= 1",
            "(T - 1)*(T + 2)/2 <= T^2",
        ),
        ("T >= 1",),
    ),
    Claim(
        "momentum-fl.lemma10-budget",
        "the condition on eta K L gives the coefficient of the lemma",
        "Lemma 10, l.550",
        "4 eta^2 ((1 - beta)^2 + e (beta gamma L T)^2) <= 1/(72 e K^2 L^2)",
        stated(
            "4*eta^2*((1 - beta)^2 + exp(1)*(beta*gamma*L*T)^2) <= 1/(72*exp(1)*K^2*L^2)",
            given=("288*exp(1)*(eta*K*L)^2*((1 - beta)^2 + exp(1)*(beta*gamma*L*T)^2) <= 1",),
        ),
        ("288 e (eta K L)^2 ((1 - beta)^2 + e (beta gamma L T)^2) <= 1",),
    ),
    Claim(
        "momentum-fl.lemma12-split-printed",
        "three-term split of the variance-reduced error with the printed middle term",
        "Lemma 12, l.644",
        "local - (1 - beta) at_old + (1 - beta) old - new"
        " = (local - at_new) + beta (local - new) + (1 - beta)(at_new - at_old + old - new)",
        stated(
            (
                "<local - (1 - beta)*at_old + (1 - beta)*old - new, test> = <local - at_new + beta*(local - new) "
                "+ (1 - beta)*(at_new - at_old + old - new), test>"
            ),
            letters=("vectors local, at_new, at_old, new, old, test",),
        ),
        repaired_by="momentum-fl.lemma12-split",
    ),
    Claim(
        "momentum-fl.lemma12-split",
        "three-term split of the variance-reduced error",
        "Lemma 12, l.644",
        "local - (1 - beta) at_old + (1 - beta) old - new"
        " = (local - at_new) + beta (at_new - new) + (1 - beta)(at_new - at_old + old - new)",
        stated(
            (
                "<local - (1 - beta)*at_old + (1 - beta)*old - new, test> = <local - at_new + beta*(at_new - "
                "new) + (1 - beta)*(at_new - at_old + old - new), test>"
            ),
            letters=("vectors local, at_new, at_old, new, old, test",),
        ),
    ),
    Claim(
        "momentum-fl.lemma12-step",
        "the moving target is absorbed, variance-reduced case",
        "Lemma 12, l.650",
        "6 gl^2/(N K) <= beta/9; 1/beta + 3 <= 4/beta",
        stated(
            "6*gl^2/(N*K) <= beta/9 if gl <= sqrt(beta*N*K/54)",
            "1/beta + 3 <= 4/beta if beta <= 1",
            letters=("gl > 0",),
        ),
        ("gl = gamma L <= sqrt(beta N K/54)", "beta <= 1"),
    ),
    Claim(
        "momentum-fl.lemma13",
        "absorption of the drift, with the factor K that the display lacks",
        "Lemma 13, l.694",
        "8 K (eta L)^2 + 8 e^2 (eta K L)^4 <= 1/2",
        stated(
            "8*ekl^2/K + 8*exp(2)*ekl^4 <= 1/2",
            given=(
                "ekl <= exp(-1)/4",
                "K >= 1",
            ),
            letters=("ekl > 0",),
        ),
        ("ekl = eta K L <= 1/(4 e)", "K >= 1"),
    ),
    Claim(
        "momentum-fl.lemma14-first",
        "first local step of the variance-reduced method; `shift` is a change of gradient over one round",
        "Lemma 14, l.715",
        "|eta (a + beta gradient)|^2 <= 2 eta^2 (|a|^2 + beta^2 |gradient|^2);"
        " |momentum + shift|^2 <= 2 (1 + gl^2)|momentum|^2; 2 (1 + 2/576) = 289/144",
        stated(
            "|eta*(a + beta*gradient)|^2 <= 2*eta^2*(|a|^2 + beta^2*|gradient|^2)",
            "|momentum + shift|^2 <= 2*(1 + gl^2)*|momentum|^2 if 0 <= gl^2*|momentum|^2 - |shift|^2 : 2",
            "2*(1 + 2/576) = 289/144",
            letters=(
                "gl > 0",
                "vectors momentum, shift, gradient, a",
            ),
        ),
        ("|shift| <= gl |momentum| with gl = gamma L",),
    ),
)
