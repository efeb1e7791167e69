"""Each rule proves what is true and none of its false neighbours; both are evaluated in small exact worlds.

A true claim (T) holds in every world that the file allows, N = 1, K = 1, T = 1 and S = N included; a false one (F), one
change away, fails in one of them, so that refusing it is right.
"""

import random
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from kernel_worlds import World

from boundcheck.proofs.kernel import File, Kernel, Proof

SETTING = """
indices = "i = 1 .. N, t = 0 .. T - 1, k = 0 .. K - 1"

[letters]
"> 0" = "N, T, K, S, eta, sigma, c, beta"
">= 0" = "q, g"
"real" = "z"
"series k" = "swell"
"> 0, t = 0 .. T" = "h[t]"

[vectors]
"x[t]" = "server, t = 0 .. T"
"y[t, k]" = "client, k = 0 .. K"
"w[t]" = "server"
"xi[t, k]" = "noise"
"A[t]" = "sample of S"

[start]
begin = "y[t, 0] = x[t]"

[equations]
go = "y[t, k + 1] = y[t, k] - eta (grad(y[t, k]) + xi[t, k])"
server = "x[t + 1] = x[t] + N/S mean(i) taken(A[t], y[t, K]) - 1/2 x[t]"

[definitions]
halfway = "w[t] = 1/2 x[t] + 1/2 mean(i) y[t, K]"
D = "D[t] = |x[t]|^2 for t = 0 .. T"
paid = "paid[t] = h[t] down[t]"

[numbers]
"a[k]" = "grows by 1 + 1/K and sigma"
"a2[k]" = "grows by 1 + 2/K and sigma"
"late[k]" = "grows by 1 + 1/K and sigma from k = 3 on"
"r[k]" = "grows by K/(K - 1) and sigma"
"p[t]" = "grows by 1 + 1/T and m[t]"
"m[t]" = "what p grows by"
"down[t]" = "falls by sigma at least"
"s[t]" = "any"
"e[t]" = "what D grows by, besides g and s"
"one[k]" = "at most 1 at k = 0"
"big[k]" = "at least 1/(K - 1)"
"fl[k]" = "at most 1 at k = 0, and falling"

[leaf.rec]
says = "a[k + 1] <= (1 + 1/K) a[k] + sigma for k = 0 .. K - 2"
[leaf.rec2]
says = "a2[k + 1] <= (1 + 2/K) a2[k] + sigma for k = 0 .. K - 2"
[leaf.rec-late]
says = "late[k + 1] <= (1 + 1/K) late[k] + sigma for k = 0 .. K - 2 if k >= 3"
[leaf.rec-series]
says = "(K - 1) r[k + 1] <= K r[k] + (K - 1) sigma for k = 0 .. K - 2"
[leaf.rec-sum]
says = "p[t + 1] <= (1 + 1/T) p[t] + m[t] for t = 0 .. T - 2"
[leaf.fall]
says = "down[t + 1] <= down[t] - sigma for t = 0 .. T - 2"
[leaf.start]
says = "one[0] <= 1"
[leaf.first]
says = "fl[0] <= 1"
[leaf.inverse]
says = "1/(K - 1) <= big[k] for k = 0 .. K - 2"
[leaf.level]
says = "fl[k + 1] <= fl[k] for k = 0 .. K - 2"
[leaf.disc]
says = "D[t + 1] <= (1 + g) D[t] - s[t] + e[t] for t"
[leaf.disc-short]
says = "D[t + 1] <= (1 + g) D[t] - s[t] + e[t] for t = 0 .. T - 2"
[leaf.least]
says = "beta <= c if beta = min(c, sigma)"
[leaf.small-weight]
says = "c <= 1 if beta <= 1"
"""
# What follows is a rule, whether it is true, and the claim.
CLAIMS = [
    ("law", True, 'shows = "<y[t, k], xi[t, k]> = 0 for t, k"'),
    ("law", True, 'shows = "<x[t], mean(i, k) xi[t, k]> = 0 for t"'),
    ("law", False, 'shows = "<y[t, k + 1], xi[t, k]> = 0 for t, k"'),
    ("law", False, 'shows = "<mean(k) y[t, k], mean(k) xi[t, k]> = 0 for t"'),
    ("law", False, 'shows = "<x[t + 1], xi[t, k]> = 0 for t, k"'),
    ("law", False, 'shows = "<xi[t, k], xi[t, k]> = 0 for t, k"'),
    ("law", False, 'shows = "<w[t], xi[t, k]> = 0 for t, k"'),
    ("chance", True, 'shows = "<mean(i) taken(A[t], y[t, K]), x[t]> = S/N <mean(i) y[t, K], x[t]> for t"'),
    ("chance", True, 'shows = "|taken(A[t], y[t, K])|^2 = S/N |y[t, K]|^2 for t"'),
    ("chance", True, 'shows = "<taken(A[t], y[t, K]), taken(A[t], x[t])> = S/N <y[t, K], x[t]> for t"'),
    ("chance", False, 'shows = "<mean(i) taken(A[t], y[t, K]), x[t + 1]> = S/N <mean(i) y[t, K], x[t + 1]> for t"'),
    ("chance", False, 'shows = "|mean(i) taken(A[t], y[t, K])|^2 = S/N |mean(i) y[t, K]|^2 for t"'),
    (
        "chance",
        False,
        'shows = "<taken(A[t], y[t, K]), taken(A[t], x[t + 1])> = S/N <y[t, K], x[t + 1]> for t"',
    ),
    ("chance", False, 'shows = "|mean(i) taken(A[t], y[t, K])|^2 = S/N |y[t, K]|^2 for t"'),
    ("chance", False, 'shows = "|taken(A[t], y[t, K])|^2 = S^2/N^2 |y[t, K]|^2 for t"'),
    (
        "sample",
        True,
        (
            'steps = "sample(u -> taken(A[t], y[t, K]))"\n'
            'shows = "|N/S mean(i) taken(A[t], y[t, K])|^2 <= (1 - 1/S) |mean(i) y[t, K]|^2 + 1/S |y[t, K]|^2 for t"'
        ),
    ),
    (
        "sample",
        False,
        (
            'steps = "sample(u -> taken(A[t], y[t, K]))"\n'
            'shows = "|N/S mean(i) taken(A[t], y[t, K])|^2 <= |mean(i) y[t, K]|^2 for t"'
        ),
    ),
    (
        "fresh",
        True,
        (
            'steps = "fresh(u -> xi[t, k]) [mean i, k]"\n'
            'shows = "|mean(i, k) xi[t, k]|^2 = 1/(N K) mean(k) |xi[t, k]|^2 for t"'
        ),
    ),
    (
        "fresh",
        True,
        'steps = "fresh(u -> xi[t, k]) [mean i]"\nshows = "|mean(i) xi[t, k]|^2 = 1/N |xi[t, k]|^2 for t, k"',
    ),
    (
        "fresh",
        False,
        'steps = "fresh(u -> xi[t, k]) [mean i]"\nshows = "|mean(i) xi[t, k]|^2 = 1/(N K) |xi[t, k]|^2 for t, k"',
    ),
    (
        "fresh",
        False,
        'steps = "fresh(u -> y[t, k]) [mean i]"\nshows = "|mean(i) y[t, k]|^2 = 1/N |y[t, k]|^2 for t, k"',
    ),
    (
        "fresh",
        False,
        (
            'steps = "fresh(u -> xi[t, k] - y[t, k]) [mean i]"\n'
            'shows = "|mean(i) (xi[t, k] - y[t, k])|^2 = 1/N |xi[t, k] - y[t, k]|^2 for t, k"'
        ),
    ),
    ("equation", True, 'steps = "halfway; server"\nshows = "|w[t] - 1/2 x[t] - 1/2 mean(i) y[t, K]|^2 = 0 for t"'),
    ("equation", False, 'steps = "halfway; server"\nshows = "|w[t] - 1/2 x[t + 1] - 1/2 mean(i) y[t, K]|^2 = 0 for t"'),
    ("projection", True, 'shows = "|mean(k) y[t, k]|^2 <= mean(k) |y[t, k]|^2 for t"\nsquares'),
    ("projection", False, 'shows = "mean(k) |y[t, k]|^2 <= |mean(k) y[t, k]|^2 for t"'),
    ("projection", False, 'shows = "0 <= <x[t], w[t]> for t"'),
    ("projection", False, 'shows = "|y[t, k]|^2 <= |mean(i) y[t, k]|^2 for t, k"'),
    ("sum", True, 'steps = "fall [sum t = 0 .. T - 2]"\nshows = "down[T - 1] <= down[0] - (T - 1) sigma"'),
    ("sum", False, 'steps = "fall [sum t = 0 .. T - 2]"\nshows = "down[T - 1] <= down[0] - T sigma"'),
    ("sum", False, 'steps = "fall [sum t]"\nshows = "down[T - 1] <= down[0] - T sigma"'),
    ("sum", True, 'shows = "sum(t = 1 .. T - 1) s[t] = sum(t) s[t] - s[0]"'),
    ("sum", True, 'shows = "sum(t = 0 .. T - 1) t^2 = T (T - 1) (2 T - 1)/6"'),
    ("sum", False, 'shows = "sum(t = 1 .. T - 1) s[t] = sum(t) s[t]"'),
    ("sum", False, 'shows = "sum(t = 1 .. T - 2) s[t] = sum(t) s[t] - s[0] - s[T - 1]"'),
    ("sum", False, 'shows = "sum(t = 2 .. T - 1) 1 <= -1 if T = 1"'),
    ("sum", False, 'shows = "sum(t) s[t] <= s[0]"'),
    ("empty", False, 'shows = "sum(k = 0 .. K - 2) 1/(K - 1) = 1"\nsigns = "range"'),
    (
        "empty",
        False,
        'steps = "inverse [sum k = 0 .. K - 2]"\nshows = "1 <= sum(k = 0 .. K - 2) big[k]"\nsigns = "range"',
    ),
    ("empty", True, 'shows = "sum(k = 0 .. K - 2) 1/K = (K - 1)/K"'),
    ("empty", True, 'shows = "sum(k = 0 .. K - 2) 1/(K - 1) = 1 if K >= 2"\nsigns = "given"'),
    ("mean", True, 'shows = "mean(t) (s[t] + sigma) = mean(t) s[t] + sigma"'),
    ("mean", False, 'shows = "mean(t) (s[t] + sigma) = mean(t) s[t] + T sigma"'),
    ("mean", False, 'steps = "fall [mean t]"\nshows = "0 <= s[0] - sigma"'),
    ("paid", True, 'shows = "s[0] <= sum(t) s[t]"\nowed = "s[0]"'),
    ("paid", True, 'shows = "s[0] + s[T - 1] <= 2 sum(t) s[t]"\nowed = "s[0], s[T - 1]"'),
    ("paid", False, 'shows = "s[0] + s[T - 1] <= sum(t) s[t]"\nowed = "s[0], s[T - 1]"'),
    ("paid", False, 'shows = "2 s[0] <= sum(t) s[t]"\nowed = "s[0]"'),
    ("paid", False, 'shows = "s[0] <= mean(t) s[t]"\nowed = "s[0]"'),
    ("paid", True, 'shows = "s[0] + s[T - 1] <= sum(t) s[t] if T >= 2"\nowed = "s[0], s[T - 1]"'),
    ("paid", False, 'shows = "s[0] + s[T - 1] <= sum(t) s[t] if T >= 1"\nowed = "s[0], s[T - 1]"'),
    ("paid", False, 'shows = "s[0] + 2 s[T - 1] <= sum(t) s[t] if T >= 2"\nowed = "s[0], s[T - 1]"'),
    ("horizon", True, 'shows = "s[1] <= sum(t) s[t] if T >= 2"\nowed = "s[1]"'),
    ("horizon", True, 'shows = "sum(t = 2 .. T - 1) s[t] <= sum(t) s[t] if 2 T >= 3"'),
    ("horizon", True, 'steps = "fall(t -> 1)"\nshows = "down[2] <= down[1] - sigma if 3 <= T"'),
    ("horizon", False, 'shows = "s[1] <= sum(t) s[t] if T >= 1"\nowed = "s[1]"'),
    ("horizon", False, 'steps = "fall(t -> 1)"\nshows = "down[2] <= down[1] - sigma if 2 <= T"'),
    ("horizon", False, 'shows = "s[1] <= sum(t) s[t] if T <= 2"\nowed = "s[1]"'),
    ("sum", True, 'shows = "sum(t = 1 .. T - 1) |x[t]|^2 = sum(t) |x[t]|^2 - |x[0]|^2"'),
    ("sum", False, 'shows = "sum(t = 1 .. T - 1) |x[t]|^2 = sum(t) |x[t]|^2"'),
    (
        "telescope",
        True,
        (
            'steps = "telescope(u -> x[t]) [sum t]"\n'
            'shows = "sum(t) |x[t + 1]|^2 = sum(t) |x[t]|^2 + |x[T]|^2 - |x[0]|^2"'
        ),
    ),
    (
        "telescope",
        True,
        (
            'steps = "telescope(u -> mean(i) y[t, k], v -> x[t]) [sum k]"\n'
            'shows = "sum(k) <y[t, k + 1] - y[t, k], x[t]> = <y[t, K] - y[t, 0], x[t]> for t"'
        ),
    ),
    ("telescope", False, 'steps = "telescope(u -> x[t]) [sum t]"\nshows = "sum(t) |x[t + 1]|^2 = sum(t) |x[t]|^2"'),
    (
        "telescope",
        False,
        (
            'steps = "telescope(u -> x[t]) [mean t]"\n'
            'shows = "mean(t) |x[t + 1]|^2 = mean(t) |x[t]|^2 + |x[T]|^2 - |x[0]|^2"'
        ),
    ),
    (
        "telescope",
        False,
        (
            'steps = "telescope(u -> x[t]) [sum t]"\n'
            'shows = "sum(t) |x[t + 1]|^2 = sum(t) |x[t]|^2 + |x[T - 1]|^2 - |x[0]|^2"'
        ),
    ),
    (
        "telescope",
        False,
        (
            'steps = "telescope(u -> x[t], v -> x[t + 1]) [sum t]"\n'
            'shows = "sum(t) <x[t], x[t + 1]> = sum(t) |x[t]|^2 + <x[T], x[T]> - <x[0], x[1]>"'
        ),
    ),
    ("growth", True, 'steps = "rec [growth k 1]"\nshows = "a[k] <= euler (a[0] + k sigma) for k"'),
    ("growth", True, 'steps = "rec2 [growth k 2]"\nshows = "a2[k] <= euler^2 (a2[0] + k sigma) for k"'),
    ("growth", False, 'steps = "rec [growth k 1]"\nshows = "a[k] <= a[0] + k sigma for k"'),
    ("growth", False, 'steps = "rec2 [growth k 1]"\nshows = "a2[k] <= 3/2 (a2[0] + k sigma) for k"'),
    ("growth", False, 'steps = "rec [growth k 1]"\nshows = "a[k] <= euler (a[0] + (k - 1) sigma) for k"'),
    (
        "growth",
        False,
        'steps = "rec-late [growth k 1]"\nshows = "late[k] <= euler (late[0] + k sigma) for k if k >= 3"',
    ),
    (
        "growth-sum",
        True,
        (
            'steps = "rec-sum [growth-sum t 1]"\n'
            'shows = "sum(t) p[t] <= euler (T p[0] + (T - 1) sum(t = 0 .. T - 2) m[t])"'
        ),
    ),
    (
        "growth-sum",
        False,
        'steps = "rec-sum [growth-sum t 1]"\nshows = "sum(t) p[t] <= T p[0] + (T - 1) sum(t = 0 .. T - 2) m[t]"',
    ),
    ("series", True, 'steps = "rec-series [series k]"\nshows = "r[k] <= euler r[0] + sigma swell for k"'),
    ("series", False, 'steps = "rec-series [series k]"\nshows = "r[k] <= r[0] + sigma swell for k"'),
    ("series", False, 'steps = "rec-series [series k]"\nshows = "r[k] <= euler r[0] for k"'),
    (
        "discount",
        True,
        'steps = "disc [discount t g]"\nshows = "discounted(t, g) s[t] <= (g + 1/T) D[0] + discounted(t, g) e[t]"',
    ),
    (
        "discount",
        False,
        'steps = "disc [discount t g]"\nshows = "discounted(t, g) s[t] <= g D[0] + discounted(t, g) e[t]"',
    ),
    (
        "discount",
        False,
        'steps = "disc [discount t g]"\nshows = "discounted(t, g) s[t] <= 1/T D[0] + discounted(t, g) e[t]"',
    ),
    (
        "discount",
        False,
        'steps = "disc [discount t g]"\nshows = "mean(t) s[t] <= (g + 1/T) D[0]"',
    ),
    ("induction", False, 'induction = "k"\nsteps = "self"\nshows = "one[k] <= 1 for k"'),
    ("induction", False, 'induction = "k"\nbase = "start"\nsteps = "self"\nshows = "one[k] <= 1 for k if k <= 2"'),
    ("induction", True, 'induction = "k"\nbase = "first"\nsteps = "self; level"\nshows = "fl[k] <= 1 for k"'),
    ("induction", False, 'induction = "k"\nbase = "start"\nsteps = "self; level"\nshows = "one[k] <= 1 for k"'),
    ("minimum", True, 'steps = "least"\nshows = "beta <= c if 2 beta = min(2 c, 2 sigma)"'),
    ("minimum", True, 'shows = "beta <= c if beta = min(c, sigma)"'),
    ("minimum", False, 'shows = "c <= beta if beta = min(c, sigma)"'),
    ("minimum", False, 'steps = "least"\nshows = "beta <= c if -beta = min(-c, -sigma)"'),
    ("vanishing", True, 'vanishing = "q"\nshows = "q^2 c <= q^2 c + q"'),
    ("vanishing", False, 'vanishing = "q"\nshows = "c <= q c"'),
    ("whole", True, 'cases = "K = 1, c = sigma; K >= 2, c <= sigma"\nshows = "c <= sigma"'),
    ("whole", False, 'cases = "K = 1, c = sigma; K >= 2, c = 2 sigma"\nshows = "c <= sigma"'),
    ("instance", True, 'at = "q = 0"\nshows = "q c <= 0"'),
    ("instance", False, 'at = "q = 0"\nshows = "c <= q c"'),
    ("members", True, 'steps = "paid"\nshows = "paid[t] = h[t] down[t] for t"'),
    ("members", False, 'shows = "h[t] sigma <= h[t + 1] sigma for t"'),
    ("members", False, 'steps = "paid [mean t]"\nshows = "mean(t) paid[t] = h[0] mean(t) down[t]"'),
    ("members", False, 'steps = "paid(t -> 0)"\nshows = "paid[0] = h[T] down[0]"'),
    ("division", False, 'shows = "c sigma/(K - 1) <= 2 c sigma/(K - 1)"'),
    ("division", False, 'shows = "z/z = 1"'),
    ("ranges", False, 'shows = "0 <= t for t = -1 .. T - 1"'),
    ("ranges", False, 'shows = "0 <= s[t + 1] for t"'),
    ("hypothesis", False, 'steps = "small-weight"\nshows = "c <= 1"'),
    ("hypothesis", True, 'steps = "small-weight"\nshows = "c <= 1 if beta <= 1"'),
    ("equality", False, 'steps = "fall"\nshows = "down[t + 1] = down[t] - sigma for t = 0 .. T - 2"'),
    ("multiplier", False, 'steps = "fall : -1"\nshows = "down[t] - sigma <= down[t + 1] for t = 0 .. T - 2"'),
    (
        "multiplier",
        False,
        'steps = "fall : z^3"\nshows = "z^3 down[t + 1] <= z^3 (down[t] - sigma) for t = 0 .. T - 2"',
    ),
]
ROUNDS = """
indices = "i = 1 .. N, t = 0 .. T - 1, k = 0 .. K - 1, j = 0 .. B - 1"

[letters]
"> 0" = "N, T, K, S, B, eta"
">= 0" = "spread"

[vectors]
"e[j]" = "noise"
"x[t]" = "server, t = 0 .. T"
"y[t, k]" = "client, k = 0 .. K"
"xi[t, k]" = "noise"
"zeta[t, k]" = "noise"
"n[t]" = "deviation"
"A[t]" = "sample of S"

[start]
begin = "y[t, 0] = x[t]"
first = "x[0] = mean(i, j) e[j]"

[equations]
go = "y[t, k + 1] = y[t, k] - eta (grad(y[t, k]) + xi[t, k])"
server = "x[t + 1] = N/S mean(i) taken(A[t], y[t, K]) + 1/2 mean(i) n[t]"
"""
"""Noise before the first round, deviations of rounds, and the letter of a sample's variance."""
OTHERS = [
    ("law", True, 'shows = "<x[t], n[t]> = 0 for t"'),
    ("law", True, 'shows = "<x[t], xi[t, k]> = 0 for t, k"'),
    ("law", False, 'shows = "<y[t, K], n[t]> = 0 for t"'),
    ("law", False, 'shows = "<xi[t, 0], n[t]> = 0 for t"'),
    ("law", False, 'shows = "<xi[t, k], zeta[t, k]> = 0 for t, k"'),
    ("law", False, 'shows = "<x[t + 1], n[t]> = 0 for t"'),
    ("law", False, 'shows = "<n[t], n[t]> = 0 for t"'),
    ("law", False, 'shows = "<x[0], e[0]> = 0"'),
    ("fresh", True, 'steps = "fresh(u -> n[t]) [mean i, t]"\nshows = "|mean(i, t) n[t]|^2 = 1/(N T) mean(t) |n[t]|^2"'),
    ("fresh", True, 'steps = "fresh(u -> e[j]) [mean i, j]"\nshows = "|mean(i, j) e[j]|^2 = 1/(N B) mean(j) |e[j]|^2"'),
    (
        "fresh",
        True,
        (
            'steps = "fresh(u -> xi[t, k] - 2 zeta[t, k]) [mean i, k]"\n'
            'shows = "|mean(i, k) (xi[t, k] - 2 zeta[t, k])|^2 = 1/(N K) mean(k) |xi[t, k] - 2 zeta[t, k]|^2 for t"'
        ),
    ),
    (
        "fresh",
        False,
        'steps = "fresh(u -> xi[t, 0] + n[t]) [mean t]"\nshows = "|mean(t) n[t]|^2 = 1/(N T) mean(t) |n[t]|^2"',
    ),
    ("fresh", False, 'steps = "fresh(u -> e[j]) [mean i]"\nshows = "|mean(i) e[j]|^2 = 1/(N B) |e[j]|^2 for j"'),
    (
        "sample",
        True,
        (
            'steps = "sample(u -> taken(A[t], y[t, K]))"\nshows = "|N/S mean(i) taken(A[t], y[t, K])|^2'
            ' <= (1 - spread) |mean(i) y[t, K]|^2 + spread |y[t, K]|^2 for t"'
        ),
    ),
    (
        "sample",
        False,
        (
            'steps = "sample(u -> taken(A[t], y[t, K]))"\nshows = "|N/S mean(i) taken(A[t], y[t, K])|^2'
            ' <= (1 - spread/2) |mean(i) y[t, K]|^2 + spread/2 |y[t, K]|^2 for t"'
        ),
    ),
    ("sample", True, 'shows = "spread S (N - 1) <= N - S"'),
    ("sample", True, 'shows = "spread S <= N - S"'),
    ("sample", False, 'shows = "spread <= 1/2"'),
    ("sample", False, 'shows = "spread <= 0"'),
    ("chance", True, 'shows = "<mean(i) taken(A[t], y[t, K]), n[t]> = S/N <mean(i) y[t, K], n[t]> for t"'),
    ("chance", False, 'shows = "<mean(i) taken(A[t], y[t, K]), n[t]> = 0 for t"'),
]
# Claims whose proof needs a choice: projections of a square, or a claim that only stands here to be refused.
NONZERO = {
    "range": {
        "1 - K /= 0": {
            "scale": "-1",
            "factors": [[1, [["1", {}, ["k"]], ["1", {}, ["- 2 + K - k"]], ["1", {}, []]], []]],
        }
    },
    "given": {"1 - K /= 0": {"scale": "-1", "factors": [[1, [["1", {}, ["- 2 + K"]], ["1", {}, []]], []]]}},
}
"""K - 1 is not 0 where k = 0 .. K - 2 has a value, and where K >= 2 is given."""
JENSEN = [["1", [["1", "y[t, k']", []], ["-1", "y[t, k']", ["k'"]]]]]


