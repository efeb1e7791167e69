"""Sequences of numbers in Coq: what they are, and that sums of squares are not negative."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from boundcheck.proofs.coq.premises import SUM, nonnegative_entry
from boundcheck.proofs.coq.spelling import CLOSE, identifier
from boundcheck.proofs.kernel.algebra import Rational, Refused
from boundcheck.proofs.kernel.evaluate import bound_vector, number, scalar, vector
from boundcheck.proofs.kernel.rules import nonnegative_term
from boundcheck.proofs.kernel.space import CLIENT, NUMBER, Inner, product

if TYPE_CHECKING:
    from boundcheck.proofs.coq.instances import Statements
    from boundcheck.proofs.kernel.context import Context
    from boundcheck.proofs.kernel.file import Equation
    from boundcheck.proofs.kernel.space import Form, Vector
    from boundcheck.proofs.kernel.text import Tree


@dataclass
class Numbers:
    """Writes the definitions of a file's numbers."""

    statements: Statements
    definitions: dict[str, Form] = field(default_factory=dict)
    """Sequences with what they are at their own index letters."""

    def __post_init__(self) -> None:
        self.recorder, self.spelling = self.statements.recorder, self.statements.spelling

    def write(self) -> list[str]:
        """Return the definitions, and for sums of squares that they are not negative."""
        file = self.recorder.file
        if file.numbers:
            raise Refused(f"{min(file.numbers)}: numbers without a definition have no text in Coq")
        lines = []
        for one in file.equations.values():
            if one.left.name in file.scalars:
                inside = self.recorder.base
                for letter, ends in one.over.items():
                    inside = inside.inside(letter, ends)
                form = scalar(one.right, inside)
                self.definitions[one.left.name] = form
                names = "".join(f" ({identifier(letter)} : Z)" for letter in one.over)
                lines.append(f"Definition {identifier(one.left.name)}{names} : R := {self.spelling.form(form)}.")
                if one.left.name in self.recorder.squares:
                    lines += self._nonnegative(one, form, inside)
        return lines

    def _nonnegative(self, one: Equation, form: Form, inside: Context) -> list[str]:
        x, names = identifier(one.left.name), " ".join(map(identifier, one.over))
        over = f"forall {names}, " if names else ""
        says = f"Lemma nonneg_{x} : {over}0 <= {x} {names}."
        try:
            if self._is_plain(form, inside):
                return [f"{says} Proof. intros. unfold {x}. {self._by_terms(form)} Qed."]
            squares = _squares_in(one.right, inside)
            lemmas = [line for n, (_, v) in enumerate(squares) for line in self._square(f"{x}_{n}", v)]
            return [*lemmas, f"{says} Proof. intros. {self._by_squares(x, squares, inside)} Qed."]
        except Refused as why:
            self.statements.unsigned[one.left.name] = str(why)
            return []

    def _by_terms(self, form: Form) -> str:
        """Show a sum to be nonnegative, each of its terms being that."""
        shown = [self.spelling.horizons_positive()]
        for n, term in enumerate(form):
            if term != NUMBER:
                proof = "apply prod_nonneg." if isinstance(term, Inner) else nonnegative_entry(self.statements, term)
                shown.append(f"assert (p_{n} : 0 <= {self.spelling.term(term)}). {{ {proof} }}")
        return f"{' '.join(shown)} {SUM}"

    def _is_plain(self, form: Form, context: Context) -> bool:
        """Return whether all terms are nonnegative, with weights that plainly are."""
        signs = (_plainly_nonnegative(by, context) for by in form.values())
        return all(signs) and all(nonnegative_term(term, self.recorder.squares) for term in form)

    def _square(self, x: str, square: Vector) -> list[str]:
        """State in any space that a square, multiplied out, is not negative."""
        atoms = sorted({atom for atom, _ in square})
        numbered = {atom: n for n, atom in enumerate(atoms)}
        names, listed = (sep.join(f"p_a{n}" for n in range(len(atoms))) for sep in (" ", "; "))
        listed = f"(atoms [{listed}])"
        text = self.spelling.over_atoms(square, numbered)
        fixes = " ".join(f"fixes {place} p_a{n} ->" for n, place in self._fixed_indices(square))
        terms = []
        for term, by in product(square, square).items():
            if isinstance(term, Inner):
                left, right = numbered[term.left], numbered[term.right]
                terms.append((by, f"(D {self.spelling.average_over(term.averaged)} p_a{left} p_a{right})"))
        whole = f"den {listed} ({text})"
        reflected = (
            f"D_dot {listed} (rows {self.spelling.rows(atoms)}) p_FX {self.spelling.size} [] _ _ ({text}) ({text})"
        )
        says = f"{fixes} 0 <= {self.spelling.combination(terms)}"
        return [
            f"Lemma square_{x} : forall (p_H : Projected) ({names} : p_H), {says}.",
            f"Proof. intros. {self.spelling.horizons_positive()} {self.spelling.fixed_rows(atoms, listed)}",
            f"  assert (p_Q := @D_nonneg p_H [] ({whole})).",
            f"  rewrite ({reflected} eq_refl (same_refl _) (same_refl _)) in p_Q. revert p_Q. expand. intros p_Q.",
            f"  refine (moved _ _ p_Q _). {CLOSE} Qed.",
        ]

    def _fixed_indices(self, square: Vector) -> list[tuple[int, int]]:
        rows = (self.spelling.varies(atom) for atom in sorted({atom for atom, _ in square}))
        return [(n, place) for n, row in enumerate(rows) for place, varies in enumerate(row) if not varies]

    def _by_squares(self, x: str, squares: list[tuple[Rational, Vector]], inside: Context) -> str:
        """Show a number to be nonnegative as a combination of squares, with weights that plainly are."""
        shown, parts = [self.spelling.horizons_positive()], []
        for n, (weight, square) in enumerate(squares):
            if weight.factors or not _plainly_nonnegative(weight, inside):
                raise Refused(f"{x}: the sign of the weight {weight.text()} of a square has no text in Coq")
            families = [self.spelling.family(atom) for atom in sorted({atom for atom, _ in square})]
            holes = " ".join(
                f"(fixed_family V size low high nonempty {place} {families[k]} (fun _ _ => eq_refl))"
                for k, place in self._fixed_indices(square)
            )
            form = self.spelling.form(product(square, square))
            shown.append(f"assert (p_S{n} : 0 <= {form}). {{ exact (square_{x}_{n} H {' '.join(families)} {holes}). }}")
            parts.append(f"{self.spelling.number(weight)} * ({form})")
        return f"{' '.join(shown)} unfold {x}. apply (moved ({' + '.join(parts)})). {{ nonneg. }} {CLOSE}"


