"""Statements of the ledger as typeset mathematics, made from the text that is decided, so that both agree."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from boundcheck.errors import InputError
from boundcheck.notation import LETTERS
from boundcheck.proofs.language.printing import typeset_line
from boundcheck.proofs.language.texts import split_conditions
from boundcheck.report.typst.markup import literal, prose

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.proofs import Claim

SUM, PRODUCT, ATOM = range(3)
"""How tightly a formula holds together: what is looser than its place asks gets brackets."""
_RELATION = re.compile(r"\s(<=|<|>=|>|=|or)\s")
_CHAIN = re.compile(r"\s(if|for)\s")
_SIDES = re.compile(r"(?:(\w+) in \[([^\]]+)\]|constants)")
_SIGNS: Final = {"<=": "<=", "<": "<", ">=": ">=", ">": ">", "=": "=", "or": 'quad "or" quad'}
_GREEK = (
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "kappa", "lambda", "mu", "nu", "xi", "rho",
    "sigma", "tau", "phi", "chi", "psi", "omega", "Phi", "Gamma", "Delta", "Sigma", "Lambda", "Theta", "Omega",
)  # fmt: skip
_ENDING = re.compile(r"([A-Za-z]+?)_?(\d+|bar|hat|tilde)")


def statement_math(claim: Claim) -> str:
    """Return what a claim decides as markup, a formula a line; of a search or an enumeration nothing."""
    shown = getattr(claim.goal, "shows", ())
    return " #linebreak() ".join(line_math(line, claim.renaming) for line in shown)


def line_math(line: str, renaming: Mapping[str, str] | None = None) -> str:
    """Return a line of a statement as markup: formulas in dollar signs, the words between them as words.

    Parameters
    ----------
    line : str
        A line of a `boundcheck.proofs.goals.stated.TextStatement`.
    renaming : mapping of str to str, optional
        For a letter the expression that is printed in its place: ``{"ekl": "eta*K*L"}``.

    Returns
    -------
    str
        Typst markup; in plain letters what no formula can be made of.
    """
    try:
        return _line(line, {name: _tree(text) for name, text in (renaming or {}).items()})
    except (InputError, SyntaxError, ValueError):
        return prose(typeset_line(line, renaming))


def _line(line: str, names: dict[str, ast.expr]) -> str:
    if re.search(r"\be\b", line):
        names["e"] = ast.Name("e")  # a letter of the statement: exp(1) keeps its name
    word, _, rest = line.partition(" ")
    if word in ("never", "possible"):
        return f"{word} {_conditions(rest, names)}"
    shown, *more = _CHAIN.split(line)
    parts = [_conditions(shown, names)]
    for joint, part in zip(more[::2], more[1::2], strict=True):
        parts.append(f"{joint} {prose(part) if _SIDES.match(part) else _conditions(part, names)}")
    return " ".join(parts)


def _conditions(text: str, names: Mapping[str, ast.expr]) -> str:
    return ", ".join(_relation(part, names) for part in split_conditions(text))


def _relation(text: str, names: Mapping[str, ast.expr]) -> str:
    """Return a relation, in pieces between which a line may break."""
    bound, colon, multiplier = text.partition(" : ")
    parts = _RELATION.split(bound)
    pieces, sign = [], ""
    for n, part in enumerate(parts):
        if n % 2:
            sign = _SIGNS[part] + " "
        else:
            pieces += [f"${sign if i == 0 else ''}{term}$" for i, term in enumerate(_terms(_tree(part), names))]
    used = f" (times ${_text(_tree(multiplier), names)}$)" if colon else ""
    return " ".join(pieces) + used


def _terms(node: ast.expr, names: Mapping[str, ast.expr]) -> list[str]:
    """Return the terms of a sum with their signs."""
    match node:
        case ast.BinOp(left=a, op=ast.Add() | ast.Sub() as op, right=b):
            sign = "+" if isinstance(op, ast.Add) else "-"
            return [*_terms(a, names), f"{sign} {_text(b, names, SUM if sign == '+' else PRODUCT)}"]
    return [_text(node, names)]


def _tree(text: str) -> ast.expr:
    from boundcheck.proofs.certificates.texts import tree

    return tree(text)


def _text(node: ast.expr, names: Mapping[str, ast.expr], at_least: int = SUM, *, small: bool = False) -> str:
    text, holds = _piece(node, names, small=small)
    return text if holds >= at_least else f"({text})"


def _piece(node: ast.expr, names: Mapping[str, ast.expr], *, small: bool) -> tuple[str, int]:
    """Return a formula and how tightly it holds; in small print, inside a fraction or a power, another is a slash."""

    def text(part: ast.expr, at_least: int = SUM, *, small: bool = small) -> str:
        return _text(part, names, at_least, small=small)

    match node:
        case ast.Constant(value=value):
            return str(value), ATOM
        case ast.Name(id=name):
            return _piece(names[name], {}, small=small) if name in names else (letter_math(name), ATOM)
        case ast.UnaryOp(op=ast.USub(), operand=a):
            return f"-{text(a, PRODUCT)}", SUM
        case ast.BinOp(left=a, op=ast.Add() | ast.Sub() as op, right=b):
            sign = "+" if isinstance(op, ast.Add) else "-"
            return f"{text(a)} {sign} {text(b, SUM if sign == '+' else PRODUCT)}", SUM
        case ast.BinOp(left=a, op=ast.Mult(), right=b):
            left, right = text(a, PRODUCT), text(b, PRODUCT)
            dot = " dot " if left[-1].isdigit() and right[0].isdigit() else " "
            return f"{left}{dot}{right}", PRODUCT
        case ast.BinOp(left=ast.Constant(value=over), op=ast.Div(), right=ast.Constant(value=under)) if small:
            return f"{over!s}\\/{under!s}", PRODUCT
        case ast.BinOp(left=a, op=ast.Div(), right=b) if small:
            return f"{text(a, PRODUCT)}\\/{text(b, ATOM)}", SUM
        case ast.BinOp(left=a, op=ast.Div(), right=b):
            return f"frac({text(a, small=True)}, {text(b, small=True)})", PRODUCT
        case ast.BinOp(left=a, op=ast.Pow(), right=b):
            base = text(a, ATOM)
            base = f"({base})" if base.startswith("frac(") else base
            return f"{base}^({text(b, small=True)})", ATOM
        case ast.Call(func=ast.Name(id="exp"), args=[a]) if "e" not in names:
            power = text(a, small=True)
            return ("upright(e)", ATOM) if power == "1" else (f"upright(e)^({power})", ATOM)
        case ast.Call(func=ast.Name(id="sqrt"), args=[a]):
            return f"sqrt({text(a)})", ATOM
        case ast.Call(func=ast.Name(id="abs"), args=[a]):
            return f"abs({text(a)})", ATOM
        case ast.Call(func=ast.Name(id="dot"), args=[u, v]):
            left, right = text(u), text(v)
            return (f"norm({left})^2" if left == right else f"lr(chevron.l {left}, {right} chevron.r)"), ATOM
        case ast.Call(func=ast.Name(id=name), args=args):
            word = name if name in {"min", "max", "log"} else f"upright({literal(name)})"
            return f"{word}({', '.join(text(a) for a in args)})", ATOM
    raise InputError(f"expression = {ast.unparse(node)!r} is not legal: it cannot be printed")


def letter_math(name: str) -> str:
    """Return a letter of a statement inside mathematics: those of the notation, Greek ones, an index below."""
    if name in LETTERS:
        return LETTERS[name].typst
    head, underscore, index = name.partition("_")
    if underscore and head and index:
        below = [letter_math(part) if len(part) == 1 or part in _GREEK else literal(part) for part in index.split("_")]
        return f"{letter_math(head)}_({' '.join(below)})"
    if name in _GREEK or len(name) == 1:
        return name
    found = _ENDING.fullmatch(name)
    if found:
        base, ending = letter_math(found[1]), found[2]
        if ending.isdigit():
            return f"{base}_{ending}"
        return {"bar": f"overline({base})", "hat": f"hat({base})", "tilde": f"tilde({base})"}[ending]
    return f"upright({literal(name)})"
