"""Names as people type them: what was meant is said on standard error where it is not what was typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.api.names import can_only_be_problem, matching_name
from boundcheck.api.names import is_problem as is_problem
from boundcheck.cli.terminal.output import note
from boundcheck.files.own import HINT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def resolve_name(kind: str, name: str, known: Iterable[str], *, also: str = "") -> str:
    """Return the known name that is meant, and say so where it differs by more than the case.

    Parameters are those of `boundcheck.api.names.matching_name`, and so are errors.
    """
    found = matching_name(kind, name, known, also=also)
    base, meant = name.partition("[")[0], found.partition("[")[0]
    if base.lower() != meant.lower() and meant != getattr(known, "own_name", str)(base):
        note(f"{kind} {meant} (for {base!r})")
    return found


def problem_named(name: str) -> str:
    """Return the shipped problem that is meant, or a path or reference as it is."""
    from boundcheck.files.resources import names

    return resolve_name("problem", name, names("problems"), also=HINT)


def bound_named(name: str) -> str:
    """Return the bound that is meant, or a reference as it is."""
    from boundcheck.bounds import BOUNDS

    return resolve_name("bound", name, BOUNDS, also=HINT)


def beside_problem(kind: str, first: str, second: str, known: Collection[str]) -> tuple[str, str]:
    """Return a name of one kind and a problem, whichever was typed first.

    Parameters
    ----------
    kind : str
        What the problem stands beside: "bound" or "method".
    first, second : str
        As typed.
    known : collection of str
        The names of that kind.
    """
    if can_only_be_problem(first) and not can_only_be_problem(second):
        first, second = second, first
    return resolve_name(kind, first, known, also=HINT), problem_named(second)
