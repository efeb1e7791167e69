"""Units check: a true bound does not care in which units f and x are measured.

Under f -> s f and x -> r x every letter scales by its unit; an expression is homogeneous if all it adds, compares or
takes the minimum of scales alike.  What is not homogeneous cannot be a theorem about all problems unless its
assumptions fix the units, so it is reported as a finding.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import sympy as sp

from boundcheck.errors import BoundcheckError
from boundcheck.metrics import METRICS
from boundcheck.notation import LETTERS, letter_named

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.bounds.bound import Bound

Unit = tuple[sp.Expr, sp.Expr]
"""Powers of the scales of f and of x: numbers, or letters without a unit."""

NONE: Unit = (sp.Integer(0), sp.Integer(0))


class MixedUnitsError(BoundcheckError):
    """An expression adds or compares quantities of different units."""


@dataclass(frozen=True)
class UnitMismatch:
    """A place of a bound that is not homogeneous."""

    bound: str
    place: str
    """A term, a parameter or a condition."""
    reason: str


def unit_of(expression: sp.Expr, units: Mapping[str, tuple[int, int]] | None = None) -> Unit:
    """Return the unit of an expression in letters.

    Raises
    ------
    MixedUnitsError
        If it adds, compares or takes the minimum of quantities of different units, or a logarithm of one with units.
    """
    e = sp.sympify(expression)
    if e.is_Symbol:
        return _unit((units or {}).get(e.name, LETTERS[e.name].unit))
    if not e.free_symbols:
        return NONE
    if isinstance(e, sp.Mul):
        parts = [unit_of(a, units) for a in e.args]
        return sp.expand(sp.Add(*(p for p, _ in parts))), sp.expand(sp.Add(*(q for _, q in parts)))
    if isinstance(e, sp.Pow):
        p, q = unit_of(e.base, units)
        if unit_of(e.exp, units) != NONE:
            msg = f"{e} has a power with units"
            raise MixedUnitsError(msg)
        # A power may be a letter, such as that of a moment: sigma_p**p_tail.
        power = e.exp if e.exp.free_symbols else sp.nsimplify(e.exp, rational=True)
        return (sp.simplify(p * power), sp.simplify(q * power)) if (p, q) != NONE else NONE
    if isinstance(e, sp.Piecewise):
        return _alike([branch.expr for branch in e.args if branch.expr != 0], units)
    if isinstance(e, (sp.Add, sp.Min, sp.Max)):
        return _alike(list(e.args), units)
    if isinstance(e, (sp.Sum, sp.Product)):
        # An index is a number of rounds, as T is.
        inside = e.function.subs(dict.fromkeys(e.bound_symbols, LETTERS["T"].symbol))
        return unit_of(inside, units) if isinstance(e, sp.Sum) else _alike([inside, sp.Integer(1)], units)
    return _alike([*e.args, sp.Integer(1)], units)


def _unit(powers: tuple[int, int]) -> Unit:
    return sp.Integer(powers[0]), sp.Integer(powers[1])


def _alike(parts: list[sp.Expr], units: Mapping[str, tuple[int, int]] | None) -> Unit:
    found = [(part, unit_of(part, units)) for part in parts]
    first, unit = found[0]
    for part, other in found[1:]:
        if other != unit:
            msg = f"{first} has unit {label_of(unit)}, but {part} has {label_of(other)}"
            raise MixedUnitsError(msg)
    return unit


def label_of(unit: Unit) -> str:
    """Return a unit as powers of s (the scale of f) and r (the scale of x)."""
    return " ".join(f"{name}^{power}" for name, power in zip("sr", unit, strict=True) if power) or "1"


def findings(bound: Bound, units: Mapping[str, tuple[int, int]] | None = None) -> list[UnitMismatch]:
    """Return every place of a bound that is not homogeneous.

    Parameters
    ----------
    bound : Bound
    units : mapping, optional
        Units of letters that differ from the notation's, by default those that the bound names: its method may have
        others (`boundcheck.evidence.trials.fitting.units_of`).
    """
    bound = bound if units is None else replace(bound, units=units)
    places = [(f"term {name}", e, _unit(METRICS[bound.metric].unit)) for name, e in bound.terms.items()]
    places.append(("the trivial bound", bound.trivial, _unit(METRICS[bound.metric].unit)))
    known = [(name, e) for name, e in bound.parameters.items() if name in LETTERS or name in bound.units]
    for name, e in known:
        places.append((f"parameter {name}", e, _unit(bound.units.get(name, letter_named(name).unit))))
    out = []
    for place, expression, unit in places:
        try:
            found = unit_of(expression, bound.units)
        except MixedUnitsError as error:
            out.append(UnitMismatch(bound.id, place, str(error)))
            continue
        # A number stands for a default of the user's choice and says nothing about units.
        if found != unit and expression.free_symbols:
            out.append(UnitMismatch(bound.id, place, f"has unit {label_of(found)} instead of {label_of(unit)}"))
    return out + [f for c in bound.conditions for f in _compare_sides(bound, c.label, c.relation)]


def _compare_sides(bound: Bound, label: str, relation: sp.Rel) -> list[UnitMismatch]:
    sides = [side for side in relation.args if side != 0] if 0 in relation.args else [relation.lhs, relation.rhs]
    try:
        _alike(sides, bound.units)
    except MixedUnitsError as error:
        return [UnitMismatch(bound.id, f"condition '{label}'", str(error))]
    return []
