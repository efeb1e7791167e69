"""Take in a theorem of the user's own, from a file or an installed package."""

from __future__ import annotations

import sys
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


def bound_of(bound: Bound | str) -> Bound:
    """Return a bound by its name, or one that is given, with the method and the metric that stand in its file.

    A theorem that a Python program imports names its method as it is called there, as one on the command line does.
    """
    from boundcheck.bounds import BOUNDS

    if isinstance(bound, str):
        return BOUNDS[bound]
    module = sys.modules.get(bound.home)
    found = {what: named for what in ("method", "metric") if (named := _beside(getattr(bound, what), module))}
    return replace(bound, **found) if found else bound


def _beside(named: object, module: ModuleType | None) -> str:
    """Return the reference to what a module has under this name; empty where it has nothing of the name."""
    known = module is not None and isinstance(named, str) and not is_reference(named) and named in vars(module)
    return f"{module.__name__}:{named}" if known and module is not None else ""


def adopt_bound(name: str, bound: Bound, module: ModuleType) -> Bound:
    """Return a bound under the name that it was asked for by.

    A method or a metric that is defined beside the bound is named by what it is called there.

    Raises
    ------
    InputError
        If it is given itself, where its name is meant.
    """
    where = name.rpartition(":")[0] if is_reference(name) else module.__name__

    def found(named: str) -> str:
        require(isinstance(named, str), f"{name}: method or metric", named, "a name, in quotes")
        beside = named in vars(module) and not is_reference(named)
        if not beside:
            return named
        return f"{where}:{named}" if is_reference(name) else vouch_for(f"{where}:{named}")

    return replace(bound, id=name, method=found(bound.method), metric=found(bound.metric))
