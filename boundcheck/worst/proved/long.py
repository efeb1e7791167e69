"""The proof of a long run: from conditions between few pairs of points, balanced by exact linear algebra.

Where all pairs have a condition, values are balanced against one point; here a few of the largest multipliers change.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundcheck.worst.stated.algebra import ONE, LinearRelation, Scalar
from boundcheck.worst.stated.multipliers import Multipliers
from boundcheck.worst.stated.question import KnownRelation
from boundcheck.worst.theorems.proof import SquaresBlock, SquaresProof
from boundcheck.worst.theorems.systems import FIXED

if TYPE_CHECKING:
    from boundcheck.worst.stated.question import StatedProof
    from boundcheck.worst.theorems.systems import SquaresProblem


def long_proof(posed: SquaresProblem, weights: dict[str, float], part: str) -> SquaresProof | None:
    """Return a proof of what is posed, None if none was found.

    Parameters
    ----------
    posed : SquaresProblem
        With one system, of the name `part`.
    weights : dict
        Constant of the class to what it counts for.
    """
    system = posed.systems[part]
    counted = {letter: Fraction(weight) for letter, weight in weights.items()}

    def as_number(parts: dict[Any, Any], sign: int) -> Scalar:
        found: dict[Any, Fraction] = {}
        for key, c in parts.items():
            value = Fraction(sign * c) / system.scale
            if key[0] == "1":
                key, value = ONE, value * counted[str(key[1])]
            if total := found.get(key, Fraction(0)) + value:
                found[key] = total
        return Scalar(found)

    names = [name for name in system.parts if name != FIXED]
    known = [
        KnownRelation(str(k), LinearRelation(as_number(system.parts[name], -1), equal=name in posed.free))
        for k, name in enumerate(names)
    ]
    asked = Multipliers(known, [], as_number(system.parts[FIXED], -1))
    found = asked.solve()
    proof = asked.prove(found)
    return None if proof is None else _as_squares(posed, names, proof, part)


def _as_squares(posed: SquaresProblem, names: list[Any], proof: StatedProof, part: str) -> SquaresProof:
    """Return a proof in the words of the others: multipliers by name, factors of constants, squares block by block."""
    unknowns = dict.fromkeys(names, Fraction(0))
    unknowns |= {names[int(known.name)]: by for by, known in proof.used}
    system = posed.systems[part]
    left = system.at({name: unknowns[name] for name in names})
    factors = {str(key[1]): -c for key, c in left.items() if key[0] == "1"}
    blocks = []
    for block in system.blocks:
        chosen = system.indices(block)
        terms = [
            (weight, [row.get(k, Fraction(0)) for k in chosen]) for weight, own, row in proof.squares if own == block
        ]
        blocks.append(SquaresBlock(block, chosen, terms))
    return SquaresProof(unknowns, {part: factors}, {part: blocks})
