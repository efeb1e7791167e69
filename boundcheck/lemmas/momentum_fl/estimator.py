"""Momentum-FL, Lemmas 5 to 8, line by line: error of the server's gradient estimate, all clients taking part.

``error`` is E|grad f(x^(r-1)) - g^r|^2, ``grad2`` = E|grad f(x^(r-1))|^2, ``move2`` = E|x^r - x^(r-1)|^2, ``drift`` =
L^2 U_r with U_r the mean squared local drift, ``noise2`` = sigma^2/(N K) and ``gl`` = gamma L.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

if TYPE_CHECKING:
    import sympy as sp

FRESH = "the noise has mean zero given the past"


def scalars(names: str) -> tuple[sp.Symbol, ...]:
    """Return nonnegative letters for expectations of squares."""
    from boundcheck.lemmas.provers import nonnegative

    return nonnegative(names)


CLAIMS = (
    Claim(
        "momentum-fl.lemma5-expand",
        "smoothness along a server step",
        "Lemma 5, eq. (7), l.420-421",
        "-gamma <g, u> + (L gamma^2/2)|u|^2 = -gamma |g|^2 + gamma <g, g - u> + (L gamma^2/2)|u|^2",
        stated(
            "-gamma*<g, u> + L*gamma^2/2*|u|^2 = -gamma*|g|^2 + gamma*<g, g - u> + L*gamma^2/2*|u|^2",
            letters=("vectors g, u",),
        ),
        ("x' - x = -gamma u",),
    ),
    Claim(
        "momentum-fl.lemma5-young",
        "Young twice",
        "Lemma 5, l.425-426",
        "gamma <g, g - u> <= (gamma/2)(|g|^2 + |g - u|^2); (L gamma^2/2)|u|^2 <= L gamma^2 (|g|^2 + |g - u|^2)",
        stated(
            "gamma*<g, g - u> <= gamma/2*|g|^2 + gamma/2*|g - u|^2",
            "L*gamma^2/2*|u|^2 <= L*gamma^2*(|g|^2 + |g - u|^2)",
            letters=("vectors g, u",),
        ),
    ),
    Claim(
        "momentum-fl.lemma6-markov",
        "sum of K vectors whose deviations are martingale differences",
        "Lemma 6, second part, l.439-441",
        "|drifted + random|^2 <= 2|drifted|^2 + 2|random|^2 and E|sum z|^2 = K sigma^2",
        stated(
            "|drifted + random|^2 <= 2*|drifted|^2 + 2*|random|^2",
            "E(|K*mean(z)|^2) = K*sigma^2",
            letters=(
                "vectors drifted, random",
                "noise z over K of sigma^2",
            ),
        ),
        ("E[z_i | past] = 0", "E|z_i|^2 = sigma^2; smaller ones only help"),
    ),
    Claim(
        "momentum-fl.lemma7-lines",
        "the three lines of the proof",
        "Lemma 7, l.453-456",
        "E|mean_S v|^2 = mean|v|^2/S + (S - 1)/(S N (N - 1)) sum_(i != j) <v_i, v_j>"
        " = rho mean|v|^2 + (N (S - 1)/(S (N - 1)))|mean v|^2 = rho mean|v_i - mean v|^2 + |mean v|^2",
        stated(
            "E(|sampled(v, A)|^2) = |v|^2/S + S*(S - 1)/(S^2*N*(N - 1))*(N^2*|mean(v)|^2 - N*|v|^2)",
            "E(|sampled(v, A)|^2) = (N - S)/(S*(N - 1))*|v|^2 + N*(S - 1)/(S*(N - 1))*|mean(v)|^2",
            "E(|sampled(v, A)|^2) = (N - S)/(S*(N - 1))*|deviation(v)|^2 + |mean(v)|^2",
            letters=(
                "families v",
                "draw A of S from N",
            ),
        ),
        ("S of N clients, uniformly without replacement", "unstated: N >= 2"),
    ),
    Claim(
        "momentum-fl.lemma8-split-printed",
        "the cross term with grad f of the local models in place of grad f_i: `own` instead of `local`",
        "Lemma 8, l.480-482",
        "|(1 - beta) a + beta (gradient - local - draw)|^2 = |(1 - beta) a|^2 + beta^2 |gradient - local - draw|^2"
        " + 2 beta <(1 - beta) a, gradient - own>",
        stated(
            (
                "|(1 - beta)*a + beta*(gradient - local - draw)|^2 = |(1 - beta)*a|^2 + beta^2*|gradient - local "
                "- draw|^2 + 2*beta*<(1 - beta)*a, gradient - own> if <a, draw> = 0*beta"
            ),
            letters=("vectors a, gradient, local, own, draw",),
        ),
        (FRESH,),
        repaired_by="momentum-fl.lemma8-split",
    ),
    Claim(
        "momentum-fl.lemma8-split",
        "the error in three parts; `local` is the mean of grad f_i at the local models",
        "Lemma 8, l.480-482",
        "|(1 - beta) a + beta (gradient - local - draw)|^2 = |(1 - beta) a|^2 + beta^2 |gradient - local - draw|^2"
        " + 2 beta <(1 - beta) a, gradient - local>",
        stated(
            (
                "|(1 - beta)*a + beta*(gradient - local - draw)|^2 = |(1 - beta)*a|^2 + beta^2*|gradient - local "
                "- draw|^2 + 2*beta*<(1 - beta)*a, gradient - local> if <a, draw> = 0*beta"
            ),
            letters=("vectors a, gradient, local, draw",),
        ),
        (FRESH,),
    ),
    Claim(
        "momentum-fl.local-average",
        "the mean over clients and steps of what the gradients turned, at most L^2 times the mean squared drift",
        "Lemmas 8, 12, 16, 18 and 20, l.486, l.640, l.646, l.820 and l.864",
        "|mean turned|^2 <= L^2 mean|moved|^2",
        stated(
            "|mean(turned)|^2 <= L^2*|moved|^2",
            given=("0 <= L^2*|moved|^2 - |turned|^2 : 1",),
            letters=("families turned, moved",),
        ),
        ("mean|turned|^2 <= L^2 mean|moved|^2",),
    ),
    Claim(
        "momentum-fl.lemma8-fresh",
        "the fresh gradient by Lemma 6",
        "Lemma 8, eq. (8), l.486",
        "E|mean draw|^2 = sigma^2/(N K); |bias - random|^2 <= 2|bias|^2 + 2|random|^2;"
        " together 2 (sigma^2/(N K) + drift)",
        stated(
            "E(|mean(draw)|^2) = sigma^2/(N*K)",
            "|bias - random|^2 <= 2*|bias|^2 + 2*|random|^2",
            "total <= 2*(sigma^2/(N*K) + drift) if total <= 2*drift + 2*sigma^2/(N*K)",
            letters=(
                "drift, total >= 0",
                "vectors bias, random",
                "noise draw over N*K of sigma^2",
            ),
        ),
        (FRESH,),
        steps=("momentum-fl.lemma6-markov", "momentum-fl.local-average"),
    ),
    Claim(
        "momentum-fl.lemma8-eq8",
        "the three parts put together",
        "Lemma 8, eq. (8), l.486",
        "after <= (1 + beta/2) head + 2 beta drift + 2 beta^2 (noise2 + drift)",
        stated(
            "error <= (1 + beta/2)*head + 2*beta*drift + 2*beta^2*(noise2 + drift)",
            given=(
                "beta <= 1",
                "cross <= beta/2*head + 2*beta*drift",
                "fresh <= 2*noise2 + 2*drift",
                "error <= head + beta^2*fresh + cross",
            ),
            letters=("cross, drift, error, fresh, head, noise2 >= 0",),
        ),
        ("beta <= 1", "head = (1 - beta)^2 E|grad f(x^r) - g^r|^2"),
        steps=("momentum-fl.lemma8-split", "momentum-fl.lemma8-cross", "momentum-fl.lemma8-fresh"),
    ),
    Claim(
        "momentum-fl.lemma8-moving",
        "the target has moved since the last estimate",
        "Lemma 8, eq. (9), l.490",
        "|before + turned|^2 <= (1 + beta/2)|before|^2 + (1 + 2/beta) L^2 |moved|^2",
        stated(
            "|before + turned|^2 <= (1 + beta/2)*|before|^2 + (1 + 2/beta)*L^2*|moved|^2",
            given=("0 <= L^2*|moved|^2 - |turned|^2 : 1 + 2/beta",),
            letters=("vectors before, turned, moved",),
        ),
        ("|turned| <= L |moved|",),
    ),
    Claim(
        "momentum-fl.move",
        "length of a server step",
        "Lemmas 8, 12, 16 and 20, l.494, l.653, l.823 and l.966",
        "|x^r - x^(r-1)|^2 <= 2 gamma^2 (|grad f(x^(r-1))|^2 + |g^r - grad f(x^(r-1))|^2)",
        stated(
            "|gamma*estimate|^2 <= 2*gamma^2*(|gradient|^2 + |estimate - gradient|^2)",
            letters=("vectors gradient, estimate",),
        ),
        ("x^r - x^(r-1) = -gamma g^r", "r >= 1"),
    ),
    Claim(
        "momentum-fl.lemma8",
        "recursion of the error; move2 stands for L^2 E|x^r - x^(r-1)|^2",
        "Lemma 8, eq. (9)-(11), l.466-494",
        "after <= (1 - beta) error + (2/beta) move2 + 2 beta^2 noise2 + 4 beta drift"
        " <= (1 - 8 beta/9) error + (4 gl^2/beta) grad2 + 2 beta^2 noise2 + 4 beta drift",
        stated(
            (
                "after <= (1 - beta)*error + 2/beta*move2 + 2*beta^2*noise2 + 4*beta*drift if after <= (1 + "
                "beta/2)*head + 4*beta*drift + 2*beta^2*noise2, head <= (1 - beta)^2*((1 + beta/2)*error + (1 + "
                "2/beta)*move2)"
            ),
            (
                "after <= (1 - 8*beta/9)*error + 4*gl^2/beta*grad2 + 2*beta^2*noise2 + 4*beta*drift if 6*gl <= "
                "beta, after <= (1 - beta)*error + 2/beta*move2 + 2*beta^2*noise2 + 4*beta*drift, move2 <= "
                "2*gl^2*(grad2 + error)"
            ),
            given=("beta <= 1",),
            letters=(
                "gl > 0",
                "after, drift, error, grad2, head, move2, noise2 >= 0",
            ),
        ),
        ("gl = gamma L <= beta/6", "beta <= 1", "r >= 1"),
        steps=(
            "momentum-fl.lemma8-eq8",
            "momentum-fl.lemma8-moving",
            "momentum-fl.lemma8-factors",
            "momentum-fl.move",
            "momentum-fl.lemma8-step",
        ),
    ),
    Claim(
        "momentum-fl.lemma8-start",
        "the first round",
        "Lemma 8, r = 0, l.474 and l.496-497",
        "(1 + beta/2)(1 - beta)^2 error + 2 beta drift + 2 beta^2 (noise2 + drift)"
        " <= (1 - beta) error + 2 beta^2 noise2 + 4 beta drift",
        stated(
            (
                "(1 + beta/2)*(1 - beta)^2*error + 2*beta*drift + 2*beta^2*(noise2 + drift) <= (1 - beta)*error "
                "+ 2*beta^2*noise2 + 4*beta*drift"
            ),
            given=("beta <= 1",),
            letters=("drift, error, noise2 >= 0",),
        ),
        ("beta <= 1",),
        steps=("momentum-fl.lemma8-eq8",),
    ),
)
