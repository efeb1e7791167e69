"""Updates that are clipped where nobody said: the bound is the largest norm of an update that the server used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.conform.mistakes.updates import clip_updates
from boundcheck.methods.composed import Composed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.conform.replay import RecordedRun
    from boundcheck.conform.wrong import Mistake
    from boundcheck.methods import Method
    from boundcheck.problems.base import Array


def clipped_at(made: Method, pairs: Sequence[tuple[RecordedRun, Array]]) -> tuple[Mistake, ...]:
    """Return clipping of updates at the bounds that the first round of one client suggests, for runs to confirm.

    With one active client and plain averaging the first move is the update that was used.
    """
    if not isinstance(made, Composed):
        return ()
    by = getattr(made, "gamma", 1.0)
    moves = [(path[1] - path[0]) / by for run, path in pairs if run.setting.S == 1]
    right = [(run.path[1] - run.path[0]) / by for run, _ in pairs if run.setting.S == 1]
    several = [(path[1:] - path[:-1]) / by for run, path in pairs if run.setting.steep]
    lengths = [
        float(np.linalg.norm(u))
        for u, v in zip(moves, right, strict=True)
        if np.linalg.norm(u) < np.linalg.norm(v) * (1 - 1e-9)
    ]
    tops = [float(np.sqrt((u**2).sum(axis=1)).max()) for u in several if np.isfinite(u).all()]
    bounds = {float(f"{length:.9g}") for length in (*lengths[:2], *tops[:2])}
    entries = {float(f"{np.abs(u).max():.9g}") for u in moves[:2]}
    return (
        *(clip_updates(bound, how) for bound in bounds for how in ("norm", "mean", "always")),
        *(clip_updates(bound, "entries") for bound in entries),
    )
