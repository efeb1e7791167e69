"""Names as people type them: in any case, by a part that only one has, and two of them in any order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.cli.terminal.output import note
from boundcheck.errors import UnknownNameError
from boundcheck.files.own import HINT, is_reference

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def resolve_name(kind: str, name: str, known: Iterable[str], *, also: str = "") -> str:
    """Return the known name that is meant; said on standard error where it is not the one that was given.

    Parameters
    ----------
    kind : str
        What is asked for, in the singular.
    name : str
        A known name in any case, a part of one, or what no list has: a file, ``file.py:NAME``; parameters in brackets
        stay as they are.
    known : iterable of str
        Names, or a registry, whose further names count as well.
    also : str
        What else is legal, for the message.

    Raises
    ------
    UnknownNameError
        If nothing or more than one name is meant; the nearest are named.
    """
    base, bracket, rest = name.partition("[")
    base = getattr(known, "called", str)(base)
    names: list[str] = list(dict.fromkeys([*known, *getattr(known, "further", ())]))
    if base in names or is_reference(base) or base.endswith(".toml"):
        return base + bracket + rest
    same = [one for one in names if one.lower() == base.lower()]
    found = same or [one for one in names if base and base.lower() in one.lower()]
    if len(found) != 1:
        raise UnknownNameError(kind, base, names, also=also)
    if not same:
        note(f"{kind} {found[0]} (for {base!r})")
    return found[0] + bracket + rest


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
    if _is_problem(first) and not _is_problem(second):
        first, second = second, first
    return resolve_name(kind, first, known, also=HINT), problem_named(second)


def _is_problem(name: str) -> bool:
    """Return whether a name can only be a problem: shipped, in any case, or a file of parameters."""
    base = name.partition("[")[0]
    return is_problem(base.lower() if not is_reference(base) and not base.endswith(".toml") else name)


def is_problem(name: str) -> bool:
    """Return whether `name` is a shipped problem or a path to a page, with or without a selection."""
    from boundcheck.files.resources import names
    from boundcheck.problems.catalog import parse_name
    from boundcheck.problems.families import FAMILIES

    base, _ = parse_name(name)
    return base in names("problems") or base.endswith(".toml") or (is_reference(base) and FAMILIES.suits(base))
