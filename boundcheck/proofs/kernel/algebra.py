"""Numbers: quotients of polynomials in named letters, with exact rational coefficients.

A number is a Laurent polynomial over a product of factors; the factors are polynomials of several terms and are kept
apart.  A number is zero exactly where its numerator has no terms, so that comparing needs no greatest common divisor.
Division by a number is legal only where it is shown to differ from zero: that is the caller's to show (`signs`).
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Index = tuple[tuple[str, int], ...]
"""An index such as ``T - 1``: letters with whole coefficients, sorted; the key of the constant part is empty."""
Coefficient = int | Fraction
"""A rational number; `ratio` is the only division."""


class Refused(Exception):
    """What is not shown; a claim is proved only where nothing raises this."""


class Letter(NamedTuple):
    """A number without a value: a letter, or a member ``eta[t, k]`` of a letter with indices."""

    name: str
    indices: tuple[Index, ...] = ()


Monomial = tuple[tuple[Letter, int], ...]
"""Letters with exponents that are not 0, sorted."""
Polynomial = dict[Monomial, Coefficient]
"""Monomials with coefficients that are not 0; exponents may be negative."""
UNIT: Polynomial = {(): 1}
MOST_TERMS = 50_000
"""The most terms that a power may have: it is multiplied out."""


def ratio(x: Coefficient, y: Coefficient = 1) -> Coefficient:
    """Return x/y; a whole number is an int, which is reckoned with more quickly than a fraction."""
    found = Fraction(x, y) if y != 1 else x
    return found.numerator if found.denominator == 1 else found


@lru_cache(maxsize=2**14)
def plus(index: Index, other: Index, times: int = 1) -> Index:
    """Return ``index + times * other``."""
    if not other:
        return index
    total = dict(index)
    for name, value in other:
        total[name] = total.get(name, 0) + times * value
    return tuple(sorted((name, value) for name, value in total.items() if value))


def whole(value: int) -> Index:
    """Return the index that is a number."""
    return (("", value),) if value else ()


@lru_cache(maxsize=2**14)
def substitute_index(index: Index, letter: str, value: Index) -> Index:
    """Return an index with a letter replaced."""
    times = dict(index).get(letter, 0)
    return plus(plus(index, ((letter, times),), -1), value, times) if times else index


@lru_cache(maxsize=2**14)
def index_letters(index: Index) -> frozenset[str]:
    """Return the letters that occur in an index."""
    return frozenset(name for name, _ in index if name)


def constant(index: Index) -> int | None:
    """Return the number that an index is, None if it has letters."""
    return None if index_letters(index) else dict(index).get("", 0)


def index_text(index: Index) -> str:
    """Write an index: ``t + 1``."""
    text = ""
    for name, value in sorted(index, key=lambda part: (not part[0], part[0])):
        size = str(abs(value)) if not name else name if abs(value) == 1 else f"{abs(value)}*{name}"
        text += (" - " if value < 0 else " + ") + size if text else ("-" if value < 0 else "") + size
    return text or "0"


def add(p: Polynomial, q: Polynomial, times: Coefficient = 1) -> Polynomial:
    """Return ``p + times * q``."""
    total = dict(p)
    for monomial, value in q.items():
        more = value if times == 1 else times * value
        total[monomial] = total[monomial] + more if monomial in total else more
    return {monomial: value for monomial, value in total.items() if value}


@lru_cache(maxsize=2**14)
def join_monomials(m: Monomial, n: Monomial, times: int = 1) -> Monomial:
    """Return the product of a monomial with a power of another."""
    if not n or not times:
        return m
    if not m and times == 1:
        return n
    powers = dict(m)
    for letter, exponent in n:
        powers[letter] = powers.get(letter, 0) + times * exponent
    return tuple(sorted((letter, exponent) for letter, exponent in powers.items() if exponent))


def multiply(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return the product of two polynomials."""
    if len(p) == 1 and p.get(()) == 1:
        return q
    if len(q) == 1 and q.get(()) == 1:
        return p
    if len(p) == 1 or len(q) == 1:  # no two products of terms are alike
        return {join_monomials(m, n): value * other for m, value in p.items() for n, other in q.items()}
    total: Polynomial = {}
    for m, value in p.items():
        for n, other in q.items():
            both = join_monomials(m, n)
            total[both] = total[both] + value * other if both in total else value * other
    return {monomial: value for monomial, value in total.items() if value}


