"""Deciding a claim: its conclusion minus multiples of its premises is squares plus nonnegative weights, exactly."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError, UnknownNameError
from boundcheck.lemmas.chain import laws, rules
from boundcheck.lemmas.chain.affine import Affine
from boundcheck.lemmas.chain.births import SAMPLED, Births
from boundcheck.lemmas.chain.book import Book
from boundcheck.lemmas.chain.claims import substituted
from boundcheck.lemmas.chain.equations import rewriting, rewritten, same
from boundcheck.lemmas.chain.evaluate import coefficient, scalar
from boundcheck.lemmas.chain.expressions import as_node
from boundcheck.lemmas.chain.forms import Entry, added, scaled
from boundcheck.lemmas.chain.grammar import read_relation
from boundcheck.lemmas.chain.hypotheses import (
    KeptSigns,
    branches,
    is_minimum,
    nonnegative_sequence,
    of_letters,
    polynomials,
    same_minimum,
    signs_of,
)
from boundcheck.lemmas.chain.laws import NotProvedError
from boundcheck.lemmas.chain.members import with_members
from boundcheck.lemmas.chain.nonnegative import parts_of, shown
from boundcheck.lemmas.chain.premises import hypotheses, premise, renaming
from boundcheck.lemmas.chain.relation import Premise, stated
from boundcheck.lemmas.chain.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from boundcheck.lemmas.chain.claims import ChainClaim, Step
    from boundcheck.lemmas.chain.equations import Use
    from boundcheck.lemmas.chain.forms import Coefficient, Scalar, Term
    from boundcheck.lemmas.chain.grammar import Node
    from boundcheck.lemmas.chain.semidefinite import Square
    from boundcheck.lemmas.chain.setting import Definition, Setting
    from boundcheck.lemmas.chain.signs import Signs

    Multipliers = list[tuple[str, Coefficient]]
    """Premises as text, each with what it is multiplied by."""

SELF = "self"
FRESH = "fresh"
ORTHOGONAL = "orthogonal"
SAMPLE = laws.SAMPLE


@dataclass(frozen=True)
class Part:
    """One inequality that was decided: the whole claim, or a case of an induction."""

    multipliers: tuple[tuple[str, Coefficient], ...]
    """Each premise with what it is multiplied by."""
    squares: tuple[Square, ...]
    weights: tuple[tuple[Term, Coefficient], ...]
    """Nonnegative terms with their nonnegative weights."""
    target: Premise = field(compare=False)
    """What was decided, after all equations."""
    premises: tuple[Premise, ...] = field(compare=False)
    """What it was decided from, in the order of the multipliers."""
    signs: Signs = field(compare=False, repr=False)
    """What showed the signs of multipliers and weights."""
    own: int = field(default=0, compare=False)
    """How many hypotheses, the first ones, the claim has in every case."""

    @property
    def hypotheses(self) -> Sequence[Any]:
        """Return what the claim takes as given of letters, as polynomials that are not negative."""
        return self.signs.hypotheses[: self.own]


@dataclass(frozen=True)
class Decided:
    """What came out about one claim."""

    claim: ChainClaim
    proved: bool
    why: str = ""
    """What is missing, where it is not proved."""
    parts: tuple[Part, ...] = ()
    inherited: tuple[Node, ...] = ()
    """Hypotheses of steps that do not follow from what is given here."""
    leaves: frozenset[str] = frozenset()
    """Assumptions, facts and equations that the claim itself uses."""
    rules: frozenset[str] = frozenset()

    @property
    def given(self) -> tuple[Node, ...]:
        """Return all that the claim takes as given."""
        return (*self.claim.given, *self.inherited)


@dataclass
class Prover:
    """Decides the claims of a setting, each from those before it."""

    setting: Setting
    found: dict[str, Decided] = field(default_factory=dict)
    book: Book = field(default_factory=Book)
    """Sums of products found before; what is not there is searched for."""

    @cached_property
    def births(self) -> Births:
        """Return the births of all vectors."""
        return Births(self.setting)

    @cached_property
    def square_names(self) -> frozenset[str]:
        """Return the sequences of numbers that are declared nonnegative, or whose definition is a sum of squares."""
        found: set[str] = set(self.setting.numbers)
        signs = signs_of((), self.setting, {}, book=self.book)
        for name in (name for name in self.setting.scalars if name not in found):
            one = self.setting.definitions[name]
            scope = Scope(self.setting, one.over)
            if parts_of(scalar(one.right, scope), signs, frozenset(found), scope) is not None:
                found.add(name)
        return frozenset(found)

    def decide_all(self, claims: Iterable[ChainClaim]) -> dict[str, Decided]:
        """Decide claims in order; a step must come before what stands on it."""
        for claim in claims:
            self.decide(claim)
        return self.found

    def decide(self, claim: ChainClaim) -> Decided:
        """Decide one claim from its steps.

        Raises
        ------
        InputError
            If the statement or a step is not legal: what, and what would be.
        """
        if claim.id in self.found or claim.id in self.setting.leaves or claim.id in {SELF, FRESH, ORTHOGONAL, SAMPLE}:
            msg = f"claim {claim.id!r} is not legal: the id is taken"
            raise InputError(msg)
        try:
            outcome = Attempt(self, claim).decided()
        except NotProvedError as error:
            outcome = Decided(claim, proved=False, why=with_members(str(error), self.setting))
        self.found[claim.id] = outcome
        return outcome


@dataclass
class Attempt:
    """One attempt to prove a claim."""

    prover: Prover
    claim: ChainClaim
    leaves: set[str] = field(default_factory=set)
    rules: set[str] = field(default_factory=set)
    inherited: list[Node] = field(default_factory=list)
    shown: list[Node] = field(default_factory=list)
    """What steps show about letters alone, which is as good as given here."""
    nonnegative: dict[str, Step] = field(default_factory=dict)
    """Sequences of numbers that steps show to be nonnegative at every index, each with its step."""
    case: tuple[Node, ...] = ()
    """Which argument each given minimum is, and which letter is 0, where cases are distinguished."""
    zero: str = ""
    """The letter that is 0 in this case."""
    positive: str = ""
    """The letter that is positive in this case."""
    _asked: KeptSigns = field(default_factory=KeptSigns)

    @property
    def setting(self) -> Setting:
        """Return the prover's setting."""
        return self.prover.setting

    def decided(self) -> Decided:
        """Return the outcome; raise NotProvedError where something is missing."""
        claim = self.claim
        parts = self._parts()
        return Decided(
            claim,
            proved=True,
            parts=parts,
            inherited=tuple(self.inherited),
            leaves=frozenset(self.leaves),
            rules=frozenset(self.rules),
        )

    def _parts(self) -> tuple[Part, ...]:
        if self.claim.cases:
            return self._by_cases()
        whole = (
            self._by_induction if self.claim.induction else self._by_vanishing if self.claim.vanishing else self._in_one
        )
        cases = branches(self.claim.given)
        try:
            return whole()
        except NotProvedError:
            if cases == [()]:
                raise
        self.rules.add("minimum")
        parts: list[Part] = []
        for self.case in cases:
            parts += whole()
        return tuple(parts)

    def _in_one(self) -> tuple[Part, ...]:
        claim = self.claim
        return (self._part(claim.shows, claim.over, claim.steps, None),)

    def _by_vanishing(self) -> tuple[Part, ...]:
        claim, case = self.claim, self.case
        self.rules.add("vanishing")
        self.case, self.zero = (*case, read_relation(f"{claim.vanishing} = 0")), claim.vanishing
        first = self._part(claim.shows, claim.over, claim.base, None)
        self.case, self.zero, self.positive = case, "", claim.vanishing
        second = self._part(claim.shows, claim.over, claim.steps, None)
        self.positive = ""
        return first, second

    def _by_cases(self) -> tuple[Part, ...]:
        self.rules.add("whole")
        claim, parts = self.claim, []
        for self.case, steps in zip(claim.cases, (claim.base, claim.steps), strict=True):
            parts.append(self._part(claim.shows, claim.over, steps, None))
        return tuple(parts)

    def _by_induction(self) -> tuple[Part, ...]:
        claim, letter = self.claim, self.claim.induction
        if letter not in claim.over:
            msg = f"claim {claim.id}: induction on {letter!r}, which has no range here (`for`)"
            raise InputError(msg)
        self.rules.add("induction")
        low, high = claim.over[letter]
        rest = {name: ends for name, ends in claim.over.items() if name != letter}
        first = substituted(claim.shows, {letter: as_node(low)})
        base = self._part(first, rest, claim.base, None)
        after = substituted(claim.shows, {letter: as_node(Affine.letter(letter) + 1)})
        over = {**claim.over, letter: (low, high - 1)}
        return base, self._part(after, over, claim.steps, claim.shows)

    def _part(
        self, shows: Node, over: Mapping[str, tuple[Affine, Affine]], steps: tuple[Step, ...], known: Node | None
    ) -> Part:
        target, premises, signs, scope = self._question(shows, over, steps, known)
        rest, multipliers = self._combined(target, premises, signs, scope)
        if not target.equal:
            rest = self._without_signed(rest, premises, multipliers, signs, scope)
        self._require_defined(scope, signs)
        own = len(self._signs(scope, ()).hypotheses)
        for one in premises:
            self._require_rest(one, signs)
        if target.equal:
            self._require_equalities(premises, multipliers)
            if rest:
                raise NotProvedError(f"the two sides differ by {shown(rest)}")
            return Part(tuple(multipliers), (), (), target, tuple(premises), signs, own)
        proof = parts_of(rest, signs, self.prover.square_names, scope)
        if proof is None:
            raise NotProvedError(f"this is not seen to be nonnegative: {shown(rest)}")
        return Part(tuple(multipliers), *proof, target, tuple(premises), signs, own)

    def question(self) -> tuple[Premise, list[Premise], Signs, Scope]:
        """Return what a claim that is no induction asks: its target, its premises, both after all equations.

        Raises
        ------
        NotProvedError
            If a step is not proved.
        """
        return self._question(self.claim.shows, self.claim.over, self.claim.steps, None)

    def _question(
        self, shows: Node, over: Mapping[str, tuple[Affine, Affine]], steps: tuple[Step, ...], known: Node | None
    ) -> tuple[Premise, list[Premise], Signs, Scope]:
        scope = Scope(self.setting, over)
        target = stated(shows, scope)
        self.shown = []
        equations = [(step, one) for step in steps if (one := self._equation(step)) is not None]
        used = [step for step in steps if all(step is not other for other, _ in equations)]
        plain = [step for step in used if not (self._about_letters(step, scope) or self._about_signs(step, scope))]
        premises = [self._premise(step, scope, known) for step in plain]
        for step, _ in equations:
            if step.id in self.prover.found:
                self._claimed(step, scope)
                self.rules.add("zero")
        signs = self._signs(scope)
        uses = [(step.id, one.kind, rewriting(step, one, scope)) for step, one in equations]
        target = self._reduced(target, uses, scope)
        premises = [
            one if one.step and one.step.id == ORTHOGONAL else self._reduced(one, uses, scope) for one in premises
        ]
        return self._at_zero(target), [self._at_zero(one) for one in premises], signs, scope

    def _premise(self, step: Step, scope: Scope, known: Node | None) -> Premise:
        if step.rule:
            self.rules.add(step.rule)
        if step.id == SELF:
            if known is None:
                msg = f"step {step}: `self` is the hypothesis of an induction, and there is none here"
                raise InputError(msg)
            made = stated(known, scope)
            made.step = step
            return made
        if step.id == FRESH:
            return laws.fresh(self, step, scope)
        if step.id == ORTHOGONAL:
            return laws.orthogonal(self, step, scope)
        if step.id == SAMPLE:
            return laws.sample(self, step, scope)
        if step.id in self.setting.leaves:
            self.leaves.add(step.id)
            leaf = self.setting.leaves[step.id]
            self._discharge(hypotheses(step, leaf, leaf.given, scope), scope)
            return premise(step, leaf, scope)
        return self._claimed(step, scope)

    def _claimed(self, step: Step, scope: Scope) -> Premise:
        found = self.prover.found
        if step.id not in found:
            raise UnknownNameError(
                f"step of {self.claim.id}", step.id, {*found, *self.setting.leaves, *self.setting.definitions}
            )
        source = found[step.id]
        if not source.proved:
            raise NotProvedError(f"its step {step.id} is not proved")
        if source.claim.at:
            msg = f"step {step}: {step.id} is about the runs at {', '.join(source.claim.at)} = .., no step of others"
            raise InputError(msg)
        given, shows = source.given, source.claim
        if self.claim.at:
            given, shows = self._instance(step, source, scope)
        self._discharge(hypotheses(step, shows, given, scope), scope)
        return premise(step, shows, scope)

    def _instance(self, step: Step, source: Decided, scope: Scope) -> tuple[tuple[Node, ...], ChainClaim]:
        """Return what a claim takes as given and the claim, its letters being put: the runs are those at these values.

        Raises
        ------
        InputError
            If it is not the only step, as it is, or a value has another sign than its letter.
        """
        at = self.claim.at
        if (step,) not in (self.claim.steps, self.claim.base) or step.rule or step.renamed:
            msg = f"step {step}: a claim at {', '.join(at)} = .. follows from one claim as it stands"
            raise InputError(msg)
        signs = signs_of((*self.claim.given, *self.case), self.setting, scope.over, scope, self.prover.book)
        for name, node in at.items():
            sign = self.setting.letters.get(name)
            value = coefficient(node, scope)
            legal = name not in self.setting.horizons and name not in self.setting.series and sign is not None
            if not (legal and (sign == "real" or (signs.positive if sign == "> 0" else signs.nonnegative)(value))):
                msg = f"{name} = {node} is not legal: a letter that is no horizon, at a value of its sign ({sign})"
                raise InputError(msg)
        self.rules.add("instance")
        given = tuple(substituted(node, at) for node in source.given)
        return given, replace(source.claim, shows=substituted(source.claim.shows, at))

    def _about_letters(self, step: Step, scope: Scope) -> bool:
        """Return whether a step is a claim or a leaf about letters alone, as it stands: then it is a hypothesis."""
        leaf = self.setting.leaves.get(step.id)
        source = leaf or (found.claim if (found := self.prover.found.get(step.id)) else None)
        if source is None or step.rule or step.multiplier or getattr(source, "points", {}):
            return False
        if not of_letters(source.shows, self.setting):
            return False
        if leaf is not None:
            self.leaves.add(step.id)
            self._discharge(hypotheses(step, leaf, leaf.given, scope), scope)
        else:
            self._claimed(step, scope)
        self.shown.append(substituted(source.shows, renaming(step, source.over, {}, scope)))
        return True

    def _about_signs(self, step: Step, scope: Scope) -> bool:
        """Return whether a step, taken as it stands, shows a sequence of numbers to be nonnegative at every index."""
        source = self.prover.found.get(step.id)
        name = "" if source is None else nonnegative_sequence(source.claim, source.given, self.setting)
        if source is None or not name or step.rule or step.renamed or step.multiplier:
            return False
        low = {letter: as_node(ends[0]) for letter, ends in source.claim.over.items()}
        self._claimed(replace(step, renamed=low), scope)
        self.nonnegative[name] = step
        return True

    def _without_signed(
        self, rest: Scalar, premises: list[Premise], multipliers: Multipliers, signs: Signs, scope: Scope
    ) -> Scalar:
        """Return what is left without entries of nonnegative sequences, their signs being premises as well."""
        for term, value in list(rest.items()):
            if not isinstance(term, Entry) or term.name not in self.nonnegative or term.varies:
                continue
            if signs.nonnegative(value):
                step = self.nonnegative[term.name]
                over = self.prover.found[step.id].claim.over
                at = {letter: as_node(index) for letter, index in zip(over, term.indices, strict=True)}
                made = self._claimed(replace(step, renamed=at), scope)
                premises.append(made)
                multipliers.append((str(made.step), value))
                rest = added(rest, scaled(made.difference, -value))
        return rest

    def _signs(self, scope: Scope, case: tuple[Node, ...] | None = None) -> Signs:
        given = (*self.claim.given, *self.inherited, *(self.case if case is None else case))
        return self._asked.of(given, self.setting, scope, self.prover.book, self.positive, self.shown)

    def _discharge(self, given: Iterable[Node], scope: Scope) -> None:
        signs = self._signs(scope)
        for node in given:
            if any(str(node) == str(own) for own in (*self.claim.given, *self.case, *self.inherited, *self.shown)):
                continue
            if is_minimum(node):
                if not any(same_minimum(node, own, scope) for own in (*self.claim.given, *self.inherited)):
                    self.inherited.append(node)
            elif not all(signs.nonnegative(p) for p in polynomials(node, scope, signs)):
                self.inherited.append(node)

    def _equation(self, step: Step) -> Definition | None:
        """Return the equation that a step is: one of the setting, or a claim that a difference has norm zero."""
        if step.id in self.setting.definitions:
            return self.setting.definitions[step.id]
        source = self.prover.found.get(step.id)
        return same(source.claim) if source is not None and not step.rule and step.multiplier is None else None

    def _reduced(self, made: Premise, uses: Sequence[Use], scope: Scope) -> Premise:
        births = self.prover.births
        self.leaves |= {name for name, kind, _ in uses if kind != "definition"}

        def sampled(form: Scalar) -> Scalar:  # what a sample takes comes to light, for the next equations
            form, found = births.sampled(form, scope)
            self.leaves |= {SAMPLED} if found else set()
            return form

        every = [used for _, _, used in uses]
        if self.setting.sizes:
            every = [one for used in every for one in (used, sampled)]
        left, right = (rewritten(form, every) for form in (made.left, made.right))
        (left, laws), (right, more) = (births.fresh(form, scope) for form in (left, right))
        self.leaves |= laws | more
        return replace(made, left=left, right=right)

    def _combined(
        self, target: Premise, premises: list[Premise], signs: Signs, scope: Scope
    ) -> tuple[Scalar, Multipliers]:
        rest: Scalar = target.difference
        multipliers: Multipliers = []
        for one in premises:
            factor = self._multiplier(one, rest, scope)
            if not one.equal and not signs.nonnegative(factor):
                raise NotProvedError(f"the multiplier {factor} of {one.step} is not seen to be nonnegative")
            rest = added(rest, scaled(one.difference, -factor))
            multipliers.append((str(one.step), factor))
        return rest, multipliers

    def _require_equalities(self, premises: list[Premise], multipliers: Multipliers) -> None:
        """Raise NotProvedError where an equality would rest on an inequality."""
        for one, (name, factor) in zip(premises, multipliers, strict=True):
            if not one.equal and factor != 0:
                raise NotProvedError(f"an equality does not follow from {name}, which is an inequality")

    def _multiplier(self, one: Premise, rest: Scalar, scope: Scope) -> Coefficient:
        if one.step is not None and one.step.multiplier is not None:
            return self._number_at_zero(coefficient(one.step.multiplier, scope))
        if len(one.left) == 1:
            (term,) = one.left
            return rest.get(term, scope.number(0)) / one.difference.get(term, -one.left[term])
        return scope.number(1)

    def _at_zero(self, one: Premise) -> Premise:
        """Return a premise in the case that a letter is 0."""
        if not self.zero:
            return one
        forms = [None if form is None else added(self._form_at_zero(form)) for form in (one.left, one.right, one.rest)]
        return replace(one, left=forms[0] or {}, right=forms[1] or {}, rest=forms[2])

    def _form_at_zero(self, form: Scalar) -> Scalar:
        return {term: self._number_at_zero(value) for term, value in form.items()}

    def _number_at_zero(self, value: Coefficient) -> Coefficient:
        if not self.zero:
            return value
        letter = self.setting.generators[self.zero].numer
        top, below = (value.field.new(part.subs(letter, 0)) for part in (value.numer, value.denom))
        if below == 0:
            raise NotProvedError(f"{value} is not defined at {self.zero} = 0")
        return top / below

    def _require_defined(self, scope: Scope, signs: Signs) -> None:
        for divisor in dict.fromkeys(map(self._number_at_zero, scope.divisors)):
            if divisor == 0 or (not divisor.numer.is_ground and not signs.nonzero(divisor)):
                raise NotProvedError(f"the divisor {divisor} is not seen to differ from zero")

    def _require_rest(self, one: Premise, signs: Signs) -> None:
        for term, value in (one.rest or {}).items():
            squares = self.prover.square_names | set(self.nonnegative)
            if not rules.nonnegative_terms({term: value}, squares) or not signs.nonnegative(value):
                raise NotProvedError(
                    f"step {one.step}: what grows or is added at each step, {shown(one.rest or {})}, may be negative"
                )
