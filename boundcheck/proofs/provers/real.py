"""Inequalities between rational and algebraic expressions over all parameters of a domain, decided by z3."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import sympy as sp

from boundcheck.proofs.language.claim import Outcome
from boundcheck.proofs.provers.defined import apart_from_zero, check_divisors, divisors, plain_divisors
from boundcheck.proofs.provers.replay import show_failure, show_point, witness_of
from boundcheck.proofs.provers.solver import DIGITS, SolverQuery, symbols_of
from boundcheck.proofs.provers.witness import COUNTED, WHOLE, simplest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.proofs.provers.solver import Point
    from boundcheck.verdicts.words import ProverWord

SLACK = sp.Float("1e-30", DIGITS)
CLEAR = sp.Rational(1, 100)
SEEN = sp.Rational(1, 10**6)
"""Part of the right-hand side by which floating point is sure to see a gap."""


@dataclass(frozen=True)
class Real:
    """``lhs <= rhs`` for all real values of the symbols that satisfy `given`, wherever its roots are defined.

    Every divisor has to be shown not to be 0.

    Parameters
    ----------
    lhs, rhs : expression
        Rational operations, rational powers, Max, Min and Abs of symbols.
    given : tuple of relation
        The domain; a symbol's own sign assumption is part of it.
    laws : tuple of relation
        Between the counts of laws that are declared beside it; used where the domain alone does not serve.
    divides : tuple of expression
        What was divided by and is no longer seen in the expressions: it must not be 0.
    """

    lhs: sp.Expr
    rhs: sp.Expr
    given: tuple[sp.Basic, ...] = ()
    laws: tuple[sp.Basic, ...] = ()
    divides: tuple[sp.Expr, ...] = ()
    prover = "real"

    def decide(self, timeout: float) -> Outcome:
        """Decide whether the domain implies it; then whether it has a point, and no divisor can be 0 in it."""
        outcome = self.decide_implication(timeout)
        more = (*self.laws, *apart_from_zero(self.divides))
        whole = replace(self, given=(*self.given, *more)) if more else self
        if outcome.verdict != "proved" and more:
            outcome = whole.decide_implication(timeout)
        if outcome.verdict != "proved":
            return (check_feasible(whole.given, timeout) if more else None) or outcome
        known = check_feasible((*whole.given, _domain_of(self.lhs), _domain_of(self.rhs)), timeout)
        return known or self.check_defined(timeout) or outcome

    def check_defined(self, timeout: float) -> Outcome | None:
        """Look for a divisor that may be 0: on both sides, and as it was written."""
        found = plain_divisors((*self.divides, *divisors(self.lhs, self.rhs)))
        return check_divisors(found, (*self.given, *self.laws), timeout)

    def decide_implication(self, timeout: float) -> Outcome:
        """Ask for a point of the domain with ``lhs > rhs``; show the simplest one, with a clear gap if it can be."""
        answer = SolverQuery(self._broken()).ask(timeout)
        if answer.text == "unsat":
            return Outcome("proved", detail="the negation has no solution over the reals")
        if answer.point is None:
            return Outcome("undecided", detail=f"solver: {answer.text}")
        point = self._telling() or answer.point
        broken = [*self.given, sp.Gt(self.lhs, self.rhs, evaluate=False)]
        if not all(holds(c, point) for c in broken):
            return Outcome("undecided", detail="the solver's witness did not survive the recheck")
        witness = witness_of(point)
        gap = sp.N((self.lhs - self.rhs).subs(point), 6)
        return Outcome("refuted", witness, show_failure(self.lhs, self.rhs, witness), f"lhs - rhs = {gap}")

    def _broken(self) -> list[sp.Basic]:
        lhs, rhs = _over_one(self.lhs, self.rhs)
        kept = symbols_of(lhs, rhs, *self.given)
        cancelled = [sp.Eq(s, s, evaluate=False) for s in symbols_of(self.lhs, self.rhs) if s not in kept]
        return [*self.given, *cancelled, sp.Gt(lhs, rhs, evaluate=False)]

    def _telling(self) -> Point | None:
        """Return a failure with a clear gap and whole numbers for what is counted, or what there is of that."""
        clear, seen = (
            sp.Gt(self.lhs, self.rhs + gap, evaluate=False)
            for gap in (CLEAR * (1 + sp.Abs(self.rhs)), SEEN * sp.Abs(self.rhs))
        )
        symbols = symbols_of(self.lhs, self.rhs, *self.given)
        counted = [sp.Or(*(sp.Eq(s, n) for n in WHOLE)) for s in symbols if s.name in COUNTED]
        wishes = ([clear, *counted], [clear], [seen, *counted], [seen], self._broken())
        found = (simplest([*self.given, *wish]) for wish in wishes)
        return next((point for point in found if point is not None), None)


@dataclass(frozen=True)
class _Together:
    """Whether real values of the symbols satisfy all `conditions`.

    Parameters
    ----------
    conditions : tuple of relation
        Conditions claimed to be compatible, or incompatible.
    """

    conditions: tuple[sp.Basic, ...]
    prover = "real"


class Infeasible(_Together):
    """No real values of the symbols satisfy all `conditions`."""

    def decide(self, timeout: float) -> Outcome:
        """Ask for a point that satisfies every condition; there must be none."""
        return _feasibility(self.conditions, timeout, found="refuted", none="proved")


class Feasible(_Together):
    """Some real values of the symbols satisfy all `conditions`."""

    def decide(self, timeout: float) -> Outcome:
        """Ask for a point that satisfies every condition and recheck it."""
        return _feasibility(self.conditions, timeout, found="proved", none="refuted")


def check_feasible(conditions: Sequence[sp.Basic], timeout: float) -> Outcome | None:
    """Return None where some values meet all conditions with every side defined, else the verdict that this leaves."""
    answer = SolverQuery(conditions).ask(timeout)
    if answer.text == "unsat":
        return Outcome("vacuous", detail="no values meet the hypotheses with both sides defined")
    if answer.point is None:
        return Outcome("undecided", detail=f"whether the hypotheses can be met: solver: {answer.text}")
    return None


def _domain_of(e: sp.Expr) -> sp.Basic:
    return sp.Eq(e, e, evaluate=False)


def _feasibility(conditions: Sequence[sp.Basic], timeout: float, *, found: ProverWord, none: ProverWord) -> Outcome:
    answer = SolverQuery(conditions).ask(timeout)
    if answer.text == "unsat":
        return Outcome(none, detail="the conditions have no common solution")
    point = None if answer.point is None else simplest(conditions) or answer.point
    if point is None or not all(holds(c, point) for c in conditions):
        return Outcome("undecided", detail=f"solver: {answer.text}")
    witness = witness_of(point)
    return Outcome(found, witness, show_point(conditions, witness), "the witness satisfies every condition")


def holds(relation: sp.Basic, point: Point) -> bool:
    """Whether a relation holds at a point: exactly where rational, to `DIGITS` digits otherwise."""
    relation = sp.sympify(relation)
    if relation in (sp.true, sp.false):
        return bool(relation)
    if isinstance(relation, (sp.And, sp.Or)):
        combine = all if isinstance(relation, sp.And) else any
        return combine(holds(part, point) for part in relation.args)
    gap = sp.sympify(relation.lhs - relation.rhs).subs(point)
    if gap.is_Rational:
        return bool(relation.func(gap, 0))
    gap = sp.N(gap, DIGITS)
    if isinstance(relation, sp.Eq):
        return bool(sp.Abs(gap) < SLACK)
    if isinstance(relation, (sp.Le, sp.Lt)):
        gap = -gap
    return bool(gap > -SLACK) if isinstance(relation, (sp.Le, sp.Ge)) else bool(gap > SLACK)


def _over_one(lhs: sp.Expr, rhs: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """Return an equivalent comparison without denominators when their product is known to be positive."""
    if sp.sympify(lhs - rhs).has(sp.Max, sp.Min, sp.Abs):
        return lhs, rhs
    if _roots(lhs - rhs):
        return lhs, rhs
    numerator, denominator = sp.fraction(sp.together(lhs - rhs))
    if denominator.is_positive:
        return sp.expand(numerator), sp.S.Zero
    return lhs, rhs


def _roots(e: sp.Expr) -> bool:
    """Whether numbers such as sqrt(2) occur: multiplied out, each product of two would be a root of its own."""
    return any(power.is_number and not power.is_Rational for power in sp.sympify(e).atoms(sp.Pow))
