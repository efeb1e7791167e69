"""Expressions as text: numbers, vectors, inner products, means over the clients, expectations."""

from __future__ import annotations

import ast
from functools import partial
from typing import TYPE_CHECKING

import sympy as sp

from boundcheck.errors import InputError
from boundcheck.proofs.certificates.texts import tree
from boundcheck.proofs.language.limits import EXPONENT, require_ascii, require_modest
from boundcheck.proofs.provers.expectation import Sampling, expect, sampled_mean, taken
from boundcheck.proofs.provers.hilbert import Vector, deviation, inner, mean

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.proofs.goals.letters import Letters
    from boundcheck.proofs.provers.expectation import NoiseSymbol

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
UNDEFINED = (sp.zoo, sp.nan, sp.oo, -sp.oo, sp.I)
"""What an expression that is no real number becomes."""
MOST_BITS = 10 * EXPONENT
"""Most binary digits of a power of a number; of a letter the largest exponent."""
OPERATIONS: dict[type[ast.operator], Callable[..., sp.Expr]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: b * a if isinstance(a, Vector) else a * b,
    ast.Div: lambda a, b: (1 / b) * a,
    ast.Pow: lambda a, b: a**b,
}


def number(text: str, letters: Letters, divisors: list[sp.Expr] | None = None) -> sp.Expr:
    """Return the number that a text spells.

    Parameters
    ----------
    text : str
        The text.
    letters : Letters
        What its names stand for.
    divisors : list of expression, optional
        What the text divides by is added here, whether or not it cancels.

    Raises
    ------
    InputError
        If the text is no expression, or a vector, divides by 0 or is too large; names the part and what would be legal.
    UnknownNameError
        If a letter is not known.
    """
    require_ascii(text, "expression")
    require_modest(text)
    try:
        found = _value(tree(text), letters, [] if divisors is None else divisors)
    except (SyntaxError, RecursionError, MemoryError):
        msg = f"expression = {text!r} is not legal: {LEGAL}"
        raise InputError(msg) from None
    if isinstance(found, Vector):
        msg = f"expression = {text!r} is not legal: it is a vector; a number is expected"
        raise InputError(msg)
    if found.has(*UNDEFINED):
        msg = f"expression = {text!r} is not legal: it is not a number for any values of its letters"
        raise InputError(msg)
    return found


def same_text(one: str, other: str) -> bool:
    """Return whether two texts spell the same expression, spaces and brackets apart."""
    try:
        return ast.dump(tree(one)) == ast.dump(tree(other))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False  # what cannot be read is refused where it is read


def _value(node: ast.expr, letters: Letters, divisors: list[sp.Expr]) -> sp.Expr | Vector:
    value = partial(_value, letters=letters, divisors=divisors)
    match node:
        case ast.Constant(value=n) if type(n) is int:
            return sp.Integer(n)
        case ast.Name(id="pi"):
            return sp.pi
        case ast.Name(id=name):
            return letters.vectors[name] if name in letters.vectors else letters.number(name)
        case ast.UnaryOp(op=ast.USub(), operand=a):
            return -value(a)
        case ast.BinOp(left=a, op=ast.Div() | ast.Pow() as op, right=b):
            left, right = value(a), value(b)
            _note_divisor(node, op, left, right, divisors)
            return _apply_operation(node, OPERATIONS[type(op)], left, right)
        case ast.BinOp(left=a, op=op, right=b) if type(op) in OPERATIONS:
            return _apply_operation(node, OPERATIONS[type(op)], value(a), value(b))
        case ast.Call(func=ast.Name(id="E"), args=[a, *laws]):
            return expect(value(a), *_laws(laws, letters))
        case ast.Call(func=ast.Name(id="sampled" | "taken" as name), args=[u, ast.Name(id=draw)]):
            law = letters.laws.get(draw)
            if isinstance(law, Sampling):
                return _apply_operation(node, sampled_mean if name == "sampled" else taken, value(u), law)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
            return _apply_operation(node, FUNCTIONS[name], *map(value, args))
    msg = f"expression = {ast.unparse(node)!r} is not legal: {LEGAL}"
    raise InputError(msg)


def _note_divisor(
    node: ast.expr, op: ast.operator, left: sp.Expr | Vector, right: sp.Expr | Vector, divisors: list[sp.Expr]
) -> None:
    """Add what a quotient or a power divides by; an error if that is 0, or the exponent is too large."""
    if isinstance(right, Vector) or (isinstance(op, ast.Pow) and isinstance(left, Vector)):
        return
    below = right
    if isinstance(op, ast.Pow):
        assert not isinstance(left, Vector)
        below = left
        bits = left.p.bit_length() + left.q.bit_length() if left.is_Rational else 1
        exponent = right * (left.exp if isinstance(left, sp.Pow) else 1)
        if exponent.is_Rational and abs(exponent) * bits > MOST_BITS:
            msg = f"expression = {ast.unparse(node)!r} is not legal: exponents of at most {EXPONENT} are"
            raise InputError(msg)
        if right.is_nonnegative:
            return
    if below.is_zero or sp.expand(below) == 0:
        msg = f"expression = {ast.unparse(node)!r} is not legal: it divides by 0"
        raise InputError(msg)
    divisors.append(below)


def _laws(nodes: list[ast.expr], letters: Letters) -> list[NoiseSymbol | Sampling]:
    """Return the named laws, each once; all that are declared if none is named."""
    names = [ast.unparse(node) for node in nodes] or list(letters.laws)
    unknown = [name for name in names if name not in letters.laws]
    if unknown:
        msg = f"law = {unknown[0]!r} is not legal: declared are {', '.join(letters.laws) or 'none'}"
        raise InputError(msg)
    return list({id(letters.laws[name]): letters.laws[name] for name in names}.values())


def _apply_operation(node: ast.expr, make: Callable[..., sp.Expr], *parts: object) -> sp.Expr:
    """Return an operation's result; an error if it has no meaning for these parts, as a vector times a vector."""
    try:
        return make(*parts)
    except (TypeError, AttributeError, sp.SympifyError):
        msg = f"expression = {ast.unparse(node)!r} is not legal: numbers and vectors are mixed up"
        raise InputError(msg) from None
