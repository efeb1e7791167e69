"""A sharpened theorem: its factors, and the proof that it came from."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from boundcheck.files.display import shows

if TYPE_CHECKING:
    from boundcheck.methods.base import Method
    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.theorems.proof import SquaresProof
    from boundcheck.worst.theorems.systems import PotentialConditions


@shows("method", "K", "T", "descent", "zeta2", "sigma2")
@dataclass(frozen=True)
class Sharpened:
    """A theorem about the average of |grad f(x_t)|^2 over t < T, in expectation, with S of N clients, for every T >= 1.

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
    S : int
        Active clients of a round.
    asked : Method
        The method as it was given.
    conditions : PotentialConditions
        What had to be met.
    proof : Proof
    seconds : float
    """

    method: Method
    given: ProblemClass
    assumed: tuple[str, ...]
    K: int
    T: int
    S: int
    asked: Method
    conditions: PotentialConditions
    proof: SquaresProof
    seconds: float

    @property
    def is_best(self) -> bool:
        """Whether no potential of one round proves more, to the solver's digits.

        All conditions of smoothness are asked, between points that different draws reach too, and functions that meet
        them exist.  With noise, conditions between points that its different outcomes reach are left out: it is a
        theorem, and an upper bound on the best one.
        """
        return not self.given.sigma

    @property
    def title(self) -> str:
        """Return what it is."""
        return "the best potential of one round" if self.is_best else "a potential of one round"

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

    def right_hand_side(self, T: int | None = None) -> Fraction:
        """Return the right-hand side at the class's constants, which are taken as they are."""
        weights = weights_of(self.given)
        return sum((Fraction(weights[c]) * self.factor(c, T) for c in weights), Fraction(0))

    def value(self, T: int | None = None) -> float:
        """Return the right-hand side at the class's constants."""
        return float(self.right_hand_side(T))


def weights_of(given: ProblemClass) -> dict[str, float]:
    """Return what the constants of a class count for."""
    squares = {"zeta": (given.zeta or 0.0) ** 2, "sigma": given.sigma**2}
    squares["distance"] = (given.distance or 0.0) ** 2
    return squares | {"Delta": given.Delta or 0.0, "G_0": given.G_0 or 0.0}
