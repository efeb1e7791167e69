"""Formulas for people: sympy expressions as text over several lines, in the letters of the notation."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from boundcheck.cli.terminal.laying import LEAST, wide, within

if TYPE_CHECKING:
    from sympy import Basic, Expr
    from sympy.printing.pretty.pretty import PrettyPrinter

    from boundcheck.cli.terminal.laying import Drawing


def formula(expression: Basic, width: int | None = None) -> str:
    """Return an expression or a relation as typeset text: fractions with a bar, roots with a sign, powers raised.

    Parameters
    ----------
    expression : sympy expression or relation
    width : int, optional
        Columns that there are: a sum that is wider stands term by term, a product factor by factor, and what is wider
        even so on lines of its own in one-line form.
    """
    return within(drawing(expression), width)


def drawing(expression: Basic) -> Drawing:
    """Return an expression or a relation typeset, and taken apart, as plain data."""
    import sympy

    from boundcheck.notation import LETTERS

    if expression.is_number:
        return {"=": str(expression)}
    spelled = {s: sympy.Symbol(LETTERS[s.name].text, positive=True) for s in expression.free_symbols}
    return {"=": str(expression), **_drawing(expression.xreplace(spelled))}


def _drawing(expression: Basic) -> Drawing:
    typeset, line = _typeset(expression), on_one_line(str(expression))
    found: Drawing = {"drawn": typeset} | ({"line": line} if line != typeset else {})
    # A narrower one has no width at which it is taken apart.
    parts = _parts(expression) if wide(typeset) > LEAST + 1 else []
    inside = not expression.is_Add and not expression.is_Relational
    sides = [[sign, _drawing(part), *([True] if inside and part.is_Add else [])] for sign, part in parts]
    return found | ({"parts": sides} if sides else {})


def _typeset(expression: Basic) -> str:
    return "\n".join(line.rstrip() for line in str(_printer().doprint(expression)).splitlines())


def _parts(expression: Basic) -> list[tuple[str, Basic]]:
    """Return the terms, factors or sides of an expression with the signs between them; none where there is one."""
    import sympy

    if isinstance(expression, sympy.core.relational.Relational):
        signs = {"<=": "≤", ">=": "≥", "==": "=", "!=": "≠"}
        return [(" ", expression.lhs), (signs.get(expression.rel_op, expression.rel_op), expression.rhs)]
    if isinstance(expression, sympy.Add):
        return [("+" if i else " ", term) for i, term in enumerate(expression.as_ordered_terms())]
    if isinstance(expression, sympy.Piecewise):
        return [("otherwise:" if on == sympy.true else f"for {_typeset(on)}:", value) for value, on in expression.args]
    above, below = sympy.fraction(expression)
    if below != 1:
        return [(" ", above), ("/", below)]
    sums = [factor for factor in sympy.Mul.make_args(expression) if factor.has(sympy.Add)]
    if isinstance(expression, sympy.Mul) and sums:
        rest = expression.func(*(factor for factor in expression.args if factor not in sums))
        return [("⋅" if i else " ", factor) for i, factor in enumerate([rest, *sums] if rest != 1 else sums)]
    if isinstance(expression, (sympy.Min, sympy.Max)):
        name = "min" if isinstance(expression, sympy.Min) else "max"
        return [(f"{name} of" if i == 0 else "    and", part) for i, part in enumerate(expression.args)]
    return [(" ", expression.base), ("^", expression.exp)] if isinstance(expression, sympy.Pow) else []


def on_one_line(text: str) -> str:
    """Return a formula in Python, such as ``2*L**2 <= 1``, on one line that can be broken, in printed letters."""
    from boundcheck.report.typst.markup import raise_powers

    spaced = re.sub(r"(?<=[^*\s])\*(?=[^*])|/", r" \g<0> ", text).replace("**", "^")
    cases = spaced.replace("Piecewise(", "(").replace(", True)", ", otherwise)")
    return raise_powers(cases.replace("Max(", "max(").replace("Min(", "min(").replace(" * ", " "))


@cache
def _printer() -> PrettyPrinter:
    """Return sympy's printer with minima and maxima that are typeset as functions are."""
    from sympy.printing.pretty.pretty import PrettyPrinter as Sympys
    from sympy.printing.pretty.stringpict import prettyForm

    class Printer(Sympys):  # type: ignore[misc]
        def _print_Min(self, expression: Expr) -> prettyForm:
            return self._function("min", expression)

        def _print_Max(self, expression: Expr) -> prettyForm:
            return self._function("max", expression)

        def _function(self, name: str, expression: Expr) -> prettyForm:
            inner = prettyForm(*self._print_seq(expression.args, delimiter=", ").parens())
            return prettyForm(*inner.left(name))

    return Printer({"use_unicode": True, "wrap_line": False})
