"""Expressions as text: numbers, vectors, inner products, means over the clients, expectations."""

from __future__ import annotations

import ast
from functools import partial
from typing import TYPE_CHECKING

import sympy as sp

from boundcheck.certificates.texts import tree
from boundcheck.errors import InputError
from boundcheck.lemmas.provers.expectation import Sampling, expect, sampled_mean, taken
from boundcheck.lemmas.provers.hilbert import Vector, deviation, inner, mean

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.lemmas.provers.expectation import NoiseSymbol
    from boundcheck.lemmas.stated.letters import Letters

LEGAL = (
    "numbers, letters, + - * / ^, exp, log, sin, cos, sqrt, abs, max, min, pi, <u, v>, |u|^2, mean(u), deviation(u),"
    " sampled(u, A), taken(u, A) and E(expression, LAW, ...)"
)
FUNCTIONS: dict[str, Callable[..., sp.Expr]] = {
    "exp": sp.exp,
    "log": sp.log,
    "sin": sp.sin,
    "cos": sp.cos,
    "sqrt": sp.sqrt,
    "abs": sp.Abs,
    "max": sp.Max,
    "min": sp.Min,
    "dot": inner,
    "mean": mean,
    "deviation": deviation,
}
OPERATIONS: dict[type[ast.operator], Callable[..., sp.Expr]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: b * a if isinstance(a, Vector) else a * b,
    ast.Div: lambda a, b: (1 / b) * a,
    ast.Pow: lambda a, b: a**b,
}


def number(text: str, letters: Letters) -> sp.Expr:
    """Return the number that a text spells.

    Raises
    ------
    InputError
        If the text is no expression, or a vector; names the part and what would be legal.
    UnknownNameError
        If a letter is not known.
    """
    found = _read(text, letters)
    if isinstance(found, Vector):
        msg = f"expression = {text!r} is not legal: it is a vector; a number is expected"
        raise InputError(msg)
    return found


def same_text(one: str, other: str) -> bool:
    """Return whether two texts spell the same expression, spaces and brackets apart."""
    try:
        return ast.dump(tree(one)) == ast.dump(tree(other))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False  # what cannot be read is refused where it is read


def _read(text: str, letters: Letters) -> sp.Expr | Vector:
    try:
        parsed = tree(text)
    except SyntaxError:
        msg = f"expression = {text!r} is not legal: {LEGAL}"
        raise InputError(msg) from None
    return _value(parsed, letters)


def _value(node: ast.expr, letters: Letters) -> sp.Expr | Vector:
    value = partial(_value, letters=letters)
    match node:
        case ast.Constant(value=int(n)):
            return sp.Integer(n)
        case ast.Name(id="pi"):
            return sp.pi
        case ast.Name(id=name):
            return letters.vectors[name] if name in letters.vectors else letters.number(name)
        case ast.UnaryOp(op=ast.USub(), operand=a):
            return -value(a)
        case ast.BinOp(left=a, op=op, right=b) if type(op) in OPERATIONS:
            return _checked(node, OPERATIONS[type(op)], value(a), value(b))
        case ast.Call(func=ast.Name(id="E"), args=[a, *laws]):
            return expect(value(a), *_laws(laws, letters))
        case ast.Call(func=ast.Name(id="sampled" | "taken" as name), args=[u, ast.Name(id=draw)]):
            law = letters.laws.get(draw)
            if isinstance(law, Sampling):
                return _checked(node, sampled_mean if name == "sampled" else taken, value(u), law)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
            return _checked(node, FUNCTIONS[name], *map(value, args))
    msg = f"expression = {ast.unparse(node)!r} is not legal: {LEGAL}"
    raise InputError(msg)


def _laws(nodes: list[ast.expr], letters: Letters) -> list[NoiseSymbol | Sampling]:
    """Return the named laws, each once; all that are declared if none is named."""
    names = [ast.unparse(node) for node in nodes] or list(letters.laws)
    unknown = [name for name in names if name not in letters.laws]
    if unknown:
        msg = f"law = {unknown[0]!r} is not legal: declared are {', '.join(letters.laws) or 'none'}"
        raise InputError(msg)
    return list({id(letters.laws[name]): letters.laws[name] for name in names}.values())


def _checked(node: ast.expr, make: Callable[..., sp.Expr], *parts: object) -> sp.Expr:
    """Return an operation's result; an error if it has no meaning for these parts, as a vector times a vector."""
    try:
        return make(*parts)
    except (TypeError, AttributeError):
        msg = f"expression = {ast.unparse(node)!r} is not legal: numbers and vectors are mixed up"
        raise InputError(msg) from None
