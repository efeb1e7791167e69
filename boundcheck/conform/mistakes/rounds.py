"""Mistakes that any method can have in whole rounds: lost ones, stale ones, a server that forgets or lags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundcheck.conform.wrong import Mistake
from boundcheck.conform.wrong_oracle import ByPlace

if TYPE_CHECKING:
    from collections.abc import Callable


def _lose(when: Callable[[Any, int], bool]) -> Callable[..., Any]:
    """Return the server rule that keeps the state as it was in some rounds."""
    return lambda m, oracle, state, after, t: state if when(oracle, t) else after


class _Forgetful:
    """Starts from a new state at the present iterate."""

    def __init__(self, m: Any) -> None:
        self._m = m

    def round(self, oracle: Any, state: Any) -> Any:
        """Make the round of a method that has kept nothing."""
        return self._m.round(oracle, self._m.init(oracle, state.x)._replace(x=state.x))


ROUNDS = {
    "first-lost": Mistake(
        "the first round does nothing: x_1 = x_0, and from round 2 on it is the method",
        server=_lose(lambda oracle, t: t == 0),
    ),
    "first-move-lost": Mistake(
        "the first round refreshes what is kept and does not move x: x_1 = x_0",
        server=lambda m, oracle, state, after, t: after._replace(x=state.x) if t == 0 else after,
    ),
    "alone-lost": Mistake(
        "a round with one active client does nothing; settings with several active clients agree",
        server=_lose(lambda oracle, t: oracle.S == 1),
    ),
    "odd-lost": Mistake(
        "every second round does nothing",
        server=_lose(lambda oracle, t: t % 2 == 1),
    ),
    "partial-lost": Mistake(
        "a round in which not all clients are active does nothing; full participation agrees",
        server=_lose(lambda oracle, t: bool(oracle.S < oracle.N)),
    ),
    "stale-start": Mistake(
        "the clients start at the server's iterate of one round earlier",
        reads=lambda m, state, earlier: state._replace(x=earlier.x),
    ),
    "restart": Mistake(
        "everything that is kept is forgotten after every round: the state starts anew",
        numbers=lambda m, t: _Forgetful(m),
    ),
    **{
        f"restart-{every}": Mistake(
            f"everything that is kept is forgotten after every {every} rounds: the state starts anew",
            numbers=lambda m, t, every=every: _Forgetful(m) if t and t % every == 0 else m,  # type: ignore[misc]
        )
        for every in (2, 3, 4, 5)
    },
    "on-places": Mistake(
        "what clients keep is indexed by their place among the active ones and not by their number",
        oracle=lambda m, oracle, state: ByPlace(oracle),
    ),
    "shared-memory": Mistake(
        "the clients share one memory: each active client reads and writes the first client's",
        oracle=lambda m, oracle, state: ByPlace(oracle, shared=True),
    ),
}
"""For every method."""
