"""One inequality for all values of letters in a box: a sum of multiples of what is known, and of squares.

Everything is a polynomial of `certificates`: letters and inner products.  What is left of the claim once multiples
of what is known are taken off is a quadratic form in means (~ before a name) and in deviations (~~).  Its coefficients
are polynomials in the letters of the box.  In Bernstein's form, B_i = C(d,i) t^i (1-t)^(d-i) with t from 0 to 1 along
every side, the matrix of each coefficient must be positive semidefinite, by its pivots over Q.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import comb, lcm, prod

from .certificates import CertificateScope, Coefficient, Poly, add, multiply

Box = dict[str, tuple[Fraction, Fraction]]
"""Letter to the ends of its range; a letter that starts at 0 stays above it."""
Exponents = tuple[int, ...]
Numbers = dict[Exponents, Coefficient]
"""A polynomial in the letters of a box, by exponents."""
Whole = dict[Exponents, int]
"""The same, times a positive number, so that the coefficients are whole; Bernstein's form, by index."""

_PRODUCT = re.compile(r"<(~{1,2})(\w+), (~{1,2})(\w+)>")
_RAISED = (0, 1, 2, 4)
"""What is added to a degree, one after the other, where its coefficients are not of one sign."""
_MOST = 200_000
"""Coefficients that a lemma may have in Bernstein's form."""


class LemmaError(ValueError):
    """What a lemma does not show."""


def require(condition: object, reason: str) -> None:
    """Refuse what is not shown."""
    if not condition:
        raise LemmaError(reason)


def minus(p: Poly) -> Poly:
    """Return the negative."""
    return {m: -c for m, c in p.items()}


def show(
    name: str,
    goal: Poly,
    known: Iterable[tuple[Poly, Poly, bool]],
    box: Box,
    *,
    constants: Iterable[str] = (),
    lengths: Mapping[str, str] | None = None,
) -> None:
    """Raise an error unless ``goal >= 0`` follows, in every Hilbert space and for every N, on the whole box.

    Parameters
    ----------
    name : str
        For messages.
    goal : Poly
    known : iterable of (Poly, Poly, bool)
        A multiplier, what it multiplies, and whether that is equal to 0 rather than at least 0.
    box : dict
    constants : iterable of str
        Letters that are at least 0 and beside the box.
    lengths : mapping, optional
        Family to a letter: the letter times a deviation of it is a vector of the form.

    Raises
    ------
    LemmaError
        With what is not shown.
    """
    left = goal
    for number, (multiplier, what, equal) in enumerate(known):
        if not equal:
            require_nonnegative(f"{name}: multiplier {number}", multiplier, box)
        left = add(left, minus(multiply(multiplier, what)))
    scalars, blocks = split(name, left, box, constants)
    for letter, p in scalars.items():
        require_nonnegative(f"{name}: what is left of {letter or 'numbers'}", p, box)
    for mark, entries in blocks.items():
        _show_block(
            f"{name}: {'means' if mark == '~' else 'deviations'}", entries, box, lengths if mark == "~~" else None
        )


def split(
    name: str, left: Poly, box: Box, constants: Iterable[str] = ()
) -> tuple[dict[str, Poly], dict[str, dict[tuple[str, str], Poly]]]:
    """Return what stands before each constant (and before none), and before each product of means and of deviations.

    Parameters
    ----------
    name : str
        For messages.
    left : Poly
    box : dict
    constants : iterable of str

    Raises
    ------
    LemmaError
        If there is more than letters, constants and products of two vectors.
    """
    free = set(constants)
    scalars: dict[str, Poly] = {}
    blocks: dict[str, dict[tuple[str, str], Poly]] = {"~": {}, "~~": {}}
    for m, c in left.items():
        other = [factor for factor in m if factor[0] not in box]
        if len(other) > 1 or any(k != 1 for _, k in other):
            raise LemmaError(f"{name}: {m} is no product of two vectors")
        rest = tuple(factor for factor in m if factor not in other) if other else m
        left_over = other[0][0] if other else ""
        if not left_over or left_over in free:
            scalars.setdefault(left_over, {})[rest] = c
            continue
        block, *pair = _factors_of(left_over)
        if block not in blocks:
            raise LemmaError(f"{name}: {left_over} does not cancel")
        entry = blocks[block].setdefault((pair[0], pair[1]), {})
        entry[rest] = entry[rest] + c if rest in entry else c
    return scalars, blocks


