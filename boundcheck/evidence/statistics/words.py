"""What is said of experiments, of rates and of bounds that say nothing: every word once, with its meaning."""

from __future__ import annotations

from typing import Literal

Outcome = Literal[
    "reproduced",
    "contradicted",
    "no difference above the margin",
    "mixed",
    "undecided",
    "could not have told",
    "cannot be tested here",
]
OUTCOMES: dict[Outcome, str] = {
    "reproduced": "every question is answered by yes, by every readout, at every budget and start",
    "contradicted": "every question is answered by the opposite, by every readout, at every budget and start",
    "no difference above the margin": "every difference is shown to lie within the margin",
    "mixed": "decided answers differ between questions or readouts: the map says where",
    "undecided": "some answer is open within the budget of runs, and no two decided ones differ; what it would take is "
    "said",
    "could not have told": "a control did not come out as it must",
    "cannot be tested here": "why is said",
}
"""Verdicts on what a paper asserts of its experiments."""

Rate = Literal["as promised", "faster than printed", "slower", "transient", "undecided"]
RATES: dict[Rate, str] = {
    "as promised": "the interval of the exponent lies in the band around the printed one",
    "faster than printed": "it lies wholly beyond the band; an upper bound allows that",
    "slower": "it lies wholly on the other side, with the first third of the grid and without it; an upper bound "
    "allows that while it lies above",
    "transient": "a control whose rate is known to be slower falls as fast on this grid: the grid is too early to tell",
    "undecided": "the interval reaches beyond the band around the printed exponent",
}
"""Verdicts on an exponent, which is judged against the printed one; the slope of the bound itself stands beside it."""

SILENCE = {
    "vacuous below T": "up to that horizon the trivial bound is no larger than the right-hand side, on any problem "
    "with these constants",
    "too weak for this problem": "it is below the trivial bound, but a proved ceiling of every run on this problem is "
    "lower still",
}
"""Two ways in which a true bound says nothing; the second is about the problem, never about the theorem."""
