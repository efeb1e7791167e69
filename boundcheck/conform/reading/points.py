"""Where local steps start, how many there are, what corrects them, and what a network makes of their ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.faults.wrong import Mistake
from boundcheck.conform.faults.wrong_oracle import OracleProxy
from boundcheck.conform.reading.words import EXACT, fit, total

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from boundcheck.conform.reading.additions import StepLaw
    from boundcheck.conform.reading.asked import LocalRound
    from boundcheck.conform.runs.replay import RecordedRun
    from boundcheck.problems.base import Array


def read_counts(runs: Iterable[tuple[RecordedRun, Array]]) -> tuple[str, ...]:
    """Say how many local steps every client makes, where it is not K and our clients make K."""
    for run, _ in runs:
        K = run.setting.K
        if len({k for k, _ in run.points[0]}) != K:
            return ()
        made = {i: len({k for k, _ in run.clients[i].points[0]}) for i in run.active[0]}
        if K > 1 and set(made.values()) not in ({K}, {1}) and 0 not in made.values() and _in_every_round(run, made):
            if all(len(run.clients[i].points[0]) == len(run.points[0]) for i in made):
                return ()  # as many as ours, some on one sample
            if len(set(made.values())) == 1:
                return (f"the clients make {min(made.values())} local steps and not K = {K}",)
            told = ", ".join(f"client {i} makes {n}" for i, n in sorted(made.items()))
            return (f"the clients make other numbers of local steps than K = {K}: {told}",)
    return ()


def _in_every_round(run: RecordedRun, made: Mapping[int, int]) -> bool:
    """Whether a client's number of steps is the same whenever it takes part."""
    return all(
        len({k for k, _ in run.clients[i].points[t]}) == made.get(i, len({k for k, _ in run.clients[i].points[t]}))
        for t, chosen in enumerate(run.active)
        for i in chosen
    )


class _InOrder(OracleProxy):
    """Uses the samples of a round in another order of the steps, by their number."""

    def __init__(self, oracle: Any, order: Sequence[int]) -> None:
        super().__init__(oracle)
        self._order, self._drawn, self._k = order, [oracle.draw() for _ in order], -1

    def draw(self, b: int | None = None) -> Any:
        """Return the sample that has its turn."""
        self._k += 1
        return self._drawn[self._order[self._k]]


def order_of_samples(pairs: Iterable[tuple[RecordedRun, Array]]) -> tuple[Mistake, ...]:
    """Return the mistake by which clients use their samples in the order that they were asked for, if it is another."""
    orders: dict[int, list[int]] = {}
    for run, _ in pairs:
        asked = [[k for k, _ in run.clients[i].points[0]] for i in run.active[0]]
        if len(run.points[0]) != run.setting.K or any(len(order) != run.setting.K for order in asked):
            return ()
        if any(orders.setdefault(run.setting.K, asked[0]) != order for order in asked):
            return ()
    listed = ", ".join(map(str, orders[max(orders)]))
    if all(order == sorted(set(order)) for order in orders.values()):
        return ()
    words = f"the clients use the samples of a round in the order k = {listed}, where the method goes up from 0"
    return (Mistake(words, oracle=lambda r: _InOrder(r.oracle, orders[r.K])),)


def read_network(theirs: Sequence[LocalRound], ours: Sequence[LocalRound], law: StepLaw, eta: float) -> tuple[str, ...]:
    """Return what a client of a network makes of its neighbours' models and of the local updates, beside ours.

    Where it is no sum that is the same in every round, it is read off two rounds in their turn.
    """
    runs = {r.run.setting.N: r.run for r in theirs if r.run.setting.S == r.run.setting.N > 2}
    N = max(runs, default=0)
    names = [*(f"x_{j + 1}" for j in range(N)), *(f"m_{j + 1}" for j in range(N))]
    for i in range(N):
        who, where = f"client {i + 1} takes x_{i + 1}+", "(m_i = y_i - x_i is a client's local update)"
        should = _mixture(ours, runs[N], i, law, eta)
        if should is None:
            return ()
        said = _mixture(theirs, runs[N], i, law, eta)
        if said is not None and np.allclose(said, should, atol=EXACT * 10):
            continue
        b = total(zip(should, names, strict=True))
        if said is not None:
            return (f"{who} = {total(zip(said, names, strict=True))}, where the method has {b} {where}",)
        turns = [_mixture(theirs, runs[N], i, law, eta, (t,)) for t in (1, 2)]
        if all(one is not None for one in turns):
            one, other = (total(zip(values, names, strict=True)) for values in turns if values is not None)
            return (f"{who} = {one} in round 2 and {other} in round 3, where the method has {b} in all {where}",)
        return ()
    return ()


