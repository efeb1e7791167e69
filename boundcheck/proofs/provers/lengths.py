"""Inequalities between lengths and inner products that are no quadratic forms: products, roots, vector hypotheses.

Inner products are letters here.  Numbers are the inner products of some vectors exactly where their matrix is positive
semidefinite, which its principal minors say: |<u, v>|^2 <= |u|^2 |v|^2 for two vectors.  Some of the minors are enough
to prove; a counterexample is vectors, which meet all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import sympy as sp

from boundcheck.proofs.language.claim import Outcome
from boundcheck.proofs.provers.defined import apart_from_zero
from boundcheck.proofs.provers.gram import as_letter
from boundcheck.proofs.provers.hilbert import DEVIATION, INNER, MEAN, gram, gram_values, names_of
from boundcheck.proofs.provers.real import Real, holds
from boundcheck.proofs.provers.replay import show_failure, witness_of
from boundcheck.proofs.provers.solver import SolverQuery, symbols_of
from boundcheck.proofs.provers.witness import simplest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MINORS = (2, 3)
"""Sizes of principal minors that are used, the smaller ones first."""
MOST_DIMENSIONS = 3


@dataclass(frozen=True)
class LengthBound:
    """``lhs <= rhs`` for all vectors of every Hilbert space that meet `domain`.

    Parameters
    ----------
    lhs, rhs : expression
        Rational operations, rational powers, maxima and absolute values of letters and of Gram symbols.
    domain : tuple of relation
        What is known, of letters and of Gram symbols.
    where : mapping
        Values of Gram symbols, those of `unit_mean`.
    laws : tuple of relation
        Between the counts of laws that are declared beside it.
    divides : tuple of expression
        What was divided by and is no longer seen in the expressions: it must not be 0.
    """

    lhs: sp.Expr
    rhs: sp.Expr
    domain: tuple[sp.Basic, ...] = ()
    where: Mapping[sp.Expr, sp.Expr] | None = None
    laws: tuple[sp.Basic, ...] = ()
    divides: tuple[sp.Expr, ...] = ()
    prover = "lengths"

    def decide(self, timeout: float) -> Outcome:
        """Decide the bound between letters; where it fails between letters, look for vectors, on a line first."""
        names = names_of(self.lhs, self.rhs, *self.domain)
        outcome = Outcome("undecided", detail="it was not decided between inner products")
        for size in MINORS:
            known = [minor for upto in MINORS if upto <= size for minor in minors(names, upto)]
            outcome = self._between_letters(known).decide(timeout)
            if outcome.verdict in ("proved", "vacuous"):
                return outcome
            if outcome.verdict == "refuted" and (found := self._refute(names, timeout)) is not None:
                return found
            if not minors(names, size + 1):
                break
        found = self._refute(names, timeout)
        detail = "between inner products it may fail, but no vectors were found at which it does"
        return found or (replace(outcome, verdict="undecided", witness=None, replay=None, detail=detail))

    def _between_letters(self, more: list[sp.Basic]) -> Real:
        """Return the bound with a letter for every inner product."""
        known = [self._plain(one) for one in (*self.domain, *more)]
        divides = tuple(self._plain(one) for one in self.divides)
        return Real(self._plain(self.lhs), self._plain(self.rhs), tuple(known), self.laws, divides)

    def _plain(self, e: sp.Basic) -> sp.Basic:
        valued = sp.sympify(e).subs(dict(self.where or {}))
        return valued.xreplace({atom: as_letter(atom) for atom in valued.atoms(INNER)})

    def _refute(self, names: list[str], timeout: float) -> Outcome | None:
        """Return vectors at which the bound fails and all that is known holds, or None; families lie on a line."""
        families = any(name.endswith((MEAN, DEVIATION)) for name in names)
        most = 1 if families else min(len(names), MOST_DIMENSIONS)
        for dimensions in range(1, most + 1):
            found = self._refute_in(names, dimensions, timeout)
            if found is not None:
                return found
        return None

    def _refute_in(self, names: list[str], dimensions: int, timeout: float) -> Outcome | None:
        # Turned so that the first vector has its first coordinate alone, the second one its first two, and so on.
        free = {
            name: [
                sp.Symbol(f"along_{axis}_{name}", real=True) if axis <= k else sp.S.Zero for axis in range(dimensions)
            ]
            for k, name in enumerate(names)
        }
        values = dict(self.where or {}) | gram_values(free)
        lhs, rhs, *known = (sp.sympify(e).subs(values) for e in (self.lhs, self.rhs, *self.domain))
        known += [*self.laws, *apart_from_zero(self.divides)]
        if any(name.endswith(DEVIATION) for name in names):
            known += [sp.Ge(s, 2) for s in symbols_of(lhs, rhs, *known) if s.name == "N"]
        broken = [*known, sp.Gt(lhs, rhs, evaluate=False)]
        if SolverQuery(broken).ask(timeout).point is None:
            return None
        point = simplest([*known, sp.Gt(lhs, rhs + sp.Rational(1, 100) * (1 + sp.Abs(rhs)), evaluate=False)])
        point = point or simplest(broken)
        if point is None or not all(holds(one, point) for one in broken):
            return None
        coordinates = {name: [point.get(x, sp.S.Zero) for x in along] for name, along in free.items()}
        letters = {s: x for s, x in point.items() if not s.name.startswith("along_")}
        witness = witness_of(letters, coordinates)
        gap = sp.N((lhs - rhs).subs(point), 6)
        return Outcome("refuted", witness, show_failure(self.lhs, self.rhs, witness), f"lhs - rhs = {gap}")


def minors(names: list[str], size: int) -> list[sp.Basic]:
    """Return that the principal minors of a size are not negative, of deviations apart from the rest."""
    return [sp.Ge(matrix.det(method="berkowitz"), 0, evaluate=False) for matrix in _matrices(names, size)]


def _matrices(names: list[str], size: int) -> Iterator[sp.Matrix]:
    for apart in (False, True):
        block = [name for name in names if name.endswith(DEVIATION) == apart]
        for chosen in combinations(block, size):
            yield sp.Matrix(size, size, lambda i, j, chosen=chosen: gram(chosen[i], chosen[j]))
