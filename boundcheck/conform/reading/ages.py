"""What an asynchronous server makes of an update that is old, read off: its weight by age, and from where it counts.

For FedBuff and FedAsync.  The ends y_i of the local steps are those of ours from the implementation's own iterates, of
which client i got one when it took part last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.reading.words import EXACT, fit, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from boundcheck.conform.runs.battery import BatterySetting
    from boundcheck.conform.runs.replay import RecordedRun
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

_FACTORS: dict[str, Callable[[BatterySetting], float]] = {
    "": lambda s: 1.0,
    "the updates are divided by all N clients and not by the S that arrived": lambda s: s.S / s.N,
    "the updates are added up and not averaged": lambda s: float(s.S),
}
"""What the mean update is multiplied by."""


def read_ages(made: Any, pairs: Sequence[tuple[RecordedRun, Array]]) -> tuple[str, ...]:
    """Return the weights by age, the start and the base, in words, where a sum of updates has the iterates."""
    if made.card.id not in ASYNCHRONOUS:
        return ()
    right = "y_i - x_i" if made.card.id == "fedbuff" else "y_i - x"
    for start in _STARTS:
        for base in sorted(_BASES, key=lambda one: one != right):
            for factor in _FACTORS:
                if weights := _weights(made, pairs, start, base, factor):
                    return _in_words(made, start, base, right, factor, weights)
    return _by_company(made, pairs, right)


def _in_words(made: Any, start: str, base: str, right: str, factor: str, weights: dict[int, float]) -> tuple[str, ...]:
    should = {age: _right_weight(made, age) for age in weights}
    words = [one for one in (start, factor) if one]
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


def _by_company(made: Any, pairs: Sequence[tuple[RecordedRun, Array]], base: str) -> tuple[str, ...]:
    """Say what an update weighs by its age and by the ages beside it, where that is so in all rounds."""
    table: dict[tuple[tuple[int, ...], int], float] = {}
    for run, path, since, t in _rounds(pairs):
        chosen, d = run.active[t], path.shape[1]
        if len(chosen) > d:
            continue
        ages = [t - since[i] for i in chosen]
        moves = [_BASES[base](_end(made, run, i, t, path[since[i]]), path[since[i]], path[t]) for i in chosen]
        found, fits = fit(moves, path[t + 1] - path[t])
        if not fits:
            return ()
        company = tuple(sorted(ages))
        for age, weight in zip(ages, found, strict=True):
            if abs(table.setdefault((company, age), float(weight)) - weight) > 10 * EXACT:
                return ()
    mixed = {company: age for company, age in table if len(set(company)) > 1}
    if not mixed:
        return ()
    told = []
    for company in sorted(mixed)[:2]:
        weights = ", ".join(text(table[company, age]) for age in company)
        method = ", ".join(text(_right_weight(made, age) / len(company)) for age in company)
        told.append(f"updates of the ages {', '.join(map(str, company))} weigh {weights} where the method has {method}")
    sums = {company: sum(_right_weight(made, age) for age in company) / len(company) for company in mixed}
    stale = [table[company, age] for company, age in table if age > min(company)]
    words = ""
    if stale and max(map(abs, stale)) < EXACT:
        words = "; those that are older than the newest are dropped"
    elif all(abs(sum(table[company, age] for age in company) - right) < 10 * EXACT for company, right in sums.items()):
        words = "; they add up to what the method's do: they are divided by the sum of their weights"
    elif all(
        abs(company.count(age) * table[company, age] - _right_weight(made, age)) < 10 * EXACT for company, age in table
    ):
        words = "; those of every age are averaged by themselves, and the averages are added up"
    return (f"read off the server: {'; '.join(told)} (ages in server steps since their model){words}",)


def _rounds(pairs: Sequence[tuple[RecordedRun, Array]]) -> Iterator[tuple[RecordedRun, Array, list[int], int]]:
    """Yield the rounds of all runs, with the server steps after which the clients got their models."""
    for run, path in pairs:
        if run.setting.unequal or run.setting.steep or not np.isfinite(path).all():
            continue
        since = [0] * run.setting.N
        for t, chosen in enumerate(run.active):
            yield run, path, list(since), t
            for i in chosen:
                since[i] = t + 1


def _weights(
    made: Any, pairs: Sequence[tuple[RecordedRun, Array]], start: str, base: str, factor: str
) -> dict[int, float] | None:
    """Return the weight of an update by its age, where one for each age has all iterates; None where none has."""
    rows: list[tuple[list[tuple[int, Array]], Array]] = []
    for run, path, since, t in _rounds(pairs):
        moves = []
        for i in run.active[t]:
            begun = _STARTS[start](path, since[i], t)
            move = _BASES[base](_end(made, run, i, t, begun), begun, path[t])
            moves.append((t - since[i], move * _FACTORS[factor](run.setting) / len(run.active[t])))
        rows.append((moves, path[t + 1] - path[t]))
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