def _file(tmp_path, body):
    rounds = any(one[2] == body for one in OTHERS)
    return _written(tmp_path, body, ROUNDS if rounds else SETTING)


def _written(tmp_path, body, setting):
    """Return a claim read in a setting, and the choices for its proof."""
    owed = body.partition("owed = ")[2].strip('"').split(", ") if "owed" in body else []
    signs = NONZERO.get(body.partition("signs = ")[2].strip('"'), {})
    squares = JENSEN if body.endswith("squares") else []
    lines = [line for line in body.splitlines() if "=" in line and not line.startswith(("owed", "signs"))]
    page = tmp_path / "claims.toml"
    page.write_text(setting + "\n[claim.it]\n" + "\n".join(lines) + "\n", encoding="utf-8")
    file = File()
    file.read(Path(page))
    births = {"x": 0, "y": 0, "w": "end"}
    late = ["A"] if setting == ROUNDS else ["w"]
    part = {"squares": squares, "owed": owed, "signs": signs}
    return file, {"births": births, "late": late, "claims": {"it": [part, part]}}


def _fill(world):
    """Draw the sequences of numbers so that the leaves about them hold, some with equality."""
    rng, letters = random.Random(world.rng.random()), world.letters
    K, T, sigma = letters["K"], letters["T"], letters["sigma"]
    table = world.tables

    def slack(value):
        return max(Fraction(0), value - rng.choice([0, 0, Fraction(1, 3)]))

    for name, ratio in (("a", 1 + Fraction(1, K)), ("a2", 1 + Fraction(2, K))):
        table[name, (0,)] = Fraction(rng.randint(0, 2))
        for k in range(K - 1):
            table[name, (k + 1,)] = slack(ratio * table[name, (k,)] + sigma)
    for k in range(K):
        table["late", (k,)] = (
            Fraction(rng.choice([0, 9])) if k < 4 else slack((1 + Fraction(1, K)) * table["late", (k - 1,)])
        )
    table["r", (0,)] = Fraction(rng.randint(0, 2))
    for k in range(K - 1):
        table["r", (k + 1,)] = slack(Fraction(K, K - 1) * table["r", (k,)] + sigma)
    table["p", (0,)] = Fraction(rng.randint(0, 2))
    for t in range(T):
        table["m", (t,)] = Fraction(rng.randint(0, 2))
        table["p", (t + 1,)] = slack((1 + Fraction(1, T)) * table["p", (t,)] + table["m", (t,)])
    table["down", (0,)] = T * sigma + rng.randint(0, 1)
    for t in range(T):
        table["down", (t + 1,)] = max(Fraction(0), table["down", (t,)] - sigma - rng.choice([0, Fraction(1, 7)]))
    for t in range(T):  # e is what the discounted recursion of D needs
        D = [world.scalar("D", (n,)) for n in (t, t + 1)]
        table["s", (t,)] = rng.choice([Fraction(1), max(Fraction(0), (1 + letters["g"]) * D[0] - D[1])])
        table["e", (t,)] = max(Fraction(0), D[1] - (1 + letters["g"]) * D[0] + table["s", (t,)])
    table["one", (0,)] = table["fl", (0,)] = Fraction(rng.randint(0, 1))
    for k in range(K - 1):
        table["big", (k,)] = Fraction(1, K - 1)
        table["fl", (k + 1,)] = max(Fraction(0), table["fl", (k,)] - rng.choice([0, Fraction(1, 7)]))


