"""The local steps read off the points that clients were asked at: the law of the step, what is added to gradients.

``s_k = (y_k - y_(k+1)) / eta`` is what a step used in the place of a gradient.  It is seen for all steps of a round but
the last, after which nobody asks.
"""

from __future__ import annotations

import itertools
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.conform.reading.words import EXACT, fit, text, total

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from boundcheck.conform.replay import RecordedRun
    from boundcheck.problems.base import Array


class LocalRound(NamedTuple):
    """What one client was asked in one round."""

    run: RecordedRun
    t: int
    i: int
    """Number of the client."""
    place: int
    """Its place among the active ones."""
    x: Array
    """The server iterate that the round starts from, as it was returned (d,)."""
    earlier: Array
    """That of one round earlier (d,)."""
    y: Array
    """Points, (K, d)."""
    g: Array
    """Gradients that it was told there, (K, d)."""

    @property
    def moved(self) -> Array:
        """Return y_k - y_(k+1), (K - 1, d)."""
        return self.y[:-1] - self.y[1:]


def local_rounds(runs: Iterable[tuple[RecordedRun, Array]]) -> list[LocalRound]:
    """Return the rounds in which every client was asked once a step, in order; a run where one was not is left out."""
    found: list[LocalRound] = []
    for run, path in runs:
        mine = []
        for t, chosen in enumerate(run.active):
            for place, i in enumerate(chosen):
                asked, told = run.clients[i].points[t], run.clients[i].asked[t]
                if [k for k, _ in asked] != list(range(run.setting.K)):
                    break
                y, g = np.array([point for _, point in asked]), np.array(told)
                mine.append(LocalRound(run, t, i, place, path[t], path[max(t - 1, 0)], y, g))
        if len(mine) == sum(map(len, run.active)) and all(np.isfinite(r.y).all() for r in mine):
            found += mine
    return found


def our_rounds(runs: Iterable[tuple[RecordedRun, Array]]) -> list[LocalRound]:
    """Return the same of our own runs."""
    found = []
    for run, _ in runs:
        for t, chosen in enumerate(run.active):
            points = run.points[t]
            if [k for k, _ in points] != list(range(run.setting.K)):
                return []
            for place, i in enumerate(chosen):
                y = np.array([point[0, place] for _, point in points])
                g = np.array([run.clients[i].answer(at, k, t) for k, at in enumerate(y)])
                found.append(LocalRound(run, t, i, place, run.path[t], run.path[max(t - 1, 0)], y, g))
    return found


class Schedule(NamedTuple):
    """A law of the local step: the factor of the right step in a step of the run."""

    words: str
    factor: Callable[[int], float]
    """Of the round t."""
    by_round: bool
    """Whether it changes from round to round alone."""
    step: Callable[[LocalRound, int], float] | None = None
    """The factor of any step, where that is known."""


