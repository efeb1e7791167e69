"""The best theorem of one round that a potential can prove, for every number of rounds, with a proof over Q."""

from __future__ import annotations

import dataclasses
import math
import time
from typing import TYPE_CHECKING, Any

from boundcheck.errors import NotApplicableError, require, require_count
from boundcheck.worst.facts.classes import ProblemClass
from boundcheck.worst.gram.units import hyperparameters, with_fractions
from boundcheck.worst.sides.programme import SOLVED
from boundcheck.worst.theorems.lmi import minimise
from boundcheck.worst.theorems.proof import proof_near
from boundcheck.worst.theorems.sharpened import Sharpened, weights_of
from boundcheck.worst.theorems.systems import conditions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.methods.base import Method
    from boundcheck.worst.theorems.lmi import Costs
    from boundcheck.worst.theorems.proof import SquaresProof
    from boundcheck.worst.theorems.systems import PotentialConditions

_MARGINS = (1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 3e-4, 1e-3, 1e-2)
"""Least eigenvalues that are left for rounding, until a proof survives it."""
_WEIGHT = 1.0
"""What constants count for in the choice of the potential that the class leaves open, in units of L Delta."""


def sharpen(
    method: Method, *, K: int, T: int, S: int | None = None, given: ProblemClass | None = None, **constants: Any
) -> Sharpened:
    """Find the best one-round theorem of a method, and prove it over Q.

    Parameters
    ----------
    method : Method
        Its hyperparameters are in units in which L = 1; those that are neither short fractions nor
        decimals of at most nine digits are rounded to four digits.
    K, T : int
        Local steps a round; rounds for which the right-hand side is smallest (the theorem holds for all).
    S : int, optional
        Clients that are active in a round; by default all.
    given : ProblemClass, optional
        By default N = 2, Delta = 1 and no noise, and no assumption on heterogeneity if there is a theorem without;
        else G_0 at the start, or zeta at all server points, at L Delta.
    **constants
        Constants of the class in its place: zeta, G_0, sigma, Delta, N.

    Returns
    -------
    Sharpened

    Raises
    ------
    InputError
        If K, T or a hyperparameter is not legal, or the class has curvatures of its own.
    NotApplicableError
        If the method is not linear or its rounds are not alike, or if no such theorem was found.
    """
    require_count(K, "K")
    require_count(T, "T")
    given = ProblemClass(**constants) if given is None else given
    require_smooth(given)
    exact = with_fractions(method)
    for candidate, assumed in _classes(given):
        began = time.perf_counter()
        asked = conditions(exact, candidate, K=K, S=S)
        proof = _proof(asked, costs(candidate, T))
        if proof is not None:
            seconds = time.perf_counter() - began
            return Sharpened(exact, candidate, assumed, K, T, S or given.N, method, asked, proof, seconds)
    steps = ", ".join(f"{name} = {value}" for name, value in hyperparameters(exact).items())
    msg = (
        f"method {method.card.id}: no theorem of one round was found at {steps}, K = {K} over {_describe_class(given)}"
    )
    raise NotApplicableError(msg)


def best_right_hand_side(method: Method, *, K: int, T: int, S: int | None = None, given: ProblemClass) -> float:
    """Return the right-hand side of the best one-round theorem as the solver finds it, inf where there is none."""
    try:
        answer = minimise(conditions(method, given, K=K, S=S), costs(given, T), margin=_MARGINS[0])
    except ZeroDivisionError:
        return math.inf
    return answer.value / T if answer.status in SOLVED else math.inf


def costs(given: ProblemClass, T: int) -> Costs:
    """Return what the constants count for in T rounds: those of the start once, those of a round T times."""
    weights = weights_of(given)
    return {"start": weights, "round": {name: T * weight for name, weight in weights.items()}}


def require_smooth(given: ProblemClass) -> None:
    """Refuse a class that potentials from f(x_0) - f_star do not speak of."""
    require(given.L == 1.0, "L", given.L, "1: steps are in units in which L = 1")
    require(given.mu is None, "mu", given.mu, "left out: sharpened theorems are of smooth functions")
    require(given.Delta is not None, "Delta", given.Delta, "a number: potentials start from f(x_0) - f_star")
    require(given.distance is None, "distance", given.distance, "left out: potentials start from Delta")
    require(not given.everywhere, "everywhere", given.everywhere, "False: zeta is asked at server points only")


def _classes(given: ProblemClass) -> Iterator[tuple[ProblemClass, tuple[str, ...]]]:
    """Yield the class, and then classes with more assumptions on heterogeneity where it has none."""
    yield given, ()
    if given.zeta is None and given.N > 1:
        if given.G_0 is None:
            yield dataclasses.replace(given, G_0=_WEIGHT), ("G_0",)
        yield dataclasses.replace(given, zeta=_WEIGHT), ("zeta",)


def _proof(asked: PotentialConditions, weights: Costs) -> SquaresProof | None:
    """Return the best proof of the margins up to one at which the solver is sure, or that gains nothing more."""
    found: list[tuple[float, SquaresProof]] = []
    for margin in _MARGINS:
        answer = minimise(asked, weights, margin=margin)
        if answer.status == "PrimalInfeasible":
            break
        proof = proof_near(asked, answer.unknowns)
        if proof is None:
            continue
        found.append((answer.value, proof))
        if answer.status == "Solved" or answer.value > min(value for value, _ in found):
            break
    return min(found, key=lambda pair: pair[0])[1] if found else None


def _describe_class(given: ProblemClass) -> str:
    chosen = {name: getattr(given, name) for name in ("N", "Delta", "zeta", "G_0", "sigma")}
    return "the class " + ", ".join(f"{name} = {value:g}" for name, value in chosen.items() if value is not None)
