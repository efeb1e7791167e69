"""Mistakes in the two steps of a minimax method."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from boundcheck.conform.faults.changes import (
    change_gradients,
    change_method,
    change_oracle,
    change_start,
    set_numbers,
    tabulate,
)
from boundcheck.conform.faults.wrong import Mistake
from boundcheck.conform.faults.wrong_oracle import OracleProxy
from boundcheck.methods.base import Method

if TYPE_CHECKING:
    from boundcheck.conform.faults.changes import Pieces
    from boundcheck.conform.faults.wrong import Round
    from boundcheck.methods.base import Oracle, Vector


class Alternating(OracleProxy):
    """Takes the gradient of one block where the other block has moved already, on the same sample."""

    def __init__(self, oracle: Oracle, step: Vector, first: Vector, *, together: bool = False) -> None:
        super().__init__(oracle)
        self._step, self._first, self._together = step, first, together

    def grad(self, y: Vector, batch: Any) -> Vector:
        """Return the gradients of the two blocks, the second one at the moved point."""
        g = self._oracle.grad(y, batch)
        along = self._oracle.to_clients(self._oracle.mean(g)) if self._together else g
        later = self._oracle.grad(y - self._step * self._first * along, batch)
        return self._first * g + (1.0 - self._first) * later


def _alternate(r: Round, *, first: tuple[float, float], together: bool = False) -> Alternating:
    steps = r.oracle.blockwise(r.m.eta_x, -r.m.eta_y)
    return Alternating(r.oracle, steps, r.oracle.blockwise(*first), together=together)


def _turn(x: float, y: float) -> Pieces:
    """Return the piece whose gradients of the two blocks have factors."""
    return change_gradients(lambda r, g, _: r.oracle.blockwise(x, y) * g)


class PairedSamples(OracleProxy):
    """Uses every other minibatch twice; those between are drawn and not used."""

    def __init__(self, oracle: Oracle) -> None:
        super().__init__(oracle)
        self._drawn: list[Any] = []

    def draw(self, b: int | None = None) -> Any:
        """Draw, and return the last one of an even number."""
        self._drawn.append(self._oracle.draw(b))
        return self._drawn[(len(self._drawn) - 1) // 2 * 2]


class KeptBlocks(NamedTuple):
    """The server's point, and the clients' own."""

    x: Vector
    """(lanes, 1, d)."""
    own: Vector
    """(lanes, N, d)."""


@dataclass(frozen=True)
class BlockKept(Method):
    """Local steps of which one block stays with its client and is not averaged."""

    right: Any
    kept: tuple[float, float]
    shown: str = "mean"
    """What stands for the kept block in the server's point: its mean, or the first point's block."""

    def round(self, oracle: Oracle, state: KeptBlocks) -> KeptBlocks:
        """Make the local steps, and average the other block."""
        m, kept = self.right, oracle.blockwise(*self.kept)
        steps = oracle.blockwise(m.eta_x, -m.eta_y)
        start = (1.0 - kept) * oracle.to_clients(state.x) + kept * oracle.active(state.own)

        def step(_: Any, z: Vector) -> Vector:
            return z - steps * oracle.grad(z, oracle.draw())

        ends = oracle.fori(step, start)
        mean = oracle.mean(ends)
        x = mean if self.shown == "mean" else (1.0 - kept) * mean + kept * state.x
        return KeptBlocks(x, oracle.remember(state.own, ends))


def _keep(kept: tuple[float, float], shown: str = "mean") -> Pieces:
    return {
        **change_start(lambda r: KeptBlocks(r.old.x, r.oracle.to_all(r.old.x))),
        **change_method(lambda r: BlockKept(r.m, kept, shown)),
    }


TWO_STEPS = {
    "descent": Mistake(
        "the maximiser descends",
        **_turn(1.0, -1.0),
    ),
    "swapped": Mistake(
        "the steps of the two blocks are swapped", **set_numbers(eta_x=lambda m: m.eta_y, eta_y=lambda m: m.eta_x)
    ),
    "one-step": Mistake("both blocks move with the step eta_x", **set_numbers(eta_y=lambda m: m.eta_x)),
    "frozen": Mistake("the maximiser does not move", **set_numbers(eta_y=lambda m: 0.0)),
}


def _alternating(*, together: bool) -> tuple[Mistake, ...]:
    """Return steps that alternate, of each client or, `together`, along the mean gradient."""
    return tabulate(
        {
            f"the steps alternate: the {words}, from the new point, and not both at once": change_oracle(
                partial(_alternate, first=first, together=together)
            )
            for words, first in (
                ("maximiser moves after the minimiser", (1.0, 0.0)),
                ("minimiser moves after the maximiser", (0.0, 1.0)),
            )
        }
    )


ALTERNATING = _alternating(together=True)
"""Of a method on one machine."""
EXTRAGRADIENT = tabulate(
    {
        "both gradients of a step are taken on one sample, that of the first": change_oracle(
            lambda r: PairedSamples(r.oracle)
        )
    }
)
MORE_STEPS = (
    *_alternating(together=False),
    *tabulate(
        {
            "the minimiser ascends": _turn(-1.0, 1.0),
            "both blocks move with the step eta_y": set_numbers(eta_x=lambda m: m.eta_y),
            "the minimiser does not move": set_numbers(eta_x=lambda m: 0.0),
            "the maximiser stays with its client and is not averaged": _keep((0.0, 1.0)),
            "the maximiser stays with its client and is not averaged, and the server's never moves": _keep(
                (0.0, 1.0), "start"
            ),
            "the minimiser stays with its client and is not averaged": _keep((1.0, 0.0)),
        }
    ),
)
"""Likewise."""