WORLDS = [
    (N, K, T, S)
    for N, K, T in ((1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2), (2, 2, 1), (2, 1, 2), (1, 3, 1), (1, 1, 3), (1, 5, 1))
    for S in range(1, N + 1)
]


def _worlds(file, count, seed=7):
    rng = random.Random(seed)
    for number, (N, K, T, S) in product(range(count), WORLDS):
        if K > 1:
            ratio = Fraction(K, K - 1)
            swell = sum(ratio**n for n in range(K - 1))
        else:
            swell = Fraction(0)
        free = {name: Fraction(rng.randint(1, 4), 2) for name in ("eta", "sigma", "c", "beta")}
        letters = {"N": N, "K": K, "T": T, "S": S, "q": Fraction(number % 2), "g": Fraction(number % 3), "swell": swell}
        letters |= {"B": 1 + number % 2, "spread": Fraction(N - S, S * max(N - 1, 1))}
        letters |= {"z": Fraction(rng.choice([-2, 0, 1, 3]))} | free
        if letters["beta"] <= 1:
            letters["c"] = min(letters["c"], Fraction(1))
        world = World(file, letters, rng.random())
        if file.numbers:
            _fill(world)
        yield world


def _kernel(file, choices):
    kernel = Kernel(file, Proof(choices))
    return kernel.check()["it"]


