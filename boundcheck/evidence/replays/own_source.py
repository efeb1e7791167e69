"""The source of a function of the user's own, with the names that it uses: what a script of numpy needs to call it."""

from __future__ import annotations

import ast
import inspect
import math
import textwrap
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from boundcheck.evidence.replays.expressions import UnspelledError

_NUMBERS = 64
"""Most numbers of an array that a function uses."""
_MODULES = (np, math)
"""What a function may import."""


def spell_function(name: str, function: Any) -> list[str]:
    """Return lines that define a function under a name, with everything that it uses inside.

    Parameters
    ----------
    name : str
        How the script calls it.
    function : callable
        A function or a lambda that stands in a file and uses numbers, arrays, numpy, math, and others like it.

    Raises
    ------
    UnspelledError
        If its source is not found, or it uses anything else.
    """
    inner, text = _source(function)
    lines = [f"def make_{name}():", *_indent(_names_used(function, {function.__code__}))]
    return [*lines, *_indent(text.splitlines()), f"    return {inner}", f"{name} = make_{name}()"]


def _indent(lines: list[str]) -> list[str]:
    return textwrap.indent("\n".join(lines), "    ").splitlines()


def _source(function: Any) -> tuple[str, str]:
    """Return the name of a function and a statement that defines it; a lambda is given a name."""
    if not isinstance(function, FunctionType):
        msg = "a callable that is no function"
        raise UnspelledError(msg)
    code = function.__code__
    if function.__defaults__ or function.__kwdefaults__:
        msg = "a function with defaults, whose values its source does not say"
        raise UnspelledError(msg)
    try:
        tree = ast.parse(Path(inspect.getsourcefile(function) or "").read_text(encoding="utf-8"))
    except (OSError, TypeError, SyntaxError) as error:
        msg = "a function without a file"
        raise UnspelledError(msg) from error
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and (node.name, node.lineno) == (code.co_name, code.co_firstlineno):
            return node.name, ast.unparse(node)
        if isinstance(node, ast.Lambda) and code.co_name == "<lambda>" and _is_compiled_from(node, code):
            return "this", f"this = {ast.unparse(node)}"
    msg = "a function that its file does not hold as it is"
    raise UnspelledError(msg)


def _is_compiled_from(node: ast.Lambda, code: CodeType) -> bool:
    """Return whether a lambda is the one: several may stand in one line."""
    if node.lineno != code.co_firstlineno:
        return False
    free = ", ".join(code.co_freevars)
    # A lambda has the names around it as such only within a function.
    around = f"def around({free}):\n    return {ast.unparse(node)}\n" if free else f"{ast.unparse(node)}\n"
    found = [compile(around, "<lambda>", "exec")]
    while found:
        one = found.pop()
        if one.co_name == "<lambda>":
            same = ("co_code", "co_names", "co_varnames", "co_freevars")
            return all(getattr(one, part) == getattr(code, part) for part in same) and _values(one) == _values(code)
        found += [const for const in one.co_consts if isinstance(const, CodeType)]
    return False


def _values(code: CodeType) -> list[str]:
    return [repr(const) for const in code.co_consts if not isinstance(const, CodeType)]


def _names_used(function: Any, above: set[CodeType]) -> list[str]:
    """Return lines that give every name that a function takes from around it its value."""
    used = inspect.getclosurevars(function)
    lines: list[str] = []
    for name, value in sorted({**used.globals, **used.nonlocals}.items()):
        lines += _spell_value(name, value, above)
    # An array asks for numpy, which a function may import itself.
    return sorted(lines, key=lambda line: not line.startswith("import "))


def _spell_value(name: str, value: Any, above: set[CodeType]) -> list[str]:
    if isinstance(value, ModuleType) and value in _MODULES:
        return [f"import {value.__name__} as {name}"]
    if isinstance(value, (bool, int, float, str)):
        return [f"{name} = {value!r}"]
    if isinstance(value, (np.ndarray, np.number, list, tuple)):
        array = np.asarray(value)
        if array.dtype.kind in "biuf" and array.size <= _NUMBERS and np.isfinite(array).all():
            numbers = repr(array.tolist())
            return [f"{name} = {repr(value) if isinstance(value, (list, tuple)) else f'np.array({numbers})'}"]
    if isinstance(value, FunctionType) and value.__code__ not in above:
        inner, text = _source(value)
        renamed = [] if inner == name else [f"{name} = {inner}"]
        return [*_names_used(value, {*above, value.__code__}), *text.splitlines(), *renamed]
    msg = f"a function that uses {name}, a {type(value).__name__}"
    raise UnspelledError(msg)
