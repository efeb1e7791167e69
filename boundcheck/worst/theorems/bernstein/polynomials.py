"""Polynomials over Q in a fixed number of letters: a dictionary from exponents to coefficients, without zeros."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, TypeVar

from boundcheck.proofs.kernel.boxes import in_letters

if TYPE_CHECKING:
    from boundcheck.proofs.kernel.boxes import Box
    from boundcheck.proofs.kernel.certificates import Poly as CheckerPoly

Exponents = tuple[int, ...]
Poly = dict[Exponents, Fraction]
Named = TypeVar("Named", bound=Hashable)
Sample = Callable[[tuple[Fraction, ...]], Mapping[Any, Fraction]]


def of_checker(name: str, p: CheckerPoly, box: Box) -> Poly:
    """Return a polynomial of the checker by the exponents of the letters of a box; an error has the name."""
    return {e: Fraction(c) for e, c in in_letters(name, p, box).items()}


def constant(value: Fraction | int, letters: int) -> Poly:
    """Return a number as a polynomial in so many letters."""
    return {(0,) * letters: Fraction(value)} if value else {}


def letter(which: int, letters: int) -> Poly:
    """Return one of the letters."""
    return {tuple(int(k == which) for k in range(letters)): Fraction(1)}


def add(*parts: Poly) -> Poly:
    """Return a sum."""
    total: Poly = {}
    for part in parts:
        for e, c in part.items():
            total[e] = total.get(e, Fraction(0)) + c
    return {e: c for e, c in total.items() if c}


def scale(p: Poly, by: Fraction | int) -> Poly:
    """Return a multiple."""
    return {e: c * by for e, c in p.items()} if by else {}


def multiply(first: Poly, *others: Poly) -> Poly:
    """Return a product."""
    found = first
    for other in others:
        total: Poly = {}
        for e, c in found.items():
            for f, d in other.items():
                key = tuple(map(int.__add__, e, f))
                total[key] = total.get(key, Fraction(0)) + c * d
        found = {e: c for e, c in total.items() if c}
    return found


def shift(p: Poly, by: Exponents) -> Poly:
    """Return a product with a monomial; exponents may be negative."""
    return {tuple(map(int.__add__, e, by)): c for e, c in p.items()}


def substitute(p: Poly, which: int, by: Poly) -> Poly:
    """Return a polynomial with another one in the place of a letter."""
    powers: list[Poly] = []
    parts = []
    for e, c in p.items():
        while len(powers) <= e[which]:
            powers.append(multiply(powers[-1], by) if powers else constant(1, len(e)))
        parts.append(multiply({(*e[:which], 0, *e[which + 1 :]): c}, powers[e[which]]))
    return add(*parts)


def evaluate(p: Poly, at: Sequence[Any]) -> Any:
    """Return the value at numbers: exact ones or floats."""
    exact = all(isinstance(x, (int, Fraction)) for x in at)
    total: Any = Fraction(0) if exact else 0.0
    for e, c in p.items():
        total += (c if exact else float(c)) * prod((x**k for x, k in zip(at, e, strict=True) if k), start=1)
    return total


def degrees(polys: Sequence[Poly], letters: int) -> Exponents:
    """Return the largest exponent of each letter."""
    return tuple(max((e[k] for p in polys for e in p), default=0) for k in range(letters))


def monomials(limits: Exponents) -> list[Exponents]:
    """Return all exponents up to a degree in each letter."""
    return list(product(*(range(d + 1) for d in limits)))


def interpolate(sample: Sample, limits: Exponents, nodes: Sequence[Sequence[Fraction]]) -> dict[Any, Poly]:
    """Return what takes polynomial values, from its values at the points of a grid.

    Parameters
    ----------
    sample : callable
        Point to the values of all polynomials, by their names.
    limits : tuple of int
        Degree in each letter.
    nodes : sequence of sequences
        Different values of each letter, one more than the degree at least.

    Raises
    ------
    ValueError
        If a value at one more point is another one: the degrees are larger, or it is no polynomial.
    """
    table: dict[Any, Poly] = {}
    bases = [_lagrange(node[: d + 1]) for node, d in zip(nodes, limits, strict=True)]
    for chosen in monomials(limits):
        values = sample(tuple(node[k] for node, k in zip(nodes, chosen, strict=True)))
        weights: dict[Exponents, Fraction] = {}
        for e in monomials(limits):
            weights[e] = prod((b[k][j] for b, k, j in zip(bases, chosen, e, strict=True)), start=Fraction(1))
        for name, value in values.items():
            if value:
                own = table.setdefault(name, {})
                for e, w in weights.items():
                    own[e] = own.get(e, Fraction(0)) + w * value
    found = {name: {e: c for e, c in p.items() if c} for name, p in table.items()}
    witness = tuple(Fraction(31 + 4 * k, 97) for k in range(len(limits)))
    seen = sample(witness)
    for name in {*seen, *found}:
        if evaluate(found.get(name, {}), witness) != seen.get(name, 0):
            msg = f"{name} is no polynomial of degrees {limits}"
            raise ValueError(msg)
    return {name: p for name, p in found.items() if p}


def _lagrange(nodes: Sequence[Fraction]) -> list[list[Fraction]]:
    """Return, for each node, the coefficients of the polynomial that is 1 there and 0 at the others."""
    found = []
    for i, x in enumerate(nodes):
        row = [Fraction(1)]
        for j, y in enumerate(nodes):
            if i != j:
                raised = [Fraction(0), *row]
                row = [(a - y * b) / (x - y) for a, b in zip(raised, [*row, Fraction(0)], strict=True)]
        found.append(row)
    return found


def write_polynomial(p: Poly, letters: tuple[str, ...]) -> str:
    """Return a polynomial as text, exponents of its letters negative where they are."""
    parts: list[str] = []
    for e, c in sorted(p.items()):
        factors = [f"{x}^{k}" if k != 1 else x for x, k in zip(letters, e, strict=True) if k]
        number = str(c) if c >= 0 or not parts else f"- {-c}"
        parts.append("*".join([number, *factors]) if c != 1 or not factors else "*".join(factors))
    return " + ".join(parts).replace("+ -", "-") or "0"


def read_polynomial(text: str, letters: tuple[str, ...]) -> Poly:
    """Return the polynomial that a file spells: sums of products of numbers and powers."""
    parts: list[Poly] = []
    for sign, term in re.findall(r"(^-|^|\+ |- )((?:[^ ]|\^-)+)", text):
        p: dict[str, int] = dict.fromkeys(letters, 0)
        c = Fraction(-1 if sign.startswith("-") else 1)
        for factor in term.split("*"):
            name, _, power = factor.partition("^")
            if name in p:
                p[name] += int(power or 1)
            else:
                c *= Fraction(factor)
        parts.append({tuple(p.values()): c} if c else {})
    return add(*parts)
