"""The law of the local step, read off the points that the clients were asked at: by round, step or client."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.conform.reading.words import EXACT, fit, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from boundcheck.conform.reading.asked import LocalRound
    from boundcheck.problems.base import Array


_FEW = 3
"""Fewer factors than these are those of many laws."""


class StepSchedule(NamedTuple):
    """A law of the local step: the factor of the right step in a step of the run."""

    words: str
    factor: Callable[[int], float]
    """Of the round t."""
    by_round: bool
    """Whether it changes from round to round alone."""
    step: Callable[[LocalRound, int], float] | None = None
    """The factor of any step, where that is known."""


def read_steps(theirs: Sequence[LocalRound], eta: float) -> StepSchedule | None:
    """Return the law of the local step where it is not constant or not eta; None where nothing is read.

    A step is ``y_k - y_(k+1) = eta_k (g_k + c)`` with a c that is constant in the round: c is 0, or two steps show the
    factor by their difference.
    """
    rows = _factors(theirs, eta)
    if rows is None:
        return _constant_step(theirs, eta)
    if not rows or all(abs(f - 1.0) < EXACT for _, _, f in rows):
        return None
    first = rows[0][2]
    if all(abs(f - first) < EXACT * max(1.0, abs(first)) for _, _, f in rows):
        return StepSchedule(_by_number(first, rows[0][0], eta), lambda t: first, True, lambda r, k: first)  # noqa: FBT003
    indices: dict[str, Callable[[LocalRound, int], int]] = {
        "every round": lambda r, k: r.t,
        "every local step of a round": lambda r, k: k,
        "every local step, on from round to round": lambda r, k: r.t * r.run.setting.K + k,
        "every time that a client takes part": _times_before,
        "by the client's number": lambda r, k: r.i,
        "every client of a round": lambda r, k: r.place,
        "every client, on from round to round": lambda r, k: r.t * r.run.setting.S + r.place,
        "every local step, on from client to client and from round to round": lambda r, k: (
            (r.t * r.run.setting.S + r.place) * r.run.setting.K + k
        ),
        "every local step, on from client to client": lambda r, k: r.place * r.run.setting.K + k,
    }
    for when, index in indices.items():
        table = _table((index(r, k), f) for r, k, f in rows)
        if table is not None and len(table) > 1:
            by_round = when == "every round"
            return StepSchedule(_law(table, when, eta), partial(_factor, table), by_round, partial(_step, table, index))
    if over_all := _over_all_rounds(rows, eta):
        return over_all
    sizes = {(r.run.clients[r.i].size, round(f, 7)) for r, _, f in rows}
    if len({size for size, _ in sizes}) == len(sizes) > 1:
        return StepSchedule("the local step depends on the size of the client", lambda t: 1.0, by_round=False)
    return None


_OVER_ALL: dict[str, Callable[[Array, int], Array]] = {
    "(1 + cos(pi t/T))/2": lambda t, T: 0.5 * (1.0 + np.cos(np.pi * t / T)),
    "(1 + cos(pi (t+1)/T))/2": lambda t, T: 0.5 * (1.0 + np.cos(np.pi * (t + 1) / T)),
    "1 - t/T": lambda t, T: 1.0 - t / T,
    "1 - (t+1)/T": lambda t, T: 1.0 - (t + 1) / T,
    "(t+1)/T": lambda t, T: (t + 1) / T,
}
"""Factors of the step in round t = 0, 1, ... of T."""


def _over_all_rounds(rows: Sequence[tuple[LocalRound, int, float]], eta: float) -> StepSchedule | None:
    """Return the law of a step that depends on the round and on how many rounds there are."""
    horizons = {r.run.setting.T for r, _, _ in rows}
    tables = {T: _table((r.t, f) for r, _, f in rows if r.run.setting.T == T) for T in horizons}
    known = {T: table for T, table in tables.items() if table is not None}
    if len(known) < len(tables) or len(known) < 2:
        return None
    seen = {
        T: (np.array(sorted(table), dtype=float), np.array([table[t] for t in sorted(table)]))
        for T, table in known.items()
    }
    for law, of in _OVER_ALL.items():
        if all(np.allclose(f, of(t, T), rtol=EXACT * 10, atol=EXACT) for T, (t, f) in seen.items()):
            words = f"the local step is eta {law}, t = 0, 1, ... counting the rounds of all T"
            return StepSchedule(words, lambda t: 1.0, False, lambda r, k: known[r.run.setting.T].get(r.t, 1.0))  # noqa: FBT003
    listed = "; ".join(f"{', '.join(text(v * eta) for v in f[:4])}, ... of {T}" for T, (_, f) in sorted(seen.items()))
    words = f"the local step changes from round to round, and with how many rounds there are: {listed}"
    return StepSchedule(words, lambda t: 1.0, False, lambda r, k: known[r.run.setting.T].get(r.t, 1.0))  # noqa: FBT003


def _times_before(r: LocalRound, k: int) -> int:
    """Return in how many rounds before this one the client took part."""
    return sum(r.i in r.run.active[t] for t in range(r.t))


def _factor(table: Mapping[int, float], t: int) -> float:
    return table.get(t, 1.0)


def _step(table: Mapping[int, float], index: Callable[[LocalRound, int], int], r: LocalRound, k: int) -> float:
    """Return the factor of a step: as seen, or by the ratio of the last two that were."""
    n = index(r, k)
    if n in table or len(table) < 2:
        return table.get(n, 1.0)
    before, last = sorted(table)[-2:]
    ratio = table[last] / table[before]
    return float(table[last] * ratio ** ((n - last) / (last - before)))


def _table(entries: Iterable[tuple[int, float]]) -> dict[int, float] | None:
    """Return the factor at every index, None if it is not a function of it."""
    table: dict[int, float] = {}
    for index, f in entries:
        if abs(table.setdefault(index, f) - f) > EXACT * max(1.0, abs(f)):
            return None
    return table


def _factors(rounds: Sequence[LocalRound], eta: float) -> list[tuple[LocalRound, int, float]] | None:
    """Return the factor of every seen step, if every step is along its gradient."""
    rows = []
    for r in rounds:
        for k, moved in enumerate(r.moves):
            found, fits = fit([r.g[k]], moved)
            if not fits:
                return None
            rows.append((r, k, float(found[0]) / eta))
    return rows


def own_step(ours: Sequence[LocalRound], eta: float) -> float | None:
    """Return the step on a fresh gradient in our method, None where it is no constant or not seen."""
    ours = [r for r in ours if len(r.moves)]
    rows = _factors(ours, eta)
    if rows:
        factor = rows[0][2]
        return eta * factor if all(abs(f - factor) < EXACT for _, _, f in rows) else None
    if not ours:
        return None
    first, fits = fit([np.concatenate([r.g[0] for r in ours])], np.concatenate([r.moves[0] for r in ours]))
    if fits:
        return float(first[0])  # momentum and proximal terms are 0 in the first step of a round
    found = _differences(ours, eta)
    if not found:
        return _step_beside_pull(ours)
    return eta * found[0][1] if all(abs(f - found[0][1]) < EXACT for _, f in found) else None


def _step_beside_pull(ours: Sequence[LocalRound]) -> float | None:
    """Return the step on a fresh gradient beside a proximal term and a correction that is constant in the round."""
    rounds = [r for r in ours if len(r.moves) > 2]
    if not rounds:
        return None
    columns = [
        np.concatenate([np.diff(part, axis=0).ravel() for part in parts])
        for parts in ([r.g[:-1] for r in rounds], [r.y[:-1] for r in rounds])
    ]
    found, fits = fit(columns, np.concatenate([np.diff(r.moves, axis=0).ravel() for r in rounds]))
    return float(found[0]) if fits else None


def _differences(rounds: Sequence[LocalRound], eta: float) -> list[tuple[LocalRound, float]]:
    """Return the factors of the differences of two steps; none if one does not fit."""
    factors: list[tuple[LocalRound, float]] = []
    for r in rounds:
        for k in range(len(r.moves) - 1):
            found, fits = fit([r.g[k] - r.g[k + 1]], r.moves[k] - r.moves[k + 1])
            if not fits:
                return []
            factors.append((r, float(found[0]) / eta))
    return factors


def _constant_step(theirs: Sequence[LocalRound], eta: float) -> StepSchedule | None:
    """Read the factor off the difference of two steps, from which a correction that is constant in the round falls."""
    if all(len(r.moves) <= 2 for r in theirs):
        return None  # one difference a round is along its gradients by many laws
    factors = _differences(theirs, eta)
    table = _table((r.t, f) for r, f in factors)
    if not table or all(abs(f - 1.0) < EXACT for f in table.values()):
        return None
    if len({round(f, 7) for f in table.values()}) == 1:
        first = factors[0][1]
        return StepSchedule(_by_number(first, factors[0][0], eta), lambda t: first, by_round=True)
    return StepSchedule(_law(table, "every round", eta), partial(_factor, table), by_round=True)


def law_by_round(factors: dict[int, float], eta: float) -> str:
    """Return the words for factors of the local step by round."""
    return _law(factors, "every round", eta)


def _by_number(factor: float, r: LocalRound, eta: float) -> str:
    if abs(factor) < EXACT:
        return (
            "the clients stand still within a round: all its gradients are taken at the point of the first, and no "
            "step is made between them"
        )
    return f"the local step is {text(factor * eta)} and not {text(eta)}: every gradient has a factor {text(factor)}"


def _law(table: dict[int, float], when: str, eta: float) -> str:
    """Return the words of a law of the step by its factors at 0, 1, 2, ..."""
    at = sorted(table)
    f = np.array([table[n] for n in at])
    steps = ", ".join(text(eta * value) for value in f[:4])
    seen = f"(read off y_0 - y_1 = eta_t g: {steps}, ...)"
    changes = f"the local step changes {when}, by the factors {', '.join(text(v) for v in f[:6])} ... {seen}"
    if len(f) < _FEW:
        return changes
    n = np.array(at, dtype=float)
    ratios = f[1:] / f[:-1]
    if np.allclose(ratios, ratios[0], rtol=EXACT * 10) and np.allclose(np.diff(n), 1.0):
        start = "" if abs(f[0] - 1.0) < EXACT else f", from {text(f[0])} eta on"
        return f"the local step is multiplied by {text(ratios[0])} {when}{start} {seen}"
    laws = {
        "1/n": 1.0 / (n + 1.0),
        "1/sqrt(n)": (n + 1.0) ** -0.5,
        "1/(n + 1)": 1.0 / (n + 2.0),
        "1/n^2": (n + 1.0) ** -2.0,
        "1/sqrt(n + 1)": (n + 2.0) ** -0.5,
    }
    for law, values in laws.items():
        if np.allclose(f, values, rtol=EXACT * 10):
            return f"the local step decays as {law}, n counting {when} from 1 {seen}"
    drop = 1.0 / f - 1.0
    if n[0] == 0 and abs(drop[0]) < EXACT and np.allclose(drop[1:] / n[1:], drop[1], rtol=EXACT * 10):
        return f"the local step is divided by 1 + {text(drop[1])} n, n counting {when} from 0 {seen}"
    rise = np.diff(f)
    moving = rise[np.abs(rise) > EXACT]
    if len(moving) and rise[0] > EXACT and np.allclose(moving, rise[0], rtol=EXACT * 10):
        how = "differs" if when.startswith("by ") else "warms up"
        return f"the local step {how}: it grows by {text(rise[0])} eta {when}, from {text(f[0])} eta on {seen}"
    if np.allclose(rise, rise[0], rtol=EXACT * 10):
        return f"the local step falls by {text(-rise[0])} eta {when} {seen}"
    return changes
