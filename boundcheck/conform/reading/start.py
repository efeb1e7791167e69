"""Control variates that start where nobody said: read off the first local step, and confirmed by running from there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.explaining import same
from boundcheck.conform.faults.wrong import Mistake
from boundcheck.conform.mistakes import with_mistake
from boundcheck.conform.runs.comparison import ROUNDED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from boundcheck.conform.runs.replay import RecordedRun
    from boundcheck.methods import Method
    from boundcheck.problems.base import Array

_STARTS: dict[str, Callable[[Any, Array], Any]] = {
    # With all clients active only c - c_i counts, in every round: c = 0 serves.
    "scaffold": lambda state, d: state._replace(c_i=-d, c=0.0 * state.c),
    "scaffold-m": lambda state, d: state._replace(c_i=-d, c=0.0 * state.c),
    "fedgate": lambda state, d: state._replace(delta=-d),
}
"""Method to the state whose corrections in the first round are d, (1, N, d)."""


def other_start(made: Method, pairs: Sequence[tuple[RecordedRun, Array]], tolerance: float) -> tuple[str, ...]:
    """Say that the corrections start elsewhere, if runs from what they seem to be give the same iterates.

    `pairs` are our runs with the iterates of the implementation.  Those with all clients and more than one local step
    tell: y_1 = y_0 - eta (g_i(y_0) + d_i).
    """
    method = made.card.id
    if method not in _STARTS:
        return ()
    telling = [(run, path) for run, path in pairs if run.setting.S == run.setting.N and run.setting.K > 1]
    if all(same(path, run.path, max(tolerance, ROUNDED)) for run, path in telling):
        return ()  # corrections that are ours started where ours do
    if not telling or not all(_explains(made, run, path, tolerance) for run, path in telling):
        return ()
    words = "with other initial control variates: random ones, or some that an earlier run has left"
    return (f"with all clients active your iterates equal those of {made.card.title} {words}",)


def _corrections(made: Any, run: RecordedRun) -> Array | None:
    """Return what every client adds to its gradient in the first step, (1, N, d)."""
    weight = made.eta * getattr(made, "beta", 1.0)
    rows = []
    for client in run.clients:
        points = dict(client.points[0])
        if not client.asked[0] or 0 not in points or 1 not in points:
            return None
        rows.append((points[0] - points[1]) / weight - client.asked[0][0])
    return np.array(rows)[None]


def _explains(made: Method, run: RecordedRun, path: Array, tolerance: float) -> bool:
    d, begin = _corrections(made, run), _STARTS[made.card.id]
    if d is None:
        return False
    other = Mistake("", start=lambda r: begin(r.old, d))
    found = (run.iterates(wrong) for wrong in with_mistake(made, other))
    return any(bool((np.abs(ours - path) <= tolerance * np.abs(path).max()).all()) for ours in found)
