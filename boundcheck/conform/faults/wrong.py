"""A registered method with one piece of a round got wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.conform.faults.wrong_oracle import ByPlace
from boundcheck.methods.base import Method
from boundcheck.methods.control_variates import Scaffold
from boundcheck.methods.scaffold import ScaffoldState
from boundcheck.methods.schedule import CONSTANT, Schedule

if TYPE_CHECKING:
    from boundcheck.methods.base import Hyper, Oracle, Vector


class Refresh(NamedTuple):
    """What the active clients have for their new control variates, each (lanes, S, d)."""

    own: Vector
    """c_i."""
    common: Vector
    """c."""
    gradient: Vector
    """Mean of the local gradients."""
    displacement: Vector
    """(x - y_i) / (eta K)."""
    K: int
    eta: Hyper
    sizes: Vector
    """How many data points they say that they have, (lanes, S, 1)."""


Piece = Callable[["Round"], Any]

RULES: dict[str, Callable[[Refresh], Vector]] = {
    "displacement": lambda r: r.own - r.common + r.displacement,
    "gradient": lambda r: r.gradient,
}
"""The new control variate: option II of SCAFFOLD, and the mean of the gradients, which is the same without mistakes."""


class Round(NamedTuple):
    """What a mistake may look at in a round t = 0, 1, ... of the right method m."""

    m: Any
    oracle: Any
    old: Any
    """The state before the round, the first state of a run for `Mistake.start`."""
    new: Any = None
    """The state after the round."""
    earlier: Any = None
    """The state before the round before."""
    t: int = 0

    @property
    def N(self) -> int:
        """Return how many clients there are."""
        return self.oracle.N  # type: ignore[no-any-return]

    @property
    def S(self) -> int:
        """Return how many clients are active."""
        return self.oracle.S  # type: ignore[no-any-return]

    @property
    def K(self) -> int:
        """Return how many local steps they make."""
        return self.oracle.K  # type: ignore[no-any-return]


_CHANGED = {"start": "old", "numbers": "m", "oracle": "oracle", "reads": "old", "server": "new"}
"""Pieces of a round, and the field of `Round` that each of them returns anew."""


@dataclass(frozen=True)
class Mistake:
    """A way to get a method wrong: the words for it, and the pieces of a round that it changes, all others as they are.

    The pieces are functions of `Round`; `set_new` and its like below make most of them.
    """

    words: str
    start: Piece = attrgetter("old")
    """Returns the first state."""
    numbers: Piece = attrgetter("m")
    """Returns the method with other hyperparameters, or another method in its place."""
    oracle: Piece = attrgetter("oracle")
    """Returns what tells the round of clients and averages."""
    reads: Piece = attrgetter("old")
    """Returns the state that the local steps read."""
    refresh: Callable[[Refresh], Refresh] = lambda r: r
    """Returns what a control variate is made of (SCAFFOLD and SCAFFOLD-M)."""
    rules: tuple[str, ...] = tuple(RULES)
    """Rules of the control variate that the mistake can be made in, likewise."""
    server: Piece = attrgetter("new")
    """Returns the state after the round."""

    @property
    def from_start(self) -> bool:
        """Return whether it is made before the first round."""
        return self.start is not RIGHT.start

    @property
    def pieces(self) -> set[str]:
        """Return the names of the pieces that it changes."""
        return {name for name in (*_CHANGED, "refresh") if getattr(self, name) is not getattr(RIGHT, name)}

    def and_then(self, other: Mistake) -> Mistake:
        """Return both mistakes, the other one made in what this one leaves."""
        one = self
        both = {name: _and_then(getattr(one, name), getattr(other, name), field) for name, field in _CHANGED.items()}
        return Mistake(
            f"{one.words}; and {other.words}",
            refresh=lambda r: other.refresh(one.refresh(r)),
            rules=tuple(rule for rule in one.rules if rule in other.rules),
            **both,
        )


def _and_then(one: Piece, other: Piece, field: str) -> Piece:
    return lambda r: other(r._replace(**{field: one(r)}))


RIGHT = Mistake("none")
"""What the rounds before the first wrong one make."""


class WrongState(NamedTuple):
    """The right method's state after this round and after the one before."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    now: Any
    earlier: Any
    t: int
    """Number of the coming round."""


@dataclass(frozen=True)
class WrongMethod(Method):
    """A registered method with a mistake, made from round `since` on."""

    right: Any
    mistake: Mistake
    since: int = 0
    schedule: Schedule = CONSTANT
    """How the right method's hyperparameters change from round to round."""

    def init(self, oracle: Oracle, x0: Vector) -> WrongState:
        """Start like the right method, or wrongly."""
        state = self.first(oracle, x0)
        if not self.since:
            state = self.mistake.start(Round(self.right, oracle, state))
        return WrongState(x0, state, state, 0)

    def round(self, oracle: Oracle, state: WrongState) -> WrongState:
        """Make the right method's round around the wrong piece."""
        _, now, earlier, t = state
        mistake = self.mistake if t >= self.since else RIGHT
        right = self.schedule.at(self.right, t)
        r = Round(right, oracle, now, earlier=earlier, t=t)
        after = mistake.server(r._replace(new=self.run_round(mistake, r)))
        return WrongState(after.x, after, now, t + 1)

    def first(self, oracle: Oracle, x0: Vector) -> Any:
        """Return the right method's first state."""
        return self.right.init(oracle, x0)

    def run_round(self, mistake: Mistake, r: Round) -> Any:
        """Return the state after the right method's round from what it reads."""
        reads = mistake.reads(r)
        return mistake.numbers(r).round(mistake.oracle(r._replace(old=reads)), reads)


@dataclass(frozen=True)
class WrongScaffold(WrongMethod):
    """SCAFFOLD-M (at beta = 1 SCAFFOLD) with a mistake, the control variates by either rule."""

    right: Any
    """A `ScaffoldM`."""
    rule: str = "displacement"

    def first(self, oracle: Oracle, x0: Vector) -> ScaffoldState:
        """Start with SCAFFOLD's control variates, which may be zero."""
        _, c_i, c = Scaffold(eta=self.right.eta, B=self.right.B).init(oracle, x0)
        return ScaffoldState(x0, 0.0 * x0, c_i, c)

    def run_round(self, mistake: Mistake, r: Round) -> ScaffoldState:
        """Return the state after the round, the control variates made anew by the rule."""
        m, state, reads = mistake.numbers(r), r.old, mistake.reads(r)
        changed = mistake.oracle(r._replace(old=reads))
        after = m.round(changed, reads)
        oracle = changed if isinstance(changed, ByPlace) else r.oracle
        own, gradient = oracle.active(state.c_i), oracle.active(after.c_i)
        # The step of a client is known from its mean gradient: y_i = x - eta K (beta (g_i - c_i + c) + (1 - beta) g).
        corrected = gradient - oracle.active(reads.c_i) + oracle.to_clients(reads.c)
        displacement = m.beta * corrected + (1.0 - m.beta) * oracle.to_clients(reads.g)
        sizes = oracle.active(oracle.to_all(0.0 * state.x[..., :1]) + getattr(oracle, "sizes", np.ones(1))[:, None])
        parts = Refresh(own, oracle.to_clients(state.c), gradient, displacement, oracle.K, m.eta, sizes)
        fresh = RULES[self.rule](mistake.refresh(parts))
        c = state.c + (oracle.S / oracle.N) * oracle.mean(fresh - own)
        return ScaffoldState(after.x, after.g, oracle.remember(state.c_i, fresh), c)
