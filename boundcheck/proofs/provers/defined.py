"""Whether a statement is defined: every divisor is shown not to be 0 wherever the hypotheses hold.

A divisor that is written and cancels (``x/x``) counts like one that is left; so does one that a multiplier brings.
Roots and logarithms are no divisors: a statement is about the values at which they are defined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from boundcheck.errors import InputError
from boundcheck.proofs.language.claim import Outcome
from boundcheck.proofs.provers.hilbert import DEVIATION, INNER
from boundcheck.proofs.provers.solver import SolverQuery
from boundcheck.proofs.provers.witness import simplest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from boundcheck.proofs.provers.solver import Point


def divisors(*expressions: sp.Expr) -> list[sp.Expr]:
    """Return what expressions divide by, each once, but for what the signs of its letters keep from 0."""
    powers = (p for e in expressions for p in sp.preorder_traversal(sp.sympify(e)) if isinstance(p, sp.Pow))
    # The exponents of an index and those of numbers: neither base may be 0 where the exponent may be negative.
    return plain_divisors(p.base for p in powers if not p.exp.is_nonnegative)


def plain_divisors(written: Iterable[sp.Expr]) -> list[sp.Expr]:
    """Return divisors, each once, but for what the signs of its letters keep from 0."""
    found = (sp.sympify(d) for d in written)
    return list(dict.fromkeys(d for d in found if not d.is_nonzero))


def apart_from_zero(written: Iterable[sp.Expr]) -> list[sp.Basic]:
    """Return the conditions that divisors are not 0, of those without vectors."""
    return [sp.Ne(d, 0, evaluate=False) for d in plain_divisors(written) if not d.has(INNER)]


def divisors_of_form(form: sp.Expr) -> tuple[list[sp.Expr], list[sp.Expr]]:
    """Return the divisors of a form between vectors, and apart those of its terms with deviations from a mean.

    Deviations vanish for one client, so that what only they are divided by matters from two clients on.
    """
    terms = sp.Add.make_args(sp.expand(form))
    apart = [t for t in terms if any(a.name.endswith(DEVIATION) for g in t.atoms(INNER) for a in g.args)]
    common = divisors(*(t for t in terms if t not in apart))
    return common, [d for d in divisors(*apart) if d not in common]


def check_divisors(found: Sequence[sp.Expr], hypotheses: Sequence[sp.Basic], timeout: float) -> Outcome | None:
    """Return None where no divisor can be 0 under the hypotheses, else what is not known to be defined.

    Parameters
    ----------
    found : sequence of expression
        Divisors.
    hypotheses : sequence of relation
        What holds; the signs of letters hold, too.
    timeout : float
        Work for one question, in seconds of an idle machine.
    """
    for divisor in found:
        if _kept_apart(divisor, hypotheses):
            continue
        conditions = [_plain(c) for c in (*hypotheses, sp.Eq(divisor, 0, evaluate=False))]
        try:
            answer = SolverQuery(conditions).ask(timeout)
        except InputError:
            return Outcome("undecided", detail=f"it is not shown that {divisor} is not 0, by which is divided")
        if answer.text != "unsat":
            point = None if answer.point is None else simplest(conditions) or answer.point
            return Outcome("undecided", detail=_explain_divisor(divisor, point, answer.text))
    return None


def _kept_apart(divisor: sp.Expr, hypotheses: Sequence[sp.Basic]) -> bool:
    """Whether one hypothesis keeps a divisor from 0, as ``beta < 1`` does 1 - beta and ``N >= 2`` does N - 1."""
    if isinstance(divisor, sp.Pow) and divisor.exp.is_positive:
        return _kept_apart(divisor.base, hypotheses)
    if isinstance(divisor, sp.Mul):
        return all(factor.is_nonzero or _kept_apart(factor, hypotheses) for factor in divisor.args)
    for one in hypotheses:
        if isinstance(one, sp.Ne) and _is_multiple(divisor, one.lhs - one.rhs):
            return True
        if isinstance(one, (sp.Le, sp.Lt, sp.Ge, sp.Gt)):
            gap = one.lhs - one.rhs if isinstance(one, (sp.Ge, sp.Gt)) else one.rhs - one.lhs
            rests = (sp.expand(sign * divisor - gap) for sign in (1, -1))
            if any(rest.is_positive or (rest.is_nonnegative and isinstance(one, (sp.Lt, sp.Gt))) for rest in rests):
                return True
    return False


def _is_multiple(one: sp.Expr, other: sp.Expr) -> bool:
    return bool(sp.cancel(one / other).is_nonzero) if other != 0 else False


def _plain(condition: sp.Basic) -> sp.Basic:
    """Return a condition with a letter in the place of every inner product."""
    grams = condition.atoms(INNER)
    return condition.xreplace({g: _letter(g) for g in grams}) if grams else condition


def _letter(gram: sp.Expr) -> sp.Symbol:
    first, second = gram.args
    return sp.Symbol(f"product_{first}_{second}", **({"nonnegative": True} if first == second else {"real": True}))


def _explain_divisor(divisor: sp.Expr, point: Point | None, answer: str) -> str:
    if point is None:
        return f"whether {divisor}, by which is divided, can be 0: solver: {answer}"
    at = ", ".join(
        f"{s} = {sp.N(x, 6) if x.is_Float else x}" for s, x in sorted(point.items(), key=lambda p: p[0].name)
    )
    return (
        f"not defined at {at}: it divides by {divisor}" if at else f"not defined: it divides by {divisor}, which is 0"
    )