def multiply_by_monomial(p: Polynomial, m: Monomial, times: int = 1) -> Polynomial:
    """Return a polynomial times a power of a monomial."""
    return {join_monomials(n, m, times): value for n, value in p.items()}


def letters_of(p: Iterable[Monomial]) -> set[Letter]:
    """Return the letters that occur."""
    return {letter for monomial in p for letter, _ in monomial}


def content(p: Polynomial) -> Monomial:
    """Return the largest monomial that divides every term, with the negative exponents that stand there."""
    if len(p) == 1:
        return next(iter(p))
    powers = [dict(monomial) for monomial in p]
    found = ((letter, min(m.get(letter, 0) for m in powers)) for letter in sorted(letters_of(p)))
    return tuple((letter, exponent) for letter, exponent in found if exponent)


def quotient(p: Polynomial, q: Polynomial) -> Polynomial | None:
    """Return p/q where that is a polynomial, None else: long division by the leading terms in lexicographic order."""
    if len(p) == 1 < len(q):  # what divides a monomial is one
        return None
    order = sorted(letters_of(p) | letters_of(q))
    ranked = {m: tuple(dict(m).get(letter, 0) for letter in order) for m in q}
    lead = max(q, key=ranked.__getitem__)
    lowest = {letter: min(dict(m).get(letter, 0) for m in p) for letter in order}
    found: Polynomial = {}
    while p:
        top = max(p, key=lambda m: tuple(dict(m).get(letter, 0) for letter in order))
        step = join_monomials(top, lead, -1)
        if any(exponent < min(0, lowest[letter]) for letter, exponent in step):
            return None
        found[step] = ratio(p[top], q[lead])
        p = add(p, multiply_by_monomial(q, step), -found[step])
    return found


Factor = frozenset[tuple[Monomial, Coefficient]]
"""A polynomial of several terms without common letters, its first term having coefficient 1."""


def split(p: Polynomial) -> tuple[Monomial, Coefficient, Factor | None]:
    """Return monomial, number and factor (None if it is 1) whose product is a polynomial that is not 0."""
    if not p:
        raise Refused("division by zero")
    common = content(p)
    rest = multiply_by_monomial(p, common, -1)
    first = rest[min(rest)]
    return common, first, None if len(rest) == 1 else frozenset((m, ratio(value, first)) for m, value in rest.items())


