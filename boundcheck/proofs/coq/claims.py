"""Claims in Coq: each is a lemma, shown from leaves and earlier claims by the rules of the library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boundcheck.proofs.coq.algebra import Algebra
from boundcheck.proofs.coq.instances import Said, Statements, indices_of
from boundcheck.proofs.coq.premises import Premises
from boundcheck.proofs.coq.signs import SignProofs
from boundcheck.proofs.coq.spelling import CLOSE, REAL, identifier
from boundcheck.proofs.coq.sums import sum_of_form
from boundcheck.proofs.kernel.algebra import Letter, Rational, Refused, plus, whole
from boundcheck.proofs.kernel.context import base_context
from boundcheck.proofs.kernel.evaluate import average, difference, minimum, scalar, sides, vector
from boundcheck.proofs.kernel.space import Atom, Entry, free_name, is_bound, product, scale, sum_form
from boundcheck.proofs.kernel.text import commas, index_tree, substitute

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.proofs.coq.laws import Laws
    from boundcheck.proofs.coq.recording import Part, Recorder, Rewriting
    from boundcheck.proofs.kernel.algebra import Index
    from boundcheck.proofs.kernel.context import Context
    from boundcheck.proofs.kernel.file import Step
    from boundcheck.proofs.kernel.space import Form
    from boundcheck.proofs.kernel.text import Tree


@dataclass
class Claims:
    """Writes the claims of a file.

    Parameters
    ----------
    statements : Statements
        What leaves and claims say.
    laws : Laws
        The laws of noise and samples.
    definitions : dict
        Sequences of numbers with what they are at their own index letters.
    """

    statements: Statements
    laws: Laws
    definitions: dict[str, Form]

    @property
    def recorder(self) -> Recorder:
        """The kernel's parts."""
        return self.statements.recorder

    def write(self, id_: str) -> str:
        """Return a claim as lemmas with their proofs."""
        claim = self.recorder.file.claims[id_]
        if not self.recorder.verdicts[id_].proved:
            raise Refused(f"{id_}: not proved by the kernel: {self.recorder.verdicts[id_].why}")
        if id_ in self.recorder.unwritten or not self.recorder.parts[id_]:
            raise Refused(self.recorder.unwritten.get(id_, f"{id_}: values of horizons have no text in Coq"))
        one, spelling = claim.statement, self.statements.spelling
        context = self.recorder.context_of(id_)
        equal, form = difference(one.shows, context)
        parts = [Body(self, part) for part in self.recorder.parts[id_]]
        names = [identifier(letter) for letter in one.over]
        known = [*names, *(f"R_{name}" for name in names), *(f"p_V{n}" for n in range(len(context.values)))]
        known += [f"p_G{n}" for n in range(len(one.given))] + ["p_W"] * bool(claim.cases)
        proof = [f"intros {' '.join(known)}."] if known else []
        proof.append(spelling.horizons_positive())
        if claim.induction:
            proof += self._induction(id_, form, parts, equal=equal)
        elif claim.cases:
            proof.append(f"destruct p_W as [{' | '.join(map(_all_of, claim.cases))}].")
            for case, part in zip(claim.cases, parts, strict=True):
                proof += ["{", *part.write([f"p_C{k}" for k in range(len(case))]), "}"]
        elif claim.vanishing:
            proof += self._vanishing(claim.vanishing, form, parts, equal=equal)
        elif id_ in self.recorder.discounted:
            proof += self._show_discounted_square(id_, parts[0])
        else:
            proof += self._minima(id_, context, parts)
        said = Said(f"claim_{identifier(id_)}", one, equal, form)
        self.statements.said[id_] = said
        head = [
            f"Lemma {said.name} :",
            *self.statements.write_quantifiers(one, context),
            *self.statements.cases(claim, context),
        ]
        head.append(f"{self.statements.conclusion(form, equal=equal)}.")
        lemmas = [part.algebra_text for part in parts]
        if id_ in self.recorder.discounted:
            lemmas = [self._at_one_index(id_), *lemmas]
        return "\n".join([*lemmas, "\n  ".join(head), "Proof.", *(f"  {line}" for line in proof if line), "Qed."])

    def _at_one_index(self, id_: str) -> str:
        """Return the lemma that at each index a number is the square that a claim speaks of."""
        one, spelling = self.recorder.discounted[id_], self.statements.spelling
        body = Body(self, one.part)
        over = spelling.range(one.letter, self.recorder.file.indices[one.letter])
        x = identifier(one.letter)
        says = f"forall {x}, {over} -> {self.statements.conclusion(one.part.target, equal=True)}."
        script = "\n  ".join([f"intros {x} R_{x}.", spelling.horizons_positive(), *body.write()])
        return f"{body.algebra_text}\nLemma point_{identifier(id_)} : {says}\nProof.\n  {script}\nQed."

    def _show_discounted_square(self, id_: str, body: Body) -> list[str]:
        """Show what is said of the discounted mean of a square from what is said of that of a number."""
        one, spelling = self.recorder.discounted[id_], self.statements.spelling
        ((square, a),), ((made, b),) = one.square.items(), one.number.items()
        if not a.is_one() or not b.is_one():
            raise Refused(f"{id_}: a discounted mean of a multiple has no text in Coq")
        x = identifier(one.letter)
        point = f"assert (p_Q := point_{identifier(id_)} {x} p_R). lra."
        same = f"apply discounted_same; [lia|]. intros {x} p_R. {point}"
        return [
            f"assert (p_goal : {self.statements.conclusion(body.part.target, equal=body.part.equal)}).",
            *("{", *body.write(), "}"),
            f"assert (p_D : {spelling.term(square)} = {spelling.term(made)}). {{ {same} }}",
            f"rewrite p_D. refine (moved _ _ p_goal _). {self.statements.close}",
        ]

    def _minima(self, id_: str, context: Context, parts: list[Body]) -> list[str]:
        """Distinguish which argument a minimum is, where the proof object asks for it."""
        given = [(n, least) for n, one in enumerate(context.given) if (least := minimum(one))]
        split = [given[k] for k in self.recorder.proof.split(id_)]
        if not split:
            return parts[0].write()
        splits = []
        for k, (n, (_, arguments)) in enumerate(split):
            case = f"p_C{k}"
            script = f"destruct (is_minimum _ _ _ p_G{n}) as [{case}|{case}]"
            for _ in arguments[2:]:
                other = f"destruct (is_minimum _ _ _ {case}) as [{case}'|{case}']"
                script += f"; [|{other}; clear {case}; rename {case}' into {case}]"
            splits.append(f"({script})")
        lines = ["; ".join(splits) + "."]
        for part in parts:
            lines += ["{", *part.write([f"p_C{k}" for k in range(len(split))]), "}"]
        return lines

    def _vanishing(self, name: str, form: Form, parts: list[Body], *, equal: bool) -> list[str]:
        """Distinguish whether a letter is positive or 0; at 0 the claim is shown as it is read there."""
        del equal
        x = identifier(name)
        return [
            f"destruct (Rle_lt_or_eq_dec 0 {x} sign_{x}) as [p_P|p_V0].",
            *("{", *parts[1].write(), "}"),
            *("{", "symmetry in p_V0.", *self._at_value(parts[0], form, {}), "}"),
        ]

    def _induction(self, id_: str, form: Form, parts: list[Body], *, equal: bool) -> list[str]:
        claim = self.recorder.file.claims[id_]
        letter, name = claim.induction, identifier(claim.induction)
        low, high = claim.statement.over[letter]
        z = self.statements.spelling.index
        says = self.statements.conclusion(form, equal=equal)
        base, ahead = {letter: low}, {letter: plus(((letter, 1),), whole(1))}
        return [
            f"revert {name} R_{name}. apply (range_induction (fun {name} => {says}) {z(low)} {z(high)}).",
            *("{", *self._at_value(parts[0], form, base), "}"),
            *("{", f"intros {name} R_{name} p_self.", *self._at_value(parts[1], form, ahead), "}"),
        ]

    def _at_value(self, body: Body, form: Form, places: Mapping[str, Index]) -> list[str]:
        """Write a part whose goal is the statement at a value of its index."""
        part = body.part
        moved = "moved_zero" if part.equal else "moved"
        says = self.statements.conclusion(part.target, equal=part.equal)
        self.statements.values = [f"p_V{n}" for n in range(len(part.context.values))]
        close = f"refine ({moved} _ _ p_goal _). cbv beta. {self.statements.normalise(form, places)}"
        self.statements.values = []
        return [f"assert (p_goal : {says}).", "{", *body.write(), "}", close]


