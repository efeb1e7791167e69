"""What comes out of comparing an implementation with a registered method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.files.display import shows

if TYPE_CHECKING:
    from boundcheck.conform.runs.battery import BatterySetting
    from boundcheck.conform.runs.replay import RecordedRun
    from boundcheck.problems.base import Array
    from boundcheck.verdicts.words import ConformWord

SINGLE = 1e-4
"""What rounding in single precision may do to the iterates of the battery, relative to the largest one."""

ROUNDED = 1e-6
"""What one number in single precision, such as a weight of the average, may do to them."""


@dataclass(frozen=True)
class CheckedSetting:
    """One setting of the battery."""

    setting: BatterySetting
    deviation: float
    """Largest difference relative to the largest iterate; inf if it is not finite."""
    parts: int | None
    """First round after which the iterates differ, 1 for the first; None if they never do."""


@shows("method", "verdict", "diagnosis")
@dataclass(frozen=True)
class Comparison:
    """What came out of comparing an implementation with a registered method."""

    method: str
    hyper: dict[str, Any]
    tolerance: float
    checked: tuple[CheckedSetting, ...]
    diagnosis: tuple[str, ...]
    """Sentences, the likeliest first; empty if the implementation agrees."""
    single: bool = False
    """Whether the implementation computes in single precision: all points that its clients were asked at say so."""
    unasked: str = ""
    """The simpler method that ours is at all that was asked; empty if what distinguishes ours was asked."""
    unreadable: bool = False
    """Whether what was returned cannot be read as iterates."""

    @property
    def ok(self) -> bool:
        """Return whether the implementation is the method: all iterates agree, and what distinguishes it was asked."""
        return self.verdict == "agrees"

    @property
    def same(self) -> bool:
        """Return whether all iterates agree, whatever was asked."""
        return not self.unreadable and all(c.parts is None for c in self.checked)

    @property
    def verdict(self) -> ConformWord:
        """Return whether the iterates agree; 'single precision' if they do as far as an implementation in it can."""
        if self.unreadable:
            return "bad input"
        if self.same:
            return "as far as asked" if self.unasked else "agrees"
        rounding = self.single and all(c.deviation <= SINGLE for c in self.checked)
        return "single precision" if rounding else "differs"


def check_setting(run: RecordedRun, path: Array, tolerance: float) -> CheckedSetting:
    """Return from where on the iterates differ; row r is the iterate after round r, row 0 the start."""
    apart = np.abs(path - run.path).max(axis=1) / np.abs(run.path).max()
    wrong = np.flatnonzero(~(apart <= tolerance))  # so that nan is wrong
    deviation = float(apart.max()) if np.isfinite(apart).all() else float("inf")
    return CheckedSetting(run.setting, deviation, int(wrong[0]) if len(wrong) else None)
