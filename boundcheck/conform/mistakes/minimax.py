"""Mistakes in the two steps of a minimax method."""

from __future__ import annotations

from dataclasses import replace

from boundcheck.conform.wrong import Mistake
from boundcheck.conform.wrong_oracle import ChangedGradients

TWO_STEPS = {
    "descent": Mistake(
        "the maximiser descends",
        oracle=lambda m, oracle, state: ChangedGradients(oracle, lambda g, _: oracle.blockwise(1.0, -1.0) * g),
    ),
    "swapped": Mistake(
        "the steps of the two blocks are swapped", numbers=lambda m, t: replace(m, eta_x=m.eta_y, eta_y=m.eta_x)
    ),
    "one-step": Mistake("both blocks move with the step eta_x", numbers=lambda m, t: replace(m, eta_y=m.eta_x)),
    "frozen": Mistake("the maximiser does not move", numbers=lambda m, t: replace(m, eta_y=0.0)),
}