def _plainly_nonnegative(weight: Rational, context: Context) -> bool:
    """Return whether a number is nonnegative because of the signs of its letters."""
    return all(
        value > 0 and all(context.sign_of(letter) >= 1 or power % 2 == 0 for letter, power in monomial)
        for monomial, value in weight.numerator.items()
    )


def _squares_in(tree: Tree, context: Context) -> list[tuple[Rational, Vector]]:
    """Return the vectors of whose squares an expression is the sum, each with its weight; means bind their indices."""
    if tree.kind == "inner" and tree.parts[0] == tree.parts[1]:
        return [(Rational.of(1), vector(tree.parts[0], context))]
    if tree.kind == "mean" and tree.name != CLIENT:
        within = context.inside(tree.name, context.file.indices[tree.name])
        return [(by, bound_vector(v, tree.name)) for by, v in _squares_in(tree.parts[0], within)]
    if tree.kind == "add":
        return [one for part in tree.parts for one in _squares_in(part, context)]
    if tree.kind == "mul":
        weight = number(tree.parts[0], context)
        return [(weight * by, v) for by, v in _squares_in(tree.parts[1], context)]
    if tree.kind == "div":
        below = number(tree.parts[1], context).inverse()
        return [(by * below, v) for by, v in _squares_in(tree.parts[0], context)]
    raise Refused("a definition that is no sum of squares is not seen to be nonnegative in Coq")
