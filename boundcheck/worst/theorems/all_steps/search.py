"""The search for a theorem for all steps of a box: multipliers are polynomials, forms are asked in Bernstein's form."""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.errors import NotApplicableError
from boundcheck.worst.sides.programme import SOLVED
from boundcheck.worst.theorems.bernstein.polynomials import (
    Poly,
    add,
    constant,
    evaluate,
    monomials,
    multiply,
    scale,
)
from boundcheck.worst.theorems.bernstein.programme import FIXED, BoxProgramme, Inequality
from boundcheck.worst.theorems.family import RoundPolynomials, ScaledForms, scale_forms
from boundcheck.worst.theorems.lmi import minimise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.worst.facts.hypotheses import Name
    from boundcheck.worst.theorems.bernstein.coefficients import Box
    from boundcheck.worst.theorems.bernstein.programme import Values
    from boundcheck.worst.theorems.lmi import Costs

RATE: Name = ("r",)
"""Name of what multiplies |grad F(x)|^2."""
_GAP: Name = ("gap",)
_MARGINS = (1e-7, 1e-6, 1e-5, 1e-4)
_DIGITS = (6, 8, 10)


@dataclass(frozen=True)
class PointwiseBest:
    """The best one-round theorem at one point of the box, which no theorem for all points can beat.

    Attributes
    ----------
    point : tuple of float
        Values of the letters.
    costs : dict
        What constants count for, at the start and in every round.
    value : float
        The smallest right-hand side.
    rate : float
        What multiplies |grad F|^2 in it, where F stands over h^order.
    """

    point: tuple[float, ...]
    costs: Costs
    value: float
    rate: float


@dataclass(frozen=True)
class StepProof:
    """Polynomials over Q that meet all conditions on a box.

    Attributes
    ----------
    made : RoundPolynomials
    forms : ScaledForms
    box : Box
        Ends of every letter.
    unknowns : dict
        Unknown to a polynomial in the letters, powers of h of its scale left out.
    gap : float
        Largest excess over the best one-round theorem on the grid of the search, relative.
    seconds : float
        Of the search.
    """

    made: RoundPolynomials
    forms: ScaledForms
    box: Box
    unknowns: dict[Name, Poly]
    gap: float
    seconds: float

    def factor(self, system: str, constant_name: str) -> Poly:
        """Return what multiplies a constant, before division by the rate; an exponent of h may be negative."""
        found: Poly = {}
        for name, form in self.forms.forms[system].items():
            if p := form.get(("1", constant_name)):
                found = add(found, scale(multiply(p, self.unknowns.get(_multiplier_name(name), {})), -1))
        return found

    def right_side(self, point: Sequence[float], costs: Costs) -> float:
        """Return the right-hand side at a point, for weights of the constants."""
        total = 0.0
        for system, weights in costs.items():
            for letter, weight in weights.items():
                if weight:
                    total += weight * float(evaluate(self.factor(system, letter), point))
        return total / float(evaluate(self.unknowns[RATE], point))


def _multiplier_name(name: Name) -> Name:
    return RATE if name == () else name


def plain_forms(made: RoundPolynomials) -> ScaledForms:
    """Return the forms as they are: on a box that keeps away from 0 nothing has to be scaled."""
    names = {name for parts in made.forms.values() for name in parts}
    forms = {
        system: {
            name: {key: p for key, p in form.items() if p}
            for name, form in parts.items()
            if not (name[:2] == ("U", 0) and made.family.given.zeta is not None)
        }
        for system, parts in made.forms.items()
    }
    return ScaledForms(forms, dict.fromkeys(names, 0), 0)


def prove(
    made: RoundPolynomials, box: Box, best: Sequence[PointwiseBest], *, degree: int, from_zero: bool
) -> StepProof | None:
    """Return a theorem for all points of a box, proved over Q, or None if there is none of this degree.

    Parameters
    ----------
    made : RoundPolynomials
    box : Box
    best : sequence of PointwiseBest
        Where the theorem is compared; the largest excess is minimised.
    degree : int
        Of the multipliers in every letter.
    from_zero : bool
        Whether the only letter is h and the box starts at 0.
    """
    began = time.perf_counter()
    forms = scale_forms(made) if from_zero else plain_forms(made)
    asked = _BoxProgramme(made, forms, box, degree)
    rows = [asked.compare(one) for one in best]
    values = asked.programme.minimise_exactly({_GAP: -1.0}, rows, margins=_MARGINS, digits=_DIGITS)
    if values is None:
        return None
    proof = StepProof(made, forms, box, asked.polynomials(values), 0.0, time.perf_counter() - began)
    gap = max(proof.right_side(one.point, one.costs) / one.value - 1 for one in best)
    return replace(proof, gap=gap, seconds=time.perf_counter() - began)


