"""Take in a theorem of the user's own, from a file or an installed package."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from boundcheck.bounds.bound import Bound
from boundcheck.errors import require
from boundcheck.files.own import is_reference, vouch_for

if TYPE_CHECKING:
    from types import ModuleType


def is_bound(found: object) -> bool:
    """Return whether this is a theorem."""
    return isinstance(found, Bound)


def is_rate(found: object) -> bool:
    """Return whether this is a row of a comparison table."""
    from boundcheck.bounds.rate import Rate

    return isinstance(found, Rate)


def adopt_bound(name: str, bound: Bound, module: ModuleType) -> Bound:
    """Return a bound under the name that it was asked for by.

    A method or a metric that is defined beside the bound is named by what it is called there.

    Raises
    ------
    InputError
        If it is given itself, where its name is meant.
    """
    where = name.rpartition(":")[0] if is_reference(name) else module.__name__

    def full_name(named: str) -> str:
        require(isinstance(named, str), f"{name}: method or metric", named, "a name, in quotes")
        beside = named in vars(module) and not is_reference(named)
        if not beside:
            return named
        return f"{where}:{named}" if is_reference(name) else vouch_for(f"{where}:{named}")

    return replace(bound, id=name, method=full_name(bound.method), metric=full_name(bound.metric))
