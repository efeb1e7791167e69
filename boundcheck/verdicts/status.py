"""The status of a statement: words, grounds, and the file in which it is shipped.

`boundcheck.evidence.papers.status` joins it from the ledger, the findings, the audit and the studies; to read it,
nothing that computes is imported.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from boundcheck.files.resources import folder

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from boundcheck.verdicts.words import Status

SHIPPED = "status.json"
"""File beside the shipped recipes that holds the statuses."""
StudyWords = dict[str, dict[str, str]]
"""Name of a study to the verdict on each of its bounds."""


@dataclass(frozen=True)
class StatusRecord:
    """What is known of one statement."""

    status: Status
    because: tuple[str, ...] = ()
    """Grounds: ``claim:ID``, ``proof:BOUND`` (a chain), ``certificate:BOUND`` (a theorem for all steps),
    ``study:RECIPE/ID``, ``audit:BOUND``, ``bound:ID``."""


UNKNOWN = StatusRecord("open")
"""Of a statement that is not registered."""


def of_runs(ran: Mapping[str, str], elsewhere: Collection[str] = ()) -> StatusRecord:
    """Return what verdicts of runs say, by their grounds.

    Parameters
    ----------
    ran : mapping
        Ground to the word of its verdict.
    elsewhere : collection of str
        Those of them at other parameters than the prescribed ones.
    """
    violated = tuple(name for name, word in ran.items() if word == "violated")
    if printed := tuple(name for name in violated if name not in elsewhere):
        return StatusRecord("false as printed", printed)
    if violated:
        return StatusRecord("false at other parameters", violated)
    fine = tuple(name for name, word in ran.items() if word in {"holds", "consistent", "vacuous"})
    return StatusRecord("not contradicted", fine) if fine else UNKNOWN


@cache
def shipped_statuses() -> dict[str, dict[str, Any]]:
    """Return the shipped file: ``bounds`` and ``claims`` with status and grounds, ``studies`` with their verdicts."""
    found: dict[str, dict[str, Any]] = json.loads((folder("reports") / SHIPPED).read_text(encoding="utf-8"))
    return found


_RUN: ContextVar[Mapping[str, StatusRecord]] = ContextVar("_RUN", default={})  # noqa: B039
"""Statuses of bounds of one's own, while a report on them is made."""


@contextmanager
def run_here(studies: StudyWords, elsewhere: Collection[tuple[str, str]] = ()) -> Iterator[None]:
    """Let bounds that have no shipped status have the one that these runs give them.

    Parameters
    ----------
    studies : mapping
        Name of a study to the verdict on each of its bounds.
    elsewhere : collection of (str, str)
        Studies with a bound that they violate at other parameters than the prescribed ones alone.
    """
    names = {name for words in studies.values() for name in words} - shipped_statuses()["bounds"].keys()
    found = {
        name: of_runs(
            {f"study:{study}": words[name] for study, words in studies.items() if name in words},
            {f"study:{study}" for study, other in elsewhere if other == name},
        )
        for name in names
    }
    token = _RUN.set(found)
    try:
        yield
    finally:
        _RUN.reset(token)


def of_bound(name: str) -> StatusRecord:
    """Return the shipped status of a bound; one that is not registered is open, but for what `run_here` knows."""
    return _RUN.get().get(name) or _shipped_statement("bounds", name)


def of_claim(name: str) -> StatusRecord:
    """Return the shipped status of a claim; "open" for one that is not registered."""
    return _shipped_statement("claims", name)


def _shipped_statement(kind: str, name: str) -> StatusRecord:
    entry = shipped_statuses()[kind].get(name)
    return UNKNOWN if entry is None else StatusRecord(entry["status"], tuple(entry["because"]))
