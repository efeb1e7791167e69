"""FMGDA, (18) as printed, by enumeration: one step of two equal clients with noise of either sign."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from boundcheck.proofs.language.claim import Goal


def _state(draw: Any) -> dict[str, Any]:
    return {"theta": draw.number(), "step": draw.part(), "smooth": draw.part()}


def _chance(**_: Any) -> Iterator[Any]:
    yield from product((-1, 1), repeat=2)


def _old_index(noise: Any, theta: Any, step: Any, smooth: Any) -> tuple[Any, Any]:
    new = [theta - step * (smooth * theta + e) for e in noise]
    drift_before = 0 * theta  # both clients start at theta
    return (smooth * (new[0] - new[1])) ** 2 / 2, 12 * smooth**2 * drift_before


def _index_printed() -> Goal:
    from boundcheck.proofs.provers import Expected

    return Expected(_state, _chance, _old_index)


GOALS: dict[str, Callable[[], Goal]] = {
    "fmgda.lemma3-18-printed": _index_printed,
}
"""Claim to what builds its goal."""
