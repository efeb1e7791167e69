"""Mistakes that any method can be got wrong with: samples, gradients, clipping, weights, steps that decay."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import partial
from typing import Any

import numpy as np

from boundcheck.conform.wrong import Mistake
from boundcheck.conform.wrong_oracle import (
    ChangedAverages,
    ChangedGradients,
    FirstSample,
    OneStepLess,
    StaleGradients,
    by_size,
    clipping_at,
)

_BOUNDS = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
"""Where codes clip."""


def _clip_gradients(m: Any, oracle: Any, state: Any, *, bound: float, rows: bool) -> ChangedGradients:
    return ChangedGradients(oracle, clipping_at(bound, rows=rows))


def _decay_step(m: Any, t: int, *, power: float) -> Any:
    return replace(m, eta=m.eta * (t + 1) ** -power) if any(f.name == "eta" for f in fields(m)) else m


def clipping(bound: float, *, rows: bool) -> Mistake:
    """Return the mistake that clips the norm, or the entries, of every gradient."""
    what = "norm of every gradient is" if rows else "entries of every gradient are"
    return Mistake(f"the {what} clipped at {bound:.9g}", oracle=partial(_clip_gradients, bound=bound, rows=rows))


CLIPPING = {
    f"clip-{'norm' if rows else 'entries'}-{bound:g}": clipping(bound, rows=rows)
    for bound in _BOUNDS
    for rows in (True, False)
}
ANYWHERE = {
    "one-sample": Mistake(
        "every local step uses the sample of the first one", oracle=lambda m, oracle, state: FirstSample(oracle)
    ),
    "stale-gradient": Mistake(
        "every local gradient is taken at the server's iterate and not at the client's",
        oracle=lambda m, oracle, state: StaleGradients(oracle, state.x),
    ),
    "one-step-less": Mistake(
        "the clients make one local step too few", oracle=lambda m, oracle, state: OneStepLess(oracle)
    ),
    "ascent": Mistake(
        "the gradient has the wrong sign",
        oracle=lambda m, oracle, state: ChangedGradients(oracle, lambda g, _: -g),
    ),
    "by-size": Mistake(
        "the clients are weighted by their sizes n_i/n, where the method gives all of them the same weight",
        oracle=lambda m, oracle, state: ChangedAverages(oracle, by_size(oracle)),
    ),
    "last-only": Mistake(
        "only the last client's result is used",
        oracle=lambda m, oracle, state: ChangedAverages(oracle, lambda rows, _: rows[:, -1:]),
    ),
    "decay": Mistake("the local step decays as 1/t", numbers=partial(_decay_step, power=1.0)),
    "decay-root": Mistake("the local step decays as 1/sqrt(t)", numbers=partial(_decay_step, power=0.5)),
    "signs": Mistake(
        "the sign of every gradient is used in its place",
        oracle=lambda m, oracle, state: ChangedGradients(oracle, lambda g, _: np.sign(g)),
    ),
    **CLIPPING,
}
"""Mistake by name, for every registered method."""
