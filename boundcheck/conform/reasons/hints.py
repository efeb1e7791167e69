"""Where an implementation parts from ours, where no known mistake fits: the settings, the round, the step."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.conform.runs.comparison import SINGLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.conform.runs.comparison import CheckedSetting
    from boundcheck.conform.runs.replay import RecordedRun
    from boundcheck.problems.base import Array

_LATE = 4
"""From this round on a first difference is one of the round's number."""


def hints(
    runs: Sequence[RecordedRun], checked: Sequence[CheckedSetting], tolerance: float, *, read: bool = False
) -> tuple[str, ...]:
    """Say what the settings that fail have in common, and where in a round the implementation parts.

    `read` says that something has been read off, of which the rest is a second view.
    """
    bad = [c.setting for c in checked if c.parts is not None]
    first = min(c.parts for c in checked if c.parts is not None)
    found = [f"the iterates part at {bad[0]}" + ("" if read else "; no known mistake has exactly these")]
    if max(c.deviation for c in checked) <= SINGLE:
        found.append(f"the deviations are below {SINGLE:g}: single precision somewhere, or a small term such as eps")
    found += _settings(checked)
    found.append("the start differs" if first == 0 else f"the earliest difference is after round {first}")
    if first:
        found += _place(runs, checked, tolerance)
    if first > 1:
        found.append("the first round agrees: look at what is carried from round to round")
    if first >= _LATE:
        found.append(
            f"rounds 1 to {first - 1} agree in every setting: look for schedules, warm-up, counters and resets"
        )
    return tuple(found)


def _settings(checked: Sequence[CheckedSetting]) -> list[str]:
    """Say what the settings that agree, for as many rounds as it takes elsewhere to differ, do not have."""
    bad = [c.setting for c in checked if c.parts is not None]
    first = min(c.parts for c in checked if c.parts is not None)
    good = [c.setting for c in checked if c.parts is None and first <= c.setting.T]
    if good and all(s.steep for s in bad):
        # Large gradients come with several clients and several steps alone, which are no reason then.
        return ["small gradients agree: look for clipping, caps on norms and overflow"]
    found = []
    if all(s.S == 1 for s in bad) and any(s.S > 1 for s in good):
        found.append("settings with several active clients agree: look at what is done with one active client")
    if good and all(s.K > 1 for s in bad) and any(s.K == 1 for s in good):
        found.append("K = 1 agrees: look at what changes from one local step to the next, and at factors K")
    if all(s.S < s.N for s in bad) and any(s.S == s.N for s in good):
        found.append("full participation agrees: look at what divides by S or N, and at clients that sit out")
    if all(s.N > 1 for s in bad) and any(s.N == 1 for s in good):
        found.append("one client agrees: look at the averages and at what tells the clients apart")
    if all(s.unequal for s in bad) and any(s.N > 1 for s in good):
        found.append("clients of equal size agree: look at weights n_i/n")
    return found


def _place(runs: Sequence[RecordedRun], checked: Sequence[CheckedSetting], tolerance: float) -> list[str]:
    """Say where in its round the earliest difference arises, from the points that the clients were asked at."""
    # One local step does not show whether it or the server is wrong.
    first, _, n = min((c.parts, c.setting.K == 1, n) for n, c in enumerate(checked) if c.parts is not None)
    run, t = runs[n], first - 1
    ours, theirs = _by_step(run, t)
    if not any(client.points[s] for client in run.clients for s in range(len(run.active))):
        return []  # a method that is run as ours is shows no points
    shape = {at: len(points) for at, points in ours.items()}
    if {at: len(points) for at, points in theirs.items()} != shape:
        missing = sorted({k for k, _ in ours if not any(k == other for other, _ in theirs)})
        steps = f" (step {missing[0]} is never asked)" if missing else ""
        return [f"in round {t + 1} the clients ask for other gradients than ours, step by step{steps}"]
    scale = np.abs(run.path).max()
    for k, i in sorted(ours):
        gap = max(np.abs(a - b).max() for a, b in zip(ours[k, i], theirs[k, i], strict=True))
        if not gap <= tolerance * scale:
            start = "where it starts its local steps" if k == 0 else f"local step {k}"
            return [
                f"in round {t + 1} client {i} is asked for step k = {k} at another point than ours: look at {start}"
            ]
    return [f"in round {t + 1} all gradients are taken where ours are: look at the last local step and at the server"]


_Points = dict[tuple[int, int], "list[Array]"]


def _by_step(run: RecordedRun, t: int) -> tuple[_Points, _Points]:
    """Return the points of round t by step and client: ours, and those of the implementation."""
    ours, theirs = defaultdict(list), defaultdict(list)
    for k, y in run.points[t]:
        for row, i in enumerate(run.active[t]):
            ours[k, i].append(y[0, row])
    for i in run.active[t]:
        for k, y in run.clients[i].points[t]:
            theirs[k, i].append(y)
    return ours, theirs
