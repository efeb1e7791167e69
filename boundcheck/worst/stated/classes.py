"""Classes of functions and of operators: what is true between points of one, as numbers that are >= 0.

Where a class says "necessary", worst cases over what it says are upper sides; for the others the conditions are
sufficient as well, so that the value is attained (in a dimension that is large enough).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from boundcheck.errors import InputError, require
from boundcheck.worst.stated.algebra import Scalar, Vector, dot, number, rational, square

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction


class ClassPoint(NamedTuple):
    """A point of a function or operator: where, a gradient (or an image) there, and the value."""

    at: Vector
    gradient: Vector
    value: Scalar
    is_minimiser: bool = False


@dataclass(frozen=True, kw_only=True)
class FunctionClass:
    """Functions with these constants; None where one does not bound.

    Parameters
    ----------
    L, mu : Fraction, optional
        Largest and least curvature: mu = 0 is convex, negative is weakly convex; -L where mu is None and L is not.
    lipschitz : Fraction, optional
        Bound on all gradients; with negative mu, or with L and no mu, it is necessary.
    indicator : bool
        Whether it is 0 on a closed convex set and infinite elsewhere: it has no curvature.
    diameter : Fraction, optional
        Of the set.
    pl : Fraction, optional
        |grad f|^2 >= 2 pl (f - f_star): Polyak-Lojasiewicz; necessary.
    growth : Fraction, optional
        f - f_star >= growth |x - x_star|^2/2: quadratic growth; necessary.
    upper_growth : Fraction, optional
        f - f_star <= upper_growth |x - x_star|^2/2, for convex functions (QG+).
    secant : Fraction, optional
        <grad f, x - x_star> >= secant |x - x_star|^2: restricted secant inequality; of values it is necessary.
    error_bound : Fraction, optional
        |grad f| <= error_bound |x - x_star|; of values it is necessary.

    References
    ----------
    Taylor, Hendrickx, Glineur, Mathematical Programming 161 (2017), Theorem 4; SIAM J. Optimization 27 (2017), Table 1.
    Goujaud, Taylor, Dieuleveut, "Optimal first-order methods for convex functions with a quadratic upper bound" (2022).
    """

    L: Fraction | None = None
    mu: Fraction | None = None
    lipschitz: Fraction | None = None
    indicator: bool = False
    diameter: Fraction | None = None
    pl: Fraction | None = None
    growth: Fraction | None = None
    upper_growth: Fraction | None = None
    secant: Fraction | None = None
    error_bound: Fraction | None = None

    def __post_init__(self) -> None:
        """Refuse constants that contradict each other."""
        require(self.L is None or self.L > 0, "L", self.L, "a number above 0")
        require(self.mu is None or self.L is None or self.mu < self.L, "mu", self.mu, f"a number below L = {self.L}")
        for name in ("lipschitz", "diameter", "pl", "growth", "upper_growth", "secant", "error_bound"):
            value = getattr(self, name)
            require(value is None or value > 0, name, value, "a number above 0")
        require(self.indicator or self.diameter is None, "diameter", self.diameter, "of an indicator only")
        for name in ("L", "mu", "lipschitz", "pl", "growth", "upper_growth", "secant", "error_bound"):
            value = getattr(self, name)
            require(not self.indicator or value is None, name, str(value), "without indicator: a set has none")
        convex = self.upper_growth is None or (self.mu is not None and self.mu >= 0)
        require(convex, "upper_growth", str(self.upper_growth), "with mu >= 0: it is of convex functions")
        growing = max(self.mu or 0, self.growth or 0, self.secant or 0)
        steep = self.lipschitz is not None and growing > 0
        require(not steep, "lipschitz", str(self.lipschitz), "without mu > 0, growth and secant: no function has both")
        if not self.is_bounded:
            msg = "a function has no class: convex, or L, mu, lipschitz, indicator, secant, error_bound"
            raise InputError(msg)

    @property
    def is_bounded(self) -> bool:
        """Return whether anything is known of it."""
        known = (self.L, self.mu, self.lipschitz, self.secant, self.error_bound, self.growth, self.pl)
        return self.indicator or any(value is not None for value in known)

    @property
    def is_sufficient(self) -> bool:
        """Return whether the conditions are sufficient for a function of the class through the points."""
        necessary = (self.pl, self.growth, self.secant, self.error_bound)
        is_rough = self.L is None and self.mu is None
        lipschitz = self.lipschitz is None or self.is_convex or is_rough
        return lipschitz and all(constant is None for constant in necessary)

    @property
    def is_convex(self) -> bool:
        """Return whether all functions of the class are convex."""
        return self.indicator or (self.mu is not None and self.mu >= 0)

    def between(self, a: ClassPoint, b: ClassPoint) -> Iterator[tuple[str, Scalar]]:
        """Yield what is true of f at a, seen from b."""
        dx, dg = a.at - b.at, a.gradient - b.gradient
        gap = a.value - b.value - dot(b.gradient, dx)
        mu = self.mu
        if self.L is not None:
            least = -self.L if mu is None else mu
            bent = square(dg) / self.L + least * square(dx) - 2 * least / self.L * dot(dg, dx)
            yield "interpolation", gap - bent / (2 * (1 - least / self.L))
        elif self.indicator:
            yield "normal cone", -dot(b.gradient, dx)
            if self.diameter is not None:
                yield "diameter", self.diameter**2 - square(dx)
        elif mu is not None:
            yield "convexity", gap - mu / 2 * square(dx)
        if a.is_minimiser:
            yield from self._below(a, b)

    def _below(self, star: ClassPoint, b: ClassPoint) -> Iterator[tuple[str, Scalar]]:
        """Yield what is true of a point, seen from a minimiser."""
        away = b.at - star.at
        above = b.value - star.value
        if self.pl is not None:
            yield "PL", square(b.gradient) - 2 * self.pl * above
        if not self.is_convex:
            # A step of 1/L does not lead below the minimum.
            yield "minimum", above - square(b.gradient) / (2 * self.L) if self.L is not None else above
        if self.growth is not None:
            yield "quadratic growth", above - self.growth / 2 * square(away)
        if self.upper_growth is not None:
            yield "quadratic upper bound", dot(b.gradient, away) - above - square(b.gradient) / (2 * self.upper_growth)
        if self.secant is not None:
            yield "secant", dot(b.gradient, away) - self.secant * square(away)
            yield "secant of values", above - self.secant / 2 * square(away)
        if self.error_bound is not None:
            yield "error bound", self.error_bound**2 * square(away) - square(b.gradient)
            yield "error bound of values", self.error_bound / 2 * square(away) - above

    def at(self, a: ClassPoint) -> Iterator[tuple[str, Scalar]]:
        """Yield what is true of a point alone."""
        if self.lipschitz is not None:
            yield "Lipschitz", self.lipschitz**2 - square(a.gradient)

    def matrices(self, a: ClassPoint, b: ClassPoint) -> Iterator[tuple[str, list[list[Scalar]]]]:
        """Yield matrices that are positive semidefinite.

        (f(a) - f(b))^2 <= lipschitz^2 |a - b|^2 is no linear relation; of convex functions bounded gradients say it.
        """
        if self.lipschitz is not None and not self.is_convex:
            apart = a.value - b.value
            yield "Lipschitz values", [[number(1), apart], [apart, self.lipschitz**2 * square(a.at - b.at)]]


@dataclass(frozen=True, kw_only=True)
class OperatorClass:
    """Operators with these constants; None where one does not bound.

    Parameters
    ----------
    mu : Fraction, optional
        <A x - A y, x - y> >= mu |x - y|^2: 0 is (maximally) monotone.
    cocoercive : Fraction, optional
        <A x - A y, x - y> >= cocoercive |A x - A y|^2; negative is negatively comonotone.
    lipschitz : Fraction, optional
        |A x - A y| <= lipschitz |x - y|; together with others it is necessary.

    References
    ----------
    Ryu, Taylor, Bergeling, Giselsson, SIAM J. Optimization 30 (2020), section 2.
    """

    mu: Fraction | None = None
    cocoercive: Fraction | None = None
    lipschitz: Fraction | None = None

    def __post_init__(self) -> None:
        """Refuse operators of which nothing is known."""
        if all(value is None for value in (self.mu, self.cocoercive, self.lipschitz)):
            msg = "an operator has no class: mu (0 is monotone), cocoercive or lipschitz"
            raise InputError(msg)
        require(self.lipschitz is None or self.lipschitz > 0, "lipschitz", self.lipschitz, "a number above 0")
        if self.mu is not None and self.mu > 0:
            steepest = [self.lipschitz, 1 / self.cocoercive if self.cocoercive and self.cocoercive > 0 else None]
            most = min((value for value in steepest if value is not None), default=self.mu)
            require(self.mu <= most, "mu", str(self.mu), f"at most {most}, by which images are apart")

    @property
    def is_sufficient(self) -> bool:
        """Return whether the conditions are sufficient for an operator of the class through the points."""
        return sum(value is not None for value in (self.mu, self.cocoercive, self.lipschitz)) == 1

    def between(self, a: ClassPoint, b: ClassPoint) -> Iterator[tuple[str, Scalar]]:
        """Yield what is true of two points."""
        dx, du = a.at - b.at, a.gradient - b.gradient
        if self.mu is not None:
            yield "monotone", dot(du, dx) - self.mu * square(dx)
        if self.cocoercive is not None:
            yield "cocoercive", dot(du, dx) - self.cocoercive * square(du)
        if self.lipschitz is not None:
            yield "Lipschitz", self.lipschitz**2 * square(dx) - square(du)

    def at(self, a: ClassPoint) -> Iterator[tuple[str, Scalar]]:
        """Yield what is true of a point alone: nothing."""
        yield from ()

    def matrices(self, a: ClassPoint, b: ClassPoint) -> Iterator[tuple[str, list[list[Scalar]]]]:
        """Yield matrices that are positive semidefinite: none."""
        yield from ()


def optional(value: object, name: str) -> Fraction | None:
    """Return a constant of a class as a fraction, None as it is."""
    return None if value is None else rational(value, name)
