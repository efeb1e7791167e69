"""Vectors and numbers of a statement, as linear forms in normal form.

The Hilbert space: families u[i, k', t', ..] of square integrable random vectors, i the client, k', t' bound indices.  A
bound index runs over the whole declared range of k, each value alike; ``t'g`` runs over that of t with weights that
are proportional to (1 + g)^(last - t), the law of a discounted mean.  ``<u, v>`` is E of the mean of u . v over all of
these.  The mean over an index is an orthogonal projection, and those of several indices commute.

A vector combines (atom, indices that it is averaged over).  A number combines terms: 1, entries of sequences of numbers
(averaged over the bound indices in them), and inner products of two atoms.  As a projection is self-adjoint and fixes
what does not vary, ``<P a, b> = <a, P b> = <P a, P b>``, and it can be left out unless both atoms vary: equal inner
products have equal terms.

Vectors are multiplied coordinate by coordinate: u v is a vector.  Where such products stand, vectors are bounded, by
whatever number, so that all products are in the space.  ``ones`` is the vector of ones, and <u v, w> = <u v w, ones>:
where no mean stands between the factors, their order and the sides on which they stand do not matter.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from .algebra import (
    Index,
    Letter,
    Rational,
    Refused,
    constant,
    index_letters,
    index_text,
    join_monomials,
    plus,
    substitute_index,
    whole,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CLIENT = "i"
"""The index of clients."""
ONES = "ones"
"""The vector of ones."""
ANY = "any vector"
"""The name of a vector of which nothing is known, which no file can declare."""
_FAR = 8
"""Most entries by which a sum may differ from one over the declared range."""


class Atom(NamedTuple):
    """A vector: an entry of a sequence, the gradients at one, what a sample takes of one, or a product of such."""

    name: str
    indices: tuple[Index, ...] = ()
    argument: Atom | None = None
    client: bool = False
    """Whether there is one for each client."""
    factors: tuple[Atom, ...] = ()
    """Of a product coordinate by coordinate its two or more factors, in order."""

    def substitute(self, letter: str, value: Index) -> Atom:
        """Return the atom with an index letter replaced."""
        if self.factors:
            return multiplied_atom(*(one.substitute(letter, value) for one in self.factors))
        argument = self.argument.substitute(letter, value) if self.argument else None
        return Atom(
            self.name, tuple(substitute_index(one, letter, value) for one in self.indices), argument, self.client
        )

    def letters(self) -> set[str]:
        """Return the index letters in it."""
        found: set[str] = set()
        for index in self.indices:
            found |= index_letters(index)
        for one in self.factors:
            found |= one.letters()
        return found | self.argument.letters() if self.argument else found

    def varies(self) -> frozenset[str]:
        """Return the bound indices, and the client, with which it may vary."""
        return frozenset({x for x in self.letters() if is_bound(x)} | ({CLIENT} if self.client else set()))

    def text(self) -> str:
        """Write it."""
        if self.factors:
            return " ".join(one.text() for one in self.factors)
        at = f"[{', '.join(map(index_text, self.indices))}]" if self.indices else ""
        return self.name + at + (f"({self.argument.text()})" if self.argument else "")


class Entry(NamedTuple):
    """A number: an entry of a sequence, or f at a point; averaged over the bound indices in it."""

    name: str
    indices: tuple[Index, ...] = ()
    argument: Atom | None = None

    def substitute(self, letter: str, value: Index) -> Entry:
        """Return the entry with an index letter replaced."""
        argument = self.argument.substitute(letter, value) if self.argument else None
        return Entry(self.name, tuple(substitute_index(one, letter, value) for one in self.indices), argument)

    def letters(self) -> set[str]:
        """Return the index letters in it."""
        return Atom(self.name, self.indices, self.argument).letters()

    def text(self) -> str:
        """Write it."""
        return Atom(self.name, self.indices, self.argument).text()


class Inner(NamedTuple):
    """``<P left, right>``, P the mean over `averaged`, with which both vary."""

    left: Atom
    right: Atom
    averaged: frozenset[str]

    def substitute(self, letter: str, value: Index) -> Inner:
        """Return the inner product with an index letter replaced."""
        return inner(self.left.substitute(letter, value), self.right.substitute(letter, value), self.averaged)

    def letters(self) -> set[str]:
        """Return the index letters in it."""
        return self.left.letters() | self.right.letters()

    def text(self) -> str:
        """Write it."""
        mean = f"mean({', '.join(sorted(self.averaged))}) " if self.averaged else ""
        return f"<{mean}{self.left.text()}, {self.right.text()}>"


Term = Entry | Inner
NUMBER = Entry("1")
"""The term of what is made of letters alone."""
Form = dict[Term, Rational]
"""A number: terms with coefficients that are not 0."""
Vector = dict[tuple[Atom, frozenset[str]], Rational]
"""A vector: atoms, each with the indices that it is averaged over, with coefficients that are not 0."""
_Key = TypeVar("_Key")


def is_bound(letter: str) -> bool:
    """Return whether an index letter is a bound one."""
    return "'" in letter


def bound(letter: str, weight: str = "") -> Index:
    """Return the bound index of a letter; a discounted one has the letter of its weights."""
    return ((f"{letter}'{weight}", 1),)


def free_name(letter: str) -> str:
    """Return the index letter of which an index is the bound one."""
    return letter.partition("'")[0]


def inner(left: Atom, right: Atom, averaged: frozenset[str]) -> Inner:
    """Return the normal form of an inner product: projections that fix one side are left out.

    What no projection separates is one product, of which the sum over the coordinates is taken.
    """
    apart = averaged & left.varies() & right.varies()
    if not apart and (left.factors or right.factors or ONES in (left.name, right.name)):
        whole_product = multiplied_atom(left, right)
        two = len(whole_product.factors) == 2
        left, right = whole_product.factors if two else (whole_product, Atom(ONES))
    first, second = sorted((left, right))
    if first.factors or second.factors:
        (first, second), common = cores(first, second, apart)
        first = multiplied_atom(first, *common)
    return Inner(first, second, apart)


def cores(left: Atom, right: Atom, averaged: frozenset[str]) -> tuple[tuple[Atom, Atom], list[Atom]]:
    """Return what the two sides are without factors that do not vary with what is averaged over, and these factors.

    <P (a c), b> = <P a, c b>: such a factor may stand on either side.
    """
    sides, common = [], []
    for side in (left, right):
        factors = side.factors or (side,)
        common += [one for one in factors if averaged and not averaged & one.varies()]
        sides.append(multiplied_atom(*(one for one in factors if not averaged or averaged & one.varies())))
    first, second = sorted(sides)
    return (first, second), sorted(common)


def is_square(term: Inner) -> bool:
    """Return whether an inner product is |P u|^2, or the sum of a product of squares: each factor stands there twice.

    With cores a and b and factors c that do not vary with what P averages over, it is <c P a, P b>.
    """
    if term.left == term.right:
        return True
    (first, second), common = cores(term.left, term.right, term.averaged)
    if term.averaged:
        return first == second and _pairs(common)
    return _pairs([one for side in (first, second) for one in side.factors or (side,) if one.name != ONES])


def _pairs(factors: list[Atom]) -> bool:
    """Return whether each factor stands there an even number of times."""
    return all(factors.count(one) % 2 == 0 for one in factors)


def multiplied_atom(*atoms: Atom) -> Atom:
    """Return the product of atoms, coordinate by coordinate, in normal form."""
    factors = sorted(one for atom in atoms for one in atom.factors or (atom,) if one.name != ONES)
    if any(one.argument and one.name != "grad" for one in factors):
        raise Refused("what a sample takes is no factor: give it a name")
    if len(factors) < 2:
        return factors[0] if factors else Atom(ONES)
    return Atom("*", (), None, any(one.client for one in factors), tuple(factors))


def multiplied_vectors(u: Vector, v: Vector) -> Vector:
    """Return the product of two vectors, coordinate by coordinate.

    (P a) b = P (a b) where b does not vary with what P averages over; else the product has no normal form.
    """
    parts: list[Vector] = []
    for (a, p), x in u.items():
        for (b, q), y in v.items():
            if p & b.varies() or q & a.varies():
                raise Refused(f"a mean of {a.text()} times {b.text()}, which varies with it: give the mean a name")
            parts.append({(multiplied_atom(a, b), p | q): x * y})
    return total(*parts)


def total(*forms: Mapping[_Key, Rational]) -> dict[_Key, Rational]:
    """Return the sum of forms."""
    found: dict[_Key, Rational] = {}
    for form in forms:
        for key, value in form.items():
            found[key] = found[key] + value if key in found else value
    return {key: value for key, value in found.items() if not value.is_zero()}


def scale(form: Mapping[_Key, Rational], by: Rational) -> dict[_Key, Rational]:
    """Return a form times a number."""
    if not by.factors and by.is_one():
        return dict(form)
    return {} if by.is_zero() else {key: value * by for key, value in form.items()}


def negate(form: Mapping[_Key, Rational]) -> dict[_Key, Rational]:
    """Return a form with the other sign."""
    return {key: -value for key, value in form.items()}


def product(u: Vector, v: Vector) -> Form:
    """Return ``<u, v>``."""
    parts: list[Form] = [{inner(a, b, p | q): x * y} for (a, p), x in u.items() for (b, q), y in v.items()]
    return total(*parts)


def project(u: Vector, over: frozenset[str]) -> Vector:
    """Return the mean of a vector over indices."""
    return total(*({(atom, (done | over) & atom.varies()): value} for (atom, done), value in u.items()))


def single(u: Vector) -> Atom | None:
    """Return the atom that a vector is, None if it is no single atom."""
    if len(u) == 1:
        (((atom, done), value),) = u.items()
        return atom if not done and value.is_one() else None
    return None


def rewritten(form: Form, old: Atom, new: Vector) -> Form:
    """Put an equal vector for an atom; inside f, grad and taken only where that is one atom again.

    Equal elements have equal inner products.  Functions are functions of a point, so that equal points have equal
    values; a value at a combination of atoms has no name.
    """
    alone = single(new)

    def inside(atom: Atom) -> Atom:
        if atom == old and alone:
            return alone
        return atom._replace(argument=inside(atom.argument)) if atom.argument else atom

    def vector(atom: Atom) -> Vector:
        if atom.factors and old in atom.factors:
            found: Vector = {(Atom(ONES), frozenset()): Rational.of(1)}
            for factor in atom.factors:
                found = multiplied_vectors(found, vector(factor))
            return found
        if atom.factors:
            return {(multiplied_atom(*map(inside, atom.factors)), frozenset()): Rational.of(1)}
        return new if atom == old else {(inside(atom), frozenset()): Rational.of(1)}

    def one(term: Term) -> Form:
        if isinstance(term, Inner) and not term.averaged:
            return _product_rewritten(term, old, vector)
        if isinstance(term, Inner):
            try:
                left, right = (project(vector(atom), term.averaged) for atom in (term.left, term.right))
            except Refused:  # a mean in the place of a factor, beside what varies with it
                return {term: Rational.of(1)}
            return product(left, right)
        return {term._replace(argument=inside(term.argument)) if term.argument else term: Rational.of(1)}

    return total(*(scale(one(term), value) for term, value in form.items()))


def _product_rewritten(term: Inner, old: Atom, vector: Callable[[Atom], Vector]) -> Form:
    """Rewrite a product that no projection separates; a mean in the place of one factor then separates it.

    (P a) b c = (P (a b)) c where b does not vary with what P averages over, and (P a) (P a) b = (P (a b)) (P a).  A
    mean in the place of several factors, beside what varies, is left as it stands.
    """
    factors = [one for atom in (term.left, term.right) for one in atom.factors or (atom,)]
    if not (term.left.factors or term.right.factors):
        return product(vector(term.left), vector(term.right))
    others = [one for one in factors if one != old]
    many = len(factors) - len(others)
    new = vector(old)
    if many == 1 and any(done for _, done in new):
        parts: list[Form] = []
        for (atom, done), by in new.items():
            beside = [one for one in others if not done & one.varies()]
            away = [one for one in others if done & one.varies()]
            parts.append({inner(multiplied_atom(atom, *beside), multiplied_atom(*away), done): by})
        return total(*parts)
    if many == 2 and not any(done & one.varies() for _, done in new for one in others):
        return product(multiplied_vectors(new, {(multiplied_atom(*others), frozenset()): Rational.of(1)}), new)
    try:
        return product(vector(multiplied_atom(*factors)), {(Atom(ONES), frozenset()): Rational.of(1)})
    except Refused:
        return {term: Rational.of(1)}


def mean_rewritten(form: Form, mean: tuple[Atom, frozenset[str]], new: Vector) -> Form:
    """Put an equal vector for the mean of an atom over some indices, wherever at least this mean is taken.

    Means commute, so that a mean over more indices is that of the equal vector.  In an inner product an atom is
    averaged over what the projection says, and over what the other side does not vary with.
    """
    old, done = mean

    def side(atom: Atom, other: Atom, averaged: frozenset[str]) -> Vector:
        over = averaged | (atom.varies() - other.varies())
        return (
            project(new, over) if atom == old and done <= over else {(atom, averaged & atom.varies()): Rational.of(1)}
        )

    def one(term: Term) -> Form:
        if not isinstance(term, Inner):
            return {term: Rational.of(1)}
        left, right = side(term.left, term.right, term.averaged), side(term.right, term.left, term.averaged)
        return product(project(left, term.averaged), project(right, term.averaged))

    return total(*(scale(one(term), value) for term, value in form.items()))


def power_sum(value: Rational, letter: str, low: Index, high: Index) -> Rational:
    """Return the sum of a number over letter = low .. high, of length >= 0, as a difference of B(high + 1) - B(low).

    Only powers of the letter are summed: 0^p + .. + (n - 1)^p is a polynomial in n (Faulhaber).
    """
    name = Letter(letter)
    if any(name in {x for m, _ in factor for x, _ in m} for factor in value.factors):
        raise Refused(f"sum over {letter}: a weight divides by {letter}")
    first, last, found = Rational.index(low), Rational.index(plus(high, whole(1))), Rational.of(0)
    for monomial, number in value.numerator.items():
        power = dict(monomial).get(name, 0)
        rest = Rational({join_monomials(monomial, ((name, power),), -1): number}, value.factors)
        if power < 0 or rest.depends(letter):
            raise Refused(f"sum over {letter}: the weight {value.text()} is no polynomial in {letter}")
        found = found + rest * (_below(last, power) - _below(first, power))
    return found


def _below(n: Rational, power: int) -> Rational:
    """Return ``0^power + .. + (n - 1)^power``, by Bernoulli's numbers: sum of comb(m + 1, j) B_j is 0 for m >= 1."""
    numbers = [Fraction(1)]
    for m in range(1, power + 1):
        numbers.append(-sum((comb(m + 1, j) * numbers[j] for j in range(m)), Fraction(0)) / (m + 1))
    parts = (Rational.of(comb(power + 1, j) * b / (power + 1)) * n ** (power + 1 - j) for j, b in enumerate(numbers))
    return sum(parts, Rational.of(0))


