"""What a problem offers whose client functions are losses of a network with layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.problems.types import Array, Indices, Token


@runtime_checkable
class Layered(Protocol):
    """A network of levels 0, 1, ...: the outputs of every hidden layer, and last the logits.

    Outputs on a minibatch are (lanes, clients, rows, units), `clients` and `sample` as in `Problem.gradient`.
    """

    @property
    def levels(self) -> int:
        """Return the number of levels, one more than there are hidden layers."""
        ...

    def outputs(self, x: Array, clients: Indices | None = None, sample: Token = None) -> list[Array]:
        """Return the outputs of all levels at the points `x`."""
        ...

    def composite_gradient(
        self, x: Array, clients: Indices | None, sample: Token, loss: float | Array, slopes: Mapping[int, Array]
    ) -> Array:
        """Return the gradient in x of the mean over rows of ``loss * (their loss) + sum_l <slopes[l], outputs_l>``."""
        ...

    def upstream_mask(self, level: int) -> Array:
        """Return 1 for the parameters that outputs of `level` depend on and 0 for the others, shape (d,)."""
        ...
