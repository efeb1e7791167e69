"""Proofs as files that others can check: SMT-LIB for what z3 answered, sympy scripts for the rest.

Every script needs sympy (and numpy for enumerations) and ends silently when what it says is true; of a refuted claim it
is the replay of the witness.
"""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING

import sympy as sp

from boundcheck.errors import require
from boundcheck.files.atomic import write_whole
from boundcheck.proofs.goals import goal_of
from boundcheck.proofs.language.claim import AllOf, AnyOf
from boundcheck.proofs.provers import Expected, GramBound, Identity, Rationals
from boundcheck.proofs.provers.enumeration import SEED
from boundcheck.proofs.provers.gram import form_matrix, split_constant
from boundcheck.proofs.provers.hilbert import names_of
from boundcheck.proofs.provers.numeric import call, literal, source
from boundcheck.proofs.provers.solver import questions

if TYPE_CHECKING:
    from pathlib import Path

    from boundcheck.proofs.language.claim import Claim, Goal

TIMEOUT = 20.0
HEAD = ["import sympy as sp", 'inner = sp.Function("inner")']
SEMIDEFINITE = """
def semidefinite(rows):
    if not rows:
        return True
    k = max(range(len(rows)), key=lambda i: rows[i][i])
    if rows[k][k] <= 0:
        return all(entry == 0 for row in rows for entry in row)
    rest = [i for i in range(len(rows)) if i != k]
    return semidefinite([[rows[i][j] - rows[i][k] * rows[k][j] / rows[k][k] for j in rest] for i in rest])
""".strip()


def write(claim: Claim, folder: Path, timeout: float = TIMEOUT) -> list[Path]:
    """Write the proof of a claim into a folder and return the files, numbered in the order of the proof.

    Parameters
    ----------
    claim : Claim
        Its goal is decided anew, so that every question put to z3 is met.
    folder : Path
        Made when it does not exist.
    timeout : float
        Work for one question, in seconds of an idle machine.
    """
    require(not folder.exists() or folder.is_dir(), "export", str(folder), "a folder")
    folder.mkdir(parents=True, exist_ok=True)
    goal = goal_of(claim.goal)
    with questions() as asked:
        outcome = goal.decide(timeout)
    refuted = outcome.verdict == "refuted"
    texts = [("py", text) for text in ([outcome.replay or ""] if refuted else scripts(goal)) if text]
    texts += [("smt2", text) for text in dict.fromkeys(asked)]
    files = []
    for k, (ending, text) in enumerate(texts):
        path = folder / f"{claim.id}.{k:02d}.{ending}"
        comment = "#" if ending == "py" else ";"
        head = dict.fromkeys([f"{claim.id}: {claim.title}", *claim.printed, *claim.statement])
        write_whole(path, "".join(f"{comment} {line}\n" for line in head) + f"{text}\n")
        files.append(path)
    return files


@singledispatch
def scripts(goal: Goal) -> list[str]:
    """Return the self-contained scripts that belong to a goal; goals that only ask z3 have none."""
    del goal
    return []


@scripts.register
def _every(goal: AllOf) -> list[str]:
    return [text for part in goal.goals for text in scripts(part)]


@scripts.register
def _any(goal: AnyOf) -> list[str]:
    """Return the scripts of the forms that came out true; the others say nothing that could be checked."""
    return [text for part in goal.goals if part.decide(TIMEOUT).verdict == "proved" for text in scripts(part)]


@scripts.register
def _identity(goal: Identity) -> list[str]:
    sides = [sp.expand(sp.sympify(side).subs(goal.where)).subs(goal.where) for side in (goal.lhs, goal.rhs)]
    lines = [*HEAD, *_symbols(*sides), *(f"{name} = {_text(e)}" for name, e in zip(("lhs", "rhs"), sides, strict=True))]
    lines += ["gap = sp.expand(lhs - rhs)", "assert gap == 0 or sp.cancel(sp.together(gap)) == 0, gap"]
    return ["\n".join(lines)]


@scripts.register
def _gram(goal: GramBound) -> list[str]:
    """Return the form as a matrix; without parameters its exact elimination, else the SMT-LIB files have the pivots."""
    names = names_of(goal.lhs, goal.rhs, *(expression for _, expression in goal.given))
    used = sp.Add(*(multiplier * expression for multiplier, expression in goal.given))
    form, constant = split_constant(goal.rhs - goal.lhs - used)
    matrix = form_matrix(form, names)
    rows = "[" + ", ".join(f"[{', '.join(_text(x) for x in matrix.row(i))}]" for i in range(len(names))) + "]"
    lines = [
        *HEAD,
        *_symbols(goal.lhs, goal.rhs, used),
        "gram = lambda m, n: inner(*(sp.Symbol(name) for name in sorted((m, n))))",
        *(f"{name} = {_text(e)}" for name, e in (("lhs", goal.lhs), ("rhs", goal.rhs), ("used", used))),
        f"constant = {_text(constant)}",
        f"rows = {rows}",
        f"vectors = {names}",
        "grams = [[gram(m, n) for n in vectors] for m in vectors]",
        "form = sum(rows[i][j] * grams[i][j] for i in range(len(rows)) for j in range(len(rows))) + constant",
        "assert sp.cancel(sp.together(sp.expand(rhs - lhs - used - form))) == 0",
    ]
    if not matrix.free_symbols:
        lines += [SEMIDEFINITE, "assert semidefinite(rows)"]
    return ["\n".join(lines)]


@scripts.register
def _expected_script(goal: Expected) -> list[str]:
    """Return the averages over all outcomes at every state that was tried, in exact fractions."""
    text = source(goal.chance, goal.sides)
    if text is None:
        return []
    states = [goal.state(Rationals(SEED + k)) for k in range(goal.states)]
    lines = ["from fractions import Fraction", "import numpy as np", text, "states = ["]
    lines += [
        "    {" + ", ".join(f"{name!r}: {literal(x, exact=True)}" for name, x in s.items()) + "}," for s in states
    ]
    lines += [
        "]",
        "for state in states:",
        f"    pairs = [{call(goal.sides, 'outcome, **state')} for outcome in {call(goal.chance, '**state')}]",
        "    lhs, rhs = (sum(pair[k] for pair in pairs) for k in (0, 1))",
        f"    assert {'lhs == rhs' if goal.equal else 'lhs <= rhs'}, (state, lhs, rhs)",
    ]
    return ["\n".join(lines)]


def _symbols(*expressions: sp.Expr) -> list[str]:
    """Return lines that declare every symbol with its sign; vectors inside inner products are plain names."""
    used = set().union(*(sp.sympify(e).free_symbols for e in expressions))
    lines = ["names = {'inner': inner}"]
    for symbol in sorted(used, key=lambda s: s.name):
        signs = [f"{sign}=True" for sign in ("positive", "nonnegative") if symbol.assumptions0.get(sign)][:1]
        lines.append(f"names[{symbol.name!r}] = sp.Symbol({', '.join([repr(symbol.name), *signs])})")
    return lines


def _text(e: sp.Expr) -> str:
    return f"sp.sympify({str(sp.sympify(e))!r}, locals=names)"
