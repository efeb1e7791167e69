"""What the clients were asked in every round, and told: theirs and, for comparison, ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.conform.reading.words import BLOWN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boundcheck.conform.runs.replay import RecordedRun
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
    first: Array
    """That of the start of the run (d,)."""
    y: Array
    """Points, (K, d)."""
    g: Array
    """Gradients that it was told there, (K, d)."""

    @property
    def moves(self) -> Array:
        """Return y_k - y_(k+1), (K - 1, d)."""
        return self.y[:-1] - self.y[1:]


def of_entries(rounds: Iterable[LocalRound], which: slice) -> list[LocalRound]:
    """Return what the rounds say of some entries of the model."""
    return [
        r._replace(x=r.x[which], earlier=r.earlier[which], first=r.first[which], y=r.y[:, which], g=r.g[:, which])
        for r in rounds
    ]


def local_rounds(runs: Iterable[tuple[RecordedRun, Array]]) -> list[LocalRound]:
    """Return the rounds in which every client was asked once a step, in order.

    A run where one was not, or that blows up, is left out.
    """
    found: list[LocalRound] = []
    for run, path in runs:
        mine = []
        for t, chosen in enumerate(run.active):
            for place, i in enumerate(chosen):
                asked, told = run.clients[i].points[t], run.clients[i].asked[t]
                if [k for k, _ in asked] != list(range(run.setting.K)):
                    break
                y, g = np.array([point for _, point in asked]), np.array(told)
                mine.append(LocalRound(run, t, i, place, path[t], path[max(t - 1, 0)], path[0], y, g))
        if len(mine) == sum(map(len, run.active)) and all((np.abs(r.y) <= BLOWN).all() for r in mine):
            found += mine
    return as_one(found)


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
                found.append(LocalRound(run, t, i, place, run.path[t], run.path[max(t - 1, 0)], run.path[0], y, g))
    return as_one(found)


def as_one(rounds: list[LocalRound]) -> list[LocalRound]:
    """Return the rounds of one client with the mean gradient, where all clients are asked at the same points always.

    That is what a method on one machine, or of one step a round, looks like.
    """
    together: dict[tuple[int, int], list[LocalRound]] = {}
    for r in rounds:
        together.setdefault((id(r.run), r.t), []).append(r)
    groups = list(together.values())
    alike = all(np.array_equal(r.y, group[0].y) for group in groups for r in group)
    if not alike or all(len(group) == 1 or len(group[0].y) == 1 for group in groups):
        return rounds
    return [group[0]._replace(g=np.mean([r.g for r in group], axis=0)) for group in groups]
