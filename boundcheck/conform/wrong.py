"""A registered method with one piece of a round got wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from boundcheck.methods.base import Method
from boundcheck.methods.control_variates import Scaffold
from boundcheck.methods.scaffold import ScaffoldState

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.methods.base import Hyper, Oracle, Vector
    from boundcheck.methods.scaffold import ScaffoldM


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


RULES: dict[str, Callable[[Refresh], Vector]] = {
    "displacement": lambda r: r.own - r.common + r.displacement,
    "gradient": lambda r: r.gradient,
}
"""The new control variate: option II of SCAFFOLD, and the mean of the gradients, which is the same without mistakes."""


@dataclass(frozen=True)
class Mistake:
    """A way to get a method wrong: the words for it, and the piece of a round that it changes, all others as they are.

    The pieces are functions of the right method m and of its states.
    """

    words: str
    start: Callable[[Any, Any], Any] = lambda m, state: state
    """Changes the first state."""
    numbers: Callable[[Any], Any] = lambda m: m
    """Changes the hyperparameters."""
    samples: Callable[[Oracle], Any] = lambda oracle: oracle
    """Changes what the local steps draw."""
    reads: Callable[[Any, Any, Any], Any] = lambda m, state, earlier: state
    """Changes the state that the local steps read, given that of one round earlier too."""
    refresh: Callable[[Refresh], Refresh] = lambda r: r
    """Changes what a control variate is made of (SCAFFOLD and SCAFFOLD-M)."""
    rules: tuple[str, ...] = tuple(RULES)
    """Rules of the control variate that the mistake can be made in, likewise."""
    server: Callable[[Any, Oracle, Any, Any], Any] = lambda m, oracle, state, after: after
    """Changes the state after the round, given that before it."""


class WrongState(NamedTuple):
    """The right method's state after this round and after the one before."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    now: Any
    earlier: Any


@dataclass(frozen=True)
class Wrong(Method):
    """A registered method with a mistake."""

    right: Any
    mistake: Mistake

    def init(self, oracle: Oracle, x0: Vector) -> WrongState:
        """Start like the right method, or wrongly."""
        state = self.mistake.start(self.right, self.first(oracle, x0))
        return WrongState(x0, state, state)

    def round(self, oracle: Oracle, state: WrongState) -> WrongState:
        """Make the right method's round around the wrong piece."""
        _, now, earlier = state
        after = self.rounded(oracle, now, self.mistake.reads(self.right, now, earlier))
        after = self.mistake.server(self.right, oracle, now, after)
        return WrongState(after.x, after, now)

    def first(self, oracle: Oracle, x0: Vector) -> Any:
        """Return the right method's first state."""
        return self.right.init(oracle, x0)

    def rounded(self, oracle: Oracle, state: Any, reads: Any) -> Any:
        """Return the state after the right method's round from what it reads."""
        return self.mistake.numbers(self.right).round(self.mistake.samples(oracle), reads)


@dataclass(frozen=True)
class WrongScaffold(Wrong):
    """SCAFFOLD-M (at beta = 1 SCAFFOLD) with a mistake, the control variates by either rule."""

    right: ScaffoldM
    rule: str

    def first(self, oracle: Oracle, x0: Vector) -> ScaffoldState:
        """Start with SCAFFOLD's control variates, which may be zero."""
        _, c_i, c = Scaffold(eta=self.right.eta, B=self.right.B).init(oracle, x0)
        return ScaffoldState(x0, 0.0 * x0, c_i, c)

    def rounded(self, oracle: Oracle, state: ScaffoldState, reads: ScaffoldState) -> ScaffoldState:
        """Return the state after the round, the control variates made anew by the rule."""
        m = self.mistake.numbers(self.right)
        after = m.round(self.mistake.samples(oracle), reads)
        own, gradient = oracle.active(state.c_i), oracle.active(after.c_i)
        # The step of a client is known from its mean gradient: y_i = x - eta K (beta (g_i - c_i + c) + (1 - beta) g).
        corrected = gradient - oracle.active(reads.c_i) + oracle.to_clients(reads.c)
        displacement = m.beta * corrected + (1.0 - m.beta) * oracle.to_clients(reads.g)
        parts = Refresh(own, oracle.to_clients(state.c), gradient, displacement, oracle.K, m.eta)
        fresh = RULES[self.rule](self.mistake.refresh(parts))
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


class FirstSample:
    """An oracle whose round uses the minibatch of its first draw at every step; the others are drawn and not used."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self._first: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._oracle, name)

    def draw(self, b: int | None = None) -> Any:
        """Draw, and return the first."""
        self._first.append(self._oracle.draw(b))
        return self._first[0]