def _numbered(claims):
    return [pytest.param(body, id=f"{rule}-{n}") for n, (rule, _, body) in enumerate(claims)]


TRUE = [one for one in (*CLAIMS, *OTHERS) if one[1]]
FALSE = [one for one in (*CLAIMS, *OTHERS) if not one[1]]


@pytest.mark.parametrize("body", _numbered(TRUE))
def test_what_is_true_is_proved(body, tmp_path):
    verdict = _kernel(*_file(tmp_path, body))
    assert verdict.proved, verdict.why


@pytest.mark.parametrize("body", _numbered(TRUE))
def test_what_is_proved_holds_in_exact_worlds(body, tmp_path):
    file, _ = _file(tmp_path, body)
    tried = 0
    for world in _worlds(file, 2):
        if len(world.outcomes) > 100:
            continue
        for statement in file.leaves.values():
            assert world.fails(statement) is None, (statement.text, world.letters)
        assert not _fails(world, file), world.letters
        tried += _meant(world, file)
    assert tried


@pytest.mark.parametrize("body", _numbered(FALSE))
def test_false_neighbours_fail_in_an_exact_world(body, tmp_path):
    """Refusing them is right: there is a world that the file allows where they do not hold."""
    file, _ = _file(tmp_path, body)
    assert any(_fails(world, file) for world in _worlds(file, 12))


def _meant(world, file):
    """Return whether a claim is about a world: its letters have the values, and it is in one of the cases."""
    claim = file.claims["it"]
    values = all(world.number(tree, {}) == world.letters[name] for name, tree in claim.at.items())
    cases = not claim.cases or any(all(world.holds(one, {}) for one in case) for case in claim.cases)
    return values and cases


def _fails(world, file):
    claim = file.claims["it"]
    if not _meant(world, file):
        return False
    try:
        return world.fails(claim.statement) is not None
    except (ZeroDivisionError, KeyError, IndexError):
        return True  # it says nothing: a division by 0, or an entry that does not exist


@pytest.mark.parametrize("body", _numbered(FALSE))
def test_false_neighbours_are_refused(body, tmp_path):
    verdict = _kernel(*_file(tmp_path, body))
    assert not verdict.proved
    assert "not understood" not in verdict.why, verdict.why
