"""Premises of a claim: what statements give under the rules that sum them, average them, or let them grow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from boundcheck.proofs.coq.spelling import CLOSE, REAL, identifier, rename
from boundcheck.proofs.coq.sums import sum_of_form
from boundcheck.proofs.kernel import rules
from boundcheck.proofs.kernel.algebra import Rational, Refused, plus, whole
from boundcheck.proofs.kernel.evaluate import difference
from boundcheck.proofs.kernel.rules import Premise, _growing, _place, _recursion
from boundcheck.proofs.kernel.space import NUMBER, Entry, Inner, free_name, is_bound, scale, total
from boundcheck.proofs.kernel.text import index_tree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.proofs.coq.instances import Statements
    from boundcheck.proofs.coq.laws import Laws
    from boundcheck.proofs.coq.recording import Part, Payment, Used
    from boundcheck.proofs.coq.signs import SignProofs
    from boundcheck.proofs.kernel.context import Context
    from boundcheck.proofs.kernel.file import Range, Step
    from boundcheck.proofs.kernel.space import Form, Term
    from boundcheck.proofs.kernel.text import Tree

SUM = "repeat (apply Rplus_le_le_0_compat; [nonneg|]). lra."
"""Shows a sum of nonnegative terms to be nonnegative."""


@dataclass
class Premises:
    """Writes the premises of one part of a claim."""

    statements: Statements
    laws: Laws
    part: Part
    signs: SignProofs
    minima: Mapping[Tree, str]
    """The given minima, each with its hypothesis."""

    def __post_init__(self) -> None:
        self.spelling, self.recorder = self.statements.spelling, self.statements.recorder

    def write(self, used: Used, name: str) -> list[str]:
        """Return tactics that state a premise."""
        step, premise = used.step, used.premise
        text = self.statements.conclusion(premise.form, equal=premise.equal)
        if step.id == "fresh":
            shown = [self.laws.fresh(premise)]
        elif step.id == "sample":
            shown = [self.laws.sample(premise)]
        elif step.id == "self":
            shown = ["exact p_self."]
        elif step.id == "telescope":
            shown = self._telescope(step)
        elif step.rule in ("growth", "growth-sum", "series"):
            shown = self._growth(step, premise.form)
        elif step.rule == "discount":
            shown = self._discount(step, premise.form)
        elif step.rule:
            shown = self._sum_up(step, name)
        else:
            shown = [self.statements.instance(step, self.part.context, self.signs, self.minima)]
        return [f"assert ({name} : {text}).", "{", *shown, "}"]

    # --- sums and means -------------------------------------------------------------------------------------------

    def _state(self, step: Step, context: Context) -> Premise:
        said = self.statements.source(step.id)
        return Premise(*difference(self.recorder.instance(step, said.statement, context).shows, context))

    def _sum_up(self, step: Step, name: str) -> list[str]:
        """Write sums and means of a statement, the innermost index first."""
        ranges = list(self.recorder.file.ranges(step.of).items())
        contexts = [self.part.context]
        for letter, ends in ranges:
            contexts.append(contexts[-1].inside(letter, ends))
        inside = self.signs.inside(contexts[-1], "p_f", ranges)
        premise = self._state(step, contexts[-1])
        shown = self.statements.instance(step, contexts[-1], inside, self.minima)
        names = [f"{name}_{k}" for k in range(len(ranges) + 1)]
        says = self.statements.conclusion(premise.form, equal=premise.equal)
        lines = [f"assert ({names[-1]} : {self.statements.over(ranges)}{says}).", "{"]
        lines += [f"intros {_introduce(ranges)}.", *inside.lines, shown, "}"]
        for k in reversed(range(len(ranges))):
            letter, ends = ranges[k]
            rule = rules.sum_over if step.rule == "sum" else None
            before = premise
            if rule:
                premise = rules.sum_over(before, letter, ends, contexts[k + 1], contexts[k])
            else:
                premise = rules.mean_over(before, letter, contexts[k + 1], contexts[k])
            lines += self._one_sum(ranges[: k + 1], before, premise, names[k : k + 2], mean=rule is None)
        return [*lines, f"exact {names[0]}."]

    def _one_sum(
        self, ranges: list[tuple[str, Range]], before: Premise, after: Premise, names: list[str], *, mean: bool
    ) -> list[str]:
        """Write the sum, or the mean, over the last of the indices that a statement is about."""
        *outer, (letter, ends) = ranges
        x, (low, high) = identifier(letter), map(self.spelling.index, ends)
        result, proof = sum_of_form(self.spelling, before.form, letter, ends)
        total = f"sum {low} {high} (fun {x} => {self.spelling.form(before.form)})"
        factor = "1"
        if mean:
            factor = self.spelling.number(Rational.index(self.recorder.file.length(letter)).inverse())
        others = [identifier(one) for one, _ in outer]
        used = " ".join([names[1], *others, x, *(f"R_{one}" for one in (*others, x))])
        says = self.statements.conclusion(after.form, equal=after.equal)
        self.signs.nonzero_factors(*after.form.values())
        lines = [f"assert ({names[0]} : {self.statements.over(outer)}{says}).", "{"]
        lines += [f"intros {_introduce(outer)}."] if outer else []
        lines.append(f"assert (p_E0 : {total} = {result}). {{ {proof} }}")
        lemma, shown = ("sum_zero", f"{total} = 0") if after.equal else ("sum_nonneg", f"0 <= {total}")
        lines.append(f"assert (p_E1 : {shown}). {{ apply {lemma}; [lia|]. intros {x} R_{x}. exact ({used}). }}")
        lines.append("rewrite p_E0 in p_E1.")
        if after.equal:
            lines.append(f"assert (p_E2 : {factor} * ({result}) = 0). {{ rewrite p_E1. ring. }}")
        else:
            lines.append(f"assert (p_E2 : 0 <= {factor} * ({result})). {{ apply Rmult_le_pos; [nonneg|exact p_E1]. }}")
        moved = "moved_zero" if after.equal else "moved"
        return [*lines, f"refine ({moved} _ _ p_E2 _). {REAL}. {CLOSE}", "}"]

    def _telescope(self, step: Step) -> list[str]:
        """Write that the sum of differences is the difference of the ends."""
        one = rules.telescoping(step, self.part.context)
        x, spelling = identifier(one.letter), self.spelling
        low, high = map(spelling.index, one.ends)
        change = total(one.ahead, scale(one.now, Rational.of(-1)))
        result, proof = sum_of_form(spelling, change, one.letter, one.ends)
        changes, products = (f"(fun {x} => {spelling.form(form)})" for form in (change, one.now))
        self.signs.nonzero_factors(*change.values())
        after = spelling.index(plus(one.ends[1], whole(1)))
        lemma = f"sum_of_difference {changes} {products} {low} {high} ltac:(intros; cbv beta; ring)"
        return [
            f"assert (p_E0 : sum {low} {high} {changes} = {result}). {{ {proof} }}",
            f"assert (p_E1 := {lemma}). cbv beta in p_E1. rewrite p_E0 in p_E1.",
            f"replace ({high} + 1)%Z with {after}%Z in p_E1 by lia.",
            f"assert (p_E2 : ({spelling.form(one.last)}) - ({spelling.form(one.first)}) - ({result}) = 0).",
            "{ rewrite p_E1. ring. }",
            f"refine (moved_zero _ _ p_E2 _). {REAL}. {CLOSE}",
        ]

    # --- growth ---------------------------------------------------------------------------------------------------

    def _growth(self, step: Step, result: Form) -> list[str]:
        """Write a recursion that grows by 1 + q/n in each step, unrolled or summed, or by n/(n - 1)."""
        here, file, series = self.part.context, self.recorder.file, step.rule == "series"
        letter, by = (*step.of.split(), "1")[:2]
        ends = self.statements.source(step.id).statement.over[letter]
        free = letter in here.over
        inside = (here.without(letter) if free else here).inside(letter, ends)
        stated = self._state(step, inside)
        shows = self.recorder.instance(step, self.statements.source(step.id).statement, inside).shows
        if series:
            n = Rational.index(file.length(letter))
            before, added = _recursion(shows, letter, inside, n - Rational.of(1), n)
        else:
            before, added = _growing(
                shows, letter, int(by), ends, inside, self.recorder.squares | set(self.part.signed)
            )
        z, x = self.spelling.index, identifier(letter)
        low, high, length = z(ends[0]), z(ends[1]), z(file.length(letter))
        hides = [f"clear dependent {x}."] if free else []
        known = {text: name for text, name in self.signs.names.items() if not (free and rename(text, {x: ""}) != text)}
        outer, self.signs.names = self.signs.names, known
        within, third = (self.signs.inside(inside, prefix, [(letter, ends)]) for prefix in ("p_f", "p_v"))
        self.signs.names = outer
        shown = self.statements.instance(step, inside, within, self.minima)
        summed = step.rule == "growth-sum"
        for term, value in added.items():
            (third if summed else self.signs).nonnegative(value)
            self.nonnegative_term(term, third if summed else self.signs)
        self.signs.nonzero_factors(*result.values())
        self.nonnegative_term(before.substitute(letter, ends[0]), self.signs)
        entry, extra = f"(fun {x} => {self.spelling.entry(before)})", self.spelling.form(added)
        over = f"forall {x}, ({low} <= {x} <= {high})%Z ->"
        ahead = self.statements.normalise({before: Rational.of(1)}, {letter: plus(((letter, 1),), whole(1))})
        recursion = f"0 <= (1 + INR {by} / IZR {length}) * {entry} {x} + ({extra}) - {entry} ({x} + 1)%Z"
        if series:
            less = f"(IZR {length} - 1)"
            recursion = f"0 <= IZR {length} * {entry} {x} + {less} * ({extra}) - {less} * {entry} ({x} + 1)%Z"
        lines = [f"assert (p_W : {over} {self.statements.conclusion(stated.form, equal=stated.equal)}).", "{", *hides]
        lines += [f"intros {x} R_{x}.", *within.lines, shown, "}", f"assert (p_W1 : {over} {recursion}).", "{", *hides]
        lines.append(f"intros {x} R_{x}. cbv beta. refine (moved _ _ (p_W {x} R_{x}) _). simpl INR. {ahead}")
        lines += ["}", f"assert (p_W2 : 0 <= {self.spelling.entry(before.substitute(letter, ends[0]))}). {{ nonneg. }}"]
        bounds = f"{by} {length} {low} {high} ltac:(lia) ltac:(lia)"
        if not summed:
            lines.append(f"assert (p_W3 : 0 <= {extra}). {{ {SUM} }}")
            call = f"growth {entry} ({extra}) {bounds} p_W2 p_W3 p_W1 {x} ltac:(lia)"
            if series:
                call = f"growth_series {length} ltac:(lia) {entry} ({extra}) {low} {high} ltac:(lia)"
                call += f" p_W2 p_W3 p_W1 {x} ltac:(lia)"
            lines.append(f"assert (p_W4 := {call}). cbv beta in p_W4.")
            lines += [f"rewrite <- {identifier(name)}_is in p_W4." for name in file.series if series]
        else:
            script = " ".join([*hides, f"intros {x} R_{x}.", *third.lines, "cbv beta.", SUM])
            lines.append(f"assert (p_W3 : {over} 0 <= (fun {x} => {extra}) {x}). {{ {script} }}")
            call = f"growth_sum {entry} (fun {x} => {extra}) {bounds} ltac:(lia) p_W2 p_W3 p_W1"
            lines += [f"assert (p_W4 := {call}).", *self._both_sums(before, added, letter, ends)]
        return [*lines, f"refine (moved _ _ p_W4 _). simpl INR. {REAL}. {CLOSE}"]

    def _discount(self, step: Step, result: Form) -> list[str]:
        """Write that a recursion that grows by 1 + g bounds a discounted mean of what it falls by."""
        here, (letter, growth) = self.part.context, step.of.split()
        statement = self.statements.source(step.id).statement
        ends = statement.over[letter]
        inside = here.inside(letter, ends)
        stated = self._state(step, inside)
        shows = self.recorder.instance(step, statement, inside).shows
        g = Rational.letter(growth)
        before, rest = _recursion(shows, letter, inside, Rational.of(1), Rational.of(1) + g)
        first, last = (before.substitute(letter, at) for at in (ends[0], plus(ends[1], whole(1))))
        z, x, sign = self.spelling.index, identifier(letter), f"sign_{identifier(growth)}"
        low, high, length = z(ends[0]), z(ends[1]), z(self.recorder.file.length(letter))
        within = self.signs.inside(inside, "p_f", [(letter, ends)])
        shown = self.statements.instance(step, inside, within, self.minima)
        for end in (first, last):
            self.nonnegative_term(end, self.signs)
        self.signs.nonzero_factors(*result.values())
        over = f"forall {x}, ({low} <= {x} <= {high})%Z ->"
        entry, body = f"(fun {x} => {self.spelling.entry(before)})", self.spelling.form(rest)
        recursion = f"0 <= (1 + {identifier(growth)}) * {entry} {x} + (fun {x} => {body}) {x} - {entry} ({x} + 1)%Z"
        ahead = self.statements.normalise({before: Rational.of(1)}, {letter: plus(((letter, 1),), whole(1))})
        made, why = self._discount_form(rest, letter, growth)
        mean = self.spelling.discount(letter, growth, body)
        literal = f"replace ({high} + 1)%Z with {z(plus(ends[1], whole(1)))}%Z by lia."
        call = f"discount {entry} (fun {x} => {body}) {identifier(growth)} {low} {high} ltac:(lia) {sign}"
        return [
            f"assert (p_W : {over} {self.statements.conclusion(stated.form, equal=stated.equal)}).",
            *("{", f"intros {x} R_{x}.", *within.lines, shown, "}"),
            f"assert (p_W1 : {over} {recursion}).",
            *("{", f"intros {x} R_{x}. cbv beta. refine (moved _ _ (p_W {x} R_{x}) _). {ahead}", "}"),
            f"assert (p_W2 : 0 <= {entry} {low}%Z). {{ cbv beta. nonneg. }}",
            f"assert (p_W3 : 0 <= {entry} ({high} + 1)%Z). {{ cbv beta. {literal} nonneg. }}",
            f"assert (p_W4 := {call} p_W2 p_W3 p_W1). cbv beta in p_W4.",
            f"assert (p_W5 : {mean} = {made}). {{ {why} }}",
            f"rewrite p_W5 in p_W4. replace ({high} - {low} + 1)%Z with {length}%Z in p_W4 by lia.",
            f"refine (moved _ _ p_W4 _). {REAL}. {CLOSE}",
        ]

    def _discount_form(self, rest: Form, letter: str, growth: str) -> tuple[str, str]:
        """Return what the discounted mean of a form comes to, and why."""
        x, g = identifier(letter), identifier(growth)
        low, high = (f"{self.spelling.index(end)}%Z" for end in self.recorder.file.indices[letter])
        results, proof, items = [], [], list(rest.items())
        for n, (term, by) in enumerate(items):
            if by.depends(letter):
                raise Refused(f"a weight that depends on {letter} under a discounted mean has no text in Coq")
            tail = f"(fun {x} => {self.spelling.form(dict(items[n + 1 :]))})"
            varies = letter in term.letters()
            bounded = term.substitute(letter, ((f"{letter}'{growth}", 1),)) if varies else term
            weight, text = self.spelling.number(by), self.spelling.scalar(term)
            results.append((by, self.spelling.scalar(bounded)))
            script = "reflexivity" if varies else f"apply discounted_const; [lia|exact sign_{g}]"
            rule = f"discounted_cons {g} {low} {high} {weight} (fun {x} => {text}) {tail}"
            proof.append(f"refine ({rule} _ _ _ _); [{script}|].")
        return self.spelling.combination(results), " ".join([*proof, "apply discounted_nil."])

    def _both_sums(self, before: Entry, added: Form, letter: str, ends: Range) -> list[str]:
        """Write what the two sums of a summed growth come to."""
        z, x = self.spelling.index, identifier(letter)
        low, high, after = z(ends[0]), z(ends[1]), plus(ends[1], whole(1))
        alone: Form = {before: Rational.of(1)}
        one, first = sum_of_form(self.spelling, added, letter, ends)
        two, second = sum_of_form(self.spelling, alone, letter, (ends[0], after))
        whole_sum = f"sum {low} {z(after)} (fun {x} => {self.spelling.form(alone)})"
        entry = f"(fun {x} => {self.spelling.entry(before)})"
        same = (
            f"replace ({high} + 1)%Z with {z(after)}%Z by lia. f_equal. apply functional_extensionality. intros. ring."
        )
        return [
            f"assert (p_W5 : sum {low} {high} (fun {x} => {self.spelling.form(added)}) = {one}). {{ {first} }}",
            f"assert (p_W6 : {whole_sum} = {two}). {{ {second} }}",
            f"assert (p_W7 : sum {low} ({high} + 1) {entry} = {whole_sum}). {{ {same} }}",
            "rewrite p_W5, p_W7, p_W6 in p_W4.",
        ]

    # --- nonnegative terms ----------------------------------------------------------------------------------------

    def nonnegative_term(self, term: Term, signs: SignProofs) -> None:
        """State that a square, or an entry of a nonnegative sequence, is not negative."""
        if isinstance(term, Inner):
            if term.left == term.right:
                signs.add(f"0 <= {self.spelling.term(term)}", "apply prod_nonneg.")
        elif term.name in self.part.signed:
            signs.add(f"0 <= {self.spelling.entry(term)}", self._show_sign(term, signs))
        elif term != NUMBER:
            signs.add(f"0 <= {self.spelling.entry(term)}", nonnegative_entry(self.statements, term))

    def _show_sign(self, term: Entry, signs: SignProofs) -> str:
        """Show an entry to be nonnegative by the step that says so, at each value of the bound indices in it."""
        step, context, steps, values = self.part.signed[term.name], self.part.context, [], {}
        bound = self.spelling.bound_names(term.letters())
        for name, x in reversed(bound.items()):
            context = context.inside(name, self.recorder.file.indices[free_name(name)])
            steps.append(f"apply mean_nonneg; [lia|]; intros {x} p_R{x}.")
            values[f"(e {self.spelling.place(name)}%nat)"] = x
        (entry,) = (part for part in self.statements.source(step.id).statement.shows.parts if part.kind == "entry")
        letters = (part.name for part in entry.parts)
        moved = {x: index_tree(at) for x, at in zip(letters, term.indices, strict=True)}
        text = self.statements.instance(replace(step, renamed=moved), context, signs, self.minima)
        for old, new in values.items():
            text = text.replace(old, new)
        return " ".join([*steps, text])

    def _positive(self, entry: Entry) -> str:
        """Show that all entries of a sum that pays are nonnegative."""
        if entry.name in self.part.signed:
            raise Refused(f"{entry.text()}: a sum that pays, whose sign a step shows")
        if entry.name in self.statements.unsigned:
            raise Refused(self.statements.unsigned[entry.name])
        return f"intros. apply nonneg_{identifier(entry.name)}."

    def payment(self, one: Payment, name: str) -> list[str]:
        """Write that what is left of a sum that has paid is not negative."""
        bounds = [x for x in one.entry.letters() if is_bound(x)]
        if len(bounds) > 1:
            raise Refused(f"{one.entry.text()}: a sum over several indices that pays")
        letter = free_name(bounds[0])
        z, x = self.spelling.index, identifier(letter)
        low, high = map(z, self.recorder.file.indices[letter])
        sequence = f"(fun {x} => {self.spelling.entry(one.entry.substitute(bounds[0], ((letter, 1),)))})"
        total = f"sum {low} {high} {sequence}"
        left, made, entries = one.weight * Rational.index(self.recorder.file.length(letter)).inverse(), [], []
        for k, (term, by) in enumerate(one.paid.items()):
            place = _place(one.entry, term, bounds[0])
            if place is None:
                raise Refused(f"{term.text()} is no entry of a sum")
            self.signs.nonnegative(by)
            call = f"entry_below_sum {low} {high} {sequence} {z(place)} ltac:(lia) p_Y"
            entries.append(f"assert (p_y{k} := {call}). cbv beta in p_y{k}.")
            made.append(f"{self.spelling.number(by)} * ({total} - {self.spelling.term(term)})")
            left = left - by
        self.signs.nonnegative(left)
        made.append(f"{self.spelling.number(left)} * {total}")
        positive = f"forall {x}, ({low} <= {x} <= {high})%Z -> 0 <= {sequence} {x}"
        return [
            f"assert ({name} : 0 <= {self.spelling.form(one.form)}).",
            "{",
            f"assert (p_Y : {positive}). {{ {self._positive(one.entry)} }}",
            *entries,
            f"assert (p_YS : 0 <= {total}) by (apply sum_nonneg; [lia|exact p_Y]).",
            f"apply (moved ({' + '.join(made)})); [nonneg|].",
            f"rewrite (sum_mean {low} {high} {sequence}) by lia. {REAL}. {CLOSE}",
            "}",
        ]


def _introduce(ranges: list[tuple[str, Range]]) -> str:
    names = [identifier(letter) for letter, _ in ranges]
    return " ".join([*names, *(f"R_{name}" for name in names)])


def nonnegative_entry(statements: Statements, term: Entry) -> str:
    """Return tactics that show an entry to be nonnegative, averaged over the bound indices in it."""
    if term.name in statements.unsigned:
        raise Refused(statements.unsigned[term.name])
    bound = statements.spelling.bound_names(term.letters())
    places = " ".join(f"{statements.spelling.index(one, bound)}%Z" for one in term.indices)
    # The outermost mean is that of the last bound index.
    steps = [f"apply mean_nonneg; [lia|]; intros {name} _." for name in reversed(bound.values())]
    return " ".join([*steps, f"exact (nonneg_{identifier(term.name)} {places})."])
