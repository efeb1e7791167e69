"""Conditions of smoothness where S of N clients are active: of clients in a draw, of the others, and between draws."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from typing import TYPE_CHECKING, Any, NamedTuple

from boundcheck.worst.facts.conditions import interpolation
from boundcheck.worst.facts.drawn import VectorAfterDraw
from boundcheck.worst.facts.forms import Form
from boundcheck.worst.facts.orbits import ACTIVE, KINDS, Orbit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.facts.drawn import FormsAfterDraw

_Named = tuple[tuple[str | int, ...], Form]


class _MetPoint(NamedTuple):
    """A point that was met."""

    number: int
    at: VectorAfterDraw
    gradient: VectorAfterDraw


def smooth(forms: FormsAfterDraw, given: ProblemClass) -> Iterator[_Named]:
    """Yield the names and forms (<= 0) of the conditions between all points of a client, averaged over like clients."""
    met = [_MetPoint(k, forms.vector(p.at), forms.basis[p.gradient]) for k, p in enumerate(forms.oracle.points)]
    for a, b in permutations(met, 2):
        for kind in KINDS if forms.late[a.number] or forms.late[b.number] else (ACTIVE,):
            first, second = (point._replace(number=forms.number(kind, point.number)) for point in (a, b))
            rows: Any = _FormsOfKind(forms, kind)
            yield ("interpolation", first.number, second.number), _interpolation_form(rows, given, first, second)
    for a, b in product([point for point in met if forms.late[point.number]], repeat=2):
        yield from _between(forms, given, a, b)


def _between(forms: FormsAfterDraw, given: ProblemClass, a: _MetPoint, b: _MetPoint) -> Iterator[_Named]:
    """Yield the conditions between a point after a draw and a point after another."""
    nothing = VectorAfterDraw({}, {})
    for orbit in forms.orbits.between():
        one, other = forms.number(orbit.first, a.number), forms.number(orbit.second, b.number)
        first = one, _VectorOfTwoDraws(a.at, nothing), _VectorOfTwoDraws(a.gradient, nothing)
        second = other, _VectorOfTwoDraws(nothing, b.at), _VectorOfTwoDraws(nothing, b.gradient)
        yield (
            ("between draws", one, other, orbit.shared),
            _interpolation_form(_FormsOfDraws(forms, orbit), given, first, second),
        )


def _interpolation_form(rows: Any, given: ProblemClass, a: Any, b: Any) -> Form:
    found: Form = interpolation(rows, given, tuple(a), tuple(b))
    return found


class _FormsOfKind:
    """Forms of the clients of one kind, as conditions ask for them."""

    def __init__(self, forms: FormsAfterDraw, kind: int) -> None:
        self._forms, self._kind = forms, kind

    def product(self, u: VectorAfterDraw, v: VectorAfterDraw) -> Form:
        return self._forms.product_of(self._kind, u, v)

    def square(self, u: VectorAfterDraw) -> Form:
        return self.product(u, u)

    def value(self, number: int) -> Form:
        return Form({("f", number): Fraction(1)})


class _VectorOfTwoDraws(NamedTuple):
    """A vector after one draw and a vector after another, added up."""

    first: VectorAfterDraw
    second: VectorAfterDraw

    def __sub__(self, other: _VectorOfTwoDraws) -> _VectorOfTwoDraws:
        return _VectorOfTwoDraws(self.first - other.first, self.second - other.second)


class _FormsOfDraws(_FormsOfKind):
    """Forms of an orbit of two draws."""

    def __init__(self, forms: FormsAfterDraw, orbit: Orbit) -> None:
        super().__init__(forms, orbit.first)
        self._orbit = orbit

    def product(self, u: Any, v: Any) -> Form:
        forms, orbit = self._forms, self._orbit
        back = Orbit(orbit.second, orbit.first, orbit.shared)
        found = forms.product_of(orbit.first, u.first, v.first) + forms.product_of(orbit.second, u.second, v.second)
        return found + forms.across(orbit, u.first, v.second) + forms.across(back, u.second, v.first)
