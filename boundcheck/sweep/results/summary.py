"""A few numbers for every bound of a recipe, over all of its studies: the file that `boundcheck bounds` shows."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from boundcheck.bounds import BOUNDS
from boundcheck.evidence.checks.grid import summarise
from boundcheck.files.atomic import write_whole
from boundcheck.files.resources import folder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from boundcheck.sweep.results.results import StudyResult
    from boundcheck.verdicts.words import BoundWord

DECISIONS: tuple[BoundWord, ...] = ("holds", "consistent", "vacuous", "violated", "undecided", "not applicable")
"""Of an explicit bound, in the order of the columns."""
SHIPPED = "audit-verdicts.json"
"""File beside the shipped recipes that holds the summary of the recipe `audit`."""


def summary(results: Sequence[StudyResult], alpha: float) -> dict[str, dict[str, Any]]:
    """Return for every explicit bound the verdict on all of its cells, their counts and the largest measured / rhs.

    Cells are decided at alpha / (cells of their study); the verdicts of several studies are combined as on one grid,
    so a bound with n studies is called violated in error with probability at most n alpha.

    Parameters
    ----------
    results : sequence of StudyResult
    alpha : float
        Error rate of a study.

    Returns
    -------
    dict
        Bound name to ``verdict``, ``problems``, ``cells``, one count a verdict, ``worst_ratio`` and ``e_value``
        (final wealth averaged over all cells: evidence against "the bound holds in every cell").
    """
    studies: dict[str, list[StudyResult]] = defaultdict(list)
    for result in results:
        for name in result.grids:
            studies[name].append(result)
    return {name: _row(name, studies[name], alpha) for name in BOUNDS if name in studies}


def _row(name: str, results: list[StudyResult], alpha: float) -> dict[str, Any]:
    verdicts = [point.verdicts[name] for result in results for point in result.points]
    grid = summarise(verdicts, alpha)
    return {
        "verdict": grid.verdict,
        "problems": sorted({result.study.problem for result in results}),
        "cells": len(verdicts),
        **{decision.replace(" ", "_"): grid.counts.get(decision, 0) for decision in DECISIONS},
        "worst_ratio": grid.worst_ratio,
        "e_value": grid.e_value,
    }


def write_summary(rows: dict[str, dict[str, Any]], path: Path) -> None:
    """Write a summary as JSON, whole or not at all; numbers with six digits."""
    rounded = {name: {k: _short(v) for k, v in row.items()} for name, row in rows.items()}
    write_whole(path, json.dumps(rounded, indent=1) + "\n")


def _short(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.6g}") if math.isfinite(value) else str(value)
    return value


def shipped_summary() -> dict[str, dict[str, Any]]:
    """Return the shipped summary of the recipe `audit` (empty when there is none)."""
    path = folder("reports") / SHIPPED
    found: dict[str, dict[str, Any]] = json.loads(path.read_text()) if path.is_file() else {}
    return found
