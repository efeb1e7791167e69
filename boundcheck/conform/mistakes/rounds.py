"""Mistakes that any method can have in whole rounds: lost ones, stale ones, a server that forgets or lags."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from boundcheck.conform.faults.changes import change_method, change_state, set_read, tabulate
from boundcheck.conform.faults.wrong import Mistake
from boundcheck.conform.faults.wrong_oracle import ByPlace, OracleProxy, ReplayingOracle

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.conform.faults.changes import Pieces
    from boundcheck.conform.faults.wrong import Round


def _lose(when: Callable[[Round], bool]) -> Pieces:
    """Return the server rule that keeps the state as it was in some rounds."""
    return change_state(lambda r: r.old if when(r) else r.new)


class _Forgetful:
    """Starts from a new state at the present iterate."""

    def __init__(self, m: Any) -> None:
        self._m = m

    def round(self, oracle: Any, state: Any) -> Any:
        """Make the round of a method that has kept nothing."""
        return self._m.round(oracle, self._m.init(oracle, state.x)._replace(x=state.x))


_OtherStep: TypeAlias = "Callable[[int, int], int]"
"""Which of the steps of a round, of a step k = 0, 1, ... and their number."""


class _OtherSample(OracleProxy):
    """Takes one of the two gradients on a sample on that of another step, ``other(k, steps)``."""

    def __init__(self, oracle: ReplayingOracle, other: _OtherStep, which: int) -> None:
        super().__init__(oracle)
        self._other, self._which = other, which
        self._asked: dict[int, int] = {}

    def grad(self, y: Any, batch: Any) -> Any:
        """Return the gradient, on the batch or on the other one."""
        drawn: list[Any] = self._oracle.batches
        place = next(k for k, one in enumerate(drawn) if one is batch)
        n = self._asked[place] = self._asked.get(place, -1) + 1
        return self._oracle.grad(y, drawn[self._other(place, len(drawn))] if n == self._which else batch)


class _TwoSamples:
    """Makes the round twice, so that the samples of later steps are known."""

    def __init__(self, m: Any, other: _OtherStep, which: int) -> None:
        self._m, self._other, self._which = m, other, which

    def round(self, oracle: Any, state: Any) -> Any:
        """Make the round of the method with the other samples."""
        again = ReplayingOracle(oracle)
        self._m.round(again, state)
        again.rewind()
        return self._m.round(_OtherSample(again, self._other, self._which), state)


def _on_two_samples(r: Round, other: _OtherStep, which: int) -> _TwoSamples:
    return _TwoSamples(r.m, other, which)


_OTHER_STEPS: dict[str, _OtherStep] = {
    "the step after it": lambda k, steps: (k + 1) % steps,
    "the step before it": lambda k, steps: (k - 1) % steps,
    "the first step of the round": lambda k, steps: 0,
    "the last step of the round": lambda k, steps: steps - 1,
}
TWO_SAMPLES = tabulate(
    {
        f"the two gradients of a step are taken on different samples: the {('first', 'second')[which]} on that of "
        f"{words}": change_method(partial(_on_two_samples, other=other, which=which))
        for which in (0, 1)
        for words, other in _OTHER_STEPS.items()
    }
)
"""For methods that take two gradients on one sample."""
_LAWS: dict[str, Callable[[int], float]] = {
    **{f"multiplied by {by:g} every round": partial(pow, by) for by in (0.999, 0.99, 0.95, 0.9, 0.5)},
    "divided by t+1 in the rounds t = 0, 1, ...": lambda t: 1.0 / (t + 1),
    "divided by sqrt(t+1) in the rounds t = 0, 1, ...": lambda t: (t + 1) ** -0.5,
}


def laws_of(made: Any) -> list[Mistake]:
    """Return the mistakes whose hyperparameters change from round to round, those of the local step aside."""

    def numbers(r: Round, name: str, law: Callable[[int], float]) -> Any:
        return replace(r.m, **{name: getattr(r.m, name) * law(r.t)})

    return [
        Mistake(f"{f.name} is {words}", numbers=partial(numbers, name=f.name, law=law))
        for f in fields(made)
        if f.init and not f.name.startswith("eta") and isinstance(getattr(made, f.name), float)
        for words, law in _LAWS.items()
    ]


ROUNDS = {
    "first-lost": Mistake(
        "the first round does nothing: x_1 = x_0, and from round 2 on it is the method",
        **_lose(lambda r: r.t == 0),
    ),
    "first-move-lost": Mistake(
        "the first round refreshes what is kept and does not move x: x_1 = x_0",
        server=lambda r: r.new._replace(x=r.old.x) if r.t == 0 else r.new,
    ),
    "alone-lost": Mistake(
        "a round with one active client does nothing; settings with several active clients agree",
        **_lose(lambda r: r.S == 1),
    ),
    "odd-lost": Mistake(
        "every second round does nothing",
        **_lose(lambda r: r.t % 2 == 1),
    ),
    "partial-lost": Mistake(
        "a round in which not all clients are active does nothing; full participation agrees",
        **_lose(lambda r: r.S < r.N),
    ),
    "stale-start": Mistake(
        "the clients start at the server's iterate of one round earlier",
        **set_read(x=lambda r: r.earlier.x),
    ),
    "restart": Mistake(
        "everything that is kept is forgotten after every round: the state starts anew",
        numbers=lambda r: _Forgetful(r.m),
    ),
    **{
        f"restart-{every}": Mistake(
            f"everything that is kept is forgotten after every {every} rounds: the state starts anew",
            numbers=lambda r, every=every: _Forgetful(r.m) if r.t and r.t % every == 0 else r.m,  # type: ignore[misc]
        )
        for every in (2, 3, 4, 5)
    },
    "on-places": Mistake(
        "what clients keep is indexed by their place among the active ones and not by their number",
        oracle=lambda r: ByPlace(r.oracle),
    ),
    "shared-memory": Mistake(
        "the clients share one memory: each active client reads and writes the first client's",
        oracle=lambda r: ByPlace(r.oracle, shared=True),
    ),
}
"""For every method."""