def require_unbound(one: Term | Atom, letter: str, weight: str = "") -> None:
    """Refuse to bind an index letter where it is bound already: both would become one."""
    if index_letters(bound(letter, weight)) & one.letters():
        raise Refused(f"{one.text()}: {letter} is bound twice")


def shift(entry: Entry, letter: str) -> int:
    """Return j where every index with the letter is the letter plus j; refuse other indices."""
    indices, argument = [*entry.indices], entry.argument
    while argument:
        indices += argument.indices
        argument = argument.argument
    places = {index for index in indices if letter in index_letters(index)}
    found = {dict(index).get("", 0) for index in places}
    if len(found) != 1 or any(dict(index)[letter] != 1 or index_letters(index) != {letter} for index in places):
        raise Refused(f"{entry.text()}: the index is not {letter} plus one number")
    return found.pop()


def _is_mixed(entry: Entry, letter: str) -> bool:
    """Return whether an index is not the letter plus a number, as t - 1 - d: summed over the whole range alone."""
    atom = Atom(entry.name, entry.indices, entry.argument)
    while True:
        found = [index for index in atom.indices if letter in index_letters(index)]
        if any(constant(plus(index, ((letter, 1),), -1)) is None for index in found):
            return True
        if atom.argument is None:
            return False
        atom = atom.argument


