"""Mistakes in the average of the clients' results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from boundcheck.conform.faults.changes import change_averages, change_method, change_start, change_state, tabulate
from boundcheck.conform.faults.wrong import Mistake
from boundcheck.conform.faults.wrong_methods import KeptModels, NotLoaded, SharedArray
from boundcheck.methods.base import Method

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.conform.faults.changes import Pieces
    from boundcheck.conform.faults.wrong import Round
    from boundcheck.methods.base import Oracle, Vector


def scale_displacement(factor: Callable[[Round], Any]) -> Pieces:
    """Return the piece `server` whose mean displacement has a factor too many; directions g are in proportion."""

    def server(r: Round) -> Any:
        by = factor(r)
        after = r.new._replace(x=r.old.x + by * (r.new.x - r.old.x))
        return after._replace(g=by * after.g) if hasattr(after, "g") else after

    return change_state(server)


def around(factor: Callable[[Round], Any]) -> Pieces:
    """Return the piece `oracle` whose average is displaced from x by a factor too many, before the server uses it."""
    return change_averages(lambda r, rows, mean: r.old.x + factor(r) * (mean - r.old.x))


def _scale_average(factor: Callable[[Round], float]) -> Pieces:
    return change_averages(lambda r, rows, mean: factor(r) * mean)


def _share(r: Round) -> float:
    return r.S / r.N


def _count(r: Round) -> float:
    return r.S


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


_OVER_N = "the clients' results are averaged over all N clients instead of the S active ones"
_SUM = "the clients' results are added up instead of averaged"
AVERAGES = {"over-N": Mistake(_OVER_N, **around(_share)), "sum": Mistake(_SUM, **around(_count))}
"""For methods whose server averages the clients' ends."""
FIRST_MODEL = tabulate(
    {
        words: {
            **change_start(lambda r: _WithFirst(r.old.x, r.old, r.old.x)),
            **change_method(lambda r, onto=onto: _FromFirst(r.m, onto=onto)),  # type: ignore[misc]
        }
        for words, onto in {
            "the displacement of the clients' results is taken from the first model x_0 and not from the last "
            "one": False,
            "the server starts every round's update at the first model x_0: x+ = x_0 + the update from x_0": True,
        }.items()
    }
)
"""For methods made of a local and a server rule."""


def _mix_in_turn(r: Round, rows: Vector, mean: Vector) -> Vector:
    """Return the mean of w_i (y_i - x) as what x moves by where x <- (1 - w_i) x + w_i y_i in turn."""
    weight, moved = r.m.alpha * (1.0 + r.oracle.active(r.old.age)) ** (-r.m.decay), 0.0 * rows[:, :1]
    for i in range(rows.shape[1]):
        moved = (1.0 - weight[:, i : i + 1]) * moved + rows[:, i : i + 1]
    return moved


IN_TURN = tabulate(
    {
        "the models that arrive together are mixed in one after the other, x <- (1 - w_i) x + w_i y_i for each, and "
        "not by the mean of w_i (y_i - x)": change_averages(_mix_in_turn)
    }
)
"""Of FedAsync."""
SCALED = {
    "over-N": Mistake(_OVER_N, **_scale_average(_share)),
    "sum": Mistake(_SUM, **_scale_average(_count)),
}
"""For methods that average displacements."""
POINTS = {
    "points-over-N": Mistake(
        "the clients' models are divided by all N clients instead of the S active ones", **_scale_average(_share)
    ),
}
"""For methods whose server replaces its iterate by the average of the clients'."""
SHARED = {
    "shared": Mistake(
        "the clients work in the server's own array, in place: each goes on where the one before it ended",
        numbers=lambda r: SharedArray(r.m),
    ),
    "shared-copied": Mistake(
        "the clients work in the server's own array, in place, and their ends are averaged",
        numbers=lambda r: SharedArray(r.m, copies=True),
    ),
    "not-loaded": Mistake(
        "the clients go on from where they ended and do not load the server's iterate",
        start=lambda r: KeptModels(r.old.x, r.old, r.oracle.to_all(r.old.x)),
        numbers=lambda r: NotLoaded(r.m),
    ),
}
"""For methods made of a local and a server rule."""
