"""A theorem for all steps of a range: its factors, how near it is to the best ones, and its proof as a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boundcheck.files.display import shows
from boundcheck.worst.theorems.bernstein.polynomials import Poly, evaluate

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from boundcheck.methods.base import Method
    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.theorems.bernstein.coefficients import Box


DRAW = "p"
"""The letter of a draw of S of N clients: (N - S)/(S (N - 1))."""


@shows("method", "K", "gap")
@dataclass(frozen=True)
class StepTheorem:
    """A bound on mean_t E|grad f(x_t)|^2 for every T, every N and all steps of a box, in units in which L = 1.

    rate * mean_t E|grad f(x_t)|^2 <= sum of first/T + sum of always, each factor times its constant: Delta, G_0,
    zeta^2, and sigma^2/N (``mean noise``) and sigma^2 (1 - 1/N) (``noise apart``) of a minibatch.

    Attributes
    ----------
    method : Method
        With the hyperparameters that are no letters.
    given : ProblemClass
        The class it is over; its numbers are weights only.
    K : int or None
        Local steps; None where the theorem holds for every K.
    letters : tuple of str
        Of the polynomials: hyperparameters; ``h`` = eta K, ``e`` = 1/K, ``p`` where S of N clients are drawn.
    box : tuple
        Ends of every letter.
    rate : Poly
    first, always : dict
        Constant to its factor.
    gap : float
        The largest excess over the best one-round theorem at points that the search did not see, relative; NaN where
        nothing was compared.
    seconds : float
    proof : dict
        The file that `boundcheck verify` reads.
    """

    method: Method
    given: ProblemClass
    K: int | None
    letters: tuple[str, ...]
    box: Box
    rate: Poly
    first: Mapping[str, Poly]
    always: Mapping[str, Poly]
    gap: float
    seconds: float
    proof: dict[str, Any]

    def factors(self, values: Mapping[str, float | Fraction], *, T: int, N: int) -> dict[str, float]:
        """Return what multiplies each constant at values of the letters.

        Returns
        -------
        dict
            Of Delta, G_0, zeta (its square) and sigma (its square, of a minibatch).
        """
        point = [values[x] for x in self.letters]
        rate = float(evaluate(self.rate, point))
        found: dict[str, float] = {}
        for name, p in self.first.items():
            found[name] = found.get(name, 0.0) + float(evaluate(p, point)) / rate / T
        shares = {"mean noise": ("sigma", 1 / N), "noise apart": ("sigma", 1 - 1 / N)}
        for name, p in self.always.items():
            constant, share = shares.get(name, (name, 1.0))
            found[constant] = found.get(constant, 0.0) + share * float(evaluate(p, point)) / rate
        return found

    def right_side(self, values: Mapping[str, float | Fraction], *, T: int, N: int, **constants: float) -> float:
        """Return the right-hand side: Delta, G_0, zeta and sigma as they are."""
        squares = {"zeta": 2, "sigma": 2}
        factors = self.factors(values, T=T, N=N)
        return sum(factor * constants.get(name, 0.0) ** squares.get(name, 1) for name, factor in factors.items())
