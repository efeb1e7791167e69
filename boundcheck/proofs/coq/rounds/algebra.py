"""The algebra of a lemma: the claim less multiples of what is known is nowhere negative.

It is a lemma over any space with projections, in which vectors are variables. A claim is written with the
definitions of the page (potentials, smoothness); Coq multiplies products out and compares.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from boundcheck.proofs.coq.rounds.polynomials import factor, generator, name_of, write_polynomial
from boundcheck.proofs.kernel.boxes import minus, split
from boundcheck.proofs.kernel.certificates import add, multiply

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boundcheck.proofs.coq.rounds.boxes import BoxWriter, Nonnegative
    from boundcheck.proofs.kernel.certificates import Poly


@dataclass(frozen=True)
class RoundPremise:
    """What a lemma multiplies.

    Attributes
    ----------
    multiplier, what : Poly
        ``what`` is at least 0, or 0 where it is ``equal``.
    text : str
        How the page says it.
    equal : bool
    """

    multiplier: Poly
    what: Poly
    text: str
    equal: bool = False


@dataclass(frozen=True)
class RoundClaim:
    """A claim over variables.

    Attributes
    ----------
    name : str
    goal : Poly
        What is shown to be at least 0.
    text : str
        The same on the page: ``a <= b``.
    vectors, servers : sequence of str
        Vectors; those that all clients share.
    numbers : sequence of str
        Values and constants.
    known : sequence of Known
    constants : sequence of str
        Numbers that are at least 0.
    unfolded : sequence of str
        Definitions of the page that the claim uses.
    coefficients : sequence of str
        Definitions of numbers, unfolded last.
    zero : sequence of str
        Products that are 0, as texts.
    closed : Poly, optional
        The goal with the page's definitions of coefficients in the place of letters: Coq compares what stands before
        each product alone.
    lengths : mapping
        Vector to a letter: the letter times its deviation is a vector of the form.
    """

    name: str
    goal: Poly
    text: str
    vectors: Sequence[str]
    numbers: Sequence[str]
    known: Sequence[RoundPremise]
    servers: Sequence[str] = ()
    constants: Sequence[str] = ()
    unfolded: Sequence[str] = ()
    coefficients: Sequence[str] = ()
    zero: Sequence[str] = ()
    closed: Poly | None = None
    lengths: Mapping[str, str] = field(default_factory=dict)


def write_algebra(claim: RoundClaim, box: BoxWriter) -> str:
    """Return the lemma ``NAME_algebra`` with the lemmas on which it stands.

    Its arguments are the space, vectors, letters and numbers, the conditions of the box, which vectors are
    the server's, which products are 0, that constants are not negative, and what is known.

    Raises
    ------
    LemmaError
        If the claim is not shown.
    """
    return _AlgebraWriter(claim, box).write()


class _AlgebraWriter:
    """A claim's lemma while it is written: what its nonnegative parts are, and what is left of the claim."""

    def __init__(self, claim: RoundClaim, box: BoxWriter) -> None:
        self.claim, self.box = claim, box
        self.lemmas: list[str] = []
        self.summands: list[tuple[str, str]] = []
        """Texts of numbers, each with why it is not negative."""
        self.forms: list[Nonnegative] = []
        self.values: list[str] = []
        """Definitions of numbers that are unfolded at the end."""
        self.rest = claim.closed or claim.goal

    def write(self) -> str:
        """Return the lemma with the lemmas on which it stands."""
        claim = self.claim
        left = add(claim.goal, *(minus(multiply(one.multiplier, one.what)) for one in claim.known))
        scalars, blocks = split(claim.name, left, self.box.box, claim.constants)
        self._take_off_premises()
        self._take_off_numbers(scalars)
        self._take_off_forms(blocks)
        lines = [*self._statement(), *self._sum_up(), *self._multiply_out(), *self._compare()]
        return "\n".join([*self.lemmas, *lines, "Qed."])

    # --- nonnegative parts ------------------------------------------------------------------------------------------

    def _value(self, found: Nonnegative, value: str) -> str:
        """Write a number of a form at the letters of the box."""
        return f"{found.scale} * value [{'; '.join(self.box.letters)}] {value}"

    def _nonnegative(self, found: Nonnegative) -> tuple[str, str]:
        """Return a nonnegative number, and why it is that."""
        self.lemmas.append(found.text)
        self.values.append(f"{found.name}_value")
        call = f"{found.name} {' '.join(self.box.letters)} {self.box.bounds}"
        return self._value(found, f"{found.name}_value"), f"apply Rmult_le_pos; [nonneg | exact ({call})]"

    def _take_off_premises(self) -> None:
        """Take off multiples of what is known."""
        for n, one in enumerate(self.claim.known):
            if one.equal:
                self.rest = add(self.rest, minus(multiply(one.multiplier, one.what)))
                text = f"({write_polynomial(one.multiplier)}) * ({one.text})"
                self.summands.append((text, f"apply times_zero. exact p_K{n}."))
            elif one.multiplier:
                term, why = self._nonnegative(self.box.number(f"{self.claim.name}_known_{n}", one.multiplier))
                self.rest = add(self.rest, minus(multiply(_as_letters(term), one.what)))
                self.summands.append((f"{term} * ({one.text})", f"apply Rmult_le_pos; [{why} | exact p_K{n}]."))

    def _take_off_numbers(self, scalars: Mapping[str, Poly]) -> None:
        """Take off what stands beside constants, and alone."""
        for letter, p in scalars.items():
            if not p:
                continue
            term, why = self._nonnegative(self.box.number(f"{self.claim.name}_left_{letter or 'number'}", p))
            constant: Poly = _as_letters(letter) if letter else {(): Fraction(1)}
            self.rest = add(self.rest, minus(multiply(_as_letters(term), constant)))
            product = f"{term} * {letter}", f"apply Rmult_le_pos; [{why} | assumption]."
            self.summands.append(product if letter else (term, f"{why}."))

    def _take_off_forms(self, blocks: Mapping[str, Mapping[tuple[str, str], Poly]]) -> None:
        """Take off quadratic forms of means and of deviations."""
        for mark, entries in blocks.items():
            if not entries:
                continue
            block, lengths = ("mv", {}) if mark == "~" else ("dv", self.claim.lengths)
            found = self.box.form(f"{self.claim.name}_{block}", entries, lengths, block)
            self.lemmas.append(found.text)
            self.forms.append(found)
            for (a, b), (value, factors) in found.entries.items():
                self.values.append(value)
                stands = _as_letters(self._value(found, value))
                for letter in factors:
                    stands = multiply(stands, _as_letters(letter))
                self.rest = add(self.rest, minus(multiply(stands, _as_letters(f"<{mark}{a}, {mark}{b}>"))))

    # --- the lemma --------------------------------------------------------------------------------------------------

    def _statement(self) -> list[str]:
        claim, box = self.claim, self.box
        arguments = " ".join(map(name_of, claim.vectors))
        counts = zip("SZCK", (claim.servers, claim.zero, claim.constants, claim.known), strict=True)
        introduced = " ".join(f"p_{letter}{n}" for letter, those in counts for n in range(len(those)))
        return [
            (
                f"Lemma {claim.name}_algebra (H : Projected) {f'({arguments} : H) ' if arguments else ''}"
                f"{box.binders}{f' ({chr(32).join(claim.numbers)} : R)' if claim.numbers else ''} :"
            ),
            *(f"  server {name_of(v)} ->" for v in claim.servers),
            *(f"  {text} = 0 ->" for text in claim.zero),
            *(f"  0 <= {letter} ->" for letter in claim.constants),
            *(f"  {one.text} = 0 ->" if one.equal else f"  0 <= {one.text} ->" for one in claim.known),
            f"  {claim.text}.",
            "Proof.",
            f"  intros {introduced}.",
        ]

    def _sum_up(self) -> list[str]:
        """Show that the sum of all parts is not negative; what is left to show is that the claim is this sum."""
        box = self.box
        lines = [f"  assert (p_{n} : 0 <= {text}). {{ {why} }}" for n, (text, why) in enumerate(self.summands)]
        texts, product = [text for text, _ in self.summands], "apply Rmult_le_pos; [nonneg | exact p_Q]."
        for found in self.forms:
            vectors = " ".join(map(name_of, found.vectors))
            lines += [
                f"  assert (p_Q := {found.name} H {vectors} {' '.join(box.letters)} {box.bounds}).",
                f"  revert p_Q. set ({found.name}_sum := lin _ _). intros p_Q.",
                f"  assert (p_{len(texts)} : 0 <= {found.scale} * {found.name}_sum). {{ {product} }} clear p_Q.",
            ]
            texts.append(f"{found.scale} * {found.name}_sum")
        total = " + (".join(texts) + ")" * (len(texts) - 1) if texts else "0"
        return [
            *lines,
            f"  assert (p_total : 0 <= {total}).",
            "  { repeat apply Rplus_le_le_0_compat; first [assumption | lra]. }",
            "  apply ungap. refine (moved _ _ p_total _). clear p_total "
            + " ".join(f"p_{n}" for n in range(len(texts)))
            + ".",
        ]

    def _multiply_out(self) -> list[str]:
        """Multiply products of vectors out."""
        claim, ordered, lines = self.claim, sorted(self.claim.vectors), []
        atoms = f"[{'; '.join(map(name_of, ordered))}]"
        shared = f"[{'; '.join('true' if v in claim.servers else 'false' for v in ordered)}]"
        where = " ".join("destruct p_n as [|p_n]; [first [discriminate p_e | assumption]|]." for _ in ordered)
        unfolded = ", ".join([*claim.unfolded, "smoothness", "square", "sub"])
        if ordered:
            lines += [
                f"  assert (p_S : forall p_n, nth p_n {shared} false = true -> server (nth p_n {atoms} (@zero H))).",
                f"  {{ intros p_n p_e. {where} destruct p_n; discriminate p_e. }}",
                f"  unfold {unfolded}. multiplied {atoms} {shared} p_S.",
            ]
        lines += [f"  rewrite ?p_Z{n}." for n in range(len(claim.zero))]
        for found in self.forms:
            opened = f"unfold {found.name}_sum, {found.name}_values. clear {found.name}_sum."
            lines.append(f"  {opened} cbn [products map app lin].")
        return [*lines, *([f"  multiplied {atoms} {shared} p_S."] if self.forms else [])]

    def _compare(self) -> list[str]:
        """Show that what stands before each product, and before each number, is 0."""
        claim, rest, lines = self.claim, self.rest, []
        groups: dict[str, Poly] = {}
        outer = {*claim.numbers, *(g for m in rest for g, _ in m if g.startswith("<"))}
        for m, c in rest.items():
            found_in = [g for g, _ in m if g in outer]
            groups.setdefault(found_in[0] if found_in else "", {})[tuple((g, k) for g, k in m if g not in outer)] = c
        names = [*self.values, *claim.coefficients]
        unfolding = f"unfold {', '.join(names)}. " if names else ""
        terms = [(coefficient, product) for product, coefficient in sorted(groups.items())]
        for n, (coefficient, _) in enumerate(terms):
            proof = f"clear - {self.box.bounds}. {unfolding}written. field; nonzero."
            lines.append(f"  assert (p_G{n} : {write_polynomial(coefficient)} = 0). {{ {proof} }}")
        opaque = sorted({g for m in rest for g, _ in m if " " in g and not g.startswith("<")})
        lines += [f"  set (p_a{n} := {text}) in *." for n, text in enumerate(opaque)]
        hidden = {text: f"p_a{n}" for n, text in enumerate(opaque)}
        cleared = f" clearbody {' '.join(hidden.values())}." if opaque else ""
        lines.append(f"  apply Rminus_diag_uniq.{cleared}")
        written_terms = [
            f"({write_polynomial(coefficient, hidden)}) * {factor(generator(product)) if product else '1'}"
            for coefficient, product in terms
        ]
        lines.append(f"  transitivity ({' + '.join(written_terms) or '0'}); [field; nonzero|].")
        # A coefficient may stand again, or begin a longer one, which is rewritten before.
        order = sorted(range(len(terms)), key=lambda n: -len(terms[n][0]))
        return [*lines, f"  {''.join(f'rewrite ?p_G{n}. ' for n in order)}ring."]


def _as_letters(text: str) -> Poly:
    """Return a text as a letter, or as a product of two: a scale and a value."""
    return {
        tuple(
            (part, 1)
            for part in sorted(text.split(" * value ")[:1] + [f"value {x}" for x in text.split(" * value ")[1:]])
        ): Fraction(1)
    }
