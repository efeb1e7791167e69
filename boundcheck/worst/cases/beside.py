"""What is proved for every T beside worst cases of single horizons: a law in T from above."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from boundcheck.errors import InputError, NotApplicableError
from boundcheck.worst.facts.natural import natural
from boundcheck.worst.gram.kernel import require_kernel
from boundcheck.worst.gram.units import as_asked
from boundcheck.worst.proved.certificate import certificates
from boundcheck.worst.proved.law import law_certificates
from boundcheck.worst.theorems.law import prove_law
from boundcheck.worst.theorems.one_round import sharpen
from boundcheck.worst.theorems.theorem import rounded_up

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from boundcheck.methods.base import Method
    from boundcheck.worst.cases.case import WorstCase
    from boundcheck.worst.gram.kernel import Certificate

_SAME = 1e-6
"""Relative distance at which what is proved for every T is said to be the worst cases."""
_SHORT = 2000
"""Largest denominator of a fraction that is worth printing."""


class BoundForAllT(NamedTuple):
    """The average of E|grad f(x_t)|^2 is at most ``a + b/T`` for every T from some on, by certificates over Q.

    Attributes
    ----------
    a, b : Fraction
        At the constants of the class; what the heterogeneity costs in each round, and what start and end cost once.
    holds_from : int
        The least T.
    by : str
        What proves it.
    certificates : list of dict
        Of kind `linear`, which the kernel accepted.
    """

    a: Fraction
    b: Fraction
    holds_from: int
    by: str
    certificates: list[Certificate]

    def at(self, T: int) -> Fraction:
        """Return the bound for T rounds."""
        return self.a + self.b / T

    def above(self, values: Mapping[int, float]) -> float:
        """Return by which share it is above worst cases by horizon at most."""
        known = {T: value for T, value in values.items() if self.holds_from <= T and value > 0}
        return max((float(self.at(T)) / value - 1 for T, value in known.items()), default=0.0)

    def text(self, values: Mapping[int, float]) -> str:
        """Return it as a line, its factors to nine digits where they are no short fractions, beside worst cases."""
        a, b = (str(x) if x.denominator < _SHORT else f"{float(rounded_up(x)):.9g}" for x in (self.a, self.b))
        above = self.above(values)
        beside = (
            f"the worst cases to {above:.0e}" if above <= _SAME else f"up to {100 * above:.2g} % above the worst cases"
        )
        return f"at most {a} + {b}/T for every T >= {self.holds_from}, {beside}: {self.by}, checked over Q"


def bound_for_all_T(method: Method, case: WorstCase) -> BoundForAllT | None:
    """Return the best bound for every T that a potential proves over the class of a worst case; None where none does.

    Such bounds are of the average of |grad f(x_t)|^2 over smooth functions, by a potential that starts from Delta: over
    as many rounds as it takes to be exact, or, where nothing bounds zeta or some clients are idle, of one round.

    Parameters
    ----------
    method : Method
        Whose worst case it is.
    case : WorstCase
    """
    if case.measure != "average":
        return None
    if case.S == case.given.N:
        try:
            return _by_windows(method, case)
        except (InputError, NotApplicableError):
            pass
    return _by_one_round(method, case)


def _by_windows(method: Method, case: WorstCase) -> BoundForAllT:
    units = natural(method, case.given)[0]
    near = case.dual / float(units.unit(case.measure))
    theorem = prove_law(as_asked(units.method), K=case.K, T=case.T, given=units.given, near=near)
    proof = law_certificates(theorem)
    require_kernel(case.method, *proof)
    width = theorem.conditions.width
    by = "a potential of a state" if not width else f"a potential of {width} round{'s' * (width > 1)}"
    a, b = (units.right_hand_side(factors, case.measure) for factors in (theorem.a, theorem.b))
    return BoundForAllT(a, b, theorem.holds_from, by, proof)


def _by_one_round(method: Method, case: WorstCase) -> BoundForAllT | None:
    try:
        theorem = sharpen(method, K=case.K, T=case.T, S=case.S, given=case.given)
    except (InputError, NotApplicableError):
        return None
    if theorem.assumed:
        return None
    # The word is the kernel's, which knows nothing of the search.
    proof = certificates(theorem)
    require_kernel(case.method, *proof)
    at_one, at_two = theorem.right_hand_side(1), theorem.right_hand_side(2)
    return BoundForAllT(2 * at_two - at_one, 2 * (at_one - at_two), 1, "the best potential of one round", proof)
