"""Momentum-FL, Lemma 12, line by line: error of the variance-reduced estimate, all clients taking part.

Letters as in `momentum_fl_estimator`.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.momentum_fl.estimator import FRESH
from boundcheck.lemmas.stated import stated

CLAIMS = (
    Claim(
        "momentum-fl.lemma12-expand",
        "the variance-reduced error in three parts; at_local and at_old are the noises of the same samples",
        "Lemma 12, l.632-636",
        "|(1 - beta) a + rest|^2 = (1 - beta)^2 |a|^2 + 2 <(1 - beta) a, local - new> + |rest|^2",
        stated(
            (
                "|(1 - beta)*a + local + at_local - new + (1 - beta)*(old - (old + at_old))|^2 = (1 - "
                "beta)^2*|a|^2 + 2*<(1 - beta)*a, local - new> + |local + at_local - new + (1 - beta)*(old - "
                "(old + at_old))|^2 if <a, at_local> = 0*beta, <a, at_old> = 0*beta"
            ),
            letters=("vectors a, local, new, old, at_local, at_old",),
        ),
        (FRESH,),
    ),
    Claim(
        "momentum-fl.lemma12-cross",
        "cross term of the variance-reduced error",
        "Lemma 12, l.640",
        "2 <(1 - beta) a, bias> <= beta (1 - beta)^2 |a|^2 + |bias|^2/beta",
        stated(
            "2*<(1 - beta)*a, bias> <= beta*(1 - beta)^2*|a|^2 + |bias|^2/beta",
            letters=("vectors a, bias",),
        ),
    ),
    Claim(
        "momentum-fl.lemma12-three",
        "the three terms of Lambda_2: averages of N K fresh noises, and a centred change is smaller than the change",
        "Lemma 12, l.644-646",
        "|a + b + c|^2 <= 3 (|a|^2 + |b|^2 + |c|^2); E|beta mean draw|^2 = beta^2 sigma^2/(N K);"
        " E|mean change|^2 = mean E|change|^2/(N K); mean|turned - mean turned|^2 <= mean|turned|^2",
        stated(
            "|first + second + third|^2 <= 3*|first|^2 + 3*|second|^2 + 3*|third|^2",
            "E(|beta*mean(draw)|^2, draw) = beta^2*sigma^2/(N*K)",
            "E(|mean(change)|^2, change) = E(|change|^2, change)/(N*K)",
            "|turned - mean(turned)|^2 <= |turned|^2",
            letters=(
                "vectors first, second, third",
                "families turned",
                "noise draw over N*K of sigma^2",
                "noise change over N*K",
            ),
        ),
        (FRESH,),
        steps=("momentum-fl.lemma12-split", "momentum-fl.local-average"),
    ),
    Claim(
        "momentum-fl.lemma12",
        "recursion of the variance-reduced error; move2 stands for L^2 E|x^r - x^(r-1)|^2 and share for 1/(N K)",
        "Lemma 12, l.622-653",
        "after <= (1 - beta) error + (4/beta) drift + 3 beta^2 noise2 + 3 move2/(N K)"
        " <= (1 - 8 beta/9) error + (4/beta) drift + 3 beta^2 noise2 + 6 gl^2 share grad2",
        stated(
            (
                "after <= (1 - beta)*error + 4/beta*drift + 3*beta^2*noise2 + 3*move2/(N*K) if after <= (1 - "
                "beta)^2*error + cross + lambda2, cross <= beta*(1 - beta)^2*error + drift/beta, lambda2 <= "
                "3*drift + 3*beta^2*noise2 + 3*(1 - beta)^2*move2/(N*K)"
            ),
            (
                "after <= (1 - 8*beta/9)*error + 4/beta*drift + 3*beta^2*noise2 + 6*gl^2*share*grad2 if after <= "
                "(1 - beta)*error + 4/beta*drift + 3*beta^2*noise2 + 3*share*move2, move2 <= 2*gl^2*(grad2 + "
                "error), 54*gl^2*share <= beta"
            ),
            given=("beta <= 1",),
            letters=(
                "gl, share > 0",
                "after, cross, drift, error, grad2, lambda2, move2, noise2 >= 0",
            ),
        ),
        ("gl = gamma L <= sqrt(beta N K/54)", "beta <= 1", "r >= 1"),
        steps=(
            "momentum-fl.lemma12-expand",
            "momentum-fl.lemma12-cross",
            "momentum-fl.lemma12-three",
            "momentum-fl.move",
            "momentum-fl.lemma12-step",
        ),
    ),
    Claim(
        "momentum-fl.lemma12-start",
        "the first round of the variance-reduced method, where nothing has moved",
        "Lemma 12, r = 0, l.630 and l.655",
        "(1 - beta)^2 (1 + beta) error + drift/beta + 3 drift + 3 beta^2 noise2"
        " <= (1 - beta) error + (4/beta) drift + 3 beta^2 noise2",
        stated(
            (
                "(1 - beta)^2*error + beta*(1 - beta)^2*error + drift/beta + 3*drift + 3*beta^2*noise2 <= (1 - "
                "beta)*error + 4/beta*drift + 3*beta^2*noise2"
            ),
            given=("beta <= 1",),
            letters=("drift, error, noise2 >= 0",),
        ),
        ("beta <= 1", "x^(-1) = x^0"),
        steps=("momentum-fl.lemma12-expand", "momentum-fl.lemma12-cross", "momentum-fl.lemma12-three"),
    ),
    Claim(
        "momentum-fl.theorem15-square-printed",
        "the square in the display also takes the 6: share = 1/(N K)",
        "Theorem 15, l.753",
        "(6 gl)^2 share <= beta/9",
        stated(
            "(6*gl)^2*share <= beta/9",
            given=(
                "54*gl^2*share <= beta",
                "beta <= 1",
            ),
            letters=("gl, share > 0",),
        ),
        ("gl = gamma L <= sqrt(beta N K/54)", "beta <= 1"),
        repaired_by="momentum-fl.lemma12-step",
    ),
)
