"""Options of commands that tune methods and run them on one problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

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
    """

    N: Whole
    K: Whole
    T: Whole
    S: Whole | None = None
    b: Whole = 1
    seed: Whole = 0
    replicates: Whole = 8
    workers: Whole | None = None

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
        return Question(problem, self.N, self.K, self.T, self.S, self.b, eps, self.seed, self.replicates, everyone)
