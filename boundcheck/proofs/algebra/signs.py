"""Signs of rational functions of letters: products of hypotheses with nonnegative weights, exact over the rationals.

A linear program proposes which products; their weights are then solved for exactly, so that what is returned is checked
by multiplying out.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import prod
from typing import TYPE_CHECKING, Any

from boundcheck.proofs.algebra.book import ProductStore
from boundcheck.proofs.algebra.factors import factor_polynomial
from boundcheck.proofs.algebra.points import evaluate_at, feasible, size
from boundcheck.proofs.algebra.products import NonnegativityProgramme, Product

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.proofs.algebra.points import Array

Polynomial = Any
"""An element of the ring of polynomials in the letters of a setting."""
_EFFORTS = ((1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2), (4, 2), (5, 1))
"""How far from the polynomial's terms, and products of how many hypotheses, each attempt may go."""

_ABSURD_EFFORTS = ((1, 1), (1, 2), (2, 1), (2, 2))
"""The same where the opposite is led to what is absurd."""
_MOST_TERMS = 6
"""Most terms of a polynomial whose opposite is tried."""
_MOST_LETTERS = 5
"""By how many positive letters the opposite is multiplied, one at a time."""
_MOST_ROOTS, _MOST_PLACES = 24, 500
"""Most monomials of whose differences squares are tried, and of those among which they are."""
_LONG = 9
"""Digits of a number that make a bound a narrow one."""


@dataclass(frozen=True)
class SignProof:
    """``polynomial = (product of factors) >= 0``; each factor a sum of products, or a square to an even power."""

    polynomial: Polynomial
    factors: tuple[tuple[Polynomial, int, tuple[Product, ...]], ...]
    """Factor, power, and why it is not negative (nothing for an even power)."""
    scale: Fraction