def sum_form(form: Form, letter: str, over: tuple[Index, Index], declared: tuple[Index, Index]) -> Form:
    """Return the sum of a form over letter = low .. high, of length >= 0, which is the caller's to show.

    With S(n) the sum of all s[t] before t = n, the sum of s[t + j] over low .. high is S(high + j + 1) - S(low + j),
    that over the declared range S(HIGH + 1) - S(LOW): what they differ by are a few entries at both ends.  The sum over
    the declared range is its length, 0 or more, times the mean over the bound index (of any value where it is 0).
    Constant terms are sums of powers.  A weight that depends on the letter beside an entry that does is refused.
    """
    return total(*(_term_summed(term, value, letter, over, declared) for term, value in form.items()))


def _term_summed(
    term: Term, value: Rational, letter: str, over: tuple[Index, Index], declared: tuple[Index, Index]
) -> Form:
    if letter not in term.letters():
        return {term: power_sum(value, letter, *over)}
    require_unbound(term, letter)
    if value.depends(letter):
        raise Refused(f"sum over {letter}: the weight {value.text()} of {term.text()} depends on {letter} too")
    (low, high), (first, last) = over, declared
    j = 0 if not isinstance(term, Entry) or (over == declared and _is_mixed(term, letter)) else shift(term, letter)
    start = constant(plus(plus(low, whole(j)), first, -1))
    end = constant(plus(plus(high, whole(j)), last, -1))
    if start is None or end is None or max(abs(start), abs(end)) > _FAR:
        raise Refused(f"sum over {letter} of {term.text()}: not the declared range but for a few entries")
    length = Rational.index(plus(plus(last, first, -1), whole(1)))
    found: list[Form] = [{term.substitute(letter, plus(bound(letter), whole(-j))): value * length}]
    ends = [(plus(last, whole(n)), 1) for n in range(1, end + 1)] + [(plus(last, whole(-n)), -1) for n in range(-end)]
    ends += [(plus(first, whole(n)), -1) for n in range(start)]
    ends += [(plus(first, whole(-n)), 1) for n in range(1, -start + 1)]
    found += [{term.substitute(letter, plus(at, whole(-j))): value * Rational.of(sign)} for at, sign in ends]
    return total(*found)


def form_text(form: Mapping[Term, Rational]) -> str:
    """Write a form."""
    return " + ".join(f"({value.text()}) {term.text()}" for term, value in form.items()) or "0"
