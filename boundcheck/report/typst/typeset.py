"""Sympy expressions in Typst mathematics, in the letters of `boundcheck.notation`."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, ClassVar

import sympy as sp
from sympy.printing.printer import Printer

from boundcheck.notation import LETTERS
from boundcheck.report.typst.markup import literal

if TYPE_CHECKING:
    from collections.abc import Collection

_RANK = {name: i for i, name in enumerate(LETTERS)}


def typeset(expression: Any) -> str:
    """Return an expression or a relation as Typst mathematics, without the dollar signs."""
    return str(TypstPrinter().doprint(sp.sympify(expression)))


def typeset_difference(expression: sp.Expr, differing: Collection[tuple[sp.Expr, sp.Expr]]) -> str:
    """Return a product in which the factors that are named, as base and exponent, are in the colour of a difference."""
    return str(TypstPrinter({"differing": frozenset(differing)}).doprint(expression))


def _rank(factor: sp.Expr) -> tuple[int, int, str]:
    base = factor.as_base_exp()[0]
    if base.is_Symbol:
        return (0, _RANK.get(base.name, len(_RANK)), base.name)
    return (1, len(base.free_symbols), sp.default_sort_key(base).__str__())


def _tall(base: sp.Expr, exponent: sp.Expr) -> bool:
    """Return whether a factor holds fractions or cases of its own, and so stands beside a fraction, not in it."""
    parts = sp.preorder_traversal(base)
    return exponent.is_integer is True and any(
        isinstance(e, (sp.Min, sp.Max, sp.Piecewise))
        or (e.is_Pow and e.exp.could_extract_minus_sign())
        or (e.is_Rational and not e.is_Integer)
        for e in parts
    )


def _colour(text: str, *, new: bool) -> str:
    return f"newpart({text})" if new else text


class TypstPrinter(Printer):  # type: ignore[misc]
    """Prints +, *, rational powers, Min, Max, ceilings, logarithms, cases and relations."""

    printmethod = "_typst"
    _default_settings: ClassVar[dict[str, Any]] = {"differing": frozenset()}
    _RELATIONS: ClassVar[dict[str, str]] = {"<=": "<=", "<": "<", ">=": ">=", ">": ">", "==": "=", "!=": "!="}

    def emptyPrinter(self, expr: Any) -> str:
        """Set what has no rule in upright text."""
        return literal(str(expr))

    def _print_Symbol(self, expr: sp.Symbol) -> str:
        return LETTERS[expr.name].typst if expr.name in LETTERS else literal(expr.name)

    def _print_Integer(self, expr: sp.Integer) -> str:
        return str(expr.p)

    def _print_Rational(self, expr: sp.Rational) -> str:
        sign = "-" if expr.p < 0 else ""
        return f"{sign}{abs(expr.p)}\\/{expr.q}"

    def _print_Float(self, expr: sp.Float) -> str:
        return f"{float(expr):.4g}"

    def _print_Exp1(self, expr: sp.Expr) -> str:
        return "upright(e)"

    def _print_Pi(self, expr: sp.Expr) -> str:
        return "pi"

    def _print_Infinity(self, expr: sp.Expr) -> str:
        return "infinity"

    def _print_exp(self, expr: sp.Expr) -> str:
        return f"upright(e)^({self._print(expr.args[0])})"

    def _print_log(self, expr: sp.Expr) -> str:
        return f"log({self._print(expr.args[0])})"

    def _print_ceiling(self, expr: sp.Expr) -> str:
        return f"ceil({self._print(expr.args[0])})"

    def _print_Min(self, expr: sp.Expr) -> str:
        return self._list_arguments("min", expr)

    def _print_Max(self, expr: sp.Expr) -> str:
        return self._list_arguments("max", expr)

    def _list_arguments(self, name: str, expr: sp.Expr) -> str:
        return f"{name}({', '.join(self._print(a) for a in sorted(expr.args, key=sp.default_sort_key))})"

    def _print_Piecewise(self, expr: sp.Piecewise) -> str:
        lines = [
            f'{self._print(value)} quad & "otherwise"'
            if condition == True  # noqa: E712
            else f'{self._print(value)} quad & "if " {self._print(condition)}'
            for value, condition in expr.args
        ]
        return f"cases({', '.join(lines)})"

    def _print_Relational(self, expr: sp.Rel) -> str:
        return f"{self._print(expr.lhs)} {self._RELATIONS[expr.rel_op]} {self._print(expr.rhs)}"

    def _print_Add(self, expr: sp.Add) -> str:
        terms = sorted(expr.as_ordered_terms(), key=lambda t: t.could_extract_minus_sign())
        out = self._print(terms[0])
        for term in terms[1:]:
            negative = term.could_extract_minus_sign()
            out += f" - {self._bracket_sum(-term)}" if negative else f" + {self._print(term)}"
        return str(out)

    def _bracket_sum(self, expr: sp.Expr) -> str:
        """Print with brackets if the expression is a sum."""
        inner = self._print(expr)
        return f"({inner})" if expr.is_Add else str(inner)

    def _print_Pow(self, expr: sp.Pow) -> str:
        return self._print_Mul(expr)

    def _print_Mul(self, expr: sp.Expr) -> str:
        if expr.could_extract_minus_sign():
            return f"-{self._bracket_sum(-expr)}"
        over, under = self._split(expr)
        if not under:
            return self._product(over)
        tall = [f for f in over if isinstance(f, tuple) and _tall(*f)]
        fraction = f"frac({self._product([f for f in over if f not in tall])}, {self._product(under)})"
        return f"{fraction} {self._product([*tall, sp.S.One]).removeprefix('1 ')}" if tall else fraction

    @staticmethod
    def _split(expr: sp.Expr) -> tuple[list[sp.Expr], list[sp.Expr]]:
        """Return the factors of numerator and denominator, all with positive exponents."""
        over: list[sp.Expr] = []
        under: list[sp.Expr] = []
        for factor in sp.Mul.make_args(expr):
            if factor.is_Rational:
                over += [sp.Integer(factor.p)] if factor.p != 1 else []
                under += [sp.Integer(factor.q)] if factor.q != 1 else []
                continue
            base, exponent = factor.as_base_exp()
            if exponent.could_extract_minus_sign():
                under.append((base, -exponent))
            else:
                over.append((base, exponent))
        return over, under

    def _product(self, factors: list[Any]) -> str:
        """Print factors side by side: numbers, letters, brackets, then roots that are gathered by their index."""
        if not factors:
            return "1"
        numbers = [self._print(f) for f in factors if not isinstance(f, tuple)]
        pairs = sorted((f for f in factors if isinstance(f, tuple)), key=lambda f: _rank(f[0]))
        roots: dict[tuple[int, bool], list[sp.Expr]] = defaultdict(list)
        plain = []
        for base, exponent in pairs:
            new = self._differs(base, exponent)
            if exponent.is_Rational and exponent.q > 1 and (exponent.q == 2 or base.is_number or len(pairs) > 1):
                roots[int(exponent.q), new].append((base, sp.Integer(exponent.p)))
            else:
                plain.append(_colour(self._power_markup(base, exponent, alone=len(factors) == 1), new=new))
        gathered = [_colour(self._root(q, inside), new=new) for (q, new), inside in sorted(roots.items())]
        return " ".join(numbers + plain + gathered)

    def _differs(self, base: sp.Expr, exponent: sp.Expr) -> bool:
        """Return whether a factor of the whole is to be in colour, above or below a fraction's line."""
        wanted = self._settings["differing"] if self._print_level == 1 else ()
        return (base, exponent) in wanted or (base, -exponent) in wanted

    def _root(self, index: int, inside: list[Any]) -> str:
        body = self._product([base if base.is_Integer and e == 1 else (base, e) for base, e in inside])
        return f"sqrt({body})" if index == 2 else f"root({index}, {body})"

    def _power_markup(self, base: sp.Expr, exponent: sp.Expr, *, alone: bool) -> str:
        inner = str(self._print(base))
        if exponent == 1:
            return f"({inner})" if base.is_Add and not alone else inner
        if not (base.is_Symbol or base.is_Integer or base == sp.E):
            inner = f"({inner})"
        if exponent.is_Rational and exponent.q > 1:
            return f"{inner}^({exponent.p}\\/{exponent.q})"
        return f"{inner}^({self._print(exponent)})"
