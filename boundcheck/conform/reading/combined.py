"""A local step that changes from round to round and uses more than the gradient: both are read off together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.conform.reading.additions import ADDITIONS, Addition
from boundcheck.conform.reading.steps import law_by_round
from boundcheck.conform.reading.words import EXACT, fit, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.conform.reading.asked import LocalRound


def read_combined(theirs: Sequence[LocalRound], eta: float) -> tuple[str, ...]:
    """Return the law of the step by round, and the one term that is added to the gradients, if these fit."""
    rounds: dict[int, list[LocalRound]] = {}
    for r in theirs:
        if len(r.moves) > 1:
            rounds.setdefault(r.t, []).append(r)
    for addition in ADDITIONS if len(rounds) > 1 else ():
        found = {t: _coefficients(seen, addition) for t, seen in rounds.items()}
        if any(pair is None for pair in found.values()):
            continue
        pairs = {t: pair for t, pair in found.items() if pair is not None}
        factors = {t: pair[0] / eta for t, pair in pairs.items()}
        if all(abs(f - 1.0) < EXACT for f in factors.values()):
            continue
        per_gradient = [pair[1] / pair[0] for pair in pairs.values()]
        as_moved = [pair[1] for pair in pairs.values()]
        for values, by_eta in ((per_gradient, True), (as_moved, False)):
            if np.ptp(values) < 10 * EXACT * max(1.0, abs(values[0])):
                c = values[0] if by_eta else values[0] / eta
                words = addition.words.format(c=text(c), m=text(values[0]))
                return (law_by_round(factors, eta), f"besides, the local steps add to every gradient {words}")
    return ()


def _coefficients(rounds: Sequence[LocalRound], addition: Addition) -> tuple[float, float] | None:
    """Return the factors of the gradient and of the term in the moves of one round, None where they do not fit."""
    g = np.concatenate([r.g[:-1].ravel() for r in rounds])
    more = np.concatenate([np.array([addition.columns(r, k) for k in range(len(r.moves))]).ravel() for r in rounds])
    found, fits = fit([g, more], np.concatenate([r.moves.ravel() for r in rounds]))
    return (float(found[0]), float(found[1])) if fits and found[0] and abs(found[1]) > EXACT else None
