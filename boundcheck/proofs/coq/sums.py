"""Sums of statements over an index: what they come to, and why, as Coq proves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.proofs.coq.spelling import REAL, identifier, nest
from boundcheck.proofs.kernel.algebra import Letter, Rational, Refused, constant, join_monomials, plus, whole
from boundcheck.proofs.kernel.space import Inner, _below, bound, inner, power_sum, shift

if TYPE_CHECKING:
    from boundcheck.proofs.coq.spelling import Spelling
    from boundcheck.proofs.kernel.algebra import Index
    from boundcheck.proofs.kernel.file import Range
    from boundcheck.proofs.kernel.space import Entry, Form, Term


def sum_of_form(spelling: Spelling, form: Form, letter: str, ends: Range) -> tuple[str, str]:
    """Return what the sum of a form over an index comes to, and the proof.

    The goal is ``sum low high (fun k => form) = result``; both sums of terms are nested to the right.
    """
    k = identifier(letter)
    low, high = (f"{spelling.index(end)}%Z" for end in ends)
    results, proof = [], []
    items = list(form.items())
    for n, (term, by) in enumerate(items):
        rest = f"(fun {k} => {spelling.form(dict(items[n + 1 :]))})"
        text, weight = spelling.scalar(term), spelling.number(by)
        if letter in term.letters():
            if by.depends(letter):
                raise Refused(f"a weight depends on {letter} beside an entry that does")
            result, script = _sum_of_term(spelling, term, letter, ends)
            results.append(f"{weight} * ({result})")
            rule = f"sum_cons {low} {high} {weight} (fun {k} => {text}) {rest}"
        else:
            results.append(f"{spelling.number(power_sum(by, letter, *ends))} * {text}")
            script = _sum_of_powers(spelling, by, letter)
            rule = f"sum_fixed {low} {high} (fun {k} => {weight}) {text} {rest}"
        proof.append(f"refine ({rule} _ _ _ _); [{script}|].")
    return nest(results), " ".join([*proof, "apply sum_nil."])


def _sum_of_powers(spelling: Spelling, by: Rational, letter: str) -> str:
    """Show the sum of a polynomial in an index by its antiderivative."""
    name, mark = Letter(letter), Letter("p_n")
    total = Rational.of(0)
    for monomial, value in by.numerator.items():
        power = dict(monomial).get(name, 0)
        rest = Rational({join_monomials(monomial, ((name, power),), -1): value}, by.factors)
        total = total + rest * _below(Rational({((mark, 1),): 1}), power)
    text = spelling.number(total).replace("p_n", "(IZR p_n)")
    close = f"{REAL}; field; nonzero"
    return f"rewrite (sum_of_difference _ (fun p_n => {text})); [{close} | intros p_n; {close}]"


def _sum_of_term(spelling: Spelling, term: Term, letter: str, ends: Range) -> tuple[str, str]:
    """Return what the sum of one term comes to: a multiple of its mean over the declared range, and a few entries."""
    first, last = spelling.file.indices[letter]
    length = spelling.index(plus(plus(last, first, -1), whole(1)))
    if isinstance(term, Inner):
        if ends != (first, last):
            raise Refused(f"sum over {letter} of {term.text()}: not over the declared range")
        left, right = (atom.substitute(letter, bound(letter)) for atom in (term.left, term.right))
        made = inner(left, right, term.averaged)
        if made != Inner(left, right, term.averaged):
            raise Refused(f"{term.text()}: its order changes in a mean")
        families = f"{spelling.family(left)} {spelling.family(right)}"
        averaged, place = spelling.average_over(made.averaged), spelling.place(letter)
        call = f"sum_prod {averaged} {place} {length}%Z {families} (place_below size {place} eq_refl)"
        script = f"exact ({call} (places_elsewhere {place} {averaged} eq_refl) ltac:(cbn; lia))"
        return f"(IZR {length}) * {spelling.scalar(made)}", script
    return _sum_of_entry(spelling, term, letter, ends, length)


def _sum_of_entry(spelling: Spelling, term: Entry, letter: str, ends: Range, length: str) -> tuple[str, str]:
    """Return the sum of entries, shifted perhaps, by antiderivatives at the ends of the declared range."""
    z, k = spelling.index, identifier(letter)
    (first, last), (low, high) = spelling.file.indices[letter], ends
    j = shift(term, letter)
    base = term.substitute(letter, plus(((letter, 1),), whole(-j)))
    entry = f"(fun {k} => {spelling.entry(base)})"
    start, end = (constant(plus(plus(at, whole(j)), mark, -1)) for at, mark in ((low, first), (high, last)))
    if start is None or end is None:
        raise Refused(f"sum over {letter} of {term.text()}: not the declared range but for a few entries")
    extra: list[tuple[Index, str]] = [(plus(last, whole(n)), "+") for n in range(1, end + 1)]
    extra += [(plus(last, whole(-n)), "-") for n in range(-end)]
    extra += [(plus(first, whole(n)), "-") for n in range(start)]
    extra += [(plus(first, whole(-n)), "+") for n in range(1, -start + 1)]
    result = f"(IZR {length}) * ({spelling.entry(term.substitute(letter, plus(bound(letter), whole(-j))))})"
    result += "".join(f" {sign} ({spelling.entry(base.substitute(letter, at))})" for at, sign in extra)
    top, bottom, after = plus(plus(high, whole(j)), whole(1)), plus(low, whole(j)), plus(last, whole(1))
    script = []
    if j:
        script += [
            f"change (sum {z(low)} {z(high)} (fun {k} => {entry} ({k} + {j})%Z) = {result})",
            "rewrite sum_shift",
        ]
    script += [
        f"assert (p_M := sum_mean {z(first)} {z(last)} {entry} ltac:(lia))",
        f"replace ({z(last)} - {z(first)} + 1)%Z with {length}%Z in p_M by lia",
        "rewrite !sum_is in p_M",
        "rewrite !sum_is",
        f"replace {f'({z(high)} + {j} + 1)' if j else f'({z(high)} + 1)'}%Z with {z(top)}%Z by lia",
        *([f"replace ({z(low)} + {j})%Z with {z(bottom)}%Z by lia"] if j else []),
        f"replace ({z(last)} + 1)%Z with {z(after)}%Z in * by lia",
    ]
    for n, (at, _) in enumerate(extra):
        script.append(f"assert (p_A{n} := anti_next {entry} {z(at)}%Z)")
        script.append(f"replace ({z(at)} + 1)%Z with {z(plus(at, whole(1)))}%Z in p_A{n} by lia")
    return result, "; ".join([*script, "cbv beta in *", "lra"])
