"""Suprema and infima of a formula of one variable over the whole line, decided by sympy or left undecided."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sympy as sp


class ExtremeValues(NamedTuple):
    """Infimum and supremum of a function on the line, and where; a limit has no place."""

    low: float
    low_at: float | None
    high: float
    high_at: float | None


def extremes(expression: sp.Expr, z: sp.Symbol) -> ExtremeValues | None:
    """Return the extremes of a smooth expression, or None where sympy cannot list its critical points.

    A smooth function takes its extremes at critical points or approaches them at infinity; a periodic one takes them
    within one period.  What has kinks or jumps is left undecided.
    """
    axis = _axis(tuple(sorted(z.assumptions0.items())))
    return _extremes(expression.xreplace({z: axis}), axis)


@cache
def _axis(assumptions: tuple[tuple[str, bool], ...]) -> sp.Symbol:
    """Return one variable for all that are alike: coordinates often have one formula."""
    import sympy as sp

    return sp.Dummy("z", **dict(assumptions))


@lru_cache(maxsize=1 << 8)
def _extremes(expression: sp.Expr, z: sp.Symbol) -> ExtremeValues | None:
    import sympy as sp

    expression = sp.simplify(expression)
    if expression.has(sp.Abs, sp.sign, sp.DiracDelta, sp.Heaviside, sp.Piecewise, sp.Max, sp.Min, sp.floor, sp.ceiling):
        return None
    if not expression.has(z):
        constant = float(expression)
        return ExtremeValues(constant, 0.0, constant, 0.0)
    try:
        if sp.singularities(expression, z, sp.S.Reals) != sp.S.EmptySet:
            return None
        # No rational function repeats, which sympy takes a third of the time here to find out.
        period = None if expression.is_rational_function(z) else sp.periodicity(expression, z)
        domain = sp.S.Reals if period is None else sp.Interval(0, period)
        critical = sp.solveset(sp.together(sp.diff(expression, z)), z, domain)
        ends = [] if period is not None else [sp.limit(expression, z, end) for end in (-sp.oo, sp.oo)]
    except (NotImplementedError, ValueError, TypeError):
        return None
    if not isinstance(critical, sp.FiniteSet) and critical != sp.S.EmptySet:
        return None
    return _choose_extremes(expression, z, [sp.N(point, 30) for point in critical], ends)


def _choose_extremes(
    expression: sp.Expr, z: sp.Symbol, points: list[sp.Expr], ends: list[sp.Expr]
) -> ExtremeValues | None:
    if not all(end.is_extended_real for end in ends) or not all(point.is_real for point in points):
        return None
    found: list[tuple[float, float | None]] = [
        (float(sp_value), float(point)) for point in points for sp_value in [expression.subs(z, point).evalf()]
    ]
    found += [(float(end), None) for end in ends]
    if not found:
        return None
    low, high = min(found, key=lambda pair: pair[0]), max(found, key=lambda pair: pair[0])
    return ExtremeValues(low[0], low[1], high[0], high[1])
