"""The last claims once more, in plain terms: means over clients and rounds in the place of products of families."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.proofs.coq.signs import SignProofs
from boundcheck.proofs.coq.spelling import CLOSE, REAL, Spelling, bracket, identifier
from boundcheck.proofs.kernel.algebra import Refused
from boundcheck.proofs.kernel.context import base_context
from boundcheck.proofs.kernel.evaluate import scalar
from boundcheck.proofs.kernel.space import CLIENT, Entry, Inner, free_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boundcheck.proofs.coq.instances import Statements
    from boundcheck.proofs.kernel.context import Context
    from boundcheck.proofs.kernel.space import Form, Term


def closing(statements: Statements, id_: str) -> str:
    """Return a claim as ``left <= right`` over plain inner products, with its proof from the lemma.

    Raises
    ------
    Refused
        If a product averages apart over other indices than the clients, or an equality is claimed.
    """
    recorder, spelling, said = statements.recorder, statements.spelling, statements.said[id_]
    one, context = said.statement, recorder.context_of(id_)
    if said.equal:
        raise Refused(f"{id_}: an equality")
    left, right = (scalar(part, context) for part in one.shows.parts)
    products = [term for term in dict.fromkeys((*left, *right)) if isinstance(term, Inner)]
    names = [identifier(letter) for letter in one.over]
    known = [*names, *(f"R_{name}" for name in names), *(f"p_V{n}" for n in range(len(context.values)))]
    claim = recorder.file.claims[id_]
    known += [f"p_G{n}" for n in range(len(one.given))] + ["p_W"] * bool(claim.cases)
    lines = [f"intros {' '.join(known)}."] if known else []
    lines.append(f"{spelling.horizons_positive()} assert (p_C := {' '.join([said.name, *known])}).")
    for n, term in enumerate(products):
        says = f"{spelling.term(term)} = {_natural(spelling, term, {})}"
        lines.append(f"assert (p_T{n} : {says}). {{ {_reason(spelling, term)} }}")
    lines += [f"rewrite ?p_T{n} in p_C." for n in range(len(products))]
    lines += _divisors(statements, id_, context)
    lines.append(f"apply ungap. refine (moved _ _ p_C _). {REAL}. {CLOSE}")
    head = [
        f"Theorem {identifier(id_)} :",
        *statements.write_quantifiers(one, context),
        *statements.cases(claim, context),
    ]
    head.append(f"{_sum(spelling, left)} <= {_sum(spelling, right)}.")
    return "\n".join(["\n  ".join(head), "Proof.", *(f"  {line}" for line in lines), "Qed."])


def _divisors(statements: Statements, id_: str, context: Context) -> list[str]:
    """Return tactics that show divisors not to be zero, where that follows from what is given alone."""
    recorder, form = statements.recorder, statements.said[id_].form
    base = base_context(recorder.file, recorder.proof, context.values)
    for letter, ends in context.over.items():
        base = base.inside(letter, ends)
    parts = recorder.parts[id_]
    signs = SignProofs(statements.spelling, context, base, parts[0].signs if parts else {})
    hidden = [one for by in form.values() for one in by.factors if not signs.plainly_positive(one)]
    if not hidden:
        return []
    signs.base_facts()
    signs.state_given([(one, f"p_G{n}") for n, one in enumerate(context.given)])
    for one in hidden:
        signs.nonzero(one)
    return signs.lines


def _sum(spelling: Spelling, form: Form) -> str:
    """Write a form as it is read: without a factor 1."""
    parts = []
    for term, by in form.items():
        text = _plain(spelling, term)
        parts.append(spelling.number(by) if not text else text if by.is_one() else f"{spelling.number(by)} * ({text})")
    return " + ".join(parts) or "0"


def _plain(spelling: Spelling, term: Term) -> str:
    if isinstance(term, Inner):
        return _natural(spelling, term, {})
    return "" if term == Entry("1") else spelling.entry(term)


def _indices(spelling: Spelling, term: Inner) -> list[str]:
    """Return the indices over which a product is a mean, the outermost first; clients come last."""
    if term.averaged - {CLIENT}:
        raise Refused(f"{term.text()}: a mean apart over steps")
    varying = (term.left.varies() | term.right.varies()) - term.averaged
    return sorted(varying, key=spelling.place, reverse=True)


def _read_weights(term: Inner) -> tuple[str, str, Inner] | None:
    """Return the index of a discounted mean, how it grows, and the product at one value of it; None for another."""
    for name in sorted(term.letters()):
        letter, _, growth = name.partition("'")
        if growth:
            return letter, growth, term.substitute(name, ((letter, 1),))
    return None


def _names(term: Inner) -> dict[str, str]:
    letters = term.left.varies() | term.right.varies()
    return {name: "i'" if name == CLIENT else identifier(free_name(name)) + "'" for name in letters}


def _natural(spelling: Spelling, term: Inner, done: Iterable[str]) -> str:
    """Write a product as means of an inner product, but for means that are `done`."""
    if weighted := _read_weights(term):
        letter, growth, alone = weighted
        return spelling.discount(letter, growth, _natural(spelling, alone, done))
    names = _names(term)
    sides = [spelling.atom(atom, names, "i'") for atom in (term.left, term.right)]
    if CLIENT in term.averaged:
        sides = [f"vmean V 1 N (fun i' => {text})" for text in sides]
    text = f"ip {' '.join(map(bracket, sides))}"
    for name in reversed([one for one in _indices(spelling, term) if one not in done]):
        low, high = map(spelling.index, spelling.file.indices[free_name(name)])
        text = f"mean {low} {high} (fun {names[name]} => {text})"
    return text


def _reason(spelling: Spelling, term: Inner) -> str:
    """Show what a product is in plain terms: means over what does not vary are left out."""
    if weighted := _read_weights(term):
        return f"apply discounted_same; [lia|]. intros {identifier(weighted[0])} _. {_reason(spelling, weighted[2])}"
    names, varying = _names(term), _indices(spelling, term)
    letters = {n: (CLIENT if letter == CLIENT else f"{letter}'") for letter, n in spelling.places.items()}
    families = f"{spelling.average_over(term.averaged)} {spelling.family(term.left)} {spelling.family(term.right)}"
    start = f"rewrite prod_is. refine (eq_trans (D_avg V size low high nonempty {families}) _). unfold size. cbn [avg]."
    script = "reflexivity"
    for n, letter in letters.items():
        inner = f"intros {names.get(letter, 'p_j')} _"
        if letter in term.averaged:
            length = "[first [lia | apply nonempty | cbn; lia]|]"
            script = f"symmetry; rewrite vmean_ip by lia; apply mean_same; {length}; intros i' _; reflexivity"
        elif letter in varying:
            script = f"apply mean_same; [first [apply nonempty | cbn; lia]|]; {inner}; {script}"
        else:
            outer = [one for one in varying if spelling.place(one) > n]
            rest = _natural(spelling, term, outer)
            constant = f"transitivity (mean (low {n}%nat) (high {n}%nat) (fun _ => {rest}))"
            same = f"apply mean_same; [apply nonempty|]; intros p_j{n} _; {script}"
            script = f"{constant}; [{same} | apply mean_const, nonempty]"
    return f"{start} {script}."
