"""What the Gram matrices and values of a run obey: interpolation, floors, starts, heterogeneity and noise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boundcheck.worst.facts.classes import ProblemClass


def interpolation(rows: Any, given: ProblemClass, a: tuple[int, Any, Any], b: tuple[int, Any, Any]) -> Any:
    """Return the row that is <= 0 between two points of a function whose curvatures are in [mu, L].

    ``f_b - f_a + <g_b, x_a - x_b> + (|g_a - g_b|^2/L + mu |x_a - x_b|^2 - 2 (mu/L) <g_a - g_b, x_a - x_b>)
    / (2 (1 - mu/L))``; at mu = -L it is the condition for L-smooth functions.

    Parameters
    ----------
    rows : Stacked or Forms
        Makes rows, or forms, of products and values.
    given : ProblemClass
    a, b : tuple
        Number of the value, point and gradient.

    References
    ----------
    Taylor, Hendrickx, Glineur, Mathematical Programming 161 (2017), Theorem 4.
    """
    (fa, xa, ga), (fb, xb, gb) = a, b
    L, mu = given.L, given.convexity
    dx, dg = xa - xb, ga - gb
    bent = rows.square(dg) / L + mu * rows.square(dx) - 2 * (mu / L) * rows.product(dg, dx)
    return rows.value(fb) - rows.value(fa) + rows.product(gb, dx) + bent / (2 * (1 - mu / L))


def floor(rows: Any, given: ProblemClass, f: int, g: Any) -> Any:
    """Return the row of ``|g|^2/(2L) - f``, <= 0 where an L-smooth function has its floor at 0.

    It is necessary for every mu <= L, by a step of 1/L.  Of one function with mu <= 0 it is sufficient at the points of
    its data: the largest function through them, ``mu |x|^2/2 + min over the simplex of
    (L-mu)/2 |x - sum a w|^2 + sum a t`` with ``w = (L x - g)/(L-mu)``, has the infimum over x
    ``sum a t + mu (L-mu)/(2L) |sum a w|^2``, which is concave in the weights a; at a vertex it is ``f - |g|^2/(2L)``.
    """
    return rows.square(g) / (2 * given.L) - rows.value(f)
