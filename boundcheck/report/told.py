"""What is wrong with the five papers' theorems and what is left after the repair, in a few words each."""

from __future__ import annotations

from typing import NamedTuple


class Told(NamedTuple):
    """Plain words on a printed statement, formulas as they are typed."""

    why: str
    """What is wrong, or why nothing is."""
    after: str = ""
    """What of it survives."""


_TERMS = "with the two terms"
_SAME = "as Theorem 1"

TOLD = {
    "momentum-fl.theorem11-printed": Told("follows from the form with constants, which is proved from its assumptions"),
    "momentum-fl.theorem15-printed": Told("two conditions on eta missing", "rate survives"),
    "momentum-fl.theorem15-alt-printed": Told("min for max in beta", "rate survives"),
    "momentum-fl.theorem19-printed": Told("an entry of beta contains G_0", "rate survives"),
    "momentum-fl.theorem22-printed": Told("a condition on eta missing", "rate survives"),
    "momentum-fl.theorem22-alt-printed": Told(
        "twice: min for max, and a bracket", "rate survives, with the noise term of Table 2"
    ),
    "fedlalr.theorem1": Told(
        "without eps <= G_inf, or without independent noise; units", "order survives, constants change"
    ),
    "fedlalr.corollary1": Told(
        "from the horizon on at which its step is allowed, for eps <= G_inf",
        "linear speed-up from a horizon on that grows with N and K",
    ),
    "fedlalr.corollary2": Told(
        "restarted momentum takes shorter steps", "order survives at fixed beta1, with K/W in the leading term"
    ),
    "fedlalr.corollary3": Told("as Theorem 1: with one client it is Theorem 1", _SAME),
    "fedlalr.theorem2": Told("as Theorem 1, at constant intervals; needs intervals that do not decrease", _SAME),
    "fmgda.theorem1": Told("too loose to fail; conditions of the proof empty for mu <= 211/360", "with new constants"),
    "fmgda.corollary1": Told("as Theorem 1", "the eps^-2 rounds become eps^-(7/3) or eps^-4"),
    "fedglomo.theorem1": Told(
        "for q > 0; range of K empty at S = N", "rate survives with an exact round 0, else T^(-1/3)"
    ),
    "fedglomo.corollary1": Told("4/(K N) and q (1 + q)/N dropped: too small by (N - 1)^(1/3)", _TERMS),
    "fedglomo.remark1": Told("as Corollary 1", _TERMS),
    "fedglomo.theorem2": Told("one condition missing in the proof", "stands with it"),
    "fedglomo.theorem3": Told("its Lemma 13 is false", "rate survives, constants change"),
    "fedglomo.lemma13": Told("a factor 8 is lost", "with 4 s/3 or 8 s/3"),
    "gradma.lemma6": Told("from its assumptions, by 14 claims", "for GradMA and GradMA-W with K >= 2 it says nothing"),
    "gradma.lemma2-printed": Told("the step condition", "stands with eta <= 1/(4 sqrt(10) L K)"),
}
"""By the bound that is printed; `docs/findings.md` says the same."""
