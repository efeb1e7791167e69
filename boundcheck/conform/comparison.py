"""What comes out of comparing an implementation with a registered method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boundcheck.conform.battery import BatterySetting


@dataclass(frozen=True)
class CheckedSetting:
    """One setting of the battery."""

    setting: BatterySetting
    deviation: float
    """Largest difference relative to the largest iterate; inf if it is not finite."""
    parts: int | None
    """First round after which the iterates differ, 1 for the first; None if they never do."""


@dataclass(frozen=True)
class Comparison:
    """What came out of comparing an implementation with a registered method."""

    method: str
    hyper: dict[str, Any]
    tolerance: float
    checked: tuple[CheckedSetting, ...]
    diagnosis: tuple[str, ...]
    """Sentences, the likeliest first; empty if the implementation agrees."""

    @property
    def ok(self) -> bool:
        """Return whether all iterates agree."""
        return all(c.parts is None for c in self.checked)
