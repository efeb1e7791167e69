"""From sympy to real arithmetic: denominators, roots, maxima and minima become defined variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp
import z3

from boundcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

COMPARE: dict[type, Callable[[z3.ArithRef, z3.ArithRef], z3.BoolRef]] = {
    sp.Le: lambda a, b: a <= b,
    sp.Ge: lambda a, b: a >= b,
    sp.Lt: lambda a, b: a < b,
    sp.Gt: lambda a, b: a > b,
    sp.Eq: lambda a, b: a == b,
    sp.Ne: lambda a, b: a != b,
}


EULER = (sp.Rational(2718281828, 10**9), sp.Rational(2718281829, 10**9))


class Translator:
    """Translates sympy expressions and relations for one solver.

    Parameters
    ----------
    context : z3.Context
        Where the terms live.

    Notes
    -----
    A quotient ``1/b`` becomes ``t`` with ``t*b == 1`` and ``b**(p/q)`` becomes ``t >= 0`` with ``t**q == b**p`` and
    ``b >= 0``, so that a statement is decided exactly where both of its sides are defined.  Euler's number becomes a
    variable between the rational bounds `EULER`: what holds for all of these holds for it.
    """

    def __init__(self, context: z3.Context) -> None:
        self.context = context
        self.symbols: dict[sp.Symbol, z3.ArithRef] = {}
        self.definitions: list[z3.BoolRef] = []
        self._fresh: dict[sp.Expr, z3.ArithRef] = {}

    def relation(self, statement: sp.Basic | bool) -> z3.BoolRef:  # noqa: FBT001
        """Return a sympy relation, conjunction or disjunction as a z3 formula."""
        relation: sp.Basic = sp.sympify(statement)
        if relation in (sp.true, sp.false):
            return z3.BoolVal(bool(relation), self.context)
        if isinstance(relation, sp.And):
            return z3.And(*map(self.relation, relation.args))
        if isinstance(relation, sp.Or):
            return z3.Or(*map(self.relation, relation.args))
        compare = COMPARE.get(type(relation))
        if compare is not None:
            return compare(self.term(relation.lhs), self.term(relation.rhs))
        msg = f"relation = {relation!r} is not legal: use <=, >=, <, >, Eq, Ne, And or Or"
        raise InputError(msg)

    def term(self, e: sp.Expr) -> z3.ArithRef:
        """Return a sympy expression as a z3 real term."""
        if e.is_Rational:
            return z3.Q(int(e.p), int(e.q), self.context)
        if e.is_Symbol:
            return self._symbol(e)
        if e.is_Add:
            return z3.Sum(*map(self.term, e.args))
        if e.is_Mul:
            return z3.Product(*map(self.term, e.args))
        if e is sp.E:
            return self._define(e, lambda t: [t > self.term(EULER[0]), t < self.term(EULER[1])])
        if isinstance(e, sp.exp) and e.args[0].is_Rational:
            return self._power(sp.E, e.args[0])
        if e.is_Pow and e.exp.is_Rational:
            return self._power(e.base, e.exp)
        if isinstance(e, (sp.Max, sp.Min)):
            return self._extreme(e)
        if isinstance(e, sp.Abs):
            return self._extreme(sp.Max(e.args[0], -e.args[0], evaluate=False))
        msg = (
            f"expression = {e!r} is not legal: real arithmetic has rational powers, Max, Min and Abs only; exp and log"
            " need `for x >= 0` or a box"
        )
        raise InputError(msg)

    def _symbol(self, s: sp.Symbol) -> z3.ArithRef:
        if s not in self.symbols:
            variable = z3.Real(s.name, self.context)
            self.symbols[s] = variable
            if s.is_positive:
                self.definitions.append(variable > 0)
            elif s.is_nonnegative:
                self.definitions.append(variable >= 0)
            elif s.is_negative:
                self.definitions.append(variable < 0)
            elif s.is_nonpositive:
                self.definitions.append(variable <= 0)
            elif s.is_nonzero:
                self.definitions.append(variable != 0)
        return self.symbols[s]

    def _power(self, base: sp.Expr, exponent: sp.Rational) -> z3.ArithRef:
        p, q = int(exponent.p), int(exponent.q)
        if q == 1 and p > 0:
            return _times(self.term(base), p)
        if p < 0:
            below = base if q == 1 and p == -1 else sp.Pow(base, -exponent, evaluate=False)
            return self._define(base**exponent, lambda t: [t * self.term(below) == 1])
        root = self._define(
            base ** sp.Rational(1, q),
            lambda t: [t >= 0, _times(t, q) == self.term(base), self.term(base) >= 0],
        )
        return _times(root, p)

    def _extreme(self, e: sp.Expr) -> z3.ArithRef:
        terms = [self.term(a) for a in e.args]
        above = isinstance(e, sp.Max)
        return self._define(
            e, lambda t: [*(t >= a if above else t <= a for a in terms), z3.Or(*(t == a for a in terms))]
        )

    def _define(self, key: sp.Expr, rules: Callable[[z3.ArithRef], list[z3.BoolRef]]) -> z3.ArithRef:
        if key not in self._fresh:
            variable = z3.FreshReal("t", self.context)
            self._fresh[key] = variable
            self.definitions.extend(rules(variable))
        return self._fresh[key]


def _times(factor: z3.ArithRef, count: int) -> z3.ArithRef:
    """Return a power as a product; a product of one factor is not SMT-LIB."""
    return factor if count == 1 else z3.Product(*[factor] * count)