@dataclass
class Signs:
    """Decides signs under hypotheses."""

    ring: Any
    signs: Sequence[str]
    """Sign of each generator: ``> 0``, ``>= 0`` or ``real``."""
    hypotheses: Sequence[Polynomial]
    """What is not negative."""
    book: ProductStore = field(default_factory=ProductStore)
    """Sums of products found before, and whether new ones are searched for."""
    _found: dict[Polynomial, tuple[Product, ...] | None] = field(default_factory=dict)
    _absurd: dict[tuple[Polynomial, bool], tuple[tuple[Product, int], ...] | None] = field(default_factory=dict)

    def nonnegative(self, value: Any) -> bool:
        """Return whether a rational function is shown to be nonnegative where it is defined."""
        whole = value.numer * value.denom
        return self.proof(whole) is not None or self.absurd(whole, strict=False) is not None

    def positive(self, value: Any) -> bool:
        """Return whether a rational function is shown to be positive, its denominator not being zero."""
        proof = self.proof(value.numer * value.denom)
        if proof is None or proof.scale == 0:
            return False
        if all(why and self._positive_one(why) for _, _, why in proof.factors):
            return True
        return self.nonzero(value)

    def nonzero(self, value: Any) -> bool:
        """Return whether a rational function is shown not to vanish: each of its factors is positive, or negative."""
        return all(self._apart(side) for side in (value.numer, value.denom))

    def absurd(self, polynomial: Polynomial, *, strict: bool) -> tuple[tuple[Product, int], ...] | None:
        """Return products that add up to 0 though one is positive, were the polynomial p not >= 0 (`strict`: not > 0).

        Each is a product of letters and hypotheses times a power of q = -p; q^2 + 2 b q + (b^2 - a^2) = 0 for
        q = a - b, so that a <= b follows from a^2 <= b^2 for a, b >= 0.
        """
        key = polynomial, strict
        if key not in self._absurd:
            self._absurd[key] = self._search_absurd(polynomial, strict=strict)
        return self._absurd[key]

    def _search_absurd(self, polynomial: Polynomial, *, strict: bool) -> tuple[tuple[Product, int], ...] | None:
        relevant = self._relevant(polynomial)
        if not self.book.search or not relevant or len(polynomial) > _MOST_TERMS or self._fails_somewhere(polynomial):
            return None
        opposite, own = -polynomial, len(self.hypotheses)
        known = {n: self.hypotheses[n] for n in relevant if n not in self._narrow} | {own: opposite}
        spoken = _letters(polynomial).union(*(_letters(self.hypotheses[n]) for n in relevant if n not in self._narrow))
        own_first = sorted(spoken, key=lambda n: (n not in _letters(polynomial), n))
        letters = [self.ring.gens[n] for n in own_first if self.signs[n] == "> 0"][:_MOST_LETTERS]
        for rounds, degree in _ABSURD_EFFORTS:
            for power in (0,) if strict else (1, 2, 3):
                for letter in (self.ring.one, *letters):
                    found = NonnegativityProgramme(-letter * opposite**power, known, self.signs).solve(rounds, degree)
                    if found is not None:
                        first = Product(Fraction(1), letter.LM, ())
                        rest = [
                            (
                                Product(p.weight, p.monomial, tuple(n for n in p.hypotheses if n != own)),
                                p.hypotheses.count(own),
                            )
                            for p in found
                        ]
                        return (first, power), *rest
        return None

    def _apart(self, polynomial: Polynomial) -> bool:
        if len(polynomial) == 1 and all(not e or s == "> 0" for e, s in zip(polynomial.LM, self.signs, strict=True)):
            return True
        return all(
            self.strict(f) is not None or self.strict(-f) is not None for f, _ in factor_polynomial(polynomial)[1]
        )

    def proof(self, polynomial: Polynomial) -> SignProof | None:
        """Return why a polynomial is nonnegative, None if that is not seen."""
        if polynomial == 0:
            return SignProof(polynomial, (), Fraction(0))
        if (easy := self._easy(polynomial)) is not None:
            return SignProof(polynomial, ((polynomial, 1, easy),), Fraction(1))
        scale, factors = factor_polynomial(polynomial)
        scale = Fraction(int(scale.numerator), int(scale.denominator))
        found: list[tuple[Polynomial, int, tuple[Product, ...]]] = []
        for factor, power in factors:
            if power % 2 == 0:
                found.append((factor, power, ()))
                continue
            why = self._sum(factor)
            if why is None and (negated := self._sum(-factor)) is not None:
                factor, why, scale = -factor, negated, -scale
            if why is None:
                return self._whole(polynomial)
            found.append((factor, power, why))
        return SignProof(polynomial, tuple(found), scale) if scale > 0 else self._whole(polynomial)

    def _whole(self, polynomial: Polynomial) -> SignProof | None:
        why = self._sum(polynomial)
        return None if why is None else SignProof(polynomial, ((polynomial, 1, why),), Fraction(1))

    def strict(self, polynomial: Polynomial) -> tuple[Product, ...] | None:
        """Return products that add up to a polynomial, a positive one among them; None if none are found.

        Where all terms may vanish, a hypothesis may say that they do not do so at once.
        """
        why = self._sum(polynomial)
        if why is None or self._positive_one(why):
            return why
        known = self.book.look_up(polynomial, self.hypotheses, lambda why: self._fits(why) and self._positive_one(why))
        if known is None and self.book.search:
            known = self._find_products(polynomial)
            if known is not None and self._positive_one(known):
                self.book.note(polynomial, self.hypotheses, known)
        return known if known is not None and self._positive_one(known) else None

    def _positive_one(self, why: tuple[Product, ...]) -> bool:
        """Return whether a product is a positive number times positive letters."""
        return any(
            not product.hypotheses
            and product.root is None
            and all(not e or s == "> 0" for e, s in zip(product.monomial, self.signs, strict=True))
            for product in why
        )

    def products(self, polynomial: Polynomial) -> tuple[Product, ...] | None:
        """Return products of hypotheses that add up to a polynomial, None if none are found."""
        return self._sum(polynomial)

    def _sum(self, polynomial: Polynomial) -> tuple[Product, ...] | None:
        if polynomial not in self._found:
            self._found[polynomial] = self._search(polynomial)
        return self._found[polynomial]

    def _search(self, polynomial: Polynomial) -> tuple[Product, ...] | None:
        easy = self._easy(polynomial) or self.book.look_up(polynomial, self.hypotheses, self._fits)
        if easy or not self.book.search:
            return easy
        found = self._find_products(polynomial)
        if found is not None:
            self.book.note(polynomial, self.hypotheses, found)
        return found if found is not None else self._find_squares(polynomial)

    def _easy(self, polynomial: Polynomial) -> tuple[Product, ...] | None:
        if all(number > 0 and self._plain(monomial) for monomial, number in polynomial.terms()):
            return tuple(Product(_fraction(number), monomial, ()) for monomial, number in polynomial.terms())
        return self._multiple(polynomial)

    def _find_products(self, polynomial: Polynomial) -> tuple[Product, ...] | None:
        relevant = self._relevant(polynomial)
        if not relevant or self._fails_somewhere(polynomial):
            return None
        wide = [n for n in relevant if n not in self._narrow]
        narrow = [n for n in relevant if n not in self._wide] if set(relevant) & self._narrow else []
        for chosen, efforts in ((wide, _EFFORTS), (narrow, _EFFORTS[:4])):
            program = NonnegativityProgramme(polynomial, {n: self.hypotheses[n] for n in chosen}, self.signs)
            for rounds, degree in efforts if chosen else ():
                if (found := program.solve(rounds, degree)) is not None:
                    return found
        return None

    def _find_squares(self, polynomial: Polynomial) -> tuple[Product, ...] | None:
        """Return squares of sums and differences of two monomials, and hypotheses, times letters: their sum is given.

        They are found in a moment where there are any, and are not stored.
        """
        roots = self._roots(polynomial)
        if not roots or self._fails_somewhere(polynomial):
            return None
        own = len(self.hypotheses)
        given = {n: self.hypotheses[n] for n in self._relevant(polynomial) if n not in self._narrow}
        given |= {own + k: root**2 for k, root in enumerate(roots)}
        found = NonnegativityProgramme(polynomial, given, self.signs).solve(1, 1)
        if found is None:
            return None
        return tuple(
            replace(p, hypotheses=(), root=roots[p.hypotheses[0] - own]) if max(p.hypotheses, default=0) >= own else p
            for p in found
        )

    def _roots(self, polynomial: Polynomial) -> list[Polynomial]:
        """Return sums and differences of two monomials without a common letter, whose squares may be of use.

        A monomial whose square is in a sum of squares lies between halves of the terms: exponents and degree are
        bounded, a little less where letters are multiplied with.
        """
        places = sorted(_letters(polynomial))
        exponents = [[m[place] for place in places] for m in polynomial.itermonoms()]
        degrees = [sum(m) for m in exponents]
        more = [int(self.signs[place] != "real") for place in places]
        columns = list(zip(*exponents, strict=True))
        ranges = [range((min(e) + 1 - m) // 2, (max(e) + m) // 2 + 1) for e, m in zip(columns, more, strict=True)]
        if len(places) < 2 or prod(map(len, ranges)) > _MOST_PLACES:
            return []
        odd = max(more)
        inside = [m for m in product(*ranges) if min(degrees) - odd <= 2 * sum(m) <= max(degrees) + odd]
        if len(inside) > _MOST_ROOTS:
            return []
        pairs: dict[tuple[tuple[int, ...], tuple[int, ...]], None] = {}
        for pair in combinations(inside, 2):
            common = tuple(map(min, *pair))
            one, other = (tuple(e - less for e, less in zip(m, common, strict=True)) for m in pair)
            pairs[one, other] = None
        ring = polynomial.ring

        def monomial(m: tuple[int, ...]) -> Polynomial:
            powers = dict(zip(places, m, strict=True))
            return ring({tuple(powers.get(place, 0) for place in range(ring.ngens)): ring.domain.one})

        return [monomial(one) + sign * monomial(other) for one, other in pairs for sign in (1, -1)]

    @cached_property
    def _narrow(self) -> set[int]:
        """Return the hypotheses that are narrow bounds of one letter, long fractions that are seldom needed."""
        return {n for n, one in enumerate(self.hypotheses) if _is_bound(one) and _digits(one) > _LONG}

    @cached_property
    def _wide(self) -> set[int]:
        """Return the hypotheses that bound the letters of the narrow ones, less narrowly."""
        letters = set[int]().union(*(_letters(self.hypotheses[n]) for n in self._narrow))
        every = enumerate(self.hypotheses)
        return {n for n, one in every if _is_bound(one) and n not in self._narrow and _letters(one) <= letters}

    def _fails_somewhere(self, polynomial: Polynomial) -> bool:
        """Return whether the polynomial is negative where all hypotheses hold: then no search can help."""
        points = self.points
        return bool(len(points)) and bool((evaluate_at(polynomial, points) < -1e-9 * size(polynomial, points)).any())

    @cached_property
    def points(self) -> Array:
        """Return random points at which all hypotheses hold, none if chance meets none."""
        return feasible(self.hypotheses, self.signs)

    def _multiple(self, polynomial: Polynomial) -> tuple[Product, ...] | None:
        """Return why a positive multiple of a hypothesis is nonnegative."""
        for number, hypothesis in enumerate(self.hypotheses):
            if len(hypothesis) == len(polynomial) and hypothesis.LM == polynomial.LM:
                weight = polynomial.LC / hypothesis.LC
                if weight > 0 and hypothesis * weight == polynomial:
                    return (Product(_fraction(weight), (0,) * len(self.signs), (number,)),)
        return None

    def _fits(self, why: tuple[Product, ...]) -> bool:
        """Return whether stored products, found under other signs perhaps, have letters that are not negative here."""
        return all(self._plain(product.monomial) for product in why)

    def _plain(self, monomial: tuple[int, ...]) -> bool:
        return all(not e or s != "real" or e % 2 == 0 for e, s in zip(monomial, self.signs, strict=True))

    def _relevant(self, polynomial: Polynomial) -> list[int]:
        """Return the hypotheses that share letters with the polynomial, directly or through others."""
        letters, found = _letters(polynomial), list[int]()
        changed = True
        while changed:
            changed = False
            for number, hypothesis in enumerate(self.hypotheses):
                if number not in found and _letters(hypothesis) & letters:
                    found.append(number)
                    letters |= _letters(hypothesis)
                    changed = True
        return found


def _is_bound(polynomial: Polynomial) -> bool:
    """Return whether a polynomial is a letter up to a factor, plus or minus a number."""
    return len(polynomial) == 2 and sum(map(sum, polynomial.monoms())) == 1


def _digits(polynomial: Polynomial) -> int:
    return max(len(str(number)) for _, number in polynomial.terms())


def _letters(polynomial: Polynomial) -> set[int]:
    return {place for monomial in polynomial.monoms() for place, exponent in enumerate(monomial) if exponent}


def _fraction(number: Any) -> Fraction:
    return Fraction(int(number.numerator), int(number.denominator))
