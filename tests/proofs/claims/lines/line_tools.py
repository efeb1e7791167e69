"""What the readable lemma tests share: equality of formulas, and an inequality by the signs of coefficients.

Letters are positive.  A letter b in (0, 1] is written 1/(1 + t) with t > 0.  Vector lines are checked in one
coordinate, over which both sides add.
"""

import numpy as np
import sympy as sp


def same(left, right):
    """Return whether two formulas are one."""
    return sp.simplify(sp.expand(left - right)) == 0


def positive(names):
    """Return positive symbols."""
    return sp.symbols(names, positive=True)


def real(names):
    """Return real symbols: coordinates of vectors."""
    return sp.symbols(names, real=True)


def never_negative(e):
    """Return whether e >= 0 for all positive letters because no coefficient is negative."""
    above, below = sp.fraction(sp.together(sp.expand(e)))
    return all(_signs(part) for part in (above, below)) or all(_signs(-part) for part in (above, below))


def _signs(e):
    e = sp.expand(e)
    return (
        e == 0 or all(c >= 0 for c in sp.Poly(e, *sorted(e.free_symbols, key=str)).coeffs())
        if e.free_symbols
        else e >= 0
    )


def square_sum(e, *letters):
    """Return whether a quadratic form in these letters is never negative: its matrix has no negative minor."""
    matrix = sp.hessian(sp.expand(e), letters) / 2
    return all(never_negative(sp.factor(matrix[rows, rows].det())) for rows in _subsets(len(letters)))


def negative_somewhere(e, *_):
    """Return whether e < 0 at one of many random points: a false neighbour is refuted, not only unproved."""
    letters = sorted(e.free_symbols, key=str)
    at, rng = sp.lambdify(letters, e), np.random.default_rng(0)
    for _ in range(2000):
        point = [
            np.exp(3 * x) if letter.is_positive else x
            for letter, x in zip(letters, rng.standard_normal(len(letters)), strict=True)
        ]
        if at(*point) < 0:
            return True
    return False


def _subsets(n):
    return [[i for i in range(n) if mask >> i & 1] for mask in range(1, 2**n)]
