"""The method of a theorem at the steps that it prescribes on a problem."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.engine.setting import Setting
    from boundcheck.methods import Method
    from boundcheck.problems import Problem


def prescribed_method(
    name: str, method: str, problem: Problem, setting: Setting, overrides: Mapping[str, Any]
) -> Method:
    """Return a bound's method at its steps.

    Parameters
    ----------
    name : str
        Of the bound.
    method : str
        The method that runs, which has to be the bound's.
    problem : Problem
    setting : Setting
    overrides : mapping
        Parameters of the bound in the place of the prescribed ones.

    Raises
    ------
    InputError
        If the bound is about another method.
    NotApplicableError
        If the bound does not speak of the problem.
    """
    from boundcheck.bounds import BOUNDS
    from boundcheck.cli.terminal.named import bound_named
    from boundcheck.errors import require
    from boundcheck.evidence.trials.examples import initial_values
    from boundcheck.evidence.trials.trial import Trial

    bound = BOUNDS[bound_named(name)]
    require(bound.method == method, "--at", name, f"a bound of {method}, not of {bound.method}")
    return Trial.of(bound, problem, setting, initial_values(bound, setting.N) | dict(overrides)).method