class Rational:
    """``numerator / product of factors``; the numerator may have negative exponents."""

    __slots__ = ("factors", "numerator")

    def __init__(self, numerator: Polynomial, factors: Mapping[Factor, int] | None = None) -> None:
        self.numerator = numerator
        self.factors: dict[Factor, int] = dict(factors) if factors and numerator else {}

    @staticmethod
    @lru_cache(maxsize=2**10)
    def of(value: Coefficient) -> Rational:
        """Return a number."""
        return Rational({(): ratio(value)} if value else {})

    @staticmethod
    def letter(name: str, indices: tuple[Index, ...] = ()) -> Rational:
        """Return a letter."""
        return Rational({((Letter(name, indices), 1),): 1})

    @staticmethod
    def index(index: Index) -> Rational:
        """Return an index as a number."""
        return Rational({(((Letter(name), 1),) if name else ()): value for name, value in index})

    def __add__(self, other: Rational) -> Rational:
        if not (self.factors or other.factors):
            return Rational(add(self.numerator, other.numerator))
        names = {**self.factors, **other.factors}
        below = {f: max(self.factors.get(f, 0), other.factors.get(f, 0)) for f in names}
        total = add(self._over(below), other._over(below))
        # A sum cancels a factor only where both sides have it.
        return Rational(total, below).reduce() if self.factors and other.factors else Rational(total, below)

    def _over(self, factors: Mapping[Factor, int]) -> Polynomial:
        top = self.numerator
        for factor, power in factors.items():
            for _ in range(power - self.factors.get(factor, 0)):
                top = multiply(top, dict(factor))
        return top

    def __mul__(self, other: Rational) -> Rational:
        if not (self.factors or other.factors):
            return Rational(multiply(self.numerator, other.numerator))
        below = dict(self.factors)
        for factor, power in other.factors.items():
            below[factor] = below.get(factor, 0) + power
        return Rational(multiply(self.numerator, other.numerator), below).reduce()

    def reduce(self) -> Rational:
        """Cancel the factors of the denominator that divide the numerator."""
        top, below = self.numerator, dict(self.factors)
        for factor in self.factors:
            while below[factor] and (less := quotient(top, dict(factor))) is not None:
                top, below[factor] = less, below[factor] - 1
        return Rational(top, {factor: power for factor, power in below.items() if power})

    def __neg__(self) -> Rational:
        return Rational({monomial: -value for monomial, value in self.numerator.items()}, self.factors)

    def __sub__(self, other: Rational) -> Rational:
        return self + -other

    def inverse(self) -> Rational:
        """Return 1 over the number; that it is not zero is the caller's to show."""
        common, first, factor = split(self.numerator)
        top: Polynomial = {join_monomials((), common, -1): ratio(1, first)}
        for other, power in self.factors.items():
            for _ in range(power):
                top = multiply(top, dict(other))
        return Rational(top, {factor: 1} if factor else None).reduce()

    def __pow__(self, exponent: int) -> Rational:
        if comb(len(self.numerator) + abs(exponent), abs(exponent)) > MOST_TERMS:
            raise Refused(
                f"a power that may have more than {MOST_TERMS} terms: ({len(self.numerator)} terms)^{exponent}"
            )
        base, total = (self if exponent >= 0 else self.inverse()), Rational.of(1)
        for _ in range(abs(exponent)):
            total = total * base
        return total

    def is_zero(self) -> bool:
        """Return whether it is 0."""
        return not self.numerator

    def is_one(self) -> bool:
        """Return whether it is 1."""
        return self.numerator == UNIT if not self.factors else (self - Rational.of(1)).is_zero()

    def letters(self) -> set[Letter]:
        """Return the letters that occur."""
        return letters_of(self.numerator).union(*(letters_of(m for m, _ in factor) for factor in self.factors))

    def depends(self, index: str) -> bool:
        """Return whether an index letter occurs, as it stands or in a member ``eta[t]``."""
        return any(
            letter.name == index or any(index in index_letters(one) for one in letter.indices)
            for letter in self.letters()
        )

    def text(self) -> str:
        """Write it."""
        below = "".join(f"/({text(dict(factor))})^{power}" for factor, power in self.factors.items())
        return f"({text(self.numerator)}){below}" if below else text(self.numerator)


def letter_text(letter: Letter) -> str:
    """Write a letter: ``eta``, ``eta[t, k + 1]``."""
    return letter.name + (f"[{', '.join(map(index_text, letter.indices))}]" if letter.indices else "")


def monomial_text(monomial: Monomial) -> str:
    """Write a monomial: ``L^2*eta``."""
    return "*".join(letter_text(x) if e == 1 else f"{letter_text(x)}^{e}" for x, e in monomial)


def text(p: Polynomial) -> str:
    """Write a polynomial, in one way only."""
    found = []
    for monomial, value in sorted(p.items()):
        size, letters = abs(value), monomial_text(monomial)
        one = letters if letters and size == 1 else f"{size}*{letters}" if letters else str(size)
        found.append(("- " if value < 0 else "+ ") + one)
    return " ".join(found).removeprefix("+ ") or "0"
