"""The ways of comparing the two sides of an identity, each a check that takes nothing and returns the deviation."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from boundcheck.conform.identity import Deviation
from boundcheck.conform.runs.harness import harness_rounds, server_iterates
from boundcheck.conform.runs.small_problems import curved_clients, noisy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from boundcheck.conform.runs.harness import Make, SteppedRound
    from boundcheck.problems.base import Array, Problem

Pair: TypeAlias = "tuple[Any, Any]"
"""The left and the right-hand side of an equation."""

ROUNDING = 1e-11
"""Tolerance of an equation between two ways of writing the same sum."""
LIMIT = 1e-5
"""Tolerance of a limit taken at eta = 1e-7, or of a slope taken by differences: neither side is exact."""


def relative_gap(found: Any, expected: Any, scale: float = 0.0) -> float:
    """Return the largest difference relative to the largest entry of `expected`, or to a larger `scale`."""
    expected = np.asarray(expected, dtype=float)
    size = max(float(np.max(np.abs(expected))), scale)
    return float(np.max(np.abs(np.asarray(found, dtype=float) - expected))) / (size or 1.0)


def largest_deviation(gaps: Iterable[float], tolerance: float = ROUNDING) -> Deviation:
    """Return the largest of the gaps, nan if one is."""
    return Deviation(float(np.max(list(gaps))), tolerance)


def same_iterates(
    first: Make,
    second: Make,
    *,
    on: Callable[[], Problem] = noisy,
    against: Callable[[], Problem] | None = None,
    K: Sequence[int] = (1, 3),
    S: Sequence[int | None] = (None, 2),
    T: int = 4,
    late: bool = False,
    full: bool = False,
    tolerance: float = ROUNDING,
) -> Callable[[], Deviation]:
    """Return the check that two methods have the same server iterates at every round.

    Parameters
    ----------
    first, second
        The methods; `second` spends a minibatch before the first round if `late` and runs with all clients if `full`.
    on, against
        Problem of the first method, and of the second if it is another.
    K, S, T, tolerance
        Settings (S = None is all clients) and what rounding may do.
    """

    def gaps() -> Iterator[float]:
        for k, s in itertools.product(K, S):
            expected = server_iterates((against or on)(), second, K=k, S=None if full else s, T=T, late=late)
            yield relative_gap(server_iterates(on(), first, K=k, S=s, T=T), expected)

    return lambda: largest_deviation(gaps(), tolerance)


def law(
    make: Make,
    equations: Callable[[SteppedRound], Iterable[Pair]],
    *,
    on: Callable[[], Problem] = noisy,
    K: Sequence[int] = (1, 3),
    S: Sequence[int | None] = (None, 2),
    T: int = 4,
    tolerance: float = ROUNDING,
    begin: Callable[[Any], Any] | None = None,
) -> Callable[[], Deviation]:
    """Return the check that `equations`, pairs of left and right-hand side, hold in every round."""

    def gaps() -> Iterator[float]:
        for k, s in itertools.product(K, S):
            for r in harness_rounds(on(), make, K=k, S=s, T=T, begin=begin):
                # A right-hand side that is 0 by cancellation is compared with what its terms are made of.
                yield from (relative_gap(found, expected, scale=1e-3) for found, expected in equations(r))

    return lambda: largest_deviation(gaps(), tolerance)


def ends_at(
    make: Make,
    target: Callable[[Problem], Any] = lambda problem: np.zeros(problem.d),
    *,
    on: Callable[[], Problem] = curved_clients,
    K: int = 5,
    S: Sequence[int | None] = (None,),
    T: int = 400,
    tolerance: float = 1e-9,
    part: Callable[[Any], Array] = lambda state: state.x,
) -> Callable[[], Deviation]:
    """Return the check that a long run ends at the target, by default at the minimiser 0 of `curved`."""

    def gaps() -> Iterator[float]:
        for s in S:
            problem = on()
            *_, end = harness_rounds(problem, make, K=K, S=s, T=T, lanes=1)
            yield relative_gap(part(end.after)[0], np.atleast_2d(target(problem)), scale=1.0)

    return lambda: largest_deviation(gaps(), tolerance)


def stays_at_zero(make: Make, *, on: Callable[[], Problem], K: int = 4, T: int = 8) -> Callable[[], Deviation]:
    """Return the check that the iterate stays at a start at 0."""
    return lambda: largest_deviation([relative_gap(server_iterates(on(), make, K=K, T=T), 0.0, scale=1.0)])
