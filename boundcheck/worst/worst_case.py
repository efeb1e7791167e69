"""The worst case of a method over all problems of a class."""

from __future__ import annotations

import dataclasses
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from boundcheck.errors import NotApplicableError, require, require_count
from boundcheck.problems.extremal.family import Extremal
from boundcheck.worst.blocks import PairOracle
from boundcheck.worst.case import WorstCase
from boundcheck.worst.classes import ProblemClass
from boundcheck.worst.instance import Attained, attained, pieces_of, tilted_pieces_of
from boundcheck.worst.measures import OF_CLIENTS, OF_VALUES, measured, rounds_of
from boundcheck.worst.noisy import added_at_points, added_by_noise
from boundcheck.worst.programme import SOLVED, UNBOUNDED
from boundcheck.worst.saddle import on_saddles, require_saddles
from boundcheck.worst.shared import Shared
from boundcheck.worst.split import upper_side
from boundcheck.worst.trace import traced
from boundcheck.worst.units import with_floats
from boundcheck.worst.whole import Whole, minimiser_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.methods.base import Method
    from boundcheck.problems.extremal.data import Pieces
    from boundcheck.worst.measures import Measured
    from boundcheck.worst.programme import Programme, Solution
    from boundcheck.worst.rows import Array
    from boundcheck.worst.trace import Trace

_INFINITE = "no worst case is finite: zeta or G_0 has to bound how clients differ, or the steps are too long"
_CLOSE = 1e-8
"""Relative gap below which no better function is looked for."""
_MARGINS = (1e-9, 1e-8)
"""Margins of interpolation, in units of Delta."""


def worst(
    method: Method,
    *,
    K: int,
    T: int,
    S: int | None = None,
    b: int = 1,
    measure: str = "average",
    given: ProblemClass | None = None,
    **constants: Any,
) -> WorstCase:
    """Return the worst case of a method over all problems of a class.

    Parameters
    ----------
    method : Method
        Its own code runs on Gram coordinates.
    K, T, b : int
        Local steps a round, rounds, samples of a minibatch.
    S : int, optional
        Clients that are active in a round, drawn without replacement; by default all.  With S < N the left-hand side is
        an expectation over draws, and there is an upper side only.
    measure : str
        A name in `boundcheck.worst.MEASURES`, or ``average(0.25)`` for weights of growth 0.25.
    given : ProblemClass, optional
        The class; or its constants by name, by default L = Delta = 1, N = 2, without noise.

    Returns
    -------
    WorstCase

    Raises
    ------
    InputError
        If a number is not legal.
    NotApplicableError
        If the method is not linear, or Clarabel is not installed.

    Examples
    --------
    >>> from boundcheck.methods.fedavg import FedAvg
    >>> found = worst(FedAvg(eta=0.5), K=2, T=2, zeta=1.0)
    >>> f"{found.upper:.6f}", found.exact
    ('1.093750', True)
    """
    given = ProblemClass(**constants) if given is None else dataclasses.replace(given, **constants)
    _require_legal(measure, given, T, S)
    method = with_floats(method)
    if method.card.kind == "minimax":
        require_saddles(method.card.id, given, S)
    trace, looked = _seen(method, measure, given, K=K, T=T, S=S, b=b)
    posed = _posed(trace, looked, given)
    whole, solution = posed.whole, posed.solution
    if given.sigma > 0 and trace.oracle.S == given.N:
        found, why = _noisy(method, trace, looked, given, K=K, T=T, b=b)
    else:
        found, why = _lower(posed)
    case = WorstCase(
        method=method.card.id,
        K=K,
        T=T,
        S=int(trace.oracle.S),
        given=given,
        measure=measure,
        upper=posed.upper,
        dual=solution.dual,
        gap=abs(solution.primal - solution.dual),
        lower=None,
        problem=None,
        status=solution.status,
        seconds=solution.seconds,
        sizes=whole.programme.sizes,
        why=why,
        solution=solution,
    )
    return case if found is None else case.attained_by(found)


def _require_legal(measure: str, given: ProblemClass, T: int, S: int | None) -> None:
    of_values = measure in OF_VALUES
    require(not of_values or given.Delta_mean is None, "measure", measure, "for Delta or distance, not for Delta_mean")
    require_count(T, "T")
    all_active = S is None or S == given.N
    require(all_active or measure not in OF_CLIENTS, "measure", measure, "about server points, where S < N")


def _seen(
    method: Method, measure: str, given: ProblemClass, *, K: int, T: int, S: int | None, b: int
) -> tuple[Trace, Measured]:
    """Return the rounds of a method that a left-hand side sees, and where it looks."""
    S = given.N if S is None else S
    rounds = rounds_of(measure, T)
    pairs = method.card.kind == "minimax"
    if not rounds:
        # A start alone would hide a method that is not linear.
        traced(method, N=given.N, K=K, T=1, S=S, b=b, pairs=pairs)
    trace = traced(method, N=given.N, K=K, T=rounds, S=S, b=b, noisy=given.sigma > 0, pairs=pairs)
    trace.oracle.point(trace.iterates[0])
    return trace, measured(measure, trace)


class _Posed(NamedTuple):
    """A programme, what it maximises, and the solver's answer."""

    whole: Any
    looked: Measured
    row: Array
    solution: Solution

    @property
    def upper(self) -> float:
        """Return the larger of the solver's two values; inf if it is unbounded, nan if the solver failed."""
        status = self.solution.status
        if status in SOLVED:
            return max(self.solution.primal, self.solution.dual)
        return float("inf") if status in UNBOUNDED else float("nan")


