"""Rates of "GradMA": the appendix has no table; these follow from its Lemma .6, and from the abstract."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from sympy import sqrt

from boundcheck.bounds.rate import Rate
from boundcheck.notation import symbols

N, S, T, L, Delta, zeta, eps = symbols("N S T L Delta zeta eps_acc")

_row = partial(
    Rate, paper="gradma", method="gradma", partial=True, assumptions=("bounded heterogeneity", "exact local gradients")
)

PARTIAL = _row(
    id="gradma.rate-partial",
    title="GradMA, S < N, projections that change nothing",
    where="Lemma .6, l.278-280, at the best server step",
    printed={"sampling": sqrt(L * Delta * zeta**2 * (N - S) / (S * (N - 1) * T))},
    form="derived",
    row="gradma.text-speed-up",
    note="No gain from local steps. With projections that act there is a floor 8 eps_l^2 + ..., and no rate at all.",
)
FULL = replace(
    PARTIAL,
    id="gradma.rate-full",
    title="GradMA, all clients, projections that change nothing",
    printed={"descent": L * Delta / T},
    partial=False,
    note="The drift 320 (K eta L)^2 zeta^2 stays: the local step must be small.",
)
SPEED_UP = _row(
    id="gradma.text-speed-up",
    title="GradMA, as the abstract claims",
    where="abstract",
    says="linear speed-up in the number of sampled workers",
)