def read_steps(theirs: Sequence[LocalRound], eta: float) -> Schedule | None:
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
        return Schedule(_by_number(first, rows[0][0], eta), lambda t: first, True, lambda r, k: first)  # noqa: FBT003
    indices: dict[str, Callable[[LocalRound, int], int]] = {
        "every round": lambda r, k: r.t,
        "every local step of a round": lambda r, k: k,
        "every local step, on from round to round": lambda r, k: r.t * r.run.setting.K + k,
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
            return Schedule(_law(table, when, eta), partial(_factor, table), by_round, partial(_step, table, index))
    sizes = {(r.run.clients[r.i].size, round(f, 7)) for r, _, f in rows}
    if len({size for size, _ in sizes}) == len(sizes) > 1:
        return Schedule("the local step depends on the size of the client", lambda t: 1.0, by_round=False)
    return None


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
        for k, moved in enumerate(r.moved):
            found, fits = fit([r.g[k]], moved)
            if not fits:
                return None
            rows.append((r, k, float(found[0]) / eta))
    return rows


def own_step(ours: Sequence[LocalRound], eta: float) -> float | None:
    """Return the step on a fresh gradient in our method, None where it is no constant or not seen."""
    ours = [r for r in ours if len(r.moved)]
    rows = _factors(ours, eta)
    if rows:
        factor = rows[0][2]
        return eta * factor if all(abs(f - factor) < EXACT for _, _, f in rows) else None
    if not ours:
        return None
    first, fits = fit([np.array([r.g[0] for r in ours])], np.array([r.moved[0] for r in ours]))
    if fits:
        return float(first[0])  # momentum and proximal terms are 0 in the first step of a round
    found = _differences(ours, eta)
    if not found:
        return _step_beside_pull(ours)
    return eta * found[0][1] if all(abs(f - found[0][1]) < EXACT for _, f in found) else None


def _step_beside_pull(ours: Sequence[LocalRound]) -> float | None:
    """Return the step on a fresh gradient beside a proximal term and a correction that is constant in the round."""
    rounds = [r for r in ours if len(r.moved) > 2]
    if not rounds:
        return None
    columns = [
        np.concatenate([np.diff(part, axis=0).ravel() for part in parts])
        for parts in ([r.g[:-1] for r in rounds], [r.y[:-1] for r in rounds])
    ]
    found, fits = fit(columns, np.concatenate([np.diff(r.moved, axis=0).ravel() for r in rounds]))
    return float(found[0]) if fits else None


def _differences(rounds: Sequence[LocalRound], eta: float) -> list[tuple[LocalRound, float]]:
    """Return the factors of the differences of two steps; none if one does not fit."""
    factors: list[tuple[LocalRound, float]] = []
    for r in rounds:
        for k in range(len(r.moved) - 1):
            found, fits = fit([r.g[k] - r.g[k + 1]], r.moved[k] - r.moved[k + 1])
            if not fits:
                return []
            factors.append((r, float(found[0]) / eta))
    return factors


def _constant_step(theirs: Sequence[LocalRound], eta: float) -> Schedule | None:
    """Read the factor off the difference of two steps, from which a correction that is constant in the round falls."""
    factors = _differences(theirs, eta)
    table = _table((r.t, f) for r, f in factors)
    if not table or all(abs(f - 1.0) < EXACT for f in table.values()):
        return None
    if len({round(f, 7) for f in table.values()}) == 1:
        first = factors[0][1]
        return Schedule(_by_number(first, factors[0][0], eta), lambda t: first, by_round=True)
    return Schedule(_law(table, "every round", eta), partial(_factor, table), by_round=True)


def _by_number(factor: float, r: LocalRound, eta: float) -> str:
    return f"the local step is {text(factor * eta)} and not {text(eta)}: every gradient has a factor {text(factor)}"


def _law(table: dict[int, float], when: str, eta: float) -> str:
    """Return the words of a law of the step by its factors at 0, 1, 2, ..."""
    at = sorted(table)
    f = np.array([table[n] for n in at])
    steps = ", ".join(text(eta * value) for value in f[:4])
    seen = f"(read off y_0 - y_1 = eta_t g: {steps}, ...)"
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
    return f"the local step changes {when}, by the factors {', '.join(text(v) for v in f[:6])} ... {seen}"


class Addition(NamedTuple):
    """Something that local steps add to gradients: words, and the columns of its coefficients."""

    words: str
    columns: Callable[[LocalRound, int], Array]


def _length(v: Array) -> float:
    return max(float(np.sqrt((v * v).sum())), 1e-300)


ADDITIONS = (
    Addition("{c} y: a weight decay, which pulls to 0", lambda r, k: r.y[k]),
    Addition("{c} (y - x): a proximal term", lambda r, k: r.y[k] - r.x),
    Addition(
        "{c} (y - x)/|y - x|: a proximal term whose norm is not squared",
        lambda r, k: (r.y[k] - r.x) / _length(r.y[k] - r.x),
    ),
    Addition(
        "{c} |y - x| (y - x): a proximal term with a norm too much", lambda r, k: (r.y[k] - r.x) * _length(r.y[k] - r.x)
    ),
    Addition("{c} sign(y - x): a proximal term of absolute values", lambda r, k: np.sign(r.y[k] - r.x)),
    Addition("{c} sign(y): a penalty of absolute values, which pulls to 0", lambda r, k: np.sign(r.y[k])),
    Addition(
        "{c} (y - x_(t-1)): a proximal term held at the server's iterate of one round earlier",
        lambda r, k: r.y[k] - r.earlier,
    ),
    Addition(
        "{c} (y - x_0): a proximal term held at the first iterate of the run", lambda r, k: r.y[k] - r.run.path[0]
    ),
    Addition("{m} times the last move: a momentum in the local steps", lambda r, k: r.moved[k - 1] if k else 0.0 * r.x),
    Addition(
        "{c} times the gradient of the step before: local steps mix two gradients",
        lambda r, k: r.g[k - 1] if k else 0.0 * r.x,
    ),
    Addition(
        "{c} g from the second local step on: a dampening",
        lambda r, k: r.g[k] if k else 0.0 * r.x,
    ),
    Addition(
        "{c} (y_(k-1) - x): a proximal term that is taken at the point before",
        lambda r, k: r.y[k - 1] - r.x if k else 0.0 * r.x,
    ),
)


class Law(NamedTuple):
    """What local steps use: a factor of the gradient, and what is added to it."""

    factor: Callable[[LocalRound, int], float]
    terms: tuple[tuple[float, Addition], ...]

    def end(self, r: LocalRound, eta: float) -> Array:
        """Return where a client ends after its last step, which nobody sees."""
        k = len(r.y) - 1
        used = self.factor(r, k) * r.g[k]
        for c, addition in self.terms:
            used = used + c * addition.columns(r, k)
        end: Array = r.y[k] - eta * used
        return end


def plain(r: LocalRound, k: int) -> float:
    """Return the factor of a gradient that is used as it is."""
    return 1.0


def read_additions(
    theirs: Sequence[LocalRound], ours: Sequence[LocalRound], eta: float
) -> tuple[tuple[str, ...], Law | None]:
    """Return what the local steps add to their gradients, where it is something else than ours add, and the law.

    Ours are read in the same way, so that a method with a proximal term is compared with its own.  What is constant in
    a round (a correction) is taken out by looking at how the rest changes, for methods that have one.
    """
    should, corrects = _added(ours, eta, constant=False), False
    if should is None:
        should, corrects = _added(ours, eta, constant=True), True
    said = _added(theirs, eta, constant=corrects)
    if said is None:
        return _same_for_all(theirs, eta), None
    law = None if corrects else Law(plain, said)
    a, b = (_in_words(terms, eta) for terms in (said, should or ()))
    if a == b:
        return (), law
    beside = ", beside a correction that is constant in the round" if corrects else ""
    has = f"adds {b}" if b else "adds nothing to them"
    return (f"the local steps add to every gradient {a or 'nothing'}{beside}, where the method {has}",), law


def _in_words(terms: Sequence[tuple[float, Addition]], eta: float) -> str:
    return " and ".join(addition.words.format(c=text(c), m=text(c * eta)) for c, addition in terms)


def _added(rounds: Sequence[LocalRound], eta: float, *, constant: bool) -> tuple[tuple[float, Addition], ...] | None:
    """Return what is added, one or two terms, none if nothing is; None if it is nothing that is known."""
    rest = [(r, r.moved / eta - r.g[:-1]) for r in rounds if len(r.moved) > 1]
    if not rest:
        return None
    scale = max(float(np.abs(r.g).max()) for r, _ in rest)
    change = _from_first if constant else np.asarray
    target = np.concatenate([change(extra).ravel() for _, extra in rest])
    if np.abs(target).max() < EXACT * scale:
        return ()
    columns = [
        np.concatenate([change(np.array([one.columns(r, k) for k in range(len(r.moved))])).ravel() for r, _ in rest])
        for one in ADDITIONS
    ]
    for count in (1, 2):
        for chosen in itertools.combinations(range(len(ADDITIONS)), count):
            found, fits = fit([columns[n] for n in chosen], target)
            if fits:
                return tuple((float(c), ADDITIONS[n]) for c, n in zip(found, chosen, strict=True))
    return None


def _same_for_all(rounds: Sequence[LocalRound], eta: float) -> tuple[str, ...]:
    """Say that one vector is added to the gradients of all clients and steps of a round, if it is."""
    seen: dict[tuple[int, int], Array] = {}
    scale = max((float(np.abs(r.g).max()) for r in rounds), default=0.0)
    for r in rounds:
        for extra in r.moved / eta - r.g[:-1]:
            first = seen.setdefault((id(r.run), r.t), extra)
            if np.abs(extra - first).max() > EXACT * scale:
                return ()
    if not seen or max(np.abs(one).max() for one in seen.values()) < EXACT * scale:
        return ()
    size = float(np.mean([np.sqrt(one @ one) for one in seen.values()]))
    words = f"the local steps add one vector, of norm {size:.3g} on average, to the gradients of all clients and steps"
    return (f"{words} of a round: noise, or a term of the server's",)


def _from_first(values: Array) -> Array:
    return values[1:] - values[:1]


def read_counts(runs: Iterable[tuple[RecordedRun, Array]]) -> tuple[str, ...]:
    """Say how many local steps every client makes, where it is not K."""
    for run, _ in runs:
        K = run.setting.K
        made = {i: len({k for k, _ in run.clients[i].points[0]}) for i in run.active[0]}
        if K > 1 and len(made) > 1 and set(made.values()) != {K} and 0 not in made.values():
            told = ", ".join(f"client {i} makes {n}" for i, n in sorted(made.items()))
            return (f"the clients make other numbers of local steps than K = {K}: {told}",)
    return ()


def read_network(theirs: Sequence[LocalRound], ours: Sequence[LocalRound], law: Law, eta: float) -> tuple[str, ...]:
    """Return what a client of a network makes of its neighbours' models and of the local updates, beside ours."""
    said, should = (_mixture(rounds, law, eta) for rounds in (theirs, ours))
    if said is None or should is None or np.allclose(said, should, atol=EXACT * 10):
        return ()
    N = len(said) // 2
    names = [*(f"x_{j + 1}" for j in range(N)), *(f"m_{j + 1}" for j in range(N))]
    a, b = (total(zip(values, names, strict=True)) for values in (said, should))
    return (f"client 1 takes x_1+ = {a}, where the method has {b} (m_i = y_i - x_i is a client's local update)",)


def _mixture(rounds: Sequence[LocalRound], law: Law, eta: float) -> Array | None:
    """Return the coefficients of all models and of all updates in the next model of client 0."""
    run = next((r.run for r in rounds if r.run.setting.S == r.run.setting.N > 2), None)
    if run is None:
        return None
    at = {(r.t, r.i): r for r in rounds if r.run is run}
    N, columns, target = run.setting.N, [], []
    for t in range(1, run.setting.T - 1):
        now = [at[t, i] for i in range(N)]
        columns.append(np.array([*(r.y[0] for r in now), *(law.end(r, eta) - r.y[0] for r in now)]))
        target.append(at[t + 1, 0].y[0])
    stacked = np.concatenate(columns, axis=1)
    found, fits = fit(list(stacked), np.concatenate(target))
    return np.array(found) if fits else None


def read_start(theirs: Sequence[LocalRound], ours: Sequence[LocalRound], eta: float | None) -> tuple[str, ...]:
    """Return where the clients start their local steps, if it is a sum of iterates and of their own last end."""
    said, should = (_start_of(rounds, eta) for rounds in (theirs, ours))
    if said is None or said == should:
        return ()
    return (f"the clients start their local steps at {said}, where the method has {should or 'another point'}",)


def _start_of(rounds: Sequence[LocalRound], eta: float | None) -> str | None:
    """Return the sum in words; None if it is none."""
    later = [r for r in rounds if r.t > 0]
    if not later:
        return None
    start = np.array([r.y[0] for r in later])
    x, earlier = np.array([r.x for r in later]), np.array([r.earlier for r in later])
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
            target.append(r.moved[0] / eta - r.g[0])
            old = first[i].moved[0] / eta - first[i].g[0]
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
