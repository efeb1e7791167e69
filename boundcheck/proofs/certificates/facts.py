"""Which facts about exponentials, logarithms and powers a statement may use: those whose conditions are shown."""

from __future__ import annotations

import re
from itertools import permutations
from typing import TYPE_CHECKING

import sympy as sp

from boundcheck.proofs.certificates.statement import expression, scalars
from boundcheck.proofs.kernel.elementary import ARGUMENTS, FACTS

if TYPE_CHECKING:
    from boundcheck.proofs.certificates.build import StatementDraft

MOST_VALUES = 4
OPERATORS = {"<=": (-1, ">="), "<": (-1, ">"), ">=": (1, ">="), ">": (1, ">"), "=": (1, "=")}


def add_facts(draft: StatementDraft) -> None:
    """Add a step for each fact about the values of a statement whose conditions are shown, and steps for these."""
    values = list(draft.values)[:MOST_VALUES]
    shown: dict[tuple[sp.Expr, str], bool] = {}
    for name, (kinds, conditions, shows) in FACTS.items():
        for chosen in permutations(values, len(kinds)):
            if tuple(draft.values[letter][0] for letter in chosen) != kinds:
                continue
            names = _names(draft, chosen)
            if all(_is_shown(draft, *_relation(line, names), shown) for line in conditions):
                draft.steps.append({"fact": name, "of": [letter.name for letter in chosen]})
                draft.question.note(*_relation(shows, names))


def _names(draft: StatementDraft, chosen: tuple[sp.Symbol, ...]) -> dict[str, sp.Expr]:
    """Return what the letters of a fact stand for."""
    names: dict[str, sp.Expr] = {}
    for place, letter in enumerate(chosen, start=1):
        kind, of = draft.values[letter]
        named = zip(ARGUMENTS[kind], of, strict=True)
        names |= {f"v{place}": letter, **{f"{mark}{place}": scalars(e) for mark, e in named}}
    return names


def _relation(line: str, names: dict[str, sp.Expr]) -> tuple[sp.Expr, str]:
    """Return (gap, op) of a relation of the table, with ``gap op 0``."""
    left, op, right = re.split(r" (<=|>=|<|>|=) ", line)
    sides = [sp.sympify(side.replace("^", "**"), locals=names) for side in (left, right)]
    sign, turned = OPERATORS[op]
    return sign * (sides[0] - sides[1]), turned


def _is_shown(draft: StatementDraft, gap: sp.Expr, op: str, shown: dict[tuple[sp.Expr, str], bool]) -> bool:
    """Whether a condition holds, by a step that is added where it is needed."""
    gap = sp.cancel(sp.together(gap))
    if op == "=" or gap.is_number:
        return bool(gap == 0 if op == "=" else gap > 0 or (gap == 0 and op == ">="))
    key = gap, op
    if key not in shown:
        terms = draft.question.prove(gap, op, quick=True)
        shown[key] = terms is not None
        if terms is not None:
            draft.steps.append({"shows": f"{expression(gap)} {op} 0", "by": terms})
            draft.question.note(gap, op)
    return shown[key]
