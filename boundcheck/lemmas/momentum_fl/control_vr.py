"""Momentum-FL, Lemmas 20 and 21, line by line: sampled clients, control variates and variance reduction.

Letters as in `momentum_fl_control`; here ``drift`` = L^2 U_r enters without beta^2.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.momentum_fl.control import DRAWN
from boundcheck.lemmas.momentum_fl.estimator import FRESH
from boundcheck.lemmas.stated import stated

CLAIMS = (
    Claim(
        "momentum-fl.lemma20-split",
        "the draw splits the error exactly, and dropping the mean only enlarges the second part",
        "Lemma 20, l.952-953",
        "E|mean_S (F_i - beta c_i - (1 - beta) old_i) + beta c + (1 - beta) g - grad f|^2"
        " = |the same with the mean over all|^2 + rho mean|deviation|^2",
        stated(
            (
                "E(|beta*mean(control) + (1 - beta)*estimate - gradient + sampled(fresh - beta*control - (1 - "
                "beta)*old, A)|^2) = |beta*mean(control) + (1 - beta)*estimate - gradient + mean(fresh - "
                "beta*control - (1 - beta)*old)|^2 + (N - S)/(S*(N - 1))*|deviation(fresh - beta*control - (1 - "
                "beta)*old)|^2"
            ),
            letters=(
                "vectors estimate, gradient",
                "families fresh, old, control",
                "draw A of S from N",
            ),
        ),
        (*DRAWN, "c = mean c_i"),
        steps=("momentum-fl.lemma7", "momentum-fl.control-mean"),
    ),
    Claim(
        "momentum-fl.lemma20-parts",
        "Lambda_2 in four parts; at_new and at_old are sample gradients, new and old exact ones",
        "Lemma 20, l.961-963",
        "local - (1 - beta) at_old - beta c = (local - at_new) + beta (at_new - new) + beta (old - c)"
        " + (beta (new - old) + (1 - beta)(at_new - at_old))",
        stated(
            (
                "<local - (1 - beta)*at_old - beta*control, test> = <local - at_new + beta*(at_new - new) + "
                "beta*(old - control) + beta*(new - old) + (1 - beta)*(at_new - at_old), test>"
            ),
            letters=("vectors local, at_new, at_old, new, old, control, test",),
        ),
    ),
    Claim(
        "momentum-fl.lemma20-squares",
        "four squares; the last part is a convex mixture of two changes",
        "Lemma 20, l.964",
        "mean|dev a|^2 <= mean|a|^2; |a + b + c + e|^2 <= 4 (|a|^2 + |b|^2 + |c|^2 + |e|^2);"
        " |beta exact + (1 - beta) sample|^2 <= L^2 |server|^2",
        stated(
            "|deviation(first)|^2 <= |first|^2",
            "|first + second + third + fourth|^2 <= 4*|first|^2 + 4*|second|^2 + 4*|third|^2 + 4*|fourth|^2",
            (
                "|beta*exact + (1 - beta)*sample|^2 <= L^2*|server|^2 if beta <= 1, 0 <= L^2*|server|^2 - "
                "|exact|^2 : beta, 0 <= L^2*|server|^2 - |sample|^2 : 1 - beta"
            ),
            letters=(
                "vectors exact, sample, server",
                "families first, second, third, fourth",
            ),
        ),
        ("|exact| and |sample| <= L |server|", "beta <= 1", FRESH),
        steps=("momentum-fl.lemma20-parts", "momentum-fl.local-average"),
    ),
    Claim(
        "momentum-fl.lemma20-weights",
        "weights of the move, the drift and the noise",
        "Lemma 20, l.968",
        "8 rho + 6 (1 - beta)^2/(N K) <= 14/S; 14 gl^2/S <= beta/9; 4/beta + 4 rho <= 8/beta;"
        " 3 beta^2/(N K) + 4 rho beta^2/K <= 7 beta^2/(S K)",
        stated(
            ("8*(N - S)/(S*(N - 1)) + 6*(1 - beta)^2/(N*K) <= 14/S if beta <= 1, S >= 1, N >= 2, N >= S, K >= 1"),
            "14*gl^2/S <= beta/9 if 126*gl^2 <= beta*S",
            "4/beta + 4*(N - S)/(S*(N - 1)) <= 8/beta if beta <= 1, S >= 1, N >= 2, N >= S, K >= 1",
            (
                "3*beta^2/(N*K) + 4*(N - S)/(S*(N - 1))*beta^2/K <= 7*beta^2/(S*K) if beta <= 1, S >= 1, N >= 2, "
                "N >= S, K >= 1"
            ),
            letters=("gl > 0",),
        ),
        ("gl = gamma L <= sqrt(beta S/126)", "beta <= 1", "1 <= S <= N", "K >= 1", "unstated: N >= 2"),
    ),
    Claim(
        "momentum-fl.lemma20",
        "recursion of the error; share = 1/N bounds 1/(N K) as well, and 3 share + 4 rho <= 7/S",
        "Lemma 20, l.939-972",
        "after <= (1 - beta) error + 7 move2/S + rest <= (1 - 8 beta/9) error + (14 gl^2/S) grad2 + rest,"
        " rest = (8/beta) drift + 7 beta^2 noise2/S + 4 beta^2 rho stale",
        stated(
            (
                "after <= (1 - beta)*error + 7*move2/S + 8/beta*drift + 7*beta^2*noise2/S + 4*beta^2*rho*stale "
                "if beta <= 1, rho <= 1, 3*share + 4*rho <= 7/S, after <= whole + rho*spread, whole <= (1 - "
                "beta)*error + 4/beta*drift + 3*beta^2*noise2*share + 3*share*move2, spread <= 4*(drift + "
                "beta^2*noise2 + beta^2*stale + move2)"
            ),
            (
                "(1 - beta)*error + 7*move2/S <= (1 - 8*beta/9)*error + 14*gl^2/S*grad2 if 126*gl^2 <= beta*S, "
                "move2 <= 2*gl^2*(error + grad2)"
            ),
            letters=(
                "gl, share > 0",
                "after, drift, error, grad2, move2, noise2, rho, spread, stale, whole >= 0",
            ),
        ),
        ("gl = gamma L <= sqrt(beta S/126)", "beta <= 1", "noise2 = sigma^2/K", "r >= 1"),
        steps=(
            "momentum-fl.lemma20-split",
            "momentum-fl.lemma20-squares",
            "momentum-fl.lemma20-weights",
            "momentum-fl.lemma12",
            "momentum-fl.move",
        ),
    ),
    Claim(
        "momentum-fl.lemma20-start",
        "the first round, where nothing has moved",
        "Lemma 20, r = 0, l.947",
        "after <= (1 - beta) error + (8/beta) drift + 7 beta^2 noise2/S + 4 beta^2 rho stale",
        stated(
            "after <= (1 - beta)*error + 8/beta*drift + 7*beta^2*noise2/S + 4*beta^2*rho*stale",
            given=(
                "beta <= 1",
                "rho <= 1",
                "3*share + 4*rho <= 7/S",
                "after <= whole + rho*spread",
                "whole <= (1 - beta)*error + 4/beta*drift + 3*beta^2*noise2*share",
                "spread <= 4*(drift + beta^2*noise2 + beta^2*stale)",
            ),
            letters=(
                "share > 0",
                "after, drift, error, noise2, rho, spread, stale, whole >= 0",
            ),
        ),
        ("beta <= 1", "x^(-1) = x^0"),
        steps=("momentum-fl.lemma20-split", "momentum-fl.lemma20-squares", "momentum-fl.lemma12-start"),
    ),
    Claim(
        "momentum-fl.lemma21-four",
        "first local step in four squares",
        "Lemma 21, l.989-992",
        "mean|eta (turned + (1 - beta) error - beta dev gap + gradient)|^2"
        " <= 4 eta^2 (L^2 |server|^2 + (1 - beta)^2 |error|^2 + beta^2 mean|gap|^2 + |gradient|^2)",
        stated(
            (
                "|eta*(turned + (1 - beta)*error - beta*deviation(control - old) + gradient)|^2 <= "
                "4*eta^2*(L^2*|server|^2 + (1 - beta)^2*|error|^2 + beta^2*|control - old|^2 + |gradient|^2)"
            ),
            given=("0 <= L^2*|server|^2 - |turned|^2 : 4*eta^2",),
            letters=(
                "vectors server, error, gradient",
                "families turned, control, old",
            ),
        ),
        ("mean|turned|^2 <= L^2 |server|^2",),
    ),
    Claim(
        "momentum-fl.lemma21-first",
        "first local step, divided by 4 eta^2",
        "Lemma 21, l.993",
        "first2 <= 2 (error + grad2 + beta^2 stale)",
        stated(
            "first2 <= 2*(error + grad2 + beta^2*stale)",
            given=(
                "beta <= 1",
                "24*gl <= 1",
                "first2 <= move2 + (1 - beta)^2*error + beta^2*stale + grad2",
                "move2 <= 2*gl^2*(error + grad2)",
            ),
            letters=(
                "gl > 0",
                "error, first2, grad2, move2, stale >= 0",
            ),
        ),
        ("gl = gamma L <= 1/24", "beta <= 1"),
        steps=("momentum-fl.lemma21-four", "momentum-fl.move"),
    ),
    Claim(
        "momentum-fl.lemma21-small",
        "weight of the server step in the drift",
        "Lemma 21, l.995",
        "32 (2 ekl^2 + 1/K) gl^2 <= 96 gl^2 <= 2; 32 e + 2 <= 90",
        stated(
            "32*(2*ekl^2 + 1/K)*gl^2 <= 96*gl^2 if 24*gl <= 1, 4*exp(1)*ekl <= 1, K >= 1",
            "96*gl^2 <= 2 if 24*gl <= 1, 4*exp(1)*ekl <= 1, K >= 1",
            "2 + 32*exp(1) <= 90",
            letters=("ekl, gl > 0",),
        ),
        ("gl = gamma L <= 1/24", "ekl <= 1/(4 e)", "K >= 1"),
    ),
    Claim(
        "momentum-fl.eq29",
        "drift per unit of (eta K)^2; noise = 8 beta^2 (2 ekl^2 + 1/K) sigma^2",
        "Lemma 21, eq. (29), l.997-999",
        "drift <= 90 (error + grad2 + beta^2 stale) + noise",
        stated(
            "drift <= 90*(error + grad2 + beta^2*stale) + noise",
            given=(
                "beta <= 1",
                "drift <= 4*exp(1)*first2 + noise + small*(error + grad2)",
                "first2 <= 8*(error + grad2 + beta^2*stale)",
                "small <= 2",
            ),
            letters=("drift, error, first2, grad2, noise, small, stale >= 0",),
        ),
        ("first2 <= 8 (error + grad2 + beta^2 stale)", "beta <= 1", "unstated: also for r = 0, with x^(-1) = x^0"),
        steps=(
            "momentum-fl.lemma13-bound",
            "momentum-fl.lemma21-first",
            "momentum-fl.lemma21-small",
            "momentum-fl.move",
        ),
    ),
    Claim(
        "momentum-fl.lemma21-step",
        "recursion of V_r with (29) put in; made = 8 (beta ekl)^2 (2 ekl^2 + 1/K) sigma^2",
        "Lemma 21, l.1003-1010",
        "after <= (1 - s/2 + 180 (beta ekl)^2 s) stale + ((4/s) gl^2 + 180 s ekl^2)(error + grad2) + 2 s noise2"
        " + 2 s made; (4/s) gl^2 + 180 s ekl^2 <= (6/s) gl^2",
        stated(
            (
                "(1 - s/2)*stale + 4/s*gl^2*(error + grad2) + 2*s*noise2 + 2*s*(90*ekl2*(error + grad2 + "
                "beta^2*stale) + made) = (1 - s/2 + 180*beta^2*ekl2*s)*stale + (4/s*gl^2 + 180*ekl2*s)*(error + "
                "grad2) + 2*s*noise2 + 2*s*made"
            ),
            "4/s*gl^2 + 180*ekl2*s <= 6/s*gl^2",
            given=(
                "100*s^2*ekl2 <= gl^2",
                "s <= 1",
            ),
            letters=(
                "ekl2, gl, s > 0",
                "error, grad2, made, noise2, stale >= 0",
            ),
        ),
        ("eta K <= gamma/(10 s)", "0 < s <= 1"),
        steps=("momentum-fl.lemma18-refresh", "momentum-fl.eq29"),
    ),
    Claim(
        "momentum-fl.lemma21-noise-printed",
        "noise of the recursion with the factor that is printed, without 2 S/N",
        "Lemma 21, l.1009",
        "2 s/K + 8 (beta ekl)^2 (2 ekl^2 + 1/K) <= 4 s/K",
        stated(
            "2*s/K + 8*(beta*ekl)^2*(2*ekl^2 + 1/K) <= 4*s/K",
            given=(
                "4*exp(1)*ekl <= 1",
                "s <= 1",
                "K >= 1",
                "beta <= 1",
            ),
            letters=("ekl, s > 0",),
        ),
        ("ekl <= 1/(4 e)", "0 < s <= 1", "K >= 1", "beta <= 1"),
        repaired_by="momentum-fl.lemma21-noise",
    ),
    Claim(
        "momentum-fl.lemma21-noise",
        "noise of the recursion with the factor 16 s",
        "Lemma 21, l.1009",
        "2 s/K + 16 s (beta ekl)^2 (2 ekl^2 + 1/K) <= 4 s/K",
        stated(
            "2*s/K + 16*s*(beta*ekl)^2*(2*ekl^2 + 1/K) <= 4*s/K",
            given=(
                "4*exp(1)*ekl <= 1",
                "s <= 1",
                "K >= 1",
                "beta <= 1",
                "32*K*beta^2*ekl^4 <= 1",
                "1080*(beta*ekl)^2 <= 1",
            ),
            letters=("ekl, s > 0",),
        ),
        (
            "ekl <= 1/(4 e)",
            "0 < s <= 1",
            "K >= 1",
            "unstated: beta ekl <= 1/sqrt(1080)",
            "unstated: beta^2 ekl^4 <= 1/(32 K)",
        ),
        steps=("momentum-fl.lemma21-step",),
    ),
    Claim(
        "momentum-fl.lemma21-sum",
        "sum over the rounds; past = sum of E_r + E|grad f(x^r)|^2 from r = -1 on",
        "Lemma 21, l.980 and l.1012",
        "sum V_r <= (3/s)(V_0 + 4 s T noise2 + (6/s) gl^2 past)",
        stated(
            "total <= 3/s*(start + 4*s*T*noise2 + 6/s*gl^2*past)",
            given=(
                "s <= 1",
                "total <= start + (1 - s/3)*total + 4*s*noise2*T + 6/s*gl^2*past",
            ),
            letters=(
                "gl, s > 0",
                "noise2, past, start, total >= 0",
            ),
        ),
        ("0 < s <= 1",),
        steps=("momentum-fl.lemma21-step", "momentum-fl.lemma21", "momentum-fl.lemma21-noise"),
    ),
)
