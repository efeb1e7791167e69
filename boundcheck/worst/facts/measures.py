"""Left-hand sides of theorems on Gram coordinates."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError, require
from boundcheck.files.display import Catalogue
from boundcheck.worst.gram.exact import fraction

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from boundcheck.worst.gram.trace import Trace
    from boundcheck.worst.gram.vectors import GramVector

MEASURES: dict[str, str] = Catalogue(
    "measures",
    {
        "average": "average of |grad f(x_t)|^2 over x_0, ..., x_(T-1)",
        "best": "smallest |grad f(x_t)|^2 of x_0, ..., x_(T-1)",
        "last": "|grad f(x_T)|^2",
        "local": "average of |grad f|^2 over all local steps, at the mean of the clients' points",
        "value": "f(x_T) - f_star",
        "suboptimality": "average of f(x_t) - f_star over x_0, ..., x_(T-1)",
        "centre": "f - f_star at the average of x_0, ..., x_(T-1)",
        "distance": "|x_T - x_star|^2",
        "drift": "average of mean_i |y_i - x_t|^2 over all local steps",
    },
)
"""Every left-hand side by name; ``average(0.25)`` has weights that grow by the factor 1.25 a round."""
OF_VALUES = ("value", "suboptimality", "centre")
"""Left-hand sides of f, which need to know where f_star is."""
OF_DISTANCE = ("distance",)
"""Left-hand sides that need to know where x_star is."""
OF_CLIENTS = ("local", "drift")
"""Left-hand sides of the clients' local steps."""
_GROWING = re.compile(r"average\((\d+(?:\.\d*)?(?:e[+-]?\d+)?)\)")


@dataclass(frozen=True)
class LeftHandSide:
    """Where a left-hand side looks.

    Attributes
    ----------
    name : str
        A name in `MEASURES`, with a growth if weights grow.
    points : tuple of (Fraction, GramVector)
        Server points and their weights, which add up to 1 (but for 'best'); there the gradient of f counts, or f, or
        the distance from x_star.
    vectors : tuple of (Fraction, GramVector)
        Vectors whose squares, averaged over the clients, count in the place of gradients, and their weights.
    added : tuple of float
        What is added to |grad f|^2 at each point of 'best'; nothing if empty.
    """

    name: str
    points: tuple[tuple[Fraction, GramVector], ...] = ()
    vectors: tuple[tuple[Fraction, GramVector], ...] = ()
    added: tuple[float, ...] = ()


def rounds_of(name: str, T: int) -> int:
    """Return how many rounds a left-hand side sees: no gradient after x_(T-1) matters to what speaks of x_0 to x_(T-1).

    Functions through some points extend to any others.
    """
    return T if name in ("last", "value", "distance", "local", "drift") else T - 1


def left_hand_side_of(name: str, trace: Trace) -> LeftHandSide:
    """Return where a left-hand side looks along a run of as many rounds as it sees, and ask for the gradients there.

    Raises
    ------
    InputError
        If there is no such left-hand side, or the method shows no local iterates for 'local'.
    """
    on_one_path = name in ("best", *OF_CLIENTS)
    require(not (trace.others and on_one_path), "measure", name, "an average or of x_T, of a method that tosses coins")
    if name == "drift":
        return LeftHandSide(name, vectors=tuple(_drifts(trace)))
    points = tuple(_points(name, trace))
    for _, x in points:
        trace.oracle.point(x)
    return LeftHandSide(name, points)


def _points(name: str, trace: Trace) -> list[tuple[Fraction, GramVector]]:
    if name == "centre":
        return [(share, _mean_of(iterates)) for share, iterates in trace.paths]
    if name in ("last", "value", "distance"):
        return [(share, iterates[-1]) for share, iterates in trace.paths]
    if name == "local":
        shown = [(y.mean, weight) for y, weight in _local_iterates(trace, name)]
        weights = [fraction(weight) for _, weight in shown]
        return [(weight / sum(weights), y) for weight, (y, _) in zip(weights, shown, strict=True)]
    weights = weights_of(name, len(trace.iterates))
    return [(share * weight, x) for share, iterates in trace.paths for weight, x in zip(weights, iterates, strict=True)]


def weights_of(name: str, count: int) -> list[Fraction]:
    """Return the weights of so many server iterates in an average, which add up to 1.

    Raises
    ------
    InputError
        If there is no such left-hand side.
    """
    growth = _growth(name)
    weights = [(1 + growth) ** t for t in reversed(range(count))]
    return [weight / sum(weights) for weight in weights]


def _mean_of(iterates: Sequence[GramVector]) -> GramVector:
    total: Any = iterates[0]
    for x in iterates[1:]:
        total = total + x
    is_exact = any(x.coefficients.dtype == object for x in iterates)
    found: GramVector = total * (Fraction(1, len(iterates)) if is_exact else 1.0 / len(iterates))
    return found


def _local_iterates(trace: Trace, name: str) -> list[tuple[GramVector, Any]]:
    shown = trace.oracle.shown
    require(bool(shown), "measure", name, "of a method that shows its local iterates")
    return shown


def _drifts(trace: Trace) -> Iterator[tuple[Fraction, GramVector]]:
    """Yield how far the clients are from where their round began, at every local step."""
    shown = _local_iterates(trace, "drift")
    rounds = len(trace.iterates) - 1
    for k, (y, _) in enumerate(shown):
        yield Fraction(1, len(shown)), y - trace.iterates[k * rounds // len(shown)]


def _growth(name: str) -> Fraction:
    if name in ("average", "best", "suboptimality"):
        return Fraction(0)
    if found := _GROWING.fullmatch(name):
        return Fraction(found[1])
    msg = f"measure = {name!r} is not legal: {', '.join(MEASURES)}, or average(0.25) for weights of growth 0.25"
    raise InputError(msg)
