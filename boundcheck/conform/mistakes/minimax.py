"""Mistakes in the two steps of a minimax method."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from boundcheck.conform.wrong import Mistake
from boundcheck.conform.wrong_oracle import ChangedGradients, OracleProxy
from boundcheck.methods.base import Method

if TYPE_CHECKING:
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


def _alternate(m: Any, oracle: Any, *, first: tuple[float, float], together: bool = False) -> Alternating:
    steps = oracle.blockwise(m.eta_x, -m.eta_y)
    return Alternating(oracle, steps, oracle.blockwise(*first), together=together)


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


def _keep(kept: tuple[float, float], shown: str = "mean") -> dict[str, Any]:
    return {
        "start": lambda m, oracle, state: KeptBlocks(state.x, oracle.to_all(state.x)),
        "numbers": lambda m, t: BlockKept(m, kept, shown),
    }


TWO_STEPS = {
    "descent": Mistake(
        "the maximiser descends",
        oracle=lambda m, oracle, state: ChangedGradients(oracle, lambda g, _: oracle.blockwise(1.0, -1.0) * g),
    ),
    "swapped": Mistake(
        "the steps of the two blocks are swapped", numbers=lambda m, t: replace(m, eta_x=m.eta_y, eta_y=m.eta_x)
    ),
    "one-step": Mistake("both blocks move with the step eta_x", numbers=lambda m, t: replace(m, eta_y=m.eta_x)),
    "frozen": Mistake("the maximiser does not move", numbers=lambda m, t: replace(m, eta_y=0.0)),
}
_MOVES = {
    "alternating": ("maximiser moves after the minimiser", (1.0, 0.0)),
    "alternating-y": ("minimiser moves after the maximiser", (0.0, 1.0)),
}


def _alternating(*, together: bool) -> dict[str, Mistake]:
    """Return steps that alternate, of each client or, `together`, along the mean gradient."""
    return {
        name: Mistake(
            f"the steps alternate: the {words}, from the new point, and not both at once",
            oracle=lambda m, oracle, state, first=first: _alternate(m, oracle, first=first, together=together),  # type: ignore[misc]
        )
        for name, (words, first) in _MOVES.items()
    }


ALTERNATING = _alternating(together=True)
"""Of a method on one machine."""
EXTRAGRADIENT = {
    "one-sample": Mistake(
        "both gradients of a step are taken on one sample, that of the first",
        oracle=lambda m, oracle, state: PairedSamples(oracle),
    ),
}
MORE_STEPS = {
    **_alternating(together=False),
    "ascent": Mistake(
        "the minimiser ascends",
        oracle=lambda m, oracle, state: ChangedGradients(oracle, lambda g, _: oracle.blockwise(-1.0, 1.0) * g),
    ),
    "one-step-y": Mistake("both blocks move with the step eta_y", numbers=lambda m, t: replace(m, eta_x=m.eta_y)),
    "frozen-x": Mistake("the minimiser does not move", numbers=lambda m, t: replace(m, eta_x=0.0)),
    "y-kept": Mistake("the maximiser stays with its client and is not averaged", **_keep((0.0, 1.0))),
    "y-kept-hidden": Mistake(
        "the maximiser stays with its client and is not averaged, and the server's never moves",
        **_keep((0.0, 1.0), "start"),
    ),
    "x-kept": Mistake("the minimiser stays with its client and is not averaged", **_keep((1.0, 0.0))),
}
"""Likewise."""
