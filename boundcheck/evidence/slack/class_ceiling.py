"""What no problem of a class exceeds under a method: the worst case of a short run, a proved ceiling of a long one."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

from boundcheck.errors import BoundcheckError, NotApplicableError
from boundcheck.worst import ProblemClass, advise, sharpen, worst
from boundcheck.worst.gram.counts import COUNTS
from boundcheck.worst.gram.units import for_share, hyperparameters
from boundcheck.worst.gram.vectors import COINS, NonlinearError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.engine.setting import Setting
    from boundcheck.methods.base import Method
    from boundcheck.problems.base import Problem

SHORT = 12
"""Most local steps of all clients in all rounds for which the worst case is computed."""
_ADDITIVE = frozenset({"signs", "sparse", "spikes"})
"""Kinds of noise that are the same at every point."""
WORDS = {
    "nonlinear": "the method is not linear in the gradients, and worst cases are of linear ones",
    "coins": "the method tosses coins of its own, of which no theorem of one round is known",
    "noise": "the noise depends on the point",
    "average": "the theorem is about another average than the plain one over the server's points",
    "none": "there is no such theorem of one round",
}
"""Why there is no ceiling, in a word, and what it means."""


class _NoCeilingError(NotApplicableError):
    """What worst cases do not know, with its word."""

    def __init__(self, word: str, message: str) -> None:
        super().__init__(message)
        self.word = word


class ClassCeiling(NamedTuple):
    """What the average of |grad f(x_t)|^2 does not exceed on any problem with the constants of one."""

    value: float | None
    exact: bool
    """Whether some problem of the class attains it."""
    why: str
    """What it is, or why there is none."""
    word: str = ""
    """A key of `WORDS` where there is none."""


def class_ceiling(problem: Problem, method: Method, setting: Setting) -> ClassCeiling:
    """Return the worst case over all problems that share N, L, Delta, zeta and sigma with one.

    A long run has the ceiling of the best theorem of one round, at steps that are rounded to four digits.

    Parameters
    ----------
    problem : Problem
        Whose constants are those of the class.
    method : Method
        At its hyperparameters.
    setting : Setting
    """
    try:
        return _compute_ceiling(problem, method, setting)
    # A method that is not linear may fail anywhere on vectors of Gram coordinates.
    except (BoundcheckError, ValueError, TypeError, ArithmeticError) as error:
        return ClassCeiling(None, exact=False, why=str(error).split("\n")[0], word=_word(error))


def _word(error: Exception) -> str:
    if isinstance(error, _NoCeilingError):
        return error.word
    if isinstance(error.__cause__, NonlinearError):
        return {COINS: "coins", COUNTS: "none"}.get(error.__cause__.operation, "nonlinear")
    # A method's code that fails on Gram vectors is the error, or what an error of ours was raised from.
    first = error.__cause__ or error
    return "none" if isinstance(first, BoundcheckError) else "nonlinear"


def _compute_ceiling(problem: Problem, method: Method, setting: Setting) -> ClassCeiling:
    unit = _require_class(problem)
    given, scaled = _class_of(problem, unit), for_share(method, unit)
    if setting.N * setting.K * setting.T <= SHORT:
        case = worst(scaled, K=setting.K, T=setting.T, S=setting.S, b=setting.b, measure="average", given=given)
        return ClassCeiling(case.upper * unit**2, case.exact, "worst case")
    theorem = sharpen(scaled, K=setting.K, T=setting.T, S=setting.S, given=given)
    return ClassCeiling(theorem.value() * unit**2, exact=False, why="best theorem of one round")


def best_ceiling(problem: Problem, method: Method, setting: Setting, *, free: Sequence[str]) -> tuple[Method, float]:
    """Return the method at the steps of which the best theorem of one round promises most, and what it promises.

    Parameters
    ----------
    problem, method, setting
        As for `class_ceiling`; the search starts at the method's steps.
    free : sequence of str
        Hyperparameters > 0 to choose.

    Raises
    ------
    NotApplicableError
        If there is no such theorem.
    """
    unit = _require_class(problem)
    given = _class_of(problem, unit)
    theorem = advise(for_share(method, unit), free=free, K=setting.K, T=setting.T, S=setting.S, given=given)
    numbers = {name: float(value) for name, value in hyperparameters(theorem.method).items()}
    plain = dataclasses.replace(method, **numbers)  # type: ignore[type-var]
    return for_share(plain, 1.0 / unit), theorem.value() * unit**2


def _require_class(problem: Problem) -> float:
    """Return L of a problem that belongs to a class of worst cases.

    Raises
    ------
    NotApplicableError
        If it does not.
    """
    if problem.is_noisy and problem.noise.kind not in _ADDITIVE:
        raise _NoCeilingError("noise", f"worst cases are of additive noise, not of {problem.noise.kind}")
    if problem.client_weights is not None:
        # A mean with weights has more noise than one of as many equal clients.
        raise _NoCeilingError("none", "worst cases are about the plain mean of the clients, and these have weights")
    return problem.constant("L")


def _class_of(problem: Problem, unit: float) -> ProblemClass:
    """Return the class in units in which L = 1."""
    known = {name: constant.value / unit for name, constant in problem.constants.items()}
    Delta = problem.constant("Delta") / unit
    return ProblemClass(N=problem.N, Delta=Delta, zeta=known.get("zeta"), sigma=known.get("sigma", 0.0))
