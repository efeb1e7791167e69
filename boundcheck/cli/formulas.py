"""Formulas for people: sympy expressions as text over several lines, in the letters of the notation."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from boundcheck.cli.columns import wrapped

if TYPE_CHECKING:
    from sympy import Basic, Expr
    from sympy.printing.pretty.pretty import PrettyPrinter


def formula(expression: Basic, width: int | None = None) -> str:
    """Return an expression or a relation as typeset text: fractions with a bar, roots with a sign, powers raised.

    Parameters
    ----------
    expression : sympy expression or relation
    width : int, optional
        Columns that there are: a sum that is wider stands term by term, a product factor by factor, and what is wider
        even so on lines of its own in one-line form.
    """
    import sympy

    from boundcheck.notation import LETTERS

    if expression.is_number:
        return str(expression)
    spelled = {s: sympy.Symbol(LETTERS[s.name].text, positive=True) for s in expression.free_symbols}
    return _within(expression.xreplace(spelled), width)


def _within(expression: Basic, width: int | None) -> str:
    typeset = "\n".join(line.rstrip() for line in str(_printer().doprint(expression)).splitlines())
    if width is None or max(map(len, typeset.splitlines())) <= width:
        return typeset
    parts = _parts(expression)
    if parts and width > _LEAST:
        inside = not expression.is_Add and not expression.is_Relational
        return "\n".join(_led(sign, _part(part, width - len(sign) - 1, inside=inside)) for sign, part in parts)
    return "\n".join(wrapped(on_one_line(str(expression)), width, hanging=2))


def _part(part: Basic, width: int, *, inside: bool) -> str:
    """Return a term, factor or side; a sum among factors in parentheses."""
    if not (inside and part.is_Add):
        return _within(part, width)
    lines = _within(part, width - 4).splitlines()
    long = max(map(len, lines))
    if len(lines) == 1:
        return f"({lines[0]})"
    ends = ["⎛⎞", *["⎜⎟"] * (len(lines) - 2), "⎝⎠"]
    return "\n".join(f"{end[0]} {line:<{long}} {end[1]}" for end, line in zip(ends, lines, strict=True))


_LEAST = 24
"""Columns below which a formula is not taken apart further."""


def _parts(expression: Basic) -> list[tuple[str, Basic]]:
    """Return the terms, factors or sides of an expression with the signs between them; none where there is one."""
    import sympy

    if isinstance(expression, sympy.core.relational.Relational):
        signs = {"<=": "≤", ">=": "≥", "==": "=", "!=": "≠"}
        return [(" ", expression.lhs), (signs.get(expression.rel_op, expression.rel_op), expression.rhs)]
    if isinstance(expression, sympy.Add):
        return [("+" if i else " ", term) for i, term in enumerate(expression.as_ordered_terms())]
    if isinstance(expression, sympy.Piecewise):
        return [
            ("otherwise:" if on == sympy.true else f"for {_within(on, None)}:", value) for value, on in expression.args
        ]
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


def _led(sign: str, block: str) -> str:
    """Return a block behind the sign before it, which stands at the height of a fraction's bar."""
    lines = block.splitlines()
    bar = next((i for i, line in enumerate(lines) if line.strip() and set(line.strip()) == {"─"}), len(lines) // 2)
    return "\n".join(f"{sign if i == bar else ' ' * len(sign)} {line}" for i, line in enumerate(lines))


def on_one_line(text: str) -> str:
    """Return a formula in Python, such as ``2*L**2 <= 1``, on one line that can be broken, in printed letters."""
    from boundcheck.report.markup import spelled

    spaced = re.sub(r"(?<=[^*\s])\*(?=[^*])|/", r" \g<0> ", text).replace("**", "^")
    cases = spaced.replace("Piecewise(", "(").replace(", True)", ", otherwise)")
    return spelled(cases.replace("Max(", "max(").replace("Min(", "min(").replace(" * ", " "))


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


def entry(name: str, text: str) -> str:
    """Return a named text; one of several lines starts below its name."""
    if "\n" not in text:
        return f"{name}: {text}"
    return "\n".join([f"{name}:", *(f"    {line}" for line in text.splitlines())])
