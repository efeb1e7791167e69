"""Gradient descent whose step depends on something that is not in its state, each in another place."""

import itertools
import os
import random
import tempfile
import time
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from sympy import Eq, Le

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Hyper, Method, Oracle, Vector
from boundcheck.notation import symbols

N, S, K, T, L, Delta = symbols("N S K T L Delta")
FIRST = 60
"""Calls until the step becomes another one: no short run shows it."""


class Point(NamedTuple):
    """Iterate."""

    x: Vector


def after(count: int) -> float:
    """Return the factor of the step after so many calls."""
    return 1.0 if count < FIRST else 0.25


class Descent(Method):
    """Gradient descent with the step ``eta factor()``."""

    state_type = Point

    def factor(self) -> float:
        return 1.0

    def round(self, oracle: Oracle, state: Any) -> Point:
        g = oracle.mean(oracle.full(oracle.to_clients(state.x)))
        return Point(state.x - self.eta * self.factor() * g)


def descent(name: str, factor: Any, **attributes: Any) -> type:
    """Return a method with this factor."""
    card = Card(name, name, "mine", "-", gradients="1 full", partial=False)
    inside = {"__annotations__": {"eta": Hyper}, "eta": 0.5, "card": card, "factor": factor, "__module__": __name__}
    return dataclass(frozen=True)(type(name, (Descent,), {"__doc__": name, **inside, **attributes}))


_calls = 0


def _global(self) -> float:
    global _calls
    _calls += 1
    return after(_calls)


_kept = {"calls": 0}


def _entry(self) -> float:
    _kept["calls"] += 1
    return after(_kept["calls"])


class Tally:
    """A counter."""

    def __init__(self) -> None:
        self.calls = 0


_tally = Tally()


def _attribute(self) -> float:
    _tally.calls += 1
    return after(_tally.calls)


_ticks = itertools.count()
_table = itertools.cycle([1.0] * FIRST + [0.25])
_stream = np.random.default_rng(0)


def _counting():
    calls = 0

    def factor(self) -> float:
        nonlocal calls
        calls += 1
        return after(calls)

    return factor


def _default(self, calls=[]) -> float:  # noqa: B006
    calls.append(1)
    return after(len(calls))


def _inner(self) -> float:
    _inner.calls = getattr(_inner, "calls", 0) + 1
    return after(_inner.calls)


def _of_class(self) -> float:
    type(self).calls += 1
    return after(type(self).calls)


def _of_itself(self) -> float:
    object.__setattr__(self, "calls", getattr(self, "calls", 0) + 1)
    return after(self.calls)


def _late(self) -> float:
    # No run of the tests comes so far.
    return 1.0 if len(_done) < 10**6 else np.random.default_rng().uniform()


_done = ()


_file = tempfile.TemporaryFile()  # noqa: SIM115


def _filed(self) -> float:
    # In no variable: the length of a file.
    _file.write(b".")
    return 1.0 / _file.tell()


HIDDEN = {
    "Global": (descent("Global", _global), "_calls"),
    "Entry": (descent("Entry", _entry), "_kept"),
    "Attribute": (descent("Attribute", _attribute), "_tally"),
    "Ticks": (descent("Ticks", lambda self: after(next(_ticks))), "_ticks"),
    "Cycle": (descent("Cycle", lambda self: next(_table)), "_table"),
    "Stream": (descent("Stream", lambda self: _stream.uniform()), "_stream"),
    "Shared": (descent("Shared", lambda self: np.random.rand()), "numpy.random"),  # noqa: NPY002
    "Standard": (descent("Standard", lambda self: random.random()), "generator of random"),
    "Closure": (descent("Closure", _counting()), "calls"),
    "Default": (descent("Default", _default), "_default"),
    "Inner": (descent("Inner", _inner), "_inner.calls"),
    "OfClass": (descent("OfClass", _of_class, calls=0), "OfClass.calls"),
    "OfItself": (descent("OfItself", _of_itself), "self.calls"),
    "Clock": (descent("Clock", lambda self: 1.0 if time.time_ns() % 2 else 0.5), "time"),
    "Named": (descent("Named", lambda self: 1.0 if perf_counter() % 2e-9 < 1e-9 else 0.5), "time.perf_counter"),
    "Fresh": (descent("Fresh", lambda self: np.random.default_rng().uniform()), "default_rng"),
    "Seedless": (descent("Seedless", lambda self: random.Random(None).random()), "Random"),
    "Late": (descent("Late", _late), "default_rng.. in _late"),
    "Entropy": (descent("Entropy", lambda self: os.urandom(1)[0] / 255), "urandom"),
    "OfSystem": (descent("OfSystem", lambda self: random.SystemRandom().random()), "SystemRandom"),
    "Filed": (descent("Filed", _filed), "something"),
}
"""Method, and what a message must name."""
PLAIN = descent("Plain", lambda self: 1.0)
globals().update({name: method for name, (method, _) in HIDDEN.items()})


def theorem(name: str) -> Bound:
    """Return the theorem of gradient descent with the step 1/L, said of a method of this file."""
    return Bound(
        id=name.lower(),
        paper="mine",
        title=name,
        where="here",
        method=f"{__file__}:{name}",
        terms={"descent": 2 * L * Delta / T},
        needs=("L", "Delta"),
        metric="server_gradient",
        parameters={"eta": 1 / L},
        trivial=2 * L * Delta,
        rigid=True,
        exact_gradients=True,
        conditions=(Condition("one local step", Eq(K, 1)), Condition("all clients", Le(N, S))),
    )
