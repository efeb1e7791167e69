"""Powers with a letter as exponent, exponentials and logarithms of letters, by what is known of each for all values.

Each becomes a letter, of which elementary inequalities hold: Bernoulli's for b^k, 1 + x <= exp(x), log(y) <= y - 1.
What follows from these is proved; what does not is left open, for they do not say everything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from boundcheck.proofs.language.claim import AllOf
from boundcheck.proofs.provers.real import Real

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.proofs.language.claim import Goal


def by_elementary_facts(goal: Goal) -> Goal | None:
    """Return a goal with letters for powers, exponentials and logarithms, from which it follows; None for another."""
    if isinstance(goal, AllOf):
        found = [by_elementary_facts(one) or one for one in goal.goals]
        return AllOf(tuple(found)) if any(a is not b for a, b in zip(found, goal.goals, strict=True)) else None
    if not isinstance(goal, Real):
        return None
    letters: dict[sp.Expr, sp.Symbol] = {}
    for e in (goal.lhs, goal.rhs, *goal.given):
        for part in sp.postorder_traversal(e):
            if _is_elementary(part) and part not in letters:
                letters[part] = sp.Symbol(f"value_{len(letters)}", **_sign(part))
    if not letters:
        return None
    facts = [one for part, letter in letters.items() for one in _facts(part, letter)]
    lhs, rhs, *given = (sp.sympify(e).xreplace(letters) for e in (goal.lhs, goal.rhs, *goal.given, *facts))
    return Real(lhs, rhs, tuple(given), goal.laws, goal.divides)


def _is_elementary(e: sp.Basic) -> bool:
    if isinstance(e, (sp.exp, sp.log)):
        return bool(e.free_symbols)
    return bool(e.is_Pow and not e.exp.is_Rational)


def _sign(e: sp.Expr) -> dict[str, bool]:
    return {"positive": True} if isinstance(e, sp.exp) else {"real": True}


def _facts(e: sp.Expr, value: sp.Symbol) -> Iterator[sp.Basic]:
    """Yield what holds of a power, an exponential or a logarithm wherever it is defined."""
    if isinstance(e, sp.exp):
        (x,) = e.args
        yield sp.Ge(value, 1 + x, evaluate=False)
        yield _if(sp.Lt(x, 1, evaluate=False), sp.Le(value * (1 - x), 1, evaluate=False))  # exp(-x) >= 1 - x
        inside = (sp.Ge(x, -1, evaluate=False), sp.Le(x, 1, evaluate=False))
        yield _if(*inside, sp.Le(value, 1 + x + x**2, evaluate=False))
        yield _if(sp.Ge(x, 0, evaluate=False), sp.Ge(value, 1 + x + x**2 / 2, evaluate=False))
        yield _if(sp.Le(x, 0, evaluate=False), sp.Le(value, 1 + x + x**2 / 2, evaluate=False))
    elif isinstance(e, sp.log):
        # Nothing is said of a y that may be 0 or less, which has no logarithm.
        (y,) = e.args
        legal = sp.Gt(y, 0, evaluate=False)
        yield _if(legal, sp.Le(value, y - 1, evaluate=False))
        yield _if(legal, sp.Ge(value * y, y - 1, evaluate=False))  # log(1/y) <= 1/y - 1
        yield _if(sp.Ge(y, 1, evaluate=False), sp.Ge(value, y - 1 - (y - 1) ** 2 / 2, evaluate=False))
    else:
        # Nothing is said of a base that may be negative: its power is a number at some exponents alone.
        base, k = e.base, e.exp
        legal, least = sp.Ge(base, 0, evaluate=False), sp.Ge(k, 1, evaluate=False)
        above, below = sp.Ge(base, 1, evaluate=False), sp.Le(base, 1, evaluate=False)
        positive, concave = sp.Ge(k, 0, evaluate=False), sp.Le(k, 1, evaluate=False)
        yield _if(legal, sp.Ge(value, 0, evaluate=False))
        # Bernoulli, for b^k and for (1/b)^k: b^k (b + k (1 - b)) <= b.
        yield _if(legal, least, sp.Ge(value, 1 + k * (base - 1), evaluate=False))
        yield _if(legal, least, sp.Le(value * (base + k * (1 - base)), base, evaluate=False))
        yield _if(legal, least, below, sp.Le(value, base, evaluate=False))
        yield _if(least, above, sp.Ge(value, base, evaluate=False))
        yield _if(legal, positive, below, sp.Le(value, 1, evaluate=False))
        yield _if(positive, above, sp.Ge(value, 1, evaluate=False))
        yield _if(legal, positive, concave, sp.Le(value, 1 + k * (base - 1), evaluate=False))


def _if(*parts: sp.Basic) -> sp.Basic:
    """Return that the last of several relations holds where the others do."""
    *conditions, conclusion = parts
    return sp.Or(*(one.negated for one in conditions), conclusion, evaluate=False)
