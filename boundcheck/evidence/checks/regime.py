"""The regime of a bound on a problem: see `boundcheck.bounds.regimes`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.bounds import BOUNDS
from boundcheck.bounds.regimes import Regime, regime_at
from boundcheck.engine.setting import Setting
from boundcheck.evidence.trials.fitting import require_fit
from boundcheck.problems.own.computed import with_own_letters

if TYPE_CHECKING:
    from boundcheck.bounds.bound import Bound, Values
    from boundcheck.problems.base import Problem


def regime(
    bound: Bound | str,
    problem: Problem,
    *,
    K: int,
    T: int,
    S: int | None = None,
    b: int = 1,
    overrides: Values | None = None,
) -> Regime:
    """Return which term of a bound dominates on a problem, what more of a setting buys, and which steps are allowed.

    Nothing is run.

    Parameters
    ----------
    bound : Bound or str
        A bound or its name.
    problem : Problem
    K, T, S, b : int
        Local steps, rounds, active clients (default all), minibatch.
    overrides : mapping, optional
        Steps in place of the prescribed ones.

    Raises
    ------
    NotApplicableError
        If bound and problem do not go together.
    """
    bound = BOUNDS[bound] if isinstance(bound, str) else bound
    require_fit(bound, problem)
    problem = with_own_letters(problem, bound.needs)
    constants = {letter: constant.value for letter, constant in problem.constants.items()}
    setting = Setting.of(problem, K=K, T=T, S=S, b=b)
    return regime_at(bound, constants | setting.letters | {"d": problem.d}, overrides)
