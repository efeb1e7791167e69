"""From relations to a certificate: read, see to it that everything is defined, prove."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy as sp

from boundcheck.certificates.real import Question
from boundcheck.certificates.statement import RELATIONS, Reading, Statement, conjuncts, expression, sort_of, text_of

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
            if bottom.free_symbols:
                found |= dict.fromkeys(b.base if b.is_Pow else b for b in sp.Mul.make_args(e.base))
    return list(found)


def real(given: Iterable[sp.Basic], shows: sp.Basic) -> Certificate | None:
    """Return a certificate that relations imply a relation between real numbers, or None where none was found."""
    reading = Reading()
    given = conjuncts(given)
    reading.letters = {s.name: sort_of(s) for s in set().union(*(r.free_symbols for r in (*given, shows)))}
    conclusion = reading.plain(shows)
    plain = [reading.plain(r) for r in given]
    hypotheses = [*reading.definitions, *plain]
    letters = sorted(set().union(*(r.free_symbols for r in (*hypotheses, conclusion))), key=lambda s: s.name)
    question, steps, apart = defined(letters, hypotheses, conclusion)
    hypotheses += apart
    statement = Statement({s.name: sort_of(s) for s in letters}, tuple(map(text_of, hypotheses)), text_of(conclusion))
    proof = prove(question, hypotheses, *oriented(conclusion))
    if proof is None:
        return None
    steps += proof.pop("steps", [])
    return {"kind": "real", **statement.data, **({"steps": steps} if steps else {}), **proof}


def defined(
    letters: list[sp.Symbol], hypotheses: Sequence[sp.Basic], conclusion: sp.Basic
) -> tuple[Question, list[Proof], list[sp.Basic]]:
    """Return a question in which every denominator is known not to vanish, the steps that show it, and what they assume.

    What is not found to be positive or negative gets the hypothesis that it is not zero.
    """
    question = Question(letters)
    for hypothesis in hypotheses:
        question.note(*oriented(hypothesis))
    bases = dict.fromkeys(d for r in (*hypotheses, conclusion) for d in denominators(r))
    open_ = [b for b in bases if not question.sign_of(b)]
    apart = []
    found: list[tuple[sp.Expr, list[Any]]] = []
    for base in open_:
        for sign in (1, -1):
            terms = question.prove(sp.expand(sign * base), ">", quick=True)
            if terms is not None:
                found.append((sp.expand(sign * base), terms))
                question.positive.append(sp.expand(sign * base))
                break
        else:
            apart.append(sp.Ne(base, 0, evaluate=False))
    again = Question(letters, question.positive)
    for hypothesis in (*hypotheses, *apart):
        again.note(*oriented(hypothesis))
    steps: list[Proof] = [{"shows": f"{expression(base)} > 0", "by": terms} for base, terms in found]
    for base, _ in found:
        again.note(base, ">")
    return again, steps, apart


def prove(question: Question, hypotheses: Sequence[sp.Basic], gap: sp.Expr, op: str) -> Proof | None:
    """Return the proof of ``gap op 0``, by cases where a hypothesis has alternatives."""
    split = next((k for k, h in enumerate(hypotheses) if isinstance(h, sp.Or)), None)
    if split is None:
        terms = question.prove(gap, op)
        return None if terms is None else {"by": terms}
    each = []
    for side in hypotheses[split].args:
        case = question.copy()
        case.note(*oriented(side))
        rest = [sp.true if k == split else h for k, h in enumerate(hypotheses)]
        proof = prove(case, rest, gap, op)
        if proof is None:
            return None
        each.append(proof)
    return {"cases": split, "each": each}


def oriented(relation: sp.Basic) -> tuple[sp.Expr, str]:
    """Return (gap, op) with gap op 0, op one of >=, >, =, !=; "or" for alternatives."""
    if relation == sp.false:
        return sp.S.Zero, ">"
    if isinstance(relation, sp.Or):
        return sp.S.Zero, "or"
    op = RELATIONS[type(relation)]
    gap = relation.rhs - relation.lhs if op[0] == "<" else relation.lhs - relation.rhs
    return gap, {"<=": ">=", "<": ">"}.get(op, op)
