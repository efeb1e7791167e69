"""Equations used as rewriting rules, with the multipliers that undo the rewriting."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from boundcheck.proofs.certificates.polynomials import plus, times, times_monomial

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boundcheck.proofs.certificates.polynomials import Polynomial
    from boundcheck.proofs.certificates.products import LetterSigns


@dataclass(frozen=True)
class Rule:
    """``x**power = rest``, from a combination of equations: ``unit * (x**power - rest) = sum mult[k] * equation k``."""

    letter: int
    power: int
    rest: Polynomial
    unit: Polynomial
    mult: dict[int, Polynomial]

    def divide(self, p: Polynomial) -> tuple[Polynomial, Polynomial]:
        """Return (quotient, remainder) with ``p = quotient * (x**power - rest) + remainder``."""
        quotient: Polynomial = {}
        alone = next(iter(self.rest.items())) if len(self.rest) == 1 else None
        while True:
            high = {k: c for k, c in p.items() if k[self.letter] >= self.power}
            low = {k: c for k, c in p.items() if k[self.letter] < 0} if alone else {}
            if not high and not low:
                return quotient, p
            lead = tuple(self.power if i == self.letter else 0 for i in range(len(next(iter(p)))))
            part = {tuple(a - b for a, b in zip(k, lead, strict=True)): c for k, c in high.items()}
            if alone and low:
                k0, c0 = alone
                part = plus(part, {tuple(a - b for a, b in zip(k, k0, strict=True)): -c / c0 for k, c in low.items()})
            quotient = plus(quotient, part)
            p = plus(p, times(part, plus({lead: Fraction(1)}, self.rest, -1)), -1)

    def divide_out(self, p: Polynomial) -> tuple[Polynomial, Polynomial]:
        """Return the same after negative powers of the letter are multiplied away, and back."""
        low = min((k[self.letter] for k in p), default=0)
        if low >= 0 or len(self.rest) == 1:
            return self.divide(p)
        size = len(next(iter(p)))
        up = tuple(-low if i == self.letter else 0 for i in range(size))
        quotient, rest = self.divide(times_monomial(p, up))
        down = tuple(-e for e in up)
        return (times_monomial(quotient, down), {}) if not rest else self.divide(p)


@dataclass
class Rules:
    """Rules in the order in which they are applied."""

    rules: list[Rule] = field(default_factory=list)

    @classmethod
    def of(cls, equations: Iterable[tuple[int, Polynomial]], letters: LetterSigns) -> Rules:
        """Return a rule for every equation that has a letter to solve for."""
        made = cls()
        waiting = list(equations)
        while waiting:
            found = [(k, e, r) for k, e in waiting if (r := made._rule(k, e, letters)) is not None]
            if not found:
                break
            best = min(found, key=lambda f: (len(f[2].rest) != 1, f[2].power, len(f[2].rest)))
            made.rules.append(best[2])
            waiting = [(k, e) for k, e in waiting if k != best[0]]
        return made

    def _rule(self, number: int, equation: Polynomial, letters: LetterSigns) -> Rule | None:
        size = len(letters.signs)
        mult, p = self.combination(equation)
        mult = {k: {e: -c for e, c in m.items()} for k, m in mult.items()} | {number: {(0,) * size: Fraction(1)}}
        choices = []
        for k, c in p.items():
            for i in range(size):
                others = [m for m in p if m != k]
                unit = tuple(0 if j == i else e for j, e in enumerate(k))
                alone = k[i] > 0 and all(m[i] == 0 for m in others)
                if alone and all(e == 0 or letters.signs[j] == 2 for j, e in enumerate(unit)):
                    rest = {tuple(a - b for a, b in zip(m, unit, strict=True)): -p[m] / c for m in others}
                    if rest or k[i] == 1:
                        place = (k[i], len(rest) != 1, any(unit), i)
                        choices.append((place, Rule(i, k[i], rest, {unit: c}, mult)))
        return min(choices, key=lambda choice: choice[0])[1] if choices else None

    def reduce(self, p: Polynomial) -> Polynomial:
        """Return what is left of a polynomial."""
        for rule in self.rules:
            p = rule.divide(p)[1]
        return p

    def combination(self, p: Polynomial) -> tuple[dict[int, Polynomial], Polynomial]:
        """Return multipliers of the equations, and what is left of a polynomial without them."""
        total: dict[int, Polynomial] = {}
        for rule in self.rules:
            quotient, p = rule.divide_out(p)
            ((unit, c),) = rule.unit.items()
            scaled = {tuple(a - b for a, b in zip(k, unit, strict=True)): x / c for k, x in quotient.items()}
            for k, m in rule.mult.items():
                total[k] = plus(total.get(k, {}), times(scaled, m))
        return {k: m for k, m in total.items() if m}, p
