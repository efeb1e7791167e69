"""Statements as a paper would print them: made from the text that is decided, so that the two cannot differ."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from boundcheck.errors import InputError
from boundcheck.proofs.language.texts import split_conditions

if TYPE_CHECKING:
    from collections.abc import Mapping

SUM, PRODUCT, QUOTIENT, POWER, ATOM = range(5)
"""How tightly what was printed holds together: what is looser than its place asks gets brackets."""
_RELATION = re.compile(r"\s(<=|<|>=|>|=|or)\s")
_CHAIN = re.compile(r"\s(if|for)\s")
_SIDES = re.compile(r"(?:(\w+) in \[([^\]]+)\]|constants)")


def typeset_line(line: str, renaming: Mapping[str, str] | None = None) -> str:
    """Return a line of a statement as a paper would print it.

    Parameters
    ----------
    line : str
        A line, a hypothesis or a declaration of a `boundcheck.proofs.language.stated.TextStatement`.
    renaming : mapping of str to str, optional
        For a letter the expression that is printed in its place: ``{"ekl": "eta*K*L"}``.

    Returns
    -------
    str
        Plain text, ``4 (eta K L)^2/beta <= 2 beta/9 if beta <= 1``: no star between factors, ``e`` for ``exp(1)``,
        decimals for hundredths.

    Raises
    ------
    InputError
        If a part is no expression; names it.
    """
    names = {name: _parse_line(text) for name, text in (renaming or {}).items()}
    if re.search(r"\be\b", line):
        names["e"] = ast.Name("e")  # a letter of the statement: exp(1) keeps its name
    word, _, rest = line.partition(" ")
    if word in ("never", "possible"):
        return f"{word} {_conditions(rest, names)}"
    shown, *more = _CHAIN.split(line)
    text = _conditions(shown, names)
    for word, part in zip(more[::2], more[1::2], strict=True):
        text += f" {word} " + (part if _SIDES.match(part) else _conditions(part, names))
    return text


def read_renaming(text: str, where: str) -> dict[str, str]:
    """Return the renaming that ``ekl -> eta*K*L; gl -> gamma*L`` spells.

    Raises
    ------
    InputError
        If a part is no ``LETTER -> EXPRESSION``; names it and where it stands.  The expression is read when printed.
    """
    found = {}
    for part in filter(None, map(str.strip, text.split(";"))):
        name, arrow, expression = (piece.strip() for piece in part.partition("->"))
        if not (arrow and name.isidentifier() and expression):
            msg = f"{where} = {part!r} is not legal: LETTER -> EXPRESSION, several separated by semicolons"
            raise InputError(msg)
        found[name] = expression
    return found


def _conditions(text: str, names: Mapping[str, ast.expr]) -> str:
    """Return relations, separated by commas outside of brackets, printed one by one."""
    return ", ".join(_relation(part, names) for part in split_conditions(text))


def _relation(text: str, names: Mapping[str, ast.expr]) -> str:
    bound, colon, multiplier = text.partition(" : ")
    parts = _RELATION.split(bound)
    sides = [part if n % 2 else _text(_parse_line(part), names) for n, part in enumerate(parts)]
    used = f" (times {_text(_parse_line(multiplier), names)})" if colon else ""
    return " ".join(sides) + used


def _parse_line(text: str) -> ast.expr:
    # Claims are listed without sympy, which the room of certificates imports.
    from boundcheck.proofs.certificates.texts import tree

    try:
        return tree(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        msg = f"expression = {text!r} is not legal: it cannot be read"
        raise InputError(msg) from None


def _text(node: ast.expr, names: Mapping[str, ast.expr], at_least: int = SUM) -> str:
    """Return an expression, in brackets if it holds together less tightly than `at_least`."""
    text, holds = _piece(node, names)
    return text if holds >= at_least else f"({text})"


def _piece(node: ast.expr, names: Mapping[str, ast.expr]) -> tuple[str, int]:
    match node:
        case ast.Constant(value=value):
            return str(value), ATOM
        case ast.Name(id=name):
            return _piece(names[name], {}) if name in names else (name, ATOM)
        case ast.UnaryOp(op=ast.USub(), operand=a):
            return f"-{_text(a, names, PRODUCT)}", SUM
        case ast.BinOp(left=ast.Constant(value=int(a)), op=ast.Div(), right=ast.Constant(value=int(b))) if (
            decimal := _decimal(a, b)
        ):
            return decimal, ATOM
        case ast.BinOp(left=a, op=ast.Add() | ast.Sub() as op, right=b):
            sign = "+" if isinstance(op, ast.Add) else "-"
            return f"{_text(a, names)} {sign} {_text(b, names, SUM if sign == '+' else PRODUCT)}", SUM
        case ast.BinOp(op=ast.Mult() | ast.Div()) if (positive := _without_minus(node)) is not None:
            return f"-{_text(positive, names, PRODUCT)}", SUM
        case ast.BinOp(left=a, op=ast.Mult(), right=b):
            right, holds = _piece(b, names)
            right = right if holds == PRODUCT else _text(b, names, POWER)
            return _product(_text(a, names, PRODUCT), _piece(a, names)[1], right), PRODUCT
        case ast.BinOp(left=a, op=ast.Div(), right=b):
            above = _text(a, names, PRODUCT)
            return f"{above if _piece(a, names)[1] != QUOTIENT else f'({above})'}/{_text(b, names, POWER)}", QUOTIENT
        case ast.BinOp(left=a, op=ast.Pow(), right=b):
            return f"{_text(a, names, ATOM)}^{_text(b, names, ATOM)}", POWER
        case ast.Call(func=ast.Name(id="exp"), args=[a]) if "e" not in names:
            power = _text(a, names, ATOM)
            return ("e", ATOM) if power == "1" else (f"e^{power}", POWER)
        case ast.Call(func=ast.Name(id="dot"), args=[u, v]):
            return _inner(_text(u, names), _text(v, names)), ATOM
        case ast.Call(func=ast.Name(id=name), args=args):
            return f"{name}({', '.join(_text(a, names) for a in args)})", ATOM
    msg = f"expression = {ast.unparse(node)!r} is not legal: it cannot be printed"
    raise InputError(msg)


def _without_minus(node: ast.expr) -> ast.expr | None:
    """Return a product or quotient without the minus sign in front of its first factor; None if it has none."""
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=a):
            return a
        case ast.BinOp(left=a, op=ast.Mult() | ast.Div() as op, right=b) if (rest := _without_minus(a)) is not None:
            return ast.BinOp(rest, op, b)
    return None


def _inner(u: str, v: str) -> str:
    """Return an inner product; a square that is read as one."""
    if u == v:
        return f"|{u}|^2"
    return f"<{u}, {v}>"


def _product(left: str, holds: int, right: str) -> str:
    """Return a product: a quotient that something follows needs brackets, two numbers a sign between them."""
    left = f"({left})" if holds == QUOTIENT else left
    if left[-1].isdigit() and right[0].isdigit():
        return f"{left}*{right}"
    apart = "" if left.endswith(")") and right.startswith("(") else " "
    return left + apart + right


def _decimal(a: int, b: int) -> str:
    """Return a/b as a decimal where b is 10, 100, ..., else nothing."""
    digits = len(str(b)) - 1
    if digits == 0 or b != 10**digits:
        return ""
    whole, rest = divmod(abs(a), b)
    return f"{'-' if a < 0 else ''}{whole}.{rest:0{digits}d}".rstrip("0").rstrip(".")
