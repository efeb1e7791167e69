"""Rates of "GradMA": the appendix has no table; these follow from its Lemma .6, and from the abstract."""

from __future__ import annotations

from sympy import sqrt

from boundcheck.bounds.rate import row_of, table
from boundcheck.notation import symbols

N, S, T, L, Delta, zeta = symbols("N S T L Delta zeta")
EXACT = ("bounded heterogeneity", "exact local gradients")

_sampling = {"sampling": sqrt(L * Delta * zeta**2 * (N - S) / (S * (N - 1) * T))}
_lemma = row_of("gradma", "Lemma .6, l.278-280, at the best server step", form="derived", row="gradma.text-speed-up")
_abstract = row_of("gradma", "abstract")

# fmt: off
ROWS = table(
    _lemma("rate-partial", "GradMA, S < N, projections that change nothing", "gradma", _sampling, EXACT,
        partial=True, note="No gain from local steps. With projections that act there is a floor 8 eps_l^2 + ..., "
        "and no rate at all."),
    _lemma("rate-full", "GradMA, all clients, projections that change nothing", "gradma", {"descent": L * Delta / T},
        EXACT, note="The drift 320 (K eta L)^2 zeta^2 stays: the local step must be small."),
    _abstract("text-speed-up", "GradMA, as the abstract claims", "gradma",
        "linear speed-up in the number of sampled workers", EXACT, partial=True),
)
# fmt: on