def _all_of(case: tuple[Tree, ...]) -> str:
    """Return the pattern of what is given besides in a case."""
    names = [f"p_C{k}" for k in range(len(case))]
    return f"[{' '.join(names)}]" if len(names) < 3 else f"({' & '.join(names)})"


class Body:
    """The proof of one part of a claim.

    Parameters
    ----------
    claims : Claims
        The claims that it is one of.
    part : Part
        What the kernel accepted.
    """

    def __init__(self, claims: Claims, part: Part) -> None:
        self.claims, self.part = claims, part
        self.statements, self.recorder = claims.statements, claims.recorder
        self.spelling = claims.statements.spelling
        self.algebra = Algebra(self.recorder, self.spelling, part)
        self.algebra_text = self.algebra.write()
        base = base_context(self.recorder.file, self.recorder.proof, part.before.values)
        for letter, ends in part.before.over.items():
            base = base.inside(letter, ends)
        self.signs = SignProofs(self.spelling, part.context, base, part.signs)

    def write(self, cases: list[str] | None = None) -> list[str]:
        """Return the tactics that show the part; `cases` are names of hypotheses beside those of the claim."""
        self.statements.values = [f"p_V{n}" for n in range(len(self.part.context.values))]
        try:
            return self._write_part(cases)
        finally:
            self.statements.values = []

    def _write_part(self, cases: list[str] | None) -> list[str]:
        self.recorder.proof.at = self.part.id, self.part.n
        signs, part = self.signs, self.part
        names = [f"p_G{n}" for n in range(len(part.before.given) - len(cases or []))] + (cases or [])
        given = list(zip(part.before.given, names, strict=True))
        minima = {one: name for one, name in given if minimum(one)}
        signs.base_facts()
        signs.state_given(given)
        context = part.before
        for n, step in enumerate(part.letters_only):
            context = self._letters_only(step, context, minima, f"p_L{n}")
        premises = Premises(self.statements, self.claims.laws, part, signs, minima)
        stated: list[str] = []
        for n, used in enumerate(part.used):
            stated += premises.write(used, f"p_U{n}")
            if used.premise.equal and not part.equal:
                text = f"{self.spelling.number(used.multiplier)} * ({self.spelling.form(used.premise.form)})"
                stated.append(f"assert (p_M{n} : 0 <= {text}). {{ apply times_zero. exact p_U{n}. }}")
            elif not used.premise.equal:
                signs.nonnegative(used.multiplier)
        for n, payment in enumerate(part.payments):
            stated += premises.payment(payment, f"p_Y{n}")
        for weight, _ in part.squares:
            signs.nonnegative(weight)
        for term, by in part.left.items():
            signs.nonnegative(by)
            premises.nonnegative_term(term, signs)
        signs.nonzero_factors(*(Rational({(): 1}, {factor: 1}) for factor in self.algebra.factors))
        applied = self._application()
        end = [f"rewrite ?p_U{n}." for n in range(len(part.used))] + ["ring."]
        return [
            *(*signs.lines, *stated, *applied),
            *(end if part.equal else ["repeat (apply Rplus_le_le_0_compat; [nonneg|]). lra."]),
        ]

    def _letters_only(self, step: Step, context: Context, minima: Mapping[Tree, str], name: str) -> Context:
        """State what a step says of letters alone, as a fact from here on."""
        shows = self.recorder.instance(step, self.statements.source(step.id).statement, context).shows
        equal, form = difference(shows, context)
        script = self.statements.instance(step, context, self.signs, minima)
        known = self.signs.add(self.statements.conclusion(form, equal=equal), script, name)
        for value in sides(shows, context):
            proof = f"assert (p_X := {known}). lra." if equal else f"refine (moved _ _ {known} _). {CLOSE}"
            context = self.signs.fact(context, value, proof, divided=True)
        return context

    # --- the algebra lemma ----------------------------------------------------------------------------------------

    def _application(self) -> list[str]:
        """Apply the lemma of the part to the families of the file."""
        algebra, spelling, part = self.algebra, self.spelling, self.part
        families = [spelling.family(atom) for atom in algebra.atoms]
        atoms = f"(@atoms H [{'; '.join(f'({one} : H)' for one in families)}])"
        says: list[tuple[str, str, str]] = []
        for n, x in algebra.list_fixed():
            reason = "apply fixed_family. intros. reflexivity."
            says.append((f"p_X{n}_{x}", f"@fixes H {x} {families[n]}", reason))
        for n, letter in enumerate(algebra.positive_indices()):
            says.append(
                (f"p_I{n}", f"0 < {spelling.letter(Letter(letter))}", "first [assumption | apply IZR_lt; lia].")
            )
        for n, factor in enumerate(algebra.factors):
            says.append((f"p_N{n}", f"{spelling.factor(factor)} <> 0", "assumption."))
        for n, (atom, new, one) in enumerate(algebra.same):
            text = f"same ({spelling.family(atom)} : H) (@den H {atoms} ({algebra.vector(new)}))"
            says.append((f"p_S{n}", text, self._null(one) if one.is_zero else self._same(atom, one)))
        for n, (entry, form, one) in enumerate(algebra.equal):
            says.append((f"p_E{n}", f"{spelling.entry(entry)} = {spelling.form(form)}", self._equal(entry, one)))
        for n, (pair, form) in enumerate(algebra.chances):
            text = f"{spelling.term(pair)} = {spelling.form(form)}"
            says.append((f"p_C{n}", text, self.claims.laws.chance(pair, form)))
        for n, term in enumerate(algebra.zero):
            says.append((f"p_Z{n}", f"{spelling.term(term)} = 0", self.claims.laws.vanishes(term, part.context)))
        lines = [f"assert ({name} : {text}). {{ {proof} }}" for name, text, proof in says]
        letters = map(identifier, part.context.over)
        numbers = (spelling.scalar(one) for one in algebra.entries)
        arguments = " ".join([*letters, "H", "prod", *families, *numbers, "prod_is", *algebra.needs()])
        algebra.concrete = True
        equation = f"{spelling.form(part.target)} = {algebra.conclusion().replace('ATOMS', atoms)}"
        lines.append(f"assert (p_EQ : {equation}). {{ exact ({algebra.name} {arguments}). }}")
        for n, (_, square) in enumerate(part.squares):
            lines.append(f"assert (p_O{n} := prod_nonneg [] (@den H {atoms} ({algebra.vector(square)}))).")
        algebra.concrete = False
        return [*lines, f"refine ({'eq_trans p_EQ _' if part.equal else 'from_terms _ _ p_EQ _'}). clear p_EQ."]

    def _equation(self, one: Rewriting, client: str = "") -> str:
        """State the instance of an equation of vectors that a step uses, with its indices computed."""
        equation = one.equation
        if one.is_zero:
            raise Refused(f"{one.step.text}: vectors at distance zero have no text in Coq")
        places = self.recorder.equation_places(one, self.part.context)
        arguments = [f"{self.spelling.index(places[x])}%Z" for x in equation.over]
        holes = ["ltac:(lia)"] * (len(equation.over) + bool(client))
        call = " ".join([f"eq_{identifier(one.step.id)}", *arguments, *([client] if client else []), *holes])
        own = self.recorder.base
        for letter, ends in equation.over.items():
            own = own.inside(letter, ends)
        atoms = [atom for side in (equation.left, equation.right) for atom, _ in vector(side, own)]
        found = self.statements.compute_indices([index for atom in atoms for index in indices_of(atom)], places)
        lines = [f"replace {literal}%Z with {wanted}%Z in p_Q by lia." for literal, wanted in found]
        return " ".join([f"assert (p_Q := {call}).", *lines])

    def _same(self, atom: Atom, one: Rewriting) -> str:
        """Show that a family is what an equation says, value by value."""
        text = "apply (pointwise V size low high nonempty). intros e p_He."
        for n in range(self.spelling.size):
            text += f" assert (p_R{n} := p_He {n}%nat (place_below size {n} eq_refl)). cbn [low high] in p_R{n}."
        client = "(e 0%nat)" if isinstance(one.old, Atom) and one.old.client else ""
        equation = f"{self._equation(one, client)} cbv beta."
        if not self.part.context.values:
            return f"{text} {equation} rewrite p_Q. apply same_refl."
        made, through = self.spelling.at_client(one.new, "(e 0%nat)"), ""
        if atom != one.old:
            if atom.name != "grad" or atom.argument != one.old:
                raise Refused(f"{atom.text()}: at values of letters it has no text in Coq")
            made, through = f"(grad (e 0%nat) {made})", "apply grad_same. "
        middle = f"refine (@same_trans V _ {made} _ _ (same_refl _)). {through}"
        return f"{text} {equation} {middle}rewrite p_Q. linear. {self.statements.close}"

    def _null(self, one: Rewriting) -> str:
        """Show that vectors at distance zero are the same: their difference has no inner product with anything."""
        context = self.part.context
        letters = commas(one.step.of) if one.step.rule else []
        if letters or not isinstance(one.old, Atom):
            raise Refused(f"{one.step.text}: vectors at distance zero at every index have no text in Coq")
        values = {x: index_tree(at) for x, at in self.recorder.equation_places(one, context).items()}
        gone = vector(substitute(one.equation.left, values), context)
        atoms = sorted({atom for atom, _ in gone})
        numbered = {atom: n for n, atom in enumerate(atoms)}
        listed = f"(@atoms H [{'; '.join(f'({self.spelling.family(atom)} : H)' for atom in atoms)}])"
        whole = f"@den H {listed} ({self.spelling.over_atoms(gone, numbered)})"
        text, size = f"({self.spelling.over_atoms(gone, numbered)})", self.spelling.size
        dotted = f"@D_dot H {listed} (rows {self.spelling.rows(atoms)}) p_FX {size} [] _ _ {text} {text}"
        fixed = self.spelling.fixed_rows(atoms, listed, "apply fixed_family; intros; reflexivity")
        instance = self.statements.instance(one.step, context, self.signs, {})
        # A statement |w|^2 = 0 is kept as right minus left.
        says = self.statements.conclusion(scale(product(gone, gone), Rational.of(-1)), equal=True)
        return " ".join(
            [
                fixed,
                f"assert (p_Z : {says}). {{ {instance} }}",
                f"assert (p_N : @D H [] ({whole}) ({whole}) = 0).",
                f"{{ rewrite ({dotted} eq_refl (same_refl _) (same_refl _)). expand. rewrite <- prod_is.",
                f"refine (moved_zero _ _ (opposite_zero _ p_Z) _). {self.statements.close} }}",
                "apply null in p_N. intros p_w. assert (p_M := p_N p_w). cbn [den prs atoms nth] in p_M |- *.",
                "rewrite ?ip_add, ?ip_scale, ?ip_zero in p_M. rewrite ?ip_add, ?ip_scale, ?ip_zero. lra.",
            ]
        )

    def _equal(self, entry: Entry, one: Rewriting) -> str:
        """Show what a number is: by its definition, or since the point at which f is taken is another."""
        if one.is_zero:
            raise Refused(f"{entry.text()}: a function at a vector at distance zero has no text in Coq")
        if isinstance(one.old, Atom) and not self.part.context.values:
            return f"{self._equation(one)} rewrite p_Q. ring."
        if isinstance(one.old, Atom):
            left, right = self.spelling.atom(one.old), self.spelling.at_client(one.new, "i")
            shown = f"assert (p_S : same ({left}) {right}). {{ rewrite p_Q. linear. {self.statements.close} }}"
            return f"{self._equation(one)} {shown} rewrite (f_same _ _ p_S). ring."
        bounds = [x for x in entry.letters() if is_bound(x)]
        own = (part.name for part in one.equation.left.parts)
        definition = self.claims.definitions[entry.name]
        if not bounds:
            places = dict(zip(own, entry.indices, strict=True))
            return f"unfold {identifier(entry.name)}. {self.statements.normalise(definition, places)}"
        return self._equal_under_means(entry, one, bounds)

    def _equal_under_means(self, entry: Entry, one: Rewriting, bounds: list[str]) -> str:
        """Show what the mean of a number over indices is, the innermost mean first."""
        own = (part.name for part in one.equation.left.parts)
        letters = [free_name(x) for x in sorted(bounds)]
        ranges = {letter: self.recorder.file.indices[letter] for letter in letters}
        base, contexts = entry, [self.part.context]
        for x in bounds:
            base = base.substitute(x, ((free_name(x), 1),))
        for letter in reversed(letters):
            contexts.append(contexts[-1].inside(letter, ranges[letter]))
        places = dict(zip(own, base.indices, strict=True))
        form = scalar(substitute(one.equation.right, {x: index_tree(at) for x, at in places.items()}), contexts.pop())
        names, text = list(map(identifier, letters)), self.spelling.entry(base)
        unfolded = f"intros. unfold {identifier(entry.name)}."
        unfolded += f" {self.statements.normalise(self.claims.definitions[entry.name], places)}"
        lines = [f"assert (p_B0 : forall {' '.join(names)}, {text} = {self.spelling.form(form)}). {{ {unfolded} }}"]
        for n, (letter, ends) in enumerate(ranges.items()):
            x, (low, high), body = names[n], map(self.spelling.index, ends), self.spelling.form(form)
            result, proof = sum_of_form(self.spelling, form, letter, ends)
            form = average(sum_form(form, letter, ends, ends), letter, contexts.pop())
            text, total = f"mean {low} {high} (fun {x} => {text})", f"sum {low} {high} (fun {x} => {body})"
            same = f"apply functional_extensionality. intros. apply p_B{n}."
            middle = f"transitivity (mean {low} {high} (fun {x} => {body}))."
            over = f"forall {' '.join(names[n + 1 :])}, " if names[n + 1 :] else ""
            script = f"assert (p_C : {total} = {result}). {{ {proof} }} {middle}"
            script += f" {{ apply (f_equal (mean {low} {high})). {same} }} rewrite mean_is, p_C. {REAL}. {CLOSE}"
            lines.append(f"assert (p_B{n + 1} : {over}{text} = {self.spelling.form(form)}). {{ intros. {script} }}")
        return " ".join([*lines, f"rewrite p_B{len(letters)}. {REAL}. {CLOSE}"])
