"""What the kernel accepts, part by part: premises, equations, squares and what is left, as they were used."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from boundcheck.proofs.kernel.algebra import Rational, Refused, substitute_index
from boundcheck.proofs.kernel.check import Kernel, Proof
from boundcheck.proofs.kernel.coordinates import SurePremise
from boundcheck.proofs.kernel.evaluate import difference, number, scalar, vector
from boundcheck.proofs.kernel.rules import nonnegative_term, paid_by_sum
from boundcheck.proofs.kernel.space import Atom, Entry, Inner, bound, scale, single, total
from boundcheck.proofs.kernel.text import Tree, commas, expression, index_of, substitute

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from boundcheck.proofs.kernel.algebra import Index
    from boundcheck.proofs.kernel.context import Certificate, Context, Question
    from boundcheck.proofs.kernel.file import Claim, Equation, Statement, Step
    from boundcheck.proofs.kernel.rules import Premise
    from boundcheck.proofs.kernel.space import Form, Term, Vector

_WRITTEN = {"multipliers", "squares", "signs", "owed", "passes"}
"""The keys of a proof object's parts that are written."""


@dataclass(frozen=True)
class Used:
    """A premise, its multiplier, and the step that it comes from."""

    step: Step
    premise: Premise
    multiplier: Rational


@dataclass(frozen=True)
class Rewriting:
    """An equation as a step uses it: what is put for an entry."""

    step: Step
    equation: Equation
    old: Atom | Term
    new: Any
    """A vector for a vector, a form for a number."""

    @property
    def is_zero(self) -> bool:
        """Whether it says that a vector of norm zero is zero."""
        return self.equation.kind == "zero"


@dataclass(frozen=True)
class Payment:
    """A sum of nonnegative numbers that pays for a few of them."""

    entry: Entry
    weight: Rational
    paid: dict[Term, Rational]
    """Entries with what is taken from them, positive."""

    @property
    def form(self) -> Form:
        """What is left of the sum."""
        return {self.entry: self.weight, **{term: -by for term, by in self.paid.items()}}


@dataclass
class Part:
    """One part of a claim: a conclusion with all that it is shown from."""

    id: str
    n: int
    before: Context
    """What is given."""
    context: Context
    """What is known with the steps about letters alone."""
    equal: bool
    target: Form
    letters_only: list[Step] = field(default_factory=list)
    rewriting: list[Rewriting] = field(default_factory=list)
    used: list[Used] = field(default_factory=list)
    squares: list[tuple[Rational, Vector]] = field(default_factory=list)
    payments: list[Payment] = field(default_factory=list)
    left: Form = field(default_factory=dict)
    signs: dict[str, Any] = field(default_factory=dict)
    signed: dict[str, Step] = field(default_factory=dict)
    """Sequences of numbers whose sign a step shows at every index."""


@dataclass(frozen=True)
class StatementInstance:
    """A statement at values of its letters: indices, points, and what it then says."""

    places: Mapping[str, Index]
    points: Mapping[str, Vector]
    given: tuple[Tree, ...]
    shows: Tree

    @property
    def atoms(self) -> dict[str, Atom]:
        """The points that are single atoms."""
        return {name: atom for name, point in self.points.items() if (atom := single(point))}

    @property
    def combinations(self) -> dict[str, Vector]:
        """The points that are combinations of atoms."""
        return {name: point for name, point in self.points.items() if single(point) is None}


@dataclass(frozen=True)
class Discounted:
    """A claim about a discounted mean of a square, which is that of a number."""

    letter: str
    number: Form
    """The mean of the number, as a form."""
    square: Form
    """The mean of the square."""
    part: Part
    """At each index the number is the square."""


class SharedProof(Proof):
    """A proof object that answers with the certificates of all claims, where those of the own claim do not do.

    What is given in a claim is read before its parts are, so that a certificate for it may stand with another claim.
    """

    def sign(self, question: Question, context: Context) -> Certificate | None:
        """Return why a polynomial has a sign: a certificate of the own part, or another one that shows it here."""
        own = super().sign(question, context)
        return own if own is not None else next(self._others(question, context), None)

    def _others(self, question: Question, context: Context) -> Iterator[Certificate]:
        for part in (part for parts in self.data.get("claims", {}).values() for part in parts):
            found = part.get("signs", {}).get(question.key)
            if found is not None:
                try:
                    context.require_certificate(question, found, "")
                except (Refused, LookupError, TypeError, ValueError):
                    continue
                yield found


