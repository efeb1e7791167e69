"""The table letter by problem: which shipped problems have the constants that a theorem needs."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boundcheck.errors import BoundcheckError
    from boundcheck.problems import Problem
    from boundcheck.problems.catalog import Instance

FLAGS = ("convex", "x_star", "online")
"""What else may be asked: whether clients are convex, the minimiser is known, losses come round by round."""


def parse_letters(text: str) -> list[str]:
    """Return the letters of a list separated by commas.

    Raises
    ------
    UnknownNameError
        If one is neither a letter of the notation nor a flag.
    """
    from boundcheck.errors import UnknownNameError
    from boundcheck.notation import LETTERS

    letters = [part.strip() for part in text.split(",") if part.strip()]
    for letter in letters:
        if letter not in LETTERS and letter not in FLAGS:
            raise UnknownNameError("letter", letter, [*LETTERS, *FLAGS])
    return letters


@lru_cache(maxsize=1)
def shipped_at(N: int) -> tuple[tuple[Instance, Problem | BoundcheckError], ...]:
    """Return the shipped problems of N clients; in the place of one of another number of clients, what says so."""
    from boundcheck.errors import BoundcheckError
    from boundcheck.problems import instances, load_problem

    found: list[tuple[Instance, Problem | BoundcheckError]] = []
    for page in instances():
        try:
            found.append((page, load_problem(page.id, N=N)))
        except BoundcheckError as error:
            found.append((page, error))
    return tuple(found)


def having(letters: list[str], N: int) -> list[dict[str, Any]]:
    """Return the shipped problems that have all of these, with the constants of N clients."""
    from boundcheck.errors import BoundcheckError

    rows = []
    for page, problem in shipped_at(N):
        if isinstance(problem, BoundcheckError):
            continue
        found = {letter: _value(problem, letter) for letter in letters}
        if all(value is not None for value in found.values()):
            rows.append({"id": page.id, "family": page.family, **found})
    return rows


def _value(problem: Any, letter: str) -> Any:
    """Return a constant's value and kind, True for a flag; None where the problem does not have it."""
    from boundcheck.methods.field.graphs import gap

    if letter == "x_star":
        return True if problem.x_star is not None else None
    if letter == "gap_W":
        # It belongs to the network, which any problem may be put on.
        return {"value": gap("ring", problem.N), "kind": "ring"}
    if letter in FLAGS:
        return True if getattr(problem, letter) else None
    constant = problem.letters.get(letter)
    return None if constant is None else {"value": constant.value, "kind": constant.kind}
