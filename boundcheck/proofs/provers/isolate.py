"""Bring an inequality with a power of the index to the form in which logarithms can be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

if TYPE_CHECKING:
    from collections.abc import Callable


def isolate_power(lhs: sp.Expr, rhs: sp.Expr, has_power: Callable[[sp.Expr], bool]) -> tuple[sp.Expr, sp.Expr]:
    """Return two sides with the same difference, the summands with such a power alone on theirs.

    ``((1 + 3/(2r))^r - 1) 2/3 <= 7/3`` becomes ``2/3 (1 + 3/(2r))^r <= 3``: no sum with a power is left, as long as at
    most one summand has one on each side.

    Parameters
    ----------
    lhs, rhs : expression
        Of ``lhs <= rhs``.
    has_power : callable
        Whether a summand has the index in an exponent.
    """
    summands = sp.Add.make_args(sp.expand(lhs - rhs, power_base=False, power_exp=False, multinomial=False))
    left = [s for s in summands if has_power(s) and not s.could_extract_minus_sign()]
    right = [s for s in summands if s not in left]
    return sp.Add(*left), -sp.Add(*right)