class Recorder(Kernel):
    """The kernel, which keeps the parts of each claim that it accepts."""

    def __post_init__(self) -> None:
        self.parts: dict[str, list[Part]] = {}
        self.discounted: dict[str, Discounted] = {}
        self.unwritten: dict[str, str] = {}
        """Claims that have no text in Coq although they are proved, with why."""
        super().__post_init__()

    def _claim(self, id_: str, claim: Claim) -> None:
        self.parts[id_] = []
        super()._claim(id_, claim)

    def _part(
        self,
        id_: str,
        n: int,
        context: Context,
        shows: Tree,
        steps: tuple[Step, ...],
        known: Tree | None,
        beside: tuple[Step, ...] = (),
    ) -> None:
        super()._part(id_, n, context, shows, steps, known, beside)
        self.proof.at = id_, n
        try:
            if any(step.rule == "discount" and self.steps.equation(step) for step in steps):
                shows, steps = self._state_undiscounted(id_, context, shows, steps)
                self.proof.at = id_, n
            self.parts[id_].append(self._record(id_, n, context, shows, steps, known, beside))
        except Refused as why:
            self.unwritten[id_] = str(why)

    def _state_undiscounted(
        self, id_: str, context: Context, shows: Tree, steps: tuple[Step, ...]
    ) -> tuple[Tree, tuple[Step, ...]]:
        """Return a claim about the discounted mean of a number, and keep why it is that of the square in the claim.

        Equations at every index of a discounted mean become equations at one, for all of them.
        """
        mean = shows.parts[0]
        used = [step for step in steps if step.rule == "discount" and self.steps.equation(step)]
        first = self.steps.equation(used[0])
        numbered = first is not None and first.left.name in self.file.scalars
        if mean.kind != "discounted" or first is None or not numbered or context.values:
            raise Refused("a discounted mean that is no side of the claim, or no number's, has no text in Coq")
        letter, number_at = mean.name, Tree("entry", first.left.name, (Tree("name", mean.name),))
        same = Tree("=", "", (number_at, mean.parts[0]))
        self.proof.at = f"{id_} at {letter}", 0
        plain = tuple(replace(step, rule="", of="") for step in used)
        at_one = self.base.inside(letter, self.file.indices[letter])
        point = self._record(self.proof.at[0], 0, at_one, same, plain, None, ())
        whole = Tree("discounted", letter, (number_at, *mean.parts[1:]))
        self.discounted[id_] = Discounted(letter, scalar(whole, context), scalar(mean, context), point)
        others = tuple(step for step in steps if step not in used)
        return Tree(shows.kind, "", (whole, *shows.parts[1:])), others

    def _record(
        self,
        id_: str,
        n: int,
        context: Context,
        shows: Tree,
        steps: tuple[Step, ...],
        known: Tree | None,
        beside: tuple[Step, ...],
    ) -> Part:
        """Return a part with all that was used."""
        unknown = set(self.proof.part) - _WRITTEN
        if unknown:
            raise Refused(f"{', '.join(sorted(unknown))} of a proof object: no text in Coq")
        equations = [step for step in steps if self.steps.equation(step) is not None]
        signed = {name: step for step in (*steps, *beside) if (name := self.steps.find_nonnegative(step, context))}
        others = [step for step in steps if step not in equations and step not in signed.values()]
        squares = self.squares | set(signed)
        inside, kept = self.steps.hypotheses(others, context)
        part = Part(id_, n, context, inside, *difference(shows, inside))
        part.letters_only = [step for step in others if step not in kept]
        part.signs, part.signed = dict(self.proof.part.get("signs", {})), signed
        for step in equations * self._passes(len(equations)):
            equation = self.steps.equation(step)
            if equation is not None:
                part.rewriting.append(Rewriting(step, equation, *self.steps.rewriting(step, inside)))
        if any(one.is_zero and not isinstance(one.old, Atom) for one in part.rewriting):
            raise Refused("a mean at distance zero from a vector has no text in Coq")
        pairs = [(one.old, one.new) for one in part.rewriting]
        rest = self.steps.reduce(part.target, pairs, inside)
        written = self.proof.part.get("multipliers", [""] * len(kept))
        for step, by in zip(kept, written, strict=True):
            m = number(expression(by or step.multiplier or "1"), inside)
            premise = self.steps.premise(step, inside, known, squares)
            if isinstance(premise, SurePremise):
                raise Refused(f"{step.text}: what is said by coordinates has no text in Coq")
            if premise.form and not m.is_zero():
                part.used.append(Used(step, premise, m))
            reduced = premise.form if step.id == "orthogonal" else self.steps.reduce(premise.form, pairs, inside)
            rest = total(rest, scale(reduced, -m))
        if not part.equal:
            for weight, pieces in self.proof.part.get("squares", []):
                v: Vector = total(*(self._piece(by, atom, averaged, inside) for by, atom, averaged in pieces))
                part.squares.append((number(expression(weight), inside), v))
            rest = self._pay_debts(part, self._without_squares(rest, inside), squares)
        part.left = {term: by for term, by in rest.items() if nonnegative_term(term, squares)}
        return part

    def _pay_debts(self, part: Part, rest: Form, squares: set[str]) -> Form:
        """Return what is left when sums have paid, and note what each pays for."""
        for term in list(rest):
            if isinstance(term, Entry) and term in rest and term.name in squares:
                owed = {one.text() for one, by in rest.items() if self._owed(one, by, squares, part.context)}
                after = paid_by_sum(term, rest, owed, part.context)
                paid = {one: -rest[one] for one in rest if one not in after and one != term}
                if paid:
                    part.payments.append(Payment(term, rest[term], paid))
                rest = after
        return rest

    # --- what the kernel makes of statements ----------------------------------------------------------------------

    def context_of(self, id_: str) -> Context:
        """Return what is given in a claim."""
        self.proof.at = id_, 0
        claim = self.file.claims[id_]
        return self._context(claim, claim.statement)

    def instance(self, step: Step, one: Statement, context: Context) -> StatementInstance:
        """Return a statement as a step uses it."""
        values = self.steps._match_letters(step, one.over, one.points, context)  # noqa: SLF001
        points = {name: vector(values[name], context) for name in one.points}
        places = {letter: index_of(values[letter]) for letter in one.over}
        return StatementInstance(
            places, points, tuple(substitute(given, values) for given in one.given), substitute(one.shows, values)
        )

    def equation_places(self, one: Rewriting, context: Context) -> dict[str, Index]:
        """Return where the indices of an equation are, bound where a mean is over all their values."""
        letters = commas(one.step.of) if one.step.rule else []
        for letter in letters:
            context = context.inside(letter, self.file.indices[letter])
        values = self.steps._match_letters(one.step, one.equation.over, {}, context)  # noqa: SLF001
        places = {x: index_of(values[x]) for x in one.equation.over}
        for letter in letters:
            places = {x: substitute_index(index, letter, bound(letter)) for x, index in places.items()}
        return places

    def chance(self, term: Term, context: Context) -> Form | None:
        """Return what an inner product with what a sample takes is, None if it is no such product."""
        return self.births._chance(term, context) if isinstance(term, Inner) else None  # noqa: SLF001

    def vanishes(self, term: Term, context: Context) -> bool:
        """Return whether an inner product is zero by the laws of noise."""
        return self.births._vanishes(term, context)  # noqa: SLF001

    def is_younger(self, noise: Atom, term: Inner, context: Context) -> bool:
        """Return whether the noise on one side of an inner product is drawn after the other is determined."""
        other = term.right if noise == term.left else term.left
        return self.births._orthogonal(noise, other, term.averaged, context)  # noqa: SLF001

    def is_initial(self, name: str) -> bool:
        """Return whether a noise is drawn before the first round."""
        return self.births._initial(name)  # noqa: SLF001

    def round_end(self) -> list[Index]:
        """Return the indices of a time at the end of a round, but for the round itself."""
        return [self.births._after(letter) for letter in self.births.clock[1:]]  # noqa: SLF001