@cache
def _factors_of(generator: str) -> tuple[str, str, str]:
    """Return of an inner product the mark of means or of deviations, and the names of both vectors; "" of another."""
    found = _PRODUCT.fullmatch(generator)
    return (found[1], found[2], found[4]) if found and found[1] == found[3] else ("", "", "")


def require_nonnegative(name: str, p: Poly, box: Box, *, strictly: bool = False) -> None:
    """Raise an error unless a polynomial is nowhere negative on a box, by its Bernstein coefficients."""
    (numbers,) = clear_denominators([in_letters(name, p, box)], box)
    require(not strictly or numbers, f"{name}: it is 0")
    wrong: list[tuple[Exponents, int]] = []
    for degree in higher_degrees(limits([numbers], len(box))):
        found = bernstein(name, numbers, box, degree)
        seen = [(index, c) for index, c in found.items() if c < 0 or (c == 0 and strictly)]
        if not seen:
            return
        wrong = wrong or seen
    require(not wrong, f"{name}: it is not shown to be >= 0, coefficient {wrong[0][0]} is not" if wrong else "")


def in_letters(name: str, p: Poly, box: Box) -> Numbers:
    """Return a polynomial by exponents of the letters of a box; it must have no others."""
    found: Numbers = {}
    for m, c in p.items():
        powers = dict(m)
        if not powers.keys() <= box.keys():
            raise LemmaError(f"{name}: {sorted(powers.keys() - box)} stand where only letters may")
        found[tuple(powers.get(letter, 0) for letter in box)] = c
    return found


