"""What an implementation does with clients that make different numbers of local steps, where it agrees otherwise."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.replay import record_run

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.conform.diagnosis import Mismatch
    from boundcheck.conform.replay import RecordedRun
    from boundcheck.problems.base import Array


def uneven_words(trial: Mismatch) -> tuple[str, ...]:
    """Return what is wrong where the clients make K_i steps, the settings with K steps for all being right."""
    pairs = [(run, path) for run, path in trial.pairs if run.setting.uneven]
    first = "it agrees where all clients make K local steps; where they make K_i of their own"
    for words, path_of in _WRONG.items():
        if all(_same(path_of(trial.made, run), path, trial.tolerance) for run, path in pairs):
            return (f"{first}, {words}",)
    return (f"{first}, no known mistake has these iterates: look at every K, and at the number of minibatches",)


def _same(ours: Array, theirs: Array, tolerance: float) -> bool:
    return bool(np.abs(ours - theirs).max() <= tolerance * np.abs(ours).max())


def _all_steps(made: Any, run: RecordedRun) -> Array:
    """Return the iterates where everybody makes K steps."""
    return record_run(made, replace(run.setting, uneven=False)).path


def _common_divisor(made: Any, run: RecordedRun) -> Array:
    """Return those where what is divided by K_i is divided by K."""
    states = run.states(made, own_steps=False)
    return np.stack([run.problem.start, *(state.x[0, 0] for state in states)])


def _weights(made: Any, run: RecordedRun) -> Array:
    """Return those where averages have the weights K_i."""
    states = run.states(made, by_steps=True)
    return np.stack([run.problem.start, *(state.x[0, 0] for state in states)])


_WRONG: dict[str, Callable[[Any, RecordedRun], Array]] = {
    "every client makes K steps all the same": _all_steps,
    "the number K stands in a denominator where the client's own K_i belongs": _common_divisor,
    "the clients are weighted by their numbers of steps K_i, and not all alike": _weights,
}
"""Words to the iterates of a mistake."""
