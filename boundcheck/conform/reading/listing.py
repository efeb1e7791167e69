"""Right iterates in a wrong list: shifted by a round, averaged, or those of the clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.conform.explaining import same
from boundcheck.conform.reading.words import EXACT, text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from boundcheck.conform.runs.replay import RecordedRun
    from boundcheck.problems.base import Array


def _averages(path: Array) -> Array:
    return np.cumsum(path, axis=0) / np.arange(1, len(path) + 1)[:, None]


def _averages_from_one(path: Array) -> Array:
    return np.concatenate([path[:1], _averages(path[1:])])


_NEVER_MOVES = "the start x_0 is returned for every round: the model that is listed is not the one that is trained"
_LISTS: dict[str, Callable[[Array], Array]] = {
    "the iterates are listed one round late: x_0 stands twice at the start and the last one is missing": lambda x: (
        np.concatenate([x[:1], x[:-1]])
    ),
    "the running averages of the iterates x_0, ..., x_t are returned and not the iterates": _averages,
    "the running averages of the iterates x_1, ..., x_t are returned and not the iterates": _averages_from_one,
    _NEVER_MOVES: lambda x: np.repeat(x[:1], len(x), axis=0),
    "the averages of two neighbouring iterates are returned": lambda x: np.concatenate([x[:1], 0.5 * (x[1:] + x[:-1])]),
}


def wrong_list(pairs: Sequence[tuple[RecordedRun, Array]], tolerance: float) -> tuple[str, ...]:
    """Return what is wrong with the list, if it is made of our iterates."""
    for words, made_of in _LISTS.items():
        if all(same(path, made_of(run.path), tolerance) for run, path in pairs):
            return () if words == _NEVER_MOVES and _stand_still(pairs) else (words,)
    if smoothed := _find_smoothing(pairs, tolerance):
        return smoothed
    ahead = [(run, path) for run, path in pairs if same(path[:-1], run.path[1:], tolerance)]
    if len(ahead) == len(pairs):
        return ("the iterates are listed one round early: the list starts at x_1 and not at x_0",)
    return ()


def _stand_still(pairs: Sequence[tuple[RecordedRun, Array]]) -> bool:
    """Return whether the clients were asked at x_0 alone: nothing moves, and no other model is trained."""
    asked = [(path[0], x) for run, path in pairs for c in run.clients for points in c.points for _, x in points]
    return bool(asked) and all(np.array_equal(start, x) for start, x in asked)


def _find_smoothing(pairs: Sequence[tuple[RecordedRun, Array]], tolerance: float) -> tuple[str, ...]:
    """Say that the list is a moving average of the iterates, with the weight of the newest one."""
    run, path = pairs[0]
    moved, listed = run.path[1] - run.path[0], path[1] - path[0]
    weight = float(moved @ listed) / max(float(moved @ moved), 1e-300)
    if not 0.0 < weight < 1.0 - EXACT or not all(
        same(path, _moving(run.path, weight), tolerance) for run, path in pairs
    ):
        return ()
    words = f"a moving average of the iterates is returned, z+ = {text(1.0 - weight)} z + {text(weight)} x+"
    return (f"{words}, and not the iterates: the iterates themselves agree",)


def _moving(path: Array, weight: float) -> Array:
    found = [path[0]]
    for x in path[1:]:
        found.append((1.0 - weight) * found[-1] + weight * x)
    return np.array(found)
