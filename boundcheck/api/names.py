"""What a name means: in any case, by its ending or a part that only one has; whole numbers as people write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from boundcheck.errors import UnknownNameError, require
from boundcheck.files.own import HINT, is_reference

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from boundcheck.bounds import Bound
    from boundcheck.methods import Method
    from boundcheck.problems import Problem


def matching_name(kind: str, name: str, known: Iterable[str], *, also: str = "") -> str:
    """Return the known name that is meant.

    Parameters
    ----------
    kind : str
        What is asked for, in the singular.
    name : str
        A known name in any case, its ending (``theorem11``) or a part of it, if only one has that; or what no list has:
        a file, ``file.py:NAME``.  Parameters in brackets stay as they are.
    known : iterable of str
        Names, or a registry, whose further names count as well.
    also : str
        What else is legal, for the message.

    Raises
    ------
    UnknownNameError
        If nothing or more than one name is meant; the nearest are named.
    InputError
        If it is no name.
    """
    require(isinstance(name, str), kind, name, f"the name of a {kind}")
    base, bracket, rest = name.partition("[")
    base = getattr(known, "own_name", str)(base)
    names: list[str] = list(dict.fromkeys([*known, *getattr(known, "further", ())]))
    if base in names or is_reference(base) or base.endswith(".toml"):
        return base + bracket + rest
    asked = base.lower()
    found = [one for one in names if one.lower() == asked]
    # One that is a whole name but for its paper is meant before those that only have it as a part.
    found = found or [one for one in names if asked and one.lower().endswith(f".{asked}")]
    found = found or [one for one in names if asked and asked in one.lower()]
    if len(found) != 1:
        raise UnknownNameError(kind, base, names, also=also)
    return found[0] + bracket + rest


def problem_name(name: str) -> str:
    """Return the shipped problem that is meant, or a path or reference as it is."""
    from boundcheck.files.resources import names

    return matching_name("problem", name, names("problems"), also=HINT)


def bound_name(name: str) -> str:
    """Return the bound that is meant, or a reference as it is."""
    from boundcheck.bounds import BOUNDS

    return matching_name("bound", name, BOUNDS, also=HINT)


def bound_object(bound: Bound | str) -> Bound:
    """Return a bound, or the one that is named."""
    from boundcheck.bounds import BOUNDS

    if isinstance(bound, str):
        return BOUNDS[bound_name(bound)]
    _require_one("bound", bound)
    return bound


def problem_object(problem: Problem | str, N: float | None) -> Problem:
    """Return a problem, or the one that is named with N clients.

    Raises
    ------
    InputError
        If N is missing beside a name, or is not that of the problem.
    """
    from boundcheck.problems import load_problem

    if isinstance(problem, str):
        require(N is not None, "problem", problem, f"a name with N beside it, or load_problem({problem!r}, N=...)")
        return load_problem(problem_name(problem), N=whole("N", N))
    _require_one("problem", problem)
    require(N is None or problem.N == N, "N", N, f"left out, or {problem.N}, the problem's")
    return problem


def method_object(method: Method | str, set_: Mapping[str, Any] | None = None) -> Method:
    """Return a method, or the one that is named at these hyperparameters.

    Raises
    ------
    InputError
        If hyperparameters stand beside a method that has its own.
    """
    from boundcheck.methods import METHODS
    from boundcheck.sweep.cells.cells import build_method

    require(set_ is None or isinstance(set_, Mapping), "set_", set_, "values by name, such as {'eta': 0.1}")
    if isinstance(method, str):
        found = METHODS[matching_name("method", method, METHODS, also=HINT)]
        return build_method(found, tuple((set_ or {}).items()))
    _require_one("method", method)
    require(not set_, "set_", set_, "left out: the method has its hyperparameters")
    return method


def in_order(kind: str, first: Any, second: Any, known: Collection[str]) -> tuple[Any, Any]:
    """Return something of one kind and a problem, whichever stands first; names become those that are meant."""
    if _surely_problem(first) and not _surely_problem(second):
        first, second = second, first
    for one, value in ((kind, first), ("problem", second)):
        if not isinstance(value, str):
            _require_one(one, value)
    first = matching_name(kind, first, known, also=HINT) if isinstance(first, str) else first
    return first, problem_name(second) if isinstance(second, str) else second


_SIGNS = {"bound": "terms", "method": "card", "problem": "constants"}
"""What an object of a kind has that others do not have."""


def _require_one(kind: str, value: Any) -> None:
    """Refuse what is no object of a kind."""
    require(hasattr(value, _SIGNS[kind]) and not isinstance(value, type), kind, value, f"a {kind}, or its name")


def _surely_problem(value: Any) -> bool:
    return can_only_be_problem(value) if isinstance(value, str) else hasattr(value, "constants")


def can_only_be_problem(name: str) -> bool:
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


def whole(name: str, value: Any) -> int:
    """Return a whole number, which may be written as 1e4.

    Raises
    ------
    InputError
        If it is not whole.
    """
    import numbers

    number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    require(number and float(value).is_integer(), name, value, "an integer")
    return int(value)


def wholes(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return whole numbers by name; None stays."""
    return {name: None if value is None else whole(name, value) for name, value in values.items()}


def horizons(T: float | Sequence[float]) -> tuple[list[int], bool]:
    """Return horizons, and whether they are several: a number alone is one.

    Raises
    ------
    InputError
        If there is none, or one is not whole.
    """
    values: Any = T
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        return [whole("T", values)], False
    found = [whole("T", value) for value in values]
    require(bool(found), "T", found, "one number of rounds or several")
    return found, True
