"""Mistakes that any method can have in whole rounds: lost ones, stale ones, a server that forgets or lags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundcheck.conform.wrong import Mistake

if TYPE_CHECKING:
    from collections.abc import Callable


def _lose(when: Callable[[Any, int], bool]) -> Callable[..., Any]:
    """Return the server rule that keeps the state as it was in some rounds."""
    return lambda m, oracle, state, after, t: state if when(oracle, t) else after


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
}
"""For every method."""
