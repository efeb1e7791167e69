"""Statements as a paper would print them: made from the text that is decided, so that the two cannot differ."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from boundcheck.errors import InputError
from boundcheck.proofs.language.grammar import Node, node_text, read, read_alone

if TYPE_CHECKING:
    from collections.abc import Mapping

SUM, PRODUCT, QUOTIENT, POWER, ATOM = range(5)
"""How tightly what was printed holds together: what is looser than its place asks gets brackets."""


def typeset_line(line: str, renaming: Mapping[str, str] | None = None) -> str:
    """Return a line of a statement as a paper would print it.

    Parameters
    ----------
    line : str
        A line or a hypothesis of a `boundcheck.proofs.language.stated.TextStatement`.
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
        If the line, or what is printed for a letter, is not legal; names it.
    """
    said, names = read_alone(line), {name: read(text, alone=True) for name, text in (renaming or {}).items()}
    if re.search(r"\be\b", line):
        names["e"] = Node("letter", "e")  # a letter of the statement: exp(1) keeps its name
    text = f"{said.mood} " * bool(said.mood) + ", ".join(_condition(one, names) for one in said.shows)
    text += f" for {', '.join(_range(one, names) for one in said.over)}" * bool(said.over)
    return text + f" if {', '.join(_condition(one, names) for one in said.given)}" * bool(said.given)


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


def _condition(node: Node, names: Mapping[str, Node]) -> str:
    parts = node.parts
    if node.kind == "or":
        return " or ".join(_condition(one, names) for one in parts)
    if node.kind == "times":
        return f"{_condition(parts[0], names)} (times {_text(parts[1], names)})"
    signs = ["", *(f" {sign} " for sign in node.name.split())]
    return "".join(sign + _text(side, names) for sign, side in zip(signs, parts, strict=True))


def _range(node: Node, names: Mapping[str, Node]) -> str:
    ends = [_text(end, names) for end in node.parts]
    written = {"from": " >= {}", "box": " in [{}, {}]", "range": " = {} .. {}"}.get(node.kind, "")
    return _text(Node("letter", node.name), names) + written.format(*ends)


def _text(node: Node, names: Mapping[str, Node], at_least: int = SUM) -> str:
    """Return an expression, in brackets if it holds together less tightly than `at_least`."""
    text, holds = _piece(node, names)
    return text if holds >= at_least else f"({text})"


def _piece(node: Node, names: Mapping[str, Node]) -> tuple[str, int]:
    """Return an expression as text, and how tightly it holds together."""
    match node:
        case Node("number", name):
            return name, QUOTIENT if "/" in name else ATOM
        case Node("letter", name):
            return _piece(names[name], {}) if name in names else (name, ATOM)
        case Node("neg", _, (a,)):
            return f"-{_text(a, names, PRODUCT)}", SUM
        case Node("div", _, (Node("number", a), Node("number", b))) if decimal := _decimal(a, b):
            return decimal, ATOM
        case Node("add", _, (a, Node("neg", _, (b,)))):
            return f"{_text(a, names)} - {_text(b, names, PRODUCT)}", SUM
        case Node("add", _, (a, b)):
            return f"{_text(a, names)} + {_text(b, names)}", SUM
        case Node("mul" | "div") if (positive := _without_minus(node)) is not None:
            return f"-{_text(positive, names, PRODUCT)}", SUM
        case Node("mul", _, (a, b)):
            right, holds = _piece(b, names)
            right = right if holds == PRODUCT else _text(b, names, POWER)
            return _product(_text(a, names, PRODUCT), _piece(a, names)[1], right), PRODUCT
        case Node("div", _, (a, b)):
            above = _text(a, names, PRODUCT)
            return f"{above if _piece(a, names)[1] != QUOTIENT else f'({above})'}/{_text(b, names, POWER)}", QUOTIENT
        case Node("power", "", (a, b)):
            return f"{_text(a, names, ATOM)}^{_text(b, names, ATOM)}", POWER
        case Node("power", exponent, (a,)):
            return f"{_text(a, names, ATOM)}^{f'({exponent})' if exponent[0] == '-' else exponent}", POWER
        case Node("call", "exp", (a,)) if "e" not in names:
            power = _text(a, names, ATOM)
            return ("e", ATOM) if power == "1" else (f"e^{power}", POWER)
        case Node("inner", _, (u, v)):
            return _inner(_text(u, names), _text(v, names)), ATOM
        case Node("norm2" | "norm" as kind, _, (u,)):
            return f"|{_text(u, names)}|{'^2' * (kind == 'norm2')}", ATOM
        case Node("call" | "min", name, parts):
            return f"{name or node.kind}({', '.join(_text(a, names) for a in parts)})", ATOM
    msg = f"expression = {node_text(node)!r} is not legal: it cannot be printed"
    raise InputError(msg)


def _without_minus(node: Node) -> Node | None:
    """Return a product or quotient without the minus sign in front of its first factor; None if it has none."""
    match node:
        case Node("neg", _, (a,)):
            return a
        case Node("mul" | "div" as kind, _, (a, b)) if (rest := _without_minus(a)) is not None:
            return Node(kind, parts=(rest, b))
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


def _decimal(a: str, b: str) -> str:
    """Return a/b as a decimal where b is 10, 100, ..., else nothing."""
    digits = len(b) - 1
    if digits == 0 or b != f"1{'0' * digits}" or "/" in a:
        return ""
    whole, rest = divmod(int(a), int(b))
    return f"{whole}.{rest:0{digits}d}".rstrip("0").rstrip(".")
