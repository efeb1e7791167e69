"""Claims: the conclusion minus multiples of what is proved is a sum of nonnegative terms, exactly.

A proof object holds choices alone: multipliers, squares, certificates of signs, births.  A wrong choice leaves a claim
unproved; none can prove another statement than the one that the file makes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import product as choices
from typing import TYPE_CHECKING, Any

from . import rules
from .algebra import Rational, Refused, plus, whole
from .births import Births
from .context import Answers, Certificate, Context, Question, base_context
from .evaluate import (
    bound_form,
    bound_vector,
    difference,
    growth_letter,
    minimum,
    number,
    scalar,
    sides,
    value,
    vector,
    with_given,
)
from .file import Claim, Equation, File, Statement, Step, range_text
from .rules import Premise, nonnegative_term
from .space import (
    CLIENT,
    Atom,
    Entry,
    Form,
    Term,
    Vector,
    form_text,
    free_name,
    is_bound,
    product,
    rewritten,
    scaled,
    total,
)
from .text import Tree, commas, expression, index_of, index_tree, names_in, put

if TYPE_CHECKING:
    from collections.abc import Mapping

LAWS = ("self", "fresh", "orthogonal", "sample")
"""Steps that are no statements of the file."""
_ZERO = Tree("number", "0")


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

    def sign(self, question: Question, context: Context) -> Certificate | None:
        """Return why a polynomial has a sign."""
        del context
        found: Certificate | None = self.part.get("signs", {}).get(question.key)
        return found

    def owed(self, term: Term, by: Rational, context: Context) -> bool:
        """Return whether a sum is to pay for an entry."""
        del by, context
        return term.text() in self.part.get("owed", ())


@dataclass(frozen=True)
class Verdict:
    """What came out about one claim."""

    proved: bool
    why: str = ""
    """What is missing."""
    rules: frozenset[str] = frozenset()
    uses: frozenset[str] = frozenset()
    """Leaves, equations and laws of its own, and the claims that it stands on."""


@dataclass
class Kernel:
    """Checks the claims of a file in order; each may use what the file assumes and what was proved before."""

    file: File
    proof: Proof
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    _used: set[str] = field(default_factory=set)
    _rules: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        answers: Answers = self.proof
        self.base = base_context(self.file, answers)
        self.births = Births(self.base, self.proof.data.get("births", {}), self.proof.data.get("late", ()))
        self.squares = self._square_names()
        for (
            one
        ) in self.file.equations.values():  # a number that is divided by what may be 0 is refused where it is made
            if one.left.name in self.file.scalars:
                inside = self.base
                for letter, ends in one.over.items():
                    inside = inside.inside(letter, ends)
                scalar(one.right, inside)

    def check(self) -> dict[str, Verdict]:
        """Check all claims of the file."""
        for id_ in self.file.claims:
            self.check_claim(id_)
        return self.verdicts

    def check_claim(self, id_: str) -> Verdict:
        """Check one claim, from those that have been proved before."""
        self._used, self._rules = set(), set()
        try:
            self._claim(id_, self.file.claims[id_])
            found = Verdict(proved=True, rules=frozenset(self._rules), uses=frozenset(self._used))
        except Refused as why:
            found = Verdict(proved=False, why=str(why))
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            found = Verdict(proved=False, why=f"not understood: {type(error).__name__} {error}")
        self.verdicts[id_] = found
        return found

    def proved(self, id_: str) -> bool:
        """Return whether a claim is proved."""
        return id_ in self.verdicts and self.verdicts[id_].proved

    # --- claims and their parts -----------------------------------------------------------------------------------

    def _claim(self, id_: str, claim: Claim) -> None:
        """Check a claim: in one, by induction, or by cases of which one always holds."""
        statement = claim.statement
        context = self._context(claim, statement)
        if (claim.induction or claim.vanishing) and self.proof.split(id_):
            raise Refused("cases of a minimum inside of an induction or of a letter that vanishes")
        if claim.induction:
            self._induction(id_, claim, context)
        elif claim.vanishing:
            self._vanishing(id_, claim, context)
        elif claim.cases:
            # Whole: what is given besides is all of the first case or all of the second, so that both are to be shown.
            self._rules.add("whole")
            for n, (case, steps) in enumerate(zip(claim.cases, (claim.base, claim.steps), strict=True)):
                self._by_minima(id_, n, claim, with_given(context, case), statement.shows, steps)
        else:
            self._by_minima(id_, 0, claim, context, statement.shows, claim.steps)

    def _context(self, claim: Claim, statement: Statement) -> Context:
        """Return the context of a claim: letters at their values, indices in their ranges, hypotheses.

        Instance: all is read at the values that letters have, equations and leaves included; a value has the sign of
        its letter, so that what holds for all values of the letter holds for this one.
        """
        context = self.base
        if claim.at:
            self._rules.add("instance")
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
        self._rules.add("induction")
        letter, shows = claim.induction, claim.statement.shows
        if letter not in context.over or any(letter in names_in(one) for one in claim.statement.given):
            raise Refused(f"induction on {letter}: no range, or a hypothesis about it")
        low, high = context.over[letter]
        start, outside = put(shows, {letter: index_tree(low)}), context.without(letter)
        self._part(id_, 0, outside, start, claim.base, None, claim.steps)
        ahead = put(shows, {letter: Tree("add", "", (Tree("name", letter), Tree("number", "1")))})
        inside = outside.inside(letter, (low, plus(high, whole(-1))))
        self._part(id_, 1, inside, ahead, claim.steps, shows, claim.base)

    def _vanishing(self, id_: str, claim: Claim, context: Context) -> None:
        """Vanishing: a letter q >= 0 is 0, and all is read at 0; or it is positive, and may be divided by."""
        self._rules.add("vanishing")
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
            self._rules.add("minimum")
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
        alone, with nothing left.  Equations are used in premises and in the conclusion: equal elements.  Steps `beside`
        those of this part are used where they say the sign of a sequence, under the same hypotheses.
        """
        self.proof.at = id_, n
        equations = [step for step in steps if self._equation(step) is not None]
        about_signs = (*steps, *beside)
        signed = {step.id: name for step in about_signs if (name := self._signed(step, context))}
        squares = self.squares | set(signed.values())
        others = [step for step in steps if step not in equations and step.id not in signed]
        context, others = self._hypotheses(others, context)
        rewriting = [self._rewriting(step, context) for step in equations]
        premises = [self._premise(step, context, known, squares) for step in others]
        equal, target = difference(shows, context)
        rest = self._reduced(target, rewriting, context)
        written = self.proof.part.get("multipliers", [""] * len(premises))
        if len(written) != len(premises):
            raise Refused("a multiplier for each premise is missing")
        for step, premise, by in zip(others, premises, written, strict=True):
            m = number(expression(by or step.multiplier or "1"), context)
            if not premise.equal:
                if equal and not m.is_zero():
                    raise Refused(f"{step.text}: an equality does not follow from an inequality")
                context.require_nonnegative(m, f"multiplier of {step.text}")
            form = premise.form if step.id == "orthogonal" else self._reduced(premise.form, rewriting, context)
            rest = total(rest, scaled(form, -m))
        if not equal:
            rest = self._without_squares(rest, context)
            for term in list(rest):
                if isinstance(term, Entry) and term in rest and term.name in squares:
                    owed = {one.text() for one, by in rest.items() if self._owed(one, by, squares, context)}
                    rest = rules.paid_by_sum(term, rest, owed, context)
        for term, by in rest.items():
            if equal or not nonnegative_term(term, squares):
                raise Refused(f"left over: {form_text(rest)}")
            context.require_nonnegative(by, f"weight of {term.text()}")

    def _owed(self, term: Term, by: Rational, squares: set[str], context: Context) -> bool:
        return isinstance(term, Entry) and term.name in squares and self.proof.owed(term, by, context)

    def _without_squares(self, rest: Form, context: Context) -> Form:
        """Take off weight * |v|^2, weight >= 0 and v any vector: nothing about v is to be checked."""
        for weight, parts in self.proof.part.get("squares", []):
            w = number(expression(weight), context)
            context.require_nonnegative(w, "weight of a square")
            v: Vector = total(*(self._piece(by, atom, averaged, context) for by, atom, averaged in parts))
            rest = total(rest, scaled(self._lawful(product(v, v), context), -w))
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

    # --- equations ------------------------------------------------------------------------------------------------

    def _equation(self, step: Step) -> Equation | None:
        """Return the equation that a step is: one of the file, or a proved |u - v|^2 = 0 about an entry u.

        Zero: a vector of norm zero is zero, for all clients and outcomes, so that u = v as elements of the space.
        """
        if step.id in self.file.equations:
            return self.file.equations[step.id]
        if not self.proved(step.id) or step.rule not in ("", "mean") or step.multiplier:
            return None
        claim = self.file.claims[step.id]
        left, right = claim.statement.shows.parts
        same = left.kind == "inner" and left.parts[0] == left.parts[1] and left.parts[0].kind == "sub"
        if claim.at or claim.cases or claim.statement.given or claim.statement.shows.kind != "=" or right != _ZERO:
            return None
        if not same or left.parts[0].parts[0].kind != "entry" or left.parts[0].parts[0].name not in self.file.vectors:
            return None
        u, v = left.parts[0].parts
        return Equation(u, v, claim.statement.over, "zero")

    def _rewriting(self, step: Step, context: Context) -> tuple[Atom | Term, Vector | Form]:
        """Return what an equation puts for what: an instance, or at all values of the indices of a mean."""
        one = self._equation(step)
        if one is None or step.multiplier or step.rule not in ("", "mean", "discount"):
            raise Refused(f"{step.text}: an equation is used as it stands, or at every index: [mean k]")
        if one.kind == "zero":
            self._rules.add("zero")
        self._used.add(step.id)
        letters, weight = commas(step.of), ""
        if step.rule == "discount":
            letter, weight = step.of.split()
            letters = [letter]
        inside = context
        for letter in letters:
            inside = inside.inside(letter, self.file.indices[letter])
        values = self._renamed(step, one.over, {}, inside)
        is_vector, old = value(put(one.left, values), inside)
        right = put(one.right, values)
        if right.kind == "call" and right.name == "some":
            raise Refused(f"{step.text}: nobody says what it is")
        new: Any = vector(right, inside) if is_vector else scalar(right, inside)
        if weight:
            growth_letter(weight, context)
        for letter in letters:
            bind: Any = bound_vector if is_vector else bound_form
            old, new = bind(old, letter, weight), bind(new, letter, weight)
        (key,) = old
        return (key[0] if is_vector else key), new

    def _reduced(self, form: Form, rewriting: list[tuple[Any, Any]], context: Context) -> Form:
        """Use equations in their order, and the laws."""
        for old, new in rewriting:
            if isinstance(old, Atom):
                form = rewritten(form, old, new)
            elif old in form:
                form = total({term: by for term, by in form.items() if term != old}, scaled(new, form[old]))
            if self.file.sizes:
                form, laws = self.births.sampled(form, context)
                self._used |= laws
        return self._lawful(form, context)

    def _lawful(self, form: Form, context: Context) -> Form:
        form, laws = self.births.lawful(form, context)
        self._used |= laws
        return form

    # --- premises -------------------------------------------------------------------------------------------------

    def _source(self, step: Step) -> Statement:
        """Return the statement of a leaf, or of a claim that is proved and not about runs at special values."""
        if step.id in self.file.leaves:
            self._used.add(step.id)
            return self.file.leaves[step.id]
        if not self.proved(step.id):
            raise Refused(f"its step {step.id} is not proved")
        claim = self.file.claims[step.id]
        if claim.at or claim.cases:
            raise Refused(f"{step.id} is about the runs at special values, no step of others")
        self._used.add(step.id)
        return claim.statement

    def _renamed(
        self, step: Step, over: Mapping[str, Any], points: Mapping[str, str], inside: Context
    ) -> dict[str, Tree]:
        """Return what stands for the letters of a statement: indices in their ranges, points as vectors.

        Instance of a general statement.  A point that is one for all clients has no index of clients.
        """
        if set(step.renamed) - set(over) - set(points) or set(points) - set(step.renamed):
            raise Refused(f"{step.text}: renames what is not there, or leaves a point out")
        values = {**{letter: Tree("name", letter) for letter in over}, **step.renamed}
        places = {letter: index_of(values[letter]) for letter in over}
        for letter, ends in over.items():
            moved = tuple(_moved(end, places) for end in ends)
            inside.require_within(places[letter], (moved[0], moved[1]), step.text)
        for name, kind in points.items():
            point = vector(values[name], inside)
            if kind == "server" and any(CLIENT in atom.varies() - done for atom, done in point):
                raise Refused(f"{step.text}: {name} is one point for all clients")
        return values

    def _require_given(self, step: Step, given: tuple[Tree, ...], inside: Context) -> None:
        """Refuse a step unless each of its hypotheses follows here, for all values of the indices of its rule.

        A minimum follows from the same minimum, or from a positive multiple of it: c min(a, b) = min(c a, c b).
        """
        for one in given:
            least = minimum(one)
            if least is None:
                for by in sides(one, inside):
                    inside.require_nonnegative(by, f"hypothesis of {step.text}")
            elif not any(self._same_minimum(least, other, inside) for other in map(minimum, inside.given) if other):
                raise Refused(f"{step.text}: the minimum is not given")

    def _same_minimum(self, one: tuple[Tree, Any], other: tuple[Tree, Any], inside: Context) -> bool:
        (x, parts), (y, known) = ((number(a, inside), [number(b, inside) for b in c]) for a, c in (one, other))
        if x.is_zero() or y.is_zero() or len(parts) != len(known):
            return False
        ratio = x * y.inverse()
        left, right = [part.text() for part in parts], [(ratio * part) for part in known]
        if any(not any((a - b).is_zero() for b in right) for a in parts) or len(left) != len(right):
            return False
        if any(not any((a - b).is_zero() for a in parts) for b in right):
            return False
        try:
            inside.require_positive(ratio, "a multiple of a minimum")
        except Refused:
            return False
        return True

    def _hypotheses(self, steps: list[Step], context: Context) -> tuple[Context, list[Step]]:
        """Take what steps show of letters alone, as they stand, as facts from here on."""
        kept = []
        for step in steps:
            about = step.id not in LAWS and not step.rule and not step.multiplier and self._about_letters(step)
            if not about:
                kept.append(step)
                continue
            source = self._source(step)
            values = self._renamed(step, source.over, source.points, context)
            self._require_given(step, tuple(put(one, values) for one in source.given), context)
            for one in sides(put(source.shows, values), context):
                context = context.with_fact(one, divided=True)
        return context, kept

    def _about_letters(self, step: Step) -> bool:
        source = self._source(step)
        return not source.points and _of_letters(source.shows, self.file)

    def _signed(self, step: Step, context: Context) -> str:
        """Return the sequence that a step, as it stands, shows to be >= 0 at every index; empty if there is none.

        Its hypotheses hold here and are not about its indices.
        """
        known = step.id in self.file.leaves or self.proved(step.id)
        if not known or step.renamed or step.rule or step.multiplier:
            return ""
        source = self._source(step)
        left, right = source.shows.parts
        if source.shows.kind != "<=" or left != _ZERO or right.kind != "entry" or right.name not in self.file.scalars:
            return ""
        spans = self.file.scalars[right.name]
        plain = [part.name if part.kind == "name" else "" for part in right.parts]
        everywhere = all(source.over.get(x) == ends for x, (_, ends) in zip(plain, spans, strict=True))
        free = any(set(source.over) & names_in(one) for one in source.given)
        if source.points or len(set(plain)) < len(plain) or not everywhere or free:
            return ""
        self._require_given(step, source.given, context)
        self._used.add(step.id)
        return right.name

    def _premise(self, step: Step, here: Context, known: Tree | None, squares: set[str]) -> Premise:
        """Return what a step gives under its rule."""
        if step.id in LAWS or step.rule:
            self._rules.add(step.id if step.id in LAWS else step.rule)
        if step.id == "self":
            if known is None or step.rule or step.renamed:
                raise Refused("self is the hypothesis of an induction, as it stands")
            return Premise(*difference(known, here))
        if step.id == "fresh":
            self._used |= {"unbiased", "independent"}
            return rules.fresh(step, self.births, here)
        if step.id == "sample":
            self._used.add("sampled")
            return rules.sample(step, self.births, here)
        if step.id == "orthogonal":
            return rules.orthogonal(step, self.births, here)
        source = self._source(step)
        if step.rule in ("growth", "growth-sum", "series", "discount"):
            return self._recursive(step, source, here, squares)
        if step.rule not in ("", "sum", "mean"):
            raise Refused(f"{step.text}: unknown rule {step.rule}")
        ranges = self.file.ranges(step.of) if step.rule else {}
        inside = here
        for letter, ends in ranges.items():
            inside = inside.inside(letter, ends)
        premise = Premise(*difference(self._stated(step, source, inside), inside))
        for letter, ends in reversed(ranges.items()):
            if step.rule == "mean" and ends != self.file.indices[letter]:
                raise Refused(f"{step.text}: a mean is over the declared range")
            premise = (
                rules.mean_over(premise, letter, inside)
                if step.rule == "mean"
                else rules.sum_over(premise, letter, ends, inside)
            )
        return premise

    def _stated(self, step: Step, source: Statement, inside: Context) -> Tree:
        """Return what a statement shows here, its hypotheses being shown."""
        values = self._renamed(step, source.over, source.points, inside)
        self._require_given(step, tuple(put(one, values) for one in source.given), inside)
        return put(source.shows, values)

    def _recursive(self, step: Step, source: Statement, here: Context, squares: set[str]) -> Premise:
        """Return what a recursion gives, read for all values of its index: what is known of this index is dropped."""
        letter, *rest = step.of.split()
        ends = source.over.get(letter)
        if ends is None or any(name not in self.file.horizons for one in ends for name, _ in one if name):
            raise Refused(f"{step.text}: no recursion over {letter} between horizons")
        if len(rest) != (step.rule != "series"):
            raise Refused(f"{step.text}: a recursion has its index, and but for series what it grows by")
        outside = here.without(letter) if letter in here.over else here
        inside = outside.inside(letter, ends)
        shows = self._stated(step, source, inside)
        if step.rule == "growth":
            return Premise(equal=False, form=rules.growth(shows, letter, int(rest[0]), ends, inside, here, squares))
        if step.rule == "growth-sum":
            return Premise(equal=False, form=rules.growth_sum(shows, letter, int(rest[0]), ends, inside, squares))
        if step.rule == "series":
            return Premise(equal=False, form=rules.series(shows, letter, ends, inside, here, squares))
        return Premise(equal=False, form=rules.discount(shows, letter, rest[0], ends, inside, squares))

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


def _of_letters(tree: Tree, file: File) -> bool:
    if tree.kind in ("call", "inner", "mean", "sum", "discounted"):
        return False
    if tree.kind == "entry" and tree.name not in file.members:
        return False
    return all(_of_letters(part, file) for part in tree.parts)


def _moved(index: Any, places: Mapping[str, Any]) -> Any:
    """Return an index with all its letters replaced at once."""
    found: Any = ()
    for name, times in index:
        found = plus(found, places.get(name, ((name, 1),)) if name else whole(1), times)
    return found


def statement_text(claim: Claim) -> str:
    """Write what a claim says, as it was read."""
    one = claim.statement
    over = [f"{letter} = {range_text(ends)}" for letter, ends in one.over.items()]
    values = ", ".join(claim.at)
    return one.text + (f"   [{'; '.join(over)}]" if over else "") + (f"   [at {values}]" if values else "")
