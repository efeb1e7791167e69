"""Deciding a claim: its conclusion minus multiples of its premises is squares plus nonnegative weights, exactly."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError, UnknownNameError
from boundcheck.proofs.algebra.book import ProductStore
from boundcheck.proofs.algebra.evaluate import coefficient, scalar
from boundcheck.proofs.algebra.hypotheses import (
    SignCache,
    branches,
    is_minimum,
    nonnegative_sequence,
    of_letters,
    polynomials,
    same_minimum,
    signs_of,
)
from boundcheck.proofs.algebra.nonnegative import form_text, parts_of
from boundcheck.proofs.algebra.relation import Premise, premise_of
from boundcheck.proofs.algebra.scope import Scope
from boundcheck.proofs.chain.deciding import laws, rules
from boundcheck.proofs.chain.deciding.births import SAMPLED, Filtration
from boundcheck.proofs.chain.deciding.decided import ClaimOutcome, ProofPart
from boundcheck.proofs.chain.deciding.equations import (
    moved_window,
    off_mean,
    rewriting,
    rewritten,
    same,
    zero,
    zero_mean,
)
from boundcheck.proofs.chain.deciding.laws import NotProvedError
from boundcheck.proofs.chain.deciding.premises import hypotheses, premise, renaming
from boundcheck.proofs.chain.deciding.weights import weights
from boundcheck.proofs.language.affine import Affine, indices_in, least_values
from boundcheck.proofs.language.coordinates import LAWS, decided_by_coordinates, is_by_coordinate
from boundcheck.proofs.language.expressions import as_node
from boundcheck.proofs.language.forms import CLIENT, Entry, add_forms, scale_form
from boundcheck.proofs.language.grammar import LEAST, Node, read_relation
from boundcheck.proofs.language.members import depends, with_members
from boundcheck.proofs.language.setting import SPREAD, Definition
from boundcheck.proofs.language.steps import entries_of, letters_of, substitute_letters

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from boundcheck.proofs.algebra.scope import Need
    from boundcheck.proofs.algebra.signs import Signs
    from boundcheck.proofs.chain.deciding.equations import Use
    from boundcheck.proofs.chain.deciding.premises import UsedHypotheses
    from boundcheck.proofs.language.claim import Claim
    from boundcheck.proofs.language.forms import Atom, Coefficient, Scalar
    from boundcheck.proofs.language.setting import Leaf, ProofSetting
    from boundcheck.proofs.language.steps import Step

    Multipliers = list[tuple[str, Coefficient]]
    """Premises as text, each with what it is multiplied by."""

SELF = "self"
FRESH = "fresh"
ORTHOGONAL = "orthogonal"
WINDOW = "window"
TELESCOPE = "telescope"
SAMPLE = laws.SAMPLE
COORDINATES = frozenset({"coordinates"})
"""The rule of what is decided by coordinates: the kernel alone does so."""


@dataclass
class Prover:
    """Decides the claims of a setting, each from those before it."""

    setting: ProofSetting
    found: dict[str, ClaimOutcome] = field(default_factory=dict)
    book: ProductStore = field(default_factory=ProductStore)
    """Sums of products found before; what is not there is searched for."""
    weigh: bool = True
    """Whether weights are looked for where those of the steps do not serve."""
    illegal: dict[str, str] | None = None
    """Claims that are not legal, each with what is wrong, where they do not stop what is decided of others."""
    excluded: dict[tuple[Any, ...], bool] = field(default_factory=dict, repr=False)
    """Leaves, with what is given, to whether they are seen to exclude each other."""

    @cached_property
    def births(self) -> Filtration:
        """Return the births of all vectors."""
        return Filtration(self.setting)

    @cached_property
    def square_names(self) -> frozenset[str]:
        """Return the sequences of numbers that are declared nonnegative, or whose definition is a sum of squares."""
        found: set[str] = set(self.setting.numbers) - self.setting.coordinates
        for name in (name for name in self.setting.scalars if name not in self.setting.numbers):
            one = self.setting.definitions[name]
            scope = Scope(self.setting, one.over)
            signs = signs_of((), self.setting, one.over, scope, self.book)
            if parts_of(scalar(one.right, scope), signs, frozenset(found), scope) is not None:
                found.add(name)
        return frozenset(found)

    def decide_all(self, claims: Iterable[Claim]) -> dict[str, ClaimOutcome]:
        """Decide claims in order; a step must come before what stands on it."""
        for claim in claims:
            self.decide(claim)
        return self.found

    def decide(self, claim: Claim) -> ClaimOutcome:
        """Decide one claim from its steps.

        Raises
        ------
        InputError
            If the statement or a step is not legal: what, and what would be.
        """
        if (
            claim.id in self.found
            or claim.id in self.setting.leaves
            or claim.id in {SELF, FRESH, ORTHOGONAL, SAMPLE, WINDOW, TELESCOPE}
        ):
            msg = f"claim {claim.id!r} is not legal: the id is taken"
            raise InputError(msg)
        said = {id_ for id_, one in self.found.items() if is_by_coordinate(one.claim.shows, self.setting.vectors)}
        if self.setting.coordinates | said and decided_by_coordinates(
            claim, self.setting, self.setting.coordinates | said
        ):
            self._require_known(claim)
            self.found[claim.id] = outcome = ClaimOutcome(
                claim, proved=True, leaves=self._leaves(claim), rules=COORDINATES
            )
            return outcome
        try:
            outcome = Attempt(self, claim).conclude()
        except NotProvedError as error:
            outcome = ClaimOutcome(claim, proved=False, why=with_members(str(error), self.setting))
        self.found[claim.id] = outcome
        return outcome

    def _require_known(self, claim: Claim) -> None:
        """Raise UnknownNameError unless each step of a claim is a claim, a leaf, an equation or a law."""
        known = {*self.found, *self.setting.leaves, *self.setting.definitions, *self.setting.coordinates}
        for step in (*claim.steps, *claim.base):
            if step.id not in known | {SELF, FRESH, ORTHOGONAL, SAMPLE, WINDOW, TELESCOPE, *LAWS}:
                raise UnknownNameError(f"step of {claim.id}", step.id, known)

    def _leaves(self, claim: Claim) -> frozenset[str]:
        """Return the steps of a claim that are leaves or equations."""
        ids = {step.id for step in (*claim.steps, *claim.base)}
        names = {id_ for id_, one in self.setting.definitions.items() if one.kind == "definition"}
        return frozenset(ids & {*self.setting.leaves, *self.setting.definitions} - names)


@dataclass
class Attempt:
    """One attempt to prove a claim."""

    prover: Prover
    claim: Claim
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
    equal: frozenset[str] = frozenset()
    """Leaves and claims |w|^2 = 0 that are used as equations, beside the claims about an entry that always are."""
    weigh: bool = True
    """Whether weights are looked for where those of the steps do not serve."""
    positive: str = ""
    """The letter that is positive in this case."""
    squares_first: bool = False
    """Whether squares are looked for before the laws of chance drop products from them: m and xi in |m - g - xi|^2."""
    drops: bool = False
    """Whether the laws have dropped products."""
    off_means: bool = False
    """Whether u - mean(i) u stands in the place of u where mean(i) u = 0."""
    least: Affine | None = None
    """The index at which what is least over all indices is looked at; None for their mean."""
    zero_means: list[tuple[Atom, frozenset[str]]] = field(default_factory=list)
    """The equations ``mean(i) u = 0``: u, and the indices of the mean."""
    _asked: SignCache = field(default_factory=SignCache)
    _signed_in: tuple[tuple[Node, ...], str, str] = ((), "", "")
    """The case in which the signs of sequences were shown."""

    @property
    def setting(self) -> ProofSetting:
        """Return the prover's setting."""
        return self.prover.setting

    def conclude(self) -> ClaimOutcome:
        """Return the outcome; raise NotProvedError where something is missing."""
        claim = self.claim
        parts = self._parts()
        return ClaimOutcome(
            claim,
            proved=True,
            parts=parts,
            inherited=tuple(self.inherited),
            leaves=frozenset(self.leaves),
            rules=frozenset(self.rules),
            equal=self.equal,
        )

    def _parts(self) -> tuple[ProofPart, ...]:
        if self.claim.cases:
            return self._by_cases()
        whole = (
            self._by_induction if self.claim.induction else self._by_vanishing if self.claim.vanishing else self._in_one
        )
        cases = branches(self.claim.given)
        try:
            return whole()
        except NotProvedError as error:
            if cases == [()]:
                raise error from None
        self.rules.add("minimum")
        parts: list[ProofPart] = []
        for self.case in cases:
            parts += whole()
        return tuple(parts)

    def _in_one(self) -> tuple[ProofPart, ...]:
        claim = self.claim
        return (self._part(claim.shows, claim.over, claim.steps, None),)

    def _by_vanishing(self) -> tuple[ProofPart, ...]:
        claim, case = self.claim, self.case
        self.rules.add("vanishing")
        self.case, self.zero = (*case, read_relation(f"{claim.vanishing} = 0")), claim.vanishing
        first = self._part(claim.shows, claim.over, claim.base, None)
        self.case, self.zero, self.positive = case, "", claim.vanishing
        second = self._part(claim.shows, claim.over, claim.steps, None)
        self.positive = ""
        return first, second

    def _by_cases(self) -> tuple[ProofPart, ...]:
        self.rules.add("whole")
        claim, parts = self.claim, []
        for self.case, steps in zip(claim.cases, (claim.base, claim.steps), strict=True):
            parts.append(self._part(claim.shows, claim.over, steps, None))
        return tuple(parts)

    def _by_induction(self) -> tuple[ProofPart, ...]:
        claim, letter = self.claim, self.claim.induction
        if letter not in claim.over:
            msg = f"claim {claim.id}: induction on {letter!r}, which has no range here (`for`)"
            raise InputError(msg)
        if any(letter in letters_of(node) for node in claim.given):
            msg = f"claim {claim.id}: what is given for an induction on {letter} must not depend on {letter}"
            raise InputError(msg)
        if any(letter in end.letters for name, ends in claim.over.items() for end in ends if name != letter):
            msg = f"claim {claim.id}: in an induction on {letter} the range of no other index depends on {letter}"
            raise InputError(msg)
        self.rules.add("induction")
        low, high = claim.over[letter]
        rest = {name: ends for name, ends in claim.over.items() if name != letter}
        first = substitute_letters(claim.shows, {letter: as_node(low)})
        base = self._part(first, rest, claim.base, None)
        after = substitute_letters(claim.shows, {letter: as_node(Affine.letter(letter) + 1)})
        over = {**claim.over, letter: (low, high - 1)}
        return base, self._part(after, over, claim.steps, claim.shows)

    def _part(
        self, shows: Node, over: Mapping[str, tuple[Affine, Affine]], steps: tuple[Step, ...], known: Node | None
    ) -> ProofPart:
        self.drops = False
        try:
            return self._part_by_weights(shows, over, steps, known)
        except NotProvedError as error:
            self.squares_first = self.drops and shows.name != "="
            if self.squares_first:
                with suppress(NotProvedError):
                    return self._part_by_weights(shows, over, steps, known)
            self.squares_first, self.off_means = False, True
            if self.zero_means:
                with suppress(NotProvedError):
                    return self._part_by_weights(shows, over, steps, known)
            self.off_means = False
            for index in self._places_of_least(shows):
                self.least = index
                with suppress(NotProvedError, InputError):
                    return replace(self._part_by_weights(shows, over, steps, known), least=index)
            raise error from None
        finally:
            self.squares_first, self.off_means, self.least = False, False, None

    def _places_of_least(self, shows: Node) -> list[Affine]:
        """Return indices at which what is least may be small: the ends of its range, and those on the larger side."""
        if shows.name == "=":
            return []
        small, large = shows.parts if shows.name == "<=" else shows.parts[::-1]
        if small.kind != LEAST or small.name not in self.setting.indices:
            return []
        legal = {*self.setting.indices, *self.setting.horizons}
        return list(dict.fromkeys([*self.setting.indices[small.name], *indices_in(large, legal)]))

    def _part_by_weights(
        self, shows: Node, over: Mapping[str, tuple[Affine, Affine]], steps: tuple[Step, ...], known: Node | None
    ) -> ProofPart:
        target, premises, signs, scope = self._question(shows, over, steps, known)
        needs = len(scope.needs)
        try:
            return self._weigh_part(target, list(premises), signs, scope, None)
        except NotProvedError as error:
            if not (self.weigh and self.prover.weigh and self.prover.book.search):
                raise
            squares = self.prover.square_names | set(self.nonnegative)
            against = self._against(target, signs, squares)
            is_square = shows.parts[0].kind == "norm2" and shows.parts[1] == Node("number", "0")
            if against is None and target.equal and is_square:
                against = replace(target, equal=False)  # |u|^2 <= 0
            if against is not None:
                with suppress(NotProvedError):
                    return self._weigh_part(against, list(premises), signs, scope, None)
            for one in (target, against) if against is not None else (target,):
                for found in weights(one, premises, signs, squares):
                    del scope.needs[needs:]
                    with suppress(NotProvedError):
                        return replace(self._weigh_part(one, list(premises), signs, scope, found), searched=True)
            raise error from None

    def _against(self, target: Premise, signs: Signs, squares: frozenset[str]) -> Premise | None:
        """Return S <= 0 for a target S = 0, S being a sum of nonnegative terms; None for another target."""
        form = target.difference
        if not target.equal or not rules.nonnegative_terms(form, squares):
            return None
        for side in (1, -1):
            if all(signs.nonnegative(value * side) for value in form.values()):
                return replace(target, left={t: v * side for t, v in form.items()}, right={}, equal=False)
        return None

    def _weigh_part(
        self, target: Premise, premises: list[Premise], signs: Signs, scope: Scope, found: list[Coefficient] | None
    ) -> ProofPart:
        """Return the part of a proof that adds premises up, with the weights that were found, or those of the steps."""
        rest, multipliers = self._combine(target, premises, signs, scope, found)
        if not target.equal:
            rest = self._without_signed(rest, premises, multipliers, signs, scope)
        self._require_defined(scope, signs)
        own = len(self._signs(scope, ()).hypotheses)
        for one in premises:
            self._require_rest(one, signs)
        if target.equal:
            self._require_equalities(premises, multipliers)
            rest = self._without_zero(rest, signs)
            if rest:
                useless = next((f"step {one.step} is an inequality, and " for one in premises if not one.equal), "")
                raise NotProvedError(f"{useless}the two sides differ by {form_text(rest)}")
            return ProofPart(tuple(multipliers), (), (), target, tuple(premises), signs, own)
        proof = parts_of(rest, signs, self.prover.square_names, scope)
        if proof is None:
            less = self._without_zero(rest, signs)
            proof = parts_of(less, signs, self.prover.square_names, scope) if len(less) < len(rest) else None
        if proof is None:
            raise NotProvedError(f"this is not seen to be nonnegative: {form_text(rest)}")
        return ProofPart(tuple(multipliers), *proof, target, tuple(premises), signs, own)

    def signs_here(self, scope: Scope) -> Signs:
        """Return what decides signs under what is given."""
        return self._signs(scope)

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
        scope = Scope(self.setting, over, least=least_values(self.claim.given, self.setting.horizons))
        target = premise_of(self._without_least(shows), scope)
        self.shown = []
        now = (self.case, self.zero, self.positive)
        if self._signed_in != now:  # another case shows other signs
            self.nonnegative, self._signed_in = {}, now
        equations = [(step, one) for step in steps if (one := self._equation(step)) is not None]
        used = [step for step in steps if all(step is not other for other, _ in equations)]
        plain = [step for step in used if not (self._about_letters(step, scope) or self._about_signs(step, scope))]
        premises = [replace(self._premise(self._at_one_value(step), scope, known), step=step) for step in plain]
        for step, one in equations:
            if one.kind == "zero" or step.id in self.prover.found:
                self.rules.add("zero")
            if step.id in self.prover.found:
                self._claim_premise(self._at_one_value(step), scope)
            elif step.id in self.setting.leaves:
                self.leaves.add(step.id)
        signs = self._signs(scope)
        uses = [
            (
                step.id,
                one.kind,
                moved_window(step, scope) if step.id == WINDOW else rewriting(self._at_one_value(step), one, scope),
            )
            for step, one in equations
        ]
        means = (zero_mean(self._at_one_value(step), one, scope) for step, one in equations)
        self.zero_means = [one for one in means if one is not None]
        target = self._apply_equations(target, uses, scope)
        premises = [
            one if one.step and one.step.id == ORTHOGONAL else self._apply_equations(one, uses, scope)
            for one in premises
        ]
        return self._at_zero(target), [self._at_zero(one) for one in premises], signs, scope

    def _without_least(self, shows: Node) -> Node:
        """Return ``mean(t) s <= b``, or ``s <= b`` at an index, for ``least(t) s <= b``: the least is at most both."""
        small = 0 if shows.name == "<=" else 1
        if shows.name == "=" or shows.parts[small].kind != LEAST:
            return shows
        self.rules.add(LEAST)
        parts = list(shows.parts)
        node = parts[small]
        if self.least is None:
            parts[small] = replace(node, kind="mean")
        else:
            parts[small] = substitute_letters(node.parts[0], {node.name: as_node(self.least)})
        return replace(shows, parts=tuple(parts))

    def _at_one_value(self, step: Step) -> Step:
        """Return a step whose rule binds fewer letters: over one value, a sum or a mean is what stands there."""
        if step.rule not in {"sum", "mean"} or step.bounds:
            return step
        values = {name: as_node(value) for name, value in self.setting.one_valued(step.letters).items()}
        if CLIENT in step.letters and not self.setting.several_clients:
            values[CLIENT] = Node("number", "1")
        if not values:
            return step
        sources = (self.setting.definitions, self.setting.leaves)
        over = next((found[step.id].over for found in sources if step.id in found), None)
        over = self.prover.found[step.id].claim.over if over is None and step.id in self.prover.found else over or {}
        renamed = {name: substitute_letters(node, values) for name, node in step.renamed.items()}
        renamed |= {name: node for name, node in values.items() if name in over and name not in renamed}
        letters = tuple(name for name in step.letters if name not in values)
        return replace(step, renamed=renamed, letters=letters, rule=step.rule if letters else "")

    def _premise(self, step: Step, scope: Scope, known: Node | None) -> Premise:
        if step.rule:
            self.rules.add(step.rule)
        if step.id == SELF:
            if known is None:
                msg = f"step {step}: `self` is the hypothesis of an induction, and there is none here"
                raise InputError(msg)
            made = premise_of(known, scope)
            made.step = step
            return made
        if step.id == FRESH:
            return laws.fresh(self, step, scope)
        if step.id == ORTHOGONAL:
            return laws.orthogonal(self, step, scope)
        if step.id == SAMPLE:
            return laws.sample(self, step, scope)
        if step.id == TELESCOPE:
            return rules.telescope(step, scope)
        if step.id in self.setting.leaves:
            self.leaves.add(step.id)
            leaf = self.setting.leaves[step.id]
            self._discharge(hypotheses(step, leaf, leaf.given, scope), scope)
            return premise(step, leaf, scope)
        return self._claim_premise(step, scope)

    def _claim_premise(self, step: Step, scope: Scope) -> Premise:
        found = self.prover.found
        if step.id not in found and step.id in (self.prover.illegal or {}):
            raise NotProvedError(f"its step {step.id} is not legal")
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

    def _instance(self, step: Step, source: ClaimOutcome, scope: Scope) -> tuple[tuple[Node, ...], Claim]:
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
            fixed = {*self.setting.horizons, *self.setting.series, *self.setting.sizes}
            legal = name not in fixed and sign is not None and (name != SPREAD or value == 0)
            if not (legal and (sign == "real" or (signs.positive if sign == "> 0" else signs.nonnegative)(value))):
                msg = (
                    f"{name} = {node} is not legal: a letter that is no horizon and no size, at a value of its sign"
                    f" ({sign}); {SPREAD} at 0"
                )
                raise InputError(msg)
        for leaf in self.setting.leaves.values():
            about = letters_of(leaf.shows).union(*map(letters_of, leaf.given))
            # What is said of an indexed letter defines it: at other values it is another one.
            if about & set(at) and of_letters(leaf.shows, self.setting) and not entries_of(leaf.shows):
                self._require_leaf(leaf, at)
        self.rules.add("instance")
        given = tuple(substitute_letters(node, at) for node in source.given)
        return given, source.claim.restate(shows=substitute_letters(source.claim.shows, at))

    def _require_leaf(self, leaf: Leaf, at: Mapping[str, Node]) -> None:
        """Raise NotProvedError unless an assumption about letters holds at the values that are put for them."""
        scope = Scope(self.setting, leaf.over)
        given = (*self.claim.given, *self.case, *(substitute_letters(node, at) for node in leaf.given))
        signs = signs_of(given, self.setting, leaf.over, scope, self.prover.book)
        says = substitute_letters(leaf.shows, at)
        if not all(map(signs.nonnegative, polynomials(says, scope, signs))):
            raise NotProvedError(f"{leaf.id} is about these letters, and {says} is not seen to hold")

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
            self._claim_premise(step, scope)
        self.shown.append(substitute_letters(source.shows, renaming(step, source.over, {}, scope)))
        return True

    def _about_signs(self, step: Step, scope: Scope) -> bool:
        """Return whether a step, taken as it stands, shows a sequence of numbers to be nonnegative at every index."""
        source = self.prover.found.get(step.id)
        name = "" if source is None else nonnegative_sequence(source.claim, source.given, self.setting)
        if source is None or not name or step.rule or step.renamed or step.multiplier:
            return False
        low = {letter: as_node(ends[0]) for letter, ends in source.claim.over.items()}
        self._claim_premise(replace(step, renamed=low), scope)
        self.nonnegative[name] = step
        return True

    def _without_zero(self, rest: Scalar, signs: Signs) -> Scalar:
        """Return what is left without terms whose weight is 0 by what is given."""
        given = (*self.claim.given, *self.case, *self.shown)
        if not self.prover.book.search or not any("=" in node.name.split() for node in given):
            return rest
        return {term: v for term, v in rest.items() if not (signs.nonnegative(v) and signs.nonnegative(-v))}

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
                made = self._claim_premise(replace(step, renamed=at), scope)
                premises.append(made)
                multipliers.append((str(made.step), value))
                rest = add_forms(rest, scale_form(made.difference, -value))
        return rest

    def _signs(self, scope: Scope, case: tuple[Node, ...] | None = None) -> Signs:
        given = (*self.claim.given, *self.inherited, *(self.case if case is None else case))
        return self._asked.of(given, self.setting, scope, self.prover.book, self.positive, self.shown)

    def _discharge(self, taken: UsedHypotheses, scope: Scope) -> None:
        """Show what a step takes as given, or inherit it; at an index that a rule binds it is shown, at every value."""
        signs = self._signs(scope)
        for node, letter in taken.everywhere.items():
            around = self._signs_inside(taken.inside, {letter}, both=True)
            if is_minimum(node) or not all(map(around.nonnegative, polynomials(node, taken.inside, around))):
                msg = (
                    f"step {taken.step}: {taken.step.id} takes {str(node)!r} as given, which depends on the bound index"
                    f" {letter} and is not shown at every {letter}"
                )
                raise InputError(msg)
        for node in taken.once:
            if any(str(node) == str(own) for own in (*self.claim.given, *self.case, *self.inherited, *self.shown)):
                continue
            if is_minimum(node):
                if not any(same_minimum(node, own, scope, signs) for own in (*self.claim.given, *self.inherited)):
                    self._inherit(node)
            elif not all(signs.nonnegative(p) for p in polynomials(node, scope, signs)):
                self._inherit(node)

    def _inherit(self, node: Node) -> None:
        """Take over what a step takes as given; in an induction it must hold at every index, not at one."""
        letter = self.claim.induction
        if letter and letter in letters_of(node):
            raise NotProvedError(f"a step takes {node} as given, which is not shown at every {letter} of the induction")
        self.inherited.append(node)

    def _signs_inside(self, inside: Scope | Need, letters: set[str], *, both: bool) -> Signs:
        """Return what decides signs where index letters are bound: what is given speaks of others of the same name.

        Of a letter that is bound the range is known, or its first value alone where `both` is false: a sum may be
        empty, and what stands in it then shows nothing of the letters around it.
        """
        bound, wanted = set(inside.bound), set(letters)
        while more := {name for one in wanted for name in inside.over[one][0].letters if name in bound} - wanted:
            wanted |= more
        free = {name: ends for name, ends in inside.over.items() if name not in bound}
        given = [
            [node for node in nodes if not letters_of(node) & bound]
            for nodes in ((*self.claim.given, *self.inherited, *self.case), self.shown)
        ]
        over = free | {name: inside.over[name] for name in wanted} if both else free
        above = {} if both else {name: inside.over[name][0] for name in wanted}
        least = least_values(self.claim.given, self.setting.horizons)
        scope = Scope(self.setting, over | {name: inside.over[name] for name in wanted}, least=least)
        return signs_of(given[0], self.setting, over, scope, self.prover.book, self.positive, given[1], above)

    def _equation(self, step: Step) -> Definition | None:
        """Return the equation that a step is: one of the setting, or one that a difference has norm zero."""
        if step.id in self.setting.definitions:
            return self.setting.definitions[step.id]
        if step.id == WINDOW:
            self.rules.add(WINDOW)
            return Definition(WINDOW, Node("number", "0"), Node("number", "0"), {})
        if step.id in self.equal and not step.rule and step.multiplier is None:
            leaf = self.setting.leaves.get(step.id)
            return zero(leaf) if leaf is not None else zero(self.prover.found[step.id].claim)
        source = self.prover.found.get(step.id)
        return same(source.claim) if source is not None and not step.rule and step.multiplier is None else None

    def _apply_equations(self, made: Premise, uses: Sequence[Use], scope: Scope) -> Premise:
        births = self.prover.births
        claims = self.prover.found
        self.leaves |= {
            name for name, kind, _ in uses if kind != "definition" and not (kind == "zero" and name in claims)
        }

        def take_sample(form: Scalar) -> Scalar:  # what a sample takes comes to light, for the next equations
            form, found = births.apply_sampling(form, scope)
            self.leaves |= {SAMPLED} if found else set()
            return form

        every = [used for _, _, used in uses]
        if self.setting.sizes:
            every = [one for used in every for one in (used, take_sample)]
        sides = [rewritten(form, every) for form in (made.left, made.right)]
        (left, laws), (right, more) = (births.fresh(form, scope) for form in sides)
        self.leaves |= laws | more
        if self.squares_first and not made.equal:
            return replace(made, left=sides[0], right=sides[1])
        self.drops |= bool(laws | more)
        if self.off_means:
            for atom, done in self.zero_means:
                left, right = off_mean(left, atom, done), off_mean(right, atom, done)
        return replace(made, left=left, right=right)

    def _combine(
        self,
        target: Premise,
        premises: list[Premise],
        signs: Signs,
        scope: Scope,
        found: list[Coefficient] | None = None,
    ) -> tuple[Scalar, Multipliers]:
        rest: Scalar = target.difference
        multipliers: Multipliers = []
        for n, one in enumerate(premises):
            factor = self._multiplier(one, target, rest, scope) if found is None else self._number_at_zero(found[n])
            scope.divide(factor.field.new(factor.denom))
            if not one.equal and not signs.nonnegative(factor):
                raise NotProvedError(f"the multiplier {factor} of {one.step} is not seen to be nonnegative")
            rest = add_forms(rest, scale_form(one.difference, -factor))
            multipliers.append((str(one.step), factor))
        return rest, multipliers

    def _require_equalities(self, premises: list[Premise], multipliers: Multipliers) -> None:
        """Raise NotProvedError where an equality would rest on an inequality."""
        for one, (name, factor) in zip(premises, multipliers, strict=True):
            if not one.equal and factor != 0:
                raise NotProvedError(f"an equality does not follow from {name}, which is an inequality")

    def _multiplier(self, one: Premise, target: Premise, rest: Scalar, scope: Scope) -> Coefficient:
        if one.step is not None and one.step.multiplier is not None:
            return self._number_at_zero(coefficient(one.step.multiplier, scope))
        if target.equal and not one.equal:  # it has no part in an equality
            return scope.number(0)
        if len(one.left) == 1:
            (term,) = one.left
            return rest.get(term, scope.number(0)) / one.difference.get(term, -one.left[term])
        return scope.number(1)

    def _at_zero(self, one: Premise) -> Premise:
        """Return a premise in the case that a letter is 0."""
        if not self.zero:
            return one
        forms = [
            None if form is None else add_forms(self._form_at_zero(form)) for form in (one.left, one.right, one.rest)
        ]
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
        """Raise NotProvedError unless no divisor is 0 and every range is long enough for the sum or mean over it."""
        seen: set[tuple[Coefficient, bool, frozenset[str]]] = set()
        for need in scope.needs:
            value = self._number_at_zero(need.value)
            letters = {name for name in need.bound if name != CLIENT and depends(value, name, self.setting)}
            if (key := (value, need.divides, frozenset(letters))) in seen:
                continue
            seen.add(key)
            known = self._signs_inside(need, letters, both=not need.divides) if letters else signs
            if need.divides and (value == 0 or not (value.numer.is_ground or known.nonzero(value))):
                raise NotProvedError(f"the divisor {value} is not seen to differ from zero")
            if not need.divides and not known.nonnegative(value):
                raise NotProvedError(f"a sum or mean may be over too short a range: {value} is not seen to be >= 0")

    def _require_rest(self, one: Premise, signs: Signs) -> None:
        squares = self.prover.square_names | set(self.nonnegative)
        for term, value in (one.rest or {}).items():
            known = signs
            if one.inside is not None:
                letters = {name for name in one.inside.bound if depends(value, name, self.setting)}
                known = self._signs_inside(one.inside, letters, both=True) if letters else signs
            if not rules.nonnegative_terms({term: value}, squares) or not known.nonnegative(value):
                raise NotProvedError(
                    f"step {one.step}: what grows or is added at each step may be negative: {form_text(one.rest or {})}"
                )