def _posed(trace: Trace, looked: Measured, given: ProblemClass) -> _Posed:
    """Return the programme of a run and a left-hand side, solved."""
    whole: Any
    if isinstance(trace.oracle, PairOracle):
        whole, looked = on_saddles(trace, looked, given)
    else:
        spoken = given.has_minimiser or looked.name in OF_VALUES
        whole = upper_side(trace, given, minimiser_of(trace) if spoken else None)
    row = objective(whole, looked)
    return _Posed(whole, looked, row, whole.programme.maximise(row))


def _noisy(
    method: Method, trace: Trace, looked: Measured, given: ProblemClass, *, K: int, T: int, b: int
) -> tuple[Attained | None, str]:
    """Return the worst function without noise and one more coordinate for the noise, or why there is none."""
    quiet = dataclasses.replace(given, sigma=0.0)
    run, seen = _seen(method, looked.name, quiet, K=K, T=T, S=None, b=b)
    added = added_by_noise(trace, looked, given)
    if looked.name == "best":
        seen, added = dataclasses.replace(seen, added=added_at_points(trace, looked, given)), 0.0
    found, why = _lower(_posed(run, seen, quiet))
    if found is None:
        return None, why
    return Attained(Extremal.of(found.problem.pieces, sigma=given.sigma), found.value + added), ""


def _lower(posed: _Posed) -> tuple[Attained | None, str]:
    """Return the best problem that is found and the value on it, or why there is none."""
    whole, looked, status, upper = posed.whole, posed.looked, posed.solution.status, posed.upper
    given = whole.given
    if status not in SOLVED:
        return None, _INFINITE if status in UNBOUNDED else f"the solver says {status}"
    tilted = given.everywhere or (given.N > 2 and not given.has_minimiser and given.Delta is not None)
    if (why := whole.unattained) and (whole.trace.oracle.S < given.N or not tilted):
        return None, why
    pieces = _tilted(whole, looked) if tilted else _through(whole, posed.row, posed.solution)
    if not tilted and given.Delta is not None and not given.has_minimiser:
        # Short steps make points that nearly coincide, which tilts of one function bear better.
        pieces = chain(pieces, _of_one(whole, looked))
    best: Attained | None = None
    for one in pieces:
        made = attained(whole.trace, looked, given, one)
        if made is not None and (best is None or made.value > best.value):
            best = made
        if best is not None and abs(upper - best.value) <= _CLOSE * upper:
            return best, ""
    return best, "" if best else why or "the infimum of the function through the solution was not found"


def _through(whole: Whole, row: Array, first: Solution) -> Iterator[Pieces]:
    """Yield functions of the solution, then of those that meet interpolation with a margin.

    A function misses a gradient by the root of what interpolation is violated by: 1e-10 in values is 1e-5.
    """
    yield from pieces_of(whole, first)
    for margin in _MARGINS:
        found = _answered(whole.programme.within("interpolation", margin * _scale(whole.given)), row)
        if found is not None:
            yield from pieces_of(whole, found)


def _tilted(whole: Whole, looked: Measured) -> Iterator[Pieces]:
    """Yield two clients' own functions, for an even number whose heterogeneity may vary; then h + <c_i, .>."""
    given = whole.given
    if given.N % 2 == 0 and not given.everywhere:
        two = Whole(whole.trace, dataclasses.replace(given, N=2), whole.minimiser)
        row = objective(two, looked)
        first = _answered(two.programme, row)
        if first is not None:
            yield from _through(two, row, first)
    yield from _of_one(whole, looked)


def _of_one(whole: Whole, looked: Measured) -> Iterator[Pieces]:
    """Yield functions h + <c_i, .> with one h."""
    given = whole.given
    shared = Shared(whole.trace, given, whole.minimiser)
    row = objective(shared, looked)
    for margin in (0.0, *_MARGINS):
        for kind in ("interpolation", "between clients"):
            shared.programme = shared.programme.within(kind, margin * _scale(given))
        found = _answered(shared.programme, row)
        if found is not None:
            yield from tilted_pieces_of(shared, found)


def _answered(programme: Programme, row: Array) -> Solution | None:
    """Return a solution to make a function of; None where the solver has none, or panics at a margin."""
    try:
        found = programme.maximise(row)
    except NotApplicableError:
        return None
    return found if found.status in SOLVED else None


def _scale(given: ProblemClass) -> float:
    """Return the unit of values."""
    known = [v for v in (given.Delta, given.Delta_mean) if v is not None]
    return max(known, default=given.L * (given.distance or 0.0) ** 2)


def objective(whole: Whole | Shared, looked: Measured) -> Array:
    """Return the row of a left-hand side; 'best' becomes a level below the gradients at all its points."""
    rows = whole.rows
    if looked.name in OF_VALUES:
        numbers = [(float(weight), whole.number(whole.trace.oracle.point(x))) for weight, x in looked.points]
        return sum((weight * rows.value(k) for weight, k in numbers), rows.zero())
    squares = [(float(weight), rows.square(whole.mean_gradient(x))) for weight, x in looked.points]
    squares += [(float(weight), rows.square(whole.pair(v))) for weight, v in looked.vectors]
    if looked.name == "best":
        for k, (_, square) in enumerate(squares):
            whole.programme.at_most(("level", k), rows.level() - square, looked.added[k] if looked.added else 0.0)
        return rows.level()
    whole.programme.equal(("level",), rows.level())
    total: Array = sum((weight * square for weight, square in squares), rows.zero())
    return total
