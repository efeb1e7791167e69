"""The algebra of a lemma: the claim less multiples of what is known is nowhere negative.

It is a lemma over any space with projections, in which vectors are variables. A claim is written with the
definitions of the page (potentials, smoothness); Coq multiplies products out and compares.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from boundcheck.proofs.coq.rounds.polynomials import factor, generator, name_of, written
from boundcheck.proofs.kernel.boxes import add, minus, multiply, split

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boundcheck.proofs.coq.rounds.boxes import BoxWriter, Nonnegative
    from boundcheck.proofs.kernel.certificates import Poly


@dataclass(frozen=True)
class Known:
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
class Claim:
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
    known: Sequence[Known]
    servers: Sequence[str] = ()
    constants: Sequence[str] = ()
    unfolded: Sequence[str] = ()
    coefficients: Sequence[str] = ()
    zero: Sequence[str] = ()
    closed: Poly | None = None
    lengths: Mapping[str, str] = field(default_factory=dict)


def write_algebra(claim: Claim, box: BoxWriter) -> str:
    """Return the lemma ``NAME_algebra`` with the lemmas on which it stands.

    Its arguments are the space, vectors, letters and numbers, the conditions of the box, which vectors are
    the server's, which products are 0, that constants are not negative, and what is known.

    Raises
    ------
    LemmaError
        If the claim is not shown.
    """
    name = claim.name
    left = add(claim.goal, *(minus(multiply(one.multiplier, one.what)) for one in claim.known))
    scalars, blocks = split(name, left, box.box, claim.constants)
    lemmas: list[str] = []
    summands: list[tuple[str, str]] = []  # a text, and why it is not negative
    values: list[str] = []
    rest = claim.closed or claim.goal

    def nonnegative(found: Nonnegative) -> tuple[str, str]:
        lemmas.append(found.text)
        values.append(f"{found.name}_value")
        term = f"{found.scale} * value [{'; '.join(box.letters)}] {found.name}_value"
        return term, f"apply Rmult_le_pos; [nonneg | exact ({found.name} {' '.join(box.letters)} {box.bounds})]"

    for n, one in enumerate(claim.known):
        if one.equal:
            rest = add(rest, minus(multiply(one.multiplier, one.what)))
            summands.append((f"({written(one.multiplier)}) * ({one.text})", f"apply times_zero. exact p_K{n}."))
            continue
        if one.multiplier:
            term, why = nonnegative(box.number(f"{name}_known_{n}", one.multiplier))
            rest = add(rest, minus(multiply(_closed(term), one.what)))
            summands.append((f"{term} * ({one.text})", f"apply Rmult_le_pos; [{why} | exact p_K{n}]."))
    for letter, p in scalars.items():
        if p:
            term, why = nonnegative(box.number(f"{name}_left_{letter or 'number'}", p))
            rest = add(rest, minus(multiply(_closed(term), _closed(letter) if letter else {(): Fraction(1)})))
            summands.append(
                (f"{term} * {letter}", f"apply Rmult_le_pos; [{why} | assumption].") if letter else (term, f"{why}.")
            )
    sums = []
    for mark, entries in blocks.items():
        if entries:
            block, lengths = ("mv", {}) if mark == "~" else ("dv", claim.lengths)
            found = box.form(f"{name}_{block}", entries, lengths, block)
            lemmas.append(found.text)
            sums.append(found)
            for (a, b), (value, factors) in found.entries.items():
                values.append(value)
                stands = _closed(f"{found.scale} * value [{'; '.join(box.letters)}] {value}")
                for letter in factors:
                    stands = multiply(stands, _closed(letter))
                rest = add(rest, minus(multiply(stands, _closed(f"<{mark}{a}, {mark}{b}>"))))
    arguments = " ".join(map(name_of, claim.vectors))
    lines = [
        (
            f"Lemma {name}_algebra (H : Projected) {f'({arguments} : H) ' if arguments else ''}"
            f"{box.binders}{f' ({chr(32).join(claim.numbers)} : R)' if claim.numbers else ''} :"
        ),
        *(f"  server {name_of(v)} ->" for v in claim.servers),
        *(f"  {text} = 0 ->" for text in claim.zero),
        *(f"  0 <= {letter} ->" for letter in claim.constants),
        *(f"  {one.text} = 0 ->" if one.equal else f"  0 <= {one.text} ->" for one in claim.known),
        f"  {claim.text}.",
        "Proof.",
        "  intros "
        + " ".join(
            [
                *(f"p_S{n}" for n in range(len(claim.servers))),
                *(f"p_Z{n}" for n in range(len(claim.zero))),
                *(f"p_C{n}" for n in range(len(claim.constants))),
                *(f"p_K{n}" for n in range(len(claim.known))),
            ]
        )
        + ".",
    ]
    for n, (text, why) in enumerate(summands):
        lines.append(f"  assert (p_{n} : 0 <= {text}). {{ {why} }}")
    texts = [text for text, _ in summands]
    for found in sums:
        vectors = " ".join(map(name_of, found.vectors))
        lines.append(f"  assert (p_Q := {found.name} H {vectors} {' '.join(box.letters)} {box.bounds}).")
        lines.append(f"  revert p_Q. set ({found.name}_sum := lin _ _). intros p_Q.")
        lines.append(
            f"  assert (p_{len(texts)} : 0 <= {found.scale} * {found.name}_sum). {{ apply Rmult_le_pos; [nonneg "
            f"| exact p_Q]. }} clear p_Q."
        )
        texts.append(f"{found.scale} * {found.name}_sum")
    lines.append(f"  assert (p_total : 0 <= {' + ('.join(texts) + ')' * (len(texts) - 1) if texts else '0'}).")
    lines.append("  { repeat apply Rplus_le_le_0_compat; first [assumption | lra]. }")
    lines.append(
        "  apply ungap. refine (moved _ _ p_total _). clear p_total "
        + " ".join(f"p_{n}" for n in range(len(texts)))
        + "."
    )
    ordered = sorted(claim.vectors)
    atoms = f"[{'; '.join(map(name_of, ordered))}]"
    shared = f"[{'; '.join('true' if v in claim.servers else 'false' for v in ordered)}]"
    where = " ".join("destruct p_n as [|p_n]; [first [discriminate p_e | assumption]|]." for _ in ordered)
    if ordered:
        lines.append(
            f"  assert (p_S : forall p_n, nth p_n {shared} false = true -> server (nth p_n {atoms} (@zero H)))."
        )
        lines.append(f"  {{ intros p_n p_e. {where} destruct p_n; discriminate p_e. }}")
        lines.append(
            f"  unfold {', '.join([*claim.unfolded, 'smoothness', 'square', 'sub'])}. multiplied {atoms} {shared} p_S."
        )
    lines += [f"  rewrite ?p_Z{n}." for n in range(len(claim.zero))]
    for found in sums:
        lines.append(
            f"  unfold {found.name}_sum, {found.name}_values. clear {found.name}_sum. cbn [products map app lin]."
        )
    if sums:
        lines.append(f"  multiplied {atoms} {shared} p_S.")
    # What stands before each product, and before each number, is 0.
    groups: dict[str, Poly] = {}
    outer = {*claim.numbers, *(g for m in rest for g, _ in m if g.startswith("<"))}
    for m, c in rest.items():
        found_in = [g for g, _ in m if g in outer]
        groups.setdefault(found_in[0] if found_in else "", {})[tuple((g, k) for g, k in m if g not in outer)] = c
    unfolding = f"unfold {', '.join(names)}. " if (names := [*values, *claim.coefficients]) else ""
    terms = []
    for n, (product, coefficient) in enumerate(sorted(groups.items())):
        text = written(coefficient)
        terms.append((coefficient, product))
        lines.append(
            f"  assert (p_G{n} : {text} = 0). {{ clear. {unfolding}written. field; nonzero. }}".replace(
                "clear. ", f"clear - {box.bounds}. "
            )
        )
    opaque = sorted({g for m in rest for g, _ in m if " " in g and not g.startswith("<")})
    lines += [f"  set (p_a{n} := {text}) in *." for n, text in enumerate(opaque)]
    lines.append(
        "  apply Rminus_diag_uniq. clearbody " + " ".join(f"p_a{n}" for n in range(len(opaque))) + "."
        if opaque
        else "  apply Rminus_diag_uniq."
    )
    hidden = {text: f"p_a{n}" for n, text in enumerate(opaque)}
    written_terms = [
        f"({written(coefficient, hidden)}) * {factor(generator(product)) if product else '1'}"
        for coefficient, product in terms
    ]
    lines.append(f"  transitivity ({' + '.join(written_terms) or '0'}); [field; nonzero|].")
    # A coefficient may stand again, or begin a longer one, which is rewritten before.
    order = sorted(range(len(terms)), key=lambda n: -len(terms[n][0]))
    lines.append(f"  {''.join(f'rewrite ?p_G{n}. ' for n in order)}ring.")
    return "\n".join([*lemmas, *lines, "Qed."])


def _closed(text: str) -> Poly:
    """Return a text as a letter, or as a product of two: a scale and a value."""
    return {
        tuple(
            (part, 1)
            for part in sorted(text.split(" * value ")[:1] + [f"value {x}" for x in text.split(" * value ")[1:]])
        ): Fraction(1)
    }
