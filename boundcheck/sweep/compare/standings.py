"""Leaderboards in few numbers: what tuned methods spent, what theorems guarantee; and the file that is shipped."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from boundcheck.errors import NotApplicableError
from boundcheck.evidence.checks.guarantee import guaranteed_rounds
from boundcheck.files.resources import folder
from boundcheck.sweep.run.first import first

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.evidence.checks.guarantee import Guarantee
    from boundcheck.sweep.experiments.answers import Contests
    from boundcheck.sweep.experiments.contest import ContestEntry, ExperimentResult, SettingResult

SHIPPED = "leaderboard.json"
"""File beside the shipped recipes that holds the standings of the recipe `leaderboard`."""


def guarantee_of(entry: ContestEntry, eps_acc: float) -> Guarantee | None:
    """Return what an explicit theorem guarantees to an entrant's method on its problem, None if none applies."""
    cell = entry.cell
    try:
        return guaranteed_rounds(cell.method, cell.make_problem(), cell.setting, eps_acc)
    except NotApplicableError:
        return None


def standings(held: Contests) -> dict[str, dict[str, Any]]:
    """Return a row for every entrant and setting of the experiments that ask for accuracies.

    Returns
    -------
    dict
        ``experiment/problem/label``, with the numbers that vary over the experiment behind it, to where the entrant
        ran, what it was tuned for, its tuned values, their edges and how many points were tried, and for the last
        accuracy what it spent on every axis until it was there, with the ends of the interval (null where it never
        was), and the rounds that a theorem guarantees (null where none does).
    """
    return dict(row for result in held.experiments for at in result.settings for row in _rows(result, at))


def _rows(result: ExperimentResult, at: SettingResult) -> Iterator[tuple[str, dict[str, Any]]]:
    about = result.experiment
    varying = [name for name in at.setting if len({s.setting[name] for s in result.settings}) > 1]
    place = "/".join(f"{name}={at.setting[name]:g}" for name in varying if name != "problem")
    for epsilon in about.epsilons[-1:]:
        for label, entries in at.entries.items():
            entry = entries[about.axes[0]]
            promised = guarantee_of(entry, epsilon)
            yield (
                "/".join(filter(None, [about.id, str(at.setting["problem"]), label, place])),
                {
                    **at.setting,
                    "method": entry.cell.method,
                    "eps_acc": epsilon,
                    "hyper": dict(entry.tuned.hyper),
                    "read": about.read,
                    "edges": list(entry.tuned.edges),
                    "tried": entry.tuned.tried,
                    **{axis: _finite(first(entries[axis], about.metric, epsilon**2, axis)) for axis in about.axes},
                    "guaranteed": promised.rounds if promised else None,
                    "by": promised.bound if promised else None,
                },
            )


def _finite(values: tuple[float, ...]) -> list[float | None]:
    return [None if value == float("inf") else value for value in values]


def shipped_standings() -> dict[str, dict[str, Any]]:
    """Return the shipped standings of the recipe `leaderboard` (empty when there are none)."""
    path = folder("reports") / SHIPPED
    found: dict[str, dict[str, Any]] = json.loads(path.read_text()) if path.is_file() else {}
    return found


def standing_of(method: str) -> dict[str, Any] | None:
    """Return the first row of the shipped standings that is about a method, None if there is none."""
    return next((row for row in shipped_standings().values() if row["method"] == method), None)
