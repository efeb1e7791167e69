"""What long work says while it goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[int, int, float], None]
"""Called with how many things are done, how many there are, and the share of the work that is done."""