class _BoxProgramme:
    """The programme of a box, with letters t in [0, 1] in the place of its own."""

    def __init__(self, made: RoundPolynomials, forms: ScaledForms, box: Box, degree: int) -> None:
        self.made, self.forms, self.box = made, forms, box
        count = made.dimension
        self.monomials = monomials((degree,) * count)
        self.unit: Box = ((Fraction(0), Fraction(1)),) * count
        self.programme = BoxProgramme(box=self.unit)
        self.inside = [
            add(constant(low, count), _monomial(axis, count, high - low)) for axis, (low, high) in enumerate(box)
        ]
        free = made.sample.free
        names = {_multiplier_name(name) for parts in forms.forms.values() for name in parts}
        self.names = sorted(names - {("p",)}, key=str)
        for system, parts in forms.forms.items():
            self._ask(system, parts)
        for name in self.names:
            if name not in free:
                self.programme.ask_positive(
                    f"sign of {name}", {(name, m): {m: Fraction(1)} for m in self.monomials}, self.unit
                )

    def _ask(self, system: str, parts: dict[Name, dict[tuple[Any, ...], Poly]]) -> None:
        """Ask that what a system leaves is a sum of squares, that values cancel, and what else has to."""
        matrices: dict[Any, dict[str, dict[Any, Poly]]] = {}
        sums: dict[Any, dict[Any, Poly]] = {}
        for name, form in parts.items():
            for key, p in form.items():
                gone = {e: c for e, c in p.items() if min(e) < 0} if key[0] in ("P", "Q") else {}
                kept = self._inside({e: c for e, c in p.items() if e not in gone}) if key[0] != "1" else {}
                lifted = {tuple(k + 9 for k in e): c for e, c in gone.items()}
                for unknown, m in self._unknowns(name):
                    product = {tuple(map(int.__add__, e, m)): c for e, c in kept.items()}
                    if key[0] == "f":
                        sums.setdefault(key, {})[unknown] = product
                        continue
                    if key[0] in ("P", "Q") and product:
                        matrices.setdefault(unknown, {}).setdefault(str(key[0]), {})[key[1:]] = product
                    if lifted:
                        sums.setdefault(("gone", *key), {})[unknown] = {
                            tuple(map(int.__add__, e, m)): c for e, c in lifted.items()
                        }
        for block in "PQ":
            form_of_block = {u: blocks[block] for u, blocks in matrices.items() if block in blocks}
            if form_of_block:
                self.programme.ask_squares(f"{system} {block}", form_of_block, self.unit)
        for equation in sums.values():
            self.programme.ask_zero(equation)

    def _unknowns(self, name: Name) -> list[tuple[Any, tuple[int, ...]]]:
        if name == ("p",):
            return [(FIXED, (0,) * self.made.dimension)]
        return [((_multiplier_name(name), m), m) for m in self.monomials]

    def _inside(self, p: Poly) -> Poly:
        """Return a polynomial in t."""
        found: list[Poly] = []
        for e, c in p.items():
            factors = [self.inside[axis] for axis, k in enumerate(e) for _ in range(k)]
            found.append(multiply(constant(c, self.made.dimension), *factors))
        return add(*found)

    def _t(self, point: Sequence[float]) -> list[float]:
        return [(x - float(low)) / (float(high) - float(low)) for x, (low, high) in zip(point, self.box, strict=True)]

    def compare(self, best: PointwiseBest) -> Inequality:
        """Return ``value * rate - costs >= gap * size`` at one point, a gap being <= 0 and -gap the relative excess."""
        t = self._t(best.point)
        powers = {m: float(np.prod([x**k for x, k in zip(t, m, strict=True)])) for m in self.monomials}
        row: dict[Any, float] = {}
        limit = 0.0
        for system, parts in self.forms.forms.items():
            for name, form in parts.items():
                price = -sum(
                    weight * float(evaluate(p, best.point))
                    for letter, weight in best.costs.get(system, {}).items()
                    if (p := form.get(("1", letter)))
                )
                if not price:
                    continue
                if name == ("p",):
                    limit -= price
                    continue
                for m, power in powers.items():
                    row[_multiplier_name(name), m] = row.get((_multiplier_name(name), m), 0.0) + price * power
        for m, power in powers.items():
            row[RATE, m] = row.get((RATE, m), 0.0) - best.value * power
        size = best.value * best.rate
        return Inequality({u: c / size for u, c in row.items()} | {_GAP: 1.0}, limit / size)

    def polynomials(self, values: Values) -> dict[Name, Poly]:
        """Return the unknowns as polynomials in the letters."""
        count = self.made.dimension
        outside = [
            add(constant(-low / (high - low), count), _monomial(axis, count, 1 / (high - low)))
            for axis, (low, high) in enumerate(self.box)
        ]
        found: dict[Name, Poly] = {("p",): constant(1, count)}
        for name in self.names:
            parts = []
            for m in self.monomials:
                if c := values.get((name, m)):
                    factors = [outside[axis] for axis, k in enumerate(m) for _ in range(k)]
                    parts.append(multiply(constant(c, count), *factors))
            found[name] = add(*parts)
        return found


def _monomial(axis: int, count: int, c: Fraction) -> Poly:
    return {tuple(int(k == axis) for k in range(count)): c}


def best_at(made: RoundPolynomials, point: Sequence[float], costs: Costs) -> PointwiseBest | None:
    """Return the best one-round theorem at a point, or None where there is none."""
    answer = minimise(made.family.conditions([float(x) for x in point]), costs, margin=0.0)
    if answer.status not in SOLVED:
        return None
    order = scale_forms(made).order if made.family.letters == ("h",) else 0
    return PointwiseBest(tuple(point), costs, answer.value, 1 / (answer.unknowns["p",] * point[0] ** order))


def grid(box: Box, shares: Sequence[float]) -> list[tuple[float, ...]]:
    """Return the points of a grid over a box, given by shares of its sides."""
    sides = [[float(low) + (float(high) - float(low)) * share for share in shares] for low, high in box]
    return list(itertools.product(*sides))


def require_points(made: RoundPolynomials, points: Sequence[PointwiseBest | None]) -> list[PointwiseBest]:
    """Return the points, once there is a theorem at each.

    Raises
    ------
    NotApplicableError
        If there is none at one of them.
    """
    found = [one for one in points if one is not None]
    if len(found) < len(points):
        card = made.family.method.card
        msg = f"method {card.id}: the range holds steps at which no theorem of one round exists; choose a smaller one"
        raise NotApplicableError(msg)
    return found
