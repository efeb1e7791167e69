"""The answer to a stated worst case: a solver's value, and its proof over Q where rounding leaves one."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boundcheck.errors import NotApplicableError
from boundcheck.files.display import shows
from boundcheck.worst.gram.kernel import require_kernel
from boundcheck.worst.gram.rationals import rounded_up
from boundcheck.worst.sides.programme import SOLVED
from boundcheck.worst.stated.multipliers import Multipliers
from boundcheck.worst.stated.scaled import in_own_units
from boundcheck.worst.stated.words import certificate

if TYPE_CHECKING:
    from fractions import Fraction

    from boundcheck.worst.stated.question import StatedProof, StatedQuestion

LOOSE = 1e-4
"""By how much a proof may be above the solver's number to take its place."""
_REASONS = {
    "PrimalInfeasible": "nothing bounds it",
    "AlmostPrimalInfeasible": "nothing bounds it",
    "DualInfeasible": "no problem meets what is assumed",
    "AlmostDualInfeasible": "no problem meets what is assumed",
}
"""What the solver's words about multipliers mean."""


@shows("name", "verdict", "upper", "lower")
@dataclass(frozen=True)
class StatedCase:
    """What is known of a stated worst case.

    Attributes
    ----------
    name : str
    upper : float
        What is proved, rounded up; else the solver's number.
    lower : float
        The solver's value at its Gram matrix: a number and no proof.
    verdict : str
        'proved' or 'numerical' (`boundcheck.worst.cases.case.VERDICTS`).
    proved : Fraction or None
    proof : dict or None
        A certificate of kind `linear`.
    status : str
        The solver's word.
    seconds : float
    is_attained : bool
        Whether the conditions are sufficient, so that the value is attained by a function in some dimension.
    sizes : dict
        Sizes of both blocks, number of conditions.
    unit : float
        What the value was near 1 in when it was solved for.
    """

    name: str
    upper: float
    lower: float
    verdict: str
    proved: Fraction | None
    proof: dict[str, Any] | None = field(repr=False)
    status: str
    seconds: float
    is_attained: bool
    sizes: dict[str, int]
    unit: float = 1.0

    def data(self) -> dict[str, Any]:
        """Return it as plain data."""
        names = ("name", "upper", "lower", "verdict", "status", "seconds", "is_attained", "sizes")
        proved = None if self.proved is None else str(self.proved)
        return {**{name: getattr(self, name) for name in names}, "proved": proved}


def answer(question: StatedQuestion, *, prove: bool) -> StatedCase:
    """Return the largest value of a number over all that is known.

    Raises
    ------
    NotApplicableError
        If nothing bounds it, or the solver found no answer.
    """
    return _answer(question, prove=prove)[0]


def answer_with_multipliers(question: StatedQuestion) -> tuple[StatedCase, dict[str, Fraction] | None]:
    """Return the largest value of a number, and the multipliers of what is known in its proof, by their names.

    Raises
    ------
    NotApplicableError
        If nothing bounds it, or the solver found no answer.
    """
    case, proof = _answer(question, prove=True)
    return case, None if proof is None else {known.name: by for by, known in proof.used}


def _answer(question: StatedQuestion, *, prove: bool) -> tuple[StatedCase, StatedProof | None]:
    began = time.perf_counter()
    if not question.known and not question.matrices:
        msg = f"worst case of {question.name}: nothing bounds it"
        raise NotApplicableError(msg)
    scaled = in_own_units(question)
    asked = Multipliers(scaled.question.known, scaled.question.matrices, scaled.question.objective)
    found = asked.solve()
    if found.status not in SOLVED:
        msg = f"worst case of {question.name}: {_REASONS.get(found.status, f'the solver says {found.status}')}"
        raise NotApplicableError(msg)
    proof = asked.prove(found) if prove else None
    unit = float(scaled.of_objective)
    upper, proved, shown = unit * max(found.upper, found.lower), None, None
    own: StatedProof | None = None
    if proof is not None and float(proof.value) <= found.upper + LOOSE * max(abs(found.upper), 1e-3):
        own = scaled.proof(proof)
        with suppress(NotApplicableError):  # what the kernel refuses stays a solver's number
            require_kernel(question.name, written := certificate(question, own))
            proved, shown = own.value, written
            upper = rounded_up(proved)
    if proved is None:
        above = asked.with_margin(found)
        if above is None:
            msg = f"worst case of {question.name}: no number and no proof was found: perhaps nothing bounds it"
            raise NotApplicableError(msg)
        # A solver that did not quite come to rest may be too low.
        upper = max(upper, unit * above)
    case = StatedCase(
        question.name,
        upper,
        min(unit * found.lower, upper),
        "numerical" if proved is None else "proved",
        proved,
        shown,
        found.status,
        time.perf_counter() - began,
        question.is_attained,
        asked.sizes,
        unit,
    )
    return case, None if proved is None else own
