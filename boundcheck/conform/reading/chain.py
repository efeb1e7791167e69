"""Two things that are done to every gradient one after the other: read off the moves of the local steps.

A move y_k - y_(k+1) = eta u shows what is used in the place of a gradient in every step but the last.  What was done
last (a momentum, a decay of weights) is undone, and the rest is compared with a gradient that something was done to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.conform.reading.words import EXACT, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from boundcheck.conform.reading.asked import LocalRound
    from boundcheck.problems.base import Array

_DECAYS = (1e-4, 5e-4, 1e-3, 5e-3, 1e-2, 0.05, 0.1)
_MEMORIES = (0.5, 0.9, 0.95, 0.99)


def read_chain(rounds: Sequence[LocalRound], eta: float) -> tuple[str, ...]:
    """Return what is done to gradients and what is done after it, in the order of the code; empty if neither fits."""
    seen = [(r, r.moves / eta) for r in rounds if len(r.moves) > 1]
    if not seen:
        return ()
    for before, gradients in _befores([r for r, _ in seen]):
        for after, used in _afters(seen):
            if words := _link(gradients, used):
                parts = [one for one in (before, words, after) if one]
                return (f"the local steps use a gradient to which this is done in turn: {'; then '.join(parts)}",)
    return ()


def _befores(rounds: Sequence[LocalRound]) -> Iterator[tuple[str, Array]]:
    """Yield gradients with a decay of weights, or a proximal term, first as they are."""
    g = np.concatenate([r.g[:-1] for r in rounds])
    y = np.concatenate([r.y[:-1] for r in rounds])
    yield "", g
    for by in _DECAYS:
        yield f"{by:g} y is added (weight decay)", g + by * y


def _afters(seen: Sequence[tuple[LocalRound, Array]]) -> Iterator[tuple[str, Array]]:
    """Yield what the moves were before a momentum or a decay of weights, first as they are."""
    yield "", np.concatenate([u for _, u in seen])
    for by in _DECAYS:
        yield f"{by:g} y is added (weight decay)", np.concatenate([u - by * r.y[:-1] for r, u in seen])
    for mu in _MEMORIES:
        for dampening in (0.0, mu):
            fresh = "g" if not dampening else f"{text(1.0 - dampening)} g"
            words = f"a momentum of the round, m <- {mu:g} m + {fresh}, takes its place"
            undone = [np.concatenate([u[:1], u[1:] - mu * u[:-1]]) / (1.0 - dampening) for _, u in seen]
            yield words, np.concatenate(undone)


def _link(g: Array, used: Array) -> str:
    """Return what is done to rows of gradients: clipped by norm or entries, normalised, signs; empty if none is it."""
    scale = np.abs(used).max()
    if np.abs(used - g).max() <= EXACT * scale:
        return ""
    length, found = np.linalg.norm(g, axis=1), np.linalg.norm(used, axis=1)
    bound, most = float(found.max()), float(np.abs(used).max())
    tries = {
        f"its norm is clipped at {text(bound)}": g * np.minimum(1.0, bound / np.maximum(length, 1e-300))[:, None],
        f"its entries are clipped at {text(most)}": np.clip(g, -most, most),
        "it is divided by its norm": g / np.maximum(length, 1e-300)[:, None],
        "its sign is taken": np.sign(g),
    }
    return next((words for words, made in tries.items() if np.abs(made - used).max() <= EXACT * scale), "")
