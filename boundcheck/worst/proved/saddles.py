"""The upper side of a minimax method as a proof over Q: the rows of `boundcheck.worst.sides.saddle`, as numbers over Q.

Its certificate speaks of halves: ``g0_x`` is the gradient in x at point 0, and ``f0`` the value there.  What the rows
say of a class is the same text over floats and over Q; multipliers come from the solver and squares from exact algebra.
"""

from __future__ import annotations

import dataclasses
import time
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundcheck.errors import NotApplicableError
from boundcheck.worst.facts.measures import OF_VALUES, left_hand_side_of, rounds_of
from boundcheck.worst.gram.exact import ExactNumber, fraction
from boundcheck.worst.gram.trace import trace_method
from boundcheck.worst.gram.units import as_asked
from boundcheck.worst.proved.upper import Upper, certificate_name
from boundcheck.worst.sides.saddle import Saddle, on_saddles
from boundcheck.worst.stated.algebra import LinearRelation, Scalar, number
from boundcheck.worst.stated.answer import answer_with_multipliers
from boundcheck.worst.stated.question import KnownRelation, StatedQuestion
from boundcheck.worst.theorems.theorem import rounded_up

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import SupportsInt

    from boundcheck.methods.base import Method
    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.gram.trace import Trace
    from boundcheck.worst.sides.saddle import Halves

_OF = {"heterogeneity": "zeta", "start": "Delta", "distance": "distance", "gradients at the start": "G_0"}
"""Kind of a row to the constant that bounds it."""
_BLOCKS = ("P", "P", "Q", "Q")
_LARGEST = 14
"""Points of a run beyond which exact algebra takes a minute."""


class _SaddleNumbers:
    """Makes numbers of values and products, as `HalfRows` makes rows."""

    def __init__(self, chosen: Sequence[Sequence[SupportsInt]]) -> None:
        self._chosen = chosen

    def value(self, point: int) -> Scalar:
        """Return the value at a point."""
        return Scalar({("f", point): Fraction(1)})

    def product(self, u: Halves, v: Halves) -> Scalar:
        """Return <u, v>, averaged over the clients."""
        found: dict[Any, Fraction] = {}
        for block, chosen, one, other in zip(_BLOCKS, self._chosen, u.parts, v.parts, strict=True):
            for i, a in zip(chosen, one, strict=True):
                for j, b in zip(chosen, other, strict=True):
                    if c := fraction(a) * fraction(b):
                        key = (block, *sorted((int(i), int(j))))
                        found[key] = found.get(key, Fraction(0)) + c
        return Scalar({key: c for key, c in found.items() if c})

    def square(self, u: Halves) -> Scalar:
        """Return |u|^2."""
        return self.product(u, u)


class _Relations:
    """Keeps what is known, as `Programme` keeps rows."""

    def __init__(self) -> None:
        self.known: list[KnownRelation] = []
        self.kinds: dict[str, str] = {}

    def at_most(self, name: tuple[Any, ...], row: Scalar, limit: Any = 0) -> None:
        """Keep that a number is at most a limit."""
        label = " ".join(map(str, name))
        self.kinds[label] = str(name[0])
        if parts := (number(Fraction(limit)) - row).parts:
            self.known.append(KnownRelation(label, LinearRelation(Scalar(parts))))


class ExactSaddle(Saddle):
    """`Saddle` over Q, with the limits of the constants as fractions."""

    def __init__(self, trace: Trace, given: ProblemClass, limits: Mapping[str, Fraction]) -> None:
        self._limits = limits
        super().__init__(trace, given)

    def _make_rows(self) -> None:
        self.rows = _SaddleNumbers(self.chosen)
        self.programme = _Relations()

    def limit(self, name: str) -> Fraction:
        """Return what bounds a constant of the class."""
        return self._limits[name]


def prove_on_saddles(
    method: Method, *, K: int, T: int, measure: str, given: ProblemClass, limits: Mapping[str, Fraction]
) -> Upper:
    """Return what no saddle of a class exceeds, proved over Q.

    Parameters
    ----------
    method : Method
        For min_x max_y, its hyperparameters in units in which L = 1.
    K, T : int
    measure : str
        Any name but 'best'.
    given : ProblemClass
        With L = 1 and a fraction for mu.
    limits : mapping
        Constants of the class, squares of lengths and values, as fractions: what the certificate is about.

    Raises
    ------
    NotApplicableError
        If the run is too long, the left-hand side is 'best', or no proof was found.
    """
    began, exact = time.perf_counter(), as_asked(method)
    what = f"method {exact.card.id}, K = {K}, T = {T}"
    if measure == "best":
        msg = f"{what}: proofs of minimax methods are of averages, of the last point and of values"
        raise NotApplicableError(msg)
    trace = trace_method(exact, N=given.N, K=K, T=rounds_of(measure, T), exact=True, pairs=True)
    trace.oracle.point(trace.iterates[0])
    one: Any = ExactNumber(1)
    whole = dataclasses.replace(given, L=one)
    looked = left_hand_side_of(measure, trace)
    saddle, looked = on_saddles(trace, looked, whole, made=lambda run, of: ExactSaddle(run, of, limits))
    if len(saddle.points) > _LARGEST:
        msg = f"{what}: a proof over Q is of at most {_LARGEST} points of a run, (x, y_star(x)) among them"
        raise NotApplicableError(msg)
    name = certificate_name(exact, given, measure, K=K, T=T, b=1)
    asked, known, count = _objective(saddle, looked), saddle.programme.known, len(saddle.points)
    question = StatedQuestion(name, asked, known, [], _labels(saddle), count, is_attained=False)
    case, multipliers = answer_with_multipliers(question)
    if case.proof is None or multipliers is None:
        msg = f"{what}: no proof of an upper bound was found"
        raise NotApplicableError(msg)
    factors: dict[str, Fraction] = {}
    for label, by in multipliers.items():
        if constant := _OF.get(saddle.programme.kinds.get(label, "")):
            factors[constant] = factors.get(constant, Fraction(0)) + by
    up = {constant: rounded_up(factor) for constant, factor in factors.items()}
    return Upper(exact, given, K, T, measure, up, case.proof, time.perf_counter() - began, factors)


def _objective(saddle: Saddle, looked: Any) -> Scalar:
    if looked.name in OF_VALUES:
        numbers = [(w, saddle.rows.value(saddle.number(saddle.trace.oracle.point(z)))) for w, z in looked.points]
    else:
        numbers = [(w, saddle.rows.square(saddle.mean_gradient(z))) for w, z in looked.points]
    total: Scalar = sum((Fraction(weight) * one for weight, one in numbers), number(0))
    return total


def _labels(saddle: Saddle) -> list[tuple[str, bool]]:
    """Return the names of the basis vectors, and whether clients have their own."""
    apart = {int(k) for kept in saddle.chosen[2:] for k in kept}
    of = {p.gradient + half - 1: f"g{k}_{'xy'[half]}" for k, p in enumerate(saddle.points) for half in (0, 1)}
    basis = saddle.trace.oracle.basis
    return [(of.get(k) or element.label, k in apart) for k, element in enumerate(basis)]
