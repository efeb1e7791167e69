"""Momentum-FL, Lemma 16, line by line: sampled clients with control variates.

``rho = (N - S)/(S (N - 1))``, ``stale`` = V_r, ``drift`` = L^2 U_r, ``move2`` = L^2 E|x^r - x^(r-1)|^2, ``noise2`` =
sigma^2/K, ``gl`` = gamma L, ``error`` and ``grad2`` as in `momentum_fl_estimator`.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

DRAWN = ("S of N clients, uniformly without replacement", "unstated: N >= 2")


CLAIMS = (
    Claim(
        "momentum-fl.control-mean",
        "the server's control variate stays the mean of the clients'",
        "Lemma 16, l.807, with Alg. 2, l.239",
        "mean (c_i + 1(i in S)(new_i - c_i)) = mean c_i + (1/N) sum_(i in S) (new_i - c_i)",
        stated(
            "<mean(old + taken(new - old, A)), test> = <mean(old), test> + <mean(taken(new - old, A)), test>",
            letters=(
                "vectors test",
                "families old, new",
                "draw A of S from N",
            ),
        ),
        ("c^0 = mean c_i^0",),
    ),
    Claim(
        "momentum-fl.lemma16-split",
        "the draw splits the error exactly",
        "Lemma 16, l.809-811",
        "E|(1 - beta) g + beta (mean_S (F_i - c_i) + c) - grad f|^2 = |(1 - beta)(g - grad f) + beta (mean F_i"
        " - grad f)|^2 + beta^2 rho mean|F_i - c_i - mean (F_i - c_i)|^2",
        stated(
            (
                "E(|(1 - beta)*estimate + beta*mean(control) - gradient + beta*sampled(fresh - control, A)|^2) = "
                "|(1 - beta)*estimate + beta*mean(control) - gradient + beta*mean(fresh - control)|^2 + "
                "beta^2*(N - S)/(S*(N - 1))*|deviation(fresh - control)|^2"
            ),
            letters=(
                "vectors estimate, gradient",
                "families fresh, control",
                "draw A of S from N",
            ),
        ),
        (*DRAWN, "c = mean c_i"),
        steps=("momentum-fl.lemma7", "momentum-fl.control-mean"),
    ),
    Claim(
        "momentum-fl.lemma16-spread",
        "the deviation is smaller than the family, and the noise comes apart",
        "Lemma 16, l.819-820",
        "mean|dev (local + draw - c)|^2 <= mean|local + draw - c|^2; |a + draw|^2 <= 2|a|^2 + 2|draw|^2",
        stated(
            "|deviation(local + draw - control)|^2 <= |local + draw - control|^2",
            "|local - control + draw|^2 <= 2*|local - control|^2 + 2*|draw|^2",
            letters=("families local, draw, control",),
        ),
    ),
    Claim(
        "momentum-fl.lemma16-three",
        "from the local models to the control variates in three steps",
        "Lemma 16, l.821",
        "mean|turned + gone + old_gap|^2 <= 3 (L^2 mean|moved|^2 + L^2 |server|^2 + mean|old_gap|^2)",
        stated(
            "|turned + gone + old_gap|^2 <= 3*(L^2*|moved|^2 + L^2*|server|^2 + |old_gap|^2)",
            given=(
                "0 <= L^2*|moved|^2 - |turned|^2 : 3",
                "0 <= L^2*|server|^2 - |gone|^2 : 3",
            ),
            letters=(
                "vectors server",
                "families turned, moved, gone, old_gap",
            ),
        ),
        ("mean|turned|^2 <= L^2 mean|moved|^2", "mean|gone|^2 <= L^2 |server|^2"),
        steps=("momentum-fl.local-average",),
    ),
    Claim(
        "momentum-fl.lemma16",
        "recursion of the error with sampled clients",
        "Lemma 16, l.796-825",
        "after <= (1 - beta) error + (2/beta + 6 beta^2 rho) move2 + rest <= (1 - 8 beta/9) error"
        " + (16/beta) gl^2 grad2 + rest, rest = 4 beta^2 noise2/S + 10 beta drift + 6 beta^2 rho stale",
        stated(
            (
                "after <= (1 - beta)*error + (2/beta + 6*beta^2*rho)*move2 + 4*beta^2*noise2/S + 10*beta*drift + "
                "6*beta^2*rho*stale if S >= 1, N >= S, rho*S <= 1, after <= whole + beta^2*rho*spread, whole <= "
                "(1 - beta)*error + 2/beta*move2 + 2*beta^2*noise2/N + 4*beta*drift, spread <= 2*noise2 + "
                "6*(drift + move2 + stale)"
            ),
            (
                "(1 - beta)*error + (2/beta + 6*beta^2*rho)*move2 <= (1 - 8*beta/9)*error + 16/beta*gl^2*grad2 "
                "if rho <= 1, 12*gl <= beta, move2 <= 2*gl^2*(error + grad2)"
            ),
            given=("beta <= 1",),
            letters=(
                "gl > 0",
                "after, drift, error, grad2, move2, noise2, rho, spread, stale, whole >= 0",
            ),
        ),
        ("gl = gamma L <= beta/12", "beta <= 1", "rho <= 1/S", "r >= 1"),
        steps=(
            "momentum-fl.lemma16-split",
            "momentum-fl.lemma16-spread",
            "momentum-fl.lemma16-three",
            "momentum-fl.lemma16-weights",
            "momentum-fl.lemma8",
            "momentum-fl.move",
        ),
    ),
    Claim(
        "momentum-fl.lemma16-start",
        "the first round with sampled clients, where nothing has moved",
        "Lemma 16, r = 0, l.804",
        "after <= (1 - beta) error + 4 beta^2 noise2/S + 8 beta drift + 4 beta^2 rho stale",
        stated(
            "after <= (1 - beta)*error + 4*beta^2*noise2/S + 8*beta*drift + 4*beta^2*rho*stale",
            given=(
                "beta <= 1",
                "S >= 1",
                "N >= S",
                "rho*S <= 1",
                "after <= (1 - beta)*error + 2*beta^2*noise2/N + 4*beta*drift + beta^2*rho*spread",
                "spread <= 2*noise2 + 4*(drift + stale)",
            ),
            letters=("after, drift, error, noise2, rho, spread, stale >= 0",),
        ),
        ("beta <= 1", "rho <= 1/S", "x^(-1) = x^0"),
        steps=("momentum-fl.lemma16-split", "momentum-fl.lemma16-spread", "momentum-fl.lemma8-start"),
    ),
)
