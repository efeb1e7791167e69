"""Quadratic inequalities between vectors, in every dimension: positive semidefiniteness, decided exactly."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from boundcheck.errors import InputError
from boundcheck.proofs.language.claim import Outcome
from boundcheck.proofs.provers.defined import (
    apart_from_zero,
    check_divisors,
    divisors,
    divisors_of_form,
    plain_divisors,
)
from boundcheck.proofs.provers.hilbert import DEVIATION, INNER, MEAN, gram_values, names_of
from boundcheck.proofs.provers.multipliers import find_multipliers
from boundcheck.proofs.provers.real import Infeasible, Real, check_feasible
from boundcheck.proofs.provers.replay import show_failure, witness_of
from boundcheck.proofs.provers.solver import symbols_of
from boundcheck.proofs.provers.witness import simplest

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from boundcheck.proofs.provers.multipliers import Array
    from boundcheck.proofs.provers.solver import Point


_DENOMINATORS = (1, 30, 1000, 10**4)
"""Of multipliers that are tried in the place of those given."""
_FINEST = 10**4
"""Denominator of coordinates that refute."""
_POINTS = 4
"""Parameters at which multipliers are looked for."""


@dataclass(frozen=True)
class GramBound:
    """``lhs <= rhs`` for all vectors of every Hilbert space and all parameters of the domain.

    Parameters
    ----------
    lhs, rhs : expression
        Linear in the Gram symbols made by `inner`, plus terms without vectors; with `clients` the symbols of means and
        of deviations are separate blocks, and the bound holds for every number of clients.
    domain : tuple of relation
        Where the parameters live.
    given : tuple of (multiplier, expression)
        Expressions known to be nonnegative, each with the nonnegative multiplier used for it: what is shown is that
        ``rhs - lhs - sum multiplier * expression`` is a positive semidefinite form.
    laws : tuple of relation
        Between the counts of the laws that are averaged; used where the domain alone does not serve.
    divides : tuple of expression
        What was divided by and is no longer seen in the expressions: it must not be 0.
    """

    lhs: sp.Expr
    rhs: sp.Expr
    domain: tuple[sp.Basic, ...] = ()
    given: tuple[tuple[sp.Expr, sp.Expr], ...] = ()
    laws: tuple[sp.Basic, ...] = ()
    divides: tuple[sp.Expr, ...] = ()
    prover = "gram"

    def decide(self, timeout: float) -> Outcome:
        """Decide the form; then whether the domain, and what is given, can be met, and no divisor can be 0."""
        outcome = self.decide_implication(timeout)
        more = (*self.laws, *apart_from_zero(self.divides))
        whole = replace(self, domain=(*self.domain, *more)) if more else self
        if outcome.verdict != "proved" and more:
            outcome = whole.decide_implication(timeout)
        if outcome.verdict != "proved":
            # A draw that does not exist is none at which a bound fails.
            return (check_feasible(whole.domain, timeout) if more else None) or outcome
        return self._check_domain(whole.domain, timeout) or self.check_defined(timeout) or outcome

    def check_defined(self, timeout: float) -> Outcome | None:
        """Look for a divisor that may be 0: in both sides, in what is given and its multipliers, or as written."""
        forms = [divisors_of_form(e) for e in (self.lhs, self.rhs, *(expression for _, expression in self.given))]
        common = [*plain_divisors(self.divides), *divisors(*(multiplier for multiplier, _ in self.given))]
        common += [d for shared, _ in forms for d in shared]
        apart = [d for _, spread in forms for d in spread]
        several = [sp.Ge(s, 2) for s in symbols_of(*apart) if s.name == "N"]
        known = (*self.domain, *self.laws)
        found = check_divisors(list(dict.fromkeys(common)), known, timeout)
        return found or check_divisors(list(dict.fromkeys(apart)), (*known, *several), timeout)

    def _check_domain(self, domain: tuple[sp.Basic, ...], timeout: float) -> Outcome | None:
        """Look for numbers in the place of vectors; that there are no vectors at all is shown by Gram symbols alone."""
        expressions = [sp.sympify(e) for e in (self.lhs, self.rhs, *(part for pair in self.given for part in pair))]
        grams = set().union(*(e.atoms(INNER) for e in expressions))
        line = {g: sp.Mul(*(sp.Symbol(f"on_a_line_{a.name}", real=True) for a in g.args)) for g in grams}
        free = {g: as_letter(g) for g in grams}
        found = [
            check_feasible((*domain, *(sp.Ge(e.xreplace(view), 0, evaluate=False) for e in expressions[3::2])), timeout)
            for view in (line, free)
        ]
        return None if None in found[:1] else found[1] or (found[0] and replace(found[0], verdict="undecided"))

    def decide_implication(self, timeout: float) -> Outcome:
        """Decide the form; a bad vector refutes the bound when it also satisfies what is given."""
        for multiplier, _ in self.given:
            sign = Real(sp.S.Zero, multiplier, self.domain).decide_implication(timeout)
            if sign.verdict != "proved":
                return Outcome("undecided", detail=f"multiplier {multiplier} is not known to be nonnegative")
        names = names_of(self.lhs, self.rhs, *(expression for _, expression in self.given))
        used = sp.Add(*(multiplier * expression for multiplier, expression in self.given))
        form, constant = split_constant(self.rhs - self.lhs - used)
        matrix = form_matrix(form, names)
        spread = {i for i, name in enumerate(names) if name.endswith(DEVIATION)}
        verdict, point = psd(matrix, self.domain, timeout, spread)
        if verdict == "proved":
            return self._with_constant(constant, names, timeout)
        point = None if point is None else self._complete(point)
        if point is None:
            return Outcome("undecided", detail="the form was not decided")
        vector = negative_direction(matrix.subs(point))
        if vector is None:
            return Outcome("undecided", detail="the form is semidefinite at the point where a minor is negative")
        outcome = self._report(point, self._long_enough(point, names, vector))
        if outcome.verdict == "refuted" or not self.given:
            return outcome
        return self._with_other_multipliers(point, names, timeout) or outcome

    def _with_other_multipliers(self, point: Point, names: list[str], timeout: float) -> Outcome | None:
        """Decide the bound where the multipliers do not serve: by others, or by vectors that meet what is given."""
        parts = [sp.expand(self.rhs - self.lhs), *(expression for _, expression in self.given)]
        if any(split_constant(part)[1] != 0 for part in parts):
            return None
        forms = [form_matrix(part, names) for part in parts]
        for _ in range(_POINTS):
            numeric = [np.array(form.subs(point), dtype=float) for form in forms]
            found = find_multipliers(numeric[0], numeric[1:])
            if found.vectors is not None:
                return self._refuted_by(found.vectors, point, names)
            if found.multipliers is None:
                return None
            for chosen in self._simple(found.multipliers, point):
                form = forms[0] - sum((m * other for m, other in zip(chosen, forms[1:], strict=True)), 0 * forms[0])
                verdict, failing = psd(form, self.domain, timeout)
                if verdict == "proved":
                    said = ", ".join(map(str, chosen))
                    detail = f"the form is positive semidefinite with the multipliers {said}, not with those given"
                    return Outcome("proved", detail=detail)
            complete = None if failing is None else self._complete(failing)
            if complete is None:
                return None
            point = complete
        return None

    def _refuted_by(self, vectors: Array, point: Point, names: list[str]) -> Outcome | None:
        """Return the refutation by vectors, rounded; families of clients, which are replayed on a line, by one row."""
        families = any(name.endswith((MEAN, DEVIATION)) for name in names)
        for rows in [vectors[k : k + 1] for k in range(len(vectors))] if families else [vectors]:
            whole = rows / np.abs(rows).max()
            coordinates = {n: [_short(x, _FINEST) for x in column] for n, column in zip(names, whole.T, strict=True)}
            outcome = self._report(point, coordinates)
            if outcome.verdict == "refuted":
                return outcome
        return None

    def _simple(self, multipliers: Array, point: Point) -> list[tuple[sp.Expr, ...]]:
        """Return multipliers near those found, the simplest first: those given, times numbers."""
        values = [float(sp.sympify(m).subs(point)) for m, _ in self.given]
        found = [
            tuple(
                _short(x / value, denominator) * m if value else _short(x, denominator)
                for x, value, (m, _) in zip(multipliers, values, self.given, strict=True)
            )
            for denominator in _DENOMINATORS
        ]
        return list(dict.fromkeys(found))

    def _with_constant(self, constant: sp.Expr, names: list[str], timeout: float) -> Outcome:
        """Decide the terms without vectors: with all vectors zero they are all that is left."""
        detail = f"{len(names)}x{len(names)} form is positive semidefinite"
        if constant == 0:
            return Outcome("proved", detail=detail)
        sign = Real(sp.S.Zero, constant, self.domain).decide_implication(timeout)
        if sign.verdict == "refuted" and sign.witness is not None:
            symbols = symbols_of(constant, *self.domain)
            point = {s: sp.sympify(str(sign.witness[s.name])) for s in symbols if s.name in sign.witness}
            complete = self._complete(point)
            if complete is not None:
                return self._report(complete, {n: [sp.S.Zero] for n in names} or {"zero": [sp.S.Zero]})
        if sign.verdict == "proved":
            return Outcome("proved", detail=f"{detail}, and so is the term without vectors")
        return Outcome("undecided", detail="the term without vectors was not decided")

    def _long_enough(self, point: Point, names: list[str], vector: list[sp.Expr]) -> dict[str, list[sp.Expr]]:
        """Return the negative direction, lengthened until terms without vectors do not matter."""
        gap = sp.sympify(self.lhs - self.rhs).subs(point)
        for power in range(7):
            coordinates = {n: [10**power * x] for n, x in zip(names, vector, strict=True)}
            value = gap.subs(gram_values(coordinates))
            if value.is_positive:
                return coordinates
        return coordinates

    def _complete(self, point: Point) -> Point | None:
        """Return the point with a value in the domain for the parameters that the matrix does not contain."""
        parts = (self.lhs, self.rhs, *self.domain, *(part for pair in self.given for part in pair))
        named = set(names_of(self.lhs, self.rhs, *(expression for _, expression in self.given)))
        symbols = [s for s in symbols_of(*parts) if s.name not in named]
        free = [sp.Eq(s, s, evaluate=False) for s in symbols if s not in point]
        rest = simplest([*(sp.sympify(c).subs(point) for c in self.domain), *free])
        return None if rest is None else point | rest

    def _report(self, point: Point, coordinates: Mapping[str, list[sp.Expr]]) -> Outcome:
        values = point | gram_values(coordinates)
        gap = sp.sympify(self.lhs - self.rhs).subs(values)
        kept = all(bool(sp.sympify(expression).subs(values) >= 0) for _, expression in self.given)
        if not (coordinates and kept and bool(gap > 0)):
            return Outcome("undecided", detail="the form is indefinite but no admissible vector was found")
        count = next((x for s, x in point.items() if s.name == "N"), None)
        spread = any(n.endswith(DEVIATION) and any(x) for n, x in coordinates.items())
        if spread and count is not None and not (count.is_Integer and count >= 2):
            return Outcome("undecided", detail=f"the form is indefinite, but only N = {count} was met")
        witness = witness_of(point, coordinates)
        return Outcome("refuted", witness, show_failure(self.lhs, self.rhs, witness), f"lhs - rhs = {gap}")


def _short(x: float, denominator: int) -> sp.Rational:
    """Return the fraction next to a float with at most this denominator."""
    return sp.Rational(Fraction(float(x)).limit_denominator(denominator))


def as_letter(atom: sp.Expr) -> sp.Symbol:
    """Return a number in the place of an inner product; of a square it is known not to be negative."""
    first, second = atom.args
    return sp.Symbol(f"product_{first}_{second}", **({"nonnegative": True} if first == second else {"real": True}))


def split_constant(form: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """Return a form as the terms with inner products and the rest."""
    with_vectors = [term for term in sp.Add.make_args(sp.expand(form)) if term.has(INNER)]
    constant = sp.cancel(sp.together(sp.expand(form) - sp.Add(*with_vectors)))
    return sp.Add(*with_vectors), constant


def is_linear(form: sp.Expr) -> bool:
    """Whether an expression is a linear combination of Gram symbols, plus terms without vectors."""
    letters = {atom: as_letter(atom) for atom in sp.sympify(form).atoms(INNER)}
    plain = sp.sympify(form).xreplace(letters)
    slopes = [sp.diff(plain, letter) for letter in letters.values()]
    return not any(sp.simplify(slope).has(*letters.values()) for slope in slopes)


def form_matrix(form: sp.Expr, names: list[str]) -> sp.Matrix:
    """Return the symmetric matrix of a form that is linear in the Gram symbols of `names`."""
    form = sp.expand(form)
    matrix = sp.zeros(len(names))
    for gram in form.atoms(INNER):
        i, j = (names.index(argument.name) for argument in gram.args)
        share = form.coeff(gram) / (1 if i == j else 2)
        matrix[i, j] = matrix[j, i] = sp.cancel(sp.together(share))
        form = sp.expand(form - form.coeff(gram) * gram)
    if form != 0:
        msg = f"form = {form} is not legal: only terms linear in inner products are"
        raise InputError(msg)
    return matrix


def psd(
    matrix: sp.Matrix, domain: tuple[sp.Basic, ...], timeout: float, spread: Collection[int] = ()
) -> tuple[str, Point | None]:
    """Decide positive semidefiniteness over a domain, block by block.

    Parameters
    ----------
    matrix : Matrix
        Symmetric, with entries in the parameters.
    domain : tuple of relation
        Where the parameters live.
    timeout : float
        Work for one question to the solver, in seconds of an idle machine.
    spread : collection of int
        Rows that stand for deviations of clients from their mean: these vanish for N = 1, so that N >= 2 is assumed.

    Returns
    -------
    verdict : str
        ``proved``, ``refuted`` or ``undecided``.
    point : dict or None
        Parameters at which the matrix is not positive semidefinite.
    """
    answers = []
    for rows in blocks(matrix):
        block = matrix.extract(rows, rows)
        several = tuple(sp.Ge(s, 2) for s in block.free_symbols if s.name == "N") if {*rows} & {*spread} else ()
        answers.append(_psd_block(block, (*domain, *several), timeout))
    for verdict in ("refuted", "undecided"):
        for answer in answers:
            if answer[0] == verdict:
                return answer
    return "proved", None


def blocks(matrix: sp.Matrix) -> list[list[int]]:
    """Return the rows of each diagonal block: what is connected by entries that do not vanish."""
    left, found = list(range(matrix.rows)), []
    while left:
        block = new = [left[0]]
        while new:
            left = [k for k in left if k not in new]
            new = [k for k in left if any(matrix[k, i] != 0 for i in block)]
            block = [*block, *new]
        found.append(sorted(block))
    return found


def _psd_block(matrix: sp.Matrix, domain: tuple[sp.Basic, ...], timeout: float) -> tuple[str, Point | None]:
    """Decide one block: by pivots where they are positive, else by principal minors."""
    if not matrix.free_symbols:
        return ("proved", None) if negative_direction(matrix) is None else ("refuted", {})
    if _pivots_positive(matrix, domain, timeout):
        return "proved", None
    verdict = "proved"
    for size in range(1, matrix.rows + 1):
        for rows in combinations(range(matrix.rows), size):
            minor = sp.cancel(sp.together(matrix.extract(list(rows), list(rows)).det(method="berkowitz")))
            outcome = Real(sp.S.Zero, minor, domain).decide_implication(timeout)
            if outcome.verdict == "refuted" and outcome.witness is not None:
                symbols = symbols_of(matrix, *domain)
                values = {s: sp.Rational(str(outcome.witness[s.name])) for s in symbols if s.name in outcome.witness}
                return "refuted", values
            if outcome.verdict != "proved":
                verdict = "undecided"
    return verdict, None


def negative_direction(matrix: sp.Matrix) -> list[sp.Expr] | None:
    """Return a vector on which an exact symmetric matrix is negative, or None when it is positive semidefinite.

    Symmetric elimination with diagonal pivots: a negative diagonal entry, or a zero one beside a nonzero
    off-diagonal entry, is a negative direction of the Schur complement and is carried back through the pivots.
    """
    size = matrix.rows
    for i in range(size):
        if matrix[i, i].is_negative:
            return [sp.S.One if k == i else sp.S.Zero for k in range(size)]
    for i in range(size):
        for j in range(size):
            if matrix[i, i] == 0 and matrix[i, j] != 0:
                direction = [sp.S.Zero] * size
                direction[j] = sp.S.One
                direction[i] = -(matrix[j, j] + 1) / (2 * matrix[i, j])
                return direction
    pivot = max(range(size), key=lambda i: matrix[i, i], default=None)
    if pivot is None or matrix[pivot, pivot] == 0:
        return None
    rest = [k for k in range(size) if k != pivot]
    row = matrix.extract([pivot], rest)
    inner = negative_direction(matrix.extract(rest, rest) - row.T * row / matrix[pivot, pivot])
    if inner is None:
        return None
    direction = [sp.S.Zero] * size
    for k, x in zip(rest, inner, strict=True):
        direction[k] = x
    direction[pivot] = -sp.Add(*(matrix[pivot, k] * direction[k] for k in rest)) / matrix[pivot, pivot]
    return direction


def _pivots_positive(matrix: sp.Matrix, domain: tuple[sp.Basic, ...], timeout: float) -> bool:
    """Whether elimination in the given order meets only pivots proved positive, or rows that vanish."""
    while matrix.rows:
        pivot = matrix[0, 0]
        if any(matrix.row(0)):
            nonpositive = Infeasible((*domain, sp.Le(pivot, 0, evaluate=False)))
            if nonpositive.decide(timeout).verdict != "proved":
                return False
            column = matrix[1:, 0]
            matrix = (matrix[1:, 1:] - column * column.T / pivot).applyfunc(lambda x: sp.cancel(sp.together(x)))
        else:
            matrix = matrix[1:, 1:]
    return True
