"""One left-hand side of a theorem: what is measured, in which unit, and what becomes of the measurements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from boundcheck.errors import NotApplicableError
from boundcheck.metrics.measuring import (
    RANKED,
    distance,
    dual_gap,
    envelope_gradient,
    held_out,
    local_gradient,
    minimiser,
    server_gradient,
    suboptimality,
    value,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.metrics.measuring import Array, Measurable
    from boundcheck.metrics.transitions import RoundTransition

    Measure: TypeAlias = Callable[[Measurable, Array, Array], Array]

Over: TypeAlias = Literal["mean", "least", "end", "centre", "regret"]
Rounds: TypeAlias = Literal["", "lengths", "values"]


@dataclass(frozen=True)
class Metric:
    """One quantity measured at the server iterates or at the local iterates of a run, and what is made of it."""

    name: str
    meaning: str
    measure: Measure
    """``measure(problem, y, x)`` with local points y (lanes, clients, d), server point x; returns (lanes,)."""
    unit: tuple[int, int]
    """Powers of the scales of f and of x."""
    transition: Callable[[RoundTransition], Array] | None = None
    """What measures a whole round in place of `measure`."""
    local: bool = False
    """Whether every local step is a measurement (else every round, before its steps)."""
    weighted: bool = False
    """Whether the method's weights form a weighted sum (else the plain average is kept)."""
    growth: float = 0.0
    """z of an average with weights (1 + z)^(T-1-t) over the rounds t, the law of a theorem's random output."""
    growth_letter: str = ""
    """Letter by which a theorem prescribes that growth; empty where weights do not grow."""
    over: Over = "mean"
    """What becomes of the measurements: their average (or weighted sum); the least of them; only the one after the last
    round counts (`end`); the average of the *points* is measured (`centre`); or the losses of an online problem are
    summed and compared with the best fixed point (`regret`)."""
    state: Callable[[Measurable, Any, Any], Array] | None = None
    """``state(problem, method, state)`` for `end`, where more than the server iterate is measured; returns (lanes,)."""
    signed: bool = False
    """Whether values below 0 occur: then only runs without randomness are compared with a bound."""
    higher: bool = False
    """Whether large values are good."""
    reads: tuple[str, ...] = ()
    """Constants of the problem that it reads."""
    minimax: bool = False
    """Whether it is about Phi, which minimax problems alone have."""
    rounds: Rounds = ""
    """What rounding makes of it where it should be 0: of `lengths` (gradients, points, their differences) a power of
    their rounding; of `values` that of a difference of values of f; empty: whatever its unit allows, the largest."""
    axis: str = ""
    """Label of an axis, in matplotlib's mathematics."""
    formula: str = ""
    """The left-hand side in Typst's mathematics; empty where it is set by name."""

    @property
    def mixes(self) -> bool:
        """Return whether it can be measured on lanes of several numbers of clients: it reads nothing of them but f."""
        return self.measure in _OF_AVERAGES and self.transition is None and self.state is None

    @property
    def factors(self) -> tuple[int, int]:
        """Return the powers of the scales of a gradient and of a point that make up its unit."""
        f, x = self.unit
        return f, f + x

    @property
    def gradient_of(self) -> Literal["f", "Phi", ""]:
        """Whose squared gradient at a point is measured, whatever becomes of the measurements; empty: nobody's."""
        if self.transition or self.state:
            return ""
        if self.measure is envelope_gradient:
            return "Phi"
        return "f" if self.measure in {server_gradient, local_gradient} else ""

    @property
    def is_squared_gradient(self) -> bool:
        """Return whether it is |grad f|^2 at one point, or an average of that over points."""
        return self.gradient_of == "f" and not self.weighted

    @property
    def averages_gradients(self) -> bool:
        """Return whether it is an average, or a weighted sum, of squared gradients of f or of Phi over many points."""
        return bool(self.gradient_of) and self.over == "mean"

    @property
    def label(self) -> str:
        """Return the name, with the growth of the weights if they grow: the text that `metric_of` reads."""
        return f"{self.name}({self.growth!r})" if self.growth else self.name

    def require_on(self, problem: Measurable) -> None:
        """Refuse a problem on which it cannot be measured.

        Raises
        ------
        NotApplicableError
            If the metric needs Phi and the problem is not a minimax problem, or what the problem does not measure.
        """
        if self.minimax and not problem.is_minimax:
            msg = f"metric {self.name} needs Phi, but problem {problem.name} is not a minimax problem"
            raise NotApplicableError(msg)
        if self.name in RANKED:
            held_out(problem, self.name)
        if "x_star" in self.reads:
            minimiser(problem, self.name)
        if self.over == "regret" and not problem.online:
            msg = f"metric {self.name} needs a problem of online losses (family online), but {problem.name} is none"
            raise NotApplicableError(msg)

    def at_end(self, problem: Measurable, method: Any, state: Any) -> Array:
        """Return what is measured on the state after a round, (lanes,)."""
        x: Array = state.x
        return self.measure(problem, x, x) if self.state is None else self.state(problem, method, state)


_OF_AVERAGES = frozenset({server_gradient, local_gradient, envelope_gradient, suboptimality, value, dual_gap, distance})
"""What reads the server point, or the mean of the clients' points, and f, its gradient or its envelope there."""


def is_metric(found: object) -> bool:
    """Return whether this is the record of a left-hand side."""
    return isinstance(found, Metric)
