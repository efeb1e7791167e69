"""Values at which an inequality with exp, log or powers fails: simple fractions, certified by intervals."""

from __future__ import annotations

from itertools import islice, product
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from boundcheck.errors import InputError
from boundcheck.proofs.language.claim import AllOf, Outcome
from boundcheck.proofs.provers.monotone import UndefinedError, enclose
from boundcheck.proofs.provers.real import Real
from boundcheck.proofs.provers.replay import show_failure, witness_of
from boundcheck.proofs.provers.solver import symbols_of
from boundcheck.proofs.provers.witness import COUNTED, in_order

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.proofs.language.claim import Goal
    from boundcheck.proofs.provers.solver import Point

_SIMPLE = "1 2 1/2 3 1/3 3/2 2/3 4 1/4 5 9/10 11/10 10 1/10 100 1/100 1000"
VALUES = tuple(map(sp.Rational, _SIMPLE.split(" ")))
WHOLE = tuple(map(sp.Integer, (1, 2, 3, 4, 5, 10, 100, 1000)))
MOST_POINTS = 20_000
MOST_CERTIFIED = 12
GAP = 1e-9
"""Part of the right side by which floating point is sure to see that it is exceeded."""


def is_elementary(goal: Goal) -> bool:
    """Return whether a goal is between numbers, with an exponential, a logarithm or a letter in an exponent."""
    if isinstance(goal, AllOf):
        return any(map(is_elementary, goal.goals))
    if not isinstance(goal, Real):
        return False
    parts = [p for e in (goal.lhs, goal.rhs, *goal.given) for p in sp.preorder_traversal(e) if p.free_symbols]
    return any(isinstance(p, (sp.exp, sp.log)) or (p.is_Pow and not p.exp.is_Rational) for p in parts)


def refute_at_points(goal: Goal) -> Outcome | None:
    """Return a point of the domain at which a goal between numbers fails, None where none of those tried does."""
    if isinstance(goal, AllOf):
        return next((found for one in goal.goals if (found := refute_at_points(one)) is not None), None)
    if not isinstance(goal, Real):
        return None
    known = [*goal.given, *goal.laws]
    letters = in_order(symbols_of(goal.lhs, goal.rhs, *known))
    points = list(_points(letters))
    columns = [np.array([float(point[s]) for point in points]) for s in letters]
    with np.errstate(all="ignore"):
        left, right = (_values(letters, e, columns) for e in (goal.lhs, goal.rhs))
        fails = left - right > GAP * (1 + np.abs(right))
        for relation in known:
            fails &= np.asarray(sp.lambdify(letters, relation, "numpy")(*columns), dtype=bool)
    for k in islice(np.flatnonzero(fails), MOST_CERTIFIED):
        point = points[int(k)]
        if _is_certified(goal, known, point):
            witness = witness_of(point)
            detail = "certified by interval arithmetic at the witness"
            return Outcome("refuted", witness, show_failure(goal.lhs, goal.rhs, witness), detail, prover="points")
    return None


def _points(letters: list[sp.Symbol]) -> Iterator[Point]:
    """Yield points of simple fractions, the simplest first; whole numbers for what is counted."""
    choices = [_choices(s) for s in letters]
    size = max((len(c) for c in choices), default=1)
    most = next(n for n in range(size, 0, -1) if n ** len(letters) <= MOST_POINTS or n <= 2)
    tried = set()
    for n in range(1, most + 1):
        for values in product(*(c[:n] for c in choices)):
            if values not in tried:
                tried.add(values)
                yield dict(zip(letters, values, strict=True))
    rng = np.random.default_rng(0)
    for _ in range(MOST_POINTS - len(tried)):
        yield {s: c[int(rng.integers(len(c)))] for s, c in zip(letters, choices, strict=True)}


def _choices(symbol: sp.Symbol) -> tuple[sp.Rational, ...]:
    values = (*WHOLE, *(v for v in VALUES if v not in WHOLE)) if symbol.name in COUNTED else VALUES
    if symbol.is_positive:
        return values
    if symbol.is_nonnegative:
        return (*values, sp.S.Zero)
    return (*(part for v in values for part in (v, -v)), sp.S.Zero)


def _values(letters: list[sp.Symbol], e: sp.Expr, columns: list[np.ndarray]) -> np.ndarray:
    found = sp.lambdify(letters, e, "numpy")(*columns)
    return np.broadcast_to(np.asarray(found, dtype=float), np.shape(columns[0]) if columns else ())


def _is_certified(goal: Real, known: list[sp.Basic], point: Point) -> bool:
    """Whether intervals show that what is known holds at a point and the goal does not."""
    box = {s: (v, v) for s, v in point.items()}
    try:
        holds = all(_holds(relation, box) for relation in known)
        return holds and bool(enclose(goal.lhs, box).a > enclose(goal.rhs, box).b)
    except (InputError, UndefinedError):
        return False


def _holds(relation: sp.Basic, box: dict[sp.Symbol, tuple[sp.Expr, sp.Expr]]) -> bool:
    if isinstance(relation, (sp.And, sp.Or)):
        combine = all if isinstance(relation, sp.And) else any
        return combine(_holds(part, box) for part in relation.args)
    gap = (relation.lhs - relation.rhs).subs({s: low for s, (low, _) in box.items()})
    if gap.is_Rational:
        return bool(relation.func(gap, 0))
    low = enclose(gap, {})
    if isinstance(relation, (sp.Le, sp.Lt)):
        return bool(low.b < 0)
    return bool(low.a > 0) if isinstance(relation, (sp.Ge, sp.Gt)) else False
