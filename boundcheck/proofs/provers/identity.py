"""Exact identities: scalars, and inner products in every dimension."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import sympy as sp

from boundcheck.proofs.language.claim import Outcome
from boundcheck.proofs.provers.defined import apart_from_zero, check_divisors, divisors_of_form, plain_divisors
from boundcheck.proofs.provers.hilbert import DEVIATION, INNER, ONE, gram_values, names_of
from boundcheck.proofs.provers.real import check_feasible, holds
from boundcheck.proofs.provers.replay import show_failure, witness_of
from boundcheck.proofs.provers.solver import symbols_of
from boundcheck.proofs.provers.witness import COUNTED, simplest

if TYPE_CHECKING:
    from collections.abc import Mapping

ATTEMPTS = 20


@dataclass(frozen=True)
class Identity:
    """``lhs == rhs`` for all values of the symbols and all vectors.

    Parameters
    ----------
    lhs, rhs : expression
        May contain Gram symbols made by `inner`.
    where : dict
        Rewriting rules to apply first, such as `unit_mean` or the definition of a letter.
    mean : bool
        Whether ``inner`` is the mean over clients, in which case the vector ``one`` is all ones.
    domain : tuple of relation
        Where the parameters live: no divisor may be 0 there, and a counterexample is one of it.
    divides : tuple of expression
        What was divided by and is no longer seen in the expressions: it must not be 0.
    """

    lhs: sp.Expr
    rhs: sp.Expr
    where: Mapping[sp.Expr, sp.Expr] = field(default_factory=dict)
    mean: bool = False
    domain: tuple[sp.Basic, ...] = ()
    divides: tuple[sp.Expr, ...] = ()
    prover = "identity"

    def decide(self, timeout: float) -> Outcome:
        """Expand the difference; look for an exact rational counterexample when it does not vanish."""
        if self.expands_to_zero():
            outcome = Outcome("proved", detail="difference expands to zero")
            return self._check_domain(timeout) or self.check_defined(timeout) or outcome
        return self._check_domain(timeout) or self._refute(*self._expand())

    def expands_to_zero(self) -> bool:
        """Return whether both sides are the same once they are written out, wherever they are defined."""
        lhs, rhs = self._expand()
        return bool(sp.expand(lhs - rhs) == 0 or sp.cancel(sp.together(lhs - rhs)) == 0)

    def _expand(self) -> tuple[sp.Expr, sp.Expr]:
        lhs, rhs = (sp.expand(sp.sympify(side).subs(self.where)).subs(self.where) for side in (self.lhs, self.rhs))
        return lhs, rhs

    def _check_domain(self, timeout: float) -> Outcome | None:
        """Look for a point of the domain, which has no vectors."""
        return check_feasible(self.domain, timeout) if self.domain else None

    def check_defined(self, timeout: float) -> Outcome | None:
        """Look for a divisor that may be 0: on both sides, and as it was written."""
        sides = [sp.sympify(side).subs(self.where) for side in (self.lhs, self.rhs)]
        forms = [divisors_of_form(side) for side in sides]
        apart = [d for _, spread in forms for d in spread]
        several = [sp.Ge(s, 2) for s in symbols_of(*apart) if s.name == "N"]
        common = [*plain_divisors(self.divides), *(d for shared, _ in forms for d in shared)]
        found = check_divisors(list(dict.fromkeys(common)), self.domain, timeout)
        return found or check_divisors(list(dict.fromkeys(apart)), (*self.domain, *several), timeout)

    def _refute(self, lhs: sp.Expr, rhs: sp.Expr) -> Outcome:
        rng = random.Random(0)
        names = names_of(lhs, rhs)
        grams = lhs.atoms(INNER) | rhs.atoms(INNER)
        hidden = {argument for gram in grams for argument in gram.args}
        scalars = sorted({*symbols_of(lhs, rhs, *self.domain)} - hidden, key=lambda s: s.name)
        families = any(name.endswith(DEVIATION) for name in names)
        one_client = next((s for s in scalars if s.name == "N"), None)
        for attempt in range(ATTEMPTS):
            point = {s: sp.Rational(rng.randint(1, 9), 1 if s.name in COUNTED else 10) for s in scalars}
            if self.domain and attempt >= ATTEMPTS // 2:
                point |= simplest(self.domain) or {}
            if not all(holds(condition, point) for condition in (*self.domain, *apart_from_zero(self.divides))):
                continue
            coordinates = {n: [sp.Integer(rng.randint(1, 6)) for _ in range(1 if families else 2)] for n in names}
            if one_client is not None and point.get(one_client) == 1:
                coordinates |= {n: [sp.S.Zero] for n in names if n.endswith(DEVIATION)}
            if self.mean:
                coordinates[ONE] = [sp.S.One, sp.S.One]
            values = point | gram_values(coordinates, mean=self.mean)
            gap = (lhs - rhs).xreplace(values)
            if gap.is_Rational and gap != 0:
                witness = witness_of(point, coordinates)
                snippet = show_failure(lhs, rhs, witness, relation="!=", mean=self.mean)
                return Outcome("refuted", witness, snippet, f"lhs - rhs = {gap} at the witness")
        return Outcome("undecided", detail="difference does not expand to zero and no rational witness was found")
