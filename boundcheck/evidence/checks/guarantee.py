"""The rounds after which a theorem guarantees an accuracy to a method, at the theorem's own steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from boundcheck.bounds import BOUNDS
from boundcheck.errors import BoundcheckError, NotApplicableError
from boundcheck.evidence.trials.fitting import require_fit
from boundcheck.metrics import METRICS

if TYPE_CHECKING:
    from boundcheck.bounds.bound import Bound
    from boundcheck.engine.setting import Setting
    from boundcheck.problems.base import Problem

_SQUARED = (2, -2)
"""Unit of |grad|^2, see `Metric.unit`."""


class Guarantee(NamedTuple):
    """The fewest rounds that an explicit bound of a method promises."""

    rounds: int
    bound: str


def guaranteed_rounds(method: str, problem: Problem, setting: Setting, eps_acc: float) -> Guarantee:
    """Return the fewest rounds after which an explicit bound, repaired where it was false, promises |grad| <= eps_acc.

    Parameters
    ----------
    method : str
        Name of the method that the bound must be about.
    problem : Problem
    setting : Setting
        Clients, local steps and minibatch; its T does not count.
    eps_acc : float
        Accuracy, of the gradient whose square the theorem bounds.

    Raises
    ------
    NotApplicableError
        If no explicit bound of the method serves here; the message says why, of the last one.
    """
    found, why = [], f"no explicit bound is about {method}"
    for name in _explicit(method):
        try:
            rounds = _rounds(BOUNDS[name], problem, setting, eps_acc)
        except BoundcheckError as error:
            why = str(error)
            continue
        if rounds is None:
            why = f"bound {name}: no horizon meets its conditions and promises {eps_acc:g}"
        else:
            found.append(Guarantee(rounds, name))
    if not found:
        raise NotApplicableError(why)
    return min(found)


def _explicit(method: str) -> list[str]:
    """Return the names of a method's bounds whose constants are explicit and not those of a printed statement."""
    about = (bound for bound in BOUNDS.values() if bound.method == method and METRICS[bound.metric].unit == _SQUARED)
    return [bound.id for bound in about if bound.kind == "explicit" and bound.form != "printed"]


def _rounds(bound: Bound, problem: Problem, setting: Setting, eps_acc: float) -> int | None:
    from boundcheck.bounds.complexity import rounds_to

    require_fit(bound, problem)
    constants = problem.values_for(bound.needs)
    letters = {name: value for name, value in setting.letters.items() if name != "T"}
    # What always serves of a letter that belongs to a run.
    always = {"alpha_div": float(setting.N)}
    return rounds_to(bound, always | constants | letters | {"d": problem.d}, eps_acc)
