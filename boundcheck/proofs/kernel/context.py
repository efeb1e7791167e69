"""What is known where a statement stands, and the signs of numbers that follow from it.

A sign is shown by a certificate of the proof object: a polynomial times positive letters is a positive number times
factors, each of which is a square or a sum of products of facts.  Nothing is searched for; a certificate that does not
multiply out is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from .algebra import (
    Index,
    Letter,
    Monomial,
    Polynomial,
    Rational,
    Refused,
    add,
    content,
    index_letters,
    index_text,
    join_monomials,
    letter_text,
    multiply,
    multiply_by_monomial,
    plus,
    ratio,
    split,
    substitute_index,
    text,
    whole,
)
from .file import EULER, File, Range, Ranges
from .text import MOST_POWER, Tree, expression, index_of, names_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .algebra import Coefficient

Certificate = dict[str, Any]
SPREAD = "spread"
"""The letter for (N - S)/(S (N - 1)), 0 for N = 1, the factor in the variance of the mean of a sample."""
_EULER = tuple(
    Fraction(n, d) for n, d in ((2718, 10**3), (2719, 10**3), (2718281828459, 10**12), (271828182846, 10**11))
)
"""Lower and upper bounds of Euler's number, wide ones first: the sum of 1/n! up to n = 16 lies between the narrow ones,
and what follows is less than 2/17!."""


class Question(NamedTuple):
    """Why is a polynomial >= 0 here?  Or > 0; or, in a divisor, not 0."""

    polynomial: Polynomial
    strict: bool
    either: bool
    """Whether the opposite sign would do as well."""
    divided: Monomial = ()
    """The positive letters that have been divided out, for who searches."""

    @property
    def key(self) -> str:
        """The text by which a proof object answers it."""
        return text(self.polynomial) + (" /= 0" if self.either else " > 0" if self.strict else "")


class Answers(Protocol):
    """What answers questions about signs: a proof object, or a search that records what it finds."""

    def sign(self, question: Question, context: Context) -> Certificate | None:
        """Return a certificate, None if there is none."""


@dataclass(frozen=True)
class Context:
    """Index ranges and facts about letters, where a statement stands."""

    file: File
    answers: Answers
    over: Ranges = field(default_factory=dict)
    values: Mapping[str, Rational] = field(default_factory=dict)
    """Letters that have a value here."""
    positive: frozenset[str] = frozenset()
    """Letters >= 0 that are > 0 here."""
    given: tuple[Tree, ...] = ()
    facts: tuple[Polynomial, ...] = ()
    """Polynomials that are not negative."""
    symbolic: bool = False
    """Whether an index letter stays a letter where it has one value only, as births read equations."""

    # --- indices --------------------------------------------------------------------------------------------------

    def inside(self, letter: str, ends: Range) -> Context:
        """Return the context in which an index letter has a value in a range.

        A letter has one meaning: one that has a range here already is refused.
        """
        if letter in self.over or (letter not in self.file.indices and "'" not in letter):
            raise Refused(f"{letter} is bound already, or no index")
        low, high = ends
        here: Index = ((letter, 1),)
        facts = [Rational.index(plus(here, low, -1)).numerator, Rational.index(plus(high, here, -1)).numerator]
        return replace(self, over={**self.over, letter: ends}, facts=(*self.facts, *filter(None, facts)))

    def without(self, letter: str) -> Context:
        """Return the context in which nothing is known of an index letter, so that it can be bound again."""
        over = {name: ends for name, ends in self.over.items() if name != letter}
        if any(letter in index_letters(one) for ends in over.values() for one in ends):
            raise Refused(f"a range ends in {letter}")
        kept = [f for f in self.facts if not Rational(f).depends(letter)]
        given = tuple(one for one in self.given if letter not in names_in(one))
        return replace(self, over=over, facts=tuple(kept), given=given)

    def at_least(self, a: Index, b: Index) -> bool:
        """Return whether a >= b for all values of the index letters and horizons.

        An index letter gives way to the end of its range at which a - b is least, a horizon with a positive weight to
        its least value: 1, or the whole number next above what it is given to be at least.  No choice is made, so that
        nothing is searched for.
        """
        difference = plus(a, b, -1)
        if not difference:
            return True
        for _ in range(2 * len(self.over) + 1):
            letter = next((name for name, _ in difference if name in self.over), None)
            if letter is None:
                break
            low, high = self.over[letter]
            difference = substitute_index(difference, letter, low if dict(difference)[letter] > 0 else high)
        least = all(not name or (name in self.file.horizons and value > 0) for name, value in difference)
        return least and sum(value * self._least.get(name, 1) for name, value in difference) >= 0

    def at_one_value(self, index: Index) -> Index:
        """Return an index with the value of each letter that has one only."""
        for letter in set() if self.symbolic else index_letters(index) & self.over.keys():
            low, high = self.over[letter]
            index = substitute_index(index, letter, low) if low == high else index
        return index

    def require_within(self, index: Index, ends: Range, what: str) -> None:
        """Refuse an index that may leave a range, or that has a letter without a value here."""
        if len(index) == 1 and index[0][1] == 1 and self.over.get(index[0][0]) == ends:
            return  # a letter with this range
        free = index_letters(index) - {*self.over, *self.file.horizons}
        if free or not (self.at_least(index, ends[0]) and self.at_least(ends[1], index)):
            low, high = map(index_text, ends)
            raise Refused(f"{what}: the index {index_text(index)} is free, or may leave {low} .. {high}")

    def require_length(self, ends: Range, least: int, what: str) -> None:
        """Refuse a range that may have fewer values; 0 is a range that ends one before it begins."""
        if not self.at_least(plus(ends[1], whole(1 - least)), ends[0]):
            raise Refused(f"{what}: {index_text(ends[0])} .. {index_text(ends[1])} may have less than {least} values")

    # --- signs ----------------------------------------------------------------------------------------------------

    def sign_of(self, letter: Letter) -> int:
        """Return 2 for a positive letter, 1 for one that is not negative, 0 for any other."""
        if letter.indices:
            sign = self.file.members[letter.name][0]
        elif letter.name in self.over:
            low = self.over[letter.name][0]
            return 2 if self.at_least(low, whole(1)) else 1 if self.at_least(low, ()) else 0
        elif letter.name in self.file.letters:
            sign = "> 0" if letter.name in self.positive else self.file.letters[letter.name]
            if sign != "> 0" and self._away_from_zero.get(letter) == 1:
                return 2
        else:
            raise Refused(f"{letter.name} is no letter, or a free index")
        return {"> 0": 2, ">= 0": 1, "real": 0}[sign]

    @cached_property
    def _away_from_zero(self) -> dict[Letter, int]:
        """The letters that a fact keeps away from 0, and on which side: x - 1 >= 0 above, -x - 1 >= 0 below."""
        return {letter: 1 if by > 0 else -1 for letter, by, least in self._ends() if least < 0}

    @cached_property
    def _least(self) -> dict[str, int]:
        """The least values of horizons, which are whole numbers: 2 where 2 K >= 3 is known."""
        found: dict[str, int] = {}
        for letter, by, least in self._ends():
            if by > 0 and letter.name in self.file.horizons and not letter.indices:
                found[letter.name] = max(found.get(letter.name, 1), ceil(ratio(-least, by)))
        return found

    @cached_property
    def _facts_by_text(self) -> dict[str, Polynomial]:
        """The facts by the texts that certificates have of them."""
        return {text(fact): fact for fact in self.facts}

    def _ends(self) -> Iterator[tuple[Letter, Coefficient, Coefficient]]:
        """Yield a letter x, a and b for each fact a x + b >= 0."""
        for fact in self.facts:
            (monomial, by), (rest, least) = sorted(fact.items(), reverse=True) if len(fact) == 2 else (((), 0), ((), 0))
            if len(monomial) == 1 and monomial[0][1] == 1 and not rest:
                yield monomial[0][0], by, least

    def require_nonnegative(self, value: Rational, what: str) -> None:
        """Refuse a number that is not shown to be >= 0; a factor below it, which is not 0, counts by its parity."""
        top = value.numerator
        for factor, power in value.factors.items():
            top = multiply(top, dict(factor)) if power % 2 else top
        if top:
            self._require(self._question(top, strict=False), what)

    def require_positive(self, value: Rational, what: str) -> None:
        """Refuse a number that is not shown to be > 0."""
        if value.is_zero():
            raise Refused(f"{what}: 0 is not positive")
        top = value.numerator
        for factor, power in value.factors.items():
            top = multiply(top, dict(factor)) if power % 2 else top
        self._require(self._question(top, strict=True), what)

    def require_nonzero(self, value: Rational, what: str) -> None:
        """Refuse a divisor that is not shown to differ from 0: positive letters times a factor of one strict sign."""
        if value.is_zero():
            raise Refused(f"{what}: division by 0")
        common, _, factor = split(value.numerator)
        for letter, _ in common:
            if self.sign_of(letter) != 2 and letter not in self._away_from_zero:
                raise Refused(f"{what}: the divisor {value.text()} is not seen to differ from zero")
        if factor:
            self._require(Question(dict(factor), strict=True, either=True), what)

    def _common(self, p: Polynomial) -> Monomial:
        """Return the positive letters that divide a polynomial."""
        return tuple((letter, power) for letter, power in content(p) if self.sign_of(letter) == 2)

    def _question(self, p: Polynomial, *, strict: bool) -> Question:
        """Return the question for the sign of a polynomial, that of it without positive letters, times even powers.

        A letter in a denominator is not 0, as it was asked for where it was divided by: its even powers are positive.
        """
        common = self._common(p)
        below = tuple((x, 2 * (power // 2)) for x, power in content(p) if power < 0 and self.sign_of(x) != 2)
        return Question(
            multiply_by_monomial(multiply_by_monomial(p, common, -1), below, -1),
            strict=strict,
            either=False,
            divided=common,
        )

    def _plain(self, monomial: Monomial, *, strict: bool = False) -> bool:
        """Return whether a monomial is >= 0 (or > 0) because of the signs of its letters."""
        least = 2 if strict else 1
        return all(self.sign_of(x) >= least or (not strict and power % 2 == 0) for x, power in monomial)

    def _require(self, question: Question, what: str) -> None:
        """Refuse a polynomial whose sign is neither plain nor certified.

        Lemma: if p * times = scale * product of factors, times > 0, scale > 0, and each factor to an odd power is a
        sum of nonnegative products, then p >= 0.  If moreover each factor has a positive product, then p > 0; and if
        scale is negative, then p < 0, which serves a divisor.
        """
        p, strict, either, _ = question
        for sign in (1, -1) if either else (1,):
            plain = all(sign * value > 0 and self._plain(monomial) for monomial, value in p.items())
            if plain and (not strict or any(self._plain(monomial, strict=True) for monomial in p)):
                return
        if not strict and any(_multiple(p, fact) for fact in self.facts):
            return
        certificate = self.answers.sign(question, self)
        if certificate is None:
            wanted = "non-zero" if either else "positive" if strict else "nonnegative"
            raise Refused(f"{what}: this is not seen to be {wanted}: {text(p)}")
        self.require_certificate(question, certificate, what)

    def require_certificate(self, question: Question, certificate: Certificate, what: str) -> None:
        """Refuse a certificate that does not show the sign of a polynomial here, by the lemma of `_require`."""
        p, strict, either, _ = question
        if "absurd" in certificate:
            self._require_absurd(p, certificate["absurd"], what, strict=strict)
            return
        times = _monomial(certificate.get("times", {}))
        scale = _number(certificate.get("scale", "1"))
        if not all(self.sign_of(letter) == 2 for letter, _ in times) or not scale or (scale < 0 and not either):
            raise Refused(f"{what}: a certificate with a wrong scale")
        found: Polynomial = {(): scale}
        for power, why, square in certificate["factors"]:
            factor = self._sum_of_products(why, strict=strict) if why else self._polynomial(square)
            if not (isinstance(power, int) and 0 < power <= MOST_POWER) or (not why and (strict or power % 2)):
                raise Refused(f"{what}: a factor of a certificate without a reason")
            for _ in range(power):
                found = multiply(found, factor)
        if add(found, multiply_by_monomial(p, times), -1):
            raise Refused(f"{what}: a certificate does not multiply out")

    def _require_absurd(self, p: Polynomial, products: list[Any], what: str, *, strict: bool) -> None:
        """Refuse unless p < 0 (or p <= 0, if p > 0 is to be shown) would be absurd: what is not negative adds up to 0.

        Lemma: with q = -p, let a sum of nonnegative weights * letters * facts * q^n be 0 as a polynomial, one of the
        products being a positive number times positive letters times q^n, n >= 1 (n = 0 for p > 0).  Then p >= 0
        (p > 0): else q > 0 (q >= 0), so that no product is negative and one is positive.
        """
        known, opposite = self._facts_by_text, {monomial: -value for monomial, value in p.items()}
        total: Polynomial = {}
        positive = False
        for weight, letters, used, times in products:
            monomial, number = self._monomial(letters), _number(weight)
            legal = (
                number >= 0
                and isinstance(times, int)
                and 0 <= times <= MOST_POWER
                and all(name in known for name in used)
            )
            if not legal or not self._plain(monomial):
                raise Refused(f"{what}: a product of a certificate may be negative, or uses what is not known here")
            one: Polynomial = {monomial: number} if number else {}
            for fact in (*(known[name] for name in used), *[opposite] * times):
                one = multiply(one, fact)
            enough = times == 0 if strict else times > 0
            positive |= not used and number > 0 and enough and self._plain(monomial, strict=True)
            total = add(total, one)
        if total or not positive:
            raise Refused(f"{what}: a certificate that is not absurd")

    def _sum_of_products(self, why: list[Any], *, strict: bool) -> Polynomial:
        """Return the sum of weight * letters * facts * square, each product being nonnegative, one positive if strict.

        A square is not negative.  A product is positive where it is a positive number times positive letters.
        """
        known = self._facts_by_text
        total: Polynomial = {}
        positive = False
        for weight, letters, used, *roots in why:
            monomial, number = self._monomial(letters), _number(weight)
            if number < 0 or not self._plain(monomial) or any(name not in known for name in used):
                raise Refused("a product of a certificate may be negative, or uses what is not known here")
            one: Polynomial = {monomial: number}
            for name in used:
                one = multiply(one, known[name])
            for root in map(self._polynomial, roots):
                one = multiply(one, multiply(root, root))
            positive |= not (used or roots) and number > 0 and self._plain(monomial, strict=True)
            total = add(total, one)
        if strict and not positive:
            raise Refused("a certificate of > 0 without a positive product")
        return total

    def _monomial(self, powers: Mapping[str, int]) -> Monomial:
        """Return letters of a certificate; it divides by none that may be 0: y >= 0 does not follow from x^2 y >= 0."""
        found = _monomial(powers)
        for letter, power in found:
            if power < 0 and self.sign_of(letter) != 2:
                raise Refused(f"a certificate divides by {letter_text(letter)}, which may be 0")
        return found

    def _polynomial(self, terms: list[Any]) -> Polynomial:
        """Return a polynomial of a certificate, of which the same holds."""
        for _, powers in terms:
            self._monomial(powers)
        return _polynomial(terms)

    # --- facts ----------------------------------------------------------------------------------------------------

    def with_fact(self, value: Rational, *, divided: bool = False) -> Context:
        """Return the context in which a number is known to be >= 0: its numerator, times factors of unknown sign.

        A factor that is not 0 leaves the sign alone where it is positive; else the numerator is multiplied by it.
        Positive letters that divide the numerator may be `divided` out.
        """
        top, below = value.numerator, value.factors
        for factor, power in below.items():
            if power % 2:
                try:
                    self._require(Question(dict(factor), strict=True, either=False), "a denominator")
                except Refused:
                    top = multiply(top, dict(factor))
        negative = tuple((letter, power) for letter, power in content(top) if power < 0)
        if any(self.sign_of(letter) != 2 for letter, _ in negative):
            raise Refused("a hypothesis divides by a letter that may be 0")
        fact = multiply_by_monomial(top, self._common(top), -1) if divided else multiply_by_monomial(top, negative, -1)
        return replace(self, facts=(*self.facts, fact)) if fact and fact not in self.facts else self


def base_context(file: File, answers: Answers, values: Mapping[str, Rational] | None = None) -> Context:
    """Return what is known everywhere: horizons are whole numbers >= 1, samples have 1 .. N clients, e is tight.

    ``spread`` is (N - S)/(S (N - 1)), or 0 for N = 1: it is not negative, at most 1, spread S (N - 1) = N - S, and
    spread S <= N - S, as N - 1 >= 1 unless it is 0.  It belongs to the one size that samples of a file have.  A file
    that declares it > 0 would speak of runs with S < N alone, and no statement of it would say so.
    """
    if has_spread(file) and file.letters[SPREAD] == "> 0":
        raise Refused(f"{SPREAD} is 0 where all clients take part: it is declared >= 0")
    one, N, e = Rational.of(1), Rational.index(file.clients), Rational.letter(EULER)
    numbers = [Rational.letter(name) - one for name in sorted(file.horizons)]
    numbers += [sign * (e - Rational.of(end)) for end, sign in zip(_EULER, (one, -one, one, -one), strict=True)]
    for size in (Rational.index(index_of(expression(size))) for size in sorted(file.sizes)):
        numbers += [size - one, N - size]
        if has_spread(file) and SPREAD not in (values or {}):
            d = Rational.letter(SPREAD)
            excess = d * size * (N - one) - N + size
            numbers += [excess, -excess, N - size - d * size, one - d]
    return Context(file, answers, values=values or {}, facts=tuple(one.numerator for one in numbers if one.numerator))


def has_spread(file: File) -> bool:
    """Return whether the letter ``spread`` belongs to the samples: there is one size only."""
    return SPREAD in file.letters and len(file.sizes) == 1


def _multiple(p: Polynomial, fact: Polynomial) -> bool:
    """Return whether a polynomial is a positive multiple of another."""
    if p.keys() != fact.keys():
        return False
    first = next(iter(fact))
    times = ratio(p[first], fact[first])
    return times > 0 and not add(p, fact, -times)


@cache
def _letter(name: str) -> Letter:
    tree = expression(name)
    if tree.kind not in ("name", "entry"):
        raise Refused(f"{name!a} is no letter")
    return Letter(tree.name, tuple(map(index_of, tree.parts)))


def _number(written: str | int) -> Fraction:
    """Return a number of a proof object: 1e9999999999 would take the memory of the machine."""
    if not re.fullmatch(r"-?[0-9]{1,1000}(/[0-9]{1,1000})?", str(written)):
        raise Refused(f"{str(written)!r:.80} is no fraction of whole numbers with at most 1000 digits")
    return Fraction(written)


def _monomial(powers: Mapping[str, int]) -> Monomial:
    if not all(isinstance(power, int) for power in powers.values()):
        raise Refused("exponents are whole numbers")
    return join_monomials((), tuple((_letter(name), power) for name, power in powers.items()))


def _polynomial(terms: list[Any]) -> Polynomial:
    total: Polynomial = {}
    for value, powers in terms:
        total = add(total, {_monomial(powers): _number(value)})
    return total
