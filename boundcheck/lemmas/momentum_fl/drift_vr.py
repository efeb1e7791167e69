"""Momentum-FL, Lemmas 13 and 14, line by line: local drift of the variance-reduced method and its first step.

Letters as in `momentum_fl_drift`.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.momentum_fl.estimator import FRESH
from boundcheck.lemmas.stated import stated

CLAIMS = (
    Claim(
        "momentum-fl.lemma13-variance",
        "variance of a variance-reduced local step: here and old are the noises of one sample at two points",
        "Lemma 13, l.671-673",
        "|here - (1 - beta) old|^2 <= 2 beta^2 |here|^2 + 2 (1 - beta)^2 L^2 |moved|^2",
        stated(
            "|here - (1 - beta)*old|^2 <= 2*beta^2*|here|^2 + 2*(1 - beta)^2*L^2*|moved|^2",
            given=("0 <= L^2*|moved|^2 - |here - old|^2 : 2*(1 - beta)^2",),
            letters=("vectors here, old, moved",),
        ),
        ("E|here - old|^2 <= L^2 |moved|^2, a centred change being smaller than the change",),
    ),
    Claim(
        "momentum-fl.lemma13-mean-step",
        "change of the mean step, length of a local step, distance to the old server model",
        "Lemma 13, l.666-679",
        "|eta turned|^2 <= eta^2 L^2 |moved|^2; E|step - eta draw|^2 = |step|^2 + eta^2 variance;"
        " variance <= 2 beta^2 sigma^2 + 4 L^2 (server2 + local2)",
        stated(
            "|eta*turned|^2 <= eta^2*L^2*|moved|^2 if 0 <= L^2*|moved|^2 - |turned|^2 : eta^2",
            "E(|step - eta*draw|^2) = |step|^2 + eta^2*made",
            (
                "variance <= 2*beta^2*sigma^2 + 4*L^2*(server2 + local2) if beta <= 1, variance <= "
                "2*beta^2*sigma^2 + 2*(1 - beta)^2*L^2*far2, far2 <= 2*server2 + 2*local2"
            ),
            letters=(
                "made > 0",
                "far2, local2, server2, variance >= 0",
                "vectors moved, turned, step",
                "noise draw of made",
            ),
        ),
        (FRESH, "|turned| <= L |moved|", "beta <= 1"),
        steps=("momentum-fl.lemma13-variance",),
    ),
    Claim(
        "momentum-fl.lemma13-unroll",
        "weights of the unrolled recursion (k is K here)",
        "Lemma 13, eq. (23), l.685",
        "(1 + 2/k)^(k-2)(1 + 1/k) <= e^2; (k + 1) sum_m (1 + 2/k)^m <= 4 k^2 <= 8 k^2",
        stated(
            "(1 + 2/K)^(K - 2)*(1 + 1/K) <= exp(2) for K >= 2",
            "(K + 1)*weights <= 8*K^2",
            given=("(K + 1)*weights <= 4*K^2",),
            letters=("weights > 0",),
        ),
        ("k >= 2",),
        steps=("momentum-fl.lemma9-recursion", "momentum-fl.lemma9-unroll", "momentum-fl.lemma13-mean-step"),
    ),
    Claim(
        "momentum-fl.lemma13-share-printed",
        "weight of the drift on its own right side, with the (eta L)^2 that is printed",
        "Lemma 13, l.693",
        "8 K (eta L)^2 + 8 e^2 (eta K L)^4 <= 8 (eta L)^2 + 8 e^2 (eta K L)^4",
        stated(
            "8*ekl^2/K + 8*exp(2)*ekl^4 <= 8*ekl^2/K^2 + 8*exp(2)*ekl^4",
            given=(
                "4*exp(1)*ekl <= 1",
                "K >= 1",
            ),
            letters=("ekl > 0",),
        ),
        ("eta K L <= 1/(4 e)", "K >= 1", "left side: what (23) in (26) gives"),
        repaired_by="momentum-fl.lemma13",
    ),
    Claim(
        "momentum-fl.lemma13-bound",
        "mean squared drift of the variance-reduced method; step2 = eta^2 L^2, made = eta^2 (beta^2 sigma^2"
        " + 2 L^2 |x^r - x^(r-1)|^2)",
        "Lemma 13, eq. (26), l.689-699",
        "drift <= 4 e K^2 first2 + 8 (2 K^4 step2 + K) made",
        stated(
            "drift <= 4*exp(1)*K^2*first2 + 8*(2*K^4*step2 + K)*made",
            given=(
                "share <= 1/2",
                "power1 <= K/2",
                "power2 <= K^2/3",
                "power4 <= K^4/5",
                "drift <= 2*power2*exp(2)*first2 + 32*power4*step2*made + 4*power1*made + share*drift",
            ),
            letters=(
                "step2 > 0",
                "drift, first2, made, power1, power2, power4, share >= 0",
            ),
        ),
        ("eta K L <= 1/(4 e)", "share = 8 K (eta L)^2 + 8 e^2 (eta K L)^4 <= 1/2"),
        steps=("momentum-fl.lemma13-unroll", "momentum-fl.lemma9-powers", "momentum-fl.lemma13"),
    ),
    Claim(
        "momentum-fl.lemma14",
        "sum of the first steps of the variance-reduced method; reach = gamma L T",
        "Lemma 14, l.701-733",
        "sum Xi_r <= (beta^2/(288 e K^2 L^2)) past + 4 eta^2 beta^2 e T G_0",
        stated(
            "289/144*2 = 289/72",
            (
                "total <= eta^2*(289/72*(1 - beta)^2 + 8*exp(1)*(beta*reach)^2)*past + "
                "4*eta^2*beta^2*exp(1)*start2 if total <= eta^2*289/72*(1 - beta)^2*past + "
                "4*eta^2*beta^2*(exp(1)*start2 + 2*exp(1)*reach^2*inner_past), inner_past <= past"
            ),
            (
                "eta^2*(289/72*(1 - beta)^2 + 8*exp(1)*(beta*reach)^2) <= beta^2/(288*exp(1)*K^2*L^2) if "
                "288*exp(1)*K^2*L^2*eta^2*(289/72*(1 - beta)^2 + 8*exp(1)*(beta*reach)^2) <= beta^2"
            ),
            letters=(
                "reach > 0",
                "inner_past, past, start2, total >= 0",
            ),
        ),
        ("gamma L <= 1/24", "288 e (eta K L)^2 ((289/72)(1 - beta)^2 + 8 e (beta gamma L T)^2) <= beta^2"),
        steps=("momentum-fl.lemma14-first", "momentum-fl.lemma10-eq12", "momentum-fl.lemma10-weights"),
    ),
)
