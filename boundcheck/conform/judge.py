"""The identities of a method, asked of somebody's implementation that takes the method's place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundcheck.conform.checks import LIMIT
from boundcheck.conform.identities import about
from boundcheck.conform.identity import TOLERANCE, Judgement, NotAskedError
from boundcheck.conform.runs.harness import STAND_IN
from boundcheck.conform.stand_in import Adapter
from boundcheck.errors import require
from boundcheck.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.conform.identity import MethodIdentity
    from boundcheck.verdicts.words import IdentityWord


def judge(function: Callable[..., Any], *, method: str, tolerance: float = TOLERANCE) -> tuple[Judgement, ...]:
    """Ask the identities that speak of a registered method of an implementation of it.

    The implementation runs on our samples wherever the identity runs the method, on both sides.  An identity is not
    asked if it needs a hyperparameter that the function does not take, a state that iterates do not show, or coins of
    the method itself; it is listed all the same, with the reason.

    Parameters
    ----------
    function : callable
        As for `boundcheck.conform.compare`.
    method : str
        Name of the registered method.
    tolerance : float
        Takes the place of an identity's own tolerance where it is larger.

    Returns
    -------
    tuple of Judgement
        One for every identity of `about`, in order.

    Raises
    ------
    UnknownNameError
        If there is no such method.
    """
    require(tolerance > 0, "tolerance", tolerance, "a number > 0")
    own = METHODS.own_name(method)
    return tuple(_judge_identity(identity, function, own, tolerance) for identity in about(own))


def _judge_identity(identity: MethodIdentity, function: Callable[..., Any], method: str, tolerance: float) -> Judgement:
    stand_in = Adapter(method, function)
    token = STAND_IN.set(stand_in)
    try:
        deviation, allowed = identity.measure_deviation()
        if not stand_in.ran:
            raise NotAskedError("is about a part that is not run through the adapter")
        if allowed == LIMIT and tolerance > allowed / 100:
            raise NotAskedError("is a limit, which needs more digits than the tolerance leaves")
    except NotAskedError as unasked:
        return Judgement(identity.id, identity.statement, "not asked", None, None, str(unasked))
    except Exception as error:  # noqa: BLE001 - whatever an implementation raises is its own failure
        raised = f"raised {type(error).__name__}: {error}"
        return Judgement(identity.id, identity.statement, "fails", float("inf"), None, raised)
    finally:
        STAND_IN.reset(token)
    # Identities have tolerances of their own, made for double precision; only a looser one says something new.
    allowed = max(allowed, tolerance if tolerance > TOLERANCE else 0.0)
    verdict: IdentityWord = "holds" if deviation <= allowed else "fails"
    if verdict == "fails" and stand_in.overwritten:
        reason = "needs the iterates, and one array stands for several rounds: return copies"
        return Judgement(identity.id, identity.statement, "not asked", None, None, reason)
    return Judgement(identity.id, identity.statement, verdict, deviation, allowed, "")
