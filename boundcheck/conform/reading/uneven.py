"""What an implementation does with clients that make different numbers of local steps, where it agrees otherwise."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.reading.words import EXACT, fit, text
from boundcheck.conform.runs.replay import record_run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from boundcheck.conform.explaining import Explainer
    from boundcheck.conform.runs.replay import RecordedRun
    from boundcheck.problems.base import Array


def uneven_words(explainer: Explainer) -> str:
    """Return what is wrong where the clients make K_i steps, the settings with K steps for all being right."""
    pairs = [(run, path) for run, path in explainer.pairs if run.setting.uneven]
    for words, path_of in _WRONG.items():
        if all(_same(path_of(explainer.made, run), path, explainer.tolerance) for run, path in pairs):
            return words
    return _counts(pairs) or _factors(explainer.made, pairs)


def _counts(pairs: Sequence[tuple[RecordedRun, Array]]) -> str:
    """Return how many steps the clients make, by a rule if there is one, where these are not their own."""
    seen = [
        (run.setting.counts, i, place, len({k for k, _ in run.clients[i].points[t]}))
        for run, _ in pairs
        for t, chosen in enumerate(run.active)
        for place, i in enumerate(chosen)
    ]
    if not seen or all(made == counts[i] for counts, i, _, made in seen):
        return ""
    for words, rule in _RULES.items():
        if all(made == rule(counts, i, place) for counts, i, place, made in seen):
            return words
    told = dict.fromkeys(f"{made} where it has {counts[i]}" for counts, i, _, made in seen if made != counts[i])
    return f"the clients make other numbers of steps than their own: {', '.join([*told][:4])}"


_RULES: dict[str, Callable[[Any, int, int], int]] = {
    "the K_i of a client is looked up by its place among the active ones, and not by its number": (
        lambda counts, i, place: int(counts[place])
    ),
    "every client makes the largest of all K_i steps": lambda counts, i, place: int(counts.max()),
    "every client makes the smallest of all K_i steps": lambda counts, i, place: int(counts.min()),
    "every client makes the first client's K_1 steps": lambda counts, i, place: int(counts[0]),
    "every client makes one step more than its K_i": lambda counts, i, place: int(counts[i]) + 1,
    "every client makes one step less than its K_i": lambda counts, i, place: max(int(counts[i]) - 1, 0),
    "every client makes one step less than its K_i, and at least one": lambda counts, i, place: max(
        int(counts[i]) - 1, 1
    ),
    "every client makes the mean of all K_i steps": lambda counts, i, place: int(counts.mean()),
}
"""Words to the number of steps of a client, of all numbers, its own number and its place among the active ones."""


def _factors(made: Any, pairs: Sequence[tuple[RecordedRun, Array]]) -> str:
    """Return the factor of every client's local step by its K_i, read off y_0 - y_1 = eta f g."""
    eta = getattr(made, "eta", None)
    factors: dict[tuple[int, int, float], float] = {}
    for run, _ in pairs:
        counts = run.setting.counts
        for t, chosen in enumerate(run.active):
            for i in chosen:
                points, told = run.clients[i].points[t], run.clients[i].asked[t]
                if len(points) < 2 or not eta:
                    continue
                found, fits = fit([np.asarray(told[0])], points[0][1] - points[1][1])
                f = float(found[0]) / eta
                key = (run.setting.K, int(counts[i]), float(counts.mean()))
                if not fits or abs(factors.setdefault(key, f) - f) > EXACT:
                    return ""
    if not factors or all(abs(f - 1.0) < EXACT for f in factors.values()):
        return ""
    for words, rule in _STEP_RULES.items():
        if all(abs(f - rule(*key)) < 10 * EXACT for key, f in factors.items()):
            return f"a client's local step is multiplied by {words}"
    listed = ", ".join(f"{text(f)} for K_i = {own}" for (_, own, _), f in sorted(factors.items()))
    return f"a client's local step has a factor of its own: {listed}"


_STEP_RULES: dict[str, Callable[[int, int, float], float]] = {
    "K/K_i: all go as far": lambda K, own, mean: K / own,
    "K_i/K": lambda K, own, mean: own / K,
    "1/K_i": lambda K, own, mean: 1.0 / own,
    "K_i": lambda K, own, mean: float(own),
    "1/K": lambda K, own, mean: 1.0 / K,
    "the mean of all K_j over K_i": lambda K, own, mean: mean / own,
}
"""Words to the factor of a step, of K, the client's own K_i and the mean of all."""


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
