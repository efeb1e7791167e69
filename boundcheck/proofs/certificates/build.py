"""From relations to a certificate: read, see to it that everything is defined, prove."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import sympy as sp

from boundcheck.errors import require
from boundcheck.proofs.certificates.derived import prove_steps
from boundcheck.proofs.certificates.polynomials import polynomial
from boundcheck.proofs.certificates.real import FactBase
from boundcheck.proofs.certificates.statement import (
    INNER,
    RELATIONS,
    RelationWriter,
    Statement,
    conjuncts,
    expression,
    gram,
    scalars,
    sort_of,
    text_of,
    value_text,
    vector_sorts,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Certificate = dict[str, Any]
Proof = dict[str, Any]


def denominators(relation: sp.Basic) -> list[sp.Expr]:
    """Return what a relation divides by: its factors as polynomials, and as they are written."""
    found: dict[sp.Expr, None] = {}
    for e in sp.postorder_traversal(relation):
        if e.is_Pow and e.exp.is_negative:
            top, bottom = sp.fraction(sp.together(e.base))
            parts = [*sp.factor_list(top)[1], *sp.factor_list(bottom)[1]]
            found |= dict.fromkeys(base for base, _ in parts)
            written = [b.base if b.is_Pow else b for b in sp.Mul.make_args(e.base)]
            known = {sign * base for base, _ in parts for sign in (1, -1)}
            found |= dict.fromkeys(b for b in written if sp.expand(b) not in known)
    return list(found)


def squares_in(relations: Iterable[sp.Basic]) -> list[sp.Expr]:
    """Return the sums that occur in relations with an even exponent."""
    powers = {p for r in relations for p in r.atoms(sp.Pow) if p.base.is_Add and p.exp.is_Integer and p.exp % 2 == 0}
    return sorted({p.base for p in powers if sp.fraction(sp.together(p.base))[1].is_number}, key=str)


@dataclass
class StatementDraft:
    """A statement as relations between plain letters, with the question that its proof has to answer.

    Parameters
    ----------
    given : list of relation
        Hypotheses.
    shows : relation
        The conclusion.
    products : bool
        Whether all inner products of its vectors are letters, be they in it or not.
    """

    given: list[sp.Basic]
    shows: sp.Basic
    products: bool = False

    def __post_init__(self) -> None:
        relations = conjuncts(self.given)
        grams = {g for r in (*relations, self.shows) for g in r.atoms(sp.Function(INNER))}
        if self.products:
            names = sorted({a.name for g in grams for a in g.args})
            grams = {g for g in map(gram, *zip(*product(names, repeat=2), strict=True)) if g != 0} if names else grams
        self.vectors = vector_sorts(a.name for g in grams for a in g.args)
        used = {s.name: "" for r in (*relations, self.shows) for s in scalars(r).free_symbols}
        reading = RelationWriter(used | self.vectors)
        self.shows = reading.plain(self.shows)
        plain = [reading.plain(r) for r in relations]
        self.given, self.values = [*reading.definitions, *plain], reading.values
        self.seen = [scalars(r) for r in self.given]
        everywhere = [*self.seen, scalars(self.shows), *(scalars(e) for _, of in self.values.values() for e in of)]
        everywhere += map(scalars, grams) if self.products else []
        self.letters = sorted(set().union(*(r.free_symbols for r in everywhere)), key=lambda s: s.name)
        clash = {s.name for s in self.letters} & set(self.vectors)
        require(not clash, "letters", sorted(clash), "names that are not those of vectors")
        self.question, self.steps = FactBase(self.letters), list[Proof]()

    def define(self) -> StatementDraft:
        """See to it that every denominator is known not to vanish: by a step, or else by a hypothesis."""
        self.question, self.steps, apart = define_denominators(self.letters, self.seen, scalars(self.shows))
        self.given += apart
        self.seen += apart
        return self

    @property
    def statement(self) -> Statement:
        """The statement as text."""
        sorts = {s.name: sort_of(s) for s in self.letters if s.name[0] != "<"}
        values = {s.name: value_text(kind, of) for s, (kind, of) in self.values.items()}
        return Statement(sorts | self.vectors, tuple(map(text_of, self.given)), text_of(self.shows), values)

    @property
    def divides(self) -> set[str]:
        """The hypotheses, as text, that may be needed for denominators."""
        bases = (d for r in (*self.seen, scalars(self.shows)) for d in denominators(r))
        return {text_of(sp.Ne(base, 0, evaluate=False)) for base in bases if not base.is_number}

    def certificate(self, kind: str, proof: Proof) -> Certificate:
        """Return the certificate with a proof of the conclusion."""
        steps = [*self.steps, *proof.get("steps", [])]
        rest = {k: v for k, v in proof.items() if k != "steps"}
        return {"kind": kind, **self.statement.data, **({"steps": steps} if steps else {}), **rest}

    def lemma(self, gap: sp.Expr, op: str) -> int | None:
        """Prove ``gap op 0`` as a step and return its number, or None where no proof was found."""
        proof = prove(self.question.copy(), (), gap, op)
        if proof is None:
            return None
        self.steps.append({"shows": f"{expression(sp.factor(gap))} {op} 0", **proof})
        self.question.note(gap, op)
        return len(self.question.facts) - 1


def define_denominators(
    letters: list[sp.Symbol], hypotheses: Sequence[sp.Basic], conclusion: sp.Basic
) -> tuple[FactBase, list[Proof], list[sp.Basic]]:
    """Return a question in which no denominator vanishes, the steps that show it, and what they assume.

    What is not found to be positive or negative gets the hypothesis that it is not zero.
    """
    bases = dict.fromkeys(d for r in (*hypotheses, conclusion) for d in denominators(r) if not d.is_number)
    found: list[tuple[sp.Expr, Proof]] = []
    question = _usable(letters, hypotheses, [])
    waiting = [b for b in bases if not _has_visible_sign(question, b)]
    while True:
        shown = next((s for b in waiting if (s := _prove_sign(question, hypotheses, b)) is not None), None)
        if shown is None:
            break
        found.append(shown[1:])
        waiting.remove(shown[0])
        question = _usable(letters, hypotheses, [base for base, _ in found])
    apart = [sp.Ne(base, 0, evaluate=False) for base in waiting]
    plain = [b for b in waiting if not sp.fraction(sp.together(b))[1].free_symbols]
    positive = [b for b in plain if question.signs.legal_sum(polynomial(sp.expand(b), letters))]
    whole = FactBase(letters, [*positive, *(base for base, _ in found)], squares=squares_in((*hypotheses, conclusion)))
    for hypothesis in (*hypotheses, *apart):
        whole.note(*orient_relation(hypothesis))
    for base, _ in found:
        whole.note(base, ">")
    return whole, [{"shows": f"{expression(base)} > 0", **proof} for base, proof in found], apart


def _usable(letters: list[sp.Symbol], hypotheses: Sequence[sp.Basic], positive: list[sp.Expr]) -> FactBase:
    """Return a question with the hypotheses that divide by nothing but what is known to be positive or negative."""
    question = FactBase(letters, [*positive])
    for hypothesis in hypotheses:
        known = all(_has_visible_sign(question, d) for d in denominators(hypothesis) if not d.is_number)
        question.note(*(orient_relation(hypothesis) if known else (sp.S.Zero, "!=")))
    return question


def _prove_sign(
    question: FactBase, hypotheses: Sequence[sp.Basic], base: sp.Expr
) -> tuple[sp.Expr, sp.Expr, Proof] | None:
    """Return (base, base or its negative, a proof that this is positive), or None where none was found.

    A maximum, which is one of several numbers, is looked at case by case.
    """
    extreme = base.is_Symbol and any(isinstance(h, sp.Or) and base in h.free_symbols for h in hypotheses)
    for sign in (1, -1):
        side = sp.expand(sign * base)
        terms = question.prove(side, ">", quick=True)
        proof = {"by": terms} if terms else prove(question, hypotheses, side, ">", quick=True) if extreme else None
        if proof is not None:
            return base, side, proof
    return None


def _has_visible_sign(question: FactBase, base: sp.Expr) -> bool:
    """Whether the sign of a denominator is seen as it is written, without factors taken apart."""
    if sp.fraction(sp.together(base))[1].free_symbols:
        return False
    if any(sp.expand(base - known) == 0 or sp.expand(base + known) == 0 for known in question.positive):
        return True
    return bool(question.sign_of(base)) and (base.is_Symbol or not base.is_Add or len(sp.factor_list(base)[1]) == 1)


def prove(
    question: FactBase, hypotheses: Sequence[sp.Basic], gap: sp.Expr, op: str, *, quick: bool = False
) -> Proof | None:
    """Return the proof of ``gap op 0``, by cases where a hypothesis has alternatives."""
    split = next((k for k, h in enumerate(hypotheses) if isinstance(h, sp.Or)), None)
    if split is None:
        terms = question.prove(gap, op, quick=True)
        steps = [] if terms or quick else prove_steps(question, gap)
        terms = terms or (None if quick else question.prove(gap, op))
        return None if terms is None else {"steps": steps, "by": terms} if steps else {"by": terms}
    each = []
    for side in hypotheses[split].args:
        case = question.copy()
        case.note(*orient_relation(side))
        rest = [sp.true if k == split else h for k, h in enumerate(hypotheses)]
        proof = prove(case, rest, gap, op, quick=quick)
        if proof is None:
            return None
        each.append(proof)
    return {"cases": split, "each": each}


def orient_relation(relation: sp.Basic) -> tuple[sp.Expr, str]:
    """Return (gap, op) with gap op 0, op one of >=, >, =, !=; "or" for alternatives."""
    if relation == sp.false:
        return sp.S.Zero, ">"
    if isinstance(relation, sp.Or):
        return sp.S.Zero, "or"
    op = RELATIONS[type(relation)]
    gap = relation.rhs - relation.lhs if op[0] == "<" else relation.lhs - relation.rhs
    return gap, {"<=": ">=", "<": ">"}.get(op, op)
