"""Signs of numbers and facts about letters, as Coq proves them: from the certificates of a proof object."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundcheck.proofs.coq.spelling import CLOSE, REAL, fraction, identifier
from boundcheck.proofs.kernel.algebra import (
    Rational,
    Refused,
    add,
    multiply,
    multiply_by_monomial,
    plus,
    split,
    text,
    whole,
)
from boundcheck.proofs.kernel.context import SPREAD, Question, _monomial, _multiple, _polynomial, has_spread
from boundcheck.proofs.kernel.evaluate import _divides_by_a_sum, minimum, sides
from boundcheck.proofs.kernel.file import EULER

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boundcheck.proofs.coq.spelling import Spelling
    from boundcheck.proofs.kernel.algebra import Factor, Index, Polynomial
    from boundcheck.proofs.kernel.context import Certificate, Context
    from boundcheck.proofs.kernel.file import Range
    from boundcheck.proofs.kernel.text import Tree

_EULER = ((-1, Fraction(2719, 1000), "euler_below"), (1, Fraction(2718, 1000), "euler_above"))


@dataclass
class SignProofs:
    """Writes why numbers are nonnegative, positive or not zero where a part of a claim stands.

    What a method states is written into `lines` once; it returns the name of the hypothesis.
    """

    spelling: Spelling
    context: Context
    before: Context
    """What is known without hypotheses."""
    certificates: dict[str, Any]
    lines: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    """Statement to the hypothesis that says so."""
    prefix: str = "p_F"

    def add(self, statement: str, proof: str, name: str = "") -> str:
        """State something, once."""
        if statement not in self.names:
            self.names[statement] = name or f"{self.prefix}{len(self.names)}"
            self.lines.append(f"assert ({self.names[statement]} : {statement}). {{ {proof} }}")
        return self.names[statement]

    def inside(self, context: Context, prefix: str, ranges: Iterable[tuple[str, Range]]) -> SignProofs:
        """Return the signs within a context in which more indices have ranges."""
        found = SignProofs(
            self.spelling, context, self.before, self.certificates, names=dict(self.names), prefix=prefix
        )
        for letter, ends in ranges:
            found.index_range(letter, ends)
        return found

    # --- facts ----------------------------------------------------------------------------------------------------

    def base_facts(self) -> None:
        """State what is known everywhere: horizons, Euler's number, sizes of samples, ranges of indices."""
        for name in sorted(self.spelling.file.horizons):
            self._whole_number(plus(((name, 1),), whole(-1)))
        for sign, end, lemma in _EULER:
            value = (Rational.letter(EULER) - Rational.of(end)) * Rational.of(sign)
            self._polynomial_fact(value, f"assert (p_X := {lemma}). lra.")
        one, everyone = Rational.of(1), Rational.letter("N")
        for name in sorted(self.spelling.file.sizes):
            size, x = Rational.letter(name), identifier(name)
            self._polynomial_fact(size - one, f"assert (p_X := one_{x}). lra.")
            self._polynomial_fact(everyone - size, f"assert (p_X := most_{x}). lra.")
            if has_spread(self.spelling.file) and SPREAD not in self.context.values:
                d = Rational.letter(SPREAD)
                excess = d * size * (everyone - one) - everyone + size
                for value in (excess, -excess):
                    self._polynomial_fact(value, "assert (p_X := spread_is). lra.")
                self._polynomial_fact(everyone - size - d * size, "assert (p_X := spread_excess). lra.")
                self._polynomial_fact(one - d, "assert (p_X := spread_most). lra.")
        for letter, ends in self.context.over.items():
            self.index_range(letter, ends)

    def index_range(self, letter: str, ends: Range) -> None:
        """State that an index is in its range, as a real number."""
        self._whole_number(plus(((letter, 1),), ends[0], -1))
        self._whole_number(plus(ends[1], ((letter, 1),), -1))

    def _whole_number(self, index: Index) -> None:
        p = Rational.index(index)
        if not p.is_zero():
            shown = f"assert (p_X : (0 <= {self.spelling.index(index)})%Z) by lia. apply IZR_le in p_X."
            self._polynomial_fact(p, f"{shown} {REAL} in p_X. lra.")

    def _polynomial_fact(self, value: Rational, proof: str) -> None:
        if value.numerator:
            self.add(f"0 <= {self.spelling.polynomial(value.numerator)}", proof)

    def state_given(self, relations: list[tuple[Tree, str]]) -> None:
        """State what given relations say of letters, each by the name of its hypothesis, in the kernel's order."""
        waiting = sorted(relations, key=lambda one: any(map(_divides_by_a_sum, one[0].parts)))
        context = self.before
        while waiting:
            later = []
            for relation, name in waiting:
                try:
                    values = sides(relation, context)
                except Refused:
                    later.append((relation, name))
                    continue
                for value, why in zip(values, ("Req_le", "Req_le_sym", "")[: len(values)], strict=True):
                    known = name if relation.kind == "<=" else f"({why} _ _ {name})"
                    proof = f"refine (moved _ _ (gap _ _ {known}) _). {CLOSE}"
                    if minimum(relation) is not None:
                        proof = f"below_minimum {name}."
                    context = self.fact(context, value, proof)
            if len(later) == len(waiting):
                raise Refused("a hypothesis divides by what may be 0")
            waiting = later

    def fact(self, context: Context, value: Rational, proof: str, *, divided: bool = False) -> Context:
        """State that a number is nonnegative as the kernel does, by a polynomial; return the context with it."""
        after = context.with_fact(value, divided=divided)
        if len(after.facts) > len(context.facts):
            fact = after.facts[-1]
            ratio = Rational(fact) * value.inverse()
            self.nonzero_factors(value, ratio)
            number, written = self.spelling.number(value), self.spelling.polynomial(fact)
            known = self.add(f"0 <= {number}", proof)
            if number not in (written, f"({written})"):
                signs = f"apply Rmult_le_pos; [exact {self.nonnegative(ratio)}|exact {known}]"
                made = f"{self.spelling.number(ratio)} * {number}"
                self.add(f"0 <= {written}", f"apply (moved ({made})); [{signs}|{CLOSE[:-1]}].")
        return after

    # --- signs ----------------------------------------------------------------------------------------------------

    def nonzero_factors(self, *values: Rational) -> None:
        """State that the factors of denominators are not zero."""
        for factor in dict.fromkeys(factor for value in values for factor in value.factors):
            self.nonzero(factor)

    def nonzero(self, factor: Factor) -> None:
        """State that a factor is not zero: it is positive, or negative."""
        p, written = dict(factor), self.spelling.factor(factor)
        if f"{written} <> 0" in self.names:
            return
        if self.plainly_positive(factor):
            self.add(f"{written} <> 0", "apply Rgt_not_eq, Rlt_gt. positive.")
            return
        questions = (Question(p, strict=True, either=either) for either in (True, False))
        certificate = next(filter(None, map(self._certificate, questions)), None)
        if certificate is None:
            raise Refused(f"{written} is not seen to differ from zero")
        scale, product = Fraction(certificate.get("scale", "1")), self._product(certificate)
        made = f"({fraction(abs(scale))} * {product} / {self._times(certificate)})"
        turned = "apply opposite_not_zero. " if scale < 0 else ""
        self.add(f"{written} <> 0", f"{turned}apply (not_zero {made}); [positive|{CLOSE[:-1]}].")

    def _certificate(self, question: Question) -> Certificate | None:
        """Return why a polynomial has a sign: of this part, or of another where it shows it here."""
        return self.certificates.get(question.key) or self.context.answers.sign(question, self.context)

    def plainly_positive(self, factor: Factor) -> bool:
        """Return whether a factor is seen to be positive by the signs of its letters alone."""
        signs = [[self.context.sign_of(letter) for letter, _ in monomial] for monomial, _ in factor]
        plain = all(min(one, default=2) >= 1 for one in signs) and any(min(one, default=2) == 2 for one in signs)
        return plain and all(value > 0 for _, value in factor)

    def nonnegative(self, value: Rational) -> str:
        """State that a number is nonnegative."""
        statement = f"0 <= {self.spelling.number(value)}"
        if statement in self.names or value.is_zero():
            return self.add(statement, "lra.")
        self.nonzero_factors(value)
        top = value.numerator
        for factor, power in value.factors.items():
            top = multiply(top, dict(factor)) if power % 2 else top
        common = tuple((x, power) for x, power in split(top)[0] if self.context.sign_of(x) == 2)
        p = multiply_by_monomial(top, common, -1)
        self._polynomial(p)
        below = (f"({self.spelling.factor(f)}) ^ {power + power % 2}" for f, power in value.factors.items())
        made = f"({self.spelling.polynomial(p)}) * {self.spelling.number(Rational({common: Fraction(1)}))}"
        made += f" / ({' * '.join(below)})" if value.factors else ""
        return self.add(statement, f"apply (moved ({made})); [nonneg|{CLOSE[:-1]}].")

    def positive(self, value: Rational) -> str:
        """State that a number is positive, as a product of positive letters."""
        return self.add(f"0 < {self.spelling.number(value)}", "positive.")

    def _polynomial(self, p: Polynomial) -> None:
        """State that a polynomial without common positive letters is nonnegative."""
        statement = f"0 <= {self.spelling.polynomial(p)}"
        if statement in self.names:
            return
        letters = ((x, power) for monomial in p for x, power in monomial)
        if all(value > 0 for value in p.values()) and all(
            self.context.sign_of(x) >= 1 or power % 2 == 0 for x, power in letters
        ):
            self.add(statement, "nonneg.")
            return
        made = next((self._multiple_of(p, fact) for fact in self.context.facts if _multiple(p, fact)), "")
        if not made:
            certificate = self._certificate(Question(p, strict=False, either=False))
            if certificate is None:
                raise Refused(f"{text(p)} is not seen to be nonnegative")
            scale = fraction(Fraction(certificate.get("scale", "1")))
            made = f"{scale} * {self._product(certificate)} / {self._times(certificate)}"
        self.add(statement, f"apply (moved ({made})); [nonneg|{CLOSE[:-1]}].")

    def _multiple_of(self, p: Polynomial, fact: Polynomial) -> str:
        first = next(iter(fact))
        ratio = Fraction(p[first], fact[first])
        return "" if add(p, fact, -ratio) else f"{fraction(ratio)} * ({self.spelling.polynomial(fact)})"

    def _times(self, certificate: Certificate) -> str:
        """Write the positive letters that a certificate multiplies by."""
        return self.spelling.number(Rational({_monomial(certificate.get("times", {})): Fraction(1)}))

    def _product(self, certificate: Certificate) -> str:
        """Write the product of a certificate's factors: squares, and sums of products of facts."""
        facts = {text(fact): fact for fact in self.context.facts}
        written = []
        for power, why, square in certificate["factors"]:
            parts = []
            for weight, letters, used, *roots in why:
                if roots:
                    raise Refused("a square in a sum of products has no text in Coq")
                known = [f"({self.spelling.polynomial(facts[name])})" for name in used]
                if any({f"0 <= {one}", f"0 <= {one[1:-1]}"}.isdisjoint(self.names) for one in known):
                    raise Refused(f"{', '.join(used)}: a fact that has no text in Coq, as the closest bounds of e")
                monomial = self.spelling.monomial(_monomial(letters))
                parts.append(" * ".join([fraction(Fraction(weight)), *monomial, *known]))
            one = " + ".join(parts) if why else self.spelling.polynomial(_polynomial(square))
            written.append(f"({one})" if power == 1 else f"({one}) ^ {power}")
        return " * ".join(written)
