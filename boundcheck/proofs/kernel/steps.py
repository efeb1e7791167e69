"""From a step to what it says where it is used: equations, instances of statements, their hypotheses and rules."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from . import rules
from .algebra import Rational, Refused, plus, whole
from .coordinates import SQUARE, SurePremise, square_of, sure_premise
from .delays import moved_window
from .evaluate import (
    bound_form,
    bound_vector,
    difference,
    growth_letter,
    minimum,
    number,
    require_defined,
    scalar,
    sides,
    value,
    vector,
)
from .file import LAWS, Equation, File, Statement, Step
from .rules import Premise
from .space import CLIENT, Atom, Form, Vector, mean_rewritten, rewritten, scale, total
from .text import BINDERS, Tree, commas, index_of, index_tree, names_in, substitute

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .births import Births
    from .context import Context

_ZERO = Tree("number", "0")


@dataclass(frozen=True)
class ClaimVerdict:
    """What came out about one claim."""

    proved: bool
    why: str = ""
    """What is missing."""
    rules: frozenset[str] = frozenset()
    uses: frozenset[str] = frozenset()
    """Leaves, equations and laws of its own, and the claims that it stands on."""


@dataclass
class Steps:
    """What the steps of a file's claims say; records which statements, equations, laws and rules are used."""

    file: File
    births: Births
    verdicts: dict[str, ClaimVerdict]
    used: set[str] = field(default_factory=set)
    rules: set[str] = field(default_factory=set)
    zero: frozenset[str] = frozenset()
    """Leaves and claims |w|^2 = 0 that are used as equations here."""

    def proved(self, id_: str) -> bool:
        """Return whether a claim is proved."""
        return id_ in self.verdicts and self.verdicts[id_].proved

    # --- equations ------------------------------------------------------------------------------------------------

    def equation(self, step: Step) -> Equation | None:
        """Return the equation that a step is: one of the file, or |w|^2 = 0, assumed or proved.

        Zero: a vector of norm zero is zero, for all clients and outcomes, so that |u - v|^2 = 0 says u = v.  Such a
        claim about an entry u is always used as an equation, others where the proof object says so.
        """
        if step.id in self.file.equations:
            return self.file.equations[step.id]
        if step.id == "window":
            return Equation(_ZERO, _ZERO, {}, "window")
        known = step.id in self.file.leaves or self.proved(step.id)
        if not known or step.rule not in ("", "mean") or step.multiplier:
            return None
        claim = self.file.claims.get(step.id)
        source = claim.statement if claim else self.file.leaves[step.id]
        left, right = source.shows.parts
        same = source.shows.kind == "=" and left.kind == "inner" and left.parts[0] == left.parts[1] and right == _ZERO
        if not same or source.given or source.points or (claim and (claim.at or claim.cases)):
            return None
        first = left.parts[0].parts[0] if left.parts[0].kind == "sub" else _ZERO
        if step.id not in self.zero and (claim is None or first.kind != "entry" or first.name not in self.file.vectors):
            return None
        return Equation(left.parts[0], _ZERO, source.over, "zero")

    def _zero(self, step: Step, one: Equation, inside: Context) -> tuple[tuple[Atom, frozenset[str]], Vector]:
        """Return what a vector w = c P a + rest of norm zero puts for P a, its first part: -rest/c, c not being 0."""
        found = vector(substitute(one.left, self._match_letters(step, one.over, {}, inside)), inside)
        if not found:
            raise Refused(f"{step.text}: 0 = 0")
        (atom, done), c = next(iter(found.items()))
        rest = {key: by for key, by in found.items() if key != (atom, done)}
        inside.require_nonzero(c, step.text)
        return (atom, done), scale(rest, -c.inverse())

    def rewriting(self, step: Step, context: Context) -> tuple[Any, Vector | Form]:
        """Return what an equation puts for what: an instance, or at all values of the indices of a mean."""
        one = self.equation(step)
        if one is None or step.multiplier or step.rule not in ("", "mean", "discount"):
            raise Refused(f"{step.text}: an equation is used as it stands, or at every index: [mean k]")
        if one.kind in ("zero", "window"):
            self.rules.add(one.kind)
        if one.kind == "window":
            return moved_window(step, context)
        self.used.add(step.id)
        letters, weight = commas(step.of), ""
        if step.rule == "discount":
            letter, weight = step.of.split()
            letters = [letter]
        else:
            step = _at_one_value(step, one.over, rules.one_valued(letters, self.file))
            letters = commas(step.of)
        inside = context
        for letter in letters:
            inside = inside.inside(letter, self.file.indices[letter])
        if one.kind == "zero":
            (atom, done), rest = self._zero(step, one, inside)
            for letter in letters:
                require_defined(rest, self.file.indices[letter], context, step.text)
                (((atom, done), _),) = bound_vector({(atom, done): Rational.of(1)}, letter).items()
                rest = bound_vector(rest, letter)
            return ((atom, done), rest) if done else (atom, rest)
        values = self._match_letters(step, one.over, {}, inside)
        is_vector, old = value(substitute(one.left, values), inside)
        right = substitute(one.right, values)
        if right.kind == "call" and right.name == "some":
            raise Refused(f"{step.text}: nobody says what it is")
        new: Any = vector(right, inside) if is_vector else scalar(right, inside)
        if weight:
            growth_letter(weight, context)
        for letter in letters:
            require_defined(new, self.file.indices[letter], context, step.text)
            bind: Any = bound_vector if is_vector else bound_form
            old, new = bind(old, letter, weight), bind(new, letter, weight)
        (key,) = old
        return (key[0] if is_vector else key), new

    def reduce(self, form: Form, rewriting: list[tuple[Any, Any]], context: Context) -> Form:
        """Use equations in their order, and the laws."""
        for old, new in rewriting:
            if isinstance(old, Atom):
                form = rewritten(form, old, new)
            elif isinstance(old[0], Atom):
                form = mean_rewritten(form, (old[0], old[1]), new)
            elif old in form:
                form = total({term: by for term, by in form.items() if term != old}, scale(new, form[old]))
            if self.file.sizes:
                form, laws = self.births.apply_sampling(form, context)
                self.used |= laws
        return self.lawful(form, context)

    def lawful(self, form: Form, context: Context) -> Form:
        """Return a number after the laws of noise and samples."""
        form, laws = self.births.lawful(form, context)
        self.used |= laws
        return form

    # --- premises -------------------------------------------------------------------------------------------------

    def _source(self, step: Step) -> Statement:
        """Return the statement of a leaf, or of a claim that is proved and not about runs at special values."""
        if step.id in self.file.leaves:
            self.used.add(step.id)
            return self.file.leaves[step.id]
        if not self.proved(step.id):
            raise Refused(f"its step {step.id} is not proved")
        claim = self.file.claims[step.id]
        if claim.at or claim.cases:
            raise Refused(f"{step.id} is about the runs at special values, no step of others")
        self.used.add(step.id)
        return claim.statement

    def _match_letters(
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
            moved = tuple(_shift(end, places) for end in ends)
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
        inside.require_nonzero(y, "a multiple of a minimum")
        ratio = x * y.inverse()
        moved = [ratio * part for part in known]
        one_way, back = (all(any((a - b).is_zero() for b in q) for a in p) for p, q in ((parts, moved), (moved, parts)))
        if not (one_way and back):
            return False
        try:
            inside.require_positive(ratio, "a multiple of a minimum")
        except Refused:
            return False
        return True

    def hypotheses(self, steps: list[Step], context: Context) -> tuple[Context, list[Step]]:
        """Take what steps show of letters alone, as they stand, as facts from here on."""
        kept = []
        for step in steps:
            about = step.id not in LAWS and not step.rule and not step.multiplier and self._about_letters(step)
            if not about:
                kept.append(step)
                continue
            source = self._source(step)
            values = self._match_letters(step, source.over, source.points, context)
            self._require_given(step, tuple(substitute(one, values) for one in source.given), context)
            for one in sides(substitute(source.shows, values), context):
                context = context.with_fact(one, divided=True)
        return context, kept

    def _about_letters(self, step: Step) -> bool:
        source = self._source(step)
        return not source.points and _of_letters(source.shows, self.file)

    def find_nonnegative(self, step: Step, context: Context) -> str:
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
        self.used.add(step.id)
        return right.name

    def premise(self, step: Step, here: Context, known: Tree | None, squares: set[str]) -> Premise | SurePremise:
        """Return what a step gives under its rule."""
        if step.id in LAWS or step.rule:
            self.rules.add(step.id if step.id in LAWS else step.rule)
        if step.id == "self":
            if known is None or (step.rule and step.of != CLIENT) or step.renamed:
                raise Refused("self is the hypothesis of an induction, as it stands")
            return sure_premise(step, known, here) or Premise(*difference(known, here))
        if step.id == SQUARE:
            return square_of(step, here)
        if step.id == "fresh":
            self.used |= {"unbiased", "independent"}
            return rules.fresh(step, self.births, here)
        if step.id == "sample":
            self.used.add("sampled")
            return rules.sample(step, self.births, here)
        if step.id == "orthogonal":
            return rules.orthogonal(step, self.births, here)
        if step.id == "telescope":
            return rules.telescope(step, here)
        source = self._source(step)
        if step.rule in ("growth", "growth-sum", "series", "discount"):
            return self._recursive(step, source, here, squares)
        if step.rule not in ("", "sum", "mean"):
            raise Refused(f"{step.text}: unknown rule {step.rule}")
        if step.of == CLIENT:
            sure = sure_premise(step, self._statement(step, source, here), here)
            if sure is None:
                raise Refused(f"{step.text}: numbers do not depend on the client")
            self.rules.add("coordinates")
            return sure
        ranges = self.file.ranges(step.of) if step.rule else {}
        single = {letter: index_tree(low) for letter, (low, high) in ranges.items() if low == high}
        step = _at_one_value(step, source.over, single)
        ranges = {letter: ends for letter, ends in ranges.items() if letter not in single}
        contexts = [here]
        for letter, ends in ranges.items():
            contexts.append(contexts[-1].inside(letter, ends))
        shows = self._statement(step, source, contexts[-1])
        sure = sure_premise(step, shows, contexts[-1])
        if sure is not None:
            self.rules.add("coordinates")
            return sure
        premise = Premise(*difference(shows, contexts[-1]))
        for n, (letter, ends) in reversed(list(enumerate(ranges.items()))):
            outside, inside = contexts[n : n + 2]
            if step.rule == "sum":
                premise = rules.sum_over(premise, letter, ends, inside, outside)
            elif ends == self.file.indices[letter]:
                premise = rules.mean_over(premise, letter, inside, outside)
            else:
                raise Refused(f"{step.text}: a mean is over the declared range")
        return premise

    def _statement(self, step: Step, source: Statement, inside: Context) -> Tree:
        """Return what a statement shows here, its hypotheses being shown."""
        values = self._match_letters(step, source.over, source.points, inside)
        self._require_given(step, tuple(substitute(one, values) for one in source.given), inside)
        return substitute(source.shows, values)

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
        shows = self._statement(step, source, inside)
        require_defined(difference(shows, inside)[1], ends, outside, step.text)
        if step.rule == "growth":
            return Premise(equal=False, form=rules.growth(shows, letter, int(rest[0]), ends, inside, here, squares))
        if step.rule == "growth-sum":
            return Premise(equal=False, form=rules.growth_sum(shows, letter, int(rest[0]), ends, inside, squares))
        if step.rule == "series":
            return Premise(equal=False, form=rules.series(shows, letter, ends, inside, here, squares))
        return Premise(equal=False, form=rules.discount(shows, letter, rest[0], ends, inside, squares))


def _at_one_value(step: Step, over: Mapping[str, Any], single: Mapping[str, Tree]) -> Step:
    """Return a step whose rule binds fewer letters: over one value, a sum or a mean is what stands there."""
    if not single:
        return step
    renamed = {name: substitute(tree, single) for name, tree in step.renamed.items()}
    renamed |= {letter: tree for letter, tree in single.items() if letter in over and letter not in renamed}
    of = ", ".join(part for part in commas(step.of) if part.partition("=")[0].strip() not in single)
    return replace(step, renamed=renamed, of=of, rule=step.rule if of else "")


def _of_letters(tree: Tree, file: File) -> bool:
    if tree.kind in ("call", "inner", *BINDERS) or (tree.kind == "name" and tree.name in file.vectors):
        return False
    if tree.kind == "entry" and tree.name not in file.members:
        return False
    return all(_of_letters(part, file) for part in tree.parts)


def _shift(index: Any, places: Mapping[str, Any]) -> Any:
    """Return an index with all its letters replaced at once."""
    found: Any = ()
    for name, times in index:
        found = plus(found, places.get(name, ((name, 1),)) if name else whole(1), times)
    return found