def _mixture(
    rounds: Sequence[LocalRound],
    run: RecordedRun,
    client: int,
    law: StepLaw,
    eta: float,
    when: Sequence[int] = (),
) -> Array | None:
    """Return the coefficients of all models and of all updates in the next model of a client, in some rounds or all."""
    at = {(r.t, r.i): r for r in rounds if r.run is run}
    N, columns, target = run.setting.N, [], []
    for t in when or range(1, run.setting.T - 1):
        now = [at[t, i] for i in range(N)]
        columns.append(np.array([*(r.y[0] for r in now), *(law.end(r, eta) - r.y[0] for r in now)]))
        target.append(at[t + 1, client].y[0])
    stacked = np.concatenate(columns, axis=1)
    found, fits = fit(list(stacked), np.concatenate(target))
    return np.array(found) if fits else None


def read_start(theirs: Sequence[LocalRound], ours: Sequence[LocalRound], eta: float | None) -> tuple[str, ...]:
    """Return where the clients start their local steps, if it is a sum of iterates and of their own last end."""
    said, should = (_start_of(rounds, eta) for rounds in (theirs, ours))
    if said is None or said == should or not ours:
        return ()
    return (f"the clients start their local steps at {said}, where the method has {should or 'another point'}",)


def _start_of(rounds: Sequence[LocalRound], eta: float | None) -> str | None:
    """Return the sum in words; None if it is none."""
    later = [r for r in rounds if r.t > 0]
    if not later:
        return None
    start = np.array([r.y[0] for r in later])
    x, earlier = np.array([r.x for r in later]), np.array([r.earlier for r in later])
    if np.allclose(start, x, rtol=EXACT):
        return "x"
    iterates = {(id(r.run), r.t): r.x for r in rounds}
    for lag in (2, 3):
        if all(np.allclose(r.y[0], iterates.get((id(r.run), max(r.t - lag, 0)), r.x), rtol=EXACT) for r in later):
            return f"x_(t-{lag}), the server's iterate of {lag} rounds earlier"
    tries = [([x], ("x",)), ([x, earlier], ("x", "x_(t-1)"))]
    ends: dict[tuple[int, int], Array] = {}
    if eta is not None:
        own = []
        for r in sorted(rounds, key=lambda r: (id(r.run), r.t)):
            own.append(ends.get((id(r.run), r.i), r.x) if r.t else None)
            ends[id(r.run), r.i] = r.y[-1] - eta * r.g[-1]
        order = sorted(range(len(rounds)), key=lambda n: (id(rounds[n].run), rounds[n].t))
        last = dict(zip(order, own, strict=True))
        mine = [last[n] for n, r in enumerate(rounds) if r.t > 0]
        tries.append(([x, np.array(mine)], ("x", "(where the client ended last)")))
    for columns, names in tries:
        found, fits = fit(columns, start)
        if fits:
            return total(zip(found, names, strict=True))
    return None


def read_correction(theirs: Sequence[LocalRound], ours: Sequence[LocalRound], eta: float) -> tuple[str, ...]:
    """Return what the corrections of the second round are made of, for methods that correct gradients by a memory.

    With all clients active, the correction of client i is a sum of the mean gradients of the first round: a multiple
    of its own, and a multiple of their average.
    """
    said, should = (_correction(rounds, eta) for rounds in (theirs, ours))
    if said is None or should is None or np.allclose(said, should, atol=EXACT * 10):
        return ()
    names = ("G_i", "mean_j G_j", "(its correction of round 1)")
    a, b = (total(zip(values, names, strict=True)) for values in (said, should))
    words = (
        f"the correction of the local gradients in round 2, read off y_0 - y_1 = eta (g + correction), is {a}, where "
        f"the method has {b} (G_i is the client's mean gradient of round 1)"
    )
    return (words,)


def _correction(rounds: Sequence[LocalRound], eta: float) -> Array | None:
    """Return the coefficients of the own mean gradient, of the average and of the old correction, in round 2."""
    columns: list[list[Array]] = [[], [], []]
    target: list[Array] = []
    for run in {id(r.run): r.run for r in rounds if r.run.setting.S == r.run.setting.N > 1}.values():
        if run.setting.K < 2:
            continue
        first, second = ({r.i: r for r in rounds if r.run is run and r.t == t} for t in (0, 1))
        means = {i: r.g.mean(axis=0) for i, r in first.items()}
        common = np.mean(list(means.values()), axis=0)
        for i, r in second.items():
            target.append(r.moves[0] / eta - r.g[0])
            old = first[i].moves[0] / eta - first[i].g[0]
            for column, values in zip(columns, (means[i], common, old), strict=True):
                column.append(values)
    if not target:
        return None
    scale = max(float(np.abs(r.g).max()) for r in rounds)
    if np.abs(np.array(columns[2])).max() < EXACT * scale:
        found, fits = fit([np.array(c) for c in columns[:2]], np.array(target))
        return np.array([*found, 0.0]) if fits or np.abs(np.array(target)).max() < EXACT * scale else None
    found, fits = fit([np.array(c) for c in columns], np.array(target))
    return np.array(found) if fits else None
