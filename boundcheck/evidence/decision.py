"""The words of a verdict."""

from __future__ import annotations

from typing import Literal

Decision = Literal["holds", "violated", "undecided", "vacuous", "not applicable"]
