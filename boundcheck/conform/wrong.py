"""A registered method with one piece of a round got wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.conform.wrong_oracle import ByPlace
from boundcheck.methods.base import Method
from boundcheck.methods.control_variates import Scaffold
from boundcheck.methods.scaffold import ScaffoldState
from boundcheck.methods.schedule import CONSTANT, Schedule

if TYPE_CHECKING:
    from collections.abc import Callable

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


RULES: dict[str, Callable[[Refresh], Vector]] = {
    "displacement": lambda r: r.own - r.common + r.displacement,
    "gradient": lambda r: r.gradient,
}
"""The new control variate: option II of SCAFFOLD, and the mean of the gradients, which is the same without mistakes."""


@dataclass(frozen=True)
class Mistake:
    """A way to get a method wrong: the words for it, and the piece of a round that it changes, all others as they are.

    The pieces are functions of the right method m, of the oracle and of its states; t = 0, 1, ... counts rounds.
    """

    words: str
    start: Callable[[Any, Oracle, Any], Any] = lambda m, oracle, state: state
    """Changes the first state."""
    numbers: Callable[[Any, int], Any] = lambda m, t: m
    """Changes the hyperparameters of round t, or puts another method in the place of m."""
    oracle: Callable[[Any, Oracle, Any], Any] = lambda m, oracle, state: oracle
    """Changes what the round is told by the oracle, given the state that it reads."""
    reads: Callable[[Any, Any, Any], Any] = lambda m, state, earlier: state
    """Changes the state that the local steps read, given that of one round earlier too."""
    refresh: Callable[[Refresh], Refresh] = lambda r: r
    """Changes what a control variate is made of (SCAFFOLD and SCAFFOLD-M)."""
    rules: tuple[str, ...] = tuple(RULES)
    """Rules of the control variate that the mistake can be made in, likewise."""
    server: Callable[[Any, Oracle, Any, Any, int], Any] = lambda m, oracle, state, after, t: after
    """Changes the state after round t, given that before it."""

    @property
    def from_start(self) -> bool:
        """Return whether it is made before the first round."""
        return self.start is not RIGHT.start

    def touches(self, other: Mistake) -> bool:
        """Return whether both change the same piece of a round, so that their order matters."""
        pieces = ("start", "numbers", "oracle", "reads", "refresh", "server")
        return any(
            getattr(self, piece) is not getattr(RIGHT, piece) and getattr(other, piece) is not getattr(RIGHT, piece)
            for piece in pieces
        )

    def and_then(self, other: Mistake) -> Mistake:
        """Return both mistakes, the other one made in what this one leaves."""
        one = self
        return Mistake(
            f"{one.words}; and {other.words}",
            start=lambda m, oracle, state: other.start(m, oracle, one.start(m, oracle, state)),
            numbers=lambda m, t: other.numbers(one.numbers(m, t), t),
            oracle=lambda m, oracle, state: other.oracle(m, one.oracle(m, oracle, state), state),
            reads=lambda m, state, earlier: other.reads(m, one.reads(m, state, earlier), earlier),
            refresh=lambda r: other.refresh(one.refresh(r)),
            rules=tuple(rule for rule in one.rules if rule in other.rules),
            server=lambda m, oracle, state, after, t: other.server(
                m, oracle, state, one.server(m, oracle, state, after, t), t
            ),
        )


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
            state = self.mistake.start(self.right, oracle, state)
        return WrongState(x0, state, state, 0)

    def round(self, oracle: Oracle, state: WrongState) -> WrongState:
        """Make the right method's round around the wrong piece."""
        _, now, earlier, t = state
        mistake = self.mistake if t >= self.since else RIGHT
        right = self.schedule.at(self.right, t)
        reads = mistake.reads(right, now, earlier)
        after = self.run_round(right, mistake, oracle, now, reads, t)
        after = mistake.server(right, oracle, now, after, t)
        return WrongState(after.x, after, now, t + 1)

    def first(self, oracle: Oracle, x0: Vector) -> Any:
        """Return the right method's first state."""
        return self.right.init(oracle, x0)

    def run_round(self, right: Any, mistake: Mistake, oracle: Oracle, state: Any, reads: Any, t: int) -> Any:
        """Return the state after the right method's round from what it reads."""
        return mistake.numbers(right, t).round(mistake.oracle(right, oracle, reads), reads)


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

    def run_round(
        self, right: Any, mistake: Mistake, oracle: Oracle, state: ScaffoldState, reads: ScaffoldState, t: int
    ) -> ScaffoldState:
        """Return the state after the round, the control variates made anew by the rule."""
        m = mistake.numbers(right, t)
        changed = mistake.oracle(right, oracle, reads)
        after = m.round(changed, reads)
        oracle = changed if isinstance(changed, ByPlace) else oracle
        own, gradient = oracle.active(state.c_i), oracle.active(after.c_i)
        # The step of a client is known from its mean gradient: y_i = x - eta K (beta (g_i - c_i + c) + (1 - beta) g).
        corrected = gradient - oracle.active(reads.c_i) + oracle.to_clients(reads.c)
        displacement = m.beta * corrected + (1.0 - m.beta) * oracle.to_clients(reads.g)
        sizes = oracle.active(oracle.to_all(0.0 * state.x[..., :1]) + getattr(oracle, "sizes", np.ones(1))[:, None])
        parts = Refresh(own, oracle.to_clients(state.c), gradient, displacement, oracle.K, m.eta, sizes)
        fresh = RULES[self.rule](mistake.refresh(parts))
        c = state.c + (oracle.S / oracle.N) * oracle.mean(fresh - own)
        return ScaffoldState(after.x, after.g, oracle.remember(state.c_i, fresh), c)


class Weights(float):
    """A beta for which 1 - beta is something else, so that the fresh and the old term have weights of their own."""

    old: float

    def __new__(cls, fresh: float, old: float) -> Weights:
        """Return the weights of the fresh and of the old term."""
        weights = super().__new__(cls, fresh)
        weights.old = old
        return weights

    def __rsub__(self, one: float) -> float:
        return self.old
