"""From the solver's numbers to a proof over Q: rounded multipliers, balanced values, explicit squares."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from boundcheck.worst.gram.rationals import squares
from boundcheck.worst.theorems.systems import FIXED

if TYPE_CHECKING:
    from boundcheck.worst.facts.forms import Form
    from boundcheck.worst.facts.hypotheses import Name
    from boundcheck.worst.gram.rationals import Row
    from boundcheck.worst.theorems.systems import SquaresProblem

DIGITS = (9, 12)
"""Decimals that multipliers are rounded to, until the squares exist."""

Unknowns = dict["Name", Fraction]


@dataclass(frozen=True)
class SquaresBlock:
    """A block of a form as a sum of squares.

    Attributes
    ----------
    block : str
        'P' for means over the clients, 'Q' for deviations.
    chosen : list of int
        Basis vectors that the vectors are over.
    terms : list of (Fraction, list of Fraction)
        Weights > 0 and vectors.
    """

    block: str
    chosen: list[int]
    terms: list[tuple[Fraction, Row]]


@dataclass(frozen=True)
class SquaresProof:
    """Numbers over Q that meet all conditions.

    Attributes
    ----------
    unknowns : dict
        The potential's numbers and the multipliers.
    constants : dict
        System to the constants that it adds, each with its factor.
    squares : dict
        System to what is left of its form, as squares.
    """

    unknowns: Unknowns
    constants: dict[str, dict[str, Fraction]]
    squares: dict[str, list[SquaresBlock]]


def proof_near(conditions: SquaresProblem, found: dict[Name, float]) -> SquaresProof | None:
    """Return a proof near the solver's numbers, or None if rounding leaves none."""
    for digits in DIGITS:
        unknowns = {name: _round_number(v, digits, free=name in conditions.free) for name, v in found.items()}
        proof = proof_from_numbers(conditions, balance_values(conditions, unknowns))
        if proof is not None:
            return proof
    return None


def _round_number(value: float, digits: int, *, free: bool) -> Fraction:
    scale: int = 10**digits
    whole = round(value * scale)
    return Fraction(whole if free else max(whole, 0), scale)


def balance_values(conditions: SquaresProblem, unknowns: Unknowns) -> Unknowns:
    """Return multipliers under which all function values cancel; those of the base point's conditions grow."""
    found = dict(unknowns)
    for system, form in conditions.systems.items():
        base = conditions.bases.get(system, conditions.base)
        floors = [name for name in form.parts if name[:2] == (system, "floor")]
        grounded = system in conditions.grounded
        if grounded:
            base = int(max(floors, key=found.__getitem__)[2])
        left = form.at(found)
        values = {int(key[1]): c for key, c in left.items() if key[0] == "f"}
        if (level := conditions.level) is not None:
            most = max((name for name in found if name[:2] == (system, "level")), key=found.__getitem__)
            found[most] -= values.pop(level, Fraction(0))
        for k, c in values.items():
            if k != base:
                name = (system, "interpolation", k, base) if c > 0 else (system, "interpolation", base, k)
                found[name] += abs(c)
        if grounded:
            found[system, "floor", base] += sum(values.values(), Fraction(0))
        elif base == 0 and (system, "start", 0) in found:
            found[system, "start", 0] -= sum(values.values(), Fraction(0))
    return found


def proof_from_numbers(conditions: SquaresProblem, unknowns: Unknowns) -> SquaresProof | None:
    """Return the proof that numbers are, or None if they are none."""
    signed = all(unknowns[name] >= 0 for name in unknowns if name not in conditions.free)
    constants, left = {}, {}
    for name, system in conditions.systems.items():
        form = system.at(unknowns)
        if not signed or any(key[0] == "f" for key in form):
            return None
        constants[name] = {str(key[1]): -c for key, c in form.items() if key[0] == "1"}
        blocks = [_block(form, block, system.indices(block)) for block in system.blocks]
        if any(block is None for block in blocks):
            return None
        left[name] = [block for block in blocks if block is not None]
    return SquaresProof({name: v for name, v in unknowns.items() if name != FIXED}, constants, left)


def _block(form: Form, block: str, chosen: list[int]) -> SquaresBlock | None:
    matrix = [
        [form.get((block, min(i, j), max(i, j)), Fraction(0)) / (1 if i == j else 2) for j in chosen] for i in chosen
    ]
    terms = squares(matrix)
    return None if terms is None else SquaresBlock(block, chosen, terms)
