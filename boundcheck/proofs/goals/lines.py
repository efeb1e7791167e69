"""Lines of a statement as goals: which prover decides a line follows from what it says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, NoReturn

import sympy as sp

from boundcheck.errors import InputError
from boundcheck.proofs.goals.letters import Letters, read_letters
from boundcheck.proofs.goals.reader import Written, number, number_of
from boundcheck.proofs.language.claim import AllOf
from boundcheck.proofs.language.grammar import LEGAL_ALONE, Node, names_in, node_text, read_alone
from boundcheck.proofs.language.limits import require_ascii, require_modest
from boundcheck.proofs.provers.defined import apart_from_zero, divisors, plain_divisors
from boundcheck.proofs.provers.gram import GramBound, is_linear
from boundcheck.proofs.provers.hilbert import DEVIATION, INNER, MEAN, names_of
from boundcheck.proofs.provers.identity import Identity
from boundcheck.proofs.provers.lengths import LengthBound
from boundcheck.proofs.provers.monotone import AllFrom, OnBox
from boundcheck.proofs.provers.real import Feasible, Infeasible, Real

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    from boundcheck.proofs.language.claim import Goal
    from boundcheck.proofs.language.grammar import Statement

    Product: TypeAlias = tuple[sp.Expr, sp.Expr]

RELATIONS: dict[str, Callable[..., sp.Basic]] = {
    "<=": sp.Le,
    "<": sp.Lt,
    ">=": sp.Ge,
    ">": sp.Gt,
    "=": sp.Eq,
    "!=": sp.Ne,
}
Conditions = tuple["Node", ...]


@dataclass(frozen=True)
class ParsedConditions:
    """What conditions say."""

    relations: tuple[sp.Basic, ...] = ()
    products: tuple[Product, ...] = ()
    """What is nonnegative, each after its multiplier."""
    apart: tuple[sp.Basic, ...] = ()
    """Where the conditions are defined, if that is no longer seen: else they say nothing."""
    divides: tuple[sp.Expr, ...] = ()
    """What multipliers divide by: it has to be shown not to be 0."""


def goal(shows: tuple[str, ...], given: tuple[str, ...], letters: tuple[str, ...]) -> Goal:
    """Return the goal that a statement spells; several are decided together."""
    found, _ = read_goals(shows, given, letters)
    return found[0] if len(found) == 1 else AllOf(tuple(found))


def read_goals(
    shows: tuple[str, ...], given: tuple[str, ...], letters: tuple[str, ...], *, taken: bool = True
) -> tuple[list[Goal], Letters]:
    """Return the goals of a statement and its letters; without `taken` a letter stands for each E(...)."""
    for line in (*shows, *given, *letters):
        require_ascii(line, "line")
        require_modest(line, "line")
    known = read_letters(letters, lambda known: lambda text: number(text, known))
    common = tuple(condition for line in given for condition in read_alone(line).shows)
    known.unread = None if taken else {}
    for line in shows:
        said = read_alone(line)
        _require_apart(line, (*said.shows, *said.given, *common), known)
    return [one for line in shows for one in _goals(line, read_alone(line), known, common)], known


def _require_apart(line: str, nodes: Conditions, letters: Letters) -> None:
    """Refuse noise and draws that stand in E(...) and outside of it, where every outcome is meant."""
    averaged, outside = set[str](), set[str]()

    def note(node: Node) -> None:
        if node.kind == "call" and node.name == "E":
            laws = set(map(node_text, node.parts[1:])) or {*letters.laws}
            averaged.update(names_in(node.parts[0]) & laws)
            outside.update(names_in(node.parts[0]) - laws)
        elif node.kind == "letter":
            outside.add(node.name)
        else:
            for part in node.parts:
                note(part)

    for node in nodes:
        note(node)
    both = sorted(averaged & outside)
    if both:
        msg = (
            f"line = {line!r} is not legal: {both[0]} stands in E(...) and outside of it; name a vector for the latter"
        )
        raise InputError(msg)


def _goals(line: str, said: Statement, letters: Letters, given: Conditions) -> Iterator[Goal]:
    """Yield the goals of one line: one for each relation of a chain."""
    if said.mood:
        known = _read_conditions((*given, *said.shows), letters)
        if known.products or said.over or said.given:
            _illegal(line)
        # A condition that divides by 0 is not met: only where it is to be met that has to be said.
        met = (*known.relations, *letters.domain)
        yield Infeasible(met) if said.mood == "never" else Feasible((*met, *known.apart))
        return
    (shown,) = said.shows if len(said.shows) == 1 else (None,)
    if shown is None or shown.kind != "relation":
        _illegal(line)
    if not said.over:
        yield from _bounds(line, shown, said.given, letters, given)
        return
    if said.given or shown.name not in ("<", "<="):
        _illegal(line)
    written = Written()
    lhs, rhs = (number_of(side, letters, written) for side in shown.parts)
    divided = _lost_divisors(written.divisors, lhs, rhs)
    kinds = {one.kind for one in said.over}
    if shown.name == "<" and (kinds == {"box"} or said.over == (Node("all", "constants"),)):
        sides = _sides(line, said.over, letters)
        _require_only({*sides}, line, lhs, rhs)
        yield OnBox(lhs, rhs, sides, divided)
    elif shown.name == "<=" and kinds == {"from"} and len(said.over) == 1:
        ((index, least),) = ((letters.number(one.name), number_of(one.parts[0], letters)) for one in said.over)
        _require_only({index}, line, lhs, rhs)
        _require_only(set(), line, least)
        yield AllFrom(lhs, rhs, index, least, divided)
    else:
        _illegal(line)


def _sides(line: str, ranges: tuple[Node, ...], letters: Letters) -> dict[sp.Symbol, tuple[sp.Expr, sp.Expr]]:
    """Return the sides of a box, each of a letter of its own; none where the line is about constants."""
    boxes = [one for one in ranges if one.kind == "box"]
    if any(len(one.parts) != 2 for one in boxes) or len({one.name for one in boxes}) < len(boxes):
        _illegal(line)
    sides = {
        letters.number(one.name): (number_of(one.parts[0], letters), number_of(one.parts[1], letters)) for one in boxes
    }
    for ends in sides.values():
        _require_only(set(), line, *ends)
    return sides


def _require_only(legal: set[sp.Symbol], line: str, *expressions: sp.Expr) -> None:
    """Refuse letters that a line says nothing about."""
    other = sorted(s.name for e in expressions for s in e.free_symbols if s not in legal)
    if other:
        msg = f"line = {line!r} is not legal: it does not say which values {other[0]} takes"
        raise InputError(msg)


def _lost_divisors(written: Iterable[sp.Expr], *left: sp.Expr) -> tuple[sp.Expr, ...]:
    """Return the divisors that may be 0 and are no longer seen in what is left of the expressions."""
    seen = divisors(*left)
    return tuple(d for d in plain_divisors(written) if d not in seen)


def _lost_domain(written: Iterable[sp.Basic], *left: sp.Basic) -> tuple[sp.Basic, ...]:
    """Return where roots and logarithms are defined that are no longer seen in what is left of the expressions."""
    powers = (p for e in left for p in sp.preorder_traversal(e) if isinstance(p, (sp.Pow, sp.log)))
    seen = {p.args[0] for p in powers if isinstance(p, sp.log) or not p.exp.is_integer}
    return tuple(one for one in dict.fromkeys(written) if one.lhs not in seen)


def _bounds(line: str, shown: Node, own: Conditions, letters: Letters, given: Conditions) -> Iterator[Goal]:
    """Yield the goals of ``a = b <= c if CONDITIONS``; conditions of an identity are values of what stands left."""
    known = _read_conditions((*given, *own), letters)
    for sign, (left, right) in zip(shown.name.split(), pairwise(shown.parts), strict=True):
        if left == right:
            msg = f"line = {line!r} is not legal: both sides are {node_text(left)}, so that nothing is said"
            raise InputError(msg)
        read = Written()
        lhs, rhs = (number_of(side, letters, read) for side in (left, right))
        _require_clients(line, letters, lhs, rhs)
        written = (*read.divisors, *known.divides)
        where = (*known.apart, *_lost_domain(read.domain, lhs, rhs))
        defined = replace(known, apart=where)
        if sign == "=":
            values = {one.lhs: one.rhs for one in _read_conditions(own, letters).relations if isinstance(one, sp.Eq)}
            domain = (*known.relations, *where, *letters.domain)
            numbers = tuple(one for one in domain if not one.has(INNER))
            divided = _lost_divisors(read.divisors, lhs, rhs)
            identity = Identity(lhs, rhs, letters.where | values, bool(letters.where), numbers, divided)
        plain = sign == "=" and (letters.unread is not None or identity.expands_to_zero())
        if _needs_lengths(sign, lhs, rhs, known) and not plain:
            yield from _between_lengths(line, sign, lhs, rhs, defined, letters, written)
            continue
        match sign:
            case "=":
                yield identity
            case "<=":
                yield _bound(lhs, rhs, defined, letters, written)
            case ">=":
                yield _bound(rhs, lhs, defined, letters, written)
            case _:
                _illegal(line)


def _needs_lengths(sign: str, lhs: sp.Expr, rhs: sp.Expr, known: ParsedConditions) -> bool:
    """Whether a line is more than a quadratic form, with what is known used as it is: the others have provers."""
    if sign == "=" and known.products:
        return True
    return any(one.has(INNER) for one in known.relations) or not is_linear(rhs - lhs)


def _between_lengths(
    line: str,
    sign: str,
    lhs: sp.Expr,
    rhs: sp.Expr,
    known: ParsedConditions,
    letters: Letters,
    written: tuple[sp.Expr, ...],
) -> Iterator[Goal]:
    """Yield the goals of a line about lengths; an equality is two of them."""
    if sign not in ("<=", ">=", "="):
        _illegal(line)
    more = tuple(sp.Ge(e, 0, evaluate=False) for _, e in known.products)
    laws = tuple(one for one in (*letters.domain, *known.apart) if one not in known.relations)
    divided = _lost_divisors(written, lhs, rhs)
    for left, right in ((lhs, rhs),) * (sign != ">=") + ((rhs, lhs),) * (sign != "<="):
        yield LengthBound(left, right, (*known.relations, *more), letters.where, laws, divided)


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


def _read_conditions(conditions: Conditions, letters: Letters) -> ParsedConditions:
    """Return what a list of conditions says."""
    relations: list[sp.Basic] = []
    products: list[Product] = []
    apart, divides = list[sp.Basic](), Written()
    for one in conditions:
        written = Written()
        if one.kind == "times":
            known, multiplier = one.parts
            if known.name != "<=" or known.parts[0] != Node("number", "0"):
                _illegal(node_text(one))
            made = number_of(multiplier, letters, divides), number_of(known.parts[1], letters, written)
            products.append(made)
            left: sp.Basic = made[1]
        else:
            relations.append(left := _relation(one, letters, written))
        apart += [*apart_from_zero(_lost_divisors(written.divisors, left)), *_lost_domain(written.domain, left)]
    return ParsedConditions(tuple(relations), tuple(products), tuple(dict.fromkeys(apart)), tuple(divides.divisors))


def _relation(node: Node, letters: Letters, written: Written) -> sp.Basic:
    if node.kind == "or":
        return sp.Or(*(_relation(part, letters, written) for part in node.parts), evaluate=False)
    if len(node.parts) != 2:
        _illegal(node_text(node))
    left, right = (number_of(side, letters, written) for side in node.parts)
    return RELATIONS[node.name](left, right, evaluate=False)


def _illegal(line: str) -> NoReturn:
    msg = f"line = {line!r} is not legal: {LEGAL_ALONE}"
    raise InputError(msg)
