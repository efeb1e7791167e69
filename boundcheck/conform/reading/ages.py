"""What an asynchronous server makes of an update that is old, read off: its weight by age, and from where it counts.

For FedBuff and FedAsync.  The ends y_i of the local steps are those of ours from the implementation's own iterates, of
which client i got one when it took part last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.reading.words import EXACT, fit, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from boundcheck.conform.replay import RecordedRun
    from boundcheck.problems.base import Array

ASYNCHRONOUS = ("fedbuff", "fedasync")
_STARTS = {
    "": lambda path, since, t: path[since],
    "clients start from the newest model and not from the one that they got last": lambda path, since, t: path[t],
}
"""Where a client begins, of the rounds in which it got a model and of now."""
_BASES = {
    "y_i - x_i": lambda y, begun, x: y - begun,
    "y_i - x": lambda y, begun, x: y - x,
}
"""What is added: the update of a client from its own start x_i, or the way from the newest model to its end."""


def read_ages(made: Any, pairs: Sequence[tuple[RecordedRun, Array]]) -> tuple[str, ...]:
    """Return the weights by age, the start and the base, in words, where a sum of updates has the iterates."""
    if made.card.id not in ASYNCHRONOUS:
        return ()
    right = "y_i - x_i" if made.card.id == "fedbuff" else "y_i - x"
    for start in _STARTS:
        for base in sorted(_BASES, key=lambda one: one != right):
            weights = _weights(made, pairs, start, base)
            if weights:
                return _in_words(made, start, base, right, weights)
    return ()


def _in_words(made: Any, start: str, base: str, right: str, weights: dict[int, float]) -> tuple[str, ...]:
    should = {age: _right_weight(made, age) for age in weights}
    words = [start] if start else []
    if base != right:
        words.append(f"what is added is {base} and not {right}, with x the newest model and x_i that of the client")
    if any(abs(weights[age] - should[age]) > 10 * EXACT for age in weights):
        ages, said, method = (", ".join(found) for found in zip(*_rows(weights, should), strict=True))
        words.append(
            f"the weights of updates of the ages {ages} (server steps since their model) are {said}, where the method "
            f"has {method}"
        )
    return (f"read off the server: {'; and '.join(words)}",) if words else ()


def _rows(weights: dict[int, float], should: dict[int, float]) -> Iterator[tuple[str, str, str]]:
    for age in sorted(weights):
        yield str(age), text(weights[age]), text(should[age])


def _right_weight(made: Any, age: int) -> float:
    if made.card.id == "fedbuff":
        return float(made.gamma)
    return float(made.alpha * (1.0 + age) ** -made.decay)


def _weights(made: Any, pairs: Sequence[tuple[RecordedRun, Array]], start: str, base: str) -> dict[int, float] | None:
    """Return the weight of an update by its age, where one for each age has all iterates; None where none has."""
    rows: list[tuple[list[tuple[int, Array]], Array]] = []
    for run, path in pairs:
        if run.setting.unequal or run.setting.steep or not np.isfinite(path).all():
            continue
        since = [0] * run.setting.N
        for t, chosen in enumerate(run.active):
            moves = []
            for i in chosen:
                begun = _STARTS[start](path, since[i], t)
                move = _BASES[base](_end(made, run, i, t, begun), begun, path[t])
                moves.append((t - since[i], move / len(chosen)))
            rows.append((moves, path[t + 1] - path[t]))
            for i in chosen:
                since[i] = t + 1
    ages = sorted({age for moves, _ in rows for age, _ in moves})
    if len(ages) < 2:
        return None
    columns = [
        np.concatenate([sum((m for a, m in moves if a == age), np.zeros_like(out)) for moves, out in rows])
        for age in ages
    ]
    found, fits = fit(columns, np.concatenate([out for _, out in rows]))
    return dict(zip(ages, map(float, found), strict=True)) if fits else None


def _end(made: Any, run: RecordedRun, i: int, t: int, begun: Array) -> Array:
    """Return where client i ends by the method's local steps."""
    y, rho = begun, getattr(made, "rho", 0.0)
    for k in range(run.setting.K):
        y = y - made.eta * (run.clients[i].answer(y, k, t) + rho * (y - begun))
    return y
