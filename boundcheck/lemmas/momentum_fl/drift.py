"""Momentum-FL, Lemmas 9 and 10, line by line: local drift and its first step.

``step`` is the conditional mean of a local step (the paper's zeta), ``first2`` = E|zeta^0|^2 and its mean Xi_r,
``gl`` = gamma L, ``ekl`` = eta K L; ``past`` = sum of E_r + E|grad f(x^r)|^2 from r = -1 on, ``start2`` = T G_0.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.momentum_fl.estimator import FRESH
from boundcheck.lemmas.stated import stated

CLAIMS = (
    Claim(
        "momentum-fl.lemma9-mean-step",
        "how much the conditional mean step changes, and how long a local step is",
        "Lemma 9, l.506-509",
        "|step' - step|^2 <= eta^2 beta^2 L^2 |moved|^2; E|step - eta beta draw|^2 = |step|^2 + eta^2 beta^2 sigma^2",
        stated(
            (
                "|-eta*((1 - beta)*estimate + beta*now) + eta*((1 - beta)*estimate + beta*before)|^2 <= "
                "eta^2*beta^2*L^2*|moved|^2"
            ),
            "E(|step - eta*beta*draw|^2) = |step|^2 + eta^2*beta^2*sigma^2",
            given=("0 <= L^2*|moved|^2 - |now - before|^2 : eta^2*beta^2",),
            letters=(
                "vectors estimate, now, before, moved, step",
                "noise draw of sigma^2",
            ),
        ),
        (FRESH, "step = -eta ((1 - beta) g^r + beta grad f_i)"),
    ),
    Claim(
        "momentum-fl.lemma9-young",
        "Young over k local steps (k is K here)",
        "Lemmas 9 and 13, l.513 and l.683",
        "|before + change|^2 <= (1 + 1/k)|before|^2 + (k + 1)|change|^2",
        stated(
            "|before + change|^2 <= (1 + 1/K)*|before|^2 + (K + 1)*|change|^2",
            letters=("vectors before, change",),
        ),
    ),
    Claim(
        "momentum-fl.lemma9-recursion",
        "growth of the mean step; share = eta beta L in Lemma 9 and eta L in Lemma 13",
        "Lemmas 9 and 13, l.514 and l.684",
        "after <= (1 + 1/k) before + (k + 1) share^2 (before + made) <= (1 + 2/k) before + (k + 1) share^2 made",
        stated(
            "after <= (1 + 2/K)*before + (K + 1)*share^2*made",
            given=(
                "K >= 1",
                "(K + 1)*share <= 1",
                "after <= (1 + 1/K)*before + (K + 1)*share^2*(before + made)",
            ),
            letters=(
                "share > 0",
                "after, before, made >= 0",
            ),
        ),
        ("share <= 1/(k + 1)",),
        steps=("momentum-fl.lemma9-mean-step", "momentum-fl.lemma9-young"),
    ),
    Claim(
        "momentum-fl.lemma9-sum-printed",
        "the sum over j with the last index inside, at k = 2",
        "Lemma 9, l.520",
        "|step_0 + step_1|^2 <= 2 (|step_2|^2 + |step_2|^2)",
        stated(
            "|step0 + step1|^2 <= 2*|step2|^2 + 2*|step2|^2",
            letters=("vectors step0, step1, step2",),
        ),
        repaired_by="momentum-fl.lemma9-sum",
    ),
    Claim(
        "momentum-fl.lemma9-sum",
        "the sum over j with j inside, at k = 2 and for every number of steps",
        "Lemma 9, l.520",
        "|step_0 + step_1|^2 <= 2 (|step_0|^2 + |step_1|^2); |sum_j step_j|^2 <= K sum_j |step_j|^2",
        stated(
            "|step0 + step1|^2 <= 2*|step0|^2 + 2*|step1|^2",
            "|K*mean(steps)|^2 <= K*K*|steps|^2",
            letters=(
                "vectors step0, step1",
                "families steps",
            ),
        ),
    ),
    Claim(
        "momentum-fl.lemma9-insert",
        "the unrolled mean step put into the drift, e2 for e^2",
        "Lemma 9, l.520-521",
        "2 k^2 (e2 first2 + 4 k^2 L^2 eta^4 beta^4 sigma^2) + 2 k eta^2 beta^2 sigma^2"
        " = 2 e2 k^2 first2 + 2 k eta^2 beta^2 sigma^2 (1 + 4 k^3 L^2 eta^2 beta^2)",
        stated(
            (
                "2*k*k*(e2*first2 + 4*k^2*L^2*eta^4*beta^4*sigma^2) + 2*k*eta^2*beta^2*sigma^2 = 2*e2*k^2*first2 "
                "+ 2*k*eta^2*beta^2*sigma^2*(1 + 4*k^3*L^2*eta^2*beta^2)"
            ),
            letters=("e2, first2, k > 0",),
        ),
        steps=(
            "momentum-fl.lemma6-markov",
            "momentum-fl.lemma9-sum",
            "momentum-fl.lemma9-recursion",
            "momentum-fl.lemma9-unroll",
        ),
    ),
    Claim(
        "momentum-fl.lemma9-powers",
        "sums of powers of the step index",
        "Lemmas 9 and 13, l.523 and l.693",
        "sum_(k < K) k^4 = K (K - 1)(2 K - 1)(3 K^2 - 3 K - 1)/30, over K at most K^4/5; (K - 1)/2 <= K/2",
        stated(
            "K*(1 + K)*(1 + 2*K)*(3*(1 + K)^2 - 4 - 3*K)/30 - K*(K - 1)*(2*K - 1)*(3*K^2 - 1 - 3*K)/30 = K^4",
            "(K - 1)*(2*K - 1)*(3*K^2 - 1 - 3*K)/30 <= K^4/5 if K >= 1",
            "K/2 - 1/2 <= K/2",
        ),
        ("K >= 1",),
    ),
    Claim(
        "momentum-fl.lemma9",
        "mean squared drift; power1, power2, power4 are the means of k, k^2, k^4 and made = eta^2 beta^2 sigma^2",
        "Lemma 9, l.499-523",
        "2 e^2 power2 first2 + 2 made (power1 + 4 L^2 eta^2 beta^2 power4)"
        " <= 2 e K^2 first2 + K made (1 + 2 K^3 L^2 eta^2 beta^2)",
        stated(
            (
                "2*exp(2)*power2*first2 + 2*made*(power1 + 4*L^2*eta^2*beta^2*power4) <= 2*exp(1)*K^2*first2 + "
                "K*made*(1 + 2*K^3*L^2*eta^2*beta^2)"
            ),
            given=(
                "power1 <= K/2",
                "power2 <= K^2/3",
                "power4 <= K^4/5",
            ),
            letters=("first2, made, power1, power2, power4 >= 0",),
        ),
        ("eta K L <= 1/beta",),
        steps=("momentum-fl.lemma9-insert", "momentum-fl.lemma9-powers", "momentum-fl.lemma9-averages"),
    ),
    Claim(
        "momentum-fl.lemma10-first",
        "first local step",
        "Lemma 10, l.532-534",
        "mean|eta ((1 - beta) g + beta grad f_i)|^2 <= 2 eta^2 ((1 - beta)^2 |g|^2 + beta^2 mean|grad f_i|^2)",
        stated(
            (
                "|eta*((1 - beta)*estimate + beta*gradient)|^2 <= 2*eta^2*((1 - beta)^2*|estimate|^2 + "
                "beta^2*|gradient|^2)"
            ),
            letters=(
                "vectors estimate",
                "families gradient",
            ),
        ),
    ),
    Claim(
        "momentum-fl.lemma10-young",
        "gradient of a client over one round",
        "Lemmas 10 and 14, l.538-539 and l.716-717",
        "|before + turned|^2 <= (1 + q)|before|^2 + (1 + 1/q)(gamma L)^2 |g|^2;"
        " |g|^2 <= 2 (|g - grad f|^2 + |grad f|^2)",
        stated(
            (
                "|before + turned|^2 <= (1 + q)*|before|^2 + (1 + 1/q)*(gamma*L)^2*|estimate|^2 if 0 <= "
                "(L*gamma)^2*|estimate|^2 - |turned|^2 : 1 + 1/q"
            ),
            "|estimate|^2 <= 2*|estimate - gradient|^2 + 2*|gradient|^2",
            letters=(
                "q > 0",
                "vectors before, turned, estimate, gradient",
            ),
        ),
        ("|turned| <= L gamma |g|", "q > 0"),
    ),
    Claim(
        "momentum-fl.lemma10-eq12",
        "unrolled with q = 1/r: `power` is (1 + q)^(r-1-j), at most e",
        "Lemmas 10 and 14, l.540-544 and l.718-722",
        "2 (1 + 1/q) power = (2/q) power (1 + q); 2 r power <= 2 e (r + 1)",
        stated(
            "2*(1 + 1/q)*power = 2/q*power*(1 + q)",
            "2*r*power <= 2*exp(1)*(r + 1)",
            given=("power <= exp(1)",),
            letters=("power, q, r > 0",),
        ),
        ("power <= e",),
        steps=("momentum-fl.lemma10-young", "momentum-fl.lemma10-unroll"),
    ),
    Claim(
        "momentum-fl.lemma10-weights",
        "weights of the double sum over rounds",
        "Lemmas 10 and 14, l.551-553 and l.728-730",
        "sum_(r=1..T-1) (r + 1) = (T - 1)(T + 2)/2 <= T^2",
        stated(
            "T*(3 + T)/2 - (T - 1)*(2 + T)/2 = 1 + T",
            "(T - 1)*(2 + T)/2 <= T^2",
        ),
    ),
    Claim(
        "momentum-fl.lemma10",
        "sum of the first steps; reach = gamma L T",
        "Lemma 10, l.525-555",
        "sum Xi_r <= past/(72 e K^2 L^2) + 2 eta^2 beta^2 e T G_0",
        stated(
            (
                "total <= 4*eta^2*((1 - beta)^2 + exp(1)*(beta*reach)^2)*past + 2*eta^2*beta^2*exp(1)*start2 if "
                "total <= 4*eta^2*(1 - beta)^2*past + 2*eta^2*beta^2*(exp(1)*start2 + "
                "2*exp(1)*reach^2*inner_past), inner_past <= past"
            ),
            (
                "4*eta^2*((1 - beta)^2 + exp(1)*(beta*reach)^2) <= 1/(72*exp(1)*K^2*L^2) if "
                "288*exp(1)*(eta*K*L)^2*((1 - beta)^2 + exp(1)*(beta*reach)^2) <= 1"
            ),
            letters=(
                "reach > 0",
                "inner_past, past, start2, total >= 0",
            ),
        ),
        ("288 e (eta K L)^2 ((1 - beta)^2 + e (beta gamma L T)^2) <= 1",),
        steps=(
            "momentum-fl.lemma10-first",
            "momentum-fl.lemma10-eq12",
            "momentum-fl.lemma10-weights",
            "momentum-fl.lemma10-budget",
        ),
    ),
)
