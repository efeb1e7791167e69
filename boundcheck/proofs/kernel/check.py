"""Claims: the conclusion minus multiples of what is proved is a sum of nonnegative terms, exactly.

A proof object holds choices alone: multipliers, squares, certificates of signs, births.  A wrong choice leaves a claim
unproved; none can prove another statement than the one that the file makes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import product as choices
from typing import TYPE_CHECKING, Any

from . import rules
from .algebra import Rational, Refused, index_letters, plus, whole
from .births import Births
from .context import base_context, has_spread
from .coordinates import (
    CONTRARY,
    SHARE,
    SurePremise,
    conclusion,
    contrary_of,
    is_nonnegative,
    share_of,
    with_multiplier,
)
from .delays import paid_by_sums
from .evaluate import difference, growth_letter, is_sure, minimum, number, scalar, vector, with_given, without_least
from .rules import nonnegative_term
from .space import Entry, form_text, free_name, is_bound, negate, product, scale, total
from .steps import ClaimVerdict, Steps
from .text import Tree, expression, index_of, index_tree, names_in, substitute

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .algebra import Index
    from .context import Answers, Certificate, Context, Question
    from .file import Claim, File, Statement, Step
    from .rules import Premise
    from .space import Form, Term, Vector


_MOST_CASES = 8


@dataclass
class Proof:
    """A proof object as a file has it; it answers what the kernel asks."""

    data: Mapping[str, Any] = field(default_factory=dict)
    at: tuple[str, int] = ("", 0)
    """The claim and the part of it that is checked."""

    @property
    def part(self) -> Mapping[str, Any]:
        """The choices for the part that is checked."""
        parts = self.data.get("claims", {}).get(self.at[0], [])
        return parts[self.at[1]] if self.at[1] < len(parts) else {}

    def split(self, id_: str) -> list[int]:
        """Return which of the minima that a claim is given are distinguished by cases."""
        found: list[int] = self.data.get("split", {}).get(id_, [])
        return found

    def values(self, id_: str) -> list[str]:
        """Return which horizons and sizes of a claim are put in, as their values are given."""
        found: list[str] = self.data.get("values", {}).get(id_, [])
        return found

    def horizons(self, id_: str) -> dict[str, int]:
        """Return the horizons of which cases are distinguished, each with the first value of the last case."""
        found: dict[str, int] = self.data.get("horizons", {}).get(id_, {})
        if not set(found.values()) <= set(range(2, _MOST_CASES + 1)):
            raise Refused(f"cases of a horizon are 2 to {_MOST_CASES}")
        return found

    def sign(self, question: Question, context: Context) -> Certificate | None:
        """Return why a polynomial has a sign."""
        del context
        found: Certificate | None = self.part.get("signs", {}).get(question.key)
        return found

    def owed(self, term: Term, by: Rational, context: Context) -> bool:
        """Return whether a sum is to pay for an entry."""
        del by, context
        return term.text() in self.part.get("owed", ())

    def exchange_over(self, term: Term, by: Rational, context: Context) -> str:
        """Return the bound index over which a sum is paid for by sums of the same sequence; empty if it is not."""
        del by, context
        return str(self.part.get("exchanged", {}).get(term.text(), ""))


@dataclass
class Kernel:
    """Checks the claims of a file in order; each may use what the file assumes and what was proved before."""

    file: File
    proof: Proof
    verdicts: dict[str, ClaimVerdict] = field(default_factory=dict)

    def __post_init__(self) -> None:
        answers: Answers = self.proof
        self.base = base_context(self.file, answers)
        data = self.proof.data
        self.births = Births(self.base, data.get("births", {}), data.get("late", ()), data.get("order", ()))
        self.steps = Steps(self.file, self.births, self.verdicts)
        self.squares = self._square_names()
        self._require_numbers()

    def _require_numbers(self) -> None:
        """Refuse a file in which a number is defined by dividing by what may be 0."""
        for one in self.file.equations.values():
            if one.left.name in self.file.scalars:
                inside = self.base
                for letter, ends in one.over.items():
                    inside = inside.inside(letter, ends)
                scalar(one.right, inside)

    def check(self) -> dict[str, ClaimVerdict]:
        """Check all claims of the file."""
        for id_ in self.file.claims:
            self.check_claim(id_)
        return self.verdicts

    def check_claim(self, id_: str) -> ClaimVerdict:
        """Check one claim, from those that have been proved before."""
        self.steps.used, self.steps.rules = set(), set()
        try:
            self._claim(id_, self.file.claims[id_])
            self.steps.used |= {"bounded"} if self.file.dimension else set()
            found = ClaimVerdict(proved=True, rules=frozenset(self.steps.rules), uses=frozenset(self.steps.used))
        except Refused as why:
            found = ClaimVerdict(proved=False, why=str(why))
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            found = ClaimVerdict(proved=False, why=f"not understood: {type(error).__name__} {error}")
        self.verdicts[id_] = found
        return found

    # --- claims and their parts -----------------------------------------------------------------------------------

    def _claim(self, id_: str, claim: Claim) -> None:
        """Check a claim: in one, by induction, or by cases of which one always holds."""
        statement = claim.statement
        if self.proof.values(id_) or self.proof.horizons(id_):
            self._at_values(id_, claim)
            return
        context = self._context(claim, statement)
        if (claim.induction or claim.vanishing) and self.proof.split(id_):
            raise Refused("cases of a minimum inside of an induction or of a letter that vanishes")
        if claim.induction:
            self._induction(id_, claim, context)
        elif claim.vanishing:
            self._vanishing(id_, claim, context)
        elif claim.cases:
            # Whole: what is given besides is all of the first case or all of the second, so that both are to be shown.
            self.steps.rules.add("whole")
            for n, (case, steps) in enumerate(zip(claim.cases, (claim.base, claim.steps), strict=True)):
                self._by_minima(id_, n, claim, with_given(context, case), statement.shows, steps)
        else:
            self._by_minima(id_, 0, claim, context, statement.shows, claim.steps)

    def _at_values(self, id_: str, claim: Claim) -> None:
        """Values: where it is given that T = 1, T is put in everywhere; and T is 1, or .., or T + m - 1 with T >= 1.

        Sound: the runs that the claim is about have this value; of the cases one holds, as T is a whole number >= 1.
        What has been proved for all values holds for these.  Of no index at all, everything holds.
        """
        given = {name: self._given_value(name, claim.statement) for name in self.proof.values(id_)}
        split = self.proof.horizons(id_)
        if set(split) - self.file.horizons or set(split) & set(given):
            raise Refused("cases of what is no horizon, or has a value")
        self.steps.rules.add("values")
        for many in choices(*(range(1, least + 1) for least in split.values())):
            values, label = dict(given), id_ + " at"
            for (name, least), n in zip(split.items(), many, strict=True):
                values[name] = whole(n) if n < least else plus(((name, 1),), whole(n - 1))
                label += f" {name}{'=' if n < least else '>='}{n}"
            inside = Kernel(self.file.at(values), self.proof, self.verdicts)
            if has_spread(inside.file) and not has_spread(self.file):
                raise Refused("two sizes of samples become one, and the letter of their spread would get a meaning")
            one = inside.file.claims[id_]
            nowhere = any(inside.base.at_least(low, plus(high, whole(1))) for low, high in one.statement.over.values())
            if not nowhere:
                inside._claim(label, one)
            self.steps.used |= inside.steps.used
            self.steps.rules |= inside.steps.rules

    def _given_value(self, name: str, statement: Statement) -> Index:
        """Return the value that a horizon or a size is given: a whole number >= 1, or another horizon or size."""
        legal = self.file.horizons | self.file.sizes
        for one in statement.given:
            for left, right in (one.parts, one.parts[::-1]) if one.kind == "=" else ():
                if left == Tree("name", name) and name in legal and right.kind in ("name", "number"):
                    value = index_of(right) if right.kind == "name" or right.name.isdecimal() else ()
                    if index_letters(value) <= legal - {name} and value and self.base.at_least(value, whole(1)):
                        return value
        raise Refused(f"{name} is no horizon or size, or no value of it is given")

    def _context(self, claim: Claim, statement: Statement) -> Context:
        """Return the context of a claim: letters at their values, indices in their ranges, hypotheses.

        Instance: all is read at the values that letters have, equations and leaves included; a value has the sign of
        its letter, so that what holds for all values of the letter holds for this one.
        """
        context = self.base
        if claim.at:
            self.steps.rules.add("instance")
            values = {name: number(tree, context) for name, tree in claim.at.items()}
            if set(values) & self.file.sizes:
                raise Refused("an instance at a size of a sample")
            context = base_context(self.file, self.proof, values)
        for letter, ends in statement.over.items():
            context = context.inside(letter, ends)
        context = with_given(context, statement.given)
        for name, found in context.values.items():
            sign = self.file.letters[name]
            require = context.require_positive if sign == "> 0" else context.require_nonnegative
            if sign != "real":
                require(found, f"the value of {name}")
        return context

    def _induction(self, id_: str, claim: Claim, context: Context) -> None:
        """Induction: at the first index, and at k + 1 from k for k = first .. last - 1, under the same hypotheses.

        Sound: no hypothesis is about k, so that those at k are those at k + 1.
        """
        self.steps.rules.add("induction")
        letter, shows = claim.induction, claim.statement.shows
        if letter not in context.over or any(letter in names_in(one) for one in claim.statement.given):
            raise Refused(f"induction on {letter}: no range, or a hypothesis about it")
        low, high = context.over[letter]
        start, outside = substitute(shows, {letter: index_tree(low)}), context.without(letter)
        self._part(id_, 0, outside, start, claim.base, None, claim.steps)
        ahead = substitute(shows, {letter: Tree("add", "", (Tree("name", letter), Tree("number", "1")))})
        inside = outside.inside(letter, (low, plus(high, whole(-1))))
        self._part(id_, 1, inside, ahead, claim.steps, shows, claim.base)

    def _vanishing(self, id_: str, claim: Claim, context: Context) -> None:
        """Vanishing: a letter q >= 0 is 0, and all is read at 0; or it is positive, and may be divided by."""
        self.steps.rules.add("vanishing")
        name = claim.vanishing
        if claim.at or self.file.letters.get(name) != ">= 0" or name in self.file.series or name in context.values:
            raise Refused(f"vanishing: {name} is no letter >= 0")
        zero = base_context(self.file, self.proof, {**context.values, name: Rational.of(0)})
        for letter, ends in claim.statement.over.items():
            zero = zero.inside(letter, ends)
        zero = with_given(zero, claim.statement.given)
        self._part(id_, 0, zero, claim.statement.shows, claim.base, None)
        self._part(id_, 1, replace(context, positive=frozenset([name])), claim.statement.shows, claim.steps, None)

    def _by_minima(
        self, id_: str, n: int, claim: Claim, context: Context, shows: Tree, steps: tuple[Step, ...]
    ) -> None:
        """Minimum: x = min(a, b) is at most each, which is a fact, and is one of them: each case, where asked for."""
        given = [least for one in context.given if (least := minimum(one))]
        split = [given[k] for k in self.proof.split(id_)]
        cases = list(choices(*([(x, part) for part in parts] for x, parts in split)))
        if split:
            self.steps.rules.add("minimum")
        for k, case in enumerate(cases):
            inside = with_given(context, (Tree("=", "", pair) for pair in case))
            self._part(id_, n * len(cases) + k, inside, shows, steps, None)

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
        """Check ``conclusion - sum of multipliers * premises = squares + nonnegative terms``, all weights >= 0.

        Sound: linear arithmetic.  A multiplier of an equality may have any sign; an equality follows from equalities
        alone, with nothing left but what is known to be 0.  Equations are used in premises and in the conclusion: equal
        elements.  Steps `beside` those of this part are used where they say the sign of a sequence, under the same
        hypotheses.
        """
        self.proof.at = id_, n
        self.steps.zero = frozenset(self.proof.part.get("zero", ()))
        equations = [step for step in steps if self.steps.equation(step) is not None]
        about_signs = (*steps, *beside)
        signed = {step.id: name for step in about_signs if (name := self.steps.find_nonnegative(step, context))}
        squares = self.squares | set(signed.values())
        others = [step for step in steps if step not in equations and step.id not in signed]
        context, others = self.steps.hypotheses(others, context)
        rewriting = [self.steps.rewriting(step, context) for step in equations] * self._passes(len(equations))
        contrary = any(step.id == CONTRARY for step in others)
        premises = self._premises(others, context, known, squares, shows)
        sure = [one for one in premises if isinstance(one, SurePremise) and not one.equal]
        weight: Vector | None = None
        if (plain := without_least(shows, str(self.proof.part.get("least", "")), context)) != shows:
            self.steps.rules.add("least")
        if is_sure(plain, context):
            self.steps.rules.add("coordinates")
            equal, target, weight = conclusion(plain, context, contrary=contrary)
        else:
            equal, target = difference(plain, context)
        if equal and self.proof.part.get("squares_vanish"):
            equal = False
            target = target if _is_square_zero(plain) else self._against(target, squares, context)
        rest = self.steps.reduce(target, rewriting, context)
        written = self.proof.part.get("multipliers", [""] * len(premises))
        if len(written) != len(premises):
            raise Refused("a multiplier for each premise is missing")
        for step, premise, by in zip(others, premises, written, strict=True):
            tree = expression(by or step.multiplier or "1")
            if isinstance(premise, SurePremise):
                if equal and not premise.equal and tree != Tree("number", "0"):
                    raise Refused(f"{step.text}: an equality does not follow from an inequality")
                form = with_multiplier(premise, tree, weight, sure, context)
                rest = total(rest, negate(self.steps.reduce(form, rewriting, context)))
                continue
            m = number(tree, context)
            if not premise.equal:
                if equal and not m.is_zero():
                    raise Refused(f"{step.text}: an equality does not follow from an inequality")
                context.require_nonnegative(m, f"multiplier of {step.text}")
            form = premise.form if step.id == "orthogonal" else self.steps.reduce(premise.form, rewriting, context)
            rest = total(rest, scale(form, -m))
        if not equal:
            rest = self._without_squares(rest, context)
            if not all(nonnegative_term(term, squares) for term in rest):  # squares bring in what is equal to 0
                rest = self.steps.reduce(rest, rewriting, context)
            for term in list(rest):
                if isinstance(term, Entry) and term in rest and term.name in squares:
                    owed = {one.text() for one, by in rest.items() if self._owed(one, by, squares, context)}
                    rest = rules.paid_by_sum(term, rest, owed, context)
            rest = paid_by_sums(rest, self._exchange_sums(rest, squares, context), context)
        for term, by in rest.items():
            if not equal and (nonnegative_term(term, squares) or is_nonnegative(term, sure)):
                context.require_nonnegative(by, f"weight of {term.text()}")
            else:
                self._require_zero(by, rest, context)

    def _premises(
        self, steps: list[Step], context: Context, known: Tree | None, squares: set[str], shows: Tree
    ) -> list[Premise | SurePremise]:
        """Return what steps give; what a client has a share of is shown to be nowhere negative by the others."""
        found: dict[int, Premise | SurePremise] = {}
        for n, step in enumerate(steps):
            if step.id == CONTRARY:
                found[n] = contrary_of(step, shows, context)
            elif step.id != SHARE:
                found[n] = self.steps.premise(step, context, known, squares)
        positive = [one for one in found.values() if isinstance(one, SurePremise) and not one.equal]
        for n, step in enumerate(steps):
            if step.id == SHARE:
                found[n] = share_of(step, positive, context)
        self.steps.rules |= {step.id for step in steps if step.id in (CONTRARY, SHARE)}
        return [found[n] for n in range(len(steps))]

    def _against(self, target: Form, squares: set[str], context: Context) -> Form:
        """Return what is to be shown >= 0 for S = 0, S a sum of nonnegative terms: -S, as S >= 0 anyway."""
        for side in (Rational.of(1), Rational.of(-1)):
            try:
                for term, by in target.items():
                    if not nonnegative_term(term, squares):
                        raise Refused(f"{term.text()} may be negative")
                    context.require_nonnegative(side * by, "")
            except Refused:
                continue
            return scale(target, -side)
        raise Refused(f"no sum of squares: {form_text(target)}")

    def _require_zero(self, by: Rational, rest: Form, context: Context) -> None:
        """Refuse what is left over unless it is 0 by what is known: neither negative nor positive."""
        try:
            for side in (by, -by):
                context.require_nonnegative(side, "")
        except Refused:
            raise Refused(f"left over: {form_text(rest)}") from None

    def _passes(self, many: int) -> int:
        """Return how many times all equations are used, in their order: equal elements, however often."""
        passes = self.proof.part.get("passes", 1)
        if not isinstance(passes, int) or not 1 <= passes <= many + 1:
            raise Refused(f"{many} equations are used at most {many + 1} times")
        return passes

    def _owed(self, term: Term, by: Rational, squares: set[str], context: Context) -> bool:
        return isinstance(term, Entry) and term.name in squares and self.proof.owed(term, by, context)

    def _exchange_sums(self, rest: Form, squares: set[str], context: Context) -> dict[str, str]:
        """Return the entries at bound indices that sums are to pay for, each with the index over which it is summed."""
        found = {}
        for term, by in rest.items():
            if isinstance(term, Entry) and term.name in squares and any(map(is_bound, term.letters())):
                letter = self.proof.exchange_over(term, by, context)
                if letter:
                    found[term.text()] = letter
        return found

    def _without_squares(self, rest: Form, context: Context) -> Form:
        """Take off weight * |v|^2, weight >= 0 and v any vector: nothing about v is to be checked."""
        for weight, parts in self.proof.part.get("squares", []):
            w = number(expression(weight), context)
            context.require_nonnegative(w, "weight of a square")
            v: Vector = total(*(self._piece(by, atom, averaged, context) for by, atom, averaged in parts))
            rest = total(rest, scale(self.steps.lawful(product(v, v), context), -w))
        return rest

    def _piece(self, by: str, text: str, averaged: list[str], context: Context) -> Vector:
        """Return an atom of a square with its weight; sequences exist at every value of a bound index in range."""
        inside = context
        tree = expression(text, bound=True)
        for name in sorted(name for name in names_in(tree) if is_bound(name)):
            if free_name(name) not in self.file.indices:
                raise Refused(f"{name} is no bound index")
            if "'" in name and not name.endswith("'"):
                growth_letter(name.partition("'")[2], context)
            inside = inside.inside(name, self.file.indices[free_name(name)])
        return {
            (atom, frozenset(averaged) & atom.varies()): one * number(expression(by), context)
            for (atom, _), one in vector(tree, inside).items()
        }

    # --- nonnegative sequences ------------------------------------------------------------------------------------

    def _square_names(self) -> set[str]:
        """Return the sequences that are declared >= 0, or defined as sums of squares with plainly positive weights."""
        found = set(self.file.numbers)
        for one in self.file.equations.values():
            if one.left.name in self.file.scalars and self._plainly(one.right, found):
                found.add(one.left.name)
        return found

    def _plainly(self, tree: Tree, found: set[str]) -> bool:
        """Return whether an expression is >= 0 wherever it is defined, by its shape alone."""
        if tree.kind == "inner":
            return tree.parts[0] == tree.parts[1]
        if tree.kind == "name":
            return self.file.letters.get(tree.name) in ("> 0", ">= 0")
        if tree.kind == "entry":
            return tree.name in found or (
                tree.name in self.file.members and self.file.members[tree.name][0] in ("> 0", ">= 0")
            )
        if tree.kind == "power":
            return int(tree.name) % 2 == 0 or self._plainly(tree.parts[0], found)
        if tree.kind in ("mean", "sum", "discounted"):
            return self._plainly(tree.parts[0], found)
        plain = tree.kind in ("add", "mul", "div") and all(self._plainly(part, found) for part in tree.parts)
        return tree.kind == "number" or plain


def _is_square_zero(shows: Tree) -> bool:
    """Return whether ``|u|^2 = 0`` is to be shown: it follows from -|u|^2 >= 0, which is right minus left."""
    left, right = shows.parts
    return left.kind == "inner" and left.parts[0] == left.parts[1] and right == Tree("number", "0")