def clear_denominators(polys: list[Numbers], box: Box) -> list[Whole]:
    """Return polynomials times a number and a monomial, positive on the box: no fractions, no negative exponents."""
    lifts = []
    for axis, (letter, (low, _)) in enumerate(box.items()):
        least = min((e[axis] for p in polys for e in p), default=0)
        require(least >= 0 or low >= 0, f"{letter} stands in a denominator, and may be negative")
        lifts.append(max(0, -least))
    times = lcm(*(c.denominator for p in polys for c in p.values()))
    return [
        {tuple(map(int.__add__, e, lifts)): c.numerator * (times // c.denominator) for e, c in p.items()} for p in polys
    ]


def limits(polys: list[Whole], letters: int) -> Exponents:
    """Return the degree in each letter."""
    return tuple(max((e[axis] for p in polys for e in p), default=0) for axis in range(letters))


def bernstein(name: str, p: Whole, box: Box, degree: Exponents) -> Whole:
    """Return all coefficients of Bernstein's form, zeros among them, times a positive number of the box and degree."""
    size = prod(d + 1 for d in degree)
    require(size <= _MOST, f"{name}: {size} coefficients, more than {_MOST}")
    current = p
    for side, d in zip(box.values(), degree, strict=True):  # the first axis, which then is the last
        powers = _powers_in_bernstein(*side, d)
        found: Whole = {}
        for exponents, c in current.items():
            others = exponents[1:]
            for i, weight in powers[exponents[0]]:
                key = (*others, i)
                found[key] = found[key] + c * weight if key in found else c * weight
        current = found
    return {index: current.get(index, 0) for index in product(*(range(d + 1) for d in degree))}


@cache
def _powers_in_bernstein(low: Fraction, high: Fraction, d: int) -> list[list[tuple[int, int]]]:
    """Return for x^0 .. x^d the Bernstein coefficients that are not 0, with their indices, times one positive number.

    With x = (a + b t)/n, n^d x^e = n^(d - e) sum_r C(e, r) a^(e - r) b^r t^r, and t^r has coefficients C(i, r)/C(d, r).
    """
    n = lcm(low.denominator, high.denominator)
    a, b = int(low * n), int((high - low) * n)
    times = lcm(*(comb(d, r) for r in range(d + 1)))
    found = []
    for e in range(d + 1):
        in_t = [n ** (d - e) * comb(e, r) * a ** (e - r) * b**r * times // comb(d, r) for r in range(e + 1)]
        weights = [sum(c * comb(i, r) for r, c in enumerate(in_t)) for i in range(d + 1)]
        found.append([(i, weight) for i, weight in enumerate(weights) if weight])
    return found


def higher_degrees(degree: Exponents) -> Iterator[Exponents]:
    """Yield a degree and larger ones: in a larger degree Bernstein's form is nearer to the polynomial."""
    for more in _RAISED:
        yield tuple(d + more if d else 0 for d in degree)


def _show_block(name: str, entries: dict[tuple[str, str], Poly], box: Box, lengths: Mapping[str, str] | None) -> None:
    """Raise an error unless a quadratic form is a sum of squares on the whole box."""
    letters = list(box)
    polys: list[Numbers] = []
    for pair, p in entries.items():
        numbers = in_letters(name, p, box)
        for vector in pair:
            if lengths and vector in lengths:
                axis = letters.index(lengths[vector])
                numbers = {(*e[:axis], e[axis] - 1, *e[axis + 1 :]): c for e, c in numbers.items()}
        polys.append(numbers)
    whole = clear_denominators(polys, box)
    names = sorted({vector for pair in entries for vector in pair})
    place = {vector: k for k, vector in enumerate(names)}
    pairs = [(place[a], place[b]) for a, b in entries]
    wrong: Exponents | None = None
    for degree in higher_degrees(limits(whole, len(box))):
        forms = [(i, j, bernstein(name, p, box, degree)) for (i, j), p in zip(pairs, whole, strict=True)]
        seen = indefinite(forms, len(names), degree)
        if seen is None:
            return
        wrong = wrong or seen
    require(wrong is None, f"{name}: coefficient {wrong} is no sum of squares")


def indefinite(forms: list[tuple[int, int, Whole]], size: int, degree: Exponents) -> Exponents | None:
    """Return an index at which a matrix of coefficients is not positive semidefinite, if there is one."""
    for index in product(*(range(d + 1) for d in degree)):
        twice = [[0] * size for _ in range(size)]
        for i, j, coefficients in forms:
            twice[i][j] += coefficients[index]
            twice[j][i] += coefficients[index]
        if not has_nonnegative_pivots(twice):
            return index
    return None


def has_nonnegative_pivots(matrix: list[list[int]]) -> bool:
    """Whether a symmetric matrix of whole numbers is positive semidefinite, by elimination.

    Rows are multiplied by pivots, which are positive, in the place of dividing: what a row has too much of is the pivot
    before (Bareiss).
    """
    rest, before = [list(row) for row in matrix], 1
    for k in range(len(rest)):
        pivot = rest[k][k]
        if pivot < 0 or (pivot == 0 and any(rest[k][k:])):
            return False
        if pivot == 0:
            continue
        for i in range(k + 1, len(rest)):
            factor = rest[i][k]
            for j in range(k, len(rest)):
                rest[i][j] = (pivot * rest[i][j] - factor * rest[k][j]) // before
        before = pivot
    return True


@lru_cache(maxsize=2**12)
def _names_in(node: ast.expr) -> frozenset[str]:
    found, rest = set[str](), [node]
    while rest:
        part = rest.pop()
        if isinstance(part, ast.BinOp):
            rest += (part.left, part.right)
        elif isinstance(part, ast.Name):
            found.add(part.id)
        elif not isinstance(part, ast.Constant):
            rest += [inside for inside in ast.iter_child_nodes(part) if isinstance(inside, ast.expr)]
    return frozenset(found)


class FormScope(CertificateScope):
    """The reader of `certificates`; a sum in which every letter stands for itself is read once."""

    def __init__(self) -> None:
        super().__init__()
        self.sums: dict[ast.expr, Poly] = {}

    def sum_of(self, node: ast.BinOp, names: dict[str, Poly]) -> Poly:
        """Return a sum, read term by term."""
        if not all(names.get(name) == {((name, 1),): 1} for name in _names_in(node)):
            return super().sum_of(node, names)
        if node not in self.sums:
            self.sums[node] = super().sum_of(node, names)
        return self.sums[node]


def scope_of(letters: Mapping[str, str]) -> FormScope:
    """Return the reader of `certificates` with letters of these sorts."""
    sorts = {">0": frozenset({1}), ">=0": frozenset({0, 1})}
    marks = {"vector": ["~"], "family": ["~", "~~"]}
    scope = FormScope()
    for name, sort in letters.items():
        require(re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII), f"{name!r} is not a name")
        require(sort in ("", *sorts, *marks), f"{name}: {sort!r} is not a sort")
        scope.names[name] = {((mark + name, 1),): 1 for mark in marks.get(sort, [""])}
        scope.note_signs({((name, 1),): 1}, sorts.get(sort, frozenset({-1, 0, 1})))
    return scope
