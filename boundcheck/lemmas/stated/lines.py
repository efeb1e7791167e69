"""Lines of a statement as goals: which prover decides a line follows from what it says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

import sympy as sp

from boundcheck.errors import InputError
from boundcheck.lemmas.claim import AllOf
from boundcheck.lemmas.provers.gram import GramBound
from boundcheck.lemmas.provers.hilbert import INNER
from boundcheck.lemmas.provers.identity import Identity
from boundcheck.lemmas.provers.monotone import AllFrom, OnBox
from boundcheck.lemmas.provers.real import Feasible, Infeasible, Real
from boundcheck.lemmas.stated.letters import Letters, declared
from boundcheck.lemmas.stated.reader import number, same_text
from boundcheck.lemmas.texts import split_conditions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from boundcheck.lemmas.claim import Goal

    Product: TypeAlias = tuple[sp.Expr, sp.Expr]
    Known: TypeAlias = tuple[tuple[sp.Basic, ...], tuple[Product, ...]]
    """Relations; and what is nonnegative, each after its multiplier."""

RELATIONS: dict[str, Callable[..., sp.Basic]] = {"<=": sp.Le, "<": sp.Lt, ">=": sp.Ge, ">": sp.Gt, "=": sp.Eq}
LEGAL = (
    "'a <= b', 'a = b', 'a = b <= c', 'a <= b if c <= d, d < e', 'a <= b for k >= 1', 'a < b for x in [0, 1]',"
    " 'never a < b, b < a' or 'possible a < b, b < c', with spaces around relations"
)
_RELATION = re.compile(r"\s(<=|<|>=|>|=)\s")
_FROM = re.compile(r"(.+) <= (.+) for (\w+) >= (.+)")
_BOX = re.compile(r"(.+) < (.+) for ((?:\w+ in \[[^\]]+\](?:, )?)+|constants)")
_SIDE = re.compile(r"(\w+) in \[([^\]]+)\]")
_PRODUCT = re.compile(r"0 <= (.+) : (.+)")


def goal(shows: tuple[str, ...], given: tuple[str, ...], letters: tuple[str, ...]) -> Goal:
    """Return the goal that a statement spells; several are decided together."""
    known = declared(letters, lambda known: lambda text: number(text, known))
    found = [one for line in shows for one in _goals(line, known, given)]
    return found[0] if len(found) == 1 else AllOf(tuple(found))


def _goals(line: str, letters: Letters, given: tuple[str, ...]) -> Iterator[Goal]:
    """Yield the goals of one line: one for each relation of a chain."""
    word, _, rest = line.partition(" ")
    if word in ("never", "possible"):
        yield (Infeasible if word == "never" else Feasible)(_known((*given, *split_conditions(rest)), letters)[0])
    elif box := _BOX.fullmatch(line):
        sides = {letters.number(x): _ends(ends, letters) for x, ends in _SIDE.findall(box[3])}
        yield OnBox(number(box[1], letters), number(box[2], letters), sides)
    elif start := _FROM.fullmatch(line):
        lhs, rhs, first = (number(start[n], letters) for n in (1, 2, 4))
        yield AllFrom(lhs, rhs, letters.number(start[3]), first)
    else:
        yield from _bounds(line, letters, given)


def _bounds(line: str, letters: Letters, given: tuple[str, ...]) -> Iterator[Goal]:
    """Yield the goals of ``a = b <= c if CONDITIONS``; conditions of an identity are values of what stands left."""
    shown, _, text = line.partition(" if ")
    own = split_conditions(text)
    known = _known((*given, *own), letters)
    parts = _RELATION.split(shown)
    if len(parts) == 1:
        _illegal(line)
    for n in range(0, len(parts) - 1, 2):
        if same_text(parts[n], parts[n + 2]):
            msg = f"line = {line!r} is not legal: both sides are {parts[n].strip()}, so that nothing is said"
            raise InputError(msg)
        lhs, rhs = number(parts[n], letters), number(parts[n + 2], letters)
        match parts[n + 1]:
            case "=":
                values = {one.lhs: one.rhs for one in _known(own, letters)[0] if isinstance(one, sp.Eq)}
                yield Identity(lhs, rhs, letters.where | values, mean=bool(letters.where))
            case "<=":
                yield _bound(lhs, rhs, known)
            case ">=":
                yield _bound(rhs, lhs, known)
            case _:
                _illegal(line)


def _bound(lhs: sp.Expr, rhs: sp.Expr, known: Known) -> Goal:
    """Return the goal of ``lhs <= rhs``."""
    relations, products = known
    if products or lhs.has(INNER) or rhs.has(INNER):
        return GramBound(lhs, rhs, relations, products)
    return Real(lhs, rhs, relations)


def _known(texts: tuple[str, ...], letters: Letters) -> Known:
    """Return what a list of conditions says."""
    products = [found for text in texts if (found := _PRODUCT.fullmatch(text))]
    relations = tuple(_relation(text, letters) for text in texts if not _PRODUCT.fullmatch(text))
    return relations, tuple((number(one[2], letters), number(one[1], letters)) for one in products)


def _relation(text: str, letters: Letters) -> sp.Basic:
    """Return a relation, or several of which one holds."""
    if " or " in text:
        return sp.Or(*(_relation(part, letters) for part in text.split(" or ")), evaluate=False)
    parts = _RELATION.split(text)
    if len(parts) != 3:
        _illegal(text)
    return RELATIONS[parts[1]](number(parts[0], letters), number(parts[2], letters), evaluate=False)


def _ends(text: str, letters: Letters) -> tuple[sp.Expr, sp.Expr]:
    ends = split_conditions(text)
    if len(ends) != 2:
        _illegal(text)
    return number(ends[0], letters), number(ends[1], letters)


def _illegal(line: str) -> NoReturn:
    msg = f"line = {line!r} is not legal: {LEGAL}"
    raise InputError(msg)
