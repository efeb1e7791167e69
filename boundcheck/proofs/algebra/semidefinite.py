"""Quadratic forms as sums of squares with nonnegative weights: LDL' with letters as pivots, one component at a time.

Averages over indices are commuting orthogonal projections, so that the space splits into the parts that are averaged
over exactly the indices of a set; a form is semidefinite if it is in every part.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, combinations, product
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.proofs.algebra.factors import factor_polynomial
from boundcheck.proofs.algebra.points import Array, evaluate_at
from boundcheck.proofs.language.forms import CLIENT, Atom, Inner, inner

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boundcheck.proofs.algebra.signs import Signs
    from boundcheck.proofs.language.forms import Coefficient, Scalar

_INDEFINITE = 1e-7
"""An eigenvalue below minus this, the largest entry being 1, is no rounding error."""
Matrix = dict[tuple["Atom", "Atom"], "Coefficient"]


@dataclass(frozen=True)
class Square:
    """``weight * |combination|^2`` in the part of the space that is averaged over exactly `part`."""

    part: frozenset[str]
    weight: Coefficient
    combination: tuple[tuple[Atom, Coefficient], ...]
    split: frozenset[str] | None = None
    """The indices between whose parts it is in one; None: all with which it varies."""


def squares(form: Scalar, signs: Signs) -> list[Square] | None:
    """Return squares with nonnegative weights that add up to the inner products of a form, None if none are found."""
    products = {term: value for term, value in form.items() if isinstance(term, Inner)}
    everything = frozenset().union(*(t.left.varies | t.right.varies for t in products)) if products else frozenset()
    found = _by_parts(products, everything, subsets(everything), signs)
    return found if found is not None else _on_samples(products, everything, signs)


def _on_samples(products: dict[Inner, Coefficient], everything: frozenset[str], signs: Signs) -> list[Square] | None:
    """Return squares where vectors are split into what a sample takes of them and the rest, which are orthogonal.

    They are so over all clients, not apart from their mean: what is not a mean over the clients is taken as one part.
    """
    taken = {a for term in products for a in (term.left, term.right) if a.argument is not None and a.indices}
    rests = {atom.argument: atom for atom in sorted(taken, key=str) if atom.argument is not None}
    shared = {t: v for t, v in products.items() if CLIENT in t.averaged and CLIENT in t.left.varies & t.right.varies}
    own = {term: value for term, value in products.items() if term not in shared}
    if not taken or not set(rests) & {a for term in own for a in (term.left, term.right)}:
        return None
    names = {atom: Atom(f"~{atom.name}", atom.indices, atom.argument, client=True) for atom in rests.values()}

    def split(atom: Atom) -> list[Atom]:
        return [rests[atom], names[rests[atom]]] if atom in rests else [atom]

    made: dict[Inner, Coefficient] = {}
    for term, value in own.items():
        for a, b in product(split(term.left), split(term.right)):
            if not _apart(a, b):
                new = inner(a, b, term.averaged - {CLIENT})
                made[new] = made[new] + value if new in made else value
    others = everything - {CLIENT}
    found = _by_parts({t: v for t, v in made.items() if v != 0}, others, subsets(others), signs)
    means = _by_parts(shared, everything, (part for part in subsets(everything) if CLIENT in part), signs)
    if found is None or means is None:
        return None
    back = {rest: atom for atom, rest in names.items()}
    return [replace(one, combination=_join_samples(one.combination, back), split=others) for one in found] + means


def _apart(a: Atom, b: Atom) -> bool:
    """Return whether one is on a sample and the other off the same one."""
    return a.indices == b.indices and (a.name == f"~{b.name}" or b.name == f"~{a.name}")


def _join_samples(
    combination: tuple[tuple[Atom, Coefficient], ...], back: dict[Atom, Atom]
) -> tuple[tuple[Atom, Coefficient], ...]:
    """Return a combination with u - taken(A, u) for the rest of u."""
    found: dict[Atom, Coefficient] = {}
    for atom, value in combination:
        whole = back[atom].argument if atom in back else None
        pairs = [(whole, value), (back[atom], -value)] if whole is not None else [(atom, value)]
        for one, by in pairs:
            found[one] = found[one] + by if one in found else by
    return tuple((atom, value) for atom, value in found.items() if value != 0)


def _by_parts(
    products: dict[Inner, Coefficient], everything: frozenset[str], parts: Iterable[frozenset[str]], signs: Signs
) -> list[Square] | None:
    """Return squares in each of some parts of the space, None where one is not seen to be semidefinite."""
    found: list[Square] = []
    for part in parts:
        matrix = component(products, part, everything)
        # To draw points where all hypotheses hold costs more than to look stored sums up for every order.
        if signs.book.search and _fails_somewhere(matrix, signs.points):
            return None
        pivots = _decompose_matrix(matrix, tuple(sorted({a for a, _ in matrix}, key=str)), signs)
        if pivots is None:
            return None
        found += [Square(part, weight, combination) for weight, combination in pivots]
    return found


def component(products: dict[Inner, Coefficient], part: frozenset[str], everything: frozenset[str]) -> Matrix:
    """Return the symmetric matrix of a form in one part of the space, zero entries left out.

    What does not vary with an index has no component in the parts that are not averaged over it.
    """
    matrix: Matrix = {}
    for term, value in products.items():
        constant = everything - (term.left.varies & term.right.varies)
        if term.averaged | constant <= part:
            half = value if term.left == term.right else value / 2
            for pair in {(term.left, term.right), (term.right, term.left)}:
                matrix[pair] = matrix[pair] + half if pair in matrix else half
    return {pair: value for pair, value in matrix.items() if value != 0}


def subsets(of: frozenset[str]) -> Iterable[frozenset[str]]:
    """Return all subsets: the parts of the space."""
    return map(frozenset, chain.from_iterable(combinations(sorted(of), size) for size in range(len(of) + 1)))


def _fails_somewhere(matrix: Matrix, points: Array) -> bool:
    """Return whether a matrix is indefinite at a point where all hypotheses hold: no order of elimination can help."""
    atoms = sorted({a for a, _ in matrix}, key=str)
    if not atoms or not len(points):
        return False
    values = np.zeros((len(points), len(atoms), len(atoms)))
    with np.errstate(all="ignore"):
        for (a, b), value in matrix.items():
            values[:, atoms.index(a), atoms.index(b)] = evaluate_at(value.numer, points) / evaluate_at(
                value.denom, points
            )
    scale = np.abs(values).max(axis=(1, 2))
    fine = np.isfinite(scale) & (scale > 0)
    return bool((np.linalg.eigvalsh(values[fine] / scale[fine, None, None])[:, 0] < -_INDEFINITE).any())


Pivots = list[tuple["Coefficient", tuple[tuple["Atom", "Coefficient"], ...]]]


def _decompose_matrix(matrix: Matrix, atoms: tuple[Atom, ...], signs: Signs) -> Pivots | None:
    """Return pivots and combinations; orders of elimination are tried until every pivot is shown nonnegative."""
    if not matrix:
        return []
    if any((a, a) not in matrix for a, _ in matrix):
        return None
    for atom in atoms:
        pivot = matrix.get((atom, atom))
        if pivot is None:
            continue
        if not signs.nonnegative(pivot):
            continue
        weight, row = pivot, {b: value / pivot for (a, b), value in matrix.items() if a == atom}
        if not all(_is_defined(value, signs) for value in row.values()):
            # beta^2 |u|^2 - 2 beta <u, v> + |v|^2 is a square for beta = 0 too.
            side = _square_side(pivot)
            weight, row = pivot / side**2, {b: value * side for b, value in row.items()}
            if not all(_is_defined(value, signs) for value in row.values()):
                continue
        rest = _eliminate_atom(matrix, atom, row, weight)
        below = _decompose_matrix(rest, tuple(a for a in atoms if a != atom), signs)
        if below is not None:
            return [(weight, tuple(row.items())), *below]
    return None


def _square_side(value: Coefficient) -> Coefficient:
    """Return the product of the factors of a number's numerator that stand in it twice, once."""
    side = value.field.one
    for factor, power in factor_polynomial(value.numer)[1]:
        side *= value.field.new(factor) ** (power // 2)
    return side


def _is_defined(value: Coefficient, signs: Signs) -> bool:
    return bool(value.denom.is_ground) or signs.nonzero(value.field.new(value.denom))


def _eliminate_atom(matrix: Matrix, atom: Atom, row: dict[Atom, Coefficient], pivot: Coefficient) -> Matrix:
    rest = {pair: value for pair, value in matrix.items() if atom not in pair}
    others = [b for b in row if b != atom]
    for a in others:
        for b in others:
            change = row[a] * row[b] * pivot
            rest[a, b] = rest[a, b] - change if (a, b) in rest else -change
    return {pair: value for pair, value in rest.items() if value != 0}
