"""A method whose steps follow a law of the round, as a method like any other: whoever runs rounds need not know."""

from __future__ import annotations

import dataclasses
from collections import namedtuple
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from boundcheck.methods.schedule import Schedule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.methods.base import Method


def with_laws(method: Method, laws: Mapping[str, str]) -> Method:
    """Return a method whose hyperparameters are multiplied by their laws, its state counting the rounds.

    Parameters
    ----------
    method : Method
    laws : mapping
        Hyperparameter to a law of `boundcheck.methods.schedule`; `laws` of what is returned.

    Raises
    ------
    InputError
        If the method has no number of a name, or a law is not legal.
    """
    if not laws:
        return method
    schedule = Schedule.of(laws, method)
    values = {f.name: getattr(method, f.name) for f in dataclasses.fields(method)}  # type: ignore[arg-type]
    made: Method = _scheduled_class(type(method), schedule)(**values)
    return made


@cache
def _scheduled_class(cls: type[Method], schedule: Schedule) -> Any:
    """Return the subclass of a method that follows a schedule."""

    class Scheduled(cls):  # type: ignore[misc, valid-type]
        __doc__ = cls.__doc__
        laws = schedule.laws

        def init(self, oracle: Any, x0: Any) -> Any:
            state = cls.init(self, oracle, x0)
            kind: Any = type(state)
            return _counting(kind)(*state, 0)

        def round(self, oracle: Any, state: Any) -> Any:
            values = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
            now = schedule.at(cls(**values), state.rounds_done)
            *parts, done = state
            return type(state)(*now.round(oracle, type(state).plain(*parts)), done + 1)

        def clients_round(self, oracle: Any, state: Any) -> Any:
            return self.round(oracle, state)

    Scheduled.__name__ = Scheduled.__qualname__ = cls.__name__
    return Scheduled


@cache
def _counting(plain: Any) -> Any:
    """Return a state with one more part: the rounds that are done."""
    fields = [*plain._fields, "rounds_done"]
    counting = cast("Any", namedtuple)("Counting", fields)
    counting.plain = plain
    return counting
