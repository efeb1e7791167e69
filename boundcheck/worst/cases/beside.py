"""What a theorem of one round says beside worst cases: a bound for every T, where cases are of single horizons."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from boundcheck.errors import InputError, NotApplicableError
from boundcheck.worst.gram.kernel import require_kernel
from boundcheck.worst.proved.certificate import certificates
from boundcheck.worst.theorems.one_round import sharpen

if TYPE_CHECKING:
    from fractions import Fraction

    from boundcheck.methods.base import Method
    from boundcheck.worst.cases.case import WorstCase


class BoundForAllT(NamedTuple):
    """The average of E|grad f(x_t)|^2 is at most ``a + b/T`` for every T, by a certificate over Q.

    Attributes
    ----------
    a, b : Fraction
        At the constants of the class; what the heterogeneity costs in each round, and what the start costs once.
    """

    a: Fraction
    b: Fraction

    def text(self) -> str:
        """Return it as a line, its factors to ten digits where they are no short fractions."""
        a, b = (str(x) if x.denominator < 2000 else f"{float(x):.10g}" for x in self)
        return f"at most {a} + {b}/T for every T: the best potential of one round, its certificate checked over Q"


def bound_for_all_T(method: Method, case: WorstCase) -> BoundForAllT | None:
    """Return the best one-round theorem over the class of a worst case; None where there is no theorem of its kind.

    Such theorems are of the average of |grad f(x_t)|^2 over smooth functions, in units in which L = 1, by a potential
    that starts from Delta.

    Parameters
    ----------
    method : Method
        Whose worst case it is, its hyperparameters in units in which L = 1.
    case : WorstCase
    """
    if case.measure != "average":
        return None
    try:
        theorem = sharpen(method, K=case.K, T=case.T, S=case.S, given=case.given)
    except (InputError, NotApplicableError):
        return None
    if theorem.assumed:
        return None
    # The word is the kernel's, which knows nothing of the search.
    require_kernel(case.method, *certificates(theorem))
    at_one, at_two = theorem.right_hand_side(1), theorem.right_hand_side(2)
    return BoundForAllT(2 * at_two - at_one, 2 * (at_one - at_two))
