"""Decentralised SGD with every mixing matrix.  L = 1, F_star = 0.

x_i+ = sum_j W_ij x_j - gamma (grad f_i(x_i) + n_i), or sum_j W_ij (x_j - gamma (grad f_j(x_j) + n_j)); W symmetric or
not, with rows and columns that add up to 1 and |W u| <= (1 - p) |u| for every u whose mean is 0.  x is the mean,
gamma = c p, x_i = x + c q_i.
"""

from __future__ import annotations

from fractions import Fraction

from boundcheck.worst.theorems.described.description import DescribedRound, Term
from boundcheck.worst.theorems.described.pieces import (
    NOISE,
    both_ways,
    descent,
    hypothesis,
    of_values,
    orthogonal,
    value_over,
)

_STEP, _OVER = "p*c", "p^-1*c^-1"
_AFTER = "g + p*c*w"
"""The gradient at the next mean."""
_APART = "(g + v - mean(g + v))"
"""What a client's gradient has beside the mean."""


def decentralised_sgd(up_to: Fraction, *, after: bool = False, degree: int = 2) -> DescribedRound:
    """Describe decentralised SGD with one local step, gamma <= up_to p/L; with `after` it mixes after the step."""
    deg = (degree, degree)
    apart = {v: Term(f"free {v}", _STEP, deg) for v in "gv"}
    weight = Term("weight", "p^-1*c^2", deg)
    facts = (
        *descent(_OVER, Term("back", _OVER, deg)),
        *both_ways(2, Term("old", "1", deg)),
        *hypothesis("next", weight),
        *(() if after else hypothesis("mixing", weight, Term("mixing", "c^2", deg))),
        *hypothesis("noise", Term("fresh", _STEP, deg)),
        *hypothesis("n g", Term("Delta", "-1"), apart["g"]),
        *hypothesis("n v", apart["v"]),
        (("zeta", 0), (Term("apart", "c^2", deg),)),
    )
    return DescribedRound(
        name="dsgd-after" if after else "dsgd",
        title="Decentralised SGD, every mixing matrix" + (", which mixes after the step" if after else ""),
        says="rows and columns of W add up to 1, and |W u| <= (1 - p)|u| for every u of mean 0",
        method={"id": "dsgd", "eta": "c*p", "p": "1 - the second largest singular value of W"},
        box={"p": (Fraction(0), Fraction(1)), "c": (Fraction(0), up_to)},
        letters=dict.fromkeys(("g", "v", "q", "q1"), "family")
        | {"n": "vector", "w": "family"}
        | ({} if after else {"y": "family"}),
        lengths={"g": "c", "q": "c", "y": "c"},
        points=(
            {"x": "0*g", "f": "f0", "g": "g"},
            {"x": "-1*p*c*(mean(g + v) + n)", "f": "f1", "g": _AFTER},
            {"x": "c*(q - mean(q))", "f": "f2", "g": "g + v"},
        ),
        given={**_distance_apart(after=after), "noise": NOISE, **orthogonal("n", "gv")},
        state={"f": "f0", "g": "g", "q": "q - mean(q)"},
        after={"f": "f1", "g": _AFTER, "q": "q1 - mean(q1)"},
        start={"f": "f0", "g": "g", "q": "0*q"},
        potential={"f": (value_over(_OVER),), "|q|^2": (weight,)},
        first={"Delta": (value_over(_OVER),)},
        always={
            "zeta2": (Term("zeta", "c^2"),),
            "sigma2_mean": (Term("noise", _STEP),),
            "sigma2_apart": (Term("noise apart", "p*c^2"),),
        },
        proofs={"round": facts, **of_values(_OVER)},
        costs={"Delta": 1.0, "zeta": 0.3, "noise": 0.3, "noise apart": 0.1},
        signed=frozenset(term.name for term in apart.values()),
    )


def _distance_apart(*, after: bool) -> dict[str, tuple[str, str, str]]:
    """Return how far the clients are from their mean after a round."""
    if after:
        return {"next": ("|q1|^2", "<=", f"(1 - p)^2*(|q - mean(q) - p*{_APART}|^2 + p^2*sigma2_apart)")}
    return {
        "next": ("|q1|^2", "<=", f"|y - p*{_APART}|^2 + p^2*sigma2_apart"),
        "mixing": ("|y|^2", "<=", "(1 - p)^2*|q - mean(q)|^2"),
    }
