"""Mistakes in what local steps start with: the point, a momentum, gradients that were not cleared."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from boundcheck.conform.faults.changes import change_oracle, tabulate
from boundcheck.conform.faults.wrong_oracle import OracleProxy, lasting_memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.conform.faults.wrong import Round
    from boundcheck.methods.base import Vector


class OtherStart(OracleProxy):
    """Lets the local steps of a round start with something else than they are given.

    ``change(carry, ends, seen)`` returns what they start with: of all that a step passes on to the next one (the point
    first), what the client's last ones ended with, and whether there have been any, (lanes, S, 1).
    """

    def __init__(self, oracle: Any, change: Callable[[tuple[Any, ...], tuple[Any, ...], Any], tuple[Any, ...]]) -> None:
        super().__init__(oracle)
        self._change = change

    def fori(self, step: Callable[[Any, Any], Any], carry: Any, steps: int | None = None) -> Any:
        """Return what the steps from another start lead to, and keep it."""
        memory, alone = lasting_memory(self), not isinstance(carry, tuple)
        given = (carry,) if alone else carry
        kept = memory.setdefault("ends", [self._oracle.to_all(0.0 * part[:, :1]) for part in given])
        seen = memory.setdefault("seen", self._oracle.to_all(0.0 * given[0][:, :1, :1]))
        ends = tuple(self._oracle.active(rows) for rows in kept)
        start = self._change(given, ends, self._oracle.active(seen))
        found = self._oracle.fori(step, start[0] if alone else start, steps)
        made = (found,) if alone else found
        memory["ends"] = [self._oracle.remember(rows, part) for rows, part in zip(kept, made, strict=True)]
        memory["seen"] = self._oracle.remember(seen, 1.0 + 0.0 * made[0][..., :1])
        return found


def _go_on(carry: tuple[Any, ...], ends: tuple[Any, ...], seen: Any) -> tuple[Any, ...]:
    return (seen * ends[0] + (1.0 - seen) * carry[0], *carry[1:])


def _keep_momentum(carry: tuple[Any, ...], ends: tuple[Any, ...], seen: Any) -> tuple[Any, ...]:
    """Keep all that is as long as the point."""
    pairs = zip(carry[1:], ends[1:], strict=True)
    return (carry[0], *(seen * end + (1.0 - seen) * a if a.shape == carry[0].shape else a for a, end in pairs))


def _restart_block(r: Round, *, block: tuple[float, float]) -> OtherStart:
    first, of = lasting_memory(r.oracle).setdefault("first", r.old.x), r.oracle.blockwise(*block)
    return OtherStart(r.oracle, lambda carry, ends, seen: (carry[0] + of * (first - carry[0]), *carry[1:]))


class _NotCleared(OracleProxy):
    """Adds to the first gradient of a round the last one of the client's round before, or to each all before it."""

    def __init__(self, oracle: Any, *, all_of_them: bool) -> None:
        super().__init__(oracle)
        self._all, self._k = all_of_them, 0

    def grad(self, y: Vector, batch: Any) -> Vector:
        """Return the sum."""
        g: Vector = self._oracle.grad(y, batch)
        memory = lasting_memory(self)
        kept = memory.setdefault("not cleared", self._oracle.to_all(0.0 * g[:, :1]))
        total = g + self._oracle.active(kept) if self._all or not self._k else g
        self._k += 1
        memory["not cleared"] = self._oracle.remember(kept, total if self._all else g)
        return total


class _TwiceAt(OracleProxy):
    """Doubles the gradient of one of the local steps."""

    def __init__(self, oracle: Any, *, last: bool) -> None:
        super().__init__(oracle)
        self._left = oracle.most_steps if last else 1

    def grad(self, y: Vector, batch: Any) -> Vector:
        """Return the gradient, or twice of it."""
        self._left -= 1
        g: Vector = self._oracle.grad(y, batch)
        return 2.0 * g if self._left == 0 else g


def _download_late(r: Round) -> OtherStart:
    """Give the iterate of one round earlier to clients that did not take part in the round before."""
    memory, nobody = lasting_memory(r.oracle), r.oracle.to_all(0.0 * r.old.x[..., :1])
    took_part = r.oracle.active(memory.get("took part", 1.0 + nobody))
    memory["took part"] = r.oracle.remember(nobody, 1.0 + 0.0 * took_part)
    behind = (1.0 - took_part) * (r.earlier.x - r.old.x)
    return OtherStart(r.oracle, lambda carry, ends, seen: (carry[0] + behind, *carry[1:]))


STARTS = tabulate(
    {
        words: change_oracle(oracle)
        for words, oracle in {
            "the clients start their local steps where they ended last, and not at the server's iterate; all else "
            "counts from that, as it should": lambda r: OtherStart(r.oracle, _go_on),
            "the momentum of the local steps is not reset, or not averaged: every client goes on with the one of its "
            "last round": (lambda r: OtherStart(r.oracle, _keep_momentum)),
            "clients that sat out the round before start at the server's iterate of one round earlier: they get the "
            "newest model too late": _download_late,
            "gradients are not reset between rounds (zero_grad comes after the first step): the first step of a round "
            "uses the last gradient of the client's round before too": lambda r: _NotCleared(
                r.oracle, all_of_them=False
            ),
            "gradients are never reset (zero_grad is missing), not between rounds either: every step uses the sum of "
            "all that the client has had": lambda r: _NotCleared(r.oracle, all_of_them=True),
            "the last gradient of a round is used twice: the step along it is made once more": lambda r: _TwiceAt(
                r.oracle, last=True
            ),
            "the first gradient of a round is used twice: the step along it is made once more": lambda r: _TwiceAt(
                r.oracle, last=False
            ),
        }.items()
    }
)
"""For methods of K local steps."""
RESTARTED = tabulate(
    {
        f"the {name} starts every round at its first point, and forgets what the rounds before have made of it": (
            change_oracle(partial(_restart_block, block=block))
        )
        for name, block in (("minimiser", (1.0, 0.0)), ("maximiser", (0.0, 1.0)))
    }
)
"""For minimax methods of K local steps."""
