"""Statements, and how an instance of one is brought to the form that the kernel gives it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from boundcheck.proofs.coq.spelling import CLOSE, REAL, Spelling, bracket, identifier, rename
from boundcheck.proofs.kernel.algebra import Rational, Refused, index_letters, letters_of, substitute_index
from boundcheck.proofs.kernel.evaluate import difference, minimum, number, sides
from boundcheck.proofs.kernel.space import Atom, Inner, inner, product, project, single

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from boundcheck.proofs.coq.recording import Recorder, StatementInstance
    from boundcheck.proofs.coq.signs import SignProofs
    from boundcheck.proofs.kernel.algebra import Index, Letter
    from boundcheck.proofs.kernel.context import Context
    from boundcheck.proofs.kernel.file import Claim, Range, Statement, Step
    from boundcheck.proofs.kernel.space import Form, Term, Vector
    from boundcheck.proofs.kernel.text import Tree

_COUNTS = {2: "two", 3: "three"}


@dataclass(frozen=True)
class Said:
    """A statement as it stands in Coq: that a number is zero, or not negative."""

    name: str
    statement: Statement
    equal: bool
    form: Form


@dataclass
class Statements:
    """Writes statements and their instances; keeps what leaves and claims say."""

    recorder: Recorder
    spelling: Spelling
    said: dict[str, Said] = field(default_factory=dict)
    values: list[str] = field(default_factory=list)
    """Hypotheses that letters have their values, where a claim is read at values."""
    unsigned: dict[str, str] = field(default_factory=dict)
    """Sequences of numbers that are nonnegative by their definitions but have no lemma that says so, with why."""

    # --- statements -----------------------------------------------------------------------------------------------

    def relation(self, relation: Tree, context: Context) -> str:
        """Write a relation between letters."""
        least = minimum(relation)
        if least is not None:
            parts = [self.spelling.number(number(one, context)) for one in least[1]]
            text = parts[-1]
            for one in reversed(parts[:-1]):
                text = f"Rmin {one} {bracket(text)}"
            return f"{self.spelling.number(number(least[0], context))} = {text}"
        left, right = (self.spelling.number(number(part, context)) for part in relation.parts)
        return f"{left} {relation.kind} {right}"

    def write_quantifiers(self, one: Statement, context: Context) -> list[str]:
        """Return what stands before the conclusion of a statement: letters, points, ranges, hypotheses."""
        kinds = {"server": "V", "client": "Z -> V"}
        found = [f"forall ({' '.join(map(identifier, one.over))} : Z),"] if one.over else []
        found += [f"forall {identifier(name)} : {kinds[kind]}," for name, kind in one.points.items()]
        found += [f"{self.spelling.range(letter, ends)} ->" for letter, ends in one.over.items()]
        found += [f"{identifier(name)} = {self.spelling.number(by)} ->" for name, by in context.values.items()]
        return found + [f"{self.relation(given, context)} ->" for given in one.given]

    def cases(self, claim: Claim, context: Context) -> list[str]:
        """Return what is given besides: all of the first case, or all of the second."""
        several = (" /\\ ".join(self.relation(one, context) for one in case) for case in claim.cases)
        return [f"({either}) ->"] if (either := " \\/ ".join(several)) else []

    @property
    def close(self) -> str:
        """The tactics that compare two numbers: letters at their values, whole numbers as real ones, polynomials."""
        values = "".join(f"rewrite ?{name}. " for name in self.values)
        return f"{values}{REAL}. {CLOSE}"

    def over(self, ranges: Iterable[tuple[str, Range]]) -> str:
        """Write the quantifiers of indices in their ranges."""
        ranges = list(ranges)
        names = " ".join(identifier(letter) for letter, _ in ranges)
        return f"forall {names}, {' '.join(f'{self.spelling.range(*one)} ->' for one in ranges)} " if ranges else ""

    def conclusion(self, form: Form, *, equal: bool) -> str:
        """Write that a number is zero, or not negative."""
        text = self.spelling.form(form)
        return f"{text} = 0" if equal else f"0 <= {text}"

    # --- instances ------------------------------------------------------------------------------------------------

    def instance(self, step: Step, context: Context, signs: SignProofs, minima: Mapping[Tree, str]) -> str:
        """Return tactics that show what a statement says at the values that a step gives its letters."""
        said = self.source(step.id)
        found = self.recorder.instance(step, said.statement, context)
        arguments = [f"{self.spelling.index(found.places[letter])}%Z" for letter in said.statement.over]
        for name, kind in said.statement.points.items():
            text = self.point(found.points[name], "i'")
            arguments.append(f"({text})" if kind == "server" else f"(fun i' => {text})")
            signs.nonzero_factors(*found.points[name].values())
        goals = ["lia."] * len(said.statement.over)
        goals += [self._show_given(step, given, context, signs, minima) for given in found.given]
        signs.nonzero_factors(*difference(found.shows, context)[1].values())
        own = (by for by in said.form.values() if not any(map(by.depends, said.statement.over)))
        signs.nonzero_factors(*own)
        call = f"({' '.join([said.name, *arguments, *('_' for _ in goals)])})"
        shown = " ".join(f"{{ {goal} }}" for goal in goals)
        moved = "moved_zero" if said.equal else "moved"
        return f"refine ({moved} _ _ {call} _). {shown} {self.normalise(said.form, found.places, found)}"

    def point(self, point: Vector, client: str) -> str:
        """Write a point of a statement at one client: a vector, or a combination of vectors."""
        alone = single(point)
        return self.spelling.atom(alone, client=client) if alone else self.spelling.at_client(point, client)

    def source(self, id_: str) -> Said:
        """Return what a leaf or an earlier claim says."""
        if id_ not in self.said:
            raise Refused(f"{id_} has no text in Coq")
        return self.said[id_]

    def _show_given(
        self, step: Step, relation: Tree, context: Context, signs: SignProofs, minima: Mapping[Tree, str]
    ) -> str:
        """Return the tactics that show a hypothesis of a step."""
        least = minimum(relation)
        if least is not None:
            return self._minimum(step, least, context, signs, minima)
        parts = []
        for value in sides(relation, context):
            known = signs.nonnegative(value)
            parts.append(f"apply ungap. refine (moved _ _ {known} _). {self.close}")
        return parts[0] if len(parts) == 1 else f"apply Rle_antisym. {{ {parts[0]} }} {{ {parts[1]} }}"

    def _minimum(
        self,
        step: Step,
        least: tuple[Tree, tuple[Tree, ...]],
        context: Context,
        signs: SignProofs,
        minima: Mapping[Tree, str],
    ) -> str:
        """Show a minimum from a positive multiple of one that is given."""
        x, parts = number(least[0], context), [number(one, context) for one in least[1]]
        for other, name in minima.items():
            known = minimum(other)
            if known is None or len(parts) != len(known[1]) or len(parts) not in _COUNTS:
                continue
            old, ratio = number(known[0], context), x * number(known[0], context).inverse()
            arguments = [number(one, context) for one in known[1]]
            places = [[n for n, a in enumerate(arguments) if (part - ratio * a).is_zero()] for part in parts]
            if all(places) and len({found[0] for found in places}) == len(parts):
                order = [found[0] for found in places]
                return self._scaled_minimum(ratio, old, [arguments[n] for n in order], order, name, signs)
        raise Refused(f"{step.text}: the minimum is not given")

    def _scaled_minimum(
        self, ratio: Rational, old: Rational, arguments: list[Rational], order: list[int], name: str, signs: SignProofs
    ) -> str:
        """Show a minimum to be at most each of its arguments, and one of them; `order` is that of the given one."""
        by, count = signs.positive(ratio), _COUNTS[len(order)]
        r, x = self.spelling.number(ratio), self.spelling.number(old)
        goals = []
        for argument in arguments:
            signs.nonzero_factors(argument, ratio)
            gap = f"apply ungap. apply (moved ({r} * ({self.spelling.number(argument)} - {x})))"
            goals.append(f"{{ {gap}; [apply Rmult_le_pos; [left; exact {by}|below_minimum {name}]|{CLOSE[:-1]}]. }}")
        cases = []
        for n in range(len(order)):
            place = order.index(n)
            choose = "right; " * place + ("left; " if place < len(order) - 1 else "")
            cases.append(f"{choose}transitivity ({r} * {x}); [|rewrite p_E]; {CLOSE[:-1]}")
        pattern = "[p_E|p_E]" if len(order) == 2 else "[p_E|[p_E|p_E]]"
        which = f"is_minimum{'' if len(order) == 2 else '_of_three'}"
        split = f"{{ destruct ({which} {'_ ' * (len(order) + 1)}{name}) as {pattern}; [{' | '.join(cases)}]. }}"
        return f"apply minimum_of_{count}. {' '.join(goals)} {split}"

    # --- normal forms ---------------------------------------------------------------------------------------------

    def normalise(self, form: Form, places: Mapping[str, Index], at: StatementInstance | None = None) -> str:
        """Return tactics that compare the kernel's form with a statement at values of its letters.

        Indices are computed, inner products whose sides change places are turned, and those with a point that is a
        combination are multiplied out.
        """
        inside = [index for term in form for index in indices_of(term)]
        inside += [index for by in form.values() for letter in letters_in(by) for index in letter.indices]
        found = self.compute_indices(inside, places)
        points, combinations = (at.atoms, at.combinations) if at else ({}, {})
        lines = [f"replace {literal}%Z with {wanted}%Z by lia." for literal, wanted in found]
        for term in form:
            if any(name in combinations for name in names_of(term)):
                lines.append(self._multiplied_out(term, places, points, combinations))
            else:
                lines.append(self._turn(term, places, points))
        return " ".join([*filter(None, lines), self.close])

    def _multiplied_out(
        self,
        term: Term,
        places: Mapping[str, Index],
        points: Mapping[str, Atom],
        combinations: Mapping[str, Vector],
    ) -> str:
        """Write an inner product with a combination over those of the atoms in it."""
        if not isinstance(term, Inner) or any(atom.argument for atom in (term.left, term.right)):
            raise Refused(f"{term.text()}: a function at a combination has no text in Coq")
        sides: list[Vector] = []
        families = []
        for atom in (term.left, term.right):
            alone: Vector = {(_atom_at(atom, places, points), frozenset()): Rational.of(1)}
            sides.append(combinations.get(atom.name, alone))
            families.append(f"(fun e => {self.point(sides[-1], '(e 0%nat)')})")
        atoms = sorted({atom for side in sides for atom, _ in side})
        numbered = {atom: n for n, atom in enumerate(atoms)}
        listed = f"(@atoms H [{'; '.join(f'({self.spelling.family(atom)} : H)' for atom in atoms)}])"
        written = " ".join(f"({self.spelling.over_atoms(side, numbered)})" for side in sides)
        averaged = self.spelling.average_over(term.averaged)
        made = product(*(project(side, term.averaged) for side in sides))
        these = " ".join(f"({family} : H)" for family in families)
        rows = f"(rows {self.spelling.rows(atoms)})"
        dotted = f"@D_dot H {listed} {rows} p_FX {self.spelling.size} {averaged} {these} {written}"
        fixed = self.spelling.fixed_rows(atoms, listed, "apply fixed_family; intros; reflexivity")
        return (
            f"assert (p_K : prod {averaged} {' '.join(families)} = {self.spelling.form(made)}). {{ {fixed} "
            f"rewrite prod_is. rewrite ({dotted} eq_refl (same_refl _) (same_refl _)). expand. "
            f"rewrite <- prod_is. {CLOSE} }} rewrite p_K. clear p_K."
        )

    def compute_indices(self, indices: Iterable[Index], places: Mapping[str, Index]) -> list[tuple[str, str]]:
        """Return indices as they stand where letters have values, and what they are."""
        found: dict[str, str] = {}
        written = {identifier(letter): self.spelling.index(value) for letter, value in places.items()}
        for index in indices:
            if index_letters(index) & set(places) and not (len(index) == 1 and index[0][1] == 1):
                literal, wanted = rename(self.spelling.index(index), written), self.spelling.index(_at(index, places))
                if literal != wanted:
                    found[literal] = wanted
        return list(found.items())

    def _turn(self, term: Term, places: Mapping[str, Index], points: Mapping[str, Atom]) -> str:
        if not isinstance(term, Inner):
            return ""
        left, right = (_atom_at(atom, places, points) for atom in (term.left, term.right))
        new = inner(left, right, term.averaged)
        if new.averaged != term.averaged:
            raise Refused(f"{term.text()}: fewer indices are averaged over in an instance")
        if (new.left, new.right) == (left, right):
            return ""
        families = f"{self.spelling.family(left)} {self.spelling.family(right)}"
        return f"rewrite (prod_sym {self.spelling.average_over(term.averaged)} {families})."


def _at(index: Index, places: Mapping[str, Index]) -> Index:
    """Return an index with letters replaced, all at once."""
    for letter in places:
        index = substitute_index(index, letter, ((f"{letter}#", 1),))
    for letter, value in places.items():
        index = substitute_index(index, f"{letter}#", value)
    return index


def _atom_at(atom: Atom, places: Mapping[str, Index], points: Mapping[str, Atom]) -> Atom:
    if atom.name in points and not atom.indices:
        return points[atom.name]
    argument = _atom_at(atom.argument, places, points) if atom.argument else None
    return Atom(atom.name, tuple(_at(one, places) for one in atom.indices), argument, atom.client)


def names_of(term: Term) -> set[str]:
    """Return the names of the vectors, or of the sequence of numbers, in a term."""
    atoms = [term.left, term.right] if isinstance(term, Inner) else [Atom(*term)]
    return {one.name for atom in atoms for one in (atom, *([atom.argument] if atom.argument else []))}


def letters_in(by: Rational) -> set[Letter]:
    """Return the letters of a number."""
    return letters_of(by.numerator).union(*(letters_of(dict(factor)) for factor in by.factors))


def indices_of(term: Term | Atom) -> list[Index]:
    """Return all indices in a term."""
    if isinstance(term, Inner):
        return [*indices_of(term.left), *indices_of(term.right)]
    return [*term.indices, *(indices_of(term.argument) if term.argument else [])]
