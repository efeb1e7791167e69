"""GradMA: what the worker projection does to local steps, and what that does to the residuals of the theorem.

``h`` is eta L, ``first`` the gradient at the server model, ``moved`` the sum of the directions taken so far, so that
the third row is ``-moved`` and ``drift = moved - first``.  Local gradients are exact.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

ROWS = "eq. (9)-(12), l.130-139"
EXACT = (
    "exact local gradients",
    "h = eta L",
    "unstated: x_(t,-1) = x_t (l.139 has it in round 0 only), or the first projection is inactive",
)


CLAIMS = (
    Claim(
        "gradma.freeze-squeezed",
        "rows 2 and 3 hold the gradient from both sides; `change` is how far it has turned since the server model",
        ROWS,
        "<first, v> = -<drift, v> + <moved, v>; |v|^2 <= |change - drift|^2",
        stated(
            "<first, v> = <first + drift, v> - <drift, v>",
            "|v|^2 <= |change - drift|^2",
            given=(
                "0 <= <v, first + change> - |v|^2 : 2",
                "0 <= -<first + drift, v> : 2",
            ),
            letters=("vectors first, change, drift, v",),
        ),
        ("<v, first + change> = |v|^2", "<-moved, v> >= 0", *EXACT),
        steps=("gradma.qp-moreau",),
    ),
    Claim(
        "gradma.freeze-recursion",
        "growth of the drift and size of the next direction",
        ROWS,
        "|drift'| <= (2 + h)|drift| + h |first|; |v| <= (1 + h)|drift| + h |first|",
        stated(
            "after <= (2 + h)*drift + h*first",
            "kept <= (1 + h)*drift + h*first",
            given=(
                "after <= drift + kept",
                "kept <= drift + h*moved",
                "moved <= drift + first",
            ),
            letters=("after, drift, first, h, kept, moved >= 0",),
        ),
        ("drift' = drift + v", "|v| <= |drift| + h |moved|", "moved = first + drift", *EXACT),
        steps=("gradma.freeze-squeezed",),
    ),
    Claim(
        "gradma.freeze",
        "from the second local step on a direction is of order h: solution of the recursion, power = (2 + h)^(k-1)",
        ROWS,
        "D_k = h |first| (power - 1)/(1 + h): D_1 = 0, (2 + h) D_k + h |first| = D_(k+1),"
        " (1 + h) D_k + h |first| = h |first| power",
        stated(
            "h*first*0/(1 + h) = 0",
            "(2 + h)*h*first*(power - 1)/(1 + h) + h*first = h*first*((2 + h)*power - 1)/(1 + h)",
            "(1 + h)*h*first*(power - 1)/(1 + h) + h*first = h*first*power",
            letters=("first, power > 0",),
        ),
        EXACT,
        steps=("gradma.freeze-recursion",),
    ),
    Claim(
        "gradma.freeze-update",
        "a whole local run is one gradient step up to order eta^2, power = (2 + h)^(K-1)",
        ROWS,
        "|x_t - x_(t,K) - eta first| <= eta |first| h (power - 1)/(1 + h)",
        stated(
            "<eta*(start + gone) - eta*start, test> = eta*<gone, test>",
            "eta*drift <= eta*first*h*(power - 1)/(1 + h)",
            given=(
                "drift <= h*first*(power - 1)/(1 + h)",
                "power >= 1",
            ),
            letters=(
                "drift, first, power > 0",
                "vectors start, gone, test",
            ),
        ),
        EXACT,
        steps=("gradma.freeze",),
    ),
    Claim(
        "gradma.freeze-removed",
        "so the displacement of Assumption 4 is the gradient itself",
        "Assumption 4 with eq. (11), l.135",
        "(1 - 2 h)|first|^2 <= |g_1|^2 - |v_1|^2 = |g_1 - v_1|^2",
        stated(
            "(1 - 2*h)*first^2 <= second^2 - kept^2",
            given=(
                "h <= 1",
                "second >= (1 - h)*first",
                "kept <= h*first",
            ),
            letters=("first, h, kept, second >= 0",),
        ),
        ("h <= 1", "|g_1| >= (1 - h)|first|", "|v_1| <= h |first|", *EXACT),
        steps=("gradma.freeze", "gradma.qp-pythagoras"),
    ),
    Claim(
        "gradma.vacuous-step",
        "the third condition of the lemma makes h small",
        "Lemma .6, l.278",
        "15/2 <= 8 (1 - 2 h)",
        stated(
            "15/2 <= 8*(1 - 2*h)",
            given=(
                "320*K^2*h^2 <= 1",
                "K >= 2",
            ),
        ),
        ("320 (K h)^2 <= 1", "K >= 2"),
    ),
    Claim(
        "gradma.vacuous",
        "for GradMA and GradMA-W the bound exceeds every squared gradient: |mean_i g_i|^2 <= mean_i |g_i|^2, and",
        "Lemma .6, l.278-280",
        "average |grad f|^2 <= 8 eps_l^2 + rest",
        stated(
            "|mean_of|^2 <= |each|^2 if 0 <= <each, mean_of> - |mean_of|^2 : 2",
            (
                "average <= 8*eps_l + rest if 320*K^2*h^2 <= 1, K >= 2, average <= mean, mean <= largest, eps_l "
                ">= (1 - 2*h)*largest"
            ),
            letters=(
                "average, eps_l, largest, mean, rest >= 0",
                "vectors each, mean_of",
            ),
        ),
        (
            "320 (K h)^2 <= 1, K >= 2",
            "eps_l^2 >= (1 - 2 h) max |grad f_i(x_t)|^2",
            "average <= mean <= max over the rounds",
            *EXACT,
        ),
        steps=("gradma.freeze-removed", "gradma.vacuous-step"),
    ),
    Claim(
        "gradma.worst-case",
        "with worst-case displacements |m~ - m| <= K eta G/(1 - beta1) and eps_l <= G the bound says nothing",
        "Lemma .6, l.280, with Assumptions 4 and 5",
        "8 |m~ - m|^2/(K eta)^2 = 8 G^2/(1 - beta1)^2, which like 8 G^2 is at least average |grad f|^2",
        stated(
            "8*(K*eta*slope/(1 - beta1))^2/(K*eta)^2 = 8*slope^2/(1 - beta1)^2",
            "average <= 8*(K*eta*slope/(1 - beta1))^2/(K*eta)^2 if beta1 < 1, average <= slope^2",
            "average <= 8*slope^2 if average <= slope^2",
            letters=(
                "average, slope > 0",
                "beta1 >= 0",
            ),
        ),
        ("|grad f_i| <= G along the run", "0 <= beta1 < 1"),
        steps=("gradma.qp-pythagoras", "gradma.momentum-bound"),
    ),
)
