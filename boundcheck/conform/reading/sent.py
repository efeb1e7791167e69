"""What a client sends in the place of where its last step ends: another sum of the points of its local steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.reading.asked import LocalRound, local_rounds, our_rounds
from boundcheck.conform.reading.words import EXACT, fit, total
from boundcheck.methods.composed import Composed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.conform.runs.replay import RecordedRun
    from boundcheck.problems.base import Array


def read_sent(made: Any, pairs: Sequence[tuple[RecordedRun, Array]], eta: float | None) -> tuple[str, ...]:
    """Return the sum of its points that a lone client's new iterate is, where it is another one than the method's."""
    if not isinstance(made, Composed) or eta is None:
        return ()
    alone = [(run, path) for run, path in pairs if run.setting.S == 1 and run.setting.K > 1 and not run.setting.steep]
    paths = {id(run): path for run, path in alone}
    ours = {id(run): run.path for run, _ in alone}
    said, should = _sum(local_rounds(alone), paths, eta), _sum(our_rounds(alone), ours, eta)
    if said is None or should is None or np.allclose(said, should, atol=10 * EXACT):
        return ()
    names = ["x", *(f"y_{k}" for k in range(1, len(said)))]
    a, b = (total(zip(values, names, strict=True)) for values in (said, should))
    return (f"with one client x+ = {a}, where the method has x+ = {b} (y_k: where the client is after its k-th step)",)


def _sum(rounds: Sequence[LocalRound], paths: dict[int, Array], eta: float) -> Array | None:
    """Return the coefficients of x, y_1, ..., y_K in x+, for the most local steps that were asked; None if none fit."""
    K = max((len(r.y) for r in rounds), default=0)
    chosen = [r for r in rounds if len(r.y) == K]
    if not chosen:
        return None
    points = [np.concatenate([r.y, (r.y[-1] - eta * r.g[-1])[None]]) for r in chosen]
    columns = [np.concatenate([p[k] for p in points]) for k in range(K + 1)]
    found, fits = fit(columns, np.concatenate([paths[id(r.run)][r.t + 1] for r in chosen]))
    return np.array(found) if fits else None
