"""Goals given by plain numpy functions: comparison of two sides, and replays made from the functions' own source."""

from __future__ import annotations

import ast
import inspect
import math
import textwrap
import types
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MARGIN = 1e-9


def ratio(lhs: Any, rhs: Any) -> float:
    """Return lhs/rhs, above 1 exactly when lhs > rhs; for sides that are not positive it is turned accordingly."""
    if lhs == rhs:
        return 1.0 if lhs else 0.0
    if rhs > 0:
        return max(float(lhs / rhs), 0.0)
    if lhs > rhs:
        return math.inf
    return float(rhs / lhs)


def exceeds(lhs: Any, rhs: Any) -> bool:
    """Whether lhs > rhs: exactly for fractions, by more than a relative `MARGIN` for floats."""
    if isinstance(lhs, (int, Fraction)) and isinstance(rhs, (int, Fraction)):
        return lhs > rhs
    return bool(lhs - rhs > MARGIN * (abs(lhs) + abs(rhs)))


def value_of(x: Any) -> Any:
    """Return the number in a 0-d array or a one-element array, anything else as it is."""
    return x.item() if isinstance(x, (np.ndarray, np.generic)) else x


def plain(value: Any) -> Any:
    """Return a number or an array for a witness: exact fractions as strings, arrays as nested tuples."""
    if isinstance(value, np.ndarray):
        return tuple(plain(x) for x in value)
    if isinstance(value, Fraction):
        return str(value)
    return value_of(value)


def literal(value: Any, *, exact: bool = False) -> str:
    """Return a value as Python source; a fraction as a quotient, or as `Fraction` when it has to stay exact."""
    if isinstance(value, np.ndarray):
        return f"np.array({_nested_literal(value, exact=exact)})"
    if isinstance(value, Fraction):
        return f"Fraction({value.numerator}, {value.denominator})" if exact else str(value)
    if isinstance(value, (tuple, list, dict, str, int, float, complex, np.generic, type(None))):
        return repr(value_of(value))
    msg = f"{value!r} has no source"
    raise TypeError(msg)


def _nested_literal(value: Any, *, exact: bool) -> str:
    if isinstance(value, np.ndarray):
        return f"[{', '.join(_nested_literal(x, exact=exact) for x in value)}]"
    return literal(value, exact=exact)


def call(function: Callable[..., Any], arguments: str) -> str:
    """Return source of a call; what a `partial` fixes is written out."""
    fixed = [f"{k}={literal(v)}" for k, v in function.keywords.items()] if isinstance(function, partial) else []
    return f"{_bare(function).__name__}({', '.join([arguments, *fixed])})"


def source(*functions: Callable[..., Any]) -> str | None:
    """Return the source of functions with the helpers and constants they use, or None where it is not at hand.

    Functions must be written with `def`; a `partial` stands for the function inside it.
    """
    lines: dict[str, str] = {}
    try:
        for function in functions:
            _collect(_bare(function), lines)
    except (OSError, TypeError):
        return None
    return "\n".join(lines.values())


def script(lines: list[str], *functions: Callable[..., Any]) -> str | None:
    """Return a replay: numpy, the functions, and the lines; None where the source is not at hand."""
    text = source(*functions)
    return None if text is None else "\n".join(["import numpy as np", text, *lines])


def assignments(values: Mapping[str, Any]) -> list[str]:
    """Return one line of source for each value."""
    return [f"{name} = {literal(value)}" for name, value in values.items()]


def _bare(function: Callable[..., Any]) -> Callable[..., Any]:
    return _bare(function.func) if isinstance(function, partial) else function


def _collect(function: Any, lines: dict[str, str]) -> None:
    if function.__name__ == "<lambda>":
        msg = "a lambda has no source of its own"
        raise TypeError(msg)
    tree = _strip_annotations(textwrap.dedent(inspect.getsource(function)))
    lines[function.__name__] = ""  # functions that call each other are met once
    for name, value in _used(function, tree).items():
        if name not in lines and value is not np:
            _write(name, value, lines)
    del lines[function.__name__]
    lines[function.__name__] = ast.unparse(tree)


def _used(function: types.FunctionType, tree: ast.Module) -> dict[str, Any]:
    """Return the globals and enclosing variables of a function, those in comprehensions and defaults included."""
    defaults = [node for node in ast.walk(tree) if isinstance(node, ast.arguments)]
    names = {n.id for d in defaults for n in ast.walk(d) if isinstance(n, ast.Name)}
    codes = [function.__code__]
    for code in codes:
        names |= {*code.co_names}
        codes += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    cells = inspect.getclosurevars(function).nonlocals
    return {name: function.__globals__[name] for name in sorted(names) if name in function.__globals__} | dict(cells)


def _write(name: str, value: Any, lines: dict[str, str]) -> None:
    if isinstance(value, types.ModuleType):
        lines[name] = f"import {value.__name__} as {name}"
    elif isinstance(value, types.FunctionType) and value.__module__.partition(".")[0] not in {"numpy", "itertools"}:
        _collect(value, lines)
        if name != value.__name__:
            lines[name] = f"{name} = {value.__name__}"
    elif hasattr(value, "__module__") and hasattr(value, "__name__"):
        lines[name] = f"from {value.__module__} import {value.__name__} as {name}"
    else:
        lines[name] = f"{name} = {literal(value)}"


def _strip_annotations(text: str) -> ast.Module:
    """Return one function without annotations and docstring, so that it needs no imports for them."""
    tree = ast.parse(text)
    head = tree.body[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        if isinstance(node, ast.FunctionDef):
            node.returns = None
    if isinstance(head, ast.FunctionDef) and ast.get_docstring(head) is not None:
        head.body = head.body[1:]
    return tree
