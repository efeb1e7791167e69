"""Certificates of inequalities between real numbers: eliminate by equations, shift letters, add up products."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from itertools import combinations, islice, product
from math import prod
from typing import TYPE_CHECKING, Any

import sympy as sp

from boundcheck.proofs.certificates.elimination import Rules
from boundcheck.proofs.certificates.polynomials import expression, plus, polynomial, times
from boundcheck.proofs.certificates.products import Budget, KnownPolynomial, LetterSigns, find
from boundcheck.proofs.certificates.statement import expression as printed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from boundcheck.proofs.certificates.polynomials import Exponents, Polynomial

Factor = Any
Term = list[Factor]
QUICK = (
    *((shift, Budget(1, rounds)) for rounds in (2, 4) for shift in (False, True)),
    (False, Budget(1, 4, inverse=True)),
)
FAR = (
    (False, Budget(1, 6, 6000)),
    (False, Budget(2, 2)),
    (True, Budget(2, 2)),
    (False, Budget(2, 2, inverse=True)),
    (False, Budget(1, 12)),
    (False, Budget(3, 2)),
)
"""Ways of looking, by effort: whether letters are shifted, and how far."""
ABSURD = Budget(2, 2)
"""The same for products of the denial with itself: a <= b from a^2 <= b^2."""
DIFFERENCES = (Budget(1, 2), Budget(1, 2, every=True))
"""The same with squares of differences."""
MOST_DIFFERENT = 4
"""Most letters whose differences are tried."""
VIEWS = 6
"""Most ways of shifting letters that are tried."""


@dataclass(frozen=True)
class Fact:
    """A polynomial with its sign, and the factors of a certificate whose product it is."""

    value: Polynomial
    op: str
    factors: tuple[Factor, ...]

    def times(self, square: Fact) -> Fact:
        """Return the product with a square."""
        return Fact(times(self.value, square.value), ">=", (*self.factors, *square.factors))


@dataclass
class FactBase:
    """Facts about letters by number, and numbers that are known to be positive.

    Parameters
    ----------
    letters : list of symbol
        In the order of exponents.
    positive : list of expression
        Denominators that were shown to be positive.
    facts : list
        A `Fact` by number, or None for what is of no use here.
    """

    letters: list[sp.Symbol]
    positive: list[sp.Expr] = field(default_factory=list)
    facts: list[Fact | None] = field(default_factory=list)
    squares: list[sp.Expr] = field(default_factory=list)
    """Sums that occur squared: what is known is multiplied with these squares too."""

    @property
    def signs(self) -> LetterSigns:
        """Signs of the letters."""
        return LetterSigns(tuple(2 if s.is_positive else 1 if s.is_nonnegative else 0 for s in self.letters))

    def note(self, gap: sp.Expr, op: str) -> None:
        """Add the fact ``gap op 0``; without effect where a denominator has no known sign."""
        split = self.clear_denominators(gap)
        number = len(self.facts)
        if op == ">":
            self.positive.append(gap)
        usable = op in {">", ">=", "="}
        factors = (number, *self.powers(split[1]))
        self.facts.append(Fact(polynomial(split[0], self.letters), op, factors) if usable else None)

    def polynomial(self, e: sp.Expr) -> Polynomial:
        """Return an expression in the letters of the question."""
        return polynomial(sp.expand(e), self.letters)

    def clear_denominators(self, gap: sp.Expr) -> tuple[sp.Expr, list[tuple[sp.Expr, int]]]:
        """Return (top, [(base, exponent)]) with ``gap * product of base**exponent = top`` and positive factors."""
        top, bottom = sp.fraction(sp.cancel(sp.together(gap)))
        number, factors = sp.factor_list(bottom)
        top, bases = top / number, []
        for base, exponent in factors:
            sign = self.sign_of(base)
            if sign:
                top, base = top * sign**exponent, base * sign
            elif exponent % 2:
                top, exponent = top * base, exponent + 1
            bases.append((base, exponent))
        return sp.expand(top), bases

    def powers(self, bases: list[tuple[sp.Expr, int]]) -> list[Factor]:
        """Return positive powers as factors, one at a time, or squares, so that each is seen to be positive."""
        found: list[Factor] = []
        for base, exponent in bases:
            text = printed(base)
            found += [text] * exponent if self.sign_of(base) else [[text]] * (exponent // 2)
        return found

    def sign_of(self, base: sp.Expr) -> int:
        """Return 1 or -1 for a number known to be positive or negative, else 0."""
        top, bottom = sp.fraction(sp.together(base))
        if bottom.free_symbols:
            parts = [*sp.factor_list(top)[1], *sp.factor_list(bottom)[1]]
            return int(sp.sign(sp.factor_list(top)[0])) * prod(self.sign_of(b) if e % 2 else 1 for b, e in parts)
        for sign in (1, -1):
            p = polynomial(sp.expand(sign * base), self.letters)
            if all(c > 0 and self.signs.legal(k) for k, c in p.items()) and any(self.signs.strict(k) for k in p):
                return sign
            if any((ratio := sp.cancel(sign * base / known)).is_number and ratio > 0 for known in self.positive):
                return sign
        return 0

    def copy(self) -> FactBase:
        """Return a question with the same facts, to which others may be added."""
        return FactBase(self.letters, [*self.positive], [*self.facts], self.squares)

    def prove(self, gap: sp.Expr, op: str, *, quick: bool = False) -> list[Term] | None:
        """Return terms that show ``gap op 0``, for one of >=, > and =; None where none were found."""
        split = self.clear_denominators(gap)
        goal, below = polynomial(split[0], self.letters), inverse(split[1])
        rules = Rules.of(((k, f.value) for k, f in enumerate(self.facts) if f and f.op == "="), self.signs)
        if not rules.reduce(goal) and op != ">":
            return self._terms([], goal, rules, below)
        if op == "=":
            return None
        if op == ">" and gap.is_Symbol and gap.is_nonnegative:  # were it 0, its square would be
            terms = self.prove(gap**2, ">", quick=quick)
            if terms is not None and not any("not" in term for term in terms):
                return [["1", "not", gap.name], *terms]
        whole = self._by_factors(rules.reduce(goal), op)
        if whole is not None:
            return self._terms(whole, goal, rules, below)
        denial = Fact({k: -c for k, c in goal.items()}, ">" if op == ">=" else ">=", ("not", *self.powers(split[1])))
        for shift, budget in QUICK if quick else (*QUICK, *FAR):
            for view in self.views(rules, shift=shift):
                weights = view.search(goal, denial, budget, proper=op == ">")
                if weights is not None:
                    return self._write_proof(weights, denial, goal, rules, below, proper=op == ">")
        if quick or op == ">":
            return None
        return self._by_absurdity(denial, rules, self) or self._by_differences(goal, denial, rules, below)

    def _by_differences(self, goal: Polynomial, denial: Fact, rules: Rules, below: list[Factor]) -> list[Term] | None:
        """Return terms with squares of differences of two letters, as means of different kinds are compared."""
        left = rules.reduce(goal)
        letters = [letter for i, letter in enumerate(self.letters) if any(k[i] for k in left)]
        products = any(letter.name.startswith("<") for letter in self.letters)  # of vectors, which `gram` compares
        if products or not 2 <= len(letters) <= MOST_DIFFERENT:
            return None
        wider = replace(self, squares=[*self.squares, *(a - b for a, b in combinations(letters, 2))])
        for budget in DIFFERENCES:
            for view in wider.views(rules, shift=False):
                weights = view.search(goal, denial, budget, proper=False)
                if weights is not None:
                    return self._write_proof(weights, denial, goal, rules, below, proper=False)
        return self._by_absurdity(denial, rules, wider)

    def _by_absurdity(self, denial: Fact, rules: Rules, wider: FactBase) -> list[Term] | None:
        """Return terms that add up to 0, one of them positive: products of the denial with itself and what is known."""
        for view in wider.views(rules, shift=False):
            weights = view.search({}, denial, ABSURD, proper=True)
            if weights is not None and any("not" in piece.factors for piece in weights):
                return self._terms(weights, {}, rules, [])
        return None

    def _write_proof(
        self, weights: list[Piece], denial: Fact, goal: Polynomial, rules: Rules, below: list[Factor], *, proper: bool
    ) -> list[Term] | None:
        """Return the terms of a proof, direct where the negation takes part at most as it is."""
        alone = [p for p in weights if p.factors == [*denial.factors]] if proper else []
        others = [p for p in weights if not any(p is one for one in alone)]
        direct = not any("not" in p.factors for p in others)
        if direct and (alone or not proper):
            scale = sum((p.weight for p in alone), Fraction(0)) if proper else Fraction(1)
            return self._terms([p.scale(1 / scale) for p in others], goal, rules, below)
        more = [] if proper else [Piece(Fraction(1), denial.value, [*denial.factors])]
        return self._terms([*more, *weights], {}, rules, [])

    def _by_factors(self, goal: Polynomial, op: str) -> list[Piece] | None:
        """Return a polynomial as one product, of squares and what is seen to be nonnegative; None where it is not."""
        top, bottom = sp.fraction(sp.together(expression(goal, self.letters)))
        number, parts = sp.factor_list(top)
        unit, below = sp.factor_list(bottom)
        if not goal or unit < 0 or any(self.sign_of(base) != 1 for base, _ in below):
            return None
        factors: list[Factor] = [*inverse(below)]
        for base, exponent in parts:
            factors += [[printed(base)]] * (exponent // 2)
            if exponent % 2:
                seen = self._split_base(base)
                if seen is None:
                    return None
                number, factors = number * seen[0], [*factors, *seen[1]]
        strict = all(self.sign_of(base) for base, _ in parts)
        if number < 0:
            return None
        weight = Fraction(str(number / unit))
        return None if op == ">" and not strict else [Piece(weight, goal, factors)]

    def _split_base(self, base: sp.Expr) -> tuple[sp.Expr, Sequence[Factor]] | None:
        """Return (c, factors) with ``base = c * product`` and a product that is not negative."""
        p = polynomial(base, self.letters)
        if self.signs.legal_sum(p):
            return sp.S.One, [printed(base)]
        for fact in self.facts:
            if fact is not None and fact.op in {">", ">="} and set(fact.value) == set(p):
                ratios = {c / fact.value[k] for k, c in p.items()}
                if len(ratios) == 1:
                    ratio = ratios.pop()
                    return sp.Rational(ratio.numerator, ratio.denominator), fact.factors
        return None

    def _terms(
        self, weights: Sequence[Piece], goal: Polynomial, rules: Rules, below: list[Factor]
    ) -> list[Term] | None:
        """Return the terms of a certificate; the rest has to be a combination of equations."""
        rest = goal
        terms: list[Term] = []
        for piece in weights:
            rest = plus(rest, piece.value, -1)
            terms.append([str(piece.weight), *piece.factors, *below])
        multipliers, left = rules.combination(rest)
        if left:
            return None
        for k, multiplier in multipliers.items():
            fact = self.facts[k]
            if fact is not None:
                terms.append([printed(expression(multiplier, self.letters)), *fact.factors, *below])
        return terms

    def views(self, rules: Rules, *, shift: bool) -> Iterator[View]:
        """Yield what is known after elimination, as it stands or with letters shifted in several ways."""
        facts = [f for f in self.facts if f is not None and f.op != "="]
        solved = {rule.letter for rule in rules.rules}
        facts += [
            Fact({_unit(i, len(self.letters)): Fraction(1)}, ">" if s == 2 else ">=", (self.letters[i].name,))
            for i, s in enumerate(self.signs.signs)
            if s and i in solved
        ]
        squares = [Fact(self.polynomial(b**2), ">=", ([printed(b)],)) for b in self.squares]
        facts += [*squares, *(fact.times(square) for square in squares for fact in facts)]
        plain = View(self, rules, facts, {})
        if not shift:
            yield plain
            return
        yield from (View(self, rules, facts, chosen) for chosen in islice(plain.shifts(), VIEWS))


@dataclass(frozen=True)
class Piece:
    """A weighted product: its value in the letters of the question, and its factors."""

    weight: Fraction
    value: Polynomial
    factors: list[Factor]

    def scale(self, number: Fraction) -> Piece:
        """Return a multiple."""
        return Piece(number * self.weight, {k: number * c for k, c in self.value.items()}, self.factors)


@dataclass(frozen=True)
class View:
    """A question after elimination, with some letters replaced by what they exceed a lower bound by."""

    question: FactBase
    rules: Rules
    facts: list[Fact]
    chosen: dict[int, tuple[Fact, Polynomial, Fraction]]
    """For a letter x: the fact ``c (x - low) >= 0``, `low`, and c."""

    def shifts(self) -> Iterator[dict[int, tuple[Fact, Polynomial, Fraction]]]:
        """Yield ways of choosing a lower bound for letters, without circles."""
        options: dict[int, list[tuple[Fact, Polynomial, Fraction]]] = {}
        solved = {rule.letter for rule in self.rules.rules}
        for fact in self.facts:
            p = self.rules.reduce(fact.value)
            for k, c in p.items():
                used = [i for i, e in enumerate(k) if e]
                alone = len(used) == 1 and k[used[0]] == 1 and all(m == k or m[used[0]] == 0 for m in p)
                if alone and c > 0 and used[0] not in solved:
                    low = {m: -x / c for m, x in p.items() if m != k}
                    if all(x > 0 and self.question.signs.legal(m) for m, x in low.items()):
                        options.setdefault(used[0], []).append((fact, low, c))
        names = list(options)
        for combination in product(*(options[i] for i in names)):
            chosen = dict(zip(names, combination, strict=True))
            if chosen and _acyclic({i: low for i, (_, low, _) in chosen.items()}):
                yield chosen

    def search(self, goal: Polynomial, denial: Fact, budget: Budget, *, proper: bool) -> list[Piece] | None:
        """Return weighted products that add up to the goal, up to the equations; the negation is one of them."""
        facts = [denial, *(f for f in self.facts if all(f is not c[0] for c in self.chosen.values()))]
        known = [
            KnownPolynomial(value, (i,), strict=f.op == ">", denial=f is denial)
            for i, f in enumerate(facts)
            if (value := self.view(f.value))
        ]
        signs = list(self.question.signs.signs)
        for i, (fact, _, _) in self.chosen.items():
            signs[i] = 2 if fact.op == ">" else 1
        weights = find(self.view(goal), known, LetterSigns(tuple(signs)), budget, proper=proper, normal=self.normal)
        return None if weights is None else [self._piece(*w, facts) for w in weights]

    def view(self, p: Polynomial) -> Polynomial:
        """Return a polynomial in the letters of this view."""
        return self._replace_letters(self.rules.reduce(p))

    def _replace_letters(self, p: Polynomial) -> Polynomial:
        for i in _order({i: low for i, (_, low, _) in self.chosen.items()}):
            p = _shift_letter(p, i, self.chosen[i][1])
        return p

    def normal(self, p: Polynomial) -> Polynomial:
        """Return a polynomial in the letters of this view with powers of roots reduced."""
        for rule in self.rules.rules:
            if rule.power > 1:
                p = replace(rule, rest=self._replace_letters(rule.rest)).divide(p)[1]
        return p

    def _piece(self, weight: Fraction, known: KnownPolynomial, move: Exponents, facts: list[Fact]) -> Piece:
        used = [facts[f] for f in known.factors]
        for i, (fact, _, c) in self.chosen.items():
            used += [fact] * move[i]
            weight /= c ** move[i]
        plain = tuple(0 if i in self.chosen else e for i, e in enumerate(move))
        value: Polynomial = {plain: weight}
        for fact in used:
            value = times(value, fact.value)
        factors = [factor for fact in used for factor in fact.factors]
        named = zip((s.name for s in self.question.letters), plain, strict=True)
        monomial = "*".join(n if e == 1 else f"{n}^{e}" for n, e in named if e)
        return Piece(weight, value, [*factors, monomial] if monomial else factors)


def inverse(bases: list[tuple[sp.Expr, int]]) -> list[Factor]:
    """Return negative powers as one factor."""
    return ["*".join(f"({printed(base)})^-{exponent}" for base, exponent in bases)] if bases else []


def _unit(i: int, size: int) -> Exponents:
    return tuple(int(j == i) for j in range(size))


def _acyclic(lows: dict[int, Polynomial]) -> bool:
    try:
        _order(lows)
    except CycleError:
        return False
    return True


def _order(lows: dict[int, Polynomial]) -> list[int]:
    """Return letters so that each is replaced before those that occur in its lower bound."""
    above = {i: {j for m in low for j, e in enumerate(m) if e and j in lows} for i, low in lows.items()}
    return list(reversed([*TopologicalSorter(above).static_order()]))


def _shift_letter(p: Polynomial, i: int, low: Polynomial) -> Polynomial:
    """Return a polynomial with letter i replaced by ``low`` plus itself."""
    size = len(next(iter(p), ()))
    top = max((k[i] for k in p), default=0)
    ladder: list[Polynomial] = [{(0,) * size: Fraction(1)}]
    for _ in range(top):
        ladder.append(times(ladder[-1], plus(low, {_unit(i, size): Fraction(1)})))
    total: Polynomial = {}
    for k, c in p.items():
        total = plus(total, times({tuple(0 if j == i else e for j, e in enumerate(k)): c}, ladder[k[i]]))
    return total
