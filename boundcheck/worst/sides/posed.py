"""A worst case as a programme: what it maximises, over which class, and the solver's answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from boundcheck.worst.facts.measures import OF_DISTANCE, OF_VALUES, left_hand_side_of, rounds_of
from boundcheck.worst.gram.blocks import PairOracle
from boundcheck.worst.gram.trace import trace_method
from boundcheck.worst.sides.neighbours import NeighbourConstraints
from boundcheck.worst.sides.programme import SOLVED, UNBOUNDED
from boundcheck.worst.sides.saddle import on_saddles
from boundcheck.worst.sides.split import upper_side
from boundcheck.worst.sides.whole import minimiser_of

if TYPE_CHECKING:
    from boundcheck.methods.base import Method
    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.facts.measures import LeftHandSide
    from boundcheck.worst.gram.rows import Array
    from boundcheck.worst.gram.trace import Trace
    from boundcheck.worst.sides.programme import Solution
    from boundcheck.worst.sides.shared import SharedFunctionConstraints
    from boundcheck.worst.sides.whole import ClassConstraints


_LONG = 14
"""Points beyond which a run is long."""
_DENSE = 24
"""Points beyond which the programme with all conditions takes minutes to nine digits."""


class SolvedProgramme(NamedTuple):
    """A programme, what it maximises, and the solver's answer."""

    whole: Any
    looked: LeftHandSide
    row: Array
    solution: Solution

    @property
    def upper(self) -> float:
        """Return the larger of the solver's two values; inf if it is unbounded, nan if the solver failed."""
        status = self.solution.status
        if status in SOLVED:
            return max(self.solution.primal, self.solution.dual)
        return float("inf") if status in UNBOUNDED else float("nan")

    @property
    def gap(self) -> float:
        """Return the difference of the solver's two values."""
        return abs(self.solution.primal - self.solution.dual)


def trace_and_locate(
    method: Method, measure: str, given: ProblemClass, *, K: int, T: int, S: int | None, b: int
) -> tuple[Trace, LeftHandSide]:
    """Return the rounds of a method that a left-hand side sees, and where it looks."""
    S = given.N if S is None else S
    rounds = rounds_of(measure, T)
    pairs = method.card.kind == "minimax"
    if not rounds:
        # A start alone would hide a method that is not linear.
        trace_method(method, N=given.N, K=K, T=1, S=S, b=b, pairs=pairs)
    trace = trace_method(method, N=given.N, K=K, T=rounds, S=S, b=b, noisy=given.sigma > 0, pairs=pairs)
    trace.oracle.point(trace.iterates[0])
    return trace, left_hand_side_of(measure, trace)


def solve_programme(trace: Trace, looked: LeftHandSide, given: ProblemClass) -> SolvedProgramme:
    """Return the programme of a run and a left-hand side, solved."""
    whole: Any
    if isinstance(trace.oracle, PairOracle):
        whole, looked = on_saddles(trace, looked, given)
    else:
        spoken = given.has_minimiser or looked.name in OF_VALUES
        minimiser = minimiser_of(trace) if spoken else None
        if is_long(trace, given):
            long = NeighbourConstraints(trace, given, minimiser)
            row = objective(long, looked)
            solution = long.maximise(row)
            if solution.status in SOLVED:
                return SolvedProgramme(long, looked, row, solution)
        whole = upper_side(trace, given, minimiser)
    row = objective(whole, looked)
    roughly = len(trace.oracle.points) > _DENSE
    return SolvedProgramme(whole, looked, row, whole.programme.maximise(row, roughly=roughly))


def is_long(trace: Trace, given: ProblemClass) -> bool:
    """Return whether a run is so long that conditions between neighbouring points are the ones to begin with."""
    plain = given.sigma == 0 and trace.oracle.S == trace.oracle.N and not trace.others
    return plain and len(trace.oracle.points) > _LONG


def objective(whole: ClassConstraints | SharedFunctionConstraints, looked: LeftHandSide) -> Array:
    """Return the row of a left-hand side; 'best' becomes a level below the gradients at all its points."""
    rows = whole.rows
    if looked.name in OF_VALUES:
        numbers = [(float(weight), whole.number(whole.trace.oracle.point(x))) for weight, x in looked.points]
        return sum((weight * rows.value(k) for weight, k in numbers), rows.zero())
    if looked.name in OF_DISTANCE and whole.minimiser is not None:
        x_star = whole.pair(whole.minimiser.at)
        away = [(float(weight), rows.square(whole.pair(x) - x_star)) for weight, x in looked.points]
        whole.programme.equal(("level",), rows.level())
        return sum((weight * square for weight, square in away), rows.zero())
    squares = [(float(weight), rows.square(whole.mean_gradient(x))) for weight, x in looked.points]
    squares += [(float(weight), rows.square(whole.pair(v))) for weight, v in looked.vectors]
    if looked.name == "best":
        for k, (_, square) in enumerate(squares):
            whole.programme.at_most(("level", k), rows.level() - square, looked.added[k] if looked.added else 0.0)
        return rows.level()
    whole.programme.equal(("level",), rows.level())
    total: Array = sum((weight * square for weight, square in squares), rows.zero())
    return total
