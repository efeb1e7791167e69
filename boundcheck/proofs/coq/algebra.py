"""The algebra of a part of a claim, as a lemma over any space with projections.

Vectors are variables there, and inner products are written over those of atoms by reflection.  What the claim's own
space makes of the vectors plays no role, so that Coq never computes with families while it compares polynomials.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from boundcheck.proofs.coq.spelling import CLOSE, Spelling, equal_forms, identifier
from boundcheck.proofs.kernel.algebra import Letter, Rational
from boundcheck.proofs.kernel.space import NUMBER, Atom, Entry, Inner, product, rewritten, single

if TYPE_CHECKING:
    from boundcheck.proofs.coq.recording import Part, Recorder, Rewriting
    from boundcheck.proofs.kernel.algebra import Factor
    from boundcheck.proofs.kernel.space import Form, Term, Vector

_SAME = "eq_refl (same_refl _) (same_refl _)"


@dataclass
class Algebra:
    """Writes the lemma of a part, and says what has to be shown where it is used."""

    recorder: Recorder
    spelling: Spelling
    part: Part
    atoms: dict[Atom, int] = field(default_factory=dict)
    entries: dict[Term, str] = field(default_factory=dict)
    same: list[tuple[Atom, Vector, Rewriting]] = field(default_factory=list)
    """Atoms with what they equal, and the equation that says so."""
    equal: list[tuple[Entry, Form, Rewriting]] = field(default_factory=list)
    """Numbers with what they equal."""
    chances: list[tuple[Inner, Form]] = field(default_factory=list)
    """Inner products with what a sample takes, and what they are."""
    zero: list[Inner] = field(default_factory=list)
    factors: dict[Factor, None] = field(default_factory=dict)
    """What is divided by."""
    concrete: bool = False
    """Whether terms are those of the file's own families."""

    def __post_init__(self) -> None:
        self._steps: list[str] = []
        self._current: dict[Term, None] = {}

    @property
    def name(self) -> str:
        """The lemma's name."""
        return f"algebra_{identifier(self.part.id)}_{self.part.n}"

    # --- what is written over the lemma's variables ---------------------------------------------------------------

    def atom(self, atom: Atom) -> str:
        """Return the variable of an atom."""
        return f"p_a{self.atoms.setdefault(atom, len(self.atoms))}"

    def term(self, term: Term) -> str:
        """Write a term."""
        if self.concrete:
            return self.spelling.scalar(term)
        if isinstance(term, Inner) and not _is_weighted(term):
            return f"(p_P {self.spelling.average_over(term.averaged)} {self.atom(term.left)} {self.atom(term.right)})"
        return "1" if term == NUMBER else self.entries.setdefault(term, f"p_r{len(self.entries)}")

    def form(self, form: Form) -> str:
        """Write a form."""
        self._divides(*form.values())
        return self.spelling.combination((by, self.term(term)) for term, by in form.items())

    def vector(self, vector: Vector) -> str:
        """Write a vector as a combination of numbered atoms."""
        self._divides(*vector.values())
        for atom, _ in vector:
            self.atom(atom)
        return self.spelling.over_atoms(vector, self.atoms)

    def square(self, vector: Vector, listed: str = "ATOMS") -> str:
        """Write the square of a vector."""
        text = f"(den {listed} ({self.vector(vector)}))"
        return f"({'prod' if self.concrete else 'p_P'} [] {text} {text})"

    def conclusion(self) -> str:
        """Return the right side: multiples of premises, squares, what is paid, and what is left."""
        part = self.part
        found = [(one.multiplier, f"({self.form(one.premise.form)})") for one in part.used]
        found += [(weight, self.square(vector)) for weight, vector in part.squares]
        found += [(Rational.of(1), f"({self.form(one.form)})") for one in part.payments]
        found += [(by, self.term(term)) for term, by in part.left.items()]
        self._divides(*(by for by, _ in found))
        return self.spelling.combination(found)

    def _divides(self, *values: Rational) -> None:
        for value in values:
            self.factors.update(dict.fromkeys(value.factors))

    # --- the lemma ------------------------------------------------------------------------------------------------

    def write(self) -> str:
        """Return the lemma with its proof.

        It is written twice: products are ordered as their atoms are, all of which must be known.
        """
        self._write()
        self.atoms = {atom: n for n, atom in enumerate(sorted(self.atoms))}
        self.same, self.equal, self.chances, self.zero, self._steps = [], [], [], [], []
        return self._write()

    def _write(self) -> str:
        part = self.part
        target, right = self.form(part.target), self.conclusion()
        self._current = dict.fromkeys(
            term for form in (part.target, *(u.premise.form for u in part.used)) for term in form
        )
        for one in part.rewriting:
            self._rewrite(one)
            if self.recorder.file.sizes:
                self._sample()
        for _, vector in part.squares:
            self._square(vector)
        self._sample()
        self.zero = [
            term for term in self._current if isinstance(term, Inner) and self.recorder.vanishes(term, part.context)
        ]
        listed = f"(atoms [{'; '.join(f'p_a{n}' for n in range(len(self.atoms)))}])"
        hypotheses = self._hypotheses()
        lines = [f"Lemma {self.name} : forall {self._binders()},", *hypotheses, f"  {target}\n  = {right}.", "Proof."]
        lines.append(f"  intros {' '.join(self._names())}. {self.spelling.horizons_positive()}")
        lines += [f"  {self.spelling.fixed_rows(self.atoms, listed)}"] if self.atoms else []
        lines += [*self._steps, *(f"  rewrite ?p_Q{n}." for n in range(len(self._steps)))]
        lines += [*(f"  rewrite ?p_Z{n}." for n in range(len(self.zero))), f"  {CLOSE}", "Qed."]
        return "\n".join(lines).replace("ATOMS", listed).replace("ROWS", self.spelling.rows(self.atoms))

    def _binders(self) -> str:
        groups = [(" ".join(map(identifier, self.part.context.over)), "Z"), ("p_H", "Projected")]
        groups.append(("p_P", "list nat -> p_H -> p_H -> R"))
        groups.append((" ".join(f"p_a{n}" for n in range(len(self.atoms))), "p_H"))
        groups.append((" ".join(self.entries.values()), "R"))
        return " ".join(f"({names} : {kind})" for names, kind in groups if names)

    def _names(self) -> list[str]:
        letters = list(map(identifier, self.part.context.over))
        atoms = [f"p_a{n}" for n in range(len(self.atoms))]
        return [*letters, "p_H", "p_P", *atoms, *self.entries.values(), "p_D", *self.needs()]

    def needs(self) -> list[str]:
        """Return names for the hypotheses, in their order."""
        names = [f"p_X{n}_{x}" for n, x in self.list_fixed()]
        several = (self.positive_indices(), self.factors, self.same, self.equal, self.chances, self.zero)
        for letter, count in zip("INSECZ", map(len, several), strict=True):
            names += [f"p_{letter}{n}" for n in range(count)]
        return names

    def positive_indices(self) -> list[str]:
        """Return the index letters, and the letters of a case, that are positive."""
        found = [letter for letter in self.part.context.over if self.part.context.sign_of(Letter(letter)) == 2]
        return [*found, *sorted(self.part.context.positive)]

    def list_fixed(self) -> list[tuple[int, int]]:
        """Return atoms with the indices that they do not vary with."""
        varies = ((n, self.spelling.varies(atom)) for atom, n in self.atoms.items())
        return [(n, x) for n, row in varies for x, one in enumerate(row) if not one]

    def _hypotheses(self) -> list[str]:
        says = ["p_P = @D p_H", *(f"fixes {x} p_a{n}" for n, x in self.list_fixed())]
        says += [f"0 < {self.spelling.letter(Letter(letter))}" for letter in self.positive_indices()]
        says += [f"{self.spelling.factor(factor)} <> 0" for factor in self.factors]
        says += [f"same {self.atom(old)} (den ATOMS ({self.vector(new)}))" for old, new, _ in self.same]
        says += [f"{self.term(old)} = {self.form(new)}" for old, new, _ in self.equal]
        says += [f"{self.term(old)} = {self.form(new)}" for old, new in self.chances]
        says += [f"{self.term(term)} = 0" for term in self.zero]
        return [f"  {one} ->" for one in says]

    # --- equations and laws ---------------------------------------------------------------------------------------

    def _write_value(self, term: Term, new: Form, proof: str) -> None:
        """Write that a term is what is put for it."""
        self._steps.append(f"  assert (p_Q{len(self._steps)} : {self.term(term)} = {self.form(new)}). {{ {proof} }}")
        del self._current[term]
        self._current.update(dict.fromkeys(new))

    def _rewrite(self, one: Rewriting) -> None:
        """Write what an equation makes of the terms that are there."""
        if not isinstance(one.old, Atom):
            if one.old in self._current and isinstance(one.old, Entry):
                self.equal.append((one.old, one.new, one))
                self._write_value(one.old, one.new, f"exact p_E{len(self.equal) - 1}.")
            return
        for term in (one for one in list(self._current) if not _is_weighted(one)):
            new = rewritten({term: Rational.of(1)}, one.old, one.new)
            if equal_forms(new, {term: Rational.of(1)}):
                continue
            if isinstance(term, Entry):
                self.equal.append((term, new, one))
                self._write_value(term, new, f"exact p_E{len(self.equal) - 1}.")
            else:
                self._write_value(term, new, self._expansion(term, one))

    def _expansion(self, term: Inner, one: Rewriting) -> str:
        sides, reasons = [], []
        for atom in (term.left, term.right):
            vector = _replace(atom, one)
            same = equal_forms(vector, {(atom, frozenset()): Rational.of(1)})
            found = [n for n, (old, new, _) in enumerate(self.same) if old == atom and equal_forms(new, vector)]
            if not same and not found:
                self.same.append((atom, vector, one))
                found = [len(self.same) - 1]
            sides.append(f"({self.vector(vector)})")
            reasons.append("(same_refl _)" if same else f"p_S{found[0]}")
        names = f"{self.spelling.average_over(term.averaged)} {self.atom(term.left)} {self.atom(term.right)}"
        return self._reflect(f"{names} {' '.join(sides)} eq_refl {' '.join(reasons)}")

    def _reflect(self, arguments: str) -> str:
        return f"rewrite p_D. rewrite (D_dot ATOMS (rows ROWS) p_FX {self.spelling.size} {arguments}). expand. {CLOSE}"

    def _square(self, vector: Vector) -> None:
        """Write the square of a vector over terms."""
        text, made = self.vector(vector), product(vector, vector)
        proof = self._reflect(f"[] _ _ ({text}) ({text}) {_SAME}")
        self._steps.append(
            f"  assert (p_Q{len(self._steps)} : {self.square(vector)} = {self.form(made)}). {{ {proof} }}"
        )
        self._current.update(dict.fromkeys(made))

    def _sample(self) -> None:
        """Put for inner products with what a sample takes what they are."""
        todo = list(self._current)
        while todo:
            term = todo.pop(0)
            new = self.recorder.chance(term, self.part.context)
            if new is not None and isinstance(term, Inner) and term in self._current:
                self.chances.append((term, new))
                self._write_value(term, new, f"exact p_C{len(self.chances) - 1}.")
                todo += new


def _is_weighted(term: Term) -> bool:
    """Return whether a term is averaged with weights: it is one number here."""
    return any(x.partition("'")[2] for x in term.letters())


def _replace(atom: Atom, one: Rewriting) -> Vector:
    """Return what an equation makes of an atom, or of the argument in it."""
    if atom == one.old:
        found: Vector = one.new
        return found
    alone = single(one.new)

    def inside(other: Atom) -> Atom:
        if other == one.old and alone:
            return alone
        return other._replace(argument=inside(other.argument)) if other.argument else other

    return {(inside(atom), frozenset()): Rational.of(1)}
