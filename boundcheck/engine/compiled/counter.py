"""Integers of a state that only grow: what a method asks of them may be known while it is compiled."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from boundcheck.engine.compiled.traced import Traced
from boundcheck.errors import NotApplicableError


class Counter(Traced):
    """An integer that is at least `least`; whether it is a smaller one is answered at once.

    ``if state.t == 0`` is False in every round but the first, which is not compiled.
    """

    __slots__ = ("asked", "least")

    def __init__(self, value: Any, least: int) -> None:
        super().__init__(value)
        self.least = least
        self.asked = False

    def __add__(self, other: Any) -> Any:
        if isinstance(other, int) and other >= 0:
            return Counter(self.value + other, self.least + other)
        return Traced(self.value) + other

    __radd__ = __add__

    def __eq__(self, other: object) -> Any:
        return False if self._exceeds(other) else Traced(self.value) == other

    def __ne__(self, other: object) -> Any:
        return True if self._exceeds(other) else Traced(self.value) != other

    def __gt__(self, other: object) -> Any:
        return True if self._exceeds(other) else Traced(self.value) > other  # type: ignore[operator]

    __hash__ = None  # type: ignore[assignment]

    def _exceeds(self, other: object) -> bool:
        known = isinstance(other, int) and other < self.least
        self.asked = self.asked or known
        return known


def counter_of(leaf: Any) -> Any:
    """Return an integer of a state after its first round as a counter, and anything else as it is."""
    if isinstance(leaf, Traced) and not leaf.shape and jnp.issubdtype(leaf.dtype, jnp.integer):
        return Counter(leaf.value, 1)
    return leaf


def require_growth(before: Any, after: Any) -> None:
    """Refuse a state with an integer that was asked as a counter and may have fallen since."""
    for old, new in zip(before, after, strict=True):
        if isinstance(old, Counter) and old.asked and not (isinstance(new, Counter) and new.least >= old.least):
            msg = "it counts with a number that may fall"
            raise NotApplicableError(msg)
