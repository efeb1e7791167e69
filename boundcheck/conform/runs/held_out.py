"""Other settings and other hyperparameters than those at which a mistake is sought: a name has to hold there, too."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from boundcheck.conform.runs.battery import BatterySetting

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from boundcheck.methods import Method

HELD_OUT = (
    BatterySetting(4, 4, 3, spread=True),
    BatterySetting(3, 3, 1, spread=True),
    BatterySetting(4, 3, 3, spread=True),
    BatterySetting(3, 3, 3, T=12, steep=True, spread=True),
)
"""Runs at numbers of clients that the battery does not have."""
AGREED = (*HELD_OUT, BatterySetting(4, 3, 5, spread=True))
"""Runs in which a code that agrees has to, too: also with more local steps than the battery has."""
_FACTORS = (0.9, 0.93, 0.87, 0.95)
"""What hyperparameters are multiplied by, one after the other: no product or quotient of two of them stays as it is."""


def shift_numbers(passed: Mapping[str, Any], given: Collection[str]) -> dict[str, float]:
    """Return other numbers for the hyperparameters that an implementation is passed, but those that the user gives."""
    free = [name for name, value in passed.items() if isinstance(value, float) and value and name not in given]
    return {name: passed[name] * _FACTORS[n % len(_FACTORS)] for n, name in enumerate(free)}


def with_numbers_of(changed: Any, made: Method) -> Method:
    """Return a changed method at the hyperparameters of another one of its kind."""
    numbers = {f.name: getattr(made, f.name) for f in fields(made) if f.init}  # type: ignore[arg-type]
    found: Method = replace(changed, **numbers)
    return found
