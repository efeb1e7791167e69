"""The words of a verdict, and what each of them may be taken to say."""

from __future__ import annotations

from typing import Literal, get_args

Decision = Literal["violated", "holds", "consistent", "vacuous", "undecided", "order only", "not applicable"]
"""The outcome of a comparison; see `MEANINGS`."""
How = Literal["", "exact", "enumerated", "betting", "ceiling", "approximate"]
"""The means by which it was reached; see `MEANS`."""

DECISIONS: tuple[Decision, ...] = get_args(Decision)

MEANINGS: dict[Decision, str] = {
    "violated": "the mean of the left-hand side is above the right-hand side: exactly, or wrong with probability at "
    "most alpha",
    "holds": "the mean of the left-hand side is at most the right-hand side, at this setting: exactly, or wrong with "
    "probability at most alpha",
    "consistent": "nothing contradicts the bound: an approximate upper limit of the mean is below the right-hand side, "
    "or rounding may have made what is above it",
    "vacuous": "not contradicted, but the trivial bound, or a proved ceiling of every run on this problem, is no "
    "larger: the theorem says nothing here",
    "undecided": "neither is clear within the budget of replicates",
    "order only": "the bound hides a constant, which no measurement refutes: a lower limit of the constant is given",
    "not applicable": "a constant is missing or does not stand, or a condition fails; the reason names it",
}
"""What each word says."""

MEANS: dict[How, str] = {
    "exact": "one run without randomness; compared up to rounding",
    "enumerated": "the expectation over all equally likely paths; compared up to rounding",
    "betting": "a betting test, valid for every law, whenever one stops: wrong with probability at most alpha",
    "ceiling": "a proved supremum of the left-hand side is at most the right-hand side",
    "approximate": "a t or BCa limit, whose error rate is nominal",
    "": "nothing was compared, or nothing is clear",
}
"""What each of the means is worth."""
