"""The parts of its state that an implementation shows, compared with ours, so that a difference has a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.conform.runs.calling import ReturnedRun
    from boundcheck.conform.runs.replay import RecordedRun


def compare_states(runs: Sequence[RecordedRun], answers: Sequence[ReturnedRun], tolerance: float) -> tuple[str, ...]:
    """Say which of the shown parts agree with ours in the first round that shows a difference, and which do not."""
    good: dict[str, bool] = {}
    unknown: set[str] = set()
    for run, answer in zip(runs, answers, strict=True):
        if not answer.shown:
            return ()
        for name in answer.shown[0]:
            if name == "x":
                continue
            if not hasattr(run.states_of_ours[0], name):
                unknown.add(name)
                continue
            good[name] = good.get(name, True) and _agrees(run, answer, name, tolerance)
    if not good or all(good.values()):
        return ()
    right = " and ".join(name for name, ok in good.items() if ok)
    wrong = " and ".join(name for name, ok in good.items() if not ok)
    first = "the first round" if right else "the first round already"
    return (
        f"of the state that you return {f'{right} has our values and ' if right else ''}{wrong} has others in {first}",
    )


def _agrees(run: RecordedRun, answer: ReturnedRun, name: str, tolerance: float) -> bool:
    """Whether a part agrees after the first round, up to which both sides are given the same."""
    ours = np.asarray(getattr(run.states_of_ours[0], name), dtype=float)[0]
    theirs = np.asarray(answer.shown[1][name], dtype=float)
    if ours.size != theirs.size:
        return False
    scale = max(float(np.abs(ours).max()), 1e-300)
    return bool(np.abs(theirs.reshape(ours.shape) - ours).max() <= max(tolerance, 1e-9) * scale)
