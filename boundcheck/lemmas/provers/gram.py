"""Quadratic inequalities between vectors, in every dimension: positive semidefiniteness, decided exactly."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import sympy as sp

from boundcheck.errors import InputError
from boundcheck.lemmas.claim import Outcome
from boundcheck.lemmas.provers.hilbert import INNER, gram_values, names_of
from boundcheck.lemmas.provers.real import Infeasible, Point, Real, solve, symbols_of
from boundcheck.lemmas.provers.replay import show_failure, witness_of

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class GramBound:
    """``lhs <= rhs`` for all vectors of every Hilbert space and all parameters of the domain.

    Parameters
    ----------
    lhs, rhs : expression
        Linear in the Gram symbols made by `inner`.
    domain : tuple of relation
        Where the parameters live.
    given : tuple of (multiplier, expression)
        Expressions known to be nonnegative, each with the nonnegative multiplier used for it: what is shown is that
        ``rhs - lhs - sum multiplier * expression`` is a positive semidefinite form.
    """

    lhs: sp.Expr
    rhs: sp.Expr
    domain: tuple[sp.Basic, ...] = ()
    given: tuple[tuple[sp.Expr, sp.Expr], ...] = ()
    prover = "gram"

    def decide(self, timeout: float) -> Outcome:
        """Decide the form; a bad vector refutes the bound when it also satisfies what is given."""
        for multiplier, _ in self.given:
            sign = Real(sp.S.Zero, multiplier, self.domain).decide(timeout)
            if sign.verdict != "proved":
                return Outcome("undecided", detail=f"multiplier {multiplier} is not known to be nonnegative")
        names = names_of(self.lhs, self.rhs, *(expression for _, expression in self.given))
        used = sp.Add(*(multiplier * expression for multiplier, expression in self.given))
        matrix = form_matrix(self.rhs - self.lhs - used, names)
        verdict, point = psd(matrix, self.domain, timeout)
        if verdict == "proved":
            return Outcome("proved", detail=f"{len(names)}x{len(names)} form is positive semidefinite")
        point = None if point is None else self._complete(point, timeout)
        if point is None:
            return Outcome("undecided", detail="the form was not decided")
        vector = negative_direction(matrix.subs(point))
        return self._report(point, {} if vector is None else {n: [x] for n, x in zip(names, vector, strict=True)})

    def _complete(self, point: Point, timeout: float) -> Point | None:
        """Return the point with a value in the domain for the parameters that the matrix does not contain."""
        parts = (self.lhs, self.rhs, *self.domain, *(part for pair in self.given for part in pair))
        named = set(names_of(self.lhs, self.rhs, *(expression for _, expression in self.given)))
        symbols = [s for s in symbols_of(*parts) if s.name not in named]
        free = [sp.Eq(s, s, evaluate=False) for s in symbols if s not in point]
        rest = solve([*(sp.sympify(c).subs(point) for c in self.domain), *free], timeout)[1]
        return None if rest is None else point | rest

    def _report(self, point: Point, coordinates: Mapping[str, list[sp.Expr]]) -> Outcome:
        values = point | gram_values(coordinates)
        gap = sp.sympify(self.lhs - self.rhs).subs(values)
        kept = all(bool(sp.sympify(expression).subs(values) >= 0) for _, expression in self.given)
        if not (coordinates and kept and bool(gap > 0)):
            return Outcome("undecided", detail="the form is indefinite but no admissible vector was found")
        witness = witness_of(point, coordinates)
        return Outcome("refuted", witness, show_failure(self.lhs, self.rhs, witness), f"lhs - rhs = {gap}")


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


def psd(matrix: sp.Matrix, domain: tuple[sp.Basic, ...], timeout: float) -> tuple[str, Point | None]:
    """Decide positive semidefiniteness over a domain: by pivots where they are positive, else by principal minors.

    Returns
    -------
    verdict : str
        ``proved``, ``refuted`` or ``undecided``.
    point : dict or None
        Parameters at which the matrix is not positive semidefinite.
    """
    if not matrix.free_symbols:
        return ("proved", None) if negative_direction(matrix) is None else ("refuted", {})
    if _pivots_positive(matrix, domain, timeout):
        return "proved", None
    verdict = "proved"
    for size in range(1, matrix.rows + 1):
        for rows in combinations(range(matrix.rows), size):
            minor = sp.cancel(sp.together(matrix.extract(list(rows), list(rows)).det(method="berkowitz")))
            outcome = Real(sp.S.Zero, minor, domain).decide(timeout)
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
