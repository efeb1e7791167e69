"""Sums and products over rounds in the formulas of a bound, `sympy.Sum` and `sympy.Product`, as loops over numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sympy.printing.numpy import NumPyPrinter

from boundcheck.errors import NotApplicableError

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
