"""The best theorem of one round that a potential can prove, for every number of rounds, with a proof over Q."""

from __future__ import annotations

import dataclasses
import math
import time
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundcheck.errors import NotApplicableError, require, require_count
from boundcheck.worst.classes import ProblemClass
from boundcheck.worst.exact import rationalised
from boundcheck.worst.lmi import minimise
from boundcheck.worst.proof import proved
from boundcheck.worst.systems import Conditions, conditions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.methods.base import Method
    from boundcheck.worst.lmi import Costs
    from boundcheck.worst.proof import Proof

_MARGINS = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4)
"""Least eigenvalues that are left for rounding, until a proof survives it."""
_WEIGHT = 1.0
"""What constants count for in the choice of the potential that the class leaves open, in units of L Delta."""


@dataclass(frozen=True)
class Sharpened:
    """A theorem about the average of |grad f(x_t)|^2 over t < T, in expectation, with all N clients, for every T >= 1.

    It is at most start/T + round, where both are sums of constants with factors: L Delta (`descent`), zeta^2, sigma^2
    and G_0.

    Attributes
    ----------
    method : Method
        With the hyperparameters, fractions, that the theorem is about, in units in which L = 1.
    given : ProblemClass
        The class it is over; zeta and G_0 are weights only.
    assumed : tuple of str
        Assumptions that were added because there is no theorem without.
    K, T : int
        Local steps; the rounds for which the potential was chosen.
    conditions : Conditions
        What had to be met.
    proof : Proof
    seconds : float
    """

    method: Method
    given: ProblemClass
    assumed: tuple[str, ...]
    K: int
    T: int
    conditions: Conditions
    proof: Proof
    seconds: float

    def factor(self, constant: str, T: int | None = None) -> Fraction:
        """Return what multiplies a constant ('zeta', 'sigma': squared; 'G_0', 'Delta') in a run of T rounds."""
        once = self.proof.constants["start"].get(constant, Fraction(0))
        return once / (self.T if T is None else T) + self.proof.constants["round"].get(constant, Fraction(0))

    @property
    def descent(self) -> Fraction:
        """Return what multiplies L Delta/T."""
        return self.proof.constants["start"].get("Delta", Fraction(0))

    @property
    def zeta2(self) -> Fraction:
        """Return what multiplies zeta^2 in a run of T rounds."""
        return self.factor("zeta")

    @property
    def sigma2(self) -> Fraction:
        """Return what multiplies sigma^2 (of a minibatch) in a run of T rounds."""
        return self.factor("sigma")

    def value(self, T: int | None = None) -> float:
        """Return the right-hand side at the class's constants."""
        weights = _weights(self.given)
        return float(sum(Fraction(weights[c]) * self.factor(c, T) for c in weights))


def sharpen(method: Method, *, K: int, T: int, given: ProblemClass | None = None) -> Sharpened:
    """Find the best one-round theorem of a method, and prove it over Q.

    Parameters
    ----------
    method : Method
        Its hyperparameters are in units in which L = 1; those that are no short fractions are rounded to four digits.
    K, T : int
        Local steps a round; rounds for which the right-hand side is smallest (the theorem holds for all).
    given : ProblemClass, optional
        By default N = 2, Delta = 1 and no noise, and no assumption on heterogeneity if there is a theorem without;
        else G_0 at the start, or zeta at all server points, at L Delta.

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
    given = ProblemClass() if given is None else given
    _require_smooth(given)
    exact = with_fractions(method)
    for candidate, assumed in _classes(given):
        began = time.perf_counter()
        asked = conditions(exact, candidate, K=K)
        proof = _proof(asked, costs(candidate, T))
        if proof is not None:
            return Sharpened(exact, candidate, assumed, K, T, asked, proof, time.perf_counter() - began)
    msg = (
        f"method {method.card.id}: no potential proves a theorem of one round with K = {K} at these steps over {given}"
    )
    raise NotApplicableError(msg)


def with_fractions(method: Method) -> Method:
    """Return a method whose hyperparameters are fractions."""
    changed = {}
    for f in dataclasses.fields(method):  # type: ignore[arg-type]
        value: Any = getattr(method, f.name)
        if isinstance(value, (float, Fraction)):
            require(math.isfinite(float(value)), f"{method.card.id}: {f.name}", value, "a finite number")
            changed[f.name] = rationalised(value)
    return dataclasses.replace(method, **changed)  # type: ignore[type-var]


def costs(given: ProblemClass, T: int) -> Costs:
    """Return what the constants count for: those of a round as they are, those of the start over T."""
    weights = _weights(given)
    return {"round": weights, "start": {name: weight / T for name, weight in weights.items()}}


def _weights(given: ProblemClass) -> dict[str, float]:
    squares = {"zeta": (given.zeta or 0.0) ** 2, "sigma": given.sigma**2}
    return squares | {"Delta": given.Delta or 0.0, "G_0": given.G_0 or 0.0}


def _require_smooth(given: ProblemClass) -> None:
    require(given.L == 1.0, "L", given.L, "1: steps are in units in which L = 1")
    require(given.mu is None, "mu", given.mu, "left out: sharpened theorems are of smooth functions")
    require(given.distance is None, "distance", given.distance, "left out: potentials start from Delta")


def _classes(given: ProblemClass) -> Iterator[tuple[ProblemClass, tuple[str, ...]]]:
    """Yield the class, and then classes with more assumptions on heterogeneity where it has none."""
    yield given, ()
    if given.zeta is None and given.N > 1:
        if given.G_0 is None:
            yield dataclasses.replace(given, G_0=_WEIGHT), ("G_0",)
        yield dataclasses.replace(given, zeta=_WEIGHT), ("zeta",)


def _proof(asked: Conditions, weights: Costs) -> Proof | None:
    for margin in _MARGINS:
        answer = minimise(asked, weights, margin=margin)
        if answer.status == "PrimalInfeasible":
            return None
        proof = proved(asked, answer.unknowns)
        if proof is not None:
            return proof
    return None
