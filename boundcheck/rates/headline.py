"""A headline rate: a printed power of one letter, the schedule and the family on which it is to be met, a control.

All of it is plain data, so that a certificate holds what it takes to run it again.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping  # noqa: TC003 (certificates are read by these types)
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from boundcheck.bounds import BOUNDS, RATES
from boundcheck.bounds.orders import leading, order, substitute_parameters
from boundcheck.engine.setting import Setting
from boundcheck.errors import NotApplicableError, UnknownNameError, require
from boundcheck.evidence.trials.trial import Trial
from boundcheck.files.display import shows
from boundcheck.notation import symbol
from boundcheck.problems import load_problem
from boundcheck.rates.control import Control  # noqa: TC001
from boundcheck.rates.declared import declare_constants
from boundcheck.rates.plan import PlannedPoint
from boundcheck.rates.schedules import SCHEDULES

if TYPE_CHECKING:
    from boundcheck.methods.base import Method
    from boundcheck.problems.base import Problem

Letter = Literal["T", "N", "S", "K", "NK", "rounds"]
"""What the grid moves: one letter; N and K together, the axis being N K; or T with K = sqrt(T)/N, FMGDA's period."""
LETTERS: tuple[Letter, ...] = ("T", "N", "S", "K", "NK", "rounds")
TAIL = "tail[link=tail:0.05]"
SADDLE = "ncsc-tail[link=tail:0.05]"
"""The family: |grad f|^2 falls by a power of 2.1/2.05 = 1.024 of the sum of the steps, where theorems promise 1."""
LEAST_POINTS = 3


@shows("id", "printed", "letter", "problem")
@dataclass(frozen=True)
class Headline:
    """A rate that a paper prints, and the grid on which it is looked for."""

    id: str
    printed: str
    """Bound or row of a comparison table whose power is meant."""
    letter: Letter
    grid: tuple[int, ...]
    control: Control
    bound: str = ""
    """Explicit bound whose schedule is run, at the constants of the class."""
    schedule: str = ""
    """Name in `boundcheck.rates.schedules.SCHEDULES` where it is not a bound's."""
    N: int = 1
    S: int | None = None
    """Active clients; all by default."""
    K: int = 1
    T: int = 100_000
    problem: str = TAIL
    declared: Mapping[str, float] = field(default_factory=dict)
    """Constants of the class that the instance does not have."""
    overrides: Mapping[str, float] = field(default_factory=dict)
    """Letters of a run and free parameters of the bound."""
    lanes: int = 1
    """Runs of every point; more than one where the instance has noise."""

    def __post_init__(self) -> None:
        """Refuse what cannot be run.

        Raises
        ------
        InputError
            If the letter is none, the grid does not increase or is short, or not exactly one of bound and schedule is
            given.
        """
        require(self.letter in LETTERS, f"{self.id}: letter", self.letter, f"one of {', '.join(LETTERS)}")
        grid = self.grid
        rises = len(grid) >= LEAST_POINTS and all(a < b for a, b in itertools.pairwise(grid))
        # A half of two rounds is the least that there is.
        least = 2 if self.letter in {"T", "rounds"} else 1
        legal = f"{LEAST_POINTS} or more increasing integers >= {least}"
        require(rises and grid[0] >= least, f"{self.id}: grid", list(grid), legal)
        one = bool(self.bound) != bool(self.schedule)
        require(one, f"{self.id}: bound, schedule", (self.bound, self.schedule), "one of the two")
        if self.schedule and self.schedule not in SCHEDULES:
            raise UnknownNameError("schedule", self.schedule, [*SCHEDULES])

    def axis(self, x: int) -> float:
        """Return the place of a grid value on the axis."""
        return float(x * x if self.letter == "NK" else x)

    def setting_at(self, x: int) -> Setting:
        """Return the setting of a grid value."""
        N = x if self.letter in {"N", "NK"} else self.N
        K = x if self.letter in {"K", "NK"} else max(1, round(x**0.5 / N)) if self.letter == "rounds" else self.K
        S = x if self.letter == "S" else self.S or N
        return Setting(N=N, S=S, K=K, T=x if self.letter in {"T", "rounds"} else self.T, b=1)

    def plan(self, x: int) -> PlannedPoint:
        """Return the plan of a grid value.

        Raises
        ------
        NotApplicableError
            If a condition of the bound fails there.
        """
        setting = self.setting_at(x)
        problem = load_problem(self.problem, N=setting.N)
        if self.schedule:
            return PlannedPoint(self.axis(x), setting, problem, SCHEDULES[self.schedule](problem), None, None)
        bound, of_class = BOUNDS[self.bound], declare_constants(problem, self.declared)
        trial = Trial.of(bound, of_class, setting, self.overrides)
        found = trial.evaluation
        return PlannedPoint(
            self.axis(x), setting, problem, _with_exact_start(trial.method, problem), found.rhs, found.trivial
        )

    def printed_power(self) -> float:
        """Return the signed power of the axis that the statement prints, computed from its terms.

        Raises
        ------
        NotApplicableError
            If the statement is in words only.
        """
        statement = BOUNDS[self.printed] if self.printed in BOUNDS else RATES[self.printed]
        if not statement.terms:
            msg = f"{self.printed} is stated in words only: it prints no power of {self.letter}"
            raise NotApplicableError(msg)
        T = symbol("T")
        total = leading(substitute_parameters(statement, statement.total, regime=self.letter == "rounds"), T)
        if self.letter == "S":
            # S <= N: what falls with N is gone before S counts.
            total = leading(total, symbol("N"))
        # A power of N K is that of either.
        return float(order(total, symbol({"NK": "N", "rounds": "T"}.get(self.letter, self.letter))))

    @property
    def method(self) -> str:
        """Name of the method."""
        if self.bound:
            return BOUNDS[self.bound].method
        return SCHEDULES[self.schedule](load_problem(self.problem, N=self.N)).card.id

    @property
    def metric(self) -> str:
        """Name of what is measured."""
        return BOUNDS[self.bound].metric if self.bound else "server_gradient"


def _with_exact_start(method: Method, problem: Problem) -> Method:
    """Return the method with one sample at the start where samples are exact: more of them are the same."""
    if not problem.is_noisy and "B" in {f.name for f in dataclasses.fields(method)}:  # type: ignore[arg-type]
        return dataclasses.replace(method, B=1)  # type: ignore[type-var]
    return method
