"""Forms over Q of a round in which S of N clients are active, with every draw's next point told.

A vector is told for a client that is in the draw and for one that is not; for either, by its coefficients over the
letters of each block (`boundcheck.worst.facts.orbits`).  A gradient after the draw has letters of its own, one for each
function of the client and the draw; all else is made of vectors that do not depend on the draw.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from boundcheck.errors import NotApplicableError
from boundcheck.worst.facts.forms import Form
from boundcheck.worst.facts.orbits import ACTIVE, DEVIATIONS, INACTIVE, KINDS, MEANS, Orbit, OrbitBlock, Orbits
from boundcheck.worst.gram.exact import fraction
from boundcheck.worst.gram.trace import ORIGIN

if TYPE_CHECKING:
    from typing import Any

    from boundcheck.worst.gram.oracle import Element, GramOracle
    from boundcheck.worst.gram.vectors import GramVector

Sparse = dict[int, Fraction]
Parts = dict[tuple[OrbitBlock, int], Sparse]
"""Block and order of a function to the letters that it multiplies."""


class LetterAfterDraw(NamedTuple):
    """What a letter is that no basis vector is: a part of a gradient after the draw."""

    gradient: int
    """Index in the basis."""
    block: OrbitBlock
    kind: int
    order: int


class VectorAfterDraw(NamedTuple):
    """A vector after a draw, of the clients in it and of the others."""

    active: Parts
    inactive: Parts

    def __sub__(self, other: VectorAfterDraw) -> VectorAfterDraw:
        return self.plus(other, Fraction(-1))

    def plus(self, other: VectorAfterDraw, factor: Fraction) -> VectorAfterDraw:
        """Return it with a multiple of another."""
        first = _plus(self.active, other.active, factor)
        return VectorAfterDraw(
            first, first if self.is_early and other.is_early else _plus(self.inactive, other.inactive, factor)
        )

    @property
    def is_early(self) -> bool:
        """Whether it surely does not depend on the draw."""
        return self.active is self.inactive


class FormsAfterDraw:
    """Makes forms of vectors of a round, as `boundcheck.worst.facts.forms.Forms` does where all clients are active.

    Parameters
    ----------
    oracle : GramOracle
        With its basis and its points, of one draw.
    still : set of int
        Basis vectors that have no deviation.

    Attributes
    ----------
    letters : list of Letter
        What follows the basis vectors in the numbering of letters.
    basis : list of Drawn
        The basis vectors.
    late : list of bool
        Whether a point depends on the draw, point by point.
    """

    scale = 1
    ground = None

    def __init__(self, oracle: GramOracle, still: set[int]) -> None:
        if max((element.draw for element in oracle.basis), default=0) > 0:
            msg = "conditions on points of several draws one after the other are not known"
            raise NotApplicableError(msg)
        self.oracle, self._still = oracle, still
        self.orbits = Orbits(int(oracle.N), int(oracle.S))
        self.share = Fraction(self.orbits.S, self.orbits.N)
        self.late = [bool(oracle.basis[p.gradient].drawn) for p in oracle.points]
        self.letters: list[LetterAfterDraw] = []
        self.basis: list[VectorAfterDraw] = []
        for k, element in enumerate(oracle.basis):
            self.basis.append(self._element(k, element))

    def _element(self, k: int, element: Element) -> VectorAfterDraw:
        if k == ORIGIN:
            return VectorAfterDraw({}, {})
        if element.of is not None:
            own = self.vector(element.of)
            if element.kind == "sampled":
                return self._mean_of_active(self.deviations(own))
            return self.deviations(VectorAfterDraw(own.active, {}))
        if element.drawn:
            return self._fresh(k)
        early: Parts = {(MEANS, 0): {k: Fraction(1)}}
        if k not in self._still:
            early[DEVIATIONS, 1] = {k: Fraction(1)}
        return VectorAfterDraw(early, early)

    def _fresh(self, k: int) -> VectorAfterDraw:
        """Return a gradient after the draw, of new letters; one that all clients share depends on the draw alone."""
        found: tuple[Parts, Parts] = {}, {}
        for block in self.orbits.blocks:
            for kind, order in self.orbits.functions(block, shared=k in self._still):
                # Functions of many factors are small: letters of like size keep the solver's digits.
                size = self.orbits.product(block, self.orbits.alone(kind), order, order)
                number = {len(self.oracle.basis) + len(self.letters): Fraction(2) ** -round(math.log2(size) / 2)}
                self.letters.append(LetterAfterDraw(k, block, kind, order))
                for side in KINDS if k in self._still else (kind,):
                    found[side][block, order] = number
        return VectorAfterDraw(*found)

    @property
    def tilt_terms(self) -> dict[int, Fraction]:
        """Return what a tilt <v_i, x> of the clients' functions adds to letters, as multiples of v_i."""
        numbered = enumerate(self.letters, len(self.oracle.basis))
        return {k: Fraction(1) for k, letter in numbered if letter.block == DEVIATIONS and letter.order}

    def vector(self, v: GramVector) -> VectorAfterDraw:
        """Return a vector; points are relative to the origin."""
        nothing: Parts = {}
        found = VectorAfterDraw(nothing, nothing)
        for k, (mean, own) in enumerate(zip(*v.coefficients, strict=True)):
            if k != ORIGIN and (mean or own):
                found = found.plus(self.basis[k], fraction(own))
                if mean != own:
                    found = found.plus(self.means(self.basis[k]), fraction(mean) - fraction(own))
        return found

    def means(self, v: VectorAfterDraw) -> VectorAfterDraw:
        """Return its mean over the clients."""
        if v.is_early:
            mean: Parts = {key: part for key, part in v.active.items() if key[0] == MEANS}
            return VectorAfterDraw(mean, mean)
        found: Parts = {}
        N, shares = self.orbits.N, (self.share, 1 - self.share)
        for kind, sign in ((ACTIVE, 1), (INACTIVE, -1)):
            for (block, order), part in v[kind].items():
                if not block.hooked:
                    # Derivatives of F add up to j F over the draw, and to nothing over all clients.
                    factor = Fraction(sign * block.j, N) if order else shares[kind]
                    found = _plus(found, {(block, 0): part}, factor)
        return VectorAfterDraw(found, dict(found))

    def deviations(self, v: VectorAfterDraw) -> VectorAfterDraw:
        """Return what a client has beside the mean."""
        return v - self.means(v)

    def _mean_of_active(self, v: VectorAfterDraw) -> VectorAfterDraw:
        """Return the mean over the active clients."""
        found: Parts = {}
        for (block, order), part in v.active.items():
            if not block.hooked:
                found = _plus(found, {(block, 0): part}, Fraction(block.j, self.orbits.S) if order else Fraction(1))
        return VectorAfterDraw(found, dict(found))

    def product(self, u: VectorAfterDraw, v: VectorAfterDraw) -> Form:
        """Return the product, averaged over clients and draws."""
        first = self.product_of(ACTIVE, u, v)
        if u.is_early and v.is_early:
            return first
        return first * self.share + self.product_of(INACTIVE, u, v) * (1 - self.share)

    def product_of(self, kind: int, u: VectorAfterDraw, v: VectorAfterDraw) -> Form:
        """Return the product, averaged over the clients of a kind."""
        return self.across(self.orbits.alone(kind), u, v)

    def across(self, orbit: Orbit, u: VectorAfterDraw, v: VectorAfterDraw) -> Form:
        """Return the product of u after a draw and v after another, averaged over an orbit."""
        found: dict[Any, Any] = {}
        for (block, order), left in u[orbit.first].items():
            for (same, other), right in v[orbit.second].items():
                if block == same and (weight := self.orbits.product(block, orbit, order, other)):
                    for i, a in left.items():
                        scaled = weight * a
                        for j, c in right.items():
                            key = (block.name, i, j) if i <= j else (block.name, j, i)
                            found[key] = found.get(key, 0) + scaled * c
        return Form({key: c for key, c in found.items() if c})

    def square(self, u: VectorAfterDraw) -> Form:
        """Return the square of the norm."""
        return self.product(u, u)

    def number(self, kind: int, point: int) -> int:
        """Return the number of the value at a point, of the clients of a kind."""
        return point + (len(self.late) if kind == INACTIVE and self.late[point] else 0)

    def value(self, point: int) -> Form:
        """Return the value at a point, averaged over clients and draws."""
        own, other = (Form({("f", self.number(kind, point)): Fraction(1)}) for kind in KINDS)
        return own * self.share + other * (1 - self.share) if self.late[point] else own

    def near(self, distances: dict[int, tuple[int, float]]) -> dict[int, tuple[int, float]]:
        """Return gradients and their distances by their letters; those that average to nothing are near no other."""
        found = {k: v for k, v in distances.items() if not self.oracle.basis[k].drawn}
        for number, letter in enumerate(self.letters, len(self.oracle.basis)):
            first, distance = distances[letter.gradient]
            alike = letter.block == MEANS or (letter.block == DEVIATIONS and letter.order)
            found[number] = first if alike else -1, distance
        return found

    def constant(self, letter: str, factor: Fraction | int = 1) -> Form:
        """Return a multiple of a constant of the class."""
        return Form({("1", letter): Fraction(factor)})


def _plus(u: Parts, v: Parts, factor: Fraction) -> Parts:
    found = dict(u)
    for key, part in v.items():
        own = dict(found.get(key, {}))
        for letter, c in part.items():
            own[letter] = own.get(letter, Fraction(0)) + factor * c
        found[key] = {letter: c for letter, c in own.items() if c}
    return {key: part for key, part in found.items() if part}
