"""Mistakes of a minimax method in one of its blocks: steps left out, other optimisers, projections, averages."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.faults.changes import change_averages
from boundcheck.conform.faults.wrong import Mistake
from boundcheck.conform.faults.wrong_oracle import OracleProxy, lasting_memory
from boundcheck.conform.mistakes.anywhere import ANYWHERE, STEPS
from boundcheck.conform.mistakes.optimisers import OPTIMISERS
from boundcheck.conform.mistakes.updates import shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from boundcheck.conform.faults.wrong import Round
    from boundcheck.methods.base import Vector

    Look = Callable[[Callable[[Vector], Vector], Vector, Vector], Vector]
    """The direction, given the gradient as a function, the point and the two steps, that of the ascent negative."""

_BLOCKS = {"minimiser": (1.0, 0.0), "maximiser": (0.0, 1.0)}


class OtherDirection(OracleProxy):
    """Makes local steps along another direction, which may ask for gradients at several points on one sample."""

    def __init__(self, oracle: Any, m: Any, look: Look) -> None:
        super().__init__(oracle)
        self._steps, self._look = oracle.blockwise(m.eta_x, -m.eta_y), look

    def grad(self, y: Vector, batch: Any) -> Vector:
        """Return the direction."""
        return self._look(lambda z: self._oracle.grad(z, batch), y, self._steps)


def _along(words: str, look: Callable[[Any, Any], Look]) -> Mistake:
    """Return the mistake with a direction of the method and of the oracle."""
    return Mistake(words, oracle=lambda r: OtherDirection(r.oracle, r.m, look(r.oracle, r.old)))


def _ahead(gradient: Callable[[Vector], Vector], z: Vector, steps: Vector) -> Vector:
    return gradient(z - steps * gradient(z))


def _twice(block: tuple[float, float], *, first: bool) -> Callable[[Any, Any], Look]:
    """Return the direction of one block that moves once more a step, alone, before or after both have moved."""

    def of(oracle: Any, state: Any) -> Look:
        mask = oracle.blockwise(*block)

        def look(gradient: Callable[[Vector], Vector], z: Vector, steps: Vector) -> Vector:
            if first:
                moved = z - mask * steps * gradient(z)
                return gradient(moved) + (z - moved) / steps
            g = gradient(z)
            return g + mask * gradient(z - steps * g)

        return look

    return of


def _look_from_round_start(block: tuple[float, float], *, own: bool) -> Callable[[Any, Any], Look]:
    """Return the direction whose block sees itself, or the other block, where it was at the beginning of the round."""

    def of(oracle: Any, state: Any) -> Look:
        mask, x = oracle.blockwise(*block), oracle.to_clients(state.x, free=True)
        old = mask if own else 1.0 - mask
        return lambda gradient, z, steps: mask * gradient((1.0 - old) * z + old * x) + (1.0 - mask) * gradient(z)

    return of


_SETS: dict[str, Callable[[Vector], Vector]] = {
    **{f"the ball of radius {r:g}": lambda v, r=r: shorten(v, r) for r in (0.1, 0.5, 1.0, 2.0, 5.0, 10.0)},  # type: ignore[misc]
    **{f"[-{r:g}, {r:g}]": lambda v, r=r: np.clip(v, -r, r) for r in (0.01, 0.1, 0.5, 1.0, 2.0, 10.0)},  # type: ignore[misc]
    "numbers >= 0": lambda v: np.maximum(v, 0.0),
    "[0, 1]": lambda v: np.clip(v, 0.0, 1.0),
}
"""Where codes project: dual variables that are weights, critics whose weights are clipped."""


def _project_block(block: tuple[float, float], onto: Callable[[Vector], Vector]) -> Callable[[Any, Any], Look]:
    def of(oracle: Any, state: Any) -> Look:
        mask = oracle.blockwise(*block)
        there = np.ravel(mask) > 0.0

        def look(gradient: Callable[[Vector], Vector], z: Vector, steps: Vector) -> Vector:
            moved = z - steps * gradient(z)
            kept = np.array(moved)
            kept[..., there] = onto(moved[..., there])
            return (z - kept) / steps

        return look

    return of


class Seldom(OracleProxy):
    """Moves one block in every second step, third step, ... alone."""

    def __init__(self, oracle: Any, mask: Vector, every: int, *, last: bool, lasting: bool) -> None:
        super().__init__(oracle)
        self._mask, self._every, self._last = mask, every, last
        self._memory: dict[str, Any] = lasting_memory(oracle) if lasting else {}

    def grad(self, y: Vector, batch: Any) -> Vector:
        """Return the gradient, that of the block 0 where it stands still."""
        n = self._memory.get("steps made", 0)
        self._memory["steps made"] = n + 1
        moves = n % self._every == (self._every - 1 if self._last else 0)
        g = self._oracle.grad(y, batch)
        return g if moves else (1.0 - self._mask) * g


def _seldom(name: str, every: int, *, last: bool, lasting: bool) -> Mistake:
    which = {True: f"the {every}. one and so on", False: "the first one and so on"}[last]
    counted = "counted through the whole run" if lasting else "counted anew in every round"
    return Mistake(
        f"the {name} moves in one of {every} local steps only, {which}, {counted}",
        oracle=lambda r: Seldom(r.oracle, r.oracle.blockwise(*_BLOCKS[name]), every, last=last, lasting=lasting),
    )


class OneBlock(OracleProxy):
    """Answers one block by the oracle of a mistake and the other one rightly."""

    def __init__(self, oracle: Any, wrong: Any, mask: Vector) -> None:
        super().__init__(oracle)
        self._wrong, self._mask = wrong, mask

    def grad(self, y: Vector, batch: Any) -> Vector:
        """Return the gradient."""
        return self._mask * self._wrong.grad(y, batch) + (1.0 - self._mask) * self._oracle.grad(y, batch)


def _of_block(name: str, mistake: Mistake) -> Mistake:
    return Mistake(
        f"{mistake.words}: of the {name} alone",
        oracle=lambda r: OneBlock(r.oracle, mistake.oracle(r), r.oracle.blockwise(*_BLOCKS[name])),
    )


def _average_of_block(name: str, words: str, rule: Callable[[Any, Vector, Vector], Vector]) -> Mistake:
    def change(r: Round, rows: Vector, mean: Vector) -> Vector:
        mask = r.oracle.blockwise(*_BLOCKS[name])
        changed: Vector = mask * rule(r.old.x, rows, mean) + (1.0 - mask) * mean
        return changed

    return Mistake(f"the {name} {words}", **change_averages(change))


_GRADIENTS = [
    mistake
    for key, mistake in {**ANYWHERE, **STEPS, **OPTIMISERS}.items()
    if key in {"stale-gradient", "signs", "added-up", "averaged-gradients", "normalised", "over-K"}
    or key.startswith(("clip-", "decay-0", "adam", "rmsprop", "nesterov", "optimistic", "heavy"))
]


def _of(name: str, block: tuple[float, float]) -> Iterator[Mistake]:
    yield _along(f"the {name} moves once more in every local step, alone, first", _twice(block, first=True))
    yield _along(
        f"the {name} moves once more in every local step, alone, after both have moved", _twice(block, first=False)
    )
    taken = f"the gradient of the {name} is taken where"
    yield _along(f"{taken} the other block was at the beginning of the round", _look_from_round_start(block, own=False))
    yield _along(
        f"{taken} it was itself at the beginning of the round, in every step", _look_from_round_start(block, own=True)
    )
    for where, onto in _SETS.items():
        yield _along(f"the {name} is projected onto {where} after every local step", _project_block(block, onto))
    for every, last, lasting in itertools.product((2, 3, 5), (True, False), (True, False)):
        yield _seldom(name, every, last=last, lasting=lasting)
    for words, rule in _AVERAGES.items():
        yield _average_of_block(name, words, rule)
    for mistake in _GRADIENTS:
        yield _of_block(name, mistake)


_AVERAGES: dict[str, Callable[[Any, Vector, Vector], Vector]] = {
    "is added up over the clients and not averaged": lambda x, rows, mean: rows.sum(1, keepdims=True),
    "is taken from the first client and not averaged": lambda x, rows, mean: rows[:, :1],
    "is taken from the last client and not averaged": lambda x, rows, mean: rows[:, -1:],
    "moves by the sum of the clients' updates and not by their mean": lambda x, rows, mean: (
        x + (rows - x).sum(1, keepdims=True)
    ),
}
ONE_BLOCK = (
    _along(
        "the steps are those of the extragradient method: both gradients are taken where a first step leads to, on the "
        "same sample, and not at the pair itself",
        lambda oracle, state: _ahead,
    ),
    *(mistake for name, block in _BLOCKS.items() for mistake in _of(name, block)),
)
"""Of local SGDA."""
