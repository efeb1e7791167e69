"""The problems on which a bound is tried: shipped ones of its kind, and those that stand in its own file."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from boundcheck.errors import BoundcheckError
from boundcheck.files.own import is_reference, load_reference
from boundcheck.methods import METHODS
from boundcheck.metrics import METRICS
from boundcheck.problems import instances as shipped
from boundcheck.problems.base import Problem
from boundcheck.problems.families import FAMILIES, is_family, reads_data

if TYPE_CHECKING:
    from types import ModuleType

    from boundcheck.bounds.bound import Bound


def suitable(bound: Bound) -> list[str]:
    """Return the shipped problems of the kind that a bound is about, those on rows of data last."""
    minimax = METHODS[bound.method].card.kind == "minimax"
    pages = [
        made for made in shipped() if (FAMILIES[made.family].best_response is not Problem.best_response) == minimax
    ]
    # A regret is one over losses that come round by round, which one family has.
    if METRICS[bound.metric].over == "regret":
        pages = [made for made in pages if FAMILIES[made.family].least_loss is not Problem.least_loss]
    beside = families_beside(bound)
    if bound.families:
        pages = [made for made in pages if made.family in bound.families or made.id in bound.families]
        beside = [name for name in beside if name.rpartition(":")[2] in bound.families]
    return [*beside, *(made.id for made in sorted(pages, key=lambda made: reads_data(made.family)))]


def families_beside(bound: Bound) -> list[str]:
    """Return references to the problems that stand in the file of a bound of the user's own."""
    try:
        module = load_reference("bound", bound.id, bool)[1] if is_reference(bound.id) else sys.modules.get(bound.home)
    except BoundcheckError:
        return []
    where = bound.id.rpartition(":")[0] if is_reference(bound.id) else bound.home
    made = [name for name, value in vars(module).items() if _is_made_in(module, name, value)] if module else []
    return [f"{where}:{name}" for name in made]


def _is_made_in(module: ModuleType, name: str, value: object) -> bool:
    """Return whether this is a problem, or makes one, and the file itself defines it."""
    if name.startswith("_") or not is_family(value) or getattr(value, "__module__", "") != module.__name__:
        return False
    try:
        made = value(N=1)  # type: ignore[operator]
    # Some other function of N.
    except (ArithmeticError, LookupError, TypeError, ValueError, BoundcheckError):
        return False
    return isinstance(made, Problem)
