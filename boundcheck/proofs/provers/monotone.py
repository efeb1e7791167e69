"""Inequalities with powers of an index, logarithms or exponentials: derivatives, exact limits and intervals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add, mul
from typing import TYPE_CHECKING

import sympy as sp
from mpmath import iv

from boundcheck.errors import InputError, require
from boundcheck.proofs.language.claim import Outcome
from boundcheck.proofs.provers.defined import check_divisors, plain_divisors
from boundcheck.proofs.provers.isolate import isolate_power
from boundcheck.proofs.provers.real import Infeasible, Real
from boundcheck.proofs.provers.replay import show_failure, witness_of

if TYPE_CHECKING:
    from collections.abc import Mapping

DIGITS = 40
DEPTH = 4
SPLITS = 4000
SIDES = (sp.Ge, sp.Le)
HEADS = (0, 8, 64, 512)
SCAN = (*range(64), *(2**k for k in range(6, 24)))


@dataclass(frozen=True)
class AllFrom:
    """``lhs <= rhs`` for every real ``variable >= start``, hence for every integer from there on.

    Parameters
    ----------
    lhs, rhs : expression
        Of one symbol; when a side has the symbol in an exponent, both must be positive and logarithms are compared.
    variable : symbol
        The index.
    start : expression
        Smallest value of the index, rational.
    divides : tuple of expression
        What was divided by and is no longer seen in the expressions: it must not be 0.
    """

    lhs: sp.Expr
    rhs: sp.Expr
    variable: sp.Symbol
    start: sp.Expr
    divides: tuple[sp.Expr, ...] = ()
    prover = "monotone"

    def __post_init__(self) -> None:
        x, start = self.variable, sp.sympify(self.start)
        legal = not (x.is_positive and not start.is_positive) and not (x.is_nonnegative and start.is_negative)
        require(legal, "start", start, f"within the sign that {x} is declared with")

    def decide(self, timeout: float) -> Outcome:
        """Look for an index that breaks it, then bound a head by intervals and the tail by derivatives."""
        try:
            broken = self._broken()
        except UndefinedError as error:
            return Outcome("undecided", detail=f"at an index {error}")
        if broken is not None:
            witness = witness_of({self.variable: broken})
            snippet = show_failure(self.lhs, self.rhs, witness)
            return Outcome("refuted", witness, snippet, "certified by interval arithmetic at the witness")
        gap = self._gap(timeout)
        unknown = check_divisors(
            plain_divisors(self.divides), (sp.Ge(self.variable, self.start, evaluate=False),), timeout
        )
        if unknown is not None:
            return unknown
        if gap is None or not regular_from(gap, self.variable, self.start, timeout):
            return Outcome("undecided", detail="not a smooth function of the index, even after taking logarithms")
        for head in HEADS:
            cut = self.start + head
            if nonnegative_from(gap, self.variable, cut, timeout):
                box = {self.variable: (self.start, cut)}
                if head == 0 or positive_on(gap, box):
                    return Outcome("proved", detail=f"derivatives and limit from {cut} on, intervals before")
        return Outcome("undecided", detail="no sign pattern of derivatives was found")

    def _gap(self, timeout: float) -> sp.Expr | None:
        """Return ``rhs - lhs``, or the difference of logarithms when both sides are products of positive factors."""
        if not _symbolic_powers(self.lhs + self.rhs, self.variable):
            return self.rhs - self.lhs
        alone = isolate_power(self.lhs, self.rhs, lambda e: bool(_symbolic_powers(e, self.variable)))
        found = (self._logarithms(*sides, timeout) for sides in ((self.lhs, self.rhs), alone))
        return next((gap for gap in found if gap is not None), None)

    def _logarithms(self, lhs: sp.Expr, rhs: sp.Expr, timeout: float) -> sp.Expr | None:
        """Return ``log(rhs) - log(lhs)``, None unless all factors are positive."""
        factors = [f for side in (lhs, rhs) for f in sp.Mul.make_args(sp.sympify(side))]
        bases = [f.base if f in _symbolic_powers(f, self.variable) else f for f in factors]
        if not all(_always_positive(base, self.variable, self.start, timeout) for base in bases):
            return None
        left, right = (sp.expand_log(sp.log(side), force=True) for side in (lhs, rhs))
        return right - left

    def _broken(self) -> sp.Expr | None:
        for offset in SCAN:
            index = self.start + offset
            if _below_zero(enclose(self.rhs - self.lhs, {self.variable: (index, index)})):
                return index
        return None


@dataclass(frozen=True)
class OnBox:
    """``lhs < rhs`` everywhere on a compact box, with room to spare.

    Parameters
    ----------
    lhs, rhs : expression
        May contain exp, log and rational powers.
    box : dict of symbol to (low, high)
        Rational ends, the lower one first; empty for an inequality between constants.
    divides : tuple of expression
        What was divided by and is no longer seen in the expressions: it must not be 0.
    """

    lhs: sp.Expr
    rhs: sp.Expr
    box: Mapping[sp.Symbol, tuple[sp.Expr, sp.Expr]]
    divides: tuple[sp.Expr, ...] = ()
    prover = "monotone"

    def __post_init__(self) -> None:
        for x, (low, high) in self.box.items():
            said = f"[{low}, {high}]"
            require(not sp.sympify(high - low).is_negative, f"{x} in", said, "an interval with the lower end first")
            require(not (x.is_nonnegative and low.is_negative), f"{x} in", said, f"within the sign that {x} has")

    def decide(self, timeout: float) -> Outcome:
        """Bisect the box with outward-rounded intervals; a corner or centre may refute."""
        try:
            outcome = self._decide_box()
        except UndefinedError as error:
            return Outcome("undecided", detail=f"somewhere on the box {error}")
        if outcome.verdict != "proved":
            return outcome
        inside = [
            side(x, end, evaluate=False) for x, ends in self.box.items() for side, end in zip(SIDES, ends, strict=True)
        ]
        return check_divisors(plain_divisors(self.divides), inside, timeout) or outcome

    def _decide_box(self) -> Outcome:
        gap = sp.sympify(self.rhs) - sp.sympify(self.lhs)
        for pick in ((1, 0), (0, 1), (sp.Rational(1, 2), sp.Rational(1, 2))):
            point = {s: pick[0] * low + pick[1] * high for s, (low, high) in self.box.items()}
            below = _below_zero(enclose(gap, {s: (x, x) for s, x in point.items()}))
            if below or gap.subs(point) == 0:
                witness = witness_of(point)
                snippet = show_failure(self.lhs, self.rhs, witness, relation=">" if below else ">=")
                why = (
                    "certified by interval arithmetic at the witness" if below else "the sides are equal at the witness"
                )
                return Outcome("refuted", witness, snippet, why)
        if positive_on(gap, self.box):
            return Outcome("proved", detail="interval arithmetic with bisection")
        return Outcome("undecided", detail=f"not settled within {SPLITS} splits")


def nonnegative_from(gap: sp.Expr, x: sp.Symbol, start: sp.Expr, timeout: float, depth: int = DEPTH) -> bool:
    """Whether ``gap >= 0`` on ``[start, oo)`` is proved.

    A rational gap goes to the real prover. Otherwise the sign of the derivative is settled first, in the same way:
    an increasing gap is smallest at `start`, a decreasing one is bounded below by its limit at infinity.
    """
    if not gap.atoms(sp.log, sp.exp):
        return Real(sp.S.Zero, gap, (sp.Ge(x, start),)).decide_implication(timeout).verdict == "proved"
    if depth == 0:
        return False
    slope = sp.diff(gap, x)
    slope = slope if slope.atoms(sp.log, sp.exp) else sp.factor(sp.together(slope))
    if _not_negative(enclose(gap, {x: (start, start)})) and nonnegative_from(slope, x, start, timeout, depth - 1):
        return True
    limit = sp.limit(gap, x, sp.oo)
    if not (limit.is_finite and (limit == 0 or _not_negative(enclose(limit, {})))):
        return False
    return nonnegative_from(-slope, x, start, timeout, depth - 1)


def regular_from(gap: sp.Expr, x: sp.Symbol, start: sp.Expr, timeout: float) -> bool:
    """Whether `gap` is proved to have no pole and no logarithm of a number <= 0 on ``[start, oo)``."""
    if _symbolic_powers(gap, x):
        return False
    below = [power.base for power in gap.atoms(sp.Pow) if power.exp.is_negative]
    poles = [Infeasible((sp.Ge(x, start), sp.Eq(base, 0))) for base in below if base.has(x)]
    inside = [_always_positive(log.args[0], x, start, timeout) for log in gap.atoms(sp.log)]
    return all(inside) and all(pole.decide(timeout).verdict == "proved" for pole in poles)


def positive_on(gap: sp.Expr, box: Mapping[sp.Symbol, tuple[sp.Expr, sp.Expr]]) -> bool:
    """Whether ``gap > 0`` on the whole box is certified by intervals within `SPLITS` bisections."""
    boxes: list[dict[sp.Symbol, tuple[sp.Expr, sp.Expr]]] = [dict(box)]
    for _ in range(SPLITS):
        if not boxes:
            return True
        current = boxes.pop()
        if _positive(enclose(gap, current)):
            continue
        if not current:
            return False
        widest = max(current, key=lambda s: current[s][1] - current[s][0])
        low, high = current[widest]
        middle = (low + high) / 2
        boxes += [current | {widest: (low, middle)}, current | {widest: (middle, high)}]
    return False


def enclose(e: sp.Expr, box: Mapping[sp.Symbol, tuple[sp.Expr, sp.Expr]]) -> iv.mpf:
    """Return an interval that contains every value of `e` on the box, rounded outwards."""
    e = sp.sympify(e)
    iv.dps = DIGITS
    if e.is_Rational:
        return iv.mpf(int(e.p)) / iv.mpf(int(e.q))
    if e is sp.E:
        return iv.exp(1)
    if e.is_Symbol:
        low, high = (enclose(end, {}) for end in box[e])
        return iv.mpf([low.a, high.b])
    parts = [enclose(a, box) for a in e.args]
    if e.is_Add:
        return reduce(add, parts)
    if e.is_Mul:
        return reduce(mul, parts)
    if isinstance(e, sp.exp):
        return iv.exp(parts[0])
    if isinstance(e, sp.log):
        return iv.log(_domain(parts[0], e))
    if e.is_Pow and e.exp.is_Integer:
        # An even power of what may be 0 would be a positive number, too.
        return iv.mpf(["-inf", "inf"]) if e.exp.is_negative and 0 in parts[0] else parts[0] ** int(e.exp)
    if e.is_Pow:
        return iv.exp(parts[1] * iv.log(_domain(parts[0], e)))
    msg = f"expression = {e!r} is not legal: intervals know +, *, powers, exp and log"
    raise InputError(msg)


class UndefinedError(ArithmeticError):
    """A logarithm or a power of what may not be positive."""


def _domain(interval: iv.mpf, e: sp.Expr) -> iv.mpf:
    if not interval.a > 0:
        msg = f"{e} is not known to be defined"
        raise UndefinedError(msg)
    return interval


def _positive(interval: iv.mpf) -> bool:
    return bool(interval.a > 0)


def _not_negative(interval: iv.mpf) -> bool:
    return bool(interval.a >= 0)


def _below_zero(interval: iv.mpf) -> bool:
    return bool(interval.b < 0)


def _symbolic_powers(e: sp.Expr, x: sp.Symbol) -> set[sp.Expr]:
    return {power for power in sp.sympify(e).atoms(sp.Pow) if power.exp.has(x)}


def _always_positive(e: sp.Expr, x: sp.Symbol, start: sp.Expr, timeout: float) -> bool:
    if not e.has(x):
        return _positive(enclose(e, {}))
    if not e.is_rational_function(x):
        return False
    return Infeasible((sp.Ge(x, start), sp.Le(e, 0, evaluate=False))).decide(timeout).verdict == "proved"
