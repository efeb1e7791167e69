"""From which horizon on a bound says anything: below it the word is *vacuous below T = ...*, and not vacuous.

Two questions are kept apart.  A bound *says something* where it beats what holds without the theorem (2 L Delta, say).
It *binds* a problem where it also beats what no run on that problem can exceed: below that it is true, informative
about other problems and too weak for this one, which is no property of the theorem.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boundcheck.bounds import BOUNDS
from boundcheck.bounds.complexity import first_horizon
from boundcheck.errors import NotApplicableError
from boundcheck.evidence.checks.check import check
from boundcheck.evidence.checks.feasibility import informative_from, longest_of
from boundcheck.evidence.trials.examples import initial_values

if TYPE_CHECKING:
    from boundcheck.bounds.bound import Bound
    from boundcheck.evidence.statistics.verdict import Verdict
    from boundcheck.problems.base import Problem

MINUTES = 2_000_000
"""Local steps that numpy makes in minutes on one core, with a few clients in a few dimensions."""


@dataclass(frozen=True)
class Horizon:
    """From when on a bound says something on a problem, and binds it."""

    bound: str
    problem: str
    N: int
    S: int
    K: int
    says_from: int | None
    """Smallest T at which the conditions are met and the trivial bound is beaten; None for none up to `looked_to`."""
    binds_from: int | None
    """Smallest T from which on no run on this problem could exceed less by itself; None for none up to `looked_to`."""
    looked_to: int
    """The last horizon that was looked at."""

    @property
    def steps(self) -> int | None:
        """Local steps of one client that a run needs to be where the bound binds."""
        return None if self.binds_from is None else self.K * self.binds_from

    @property
    def in_minutes(self) -> bool:
        """Whether numpy gets there in minutes."""
        return self.steps is not None and self.steps <= MINUTES

    @property
    def words(self) -> str:
        """What a page says of it."""
        if self.says_from is None:
            return f"vacuous up to T = {self.looked_to:g}"
        said = f"vacuous below T = {self.says_from:,}" if self.says_from > 1 else "says something from T = 1"
        if self.binds_from is None:
            return f"{said}; too weak for this problem up to T = {self.looked_to:g}"
        return said if self.binds_from == self.says_from else f"{said}; too weak here below T = {self.binds_from:,}"


def horizon(bound: Bound | str, problem: Problem, *, K: int, S: int | None = None, b: int = 1) -> Horizon:
    """Return from which horizon on a bound says something on a problem, and binds it.

    Letters that belong to a run have the value that always serves, else 0: with those of a run the horizon is later,
    or there is none.

    Parameters
    ----------
    bound : Bound or str
    problem : Problem
    K, S, b : int
        Local steps, active clients (default all), minibatch.

    Raises
    ------
    NotApplicableError
        If a constant is missing, or the constant of the bound is hidden.
    """
    bound = BOUNDS[bound] if isinstance(bound, str) else bound
    says = informative_from(bound, problem, K=K, S=S, b=b)
    ceiling = problem.ceiling(bound.metric)
    binds = says
    if says is not None and ceiling is not None:
        constants = {letter: c.value for letter, c in problem.constants.items()} | initial_values(bound, problem.N)
        constants |= {"N": problem.N, "S": S or problem.N, "K": K, "b": b, "d": problem.d}

        def bound_binds(T: int) -> bool:
            found = bound.evaluate(bound.resolve(constants | {"T": T}), strict=False)
            return found.rhs < min(found.trivial, ceiling.value) and not found.unmet

        binds = first_horizon(bound_binds, longest_of(bound))
    return Horizon(bound.id, problem.name, problem.N, S or problem.N, K, says, binds, longest_of(bound))


def check_beyond(
    bound: Bound | str, problem: Problem, *, K: int, S: int | None = None, factor: float = 2.0, replicates: int = 16
) -> tuple[Horizon, Verdict]:
    """Run a bound's method beyond the horizon from which it binds, and return the verdict there.

    Parameters
    ----------
    bound, problem, K, S
        As for `horizon`.
    factor : float
        How far beyond, as a multiple of the horizon.
    replicates : int
        Runs where there is noise; few, as a long average varies little.

    Raises
    ------
    NotApplicableError
        If the bound never binds, or no run of minutes gets there; the message says which T it would take.
    """
    found = horizon(bound, problem, K=K, S=S)
    if found.binds_from is None or K * found.binds_from * factor > MINUTES:
        msg = f"bound {found.bound} on {found.problem}: {found.words}, beyond {MINUTES // K:,} rounds"
        raise NotApplicableError(msg)
    T = int(found.binds_from * factor)
    return found, check(bound, problem, K=K, T=T, S=S, replicates=replicates, budget=replicates)
