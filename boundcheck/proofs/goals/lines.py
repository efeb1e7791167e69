"""Lines of a statement as goals: which prover decides a line follows from what it says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

import sympy as sp

from boundcheck.errors import InputError
from boundcheck.proofs.goals.letters import Letters, read_letters
from boundcheck.proofs.goals.reader import number, same_text
from boundcheck.proofs.language.claim import AllOf
from boundcheck.proofs.language.limits import require_ascii, require_modest
from boundcheck.proofs.language.texts import split_conditions
from boundcheck.proofs.provers.defined import apart_from_zero, divisors, plain_divisors
from boundcheck.proofs.provers.gram import GramBound
from boundcheck.proofs.provers.hilbert import DEVIATION, INNER, MEAN, names_of
from boundcheck.proofs.provers.identity import Identity
from boundcheck.proofs.provers.monotone import AllFrom, OnBox
from boundcheck.proofs.provers.real import Feasible, Infeasible, Real

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    from boundcheck.proofs.language.claim import Goal

    Product: TypeAlias = tuple[sp.Expr, sp.Expr]

RELATIONS: dict[str, Callable[..., sp.Basic]] = {
    "<=": sp.Le,
    "<": sp.Lt,
    ">=": sp.Ge,
    ">": sp.Gt,
    "=": sp.Eq,
    "!=": sp.Ne,
}
LEGAL = (
    "'a <= b', 'a = b', 'a = b <= c', 'a <= b if c <= d, d < e, f != 0', 'a <= b for k >= 1', 'a < b for x in [0, 1]',"
    " 'never a < b, b < a' or 'possible a < b, b < c', with spaces around relations"
)
_RELATION = re.compile(r"\s(<=|<|>=|>|!=|=)\s")
_FROM = re.compile(r"(.+) <= (.+) for (\w+) >= (.+)")
_BOX = re.compile(r"(.+) < (.+) for ((?:\w+ in \[[^\]]+\](?:, )?)+|constants)")
_SIDE = re.compile(r"(\w+) in \[([^\]]+)\]")
_PRODUCT = re.compile(r"0 <= (.+) : (.+)")


@dataclass(frozen=True)
class ParsedConditions:
    """What conditions say."""

    relations: tuple[sp.Basic, ...] = ()
    products: tuple[Product, ...] = ()
    """What is nonnegative, each after its multiplier."""
    apart: tuple[sp.Basic, ...] = ()
    """That what the conditions divide by is not 0, where that is no longer seen: else they say nothing."""
    divides: tuple[sp.Expr, ...] = ()
    """What multipliers divide by: it has to be shown not to be 0."""


def goal(shows: tuple[str, ...], given: tuple[str, ...], letters: tuple[str, ...]) -> Goal:
    """Return the goal that a statement spells; several are decided together."""
    for line in (*shows, *given, *letters):
        require_ascii(line, "line")
        require_modest(line, "line")
    known = read_letters(letters, lambda known: lambda text: number(text, known))
    found = [one for line in shows for one in _goals(line, known, given)]
    return found[0] if len(found) == 1 else AllOf(tuple(found))


def _goals(line: str, letters: Letters, given: tuple[str, ...]) -> Iterator[Goal]:
    """Yield the goals of one line: one for each relation of a chain."""
    word, _, rest = line.partition(" ")
    if word in ("never", "possible"):
        known = _read_conditions((*given, *split_conditions(rest)), letters)
        if known.products or not known.relations:
            _illegal(line)
        # A condition that divides by 0 is not met: only where it is to be met that has to be said.
        met = (*known.relations, *letters.domain)
        yield Infeasible(met) if word == "never" else Feasible((*met, *known.apart))
    elif box := _BOX.fullmatch(line):
        sides = _sides(line, box[3], letters)
        (lhs, first), (rhs, second) = (_read_with_divisors(box[n], letters) for n in (1, 2))
        _require_only({*sides}, line, lhs, rhs)
        yield OnBox(lhs, rhs, sides, _lost_divisors((*first, *second), lhs, rhs))
    elif start := _FROM.fullmatch(line):
        (lhs, first), (rhs, second) = (_read_with_divisors(start[n], letters) for n in (1, 2))
        index, least = letters.number(start[3]), number(start[4], letters)
        _require_only({index}, line, lhs, rhs)
        _require_only(set(), line, least)
        yield AllFrom(lhs, rhs, index, least, _lost_divisors((*first, *second), lhs, rhs))
    else:
        yield from _bounds(line, letters, given)


def _sides(line: str, text: str, letters: Letters) -> dict[sp.Symbol, tuple[sp.Expr, sp.Expr]]:
    """Return the sides of a box, each of a letter of its own."""
    pairs = [(letters.number(x), _ends(ends, letters)) for x, ends in _SIDE.findall(text)]
    if len(dict(pairs)) < len(pairs):
        _illegal(line)
    return dict(pairs)


def _require_only(legal: set[sp.Symbol], line: str, *expressions: sp.Expr) -> None:
    """Refuse letters that a line says nothing about."""
    other = sorted(s.name for e in expressions for s in e.free_symbols if s not in legal)
    if other:
        msg = f"line = {line!r} is not legal: it does not say which values {other[0]} takes"
        raise InputError(msg)


def _read_with_divisors(text: str, letters: Letters) -> tuple[sp.Expr, list[sp.Expr]]:
    """Return an expression, and what it divides by as it is written."""
    divisors: list[sp.Expr] = []
    return number(text, letters, divisors), divisors


def _lost_divisors(written: Iterable[sp.Expr], *left: sp.Expr) -> tuple[sp.Expr, ...]:
    """Return the divisors that may be 0 and are no longer seen in what is left of the expressions."""
    seen = divisors(*left)
    return tuple(d for d in plain_divisors(written) if d not in seen)


def _bounds(line: str, letters: Letters, given: tuple[str, ...]) -> Iterator[Goal]:
    """Yield the goals of ``a = b <= c if CONDITIONS``; conditions of an identity are values of what stands left."""
    shown, _, text = line.partition(" if ")
    own = split_conditions(text)
    known = _read_conditions((*given, *own), letters)
    parts = _RELATION.split(shown)
    if len(parts) == 1:
        _illegal(line)
    for n in range(0, len(parts) - 1, 2):
        if same_text(parts[n], parts[n + 2]):
            msg = f"line = {line!r} is not legal: both sides are {parts[n].strip()}, so that nothing is said"
            raise InputError(msg)
        (lhs, first), (rhs, second) = (_read_with_divisors(parts[k], letters) for k in (n, n + 2))
        _require_clients(line, letters, lhs, rhs)
        written = (*first, *second, *known.divides)
        match parts[n + 1]:
            case "=":
                values = {
                    one.lhs: one.rhs for one in _read_conditions(own, letters).relations if isinstance(one, sp.Eq)
                }
                domain = (*known.relations, *known.apart, *letters.domain)
                numbers = tuple(one for one in domain if not one.has(INNER))
                divided = _lost_divisors((*first, *second), lhs, rhs)
                yield Identity(lhs, rhs, letters.where | values, bool(letters.where), numbers, divided)
            case "<=":
                yield _bound(lhs, rhs, known, letters, written)
            case ">=":
                yield _bound(rhs, lhs, known, letters, written)
            case _:
                _illegal(line)


def _bound(lhs: sp.Expr, rhs: sp.Expr, known: ParsedConditions, letters: Letters, written: tuple[sp.Expr, ...]) -> Goal:
    """Return the goal of ``lhs <= rhs``."""
    laws = tuple(one for one in (*letters.domain, *known.apart) if one not in known.relations)
    if known.products or lhs.has(INNER) or rhs.has(INNER):
        divided = _lost_divisors(written, lhs, rhs, *(m for m, _ in known.products))
        return GramBound(lhs, rhs, known.relations, known.products, laws, divided)
    return Real(lhs, rhs, known.relations, laws, _lost_divisors(written, lhs, rhs))


def _require_clients(line: str, letters: Letters, *expressions: sp.Expr) -> None:
    """Refuse means and deviations of a noise outside of E unless its members are the N clients."""
    for name in names_of(*expressions):
        root = name.removesuffix(MEAN).removesuffix(DEVIATION)
        count = getattr(letters.laws.get(root), "count", None)
        if name != root and count is not None and count.free_symbols != {letters.number("N")}:
            msg = f"line = {line!r} is not legal: {root} has {count} members, not N; it stands in E(...) only"
            raise InputError(msg)


def _read_conditions(texts: tuple[str, ...], letters: Letters) -> ParsedConditions:
    """Return what a list of conditions says."""
    relations: list[sp.Basic] = []
    products: list[Product] = []
    apart, divides = list[sp.Basic](), list[sp.Expr]()
    for text in texts:
        divisors: list[sp.Expr] = []
        if found := _PRODUCT.fullmatch(text):
            products.append((number(found[2], letters, divides), number(found[1], letters, divisors)))
        else:
            relations.append(_relation(text, letters, divisors))
        apart += apart_from_zero(_lost_divisors(divisors, relations[-1] if not found else products[-1][1]))
    return ParsedConditions(tuple(relations), tuple(products), tuple(dict.fromkeys(apart)), tuple(divides))


def _relation(text: str, letters: Letters, divisors: list[sp.Expr]) -> sp.Basic:
    """Return a relation, or several of which one holds."""
    if " or " in text:
        return sp.Or(*(_relation(part, letters, divisors) for part in text.split(" or ")), evaluate=False)
    parts = _RELATION.split(text)
    if len(parts) != 3:
        _illegal(text)
    return RELATIONS[parts[1]](number(parts[0], letters, divisors), number(parts[2], letters, divisors), evaluate=False)


def _ends(text: str, letters: Letters) -> tuple[sp.Expr, sp.Expr]:
    ends = split_conditions(text)
    if len(ends) != 2:
        _illegal(text)
    low, high = (number(end, letters) for end in ends)
    _require_only(set(), text, low, high)
    return low, high


def _illegal(line: str) -> NoReturn:
    msg = f"line = {line!r} is not legal: {LEGAL}"
    raise InputError(msg)
