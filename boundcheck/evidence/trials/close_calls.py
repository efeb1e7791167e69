"""Close calls: a violation no clearer than rounding is repeated in longer numbers before it is said."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.engine.longer import EPSILON, Disturbance, average_in_longer_numbers
from boundcheck.errors import BoundcheckError
from boundcheck.evidence.trials.digits import apart
from boundcheck.evidence.trials.fitting import build_prescribed_method
from boundcheck.evidence.trials.judging import EXACT

if TYPE_CHECKING:
    from boundcheck.engine.setting import Setting
    from boundcheck.evidence.statistics.verdict import Verdict
    from boundcheck.evidence.trials.rounding import Rounding
    from boundcheck.methods.base import Method
    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Array, Problem
    from boundcheck.verdicts.words import BoundWord

_CLOSE = 2.0**20
"""By how much a method may amplify rounding beyond its estimate: a violation within that is repeated."""
_SHRUNK = 1 / 8
"""Of an excess: what is left less of in longer numbers is rounding (a root of 2^-11, the worst kind, leaves 1/45)."""
_DISTURBED = 3
"""How many runs are disturbed: that all of them stand still by chance is out of the question."""


class CloseCall(NamedTuple):
    """What became of a close call."""

    rounding: float
    """How far above the right-hand side a measurement is no violation."""
    words: str
    """What was found, for the verdict's reason."""
    instead: BoundWord | None = None
    """What is said in the place of "holds" where the repetition cannot tell."""

    def told_in(self, verdict: Verdict) -> Verdict:
        """Return the verdict with what was found; a vacuous bound stays so."""
        reason = f"{verdict.reason}; {self.words}"
        if self.instead is None or verdict.verdict != "holds":
            return replace(verdict, reason=reason)
        return replace(verdict, verdict=self.instead, how="", reason=reason, settle="a run in longer numbers")


def close_call(rounding: Rounding, y: Array, *, on_paths: bool) -> CloseCall | None:
    """Return what becomes of a comparison without noise that is close, None where it is clear.

    Parameters
    ----------
    rounding : Rounding
        What is compared, and what rounding may do to it.
    y : Array
        The left-hand side of the one run, or on every path.
    on_paths : bool
        Whether these are all paths of a random run.
    """
    measured, rhs = float(y.mean()), rounding.rhs
    if not rhs + EXACT * abs(rhs) < measured <= rounding.limit(_CLOSE):
        return None
    excess, paths = measured - rhs, len(y) if on_paths else None
    try:
        longer_rhs, longer = _repeat_in_longer_numbers(rounding, paths)
    except BoundcheckError as error:
        words = f"above the right-hand side by {excess:.3g}, which rounding may have made; no longer run: {error}"
        return CloseCall(excess, words, "undecided" if measured > rounding.limit() else "consistent")
    left, above, side = float(longer - longer_rhs), float(longer), float(longer_rhs)
    words = f"{apart(measured, rhs, '>')} in doubles, {apart(above, side)} in longer numbers"
    if above > side and rounding.amplification > _CLOSE:
        words = f"{words}: a server step of {rounding.amplification:.3g} enlarges what rounding makes of local steps"
        return CloseCall(excess, words, "undecided")
    stays = left >= _SHRUNK * excess
    if stays and above > rounding.limit_in_longer_numbers(side, EPSILON, of_letters=True):
        return CloseCall(0.0, f"{words}: no rounding")
    if stays and above > rounding.limit_of_moved(side, EPSILON, _move(rounding, longer, paths)):
        return CloseCall(0.0, f"{words}: no rounding, which is smaller on this run than its sizes allow")
    if above <= rounding.limit_in_longer_numbers(side, EPSILON, of_letters=False):
        return CloseCall(excess, f"{words}: rounding")
    if above <= rounding.limit_in_longer_numbers(side, EPSILON, of_letters=True):
        return CloseCall(excess, f"{words}: within the rounding of the constants", "consistent")
    return CloseCall(excess, f"{words}: it shrinks as rounding does", "undecided")


def _repeat_in_longer_numbers(rounding: Rounding, paths: int | None) -> tuple[np.floating, np.floating]:
    """Return right- and left-hand side in longer numbers.

    Raises
    ------
    BoundcheckError
        If there is no longer run of what was measured.
    """
    bound = rounding.bound
    values = bound.in_longer_numbers(rounding.values)
    longer = average_in_longer_numbers(*_prescribed_run(rounding), paths=paths)
    return bound.right_side(values, np.longdouble), longer.mean()


def _move(rounding: Rounding, longer: np.floating, paths: int | None) -> float:
    """Return how far errors as large as rounding move the left-hand side.

    What they move it by is what method, problem and metric make of rounding, at the sizes that the run has.
    """
    sizes, run = rounding.sizes, _prescribed_run(rounding)
    moves = []
    for seed in range(_DISTURBED):
        errors = Disturbance(seed, gradient=sizes.gradient, point=sizes.start, smooth=sizes.smooth)
        moved = average_in_longer_numbers(*run, paths=paths, disturbance=errors).mean()
        moves.append(abs(float(moved - longer)))
    return float(np.max(moves))


def _prescribed_run(rounding: Rounding) -> tuple[Problem, Method, Metric, Setting]:
    bound, problem = rounding.bound, rounding.problem
    method = build_prescribed_method(bound, problem.name, bound.in_longer_numbers(rounding.values))
    return problem, method, rounding.metric, rounding.setting


def unless_close(verdict: Verdict, rounding: Rounding) -> Verdict:
    """Return a verdict on random draws: a violation within rounding's reach cannot be repeated, so it is not said."""
    measured = verdict.measured
    if verdict.verdict != "violated" or measured is None or measured > rounding.limit(_CLOSE):
        return verdict
    reason = f"{verdict.reason}; but rounding may have made {apart(measured, rounding.rhs, '>')}"
    return replace(verdict, verdict="undecided", how="", reason=reason, settle="an instance at a larger scale")
