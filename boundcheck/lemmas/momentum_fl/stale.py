"""Momentum-FL, Lemmas 17 and 18, line by line: drift with control variates, and how stale these are.

``s`` = S/N, ``bekl`` = beta eta K L, ``ekl`` = eta K L, other letters as in `momentum_fl_control`.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

CLAIMS = (
    Claim(
        "momentum-fl.lemma17-regroup",
        "the first local step in four parts; old = grad f_i(x^(r-1)), new = grad f_i(x^r)",
        "Lemma 17, l.843-844",
        "beta new + (1 - beta) g - beta (c_i - c) = beta (new - old) + (1 - beta)(g - mean old)"
        " - beta (c_i - c - old + mean old) + mean old",
        stated(
            (
                "<beta*new + (1 - beta)*estimate - beta*deviation(control), test> = <beta*(new - old) + (1 - "
                "beta)*(estimate - mean(old)) - beta*(deviation(control) - old + mean(old)) + mean(old), test>"
            ),
            letters=(
                "vectors estimate, test",
                "families new, old, control",
            ),
        ),
        ("c = mean c_i",),
        steps=("momentum-fl.control-mean",),
    ),
    Claim(
        "momentum-fl.lemma17-four",
        "four squares; the deviation of c_i - old is smaller than c_i - old",
        "Lemma 17, l.845",
        "mean|eta (beta turned + (1 - beta) error - beta dev gap + gradient)|^2"
        " <= 4 eta^2 (beta^2 L^2 |server|^2 + (1 - beta)^2 |error|^2 + beta^2 mean|gap|^2 + |gradient|^2)",
        stated(
            (
                "|eta*(beta*turned + (1 - beta)*error - beta*deviation(control - old) + gradient)|^2 <= "
                "4*eta^2*(beta^2*L^2*|server|^2 + (1 - beta)^2*|error|^2 + beta^2*|control - old|^2 + "
                "|gradient|^2)"
            ),
            given=("0 <= L^2*|server|^2 - |turned|^2 : 4*eta^2*beta^2",),
            letters=(
                "vectors server, error, gradient",
                "families turned, control, old",
            ),
        ),
        ("mean|turned|^2 <= L^2 |server|^2",),
        steps=("momentum-fl.lemma17-regroup",),
    ),
    Claim(
        "momentum-fl.lemma17-first",
        "first local step, divided by 4 eta^2",
        "Lemma 17, l.846",
        "first2 <= error + 2 grad2 + beta^2 stale",
        stated(
            "first2 <= error + 2*grad2 + beta^2*stale",
            given=(
                "beta <= 1",
                "2*beta*gl^2 <= 1",
                "first2 <= beta^2*move2 + (1 - beta)^2*error + beta^2*stale + grad2",
                "move2 <= 2*gl^2*(error + grad2)",
            ),
            letters=(
                "gl > 0",
                "error, first2, grad2, move2, stale >= 0",
            ),
        ),
        ("gl = gamma L <= 1/sqrt(2 beta)", "beta <= 1", "unstated: also for r = 0, with x^(-1) = x^0"),
        steps=("momentum-fl.lemma17-four", "momentum-fl.lemma17", "momentum-fl.move"),
    ),
    Claim(
        "momentum-fl.lemma17-bound",
        "mean squared drift with control variates",
        "Lemma 17, l.829-848",
        "U_r <= eta^2 K^2 (8 e (error + 2 grad2 + beta^2 stale) + beta^2 sigma^2 (1/K + 2 bekl^2))",
        stated(
            ("drift <= eta^2*K^2*(8*exp(1)*(error + 2*grad2 + beta^2*stale) + beta^2*(noise2 + 2*K*noise2*bekl^2))"),
            given=(
                "drift <= 2*exp(1)*K^2*first2 + K^2*eta^2*beta^2*noise2*(1 + 2*K*bekl^2)",
                "first2 <= 4*eta^2*(error + 2*grad2 + beta^2*stale)",
            ),
            letters=("bekl, drift, error, first2, grad2, noise2, stale >= 0",),
        ),
        ("eta K L <= 1/beta", "noise2 = sigma^2/K", "U_r here without the factor L^2"),
        steps=("momentum-fl.lemma17-first", "momentum-fl.lemma9"),
    ),
    Claim(
        "momentum-fl.lemma18-refresh",
        "a control variate is refreshed with probability s",
        "Lemma 18, l.859-867",
        "|gap - turned|^2 <= (1 + s/2)|gap|^2 + (1 + 2/s) L^2 |moved|^2;"
        " after <= (1 - s/2) stale + (2/s) move2 + 2 s noise2 + 2 s drift",
        stated(
            (
                "|gap - turned|^2 <= (1 + s/2)*|gap|^2 + (1 + 2/s)*L^2*|moved|^2 if 0 <= L^2*|moved|^2 - "
                "|turned|^2 : 1 + 2/s"
            ),
            (
                "after <= (1 - s/2)*stale + 2/s*move2 + 2*s*noise2 + 2*s*drift if s <= 1, after <= (1 - s)*old + "
                "s*fresh, fresh <= 2*noise2 + 2*drift, old <= (1 + s/2)*stale + (1 + 2/s)*move2"
            ),
            letters=(
                "s > 0",
                "after, drift, fresh, move2, noise2, old, stale >= 0",
                "vectors gap, turned, moved",
            ),
        ),
        ("0 < s <= 1", "E|fresh - grad f_i|^2 <= 2 noise2 + 2 drift"),
        steps=("momentum-fl.lemma6-markov", "momentum-fl.local-average", "momentum-fl.lemma18"),
    ),
    Claim(
        "momentum-fl.lemma18-kept",
        "recursion of V_r with both terms kept: no bound on eta K is needed",
        "Lemma 18, l.871-872",
        "after <= (1 - s/3) stale + 4 s noise2 + ((4/s) gl^2 + 32 e s ekl^2)(error + grad2)",
        stated(
            (
                "(1 - s/2)*stale + 2/s*2*gl^2*(error + grad2) + 2*s*noise2 + 2*s*(8*exp(1)*(ekl2*error + "
                "2*ekl2*grad2 + bekl2*stale) + noise2*(bekl2 + 2*K*bekl2^2)) = (1 - s/2 + "
                "16*exp(1)*s*bekl2)*stale + 2*s*(1 + bekl2 + 2*K*bekl2^2)*noise2 + 4/s*gl^2*(error + grad2) + "
                "16*exp(1)*s*ekl2*(error + 2*grad2)"
            ),
            "1 - s/2 + 16*exp(1)*s*bekl2 <= 1 - s/3 if s <= 1, K >= 1, 331776*bekl2^2*K <= 1",
            "2*s*(1 + bekl2 + 2*K*bekl2^2) <= 4*s if s <= 1, K >= 1, 331776*bekl2^2*K <= 1",
            (
                "4/s*gl^2*(error + grad2) + 16*exp(1)*s*ekl2*(error + 2*grad2) <= (4/s*gl^2 + "
                "32*exp(1)*s*ekl2)*(error + grad2)"
            ),
            letters=(
                "bekl2, gl, s > 0",
                "ekl2, error, grad2, noise2, stale >= 0",
            ),
        ),
        ("bekl <= 1/(24 K^(1/4))", "0 < s <= 1", "K >= 1"),
        steps=("momentum-fl.lemma18-refresh", "momentum-fl.lemma17-bound", "momentum-fl.move"),
    ),
    Claim(
        "momentum-fl.lemma18-step",
        "the second term under the condition on eta K",
        "Lemma 18, l.873",
        "(4/s) gl^2 + 32 e s ekl^2 <= (8/s) gl^2",
        stated(
            "4/s*gl^2 + 32*exp(1)*s*ekl^2 <= 8/s*gl^2",
            given=(
                "s <= 1",
                "5*s*ekl <= gl",
            ),
            letters=("ekl, gl, s > 0",),
        ),
        ("eta K <= gamma/(5 s)", "0 < s <= 1"),
    ),
    Claim(
        "momentum-fl.lemma18-sum",
        "sum over the rounds; past = sum of E_r + E|grad f(x^r)|^2 from r = -1 on",
        "Lemma 18, l.854 and l.875",
        "sum V_r <= (3/s)(V_0 + 4 s T noise2 + (8/s) gl^2 past)",
        stated(
            "total <= 3/s*(start + 4*s*T*noise2 + 8/s*gl^2*past)",
            given=(
                "s <= 1",
                "total <= start + (1 - s/3)*total + 4*s*noise2*T + 8/s*gl^2*past",
            ),
            letters=(
                "gl, s > 0",
                "noise2, past, start, total >= 0",
            ),
        ),
        ("0 < s <= 1",),
        steps=("momentum-fl.lemma18-kept", "momentum-fl.lemma18-step"),
    ),
    Claim(
        "momentum-fl.theorem19-eta-printed",
        "the printed conditions give the one that Lemma 18 states, at hidden constants 1/1000 and gamma L = beta",
        "Theorem 19, eq. (28), l.881-882, with Lemma 18, l.852",
        "5 S ekl <= N beta",
        stated(
            "5*S*ekl <= N*beta",
            given=(
                "S >= 1",
                "N >= S",
                "K >= 1",
                "beta <= 1",
                "S*ekl^2 <= (1/1000)^2",
                "beta^4*ekl^4*K <= (1/1000)^4",
                "N^2*ekl^2 <= (1/1000)^2*S",
            ),
            letters=("ekl > 0",),
        ),
        ("ekl <= min(1/sqrt(S), 1/(beta K^(1/4)), sqrt(S)/N)/1000", "1 <= S <= N", "K >= 1", "beta <= 1"),
        repaired_by="momentum-fl.lemma18-kept",
    ),
)
