"""Options of commands that tune methods and run them on one problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from cyclopts import Parameter

from boundcheck.cli.terminal.options import Whole

if TYPE_CHECKING:
    from boundcheck.sweep.compare.contend import Question


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """Where methods run.

    Parameters
    ----------
    N
        Clients.
    K
        Local steps a round.
    T
        Rounds.
    S
        Active clients a round; all when left out.
    b
        Minibatch: samples averaged in one gradient.
    seed
        Root seed.
    replicates
        Replicates, where a run is random.
    workers
        Processes; by default one a core.
    read
        What methods are tuned for and how they are read: the average over the run, the same with the first round
        apart, the second half, the last value, or the time to an accuracy.
    """

    N: Whole
    K: Whole
    T: Whole
    S: Whole | None = None
    b: Whole = 1
    seed: Whole = 0
    replicates: Whole = 8
    workers: Whole | None = None
    read: Literal["average", "apart", "late", "last", "time"] = "average"

    @property
    def asked(self) -> tuple[int | str | None, ...]:
        """Return all of it that decides numbers: workers do not."""
        return self.N, self.K, self.T, self.S, self.b, self.seed, self.replicates, self.read

    def question(self, problem: str, *, eps: float | None = None, everyone: bool = False) -> Question:
        """Return what is asked on a problem.

        Raises
        ------
        InputError
            If a number is not legal, or the run would be too large.
        """
        from boundcheck.limits import require_run
        from boundcheck.problems import load_problem
        from boundcheck.sweep.compare.contend import Question

        d = load_problem(problem, N=self.N).d
        require_run(N=self.N, d=d, S=self.S, b=self.b, T=self.T, replicates=self.replicates)
        at = (self.N, self.K, self.T, self.S, self.b)
        return Question(problem, *at, eps, self.seed, self.replicates, everyone, self.read)
