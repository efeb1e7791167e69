"""What a bound or a comparison row says, computed from its terms: which term dominates where, and from when on.

Numbers come from the terms themselves at the prescribed parameters; formulas from their leading parts as T grows, in
which logarithms count as constants.  Costs are in `complexity`, trends in `trends`, best steps in `best`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isclose
from typing import TYPE_CHECKING, Literal

import numpy as np
import sympy as sp

from boundcheck.bounds.bound import Bound, compile_expression
from boundcheck.bounds.orders import leading, order, substitute_parameters
from boundcheck.errors import NotApplicableError, require
from boundcheck.notation import symbol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from boundcheck.bounds.bound import Values
    from boundcheck.bounds.rate import Rate

T = symbol("T")
PER_DECADE = 20
"""Grid points a decade in which the dominating term is looked up before a change is located."""
_TIE = 1e-12
"""Relative difference up to which two terms are equal: they are sums and products of a few roundings."""


@dataclass(frozen=True)
class Crossover:
    """A value of a letter at which another term becomes the largest."""

    letter: str
    at: float
    before: str
    after: str


@dataclass(frozen=True)
class Threshold:
    """A horizon from which (or until which) the leading part is what a bound amounts to."""

    kind: Literal["term", "branch", "condition", "until"]
    """Against another term, another branch of a minimum, maximum or round-up, a condition; or a condition that ends."""
    where: str
    """The term that is smaller from there on, the term whose branch is meant, or the condition."""
    at: sp.Expr
    """The horizon in the other letters."""

    @property
    def powers(self) -> dict[str, sp.Rational]:
        """Powers of N, S and K in the horizon as they grow."""
        return {name: order(self.at, symbol(name)) for name in ("N", "S", "K")}

    def value(self, values: Values) -> float:
        """Return the horizon at values of its letters.

        Raises
        ------
        NotApplicableError
            If a letter is missing.
        """
        letters, function = compile_expression(self.at)
        missing = [letter for letter in letters if letter not in values]
        if missing:
            msg = f"the horizon of '{self.where}' needs {', '.join(missing)}"
            raise NotApplicableError(msg)
        return float(function(*(values[letter] for letter in letters)))


def terms_at(statement: Bound | Rate, values: Values, overrides: Values | None = None) -> dict[str, float]:
    """Return every term of a bound (conditions or not) or of a row at given values."""
    if isinstance(statement, Bound):
        return statement.evaluate(statement.resolve(values, overrides), strict=False).terms
    return statement.evaluate(values)


def move_letter(values: Values, letter: str, to: float) -> dict[str, float]:
    """Return values with a letter moved; where all clients take part, they still do."""
    along = {"S": to} if letter == "N" and values.get("S") == values.get("N") else {}
    return {**values, letter: to, **along}


def dominating(
    statement: Bound | Rate, values: Values, letter: str, grid: Sequence[float], overrides: Values | None = None
) -> list[str]:
    """Return the name of the largest term at every point of a grid of one letter, the others fixed.

    Of terms that are equal up to rounding it is the first.

    Raises
    ------
    UnknownNameError
        If the letter is not one of the notation.
    InputError
        If a point of the grid is not a number > 0.
    """
    symbol(letter)
    require(all(0 < point < np.inf for point in grid), letter, list(grid), "numbers > 0")
    names = []
    for point in grid:
        terms = terms_at(statement, move_letter(values, letter, point), overrides)
        top = max(terms, key=terms.__getitem__)
        names.append(next((name for name, value in terms.items() if isclose(value, terms[top], rel_tol=_TIE)), top))
    return names


def crossovers(
    statement: Bound | Rate,
    values: Values,
    letter: str,
    low: float,
    high: float,
    overrides: Values | None = None,
) -> list[Crossover]:
    """Return where in [low, high] the dominating term changes, in order; each to ten digits.

    Raises
    ------
    InputError
        If not 0 < low < high, both finite.
    """
    require(0 < low < high < np.inf, "low, high", (low, high), "0 < low < high, both finite")
    count = max(2, round(PER_DECADE * np.log10(high / low)) + 1)
    grid = [float(x) for x in np.geomspace(low, high, count)]
    names = dominating(statement, values, letter, grid, overrides)
    out: list[Crossover] = []
    for left, right, before, after in zip(grid, grid[1:], names, names[1:], strict=False):
        while before != after:
            left = _change(statement, values, letter, (left, right), before, overrides)
            (new,) = dominating(statement, values, letter, [left], overrides)
            out.append(Crossover(letter, left, before, new))
            before = new
    return out


def _change(
    statement: Bound | Rate,
    values: Values,
    letter: str,
    bracket: tuple[float, float],
    before: str,
    overrides: Values | None,
) -> float:
    """Return the first point of a bracket where another term than `before` dominates, by halving in the logarithm."""
    low, high = bracket
    while high / low > 1 + 1e-10:
        middle = float(np.sqrt(low * high))
        (name,) = dominating(statement, values, letter, [middle], overrides)
        low, high = (middle, high) if name == before else (low, middle)
    return high


def max_horizon(statement: Bound | Rate, values: Values) -> float:
    """Return the largest horizon at which a bound can be evaluated: sums over a schedule need every step."""
    if isinstance(statement, Bound) and "sum_eta" in statement.derived:
        return 1e5 / values["K"]
    return 1e15


def leading_terms(statement: Bound | Rate) -> tuple[str, ...]:
    """Return the names of the terms that are left as T grows at the prescribed parameters."""
    powers = {name: order(substitute_parameters(statement, e), T) for name, e in statement.terms.items()}
    return tuple(name for name, power in powers.items() if power == max(powers.values()))


def thresholds(statement: Bound | Rate) -> list[Threshold]:
    """Return every horizon beyond which the leading part of the terms is what the bound amounts to.

    Each is in closed form: where a leading part c T^p meets another one.
    """
    full = {name: substitute_parameters(statement, e) for name, e in statement.terms.items()}
    ahead = leading_terms(statement)
    top = sp.Add(*(leading_part(full[name]) for name in ahead))
    out = [Threshold("term", name, _meeting(top, leading_part(e))) for name, e in full.items() if name not in ahead]
    for name in ahead:
        out += [Threshold("branch", name, _meeting(*pair)) for pair in _branches(full[name])]
    conditions = statement.conditions if isinstance(statement, Bound) else ()
    for c in (c for c in conditions if c.relation.rel_op != "=="):
        out += _horizon(
            c.label, substitute_parameters(statement, c.relation.gts), substitute_parameters(statement, c.relation.lts)
        )
    return list(dict.fromkeys(out))


def _horizon(label: str, larger: sp.Expr, smaller: sp.Expr) -> Iterator[Threshold]:
    # What is prescribed with a minimum is prescribed so as to meet its conditions.
    both = larger + smaller
    if 0 in (larger, smaller) or both.has(sp.Min, sp.Max) or T not in both.free_symbols:
        return
    gain = order(larger, T) - order(smaller, T)
    if gain:
        yield Threshold(
            "condition" if gain > 0 else "until", label, _meeting(leading_part(larger), leading_part(smaller))
        )


def leading_part(e: sp.Expr) -> sp.Expr:
    """Return the leading part of an expression as T grows, with logarithms of T left out."""
    return leading(e, T).replace(lambda a: isinstance(a, sp.log) and T in a.free_symbols, lambda a: sp.Integer(1))


def _meeting(one: sp.Expr, other: sp.Expr) -> sp.Expr:
    """Return the T at which c T^p meets another power."""
    p, q = order(one, T), order(other, T)
    ratio = (other * T**-q) / (one * T**-p)
    return sp.powsimp(_without_T(ratio) ** (1 / (p - q)))


def _without_T(ratio: sp.Expr) -> sp.Expr:
    """Return an expression that does not depend on T, written without it."""
    plain = sp.powsimp(ratio, force=True)
    return plain.subs(T, 1) if T in plain.free_symbols else plain


def _branches(e: sp.Expr) -> Iterator[tuple[sp.Expr, sp.Expr]]:
    """Yield (kept, dropped) for everything that the leading part decides inside an expression."""
    for node in sp.preorder_traversal(e):
        if isinstance(node, sp.ceiling) and order(node.args[0], T):
            yield sp.Integer(1), leading_part(node.args[0])
        if not isinstance(node, (sp.Min, sp.Max)):
            continue
        powers = [order(a, T) for a in node.args]
        best = (min if isinstance(node, sp.Min) else max)(powers)
        kept = node.func(*(leading_part(a) for a, p in zip(node.args, powers, strict=True) if p == best))
        for a, p in zip(node.args, powers, strict=True):
            if p != best:
                yield kept, leading_part(a)


@dataclass(frozen=True)
class SpeedUp:
    """From which horizon on more of something pays as the leading part says."""

    letter: str
    power: sp.Rational
    """Power of the letter in the leading part: -1/2 for N is the linear speed-up of a (N K T)^(-1/2) rate."""
    thresholds: tuple[Threshold, ...]
    """What must be passed, in formulas."""

    def holds_from(self, values: Values) -> float:
        """Return the horizon beyond which every threshold is passed, infinity if a condition ends before."""
        start = max((t.value(values) for t in self.thresholds if t.kind != "until"), default=1.0)
        end = min((t.value(values) for t in self.thresholds if t.kind == "until"), default=np.inf)
        return max(start, 1.0) if start <= end else float("inf")


def speed_up(statement: Bound | Rate, letter: str = "N") -> SpeedUp:
    """Return the speed-up in a letter (N, S or K) that the leading part promises, and from when on.

    Raises
    ------
    NotApplicableError
        If the leading part does not fall with the letter.
    """
    top = leading(substitute_parameters(statement, statement.total), T)
    power = order(top, symbol(letter))
    if power >= 0:
        msg = f"{statement.id} promises no speed-up in {letter}: its leading part has {letter}^({power})"
        raise NotApplicableError(msg)
    return SpeedUp(letter, power, tuple(thresholds(statement)))


def rounds_ratio(one: Bound | Rate, other: Bound | Rate, *, without: Sequence[str] = ()) -> sp.Expr:
    """Return rounds of `one` over rounds of `other` to the same accuracy, from the leading parts.

    Parameters
    ----------
    without : sequence of str
        Letters set to 0 first, such as sigma for exact gradients.

    Raises
    ------
    NotApplicableError
        If the two fall with different powers of T: no ratio holds for every accuracy.
    """
    parts = []
    for statement in (one, other):
        total = substitute_parameters(statement, statement.total).subs({symbol(name): 0 for name in without})
        parts.append(leading(total, T))
    p, q = (order(e, T) for e in parts)
    if p != q or p >= 0:
        msg = f"{one.id} falls like T^({p}), {other.id} like T^({q}): no ratio of rounds"
        raise NotApplicableError(msg)
    return sp.simplify(_without_T(parts[0] / parts[1]) ** (-1 / p))
