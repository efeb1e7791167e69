"""Lines of a statement as goals: which prover decides a line follows from what it says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import sympy as sp

from boundcheck.errors import InputError
from boundcheck.lemmas.claim import AllOf
from boundcheck.lemmas.provers.gram import GramBound
from boundcheck.lemmas.provers.hilbert import INNER
from boundcheck.lemmas.provers.identity import Identity
from boundcheck.lemmas.provers.monotone import AllFrom, OnBox
from boundcheck.lemmas.provers.real import Feasible, Infeasible, Real
from boundcheck.lemmas.stated.letters import Letters, declared
from boundcheck.lemmas.stated.reader import number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from boundcheck.lemmas.claim import Goal
    from boundcheck.lemmas.stated import Stated

    Condition = sp.Basic | tuple[sp.Expr, sp.Expr]

RELATIONS: dict[str, Callable[..., sp.Basic]] = {
    "<=": sp.Le,
    "<": sp.Lt,
    ">=": sp.Ge,
    ">": sp.Gt,
    "=": sp.Eq,
}
LEGAL = (
    "'a <= b', 'a = b', 'a = b <= c', 'a <= b if c <= d, d < e', 'a <= b for k >= 1', 'a < b for x in [0, 1]',"
    " 'never a < b, b < a' or 'possible a < b, b < c', with spaces around relations"
)
_RELATION = re.compile(r"\s(<=|<|>=|>|=)\s")
_FROM = re.compile(r"(.+) for (\w+) >= (.+)")
_BOX = re.compile(r"(.+) < (.+) for ((?:\w+ in \[[^\]]+\](?:, )?)+|constants)")
_SIDE = re.compile(r"(\w+) in \[([^\]]+)\]")


def goal(statement: Stated) -> Goal:
    """Return the goal that a statement spells; several are decided together."""
    letters = declared(statement.letters, lambda known: lambda text: number(text, known))
    given = [_condition(text, letters) for text in statement.given]
    found = [one for line in statement.shows for one in _goals(line, letters, given)]
    return found[0] if len(found) == 1 else AllOf(tuple(found))


def _goals(line: str, letters: Letters, given: list[Condition]) -> Iterator[Goal]:
    """Yield the goals of one line: one for each relation of a chain."""
    word, _, rest = line.partition(" ")
    if word in ("never", "possible"):
        conditions = [_relation(text, letters) for text in _split(rest)]
        yield (Infeasible if word == "never" else Feasible)((*_relations(given), *conditions))
    elif box := _BOX.fullmatch(line):
        sides = {letters.number(x): _ends(ends, letters) for x, ends in _SIDE.findall(box[3])}
        yield OnBox(number(box[1], letters), number(box[2], letters), sides)
    elif start := _FROM.fullmatch(line):
        (lhs, op, rhs) = _chain(start[1])
        op == "<=" or _illegal(line)
        yield AllFrom(number(lhs, letters), number(rhs, letters), letters.number(start[2]), number(start[3], letters))
    else:
        shown, _, conditions = line.partition(" if ")
        own = [_condition(text, letters) for text in _split(conditions)]
        parts = _chain(shown)
        len(parts) > 1 or _illegal(line)
        for n in range(0, len(parts) - 1, 2):
            lhs, rhs = number(parts[n], letters), number(parts[n + 2], letters)
            match parts[n + 1]:
                case "=":
                    values = {one.lhs: one.rhs for one in own if isinstance(one, sp.Eq)}
                    yield Identity(lhs, rhs, letters.where | values, mean=bool(letters.where))
                case "<=":
                    yield _bound(lhs, rhs, [*given, *own])
                case ">=":
                    yield _bound(rhs, lhs, [*given, *own])
                case _:
                    _illegal(line)


def _bound(lhs: sp.Expr, rhs: sp.Expr, known: list[Condition]) -> Goal:
    """Return the goal of ``lhs <= rhs``."""
    relations, products = _relations(known), tuple(one for one in known if isinstance(one, tuple))
    if products or lhs.has(INNER) or rhs.has(INNER):
        return GramBound(lhs, rhs, relations, products)
    return Real(lhs, rhs, relations)


def _relations(known: list[Condition]) -> tuple[sp.Basic, ...]:
    return tuple(one for one in known if not isinstance(one, tuple))


def _condition(text: str, letters: Letters) -> Condition:
    """Return a relation between numbers, or for ``0 <= expression : multiplier`` the multiplier and the expression."""
    known, colon, multiplier = text.partition(" : ")
    if not colon:
        return _relation(text, letters)
    zero, relation, expression = known[:1], known[1:5], known[5:]
    if (zero, relation) != ("0", " <= "):
        _illegal(text)
    return number(multiplier, letters), number(expression, letters)


def _relation(text: str, letters: Letters) -> sp.Basic:
    """Return a relation, or several of which one holds."""
    if " or " in text:
        return sp.Or(*(_relation(part, letters) for part in text.split(" or ")), evaluate=False)
    parts = _chain(text)
    len(parts) == 3 or _illegal(text)
    return RELATIONS[parts[1]](number(parts[0], letters), number(parts[2], letters), evaluate=False)


def _chain(text: str) -> list[str]:
    """Return sides and relations, in turn."""
    return _RELATION.split(text)


def _split(text: str) -> list[str]:
    """Return the conditions in a list: commas inside of brackets belong to one of them."""
    parts, depth = [""], 0
    for before, sign, after in zip(" " + text, text, text[1:] + " ", strict=False):
        depth += sign in "([" or (sign == "<" and after not in " =")
        depth -= sign in ")]" or (sign == ">" and before != " ")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]


def _ends(text: str, letters: Letters) -> tuple[sp.Expr, sp.Expr]:
    low, high = (number(end, letters) for end in _split(text))
    return low, high


def _illegal(line: str) -> None:
    msg = f"line = {line!r} is not legal: {LEGAL}"
    raise InputError(msg)
