"""Mistakes in the average of the clients' results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from boundcheck.conform.wrong import Mistake
from boundcheck.conform.wrong_methods import KeptModels, NotLoaded, SharedArray
from boundcheck.conform.wrong_oracle import ChangedAverages
from boundcheck.methods.base import Method

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.methods.base import Oracle, Vector

_OVER_N = "the clients' results are averaged over all N clients instead of the S active ones"
_SUM = "the clients' results are added up instead of averaged"


def scale_displacement(factor: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Return the change of a round whose mean displacement has a factor too many; directions g are in proportion."""

    def server(m: Any, oracle: Any, state: Any, after: Any, t: int) -> Any:
        by = factor(m, oracle)
        after = after._replace(x=state.x + by * (after.x - state.x))
        return after._replace(g=by * after.g) if hasattr(after, "g") else after

    return server


def around(factor: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Return the oracle whose average is displaced from x by a factor too many, before the server uses it."""

    def change(m: Any, oracle: Any, state: Any) -> ChangedAverages:
        by = factor(m, oracle)
        return ChangedAverages(oracle, lambda _, mean: state.x + by * (mean - state.x))

    return change


def _scale_average(factor: Callable[[Any], float]) -> Callable[..., Any]:
    def change(m: Any, oracle: Any, state: Any) -> ChangedAverages:
        by = factor(oracle)
        return ChangedAverages(oracle, lambda _, mean: by * mean)

    return change


class _WithFirst(NamedTuple):
    """The right method's state, and the first model."""

    x: Vector
    inner: Any
    first: Vector


@dataclass(frozen=True)
class _FromFirst(Method):
    """A server rule that counts displacements from the first model, and adds them to the last one or to the first."""

    right: Any
    onto: bool = False

    def round(self, oracle: Oracle, state: _WithFirst) -> _WithFirst:
        """Make the round with the server's rule around x_0."""
        y = self.right.local(oracle, state.inner, oracle.to_clients(state.x))
        average = self.right.average(oracle, state.x, y)
        after = self.right.server(oracle, state.inner._replace(x=state.first), average)
        x = after.x if self.onto else state.x + after.x - state.first
        return _WithFirst(x, after._replace(x=x), state.first)


AVERAGES = {
    "over-N": Mistake(_OVER_N, oracle=around(lambda m, oracle: oracle.S / oracle.N)),
    "sum": Mistake(_SUM, oracle=around(lambda m, oracle: oracle.S)),
}
"""For methods whose server averages the clients' ends."""
FIRST_MODEL = {
    "from-first": Mistake(
        "the displacement of the clients' results is taken from the first model x_0 and not from the last one",
        start=lambda m, oracle, state: _WithFirst(state.x, state, state.x),
        numbers=lambda m, t: _FromFirst(m),
    ),
    "restart-first": Mistake(
        "the server starts every round's update at the first model x_0: x+ = x_0 + the update from x_0",
        start=lambda m, oracle, state: _WithFirst(state.x, state, state.x),
        numbers=lambda m, t: _FromFirst(m, onto=True),
    ),
}
"""For methods made of a local and a server rule."""


def _mix_in_turn(m: Any, oracle: Any, state: Any) -> ChangedAverages:
    """Return the oracle whose mean of w_i (y_i - x) is what x moves by where x <- (1 - w_i) x + w_i y_i in turn."""
    weight = m.alpha * (1.0 + oracle.active(state.age)) ** (-m.decay)

    def change(rows: Vector, _: Vector) -> Vector:
        moved = 0.0 * rows[:, :1]
        for i in range(rows.shape[1]):
            moved = (1.0 - weight[:, i : i + 1]) * moved + rows[:, i : i + 1]
        return moved

    return ChangedAverages(oracle, change)


IN_TURN = {
    "in-turn": Mistake(
        "the models that arrive together are mixed in one after the other, x <- (1 - w_i) x + w_i y_i for each, and "
        "not by the mean of w_i (y_i - x)",
        oracle=_mix_in_turn,
    ),
}
"""Of FedAsync."""
SCALED = {
    "over-N": Mistake(_OVER_N, oracle=_scale_average(lambda oracle: oracle.S / oracle.N)),
    "sum": Mistake(_SUM, oracle=_scale_average(lambda oracle: oracle.S)),
}
"""For methods that average displacements."""
POINTS = {
    "points-over-N": Mistake(
        "the clients' models are divided by all N clients instead of the S active ones",
        oracle=_scale_average(lambda oracle: oracle.S / oracle.N),
    ),
}
"""For methods whose server replaces its iterate by the average of the clients'."""
SHARED = {
    "shared": Mistake(
        "the clients work in the server's own array, in place: each goes on where the one before it ended",
        numbers=lambda m, t: SharedArray(m),
    ),
    "shared-copied": Mistake(
        "the clients work in the server's own array, in place, and their ends are averaged",
        numbers=lambda m, t: SharedArray(m, copies=True),
    ),
    "not-loaded": Mistake(
        "the clients go on from where they ended and do not load the server's iterate",
        start=lambda m, oracle, state: KeptModels(state.x, state, oracle.to_all(state.x)),
        numbers=lambda m, t: NotLoaded(m),
    ),
}
"""For methods made of a local and a server rule."""
