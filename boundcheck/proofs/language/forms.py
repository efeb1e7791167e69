"""Linear forms: a vector is a combination of atoms, a scalar one of inner products and entries of sequences.

Vectors live in the Hilbert space of square integrable functions of the outcome, the client i and, where an index is
bound by a mean or a sum, of that index.  ``mean`` over an index is an orthogonal projection there.  A bound index t is
written ``*t``; what carries it is averaged over the whole range of t, so that a sum over t is its length times that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from boundcheck.proofs.language.affine import Affine

Coefficient = Any
"""An element of the field of rational functions in the letters of a setting."""
CLIENT = "i"
"""The index of clients."""


@dataclass(frozen=True)
class Atom:
    """An entry of a sequence of vectors, or a function of one."""

    name: str
    indices: tuple[Affine, ...] = ()
    argument: Atom | None = None
    """The point of a function, or the vector that is taken on the clients of a sample, which has indices too."""
    client: bool = False
    """Whether there is one for each client."""

    @property
    def varies(self) -> frozenset[str]:
        """Return what it depends on besides the outcome: bound indices, and the client."""
        inner = self.argument.varies if self.argument else frozenset()
        own = {letter for index in self.indices for letter in index.letters if letter.startswith("*")}
        return inner | own | ({CLIENT} if self.client else set())

    def substitute(self, values: Mapping[str, Affine]) -> Atom:
        """Return the atom with index letters replaced."""
        argument = self.argument.substitute(values) if self.argument else None
        return Atom(self.name, tuple(index.substitute(values) for index in self.indices), argument, self.client)

    def swap(self, old: Atom, new: Atom) -> Atom:
        """Return the atom with `new` in the place of `old`, inside functions too."""
        if self == old:
            return new
        if self.argument is None:
            return self
        return Atom(self.name, self.indices, self.argument.swap(old, new), self.client)

    def __str__(self) -> str:
        at = f"[{', '.join(map(str, self.indices))}]" if self.indices else ""
        return self.name + at + (f"({self.argument})" if self.argument else "")


Averaged = frozenset[str]
"""Indices over which an atom has been averaged."""
Vector = dict[tuple[Atom, Averaged], Coefficient]


@dataclass(frozen=True)
class One:
    """The constant 1."""

    def substitute(self, values: Mapping[str, Affine]) -> One:
        """Return itself: it has no index."""
        del values
        return self

    @property
    def varies(self) -> frozenset[str]:
        """Return that it depends on nothing."""
        return frozenset()

    def __str__(self) -> str:
        return "1"


@dataclass(frozen=True)
class Entry:
    """An entry of a sequence of numbers, or the objective's expected value at a point."""

    name: str
    indices: tuple[Affine, ...] = ()
    argument: Atom | None = None

    def substitute(self, values: Mapping[str, Affine]) -> Entry:
        """Return the entry with index letters replaced."""
        argument = self.argument.substitute(values) if self.argument else None
        return Entry(self.name, tuple(index.substitute(values) for index in self.indices), argument)

    @property
    def varies(self) -> frozenset[str]:
        """Return the bound indices that it depends on."""
        own = {letter for index in self.indices for letter in index.letters if letter.startswith("*")}
        return frozenset(own) | (self.argument.varies - {CLIENT} if self.argument else frozenset())

    def __str__(self) -> str:
        return str(Atom(self.name, self.indices, self.argument))


@dataclass(frozen=True)
class Inner:
    """The inner product of two atoms, both averaged over the same indices."""

    left: Atom
    right: Atom
    averaged: Averaged = frozenset()

    @property
    def varies(self) -> frozenset[str]:
        """Return the bound indices over which the product is averaged."""
        return (self.left.varies | self.right.varies) - {CLIENT}

    def substitute(self, values: Mapping[str, Affine]) -> Inner:
        """Return the product with index letters replaced."""
        return inner(self.left.substitute(values), self.right.substitute(values), self.averaged)

    def __str__(self) -> str:
        over = f"mean({', '.join(sorted(self.averaged))}) " if self.averaged else ""
        return f"<{over}{self.left}, {over}{self.right}>"


