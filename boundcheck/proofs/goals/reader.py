"""Trees of statements that stand alone as numbers: vectors, inner products, means over the clients, expectations."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NoReturn

import sympy as sp

from boundcheck.errors import InputError
from boundcheck.proofs.language.grammar import LEGAL_ALONE, Node, names_in, node_text, read
from boundcheck.proofs.language.limits import EXPONENT, require_ascii, require_modest
from boundcheck.proofs.provers.expectation import Sampling, expect, sampled_mean, taken
from boundcheck.proofs.provers.hilbert import Vector, deviation, inner, mean

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.proofs.goals.letters import Letters
    from boundcheck.proofs.provers.expectation import NoiseSymbol

FUNCTIONS: dict[str, Callable[..., sp.Expr]] = {
    "exp": sp.exp,
    "log": sp.log,
    "sin": sp.sin,
    "cos": sp.cos,
    "sqrt": sp.sqrt,
    "abs": sp.Abs,
    "max": sp.Max,
    "mean": mean,
    "deviation": deviation,
}
OPERATIONS: dict[str, Callable[..., sp.Expr]] = {
    "mul": lambda a, b: b * a if isinstance(a, Vector) else a * b,
    "div": lambda a, b: (1 / b) * a,
    "add": lambda a, b: a + b,
    "power": lambda a, b: a**b,
    "inner": inner,
    "norm2": lambda u: inner(u, u) if isinstance(u, Vector) else u**2,
    "norm": lambda u: sp.sqrt(inner(u, u)) if isinstance(u, Vector) else sp.Abs(u),
    "min": sp.Min,
}
UNDEFINED = (sp.zoo, sp.nan, sp.oo, -sp.oo, sp.I)
"""What an expression that is no real number becomes."""
MOST_BITS = 10 * EXPONENT
"""Most binary digits of a power of a number; of a letter the largest exponent."""


@dataclass(frozen=True)
class Written:
    """What an expression as it is written is defined by, whether or not it cancels."""

    divisors: list[sp.Expr] = field(default_factory=list)
    """What it divides by."""
    domain: list[sp.Basic] = field(default_factory=list)
    """Relations that hold where its roots, real powers and logarithms are real numbers."""


def number(text: str, letters: Letters) -> sp.Expr:
    """Return the number that a text spells; errors as in `number_of`, and where it is no expression."""
    require_ascii(text, "expression")
    require_modest(text)
    return number_of(read(text, alone=True), letters)


def number_of(node: Node, letters: Letters, written: Written | None = None) -> sp.Expr:
    """Return the number that an expression is.

    Parameters
    ----------
    node : Node
        The expression.
    letters : Letters
        What its names stand for.
    written : Written, optional
        What the text divides by, and where its roots and logarithms are defined, is added here.

    Raises
    ------
    InputError
        If it is a vector, divides by 0 or is too large; names the part and what would be legal.
    UnknownNameError
        If a letter is not known.
    """
    found = _value(node, letters, Written() if written is None else written)
    if isinstance(found, Vector):
        _illegal(node, "it is a vector; a number is expected")
    if found.has(*UNDEFINED):
        _illegal(node, "it is not a number for any values of its letters")
    return found


def _value(node: Node, letters: Letters, written: Written, *, negative: bool = False) -> sp.Expr | Vector:
    """Return what an expression is, or its negative.

    The sign goes to the first factor of a product: (y - x)/b is what everybody writes for -(x - y)/b.
    """
    value = partial(_value, letters=letters, written=written)
    if node.kind in ("mul", "div"):
        left, right = value(node.parts[0], negative=negative), value(node.parts[1])
        if node.kind == "div":
            _note_divisor(node, left, right, written.divisors)
        return _apply_operation(node, OPERATIONS[node.kind], left, right)
    found = value(node.parts[0], negative=True) if node.kind == "neg" else _unit(node, value, letters, written)
    return -found if negative else found


def _unit(
    node: Node, value: Callable[[Node], sp.Expr | Vector], letters: Letters, written: Written
) -> sp.Expr | Vector:
    match node.kind, node.name, node.parts:
        case "number", name, _:
            return sp.Rational(name)
        case "letter", "pi", _:
            return sp.pi
        case "letter", name, _:
            return letters.vectors[name] if name in letters.vectors else letters.number(name)
        case "add", _, (a, Node("neg", _, (b,))):
            return _apply_operation(node, lambda a, b: a - b, value(a), value(b))
        case "power", name, (base, *exponent):
            left, right = value(base), value(exponent[0]) if exponent else sp.Integer(name)
            _note_divisor(node, left, right, written.divisors)
            if isinstance(right, sp.Expr) and not right.is_integer:
                _note_domain(left, sp.Ge, written)
            return _apply_operation(node, OPERATIONS["power"], left, right)
        case "call", "sqrt" | "log" as name, (a,):
            of = value(a)
            _note_domain(of, sp.Ge if name == "sqrt" else sp.Gt, written)
            return _apply_operation(node, FUNCTIONS[name], of)
        case "call", "E", (a, *laws):
            found = expect(value(a), *_laws(laws, letters))
            return found if letters.unread is None else _unread(node, letters.unread)
        case "call", "sampled" | "taken" as name, (u, Node("letter", draw)):
            law = letters.laws.get(draw)
            if isinstance(law, Sampling):
                _require_clients(node, letters, law)
                return _apply_operation(node, sampled_mean if name == "sampled" else taken, value(u), law)
        case "call", name, parts if name in FUNCTIONS:
            return _apply_operation(node, FUNCTIONS[name], *map(value, parts))
        case "add" | "inner" | "norm2" | "norm" | "min" as kind, _, parts:
            return _apply_operation(node, OPERATIONS[kind], *map(value, parts))
    return _illegal(node, LEGAL_ALONE)


def _unread(node: Node, known: dict[sp.Symbol, Node]) -> sp.Symbol:
    """Return the letter for an expectation that is not taken, the same for the same text."""
    for symbol, other in known.items():
        if other == node:
            return symbol
    symbol = sp.Symbol(f"expectation{len(known)}_", real=True)
    known[symbol] = node
    return symbol


def _require_clients(node: Node, letters: Letters, draw: Sampling) -> None:
    """Refuse to draw from the members of a noise that are not the clients."""
    for name in names_in(node.parts[0]):
        count = getattr(letters.laws.get(name), "count", None)
        if count is not None and sp.expand(count - draw.N) != 0:
            _illegal(node, f"{name} has {count} members, and clients are drawn from {draw.N}")


def _illegal(node: Node, why: str) -> NoReturn:
    msg = f"expression = {node_text(node)!r} is not legal: {why}"
    raise InputError(msg)


def _note_divisor(node: Node, left: sp.Expr | Vector, right: sp.Expr | Vector, divisors: list[sp.Expr]) -> None:
    """Add what a quotient or a power divides by; an error if that is 0, or the exponent is too large."""
    power = node.kind == "power"
    if isinstance(right, Vector) or (power and isinstance(left, Vector)):
        return
    below = right
    if power:
        assert not isinstance(left, Vector)
        below = left
        bits = left.p.bit_length() + left.q.bit_length() if left.is_Rational else 1
        exponent = right * (left.exp if isinstance(left, sp.Pow) else 1)
        if exponent.is_Rational and abs(exponent) * bits > MOST_BITS:
            _illegal(node, f"exponents of at most {EXPONENT} are")
        if right.is_nonnegative:
            return
    if below.is_zero or sp.expand(below) == 0:
        _illegal(node, "it divides by 0")
    divisors.append(below)


def _note_domain(of: sp.Expr | Vector, relation: Callable[..., sp.Basic], written: Written) -> None:
    """Add that what a root or a logarithm is taken of is not negative, or positive, where its letters may be."""
    if isinstance(of, sp.Expr) and not (of.is_positive or (of.is_nonnegative and relation is sp.Ge)):
        written.domain.append(relation(of, 0, evaluate=False))


def _laws(nodes: list[Node], letters: Letters) -> list[NoiseSymbol | Sampling]:
    """Return the named laws, each once; all that are declared if none is named."""
    names = list(map(node_text, nodes)) or list(letters.laws)
    unknown = [name for name in names if name not in letters.laws]
    if unknown:
        msg = f"law = {unknown[0]!r} is not legal: declared are {', '.join(letters.laws) or 'none'}"
        raise InputError(msg)
    return list({id(letters.laws[name]): letters.laws[name] for name in names}.values())


def _apply_operation(node: Node, make: Callable[..., sp.Expr], *parts: object) -> sp.Expr:
    """Return an operation's result; an error if it has no meaning for these parts, as a vector times a vector."""
    try:
        return make(*parts)
    except (TypeError, AttributeError, sp.SympifyError):
        _illegal(node, "numbers and vectors are mixed up")
