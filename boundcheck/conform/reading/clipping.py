"""Updates that are clipped where nobody said: the bound is the largest norm of an update that the server used."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.conform.mistakes.updates import clip_updates
from boundcheck.conform.reading.forced import displacements
from boundcheck.conform.reading.words import EXACT, fit, text
from boundcheck.methods.composed import Composed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.conform.faults.wrong import Mistake
    from boundcheck.conform.runs.replay import RecordedRun
    from boundcheck.methods import Method
    from boundcheck.problems.base import Array


def clipped_at(made: Method, pairs: Sequence[tuple[RecordedRun, Array]]) -> tuple[Mistake, ...]:
    """Return clipping of updates at the bounds that the runs suggest, for runs to confirm.

    A round with S <= d active clients gives the factor of every update by least squares; an update that is clipped has
    its bound for a norm.
    """
    if not isinstance(made, Composed):
        return ()
    by = getattr(made, "gamma", 1.0)
    lengths: list[float] = []
    entries: list[float] = []
    models: list[float] = []
    for run, path in pairs:
        if run.setting.S > 2 or not np.isfinite(path).all():
            continue
        given = displacements(made, run, path)
        if given is None:
            return ()
        for t, ends in enumerate(given.ends):
            updates, move = ends - path[t], (path[t + 1] - path[t]) / by
            if len(ends) == 1 and np.linalg.norm(path[t] + move) < (1.0 - EXACT) * np.linalg.norm(ends[0]):
                models.append(float(np.linalg.norm(path[t] + move)))
            found, fits = fit(list(updates / len(updates)), move)
            if fits:
                lengths += [
                    float(f * np.linalg.norm(u)) for f, u in zip(found, updates, strict=True) if f < 1.0 - EXACT
                ]
            if np.linalg.norm(move) < (1.0 - EXACT) * np.linalg.norm(given.D[t]):
                lengths.append(float(np.linalg.norm(move)))
                entries.append(float(np.abs(move).max()))
    ways = ("norm", "mean", "always")
    return (
        *(clip_updates(bound, how) for bound in _commonest(lengths) for how in ways),
        *(clip_updates(bound, "entries") for bound in _commonest(entries)),
        *(clip_updates(bound, "models") for bound in _commonest(models)),
    )


def bounds_by_round(made: Method, pairs: Sequence[tuple[RecordedRun, Array]]) -> tuple[str, ...]:
    """Say at which norm updates are clipped in every round, where it is another one from round to round."""
    if not isinstance(made, Composed):
        return ()
    by = getattr(made, "gamma", 1.0)
    table: dict[int, list[float]] = {}
    for run, path in pairs:
        given = displacements(made, run, path) if run.setting.d >= run.setting.S and np.isfinite(path).all() else None
        for t, ends in enumerate(given.ends if given is not None else ()):
            updates = ends - path[t]
            found, fits = fit(list(updates / len(updates)), (path[t + 1] - path[t]) / by)
            if not fits or (found > 1.0 + EXACT).any():
                return ()
            cut = [float(f * np.linalg.norm(u)) for f, u in zip(found, updates, strict=True) if f < 1.0 - EXACT]
            if cut:
                table.setdefault(t, []).extend(cut)
    bounds = {t: found[0] for t, found in table.items() if len(found) > 1 and np.ptp(found) <= EXACT * found[0]}
    if (
        len(bounds) < 2
        or np.ptp(list(bounds.values())) <= EXACT
        or any(np.ptp(f) > EXACT * f[0] for f in table.values())
    ):
        return ()
    listed = ", ".join(text(bounds[t]) for t in sorted(bounds))
    rounds = ", ".join(str(t + 1) for t in sorted(bounds))
    return (f"the displacement (update) of every client is clipped at norms {listed} in the rounds {rounds}",)


def _commonest(values: Sequence[float]) -> list[float]:
    """Return the values that come more than once, to seven digits, the commonest two."""
    counts = Counter(float(f"{value:.7g}") for value in values if value > 0.0)
    return [value for value, count in counts.most_common(2) if count > 1]
