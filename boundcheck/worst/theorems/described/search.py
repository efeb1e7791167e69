"""The numbers of a described round: a semidefinite programme in Bernstein's form, then short fractions over Q.

The checker's own words make the forms, so that a proof and what is checked cannot differ in their meaning.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundcheck.errors import NotApplicableError
from boundcheck.files.display import shows
from boundcheck.proofs.kernel.all_steps import StepwiseTheorem, check
from boundcheck.proofs.kernel.boxes import minus, split
from boundcheck.proofs.kernel.certificates import multiply as times
from boundcheck.worst.theorems.all_k.constants import short_fraction
from boundcheck.worst.theorems.bernstein.polynomials import add, multiply, of_checker, shift, write_polynomial
from boundcheck.worst.theorems.bernstein.polynomials import monomials as all_monomials
from boundcheck.worst.theorems.bernstein.programme import FIXED, BoxProgramme

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from boundcheck.proofs.kernel.certificates import Poly as CheckerPoly
    from boundcheck.worst.theorems.bernstein.polynomials import Exponents, Poly
    from boundcheck.worst.theorems.bernstein.programme import Matrix, Values
    from boundcheck.worst.theorems.described.description import DescribedRound, Term

_MARGINS, _ROOMY = (1e-6, 1e-7, 1e-8), (1e-3, 1e-4, 1e-5, 1e-6, 1e-7)
_DIGITS = (3, 4, 6, 8, 10)
_SLACKS = (Fraction(2, 100), Fraction(5, 100), Fraction(12, 100), Fraction(30, 100))
_LITTLE = Fraction(1, 10_000)
"""Numbers below this are rounded up to it."""


@shows("described.title", "numbers")
@dataclass(frozen=True)
class DescribedTheorem:
    """What was found of a described round.

    Attributes
    ----------
    described : DescribedRound
    numbers : dict
        Name of a constant to its number: of the start (``first``) and of every round (``always``).
    proof : dict
        The file that `boundcheck verify` reads.
    seconds : float
    """

    described: DescribedRound
    numbers: dict[str, Fraction]
    proof: dict[str, Any]
    seconds: float


def prove_described(described: DescribedRound) -> DescribedTheorem:
    """Find numbers of a description and prove them over Q; the checker has the last word.

    Raises
    ------
    NotApplicableError
        If there is no proof of this shape on the whole box.
    """
    began = time.perf_counter()
    asked = _DescribedProgramme(described)
    fixed: dict[str, Fraction] = {}
    for name in (*described.costs, None):
        free = {n: c for n, c in described.costs.items() if n not in fixed}
        found = asked.best(fixed, free)
        if found is None:
            break
        if name is None:
            return DescribedTheorem(described, fixed, found, time.perf_counter() - began)
        for slack in _SLACKS:
            least = max(asked.numbers[name], _LITTLE)
            fixed[name] = short_fraction(least * Fraction(1001, 1000), least * (1 + slack))
            others = {n: c for n, c in free.items() if n != name}
            if asked.best(fixed, others) is not None:
                break
    ranges = ", ".join(f"{low} < {x} <= {high}" for x, (low, high) in described.box.items())
    msg = f"{described.title}: no theorem of this shape for {ranges} was found; try a smaller range"
    raise NotApplicableError(msg)


class _DescribedProgramme:
    """The programme of a description."""

    def __init__(self, described: DescribedRound) -> None:
        self.described = described
        self.letters = tuple(described.box)
        self.box = tuple((Fraction(low), Fraction(high)) for low, high in described.box.values())
        self.programme = BoxProgramme()
        self.numbers: dict[str, Fraction] = {}
        self.terms = {term.name: term for term in _terms(described)}
        words = StepwiseTheorem(described.file())
        self._words = words
        constants = {*described.first, *described.always}
        letters = [name for name, sort in described.letters.items() if sort == ">=0"]
        for lemma, own in (("round", described.always), ("start", described.first), ("end", {})):
            pieces: dict[Any, CheckerPoly] = {}
            _include(pieces, FIXED, self._goal(lemma, "0"))
            for form, parts in described.potential.items():
                of = {FIXED: minus(self._goal(lemma, "0"))}
                what = self._goal(lemma, form)
                _include(of, FIXED, what)
                self._spread(pieces, parts, of[FIXED])
            for letter, parts in own.items():
                self._spread(pieces, parts, words.read(letter))
            for fact, parts in described.proofs[lemma]:
                kind, *about = described.fact(fact)
                what, _ = words.hypothesis(kind, about)
                self._spread(pieces, parts, minus(what))
            self._ask(lemma, pieces, constants, letters if lemma == "end" else [])
        for name, term in self.terms.items():
            if name and name not in described.signed:
                self.programme.ask_positive(name, {u: {m: Fraction(1)} for u, m in self._unknowns(term)}, self.box)

    def _goal(self, lemma: str, potential: str) -> CheckerPoly:
        """Return what a lemma shows for a potential that has no unknowns, without constants."""
        words = StepwiseTheorem(self.described.file() | {"potential": potential})
        return {"round": words.round_goal, "start": words.start_goal, "end": words.end_goal}[lemma]()

    def _unknowns(self, term: Term) -> list[tuple[Any, Exponents]]:
        """Return the coefficients of an unknown polynomial, each with its monomial."""
        zero = (0,) * len(self.letters)
        if not term.name:
            return [(FIXED, zero)]
        return [((term.name, m), m) for m in all_monomials(term.degree or zero)]

    def _spread(self, pieces: dict[Any, CheckerPoly], parts: Iterable[Term], what: CheckerPoly) -> None:
        """Add what unknown polynomials multiply."""
        for term in parts:
            by = times(self._words.read(term.times), what)
            for unknown, m in self._unknowns(term):
                power: CheckerPoly = {
                    tuple((x, k) for x, k in sorted(zip(self.letters, m, strict=True)) if k): Fraction(1)
                }
                _include(pieces, unknown, times(power, by))

    def _ask(
        self, lemma: str, pieces: Mapping[Any, CheckerPoly], constants: Iterable[str], letters: Iterable[str]
    ) -> None:
        """Ask that a form is a sum of squares, that constants are paid for, and that values cancel."""
        ranges = dict(self.described.box)
        known = {*constants, *letters}
        matrices: dict[str, dict[Any, Matrix]] = {"~": {}, "~~": {}}
        scalars: dict[str, dict[Any, Poly]] = {}
        values: dict[str, dict[Any, Poly]] = {}
        for unknown, piece in pieces.items():
            products = {m: c for m, c in piece.items() if any(g.startswith("<") for g, _ in m)}
            plain = {m: c for m, c in piece.items() if m not in products}
            for letter, p in _by_letter(plain, ranges).items():
                (scalars if letter in known else values).setdefault(letter, {})[unknown] = of_checker(lemma, p, ranges)
            _, blocks = split(lemma, products, ranges)
            for mark, entries in blocks.items():
                if entries:
                    scaled = self.described.lengths if mark == "~~" else {}
                    matrices[mark][unknown] = {
                        pair: shift(of_checker(lemma, p, ranges), self._lift(pair, scaled))
                        for pair, p in entries.items()
                    }
        for mark, form in matrices.items():
            self.programme.ask_squares(f"{lemma} {mark}", _clear_exponents(form), self.box)
        for letter, sums in scalars.items():
            cleared = _clear_exponents({u: {(letter, letter): p} for u, p in sums.items()})
            self.programme.ask_squares(f"{lemma} {letter}", cleared, self.box)
        for sums in values.values():
            self.programme.ask_zero(sums)

    def _lift(self, pair: tuple[str, str], lengths: Mapping[str, str]) -> Exponents:
        """Return the powers of the letters by which a product of two scaled vectors is divided, negative."""
        return tuple(-sum(lengths.get(vector) == letter for vector in pair) for letter in self.letters)

    def best(self, fixed: Mapping[str, Fraction], cost: Mapping[str, float]) -> dict[str, Any] | None:
        """Return the file of a proof with some numbers fixed and the others of least cost; None where there is none."""
        programme, zero = self.programme, (0,) * len(self.letters)
        kept = len(programme.equations)
        for name, value in fixed.items():
            programme.fix((name, zero), value)
        weights, margins = {(name, zero): c for name, c in cost.items()}, _MARGINS if cost else _ROOMY
        try:
            values = programme.minimise_exactly(weights, margins=margins, digits=_DIGITS)
        finally:
            del programme.equations[kept:]
        if values is None:
            return None
        self.numbers = {name: values[name, zero] for name in (*fixed, *cost)}
        return self._file(values)

    def _file(self, values: Values) -> dict[str, Any]:
        """Return the file of a proof, once it is checked."""
        described = self.described

        def text(parts: Iterable[Term]) -> str:
            sums: list[Poly] = []
            for term in parts:
                factor = of_checker("times", self._words.read(term.times), dict(described.box))
                known = {FIXED: Fraction(1)} | values
                own = add(*({m: known[u]} for u, m in self._unknowns(term) if known.get(u)))
                sums.append(multiply(own, factor) if own else {})
            return write_polynomial(add(*sums), self.letters)

        made = described.file()
        made["potential"] = " + ".join(f"({text(parts)})*{form}" for form, parts in described.potential.items())
        made["first"] = {letter: text(parts) for letter, parts in described.first.items()}
        made["round"] = {letter: text(parts) for letter, parts in described.always.items()}
        made["proofs"] = {
            lemma: [[described.fact(fact), text(parts)] for fact, parts in facts]
            for lemma, facts in described.proofs.items()
        }
        check(made)
        return made


def _terms(described: DescribedRound) -> list[Term]:
    groups = [*described.potential.values(), *described.first.values(), *described.always.values()]
    groups += [parts for facts in described.proofs.values() for _, parts in facts]
    return [term for parts in groups for term in parts]


def _include(pieces: dict[Any, CheckerPoly], unknown: Any, what: CheckerPoly) -> None:
    """Add a polynomial to what an unknown multiplies."""
    own = pieces.setdefault(unknown, {})
    for m, c in what.items():
        own[m] = own.get(m, Fraction(0)) + c
        if not own[m]:
            del own[m]


def _by_letter(p: CheckerPoly, box: Mapping[str, Any]) -> dict[str, CheckerPoly]:
    """Return a polynomial without products of vectors, by the letter that is none of the box."""
    found: dict[str, CheckerPoly] = {}
    for m, c in p.items():
        other = "*".join(g for g, _ in m if g not in box)
        found.setdefault(other, {})[tuple((g, k) for g, k in m if g in box)] = c
    return found


def _clear_exponents(form: Mapping[Any, Matrix]) -> dict[Any, Matrix]:
    """Return a form times one monomial, so that no exponent is negative and none is there without need."""
    exponents = [e for matrix in form.values() for p in matrix.values() for e in p]
    if not exponents:
        return {}
    lifts = tuple(-min(axis) for axis in zip(*exponents, strict=True))
    return {u: {pair: shift(p, lifts) for pair, p in matrix.items()} for u, matrix in form.items()}
