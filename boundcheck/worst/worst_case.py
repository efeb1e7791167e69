"""The worst case of a method over all problems of a class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boundcheck.worst.measures import measured
from boundcheck.worst.trace import traced
from boundcheck.worst.whole import Whole

if TYPE_CHECKING:
    from boundcheck.methods.base import Method
    from boundcheck.worst.classes import ProblemClass
    from boundcheck.worst.measures import Measured
    from boundcheck.worst.programme import Solution
    from boundcheck.worst.rows import Array
    from boundcheck.worst.shared import Shared
    from boundcheck.worst.trace import Trace


@dataclass(frozen=True)
class Side:
    """A programme that was solved, with what it was made of."""

    trace: Trace
    measure: Measured
    whole: Whole
    solution: Solution


def solved(method: Method, given: ProblemClass, *, K: int, T: int, b: int = 1, measure: str = "average") -> Side:
    """Solve the programme over the whole class, the upper side."""
    trace = traced(method, N=given.N, K=K, T=T, b=b, noisy=given.sigma > 0)
    looked = measured(measure, trace)
    whole = Whole(trace, given)
    return Side(trace, looked, whole, whole.programme.maximise(objective(whole, looked)))


def objective(whole: Whole | Shared, looked: Measured) -> Array:
    """Return the row of a left-hand side; 'best' becomes a level below the gradients at all its points."""
    rows = whole.rows
    squares = [(weight, rows.square(whole.mean_gradient(x))) for weight, x in looked.points]
    if looked.name == "value":
        return rows.value(whole.number(whole.trace.oracle.point(looked.points[0][1])))
    if looked.name == "best":
        for k, (_, square) in enumerate(squares):
            whole.programme.at_most(("level", k), rows.level() - square)
        return rows.level()
    total: Array = sum((weight * square for weight, square in squares), rows.zero())
    whole.programme.equal(("level",), rows.level())
    return total
