"""What is wrong with an implementation: known mistakes that have its iterates, or what the settings that fail share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.conform.mistakes import mistakes, with_mistake

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.conform.comparison import CheckedSetting
    from boundcheck.conform.harness import Make
    from boundcheck.conform.replay import Recorded
    from boundcheck.methods import Method
    from boundcheck.problems.base import Array


def _same(found: Array, other: Array, tolerance: float) -> bool:
    """Whether two runs agree as long as they are finite, and stop being so together."""
    finite = np.asarray(np.isfinite(found).all(axis=1))
    if not finite[0] or (finite != np.isfinite(other).all(axis=1)).any():
        return False
    scale = np.maximum.accumulate(np.abs(found[finite]).max(axis=1))
    return bool((np.abs(found - other)[finite].max(axis=1) <= tolerance * scale).all())


def known_mistakes(made: Method, runs: list[Recorded], paths: list[Array], tolerance: float) -> tuple[str, ...]:
    """Name the known mistakes that have exactly these iterates."""

    def has(wrong: Make) -> bool:
        return all(_same(path, run.iterates(wrong), tolerance) for run, path in zip(runs, paths, strict=True))

    return tuple(
        f"your iterates equal those of {made.card.title} with a mistake: {mistake.words}"
        for mistake in mistakes(made.card.id).values()
        if any(has(wrong) for wrong in with_mistake(made, mistake))
    )


def hints(checked: Sequence[CheckedSetting]) -> tuple[str, ...]:
    """Say what the settings that fail have in common."""
    bad = [c.setting for c in checked if c.parts is not None]
    good = [c.setting for c in checked if c.parts is None]
    found = [f"the iterates part at {bad[0]}; no known mistake has exactly these"]
    if good and all(s.K > 1 for s in bad) and any(s.K == 1 for s in good):
        found.append("K = 1 agrees: look at what changes from one local step to the next, and at factors K")
    if all(s.S < s.N for s in bad) and any(s.S == s.N for s in good):
        found.append("full participation agrees: look at what divides by S or N, and at clients that sit out")
    if all(s.N > 1 for s in bad) and any(s.N == 1 for s in good):
        found.append("one client agrees: look at the averages and at what tells the clients apart")
    first = min(c.parts for c in checked if c.parts is not None)
    found.append("the start differs" if first == 0 else f"the earliest difference is after round {first}")
    if first > 1:
        found.append("the first round agrees: look at what is carried from round to round")
    return tuple(found)
