"""A printed theorem beside the best theorem of one round, for the same method at the same parameters."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boundcheck.bounds.given import bound_of
from boundcheck.errors import InputError, NotApplicableError
from boundcheck.evidence.trials.fitting import build_prescribed_method
from boundcheck.worst import ProblemClass, sharpen
from boundcheck.worst.gram.units import PRECISE, with_fractions

if TYPE_CHECKING:
    from boundcheck.bounds.bound import Bound, Values
    from boundcheck.evidence.search.extremes import TheoremOnClass
    from boundcheck.methods.base import Method
    from boundcheck.worst import Sharpened

_SMOOTH = ("L", "L_sample", "L_rms")


@dataclass(frozen=True)
class SharpnessComparison:
    """Two right-hand sides over the problems that both theorems speak of.

    Attributes
    ----------
    bound : str
        Name of the printed theorem.
    rhs : float
        Its right-hand side.
    conditions : list of str
        Labels of its conditions that fail: it does not speak here.
    theorem : Sharpened
        The best theorem of one round, at its parameters.
    value : float
        The right-hand side of that.
    apart : str
        Where the two classes differ; empty where they do not.
    """

    bound: str
    rhs: float
    conditions: list[str]
    theorem: Sharpened
    value: float
    apart: str

    @property
    def factor(self) -> float:
        """How many times the sharpened right-hand side goes into the printed one."""
        return self.rhs / self.value


def sharper(
    bound: Bound | str, *, K: int, T: int, N: int = 2, zeta: float = 0.0, sigma: float = 0.0, at: Values | None = None
) -> SharpnessComparison:
    """Compare a theorem with the best theorem of one round at its own parameters, with L = Delta = 1 and S = N.

    Parameters
    ----------
    bound : Bound or str
        A theorem about the average over the server iterates.
    K, T, N : int
        Local steps a round, rounds, clients.
    zeta, sigma : float
        Heterogeneity and noise.  Where a theorem needs G_0, it is the largest that zeta allows: 2 L Delta + zeta^2.
    at : mapping, optional
        Parameters in the place of the prescribed ones.

    Raises
    ------
    NotApplicableError
        If the theorem is about another left-hand side or about constants that have no value here, or there is no
        theorem of one round.
    """
    bound = bound_of(bound)
    if bound.metric != "server_gradient":
        msg = f"bound {bound.id} is about {bound.metric}, theorems of one round about server_gradient"
        raise NotApplicableError(msg)
    if bound.exact_gradients and sigma > 0:
        msg = f"bound {bound.id} is about exact local gradients, not about sigma = {sigma:g}"
        raise NotApplicableError(msg)
    values = dict.fromkeys(_SMOOTH, 1.0) | {"Delta": 1.0, "zeta": zeta, "sigma": sigma, "G_0": 2.0 + zeta**2}
    resolved = bound.resolve(values | {"N": N, "S": N, "K": K, "T": T, "b": 1, "d": 1}, at)
    evaluation = bound.evaluate(resolved, strict=False)
    method = build_prescribed_method(bound, f"the class with zeta = {zeta:g}, sigma = {sigma:g}", resolved)
    theorem, apart = _fairest(bound, method, ProblemClass(N=N, zeta=zeta, sigma=sigma), K=K, T=T)
    failed = [c.label for c in evaluation.conditions if not c.holds]
    return SharpnessComparison(bound.id, evaluation.rhs, failed, theorem, theorem.value(), apart)


def _fairest(bound: Bound, method: Method, given: ProblemClass, *, K: int, T: int) -> tuple[Sharpened, str]:
    """Return the theorem that assumes no more than the bound if there is one, and what it assumes more."""
    without = ProblemClass(N=given.N, sigma=given.sigma)
    theorem = sharpen(method, K=K, T=T, given=without)
    if not theorem.assumed or "zeta" in bound.needs:
        return (theorem if not theorem.assumed else sharpen(method, K=K, T=T, given=given)), ""
    return sharpen(method, K=K, T=T, given=given), "zeta at all server points is assumed, not G_0 at the start"


def between(found: TheoremOnClass) -> tuple[Sharpened | None, str]:
    """Return the best theorem of one round between a bound and the worst case of the same class, at the same steps.

    Parameters
    ----------
    found : Placed

    Returns
    -------
    theorem : Sharpened or None
    why : str
        Why there is none, empty where there is one.
    """
    if found.measure != "average":
        return None, "theorems of one round are about the plain average"
    try:
        exact = with_fractions(found.method, PRECISE)
        theorem = sharpen(exact, K=found.K, T=found.T, given=dataclasses.replace(found.given, everywhere=False))
    except (InputError, NotApplicableError) as error:
        return None, str(error)
    if theorem.assumed:
        return None, f"a theorem of one round needs {' and '.join(theorem.assumed)}, which the class does not bound"
    return theorem, ""
