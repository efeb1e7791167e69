"""SGD along old gradients, every client's as old as it may be, up to D steps.  L = 1, F_star = 0.

x_(t+1) = x_t - gamma (G_t + n_t), G_t the mean over the clients of grad f_i at a point of at most D steps ago; each
client may have its own delay, and noises are fresh.  With e = 1/D, gamma = c e, a_i = e sum of the G_s between that
point and x_t, m_i = e sum of the n_s: the old point is x_t - c (a_i + m_i), and E|m_i|^2 <= e sigma^2/N.  The energy
E_t = e^2 sum_(j = 1..D) (D - j + 1) |G_(t-j)|^2 gains e |G_t|^2 in a step and gives up e^2 sum_(j = 1..D) |G_(t-j)|^2,
which is at least e |a_i|^2, by convexity, and at least e E_t.
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

_STEP, _OVER = "e*c", "e^-1*c^-1"
_AFTER = "g + e*c*w"
"""The gradient at the next point."""


def delayed_sgd(up_to: Fraction, *, fixed: bool = True, spends: bool = False, degree: int = 2) -> DescribedRound:
    """Describe SGD along gradients that are D steps old (or at most, each client's as it may be), gamma <= up_to/(D L).

    With one fixed delay a_i was decided before the noises of m_i were drawn: they are orthogonal.  With `spends` the
    energy falls by itself, as it must where the potential does.
    """
    deg = (1, degree)
    apart = {v: Term(f"free {v}", _STEP, deg) for v in "gvam"}
    energy = Term("energy", "e^-1*c", deg)
    spent = Term("spent", "e^-1*c", deg)
    facts = (
        *descent(_OVER, Term("back", _OVER, deg)),
        *both_ways(2, Term("old", "c^-1", deg)),
        *hypothesis("energy", energy),
        *(hypothesis("spent", spent) if spends else ()),
        *hypothesis("noise", Term("fresh", _STEP, deg)),
        *hypothesis("old noise", Term("old noise", "c", deg)),
        *hypothesis("n g", Term("Delta", "-1"), apart["g"]),
        *(fact for v in "vam" for fact in hypothesis(f"n {v}", apart[v])),
        *(hypothesis("a m", Term("early", "c", deg)) if fixed else ()),
    )
    return DescribedRound(
        name="delayed-sgd" if fixed else "delayed-sgd-bounded",
        title="SGD with a fixed delay" if fixed else "SGD with bounded delays",
        says=f"{'every gradient is' if fixed else 'gradients are at most'} D steps old; noises are fresh",
        method={"id": "delayed-sgd", "eta": "c*e", "e": "1/D"},
        box={"e": (Fraction(0), Fraction(1)), "c": (Fraction(0), up_to)},
        letters=dict.fromkeys("gvam", "family") | {"n": "vector", "w": "family", "E": ">=0", "E1": ">=0"},
        points=(
            {"x": "0*g", "f": "f0", "g": "g"},
            {"x": "-1*e*c*(mean(g + c*v) + n)", "f": "f1", "g": _AFTER},
            {"x": "-1*c*(a + m)", "f": "f2", "g": "g + c*v"},
        ),
        given=_hypotheses(fixed=fixed),
        state={"f": "f0", "g": "g", "E": "E"},
        after={"f": "f1", "g": _AFTER, "E": "E1"},
        start={"f": "f0", "g": "g", "E": "0"},
        potential={"f": (value_over(_OVER),), "E": (energy, spent) if spends else (energy,)},
        first={"Delta": (value_over(_OVER),)},
        always={"sigma2_mean": (Term("noise", _STEP),)},
        proofs={"round": facts, **of_values(_OVER)},
        costs={"Delta": 1.0, "noise": 0.5},
        signed=frozenset({"early"} | {term.name for term in apart.values()}),
    )


def _hypotheses(*, fixed: bool) -> dict[str, tuple[str, str, str]]:
    """Return what a step does to the energy, and how large and how independent noises are."""
    return {
        "energy": ("E1", "<=", "E + e*(|mean(g + c*v)|^2 - |a|^2)"),
        "spent": ("E1", "<=", "E + e*(|mean(g + c*v)|^2 - E)"),
        "noise": NOISE,
        "old noise": ("|m|^2", "<=", "e*sigma2_mean"),
        **orthogonal("n", "gvam"),
        **(orthogonal("a", "m") if fixed else {}),
    }
