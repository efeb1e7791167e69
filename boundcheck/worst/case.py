"""What is known of a worst case: two sides, and a problem between them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boundcheck.problems.extremal.family import Extremal
    from boundcheck.worst.classes import ProblemClass
    from boundcheck.worst.instance import Attained
    from boundcheck.worst.programme import Solution

EXACT = 1e-6
"""Relative gap between the two sides below which a worst case is called exact."""


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
        No problem of the class has more, to about `gap`: the largest of the programme's two values and `lower`; inf if
        it is unbounded, nan if the solver failed.
    dual : float
        Value of the multipliers, which are the proof.
    gap : float
        Difference of the solver's two values.
    lower : float or None
        Value on `problem`; None where no function was built, for which `why` has the reason.
    problem : Extremal or None
        A problem of the class on which the method does that badly.
    status : str
        The solver's word.
    seconds : float
        Of the solver.
    sizes : dict
        Sizes of the two blocks and number of constraints.
    why : str
        Why there is no lower side; empty if there is one.
    solution : Solution
        Gram matrices, values and multipliers.
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
    problem: Extremal | None
    status: str
    seconds: float
    sizes: dict[str, int]
    why: str
    solution: Solution = field(repr=False)

    @property
    def exact(self) -> bool:
        """Whether the two sides agree."""
        return self.lower is not None and abs(self.upper - self.lower) <= EXACT * self.upper

    def attained_by(self, found: Attained) -> WorstCase:
        """Return it with a lower side: a function is a proof where the solver's last digits are none."""
        upper = max(self.upper, found.value)
        return dataclasses.replace(self, upper=upper, lower=found.value, problem=found.problem)

    def data(self) -> dict[str, Any]:
        """Return what it says, as plain data."""
        names = ("method", "K", "T", "S", "measure", "upper", "lower", "dual", "gap", "exact", "status", "seconds")
        return {
            **{name: getattr(self, name) for name in (*names, "sizes")},
            "why": self.why,
            **dataclasses.asdict(self.given),
        }
