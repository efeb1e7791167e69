"""What formulas of a bound may have beside numpy's functions: sums and products over rounds, and a few others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp
from sympy.printing.codeprinter import PrintMethodNotImplementedError
from sympy.printing.numpy import NumPyPrinter

from boundcheck.errors import InputError, NotApplicableError

if TYPE_CHECKING:
    from collections.abc import Callable

MOST = 10**7
"""Terms of a sum, or factors of a product, at most."""


def sum_of(term: Callable[[Any], Any], first: Any, last: Any) -> Any:
    """Return the sum of a term over the whole numbers from first to last, 0 where there are none."""
    return np.sum(_values(term, first, last))


def product_of(term: Callable[[Any], Any], first: Any, last: Any) -> Any:
    """Return the product of a term over the whole numbers from first to last, 1 where there are none."""
    return np.prod(_values(term, first, last))


def _values(term: Callable[[Any], Any], first: Any, last: Any) -> Any:
    """Return a term at all whole numbers of a range, in the kind of number that its ends have.

    Raises
    ------
    NotApplicableError
        If there are too many.
    """
    count = last - first + 1
    if not count <= MOST:
        msg = f"a sum or product over {count:.3g} rounds is too long: at most {MOST:.0e}"
        raise NotApplicableError(msg)
    at = first + np.arange(max(round(float(count)), 0), dtype=np.result_type(first, last, np.float64))
    try:
        return term(at) + 0.0 * at
    except (TypeError, ValueError):
        # A sum within a sum has ends that differ from one to the next.
        return np.array([term(one) for one in at], dtype=at.dtype)


LOOPS = {"sum_of": sum_of, "product_of": product_of}


class LoopPrinter(NumPyPrinter):  # type: ignore[misc]
    """Prints sums and products as calls of `sum_of` and `product_of`, the last index outermost."""

    def _print_Sum(self, expression: Any) -> str:
        return self._print_loop("sum_of", expression)

    def _print_Product(self, expression: Any) -> str:
        return self._print_loop("product_of", expression)

    def _print_loop(self, name: str, expression: Any) -> str:
        printed: str = self._print(expression.function)
        for index, first, last in expression.limits:
            printed = f"{name}(lambda {self._print(index)}: {printed}, {self._print(first)}, {self._print(last)})"
        return printed


def print_function(arguments: list[sp.Symbol], formula: sp.Expr, functions: dict[str, Any]) -> Callable[..., Any]:
    """Return a formula as a function of numbers.

    Parameters
    ----------
    arguments : list of Symbol
        Its letters.
    formula : Expr
    functions : dict
        What it may call beside loops, by name.

    Raises
    ------
    InputError
        If it has a function that is not known in numbers; the message names it.
    """
    printer = LoopPrinter({"fully_qualified_modules": False, "inline": True})
    known = _in_known_functions(formula) if formula.has(*_REWRITTEN) else formula
    try:
        made: Callable[..., Any] = sp.lambdify(arguments, known, modules=[LOOPS, functions], printer=printer)
    except PrintMethodNotImplementedError as error:
        name = str(error).partition("\n")[0].rpartition(": ")[2].strip("<>'").rpartition(".")[2]
        msg = (
            f"{formula} has {name}, which is not known in numbers: legal are sums, products, powers, min, max, floor, "
            "log, exp, trigonometric functions, Sum, Product, Piecewise, factorial, gamma, binomial, harmonic, "
            "chebyshevt; or name it as a letter and compute it in `derived`"
        )
        raise InputError(msg) from None
    return made


_REWRITTEN = (sp.harmonic, sp.factorial, sp.chebyshevt)


def _in_known_functions(formula: sp.Expr) -> sp.Expr:
    """Return a formula without factorials, harmonic numbers and Chebyshev polynomials, which have no whole numbers."""
    i, one = sp.Dummy("i", integer=True), sp.Integer(1)
    found = formula.replace(sp.harmonic, lambda n, power=one: sp.Sum(i**-power, (i, 1, n)))
    found = found.replace(sp.factorial, lambda n: sp.gamma(n + 1))
    return found.replace(
        sp.chebyshevt,
        lambda n, x: sp.Piecewise((sp.cosh(n * sp.acosh(sp.Max(x, 1))), x >= 1), (sp.cos(n * sp.acos(x)), True)),
    )
