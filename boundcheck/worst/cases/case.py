"""What is known of a worst case: two sides, and a problem between them."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boundcheck.files.display import shows
from boundcheck.verdicts.words import CASE_WORDS, meanings

if TYPE_CHECKING:
    from fractions import Fraction

    from boundcheck.problems.extremal.family import Extremal
    from boundcheck.problems.synthetic.saddle_quadratics import SaddleQuadratics
    from boundcheck.verdicts.words import CaseWord
    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.proved.upper import Upper
    from boundcheck.worst.sides.programme import Solution

EXACT = 1e-6
"""Relative gap between the two sides below which a worst case is called exact."""
LOOSE = 1e-4
"""By how much a proof may be above the solver's number to take its place."""
RESIDUAL = 1e-7
"""What a solver may leave of its conditions, as a share of its number, for that to stand beside a proof above it."""
ROUNDING = 1e-12
"""What is taken off a function's value for rounding, in natural units: it is computed in double precision."""
VERDICTS = meanings(CASE_WORDS)
"""What is known of a worst case, in a word, and what it means."""


@shows("method", "verdict", "upper", "lower", "K", "T", "measure")
@dataclass(frozen=True)
class WorstCase:
    """The worst case of a method over a class of problems, between two sides.

    Attributes
    ----------
    method : str
        Its name.
    K, T : int
        Local steps a round and rounds.
    S : int
        Active clients of a round.
    given : ProblemClass
        The class.
    measure : str
        The left-hand side, a name in `boundcheck.worst.MEASURES`.
    upper : float
        Where `is_proved`, the number of that name, rounded up: no problem of the class has more.  Else the largest of
        the programme's two values and `lower`, which is a number and no proof; inf if it is unbounded, nan if the
        solver failed.
    dual : float
        Value of the solver's multipliers.
    gap : float
        Difference of the two sides where the upper one is proved and there is a lower one, else of the solver's values.
    lower : float or None
        Value on `problem`, less `ROUNDING`; None where no function was built, for which `why` has the reason.
    problem : Extremal, SaddleQuadratics or None
        A problem of the class on which the method does that badly (of minimax, the worst that a search finds); of an
        infinite case, one whose multiples do ever worse.
    status : str
        The solver's word; 'closed form' where none was needed.
    seconds : float
        Of the solver and of the proof.
    sizes : dict
        Sizes of the two blocks and number of constraints; empty where no programme was needed.
    why : str
        Why there is no lower side, or no finite worst case, or no proof; empty if nothing is missing.
    solution : Solution
        Gram matrices, values and multipliers, in natural units (`boundcheck.worst.facts.natural`).
    proved : Fraction or None
        What no problem of the class exceeds, over Q; where it is more than `LOOSE` above the number of a solver
        that came to rest, `upper` is the latter.
    proof : Upper or None
        Its certificate, in units in which L = 1; None where there is none, or the case is of a closed form.
    residual : float
        By how much the solver's point misses its constraints, relative to them.
    """

    method: str
    K: int
    T: int
    S: int
    given: ProblemClass
    measure: str
    upper: float
    dual: float
    gap: float
    lower: float | None
    problem: Extremal | SaddleQuadratics | None
    status: str
    seconds: float
    sizes: dict[str, int]
    why: str
    solution: Solution = field(repr=False)
    proved: Fraction | None = None
    proof: Upper | None = field(default=None, repr=False)
    residual: float = 0.0

    @property
    def exact(self) -> bool:
        """Whether the upper side is proved and the lower one equal to it, to `EXACT`."""
        return self.is_proved and self.lower is not None and self.upper - self.lower <= EXACT * self.upper

    @property
    def is_proved(self) -> bool:
        """Whether the upper side is what is proved, and not a solver's number below that."""
        return self.proved is not None and self.upper >= self.proved

    @property
    def verdict(self) -> CaseWord:
        """Return what is known, a key of `VERDICTS`."""
        if self.is_proved:
            return "exact" if self.exact else "proved"
        if math.isfinite(self.upper):
            return "numerical"
        return "infinite" if self.upper > 0 and self.problem is not None else "undecided"

    def attained_by(self, problem: Extremal | SaddleQuadratics | None, lower: float, *, why: str) -> WorstCase:
        """Return it with a lower side.

        Raises
        ------
        ArithmeticError
            If a function exceeds what is proved by more than rounding: one of the two is wrong.
        """
        if not self.is_proved:
            return dataclasses.replace(self, upper=max(self.upper, lower), lower=lower, problem=problem, why=why)
        if lower > self.upper * (1 + EXACT):
            msg = f"{self.method}: a function has {lower!r}, which is more than the proved {self.upper!r}"
            raise ArithmeticError(msg)
        # Rounding of a function's value proves nothing against a proof.
        lower = min(lower, self.upper)
        return dataclasses.replace(self, lower=lower, gap=self.upper - lower, problem=problem, why=why)

    def data(self) -> dict[str, Any]:
        """Return what it says, as plain data."""
        names = ("method", "K", "T", "S", "measure", "verdict", "upper", "lower", "dual", "gap", "residual", "exact")
        return {
            **{name: getattr(self, name) for name in (*names, "status", "seconds", "sizes")},
            "proved": None if self.proved is None else str(self.proved),
            "why": self.why,
            **dataclasses.asdict(self.given),
        }