Term = One | Entry | Inner
Scalar = dict[Term, Coefficient]
ONE = One()


def inner(left: Atom, right: Atom, averaged: Averaged) -> Inner:
    """Return the inner product in canonical form.

    What one of the two does not depend on is averaged out of the other: the projections commute and are orthogonal.
    """
    everything = left.varies | right.varies
    averaged = (averaged & everything) | (everything - left.varies) | (everything - right.varies)
    first, second = sorted((left, right), key=str)
    return Inner(first, second, averaged)


def add_forms(*forms: Mapping[Any, Coefficient]) -> dict[Any, Coefficient]:
    """Return the sum of linear forms, without terms of coefficient 0."""
    total: dict[Any, Coefficient] = {}
    for form in forms:
        for key, value in form.items():
            total[key] = total[key] + value if key in total else value
    return {key: value for key, value in total.items() if value}


def scale_form(form: Mapping[Any, Coefficient], factor: Coefficient) -> dict[Any, Coefficient]:
    """Return the linear form times a coefficient."""
    return {key: value * factor for key, value in form.items()} if factor else {}


def product(left: Vector, right: Vector) -> Scalar:
    """Return the inner product of two vectors."""
    return add_forms(*({inner(a, b, s | r): x * y} for (a, s), x in left.items() for (b, r), y in right.items()))


def averaged_over(vector: Vector, indices: Averaged) -> Vector:
    """Return the projection of a vector on those that do not depend on `indices`."""
    return add_forms(*({(atom, done | (indices & atom.varies)): value} for (atom, done), value in vector.items()))


def replace_atom(form: Scalar, old: Atom, new: Vector) -> Scalar:
    """Return the form with the vector `new` in the place of the atom `old`; inside functions if `new` is an atom."""
    return add_forms(*(scale_form(_replaced_term(term, old, new), value) for term, value in form.items()))


def replace_mean(form: Scalar, old: Atom, done: Averaged, new: Vector) -> Scalar:
    """Return the form with a vector in the place of the mean of an atom, wherever at least this mean is taken."""
    return add_forms(*(scale_form(_with_mean(term, old, done, new), value) for term, value in form.items()))


def _with_mean(term: Term, old: Atom, done: Averaged, new: Vector) -> Scalar:
    if not isinstance(term, Inner) or not done <= term.averaged or old not in (term.left, term.right):
        return {term: _one(new)}
    left, right = (
        averaged_over(new, term.averaged) if atom == old else {(atom, term.averaged & atom.varies): _one(new)}
        for atom in (term.left, term.right)
    )
    return product(left, right)


def _replaced_term(term: Term, old: Atom, new: Vector) -> Scalar:
    if isinstance(term, Inner):
        left, right = (_replaced_atom(atom, term.averaged, old, new) for atom in (term.left, term.right))
        return product(left, right)
    if isinstance(term, Entry) and term.argument is not None:
        return {Entry(term.name, term.indices, _single(term.argument, old, new)): _one(new)}
    return {term: _one(new)}


def _replaced_atom(atom: Atom, averaged: Averaged, old: Atom, new: Vector) -> Vector:
    if atom == old:
        return averaged_over(new, averaged) if new else {}
    return {(_single(atom, old, new), averaged & atom.varies): _one(new)}


def _single(atom: Atom, old: Atom, new: Vector) -> Atom:
    # Inside a function only one entry can take the place of another; else the entry stays, which is as true.
    if len(new) != 1 or next(iter(new.values())) != 1 or next(iter(new))[1]:
        return atom
    return atom.swap(old, next(iter(new))[0])


def _one(new: Vector) -> Coefficient:
    return next(iter(new.values())) ** 0 if new else 1


def atoms(form: Scalar) -> Iterator[Atom]:
    """Yield every atom of the inner products of a form."""
    for term in form:
        if isinstance(term, Inner):
            yield term.left
            yield term.right
